"""Gemini CLI. It gives no id of a call: begin and end are joined by tool, arguments and order."""

import re
from collections.abc import Callable
from typing import Any

from tallystick.capture.clients import payload
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
from tallystick.capture.clients.payload import NO_RESULT, Payload, as_text
from tallystick.capture.hook.event import conversation_id, journal_tool_name
from tallystick.core.tools import SHELLS

NEVER_RAN = ("invalid_tool_params", "tool_not_registered", "policy_violation")
"""Errors that Gemini CLI raises before it reaches the tool."""
DENIED = "execution_denied"
_UNSEEN = {"outcome": "unknown", "error": NO_RESULT}
_OF_HOOKS = re.compile(r"\A(?:\s*<hook_context>.*?</hook_context>\s*)+", re.DOTALL)
"""What hooks have said, which Gemini CLI puts before the next prompt: our own brief among it."""


def read(told: Payload) -> tuple[Observed, ...]:
    found = EVENTS.get(told.event)
    return (found(told),) if found else ()


def _of(told: Payload) -> dict[str, Any]:
    return {"conversation": conversation_id("gemini-cli", told.fields)}


def _call(told: Payload) -> dict[str, Any]:
    return {**_of(told), **told.call(), "call_id": told.text("tool_call_id", "tool_use_id")}


def _ended(told: Payload) -> Observed:
    call, result = _call(told), told.value("tool_response", "tool_result")
    return CallEnded(**call, **_came(told, call, result))


def _came(told: Payload, call: dict[str, Any], result: Any) -> dict[str, Any]:
    """An error is told as such, but a command that failed is none: that stands in what the model is shown. Nothing else
    tells success from failure, so a result without what the model is shown, which is always there, tells neither."""
    problem = result.get("error") if isinstance(result, dict) else None
    if not problem and call["tool"] in SHELLS:
        return payload.shell_outcome(told, result)
    if not problem:
        seen = isinstance(result, dict) and result.get("llmContent") is not None
        return {"outcome": "ok", "result": result} if seen else {**_UNSEEN, "result": result}
    kind = problem.get("type") if isinstance(problem, dict) else ""
    kind = kind.lower() if isinstance(kind, str) else ""
    error = as_text(problem) or "It failed."
    if "cancel" in kind or "abort" in kind:
        return {"outcome": "unknown", "result": result, "error": error}
    if kind == DENIED:
        return {"outcome": "skipped", "result": result, "error": error}
    return {"outcome": "failed", "result": result, "error": error, "without_effect": kind in NEVER_RAN}


def _compacting(told: Payload) -> Observed:
    """It is told before every answer of the model, when mostly nothing is compacted, or when a person asks."""
    trigger = told.text("trigger")
    return IgnoredEvent(**_of(told)) if trigger == "auto" else Compacting(**_of(told), trigger=trigger)


def _notified(told: Payload) -> Observed:
    text = told.text("message")
    if told.text("notification_type") != "ToolPermission":
        return Notified(**_of(told), text=text)
    details = told.part("details")
    tool = details.text("tool_name", "toolName", "name", "rootCommand", "title")
    return PermissionAsked(**_of(told), tool=journal_tool_name(tool), arguments=dict(details.fields), text=text)


EVENTS: dict[str, Callable[[Payload], Observed]] = {
    "SessionStart": lambda told: ConversationStarted(**_of(told), source=told.text("source"), model=told.text("model")),
    "SessionEnd": lambda told: ConversationEnded(**_of(told), reason=told.text("reason")),
    "BeforeAgent": lambda told: Prompted(**_of(told), text=_OF_HOOKS.sub("", told.text("prompt"))),
    "AfterAgent": lambda told: Stopped(**_of(told), text=told.text("prompt_response")),
    "BeforeTool": lambda told: CallBegun(**_call(told)),
    "AfterTool": _ended,
    **dict.fromkeys(("BeforeModel", "AfterModel", "BeforeToolSelection"), lambda told: IgnoredEvent(**_of(told))),
    "PreCompress": _compacting,
    "Notification": _notified,
}
