"""Cursor. One call may be told twice: as a tool with an id, and as a shell command, an MCP call or a file's edit.

The second telling is an `echo`: it counts only in versions that do not tell the first.
"""

from collections.abc import Callable
from typing import Any

from tallystick.capture.clients import payload
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
from tallystick.capture.clients.payload import NO_RESULT, TASK_ACCEPTED, Payload, as_text, decode_json, is_task
from tallystick.capture.hook import exit_codes
from tallystick.capture.hook.event import conversation_id
from tallystick.core.tools import SHELLS


def read(told: Payload) -> tuple[Observed, ...]:
    found = EVENTS.get(told.event[:1].lower() + told.event[1:])
    return (found(told),) if found else ()


def _of(told: Payload) -> dict[str, Any]:
    agent = told.text("subagent_id", "agent_id")
    return {"conversation": conversation_id("cursor", told.fields), "agent": agent}


def _call(told: Payload) -> dict[str, Any]:
    return {**_of(told), **told.call(), "call_id": told.text("tool_use_id")}


def _echo(told: Payload) -> dict[str, Any]:
    """A shell command or a file's edit, which are told as tools too."""
    return {**_of(told), **told.call(), "echo": True}


def _mcp(told: Payload) -> dict[str, Any]:
    said = _call(told)
    return {**said, "echo": not said["call_id"]}


def came(result: Any) -> dict[str, Any]:
    """What came of a call, by its result: MCP results say themselves whether they are errors."""
    inner = decode_json(result) if isinstance(result, str) else result
    if isinstance(inner, dict) and (inner.get("isError") is True or inner.get("is_error") is True):
        return {"outcome": "failed", "result": inner, "error": as_text(inner) or "It failed."}
    if isinstance(inner, dict) and inner.get("success") is False:
        return {"outcome": "failed", "result": inner, "error": as_text(inner) or "It failed."}
    if isinstance(inner, dict) and is_task(inner):
        return {"outcome": "unknown", "result": inner, "error": TASK_ACCEPTED}
    return {"outcome": "unknown", "error": NO_RESULT} if inner is None else {"outcome": "ok", "result": inner}


def _ended(told: Payload) -> Observed:
    """Cursor has an event for what failed, and nobody has seen whether a command that ends with 1 is told there: what a
    command came to is known by its exit code only."""
    call, result = _call(told), told.value("tool_output", "tool_response")
    said = came(result)
    if call["tool"] in SHELLS and call["arguments"].get("is_background") is True and said["outcome"] == "ok":
        said = {"outcome": "unknown", "result": said["result"], "error": payload.STILL_RUNNING}
    elif call["tool"] in SHELLS and said["outcome"] == "ok":
        code = exit_codes.find_exit(told.fields)
        inner = said["result"]
        if code and code != "0":
            said = {"outcome": "failed", "result": inner, "error": as_text(inner) or payload.describe_exit(code)}
        elif isinstance(inner, dict) and inner.get("status") in ("failed", "error"):
            said = {"outcome": "failed", "result": inner, "error": as_text(inner) or "It failed."}
        elif not code:
            said = {"outcome": "unknown", "result": inner, "error": payload.NO_EXIT_CODE}
    return CallEnded(**call, **said, duration=told.seconds("duration"))


def _failed(told: Payload) -> Observed:
    error, kind = as_text(told.value("error_message", "error")), told.text("failure_type")
    if kind == "permission_denied":
        return CallDenied(**_call(told), reason=error or kind)
    doubtful = told.flag("is_interrupt") or kind in ("timeout", "aborted")
    return CallEnded(
        **_call(told),
        outcome="unknown" if doubtful else "failed",
        error=error or kind or "It failed.",
        duration=told.seconds("duration"),
    )


def _stopped(told: Payload) -> Observed:
    status = told.text("status")
    return Stopped(
        **_of(told),
        error=as_text(told.value("error_message")) or ("The turn ended with an error." if status == "error" else ""),
        interrupted=status == "aborted",
        transcript=told.text("transcript_path"),
    )


EVENTS: dict[str, Callable[[Payload], Observed]] = {
    "sessionStart": lambda told: ConversationStarted(
        **_of(told), source=told.text("source", "composer_mode"), model=told.text("model")
    ),
    "sessionEnd": lambda told: ConversationEnded(**_of(told), reason=told.text("reason", "final_status")),
    "beforeSubmitPrompt": lambda told: Prompted(**_of(told), text=told.text("prompt")),
    "userPromptSubmit": lambda told: Prompted(**_of(told), text=told.text("prompt")),
    "preToolUse": lambda told: CallBegun(**_call(told)),
    "postToolUse": _ended,
    "postToolUseFailure": _failed,
    "beforeShellExecution": lambda told: CallBegun(**_echo(told)),
    "afterShellExecution": lambda told: CallEnded(
        **_echo(told),
        outcome="unknown",  # it is told of every command that ended, however it did, by its output alone
        error=payload.NO_EXIT_CODE,
        result=told.value("output"),
        duration=told.seconds("duration"),
    ),
    "beforeMCPExecution": lambda told: CallBegun(**_mcp(told)),
    "afterMCPExecution": lambda told: CallEnded(
        **_mcp(told), **came(told.value("result_json", "result")), duration=told.seconds("duration")
    ),
    "afterFileEdit": lambda told: CallEnded(**_echo(told)),
    "subagentStart": lambda told: AgentStarted(**_of(told), kind=told.text("subagent_type", "agent_type")),
    "subagentStop": lambda told: AgentEnded(
        **_of(told),
        kind=told.text("subagent_type", "agent_type"),
        text=told.text("summary", "result"),
        transcript=told.text("agent_transcript_path"),
    ),
    "preCompact": lambda told: Compacting(**_of(told), trigger=told.text("trigger")),
    "stop": _stopped,
}
