"""Reads the hook events of Claude Code 2.1, by the Agent SDK's types, and the event names of older documents."""

import re
from collections.abc import Callable
from typing import Any

from tallystick.capture.clients.events import (
    AgentEnded,
    AgentStarted,
    CallBatch,
    CallBegun,
    CallDenied,
    CallEnded,
    Compacted,
    Compacting,
    ConversationEnded,
    ConversationStarted,
    Notified,
    Observed,
    PermissionAsked,
    Prompted,
    Stopped,
    TaskEnded,
)
from tallystick.capture.clients.payload import NO_RESULT, STILL_RUNNING, TASK_ACCEPTED, Payload, as_text, is_task
from tallystick.capture.hook.event import conversation_id

_NOTIFICATION = re.compile(
    r"<task-notification>\n<task-id>(?P<task>[\w-]{1,100})</task-id>\n<tool-use-id>(?P<call_id>[^<>\n]{1,200})</tool-use-id>\n"
    r"(?:<output-file>[^<>\n]*</output-file>\n)?<status>(?P<status>[a-z_]{1,30})</status>\n"
    r"<summary>(?P<summary>.+)</summary>\n(?:<.*>\n)?</task-notification>",
    re.DOTALL,
)
"""How Claude Code 2.1.197 reports the end of a background task, in a prompt that it writes itself. A person may quote
such a text and a tool may print it, so it must be the whole prompt, in this form up to the status. The summary holds
words of the agent's. Both ids, of the call and of the task, are compared with what was recorded."""
_CLIENT_SOURCES = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")
"""The sources of prompts that no person wrote."""
_COMMAND_PREFIX = "Background command "
_EXIT_0_SUFFIX = " completed (exit code 0)"
_REFUSALS = (
    r"The user doesn't want to .+",
    r"Permission denied(?: by (?:PermissionRequest )?hook| for {tool}: .+)?",
    r"Permission to use {tool}(?: with command .+)? has been denied\.",
    r"Permission to use {tool} has been denied because Claude Code is running in don't ask mode\..*",
    r"Permission to (?:edit|read) .+ has been denied\.",
    r"Claude requested permissions to (?:use {tool}|(?:write to|edit|read from) .+), but you haven't granted it yet\.",
    r"Claude requested permissions to edit .+ which is a sensitive file\.",
    r"(?:\S+ in|Output redirection to) '.+' was blocked\. For security, Claude Code may only .+"
    r" the allowed working directories for this session: .+\.",
    r"This command requires approval",
    r"This {tool} command contains multiple operations\. The following parts? requires? approval: .+",
)
"""How Claude Code refuses a call: it informs only the model, by a text in place of the call's result in the batch. The
text counts only for a call without an end of its own, since a tool that ran has its own event. It must have one of
these forms as a whole, about this tool, since a tool may print such words too. Sources: Claude Code 2.1.197, run
without permissions, and its own sentences."""
NOT_RUN_PREFIX = "<tool_use_error>"
"""How Claude Code marks a call that was refused before the tool was reached."""
BACKGROUND_FIELDS = ("backgroundTaskId", "timedOutAfterMs", "backgroundedByUser")
"""In the result of a command that went on in the background: on request, after its timeout, or by the user."""
LAUNCHED_STATUSES = ("async_launched", "remote_launched")
"""The status of an agent or workflow that was started and not waited for."""
FAILED_PREFIXES = ("Error", "Exit code", "MCP error", "Failed")


def read_notification(text: str) -> dict[str, Any] | None:
    """The ids and the outcome in a notification; None if the text is none.

    A command is `ok` only with exit code 0. A killed one is `unknown`: how much it did is not known.
    """
    found = _NOTIFICATION.fullmatch(text.strip())
    if found is None:
        return None
    summary = found["summary"]
    ids = {"call_id": found["call_id"], "task": found["task"]}
    if found["status"] == "completed" and (summary.endswith(_EXIT_0_SUFFIX) or not summary.startswith(_COMMAND_PREFIX)):
        return {**ids, "outcome": "ok", "result": summary}
    return {**ids, "outcome": "failed" if found["status"] == "failed" else "unknown", "error": summary}


def is_refusal(text: str, tool: str) -> bool:
    """Whether the text that the model was shown in place of a result says that the call was refused."""
    forms = "|".join(_REFUSALS).replace("{tool}", re.escape(tool))
    return re.fullmatch(forms, text.strip(), re.DOTALL) is not None


def read(payload: Payload) -> tuple[Observed, ...]:
    """Read an event; empty if it is unknown."""
    reader = EVENTS.get(payload.event)
    return (reader(payload), *_ended_tasks(payload)) if reader else ()


def agent_fields(payload: Payload) -> dict[str, Any]:
    """The conversation and the sub-agent that an event is about."""
    return {"conversation": conversation_id("claude-code", payload.fields), "agent": payload.text("agent_id")}


def call_fields(payload: Payload) -> dict[str, Any]:
    """The call that an event is about."""
    return {**agent_fields(payload), **payload.call(), "call_id": payload.text("tool_use_id")}


def result_outcome(result: Any) -> dict[str, Any]:
    """The outcome of a call, by what its result says of itself; without a result it is `unknown`."""
    if result is None:
        return {"outcome": "unknown", "error": NO_RESULT}
    if isinstance(result, dict):
        if result.get("interrupted") is True:
            return {"outcome": "unknown", "result": result, "error": "It was interrupted."}
        if any(result.get(name) for name in BACKGROUND_FIELDS) or result.get("status") in LAUNCHED_STATUSES:
            return {"outcome": "unknown", "result": result, "error": STILL_RUNNING}
        if is_task(result):
            return {"outcome": "unknown", "result": result, "error": TASK_ACCEPTED}
        if result.get("isError") is True or result.get("is_error") is True or result.get("success") is False:
            return {"outcome": "failed", "result": result, "error": as_text(result)}
    text = as_text(result) if isinstance(result, str | list) else ""
    if text.lstrip().startswith(NOT_RUN_PREFIX):
        return {"outcome": "failed", "result": result, "error": text, "without_effect": True}
    return {"outcome": "ok", "result": result}


def _ended(payload: Payload) -> Observed:
    result = payload.value("tool_response", "tool_result")
    return CallEnded(**call_fields(payload), **result_outcome(result), duration=payload.seconds("duration_ms"))


def _failed(payload: Payload) -> Observed:
    error = as_text(payload.value("error", "reason", "tool_response", "tool_result"))
    interrupt = payload.flag("is_interrupt")
    return CallEnded(
        **call_fields(payload),
        outcome="unknown" if interrupt else "failed",
        error=error or ("It was interrupted." if interrupt else ""),
        without_effect=not interrupt and error.lstrip().startswith(NOT_RUN_PREFIX),
        duration=payload.seconds("duration_ms"),
    )


def _ended_tasks(payload: Payload) -> tuple[Observed, ...]:
    """The background task that is over, by a prompt that Claude Code wrote."""
    end = read_notification(_prompt(payload)) if payload.event == "UserPromptSubmit" else None
    return (TaskEnded(**agent_fields(payload), **end),) if end else ()


def _prompted(payload: Payload) -> Observed:
    by_client = payload.text("source") in _CLIENT_SOURCES or read_notification(_prompt(payload)) is not None
    return Prompted(
        **agent_fields(payload), text=_prompt(payload), transcript=payload.text("transcript_path"), by_client=by_client
    )


def _prompt(payload: Payload) -> str:
    return payload.text("prompt", "user_prompt")


def _batch(payload: Payload) -> Observed:
    calls = tuple(_batch_call(payload, call) for call in payload.parts("tool_calls"))
    return CallBatch(**agent_fields(payload), calls=calls)


def _batch_call(payload: Payload, call: Payload) -> CallEnded:
    fields = {**call_fields(call), **agent_fields(payload)}
    result = call.value("tool_response", "tool_result")
    if result is None:
        return CallEnded(**fields, outcome="unknown", error="The batch that it was part of names no result.")
    if isinstance(result, str | list) and not (text := as_text(result).lstrip()).startswith(NOT_RUN_PREFIX):
        return CallEnded(**fields, **_shown_outcome(text, fields["tool"]))
    return CallEnded(**fields, **result_outcome(result))


def _shown_outcome(text: str, tool: str) -> dict[str, Any]:
    """The outcome in what the model was shown; `unknown` unless the text has a known form."""
    if is_refusal(text, tool):
        return {"outcome": "skipped", "result": text, "error": text}
    if text.startswith(FAILED_PREFIXES):
        return {"outcome": "failed", "result": text, "error": text}
    return {"outcome": "unknown", "result": text, "error": "No end of it was seen but what the model was shown."}


def _stopped(payload: Payload) -> Observed:
    return Stopped(
        **agent_fields(payload),
        text=payload.text("last_assistant_message"),
        error=as_text(payload.value("error", "error_details")),
        transcript=payload.text("transcript_path"),
    )


def _agent_ended(payload: Payload) -> Observed:
    return AgentEnded(
        **agent_fields(payload),
        kind=payload.text("agent_type"),
        text=payload.text("last_assistant_message"),
        transcript=payload.text("agent_transcript_path"),
    )


EVENTS: dict[str, Callable[[Payload], Observed]] = {
    "SessionStart": lambda payload: ConversationStarted(
        **agent_fields(payload), source=payload.text("source"), model=payload.text("model")
    ),
    "SessionEnd": lambda payload: ConversationEnded(
        **agent_fields(payload), reason=payload.text("reason"), transcript=payload.text("transcript_path")
    ),
    "UserPromptSubmit": _prompted,
    "PreToolUse": lambda payload: CallBegun(**call_fields(payload)),
    "PostToolUse": _ended,
    "PostToolUseFailure": _failed,
    "PostToolBatch": _batch,
    "PermissionRequest": lambda payload: PermissionAsked(
        **call_fields(payload), text=payload.text("message", "reason")
    ),
    "PermissionDenied": lambda payload: CallDenied(**call_fields(payload), reason=payload.text("reason", "message")),
    "SubagentStart": lambda payload: AgentStarted(**agent_fields(payload), kind=payload.text("agent_type")),
    "SubagentStop": _agent_ended,
    "PreCompact": lambda payload: Compacting(**agent_fields(payload), trigger=payload.text("trigger")),
    "PostCompact": lambda payload: Compacted(
        **agent_fields(payload), trigger=payload.text("trigger"), summary=payload.text("compact_summary", "summary")
    ),
    "Stop": _stopped,
    "StopFailure": _stopped,
    "Notification": lambda payload: Notified(**agent_fields(payload), text=payload.text("message", "title")),
}
