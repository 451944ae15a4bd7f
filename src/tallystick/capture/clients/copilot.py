"""GitHub Copilot: the CLI, the cloud agent and VS Code. The casing of the event's name selects that of the fields.

Only VS Code gives an id of a call; elsewhere begin and end are joined by tool, arguments and order. A command that
failed is a `success` like another: that stands in a mark of Copilot's own behind its output.
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
    Notified,
    Observed,
    Other,
    PermissionAsked,
    Prompted,
    Stopped,
)
from tallystick.capture.clients.payload import NO_RESULT, Payload, as_text
from tallystick.capture.hook.event import conversation_id, journal_tool_name, mcp_tool_name
from tallystick.core.tools import SHELLS

DENIED = ("denied", "rejected")


def read(told: Payload) -> tuple[Observed, ...]:
    event = told.event[:1].lower() + told.event[1:]
    found = EVENTS.get(_OLDER.get(event, event))
    return (found(told),) if found else ()


def _of(told: Payload) -> dict[str, Any]:
    return {"conversation": conversation_id("copilot", told.fields), "agent": told.text("agentId", "agent_id")}


def _call(told: Payload) -> dict[str, Any]:
    return {**_of(told), **told.call(), "call_id": told.text("tool_use_id", "toolUseId", "toolCallId")}


def _asked(told: Payload) -> Observed:
    call = _call(told)
    if call["tool"].count("/") == 1:  # so it names an MCP tool here, and only here
        call["tool"] = journal_tool_name(mcp_tool_name(*call["tool"].split("/")))
    return PermissionAsked(**call, text=told.text("message", "reason"))


def _ended(told: Payload) -> Observed:
    result = told.value("toolResult", "tool_result", "tool_response")
    said = Payload(result)
    kind = said.text("resultType", "result_type").lower()
    text = said.text("textResultForLlm", "text_result_for_llm", "error")
    if kind in DENIED:
        return CallDenied(**_call(told), reason=text)
    if kind in ("failure", "error") or said.flag("isError", "is_error"):
        return CallEnded(**_call(told), outcome="failed", result=result, error=text or as_text(result) or "It failed.")
    if kind in ("timeout", "cancelled", "canceled", "interrupted"):
        return CallEnded(**_call(told), outcome="unknown", result=result, error=text or kind)
    call = _call(told)
    if call["tool"] in SHELLS:
        return CallEnded(**call, **payload.shell_outcome(told, result))
    # VS Code tells what succeeded, and only that, under another name, with no word of which kind it is.
    if kind == "success" or (not kind and told.value("tool_response") is not None):
        return CallEnded(**call, result=result)
    return CallEnded(**call, outcome="unknown", result=result, error=f'It ended as "{kind}".' if kind else NO_RESULT)


def _failed(told: Payload) -> Observed:
    error = as_text(told.value("error", "toolResult", "tool_result"))
    interrupt = told.flag("is_interrupt", "isInterrupt")
    return CallEnded(**_call(told), outcome="unknown" if interrupt else "failed", error=error or "It failed.")


def _error(told: Payload) -> Observed:
    return Other(**_of(told), event=told.event, payload={"error": told.value("error"), **_without_base(told)})


def _without_base(told: Payload) -> dict[str, Any]:
    base = ("sessionId", "session_id", "timestamp", "cwd", "hook_event_name", "error")
    return {name: value for name, value in told.fields.items() if name not in base}


def _agent(told: Payload) -> dict[str, Any]:
    said = _of(told)
    kind = told.text("agentName", "agent_name", "agentType", "agent_type")
    return {**said, "agent": said["agent"] or kind, "kind": kind}


EVENTS: dict[str, Callable[[Payload], Observed]] = {
    "sessionStart": lambda told: ConversationStarted(
        **_of(told), source=told.text("source"), model=told.text("model", "modelId")
    ),
    "sessionEnd": lambda told: ConversationEnded(**_of(told), reason=told.text("reason")),
    "userPromptSubmitted": lambda told: Prompted(**_of(told), text=told.text("prompt", "user_prompt")),
    "preToolUse": lambda told: CallBegun(**_call(told)),
    "permissionRequest": _asked,
    "postToolUse": _ended,
    "postToolUseFailure": _failed,
    "agentStop": lambda told: Stopped(
        **_of(told),
        text=told.text("lastAssistantMessage", "last_assistant_message"),
        transcript=told.text("transcriptPath", "transcript_path"),
    ),
    "subagentStart": lambda told: AgentStarted(**_agent(told)),
    "subagentStop": lambda told: AgentEnded(
        **_agent(told), text=told.text("lastAssistantMessage", "last_assistant_message")
    ),
    "errorOccurred": _error,
    "preCompact": lambda told: Compacting(**_of(told), trigger=told.text("trigger")),
    "notification": lambda told: Notified(**_of(told), text=told.text("message", "title")),
}
_OLDER = {"stop": "agentStop", "userPromptSubmit": "userPromptSubmitted"}
"""The same events by the names that Claude Code and VS Code give them."""
