"""Reads the hook events of Gemini CLI. It gives no call ids: begin and end are joined by tool, arguments and order."""

import re
from collections.abc import Callable
from typing import Any

from tallystick.capture.clients.events import (
    CallBegun,
    CallEnded,
    Compacting,
    ConversationEnded,
    ConversationStarted,
    IgnoredEvent,
    Notified,
    Observed,
    PermissionAsked,
    Prompted,
    Stopped,
)
from tallystick.capture.clients.payload import NO_RESULT, Payload, as_text, shell_outcome
from tallystick.capture.hook.event import conversation_id, journal_tool_name
from tallystick.core.tools import SHELLS

NOT_RUN_TYPES = ("invalid_tool_params", "tool_not_registered", "policy_violation")
"""Errors before Gemini CLI reaches the tool."""
DENIED_TYPE = "execution_denied"
_HOOK_CONTEXT = re.compile(r"\A(?:\s*<hook_context>.*?</hook_context>\s*)+", re.DOTALL)
"""Output of hooks, our own brief among it, which Gemini CLI puts before the next prompt."""


def read(payload: Payload) -> tuple[Observed, ...]:
    """Read an event; empty if it is unknown."""
    reader = EVENTS.get(payload.event)
    return (reader(payload),) if reader else ()


def _agent_fields(payload: Payload) -> dict[str, Any]:
    return {"conversation": conversation_id("gemini-cli", payload.fields)}


def _call_fields(payload: Payload) -> dict[str, Any]:
    return {**_agent_fields(payload), **payload.call(), "call_id": payload.text("tool_call_id", "tool_use_id")}


def _ended(payload: Payload) -> Observed:
    call, result = _call_fields(payload), payload.value("tool_response", "tool_result")
    return CallEnded(**call, **_outcome(payload, call, result))


def _outcome(payload: Payload, call: dict[str, Any], result: Any) -> dict[str, Any]:
    """The outcome of a call.

    An error has a field of its own, but a command that failed is no error: its exit code is in what the model is shown
    (`llmContent`). A result always has that field, so one without it is neither success nor failure.
    """
    problem = result.get("error") if isinstance(result, dict) else None
    if not problem and call["tool"] in SHELLS:
        return shell_outcome(payload, result)
    if not problem:
        is_shown = isinstance(result, dict) and result.get("llmContent") is not None
        return (
            {"outcome": "ok", "result": result}
            if is_shown
            else {"outcome": "unknown", "error": NO_RESULT, "result": result}
        )
    kind = problem.get("type") if isinstance(problem, dict) else ""
    kind = kind.lower() if isinstance(kind, str) else ""
    error = as_text(problem) or "It failed."
    if "cancel" in kind or "abort" in kind:
        return {"outcome": "unknown", "result": result, "error": error}
    if kind == DENIED_TYPE:
        return {"outcome": "skipped", "result": result, "error": error}
    return {"outcome": "failed", "result": result, "error": error, "without_effect": kind in NOT_RUN_TYPES}


def _compacting(payload: Payload) -> Observed:
    """A compaction that a person asked for. `auto` is sent before every answer of the model, mostly without one."""
    trigger = payload.text("trigger")
    return (
        IgnoredEvent(**_agent_fields(payload))
        if trigger == "auto"
        else Compacting(**_agent_fields(payload), trigger=trigger)
    )


def _notified(payload: Payload) -> Observed:
    text = payload.text("message")
    if payload.text("notification_type") != "ToolPermission":
        return Notified(**_agent_fields(payload), text=text)
    details = payload.part("details")
    tool = details.text("tool_name", "toolName", "name", "rootCommand", "title")
    return PermissionAsked(
        **_agent_fields(payload), tool=journal_tool_name(tool), arguments=dict(details.fields), text=text
    )


EVENTS: dict[str, Callable[[Payload], Observed]] = {
    "SessionStart": lambda payload: ConversationStarted(
        **_agent_fields(payload), source=payload.text("source"), model=payload.text("model")
    ),
    "SessionEnd": lambda payload: ConversationEnded(**_agent_fields(payload), reason=payload.text("reason")),
    "BeforeAgent": lambda payload: Prompted(
        **_agent_fields(payload), text=_HOOK_CONTEXT.sub("", payload.text("prompt"))
    ),
    "AfterAgent": lambda payload: Stopped(**_agent_fields(payload), text=payload.text("prompt_response")),
    "BeforeTool": lambda payload: CallBegun(**_call_fields(payload)),
    "AfterTool": _ended,
    **dict.fromkeys(
        ("BeforeModel", "AfterModel", "BeforeToolSelection"), lambda payload: IgnoredEvent(**_agent_fields(payload))
    ),
    "PreCompress": _compacting,
    "Notification": _notified,
}
