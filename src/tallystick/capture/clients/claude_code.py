"""Claude Code: the hooks of 2.1 by the typings of the Agent SDK, and the names that older documents use."""

import re
from collections.abc import Callable
from typing import Any

from tallystick.capture.clients import payload
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
from tallystick.capture.clients.payload import NO_RESULT, TASK_ACCEPTED, Payload, as_text, is_task
from tallystick.capture.hook.event import conversation_id

# ----------------------------------------------------------------------------------------------------------------------
# How Claude Code tells that what a call has left running in the background is over: in a prompt that it writes itself.
#
# A person may quote such a text, and a tool may print it. So it is one only if it is the whole prompt, and it has
# Claude
# Code's own form up to the status; the summary behind that holds words of the agent's. It names two ids, that of the
# call
# and that which Claude Code gave to what went on: whoever takes it for an end holds both against what was recorded.
# Source: Claude Code 2.1.197.

_FORM = re.compile(
    r"<task-notification>\n<task-id>(?P<task>[\w-]{1,100})</task-id>\n<tool-use-id>(?P<call_id>[^<>\n]{1,200})</tool-use-id>\n"
    r"(?:<output-file>[^<>\n]*</output-file>\n)?<status>(?P<status>[a-z_]{1,30})</status>\n"
    r"<summary>(?P<summary>.+)</summary>\n(?:<.*>\n)?</task-notification>",
    re.DOTALL,
)
COMMAND = "Background command "
ENDED_WELL = " completed (exit code 0)"


def read_notification(text: str) -> dict[str, Any] | None:
    """What a notification says: its ids and what came of the call; None where a text is none. Of a command, only an
    exit code of 0 is `ok`; what was killed has done nobody knows how much."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        return None
    summary = found["summary"]
    told = {"call_id": found["call_id"], "task": found["task"]}
    if found["status"] == "completed" and (summary.endswith(ENDED_WELL) or not summary.startswith(COMMAND)):
        return {**told, "outcome": "ok", "result": summary}
    return {**told, "outcome": "failed" if found["status"] == "failed" else "unknown", "error": summary}


# ----------------------------------------------------------------------------------------------------------------------
# How Claude Code refuses a call: it tells nobody but the model, in words of its own.
#
# Such a text stands in the batch where a call's result would. It counts only for a call of which no end was told, since
# a
# tool that ran is told under an event of its own; and only if the whole text has one of these forms, about this tool,
# since a tool may print such words too.
# Sources: Claude Code 2.1.197, run without permissions, and what it holds of these sentences.

_FORMS = (
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


def is_refusal(text: str, tool: str) -> bool:
    """Whether a text that the model was shown in place of a result says that the call was not let happen."""
    forms = "|".join(_FORMS).replace("{tool}", re.escape(tool))
    return re.fullmatch(forms, text.strip(), re.DOTALL) is not None


# ----------------------------------------------------------------------------------------------------------------------

NEVER_RAN = "<tool_use_error>"
"""How Claude Code marks a call that was refused before the tool was reached."""
RUNS_ON = ("backgroundTaskId", "timedOutAfterMs", "backgroundedByUser")
"""What a command's result holds that went on in the background: as asked, when its time was over, or by the user."""
LAUNCHED = ("async_launched", "remote_launched")
"""The status of an agent, or a workflow, that was started and not waited for."""
FAILED = ("Error", "Exit code", "MCP error", "Failed")


def read(told: Payload) -> tuple[Observed, ...]:
    found = EVENTS.get(told.event)
    return (found(told), *_tasks(told)) if found else ()


def of(told: Payload) -> dict[str, Any]:
    """Whose event it is."""
    return {"conversation": conversation_id("claude-code", told.fields), "agent": told.text("agent_id")}


def call(told: Payload) -> dict[str, Any]:
    """Which call an event is about."""
    return {**of(told), **told.call(), "call_id": told.text("tool_use_id")}


def came(result: Any) -> dict[str, Any]:
    """What came of a call, by what its result says of itself. Where there is none, nothing was seen."""
    if result is None:
        return {"outcome": "unknown", "error": NO_RESULT}
    if isinstance(result, dict):
        if result.get("interrupted") is True:
            return {"outcome": "unknown", "result": result, "error": "It was interrupted."}
        if any(result.get(name) for name in RUNS_ON) or result.get("status") in LAUNCHED:
            return {"outcome": "unknown", "result": result, "error": payload.STILL_RUNNING}
        if is_task(result):
            return {"outcome": "unknown", "result": result, "error": TASK_ACCEPTED}
        if result.get("isError") is True or result.get("is_error") is True or result.get("success") is False:
            return {"outcome": "failed", "result": result, "error": as_text(result)}
    text = as_text(result) if isinstance(result, str | list) else ""
    if text.lstrip().startswith(NEVER_RAN):
        return {"outcome": "failed", "result": result, "error": text, "without_effect": True}
    return {"outcome": "ok", "result": result}


def _ended(told: Payload) -> Observed:
    result = told.value("tool_response", "tool_result")
    return CallEnded(**call(told), **came(result), duration=told.seconds("duration_ms"))


def _failed(told: Payload) -> Observed:
    error = as_text(told.value("error", "reason", "tool_response", "tool_result"))
    interrupt = told.flag("is_interrupt")
    return CallEnded(
        **call(told),
        outcome="unknown" if interrupt else "failed",
        error=error or ("It was interrupted." if interrupt else ""),
        without_effect=not interrupt and error.lstrip().startswith(NEVER_RAN),
        duration=told.seconds("duration_ms"),
    )


def _tasks(told: Payload) -> tuple[Observed, ...]:
    """What went on in the background and is over, by a prompt that Claude Code wrote."""
    said = read_notification(_prompt(told)) if told.event == "UserPromptSubmit" else None
    return (TaskEnded(**of(told), **said),) if said else ()


def _prompted(told: Payload) -> Observed:
    by_client = read_notification(_prompt(told)) is not None
    return Prompted(**of(told), text=_prompt(told), transcript=told.text("transcript_path"), by_client=by_client)


def _prompt(told: Payload) -> str:
    return told.text("prompt", "user_prompt")


def _batch(told: Payload) -> Observed:
    return CallBatch(**of(told), calls=tuple(_of_batch(told, each) for each in told.parts("tool_calls")))


def _of_batch(told: Payload, each: Payload) -> CallEnded:
    whose = {**call(each), **of(told)}
    result = each.value("tool_response", "tool_result")
    if result is None:
        return CallEnded(**whose, outcome="unknown", error="The batch that it was part of names no result.")
    if isinstance(result, str | list) and not (text := as_text(result).lstrip()).startswith(NEVER_RAN):
        return CallEnded(**whose, **_shown(text, whose["tool"]))
    return CallEnded(**whose, **came(result))


def _shown(text: str, tool: str) -> dict[str, Any]:
    """What the model was shown of a call that nothing else closed. Only what is known to be one is an outcome."""
    if is_refusal(text, tool):
        return {"outcome": "skipped", "result": text, "error": text}
    if text.startswith(FAILED):
        return {"outcome": "failed", "result": text, "error": text}
    return {"outcome": "unknown", "result": text, "error": "No end of it was seen but what the model was shown."}


def _stopped(told: Payload) -> Observed:
    return Stopped(
        **of(told),
        text=told.text("last_assistant_message"),
        error=as_text(told.value("error", "error_details")),
        transcript=told.text("transcript_path"),
    )


def _agent_ended(told: Payload) -> Observed:
    return AgentEnded(
        **of(told),
        kind=told.text("agent_type"),
        text=told.text("last_assistant_message"),
        transcript=told.text("agent_transcript_path"),
    )


EVENTS: dict[str, Callable[[Payload], Observed]] = {
    "SessionStart": lambda told: ConversationStarted(**of(told), source=told.text("source"), model=told.text("model")),
    "SessionEnd": lambda told: ConversationEnded(
        **of(told), reason=told.text("reason"), transcript=told.text("transcript_path")
    ),
    "UserPromptSubmit": _prompted,
    "PreToolUse": lambda told: CallBegun(**call(told)),
    "PostToolUse": _ended,
    "PostToolUseFailure": _failed,
    "PostToolBatch": _batch,
    "PermissionRequest": lambda told: PermissionAsked(**call(told), text=told.text("message", "reason")),
    "PermissionDenied": lambda told: CallDenied(**call(told), reason=told.text("reason", "message")),
    "SubagentStart": lambda told: AgentStarted(**of(told), kind=told.text("agent_type")),
    "SubagentStop": _agent_ended,
    "PreCompact": lambda told: Compacting(**of(told), trigger=told.text("trigger")),
    "PostCompact": lambda told: Compacted(
        **of(told), trigger=told.text("trigger"), summary=told.text("compact_summary", "summary")
    ),
    "Stop": _stopped,
    "StopFailure": _stopped,
    "Notification": lambda told: Notified(**of(told), text=told.text("message", "title")),
}
