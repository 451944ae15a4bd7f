"""Reads the hook events of Cursor.

Cursor may report one call twice: as a tool with an id, and as a shell command, an MCP call or an edit of a file. The
second report is an `echo`: it counts only in versions that do not send the first.
"""

from collections.abc import Callable
from typing import Any

from tallystick.capture.clients.events import (
    AgentEnded,
    AgentStarted,
    CallBegun,
    CallDenied,
    CallEnded,
    Compacting,
    ConversationEnded,
    ConversationStarted,
    Observed,
    Prompted,
    Stopped,
)
from tallystick.capture.clients.payload import (
    NO_EXIT_CODE,
    NO_RESULT,
    STILL_RUNNING,
    TASK_ACCEPTED,
    Payload,
    as_text,
    decode_json,
    describe_exit,
    is_task,
)
from tallystick.capture.hook import exit_codes
from tallystick.capture.hook.event import conversation_id
from tallystick.core.tools import SHELLS


def read(payload: Payload) -> tuple[Observed, ...]:
    """Read an event; empty if it is unknown."""
    reader = EVENTS.get(payload.event[:1].lower() + payload.event[1:])
    return (reader(payload),) if reader else ()


def _agent_fields(payload: Payload) -> dict[str, Any]:
    agent = payload.text("subagent_id", "agent_id")
    return {"conversation": conversation_id("cursor", payload.fields), "agent": agent}


def _call_fields(payload: Payload) -> dict[str, Any]:
    return {**_agent_fields(payload), **payload.call(), "call_id": payload.text("tool_use_id")}


def _echo_fields(payload: Payload) -> dict[str, Any]:
    """A shell command or an edit of a file, which is reported as a tool too."""
    return {**_agent_fields(payload), **payload.call(), "echo": True}


def _mcp_fields(payload: Payload) -> dict[str, Any]:
    fields = _call_fields(payload)
    return {**fields, "echo": not fields["call_id"]}


def _result_outcome(result: Any) -> dict[str, Any]:
    """The outcome of a call, by its result: MCP results have a flag for errors."""
    inner = decode_json(result) if isinstance(result, str) else result
    if isinstance(inner, dict) and (inner.get("isError") is True or inner.get("is_error") is True):
        return {"outcome": "failed", "result": inner, "error": as_text(inner) or "It failed."}
    if isinstance(inner, dict) and inner.get("success") is False:
        return {"outcome": "failed", "result": inner, "error": as_text(inner) or "It failed."}
    if isinstance(inner, dict) and is_task(inner):
        return {"outcome": "unknown", "result": inner, "error": TASK_ACCEPTED}
    return {"outcome": "unknown", "error": NO_RESULT} if inner is None else {"outcome": "ok", "result": inner}


def _ended(payload: Payload) -> Observed:
    call = _call_fields(payload)
    end = _result_outcome(payload.value("tool_output", "tool_response"))
    if call["tool"] in SHELLS and end["outcome"] == "ok":
        in_background = call["arguments"].get("is_background") is True
        end = _shell_outcome(end["result"], exit_codes.find_exit(payload.fields), in_background)
    return CallEnded(**call, **end, duration=payload.seconds("duration"))


def _shell_outcome(result: Any, code: str, in_background: bool) -> dict[str, Any]:
    """The outcome of a command, by its exit code only.

    Cursor has an event for failures, but it is not known whether a command that ends with 1 is reported there.
    """
    if in_background:
        return {"outcome": "unknown", "result": result, "error": STILL_RUNNING}
    if code and code != "0":
        return {"outcome": "failed", "result": result, "error": as_text(result) or describe_exit(code)}
    if isinstance(result, dict) and result.get("status") in ("failed", "error"):
        return {"outcome": "failed", "result": result, "error": as_text(result) or "It failed."}
    if not code:
        return {"outcome": "unknown", "result": result, "error": NO_EXIT_CODE}
    return {"outcome": "ok", "result": result}


def _failed(payload: Payload) -> Observed:
    error, kind = as_text(payload.value("error_message", "error")), payload.text("failure_type")
    if kind == "permission_denied":
        return CallDenied(**_call_fields(payload), reason=error or kind)
    is_in_doubt = payload.flag("is_interrupt") or kind in ("timeout", "aborted")
    return CallEnded(
        **_call_fields(payload),
        outcome="unknown" if is_in_doubt else "failed",
        error=error or kind or "It failed.",
        duration=payload.seconds("duration"),
    )


def _stopped(payload: Payload) -> Observed:
    status = payload.text("status")
    return Stopped(
        **_agent_fields(payload),
        error=as_text(payload.value("error_message")) or ("The turn ended with an error." if status == "error" else ""),
        interrupted=status == "aborted",
        transcript=payload.text("transcript_path"),
    )


EVENTS: dict[str, Callable[[Payload], Observed]] = {
    "sessionStart": lambda payload: ConversationStarted(
        **_agent_fields(payload), source=payload.text("source", "composer_mode"), model=payload.text("model")
    ),
    "sessionEnd": lambda payload: ConversationEnded(
        **_agent_fields(payload), reason=payload.text("reason", "final_status")
    ),
    "beforeSubmitPrompt": lambda payload: Prompted(**_agent_fields(payload), text=payload.text("prompt")),
    "userPromptSubmit": lambda payload: Prompted(**_agent_fields(payload), text=payload.text("prompt")),
    "preToolUse": lambda payload: CallBegun(**_call_fields(payload)),
    "postToolUse": _ended,
    "postToolUseFailure": _failed,
    "beforeShellExecution": lambda payload: CallBegun(**_echo_fields(payload)),
    "afterShellExecution": lambda payload: CallEnded(
        **_echo_fields(payload),
        outcome="unknown",  # sent for every command that ended, however it ended, with its output alone
        error=NO_EXIT_CODE,
        result=payload.value("output"),
        duration=payload.seconds("duration"),
    ),
    "beforeMCPExecution": lambda payload: CallBegun(**_mcp_fields(payload)),
    "afterMCPExecution": lambda payload: CallEnded(
        **_mcp_fields(payload),
        **_result_outcome(payload.value("result_json", "result")),
        duration=payload.seconds("duration"),
    ),
    "afterFileEdit": lambda payload: CallEnded(**_echo_fields(payload)),
    "subagentStart": lambda payload: AgentStarted(
        **_agent_fields(payload), kind=payload.text("subagent_type", "agent_type")
    ),
    "subagentStop": lambda payload: AgentEnded(
        **_agent_fields(payload),
        kind=payload.text("subagent_type", "agent_type"),
        text=payload.text("summary", "result"),
        transcript=payload.text("agent_transcript_path"),
    ),
    "preCompact": lambda payload: Compacting(**_agent_fields(payload), trigger=payload.text("trigger")),
    "stop": _stopped,
}
