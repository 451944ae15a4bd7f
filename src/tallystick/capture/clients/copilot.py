"""Reads the hook events of GitHub Copilot: the CLI, the cloud agent and VS Code.

The casing of the event's name selects that of the fields. Only VS Code gives call ids; elsewhere begin and end are
joined by tool, arguments and order. A command that failed is reported as `success`; Copilot's own mark after the output
has the exit code.
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
    Notified,
    Observed,
    Other,
    PermissionAsked,
    Prompted,
    Stopped,
)
from tallystick.capture.clients.payload import NO_RESULT, Payload, as_text, shell_outcome
from tallystick.capture.hook.event import conversation_id, journal_tool_name, mcp_tool_name
from tallystick.core.tools import SHELLS

DENIED_TYPES = ("denied", "rejected")


def read(payload: Payload) -> tuple[Observed, ...]:
    """Read an event; empty if it is unknown."""
    event = payload.event[:1].lower() + payload.event[1:]
    reader = EVENTS.get(_ALIASES.get(event, event))
    return (reader(payload),) if reader else ()


def _agent_fields(payload: Payload) -> dict[str, Any]:
    return {"conversation": conversation_id("copilot", payload.fields), "agent": payload.text("agentId", "agent_id")}


def _call_fields(payload: Payload) -> dict[str, Any]:
    return {
        **_agent_fields(payload),
        **payload.call(),
        "call_id": payload.text("tool_use_id", "toolUseId", "toolCallId"),
    }


def _permission_asked(payload: Payload) -> Observed:
    call = _call_fields(payload)
    if call["tool"].count("/") == 1:  # permission requests name an MCP tool as server/tool
        call["tool"] = journal_tool_name(mcp_tool_name(*call["tool"].split("/")))
    return PermissionAsked(**call, text=payload.text("message", "reason"))


def _ended(payload: Payload) -> Observed:
    result = payload.value("toolResult", "tool_result", "tool_response")
    fields = Payload(result)
    kind = fields.text("resultType", "result_type").lower()
    text = fields.text("textResultForLlm", "text_result_for_llm", "error")
    if kind in DENIED_TYPES:
        return CallDenied(**_call_fields(payload), reason=text)
    if kind in ("failure", "error") or fields.flag("isError", "is_error"):
        return CallEnded(
            **_call_fields(payload), outcome="failed", result=result, error=text or as_text(result) or "It failed."
        )
    if kind in ("timeout", "cancelled", "canceled", "interrupted"):
        return CallEnded(**_call_fields(payload), outcome="unknown", result=result, error=text or kind)
    call = _call_fields(payload)
    if call["tool"] in SHELLS:
        return CallEnded(**call, **shell_outcome(payload, result))
    # VS Code reports success, and only success, under another field and without a type.
    if kind == "success" or (not kind and payload.value("tool_response") is not None):
        return CallEnded(**call, result=result)
    return CallEnded(**call, outcome="unknown", result=result, error=f'It ended as "{kind}".' if kind else NO_RESULT)


def _failed(payload: Payload) -> Observed:
    error = as_text(payload.value("error", "toolResult", "tool_result"))
    interrupt = payload.flag("is_interrupt", "isInterrupt")
    return CallEnded(**_call_fields(payload), outcome="unknown" if interrupt else "failed", error=error or "It failed.")


def _error(payload: Payload) -> Observed:
    return Other(
        **_agent_fields(payload),
        event=payload.event,
        payload={"error": payload.value("error"), **_other_fields(payload)},
    )


def _other_fields(payload: Payload) -> dict[str, Any]:
    base = ("sessionId", "session_id", "timestamp", "cwd", "hook_event_name", "error")
    return {name: value for name, value in payload.fields.items() if name not in base}


def _subagent_fields(payload: Payload) -> dict[str, Any]:
    fields = _agent_fields(payload)
    kind = payload.text("agentName", "agent_name", "agentType", "agent_type")
    return {**fields, "agent": fields["agent"] or kind, "kind": kind}


EVENTS: dict[str, Callable[[Payload], Observed]] = {
    "sessionStart": lambda payload: ConversationStarted(
        **_agent_fields(payload), source=payload.text("source"), model=payload.text("model", "modelId")
    ),
    "sessionEnd": lambda payload: ConversationEnded(**_agent_fields(payload), reason=payload.text("reason")),
    "userPromptSubmitted": lambda payload: Prompted(
        **_agent_fields(payload), text=payload.text("prompt", "user_prompt")
    ),
    "preToolUse": lambda payload: CallBegun(**_call_fields(payload)),
    "permissionRequest": _permission_asked,
    "postToolUse": _ended,
    "postToolUseFailure": _failed,
    "agentStop": lambda payload: Stopped(
        **_agent_fields(payload),
        text=payload.text("lastAssistantMessage", "last_assistant_message"),
        transcript=payload.text("transcriptPath", "transcript_path"),
    ),
    "subagentStart": lambda payload: AgentStarted(**_subagent_fields(payload)),
    "subagentStop": lambda payload: AgentEnded(
        **_subagent_fields(payload), text=payload.text("lastAssistantMessage", "last_assistant_message")
    ),
    "errorOccurred": _error,
    "preCompact": lambda payload: Compacting(**_agent_fields(payload), trigger=payload.text("trigger")),
    "notification": lambda payload: Notified(**_agent_fields(payload), text=payload.text("message", "title")),
}
_ALIASES = {"stop": "agentStop", "userPromptSubmit": "userPromptSubmitted"}
"""Names of Claude Code and VS Code for the same events."""
