"""Calls that left something running in the background: finds them, and reads their end from Claude Code's transcript.

Claude Code reports the end in a prompt of its own when the agent is idle. While the agent works, only the model
gets it, and the transcript has it in a line that is marked as not written by a person. The mark is a field beside
the text, so no text can forge it.
"""

from collections.abc import Collection
from typing import Any

from msgspec import json

from tallystick.capture.clients import claude_code
from tallystick.capture.ingest import transcripts
from tallystick.core.formats.fast_json import parse
from tallystick.core.state import UNSETTLED, Action
from tallystick.operations.runtime.correlation import MAX_UNSETTLED_SCANNED, action_by_id, action_of_call
from tallystick.store.interface import Select, View, WhereValue

NOTIFICATION_MARK = "task-notification"
_TASK_ID_FIELDS = ("backgroundTaskId", "agentId", "taskId")
"""Fields of a Claude Code result with its id of what goes on: a command, an agent, a workflow."""


def find_background_call(view: View, session: str, call_id: str, task: str) -> Action | None:
    """The unsettled call of a conversation that was recorded as having left this task running."""
    found = action_of_call(view, call_id)
    known = action_by_id(view, call_id, session, found.tool) if found else None
    return known if known is not None and task and background_task(view, known) == task else None


def background_task(view: View, action: Action) -> str:
    """The client's id of what a call left running; empty if it left nothing or its outcome is known by now."""
    body = view.bodies([action.end_seq]).get(action.end_seq) if action.state == "unknown" else None
    result = json.decode(body).get("result") if body else None
    return task_in_result(result) if isinstance(result, dict) else ""


def task_in_result(result: dict[str, Any]) -> str:
    """The client's id of the background task that a result names; empty if it names none."""
    return next((id for id in map(result.get, _TASK_ID_FIELDS) if isinstance(id, str)), "")


def interrupted_subagent_calls(view: View, session: str, agent: str) -> list[Action]:
    """The open calls of sub-agents that an agent no longer waits for.

    Sub-agents that go on in the background are left out: a call of the agent's is recorded as having left them running.
    """
    where: dict[str, WhereValue] = {"state": UNSETTLED, "session": session}
    actions = view.find(Action, Select(where=where, newest_first=False, limit=MAX_UNSETTLED_SCANNED))
    theirs = [action for action in actions if action.state == "open" and action.actor != agent]
    in_background = {background_task(view, action) for action in actions} if theirs else set()
    return [action for action in theirs if action.actor not in in_background]


def read_outcomes(path: str, ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """The final outcomes that a transcript gives for these calls, by call id."""
    found: dict[str, dict[str, Any]] = {}
    for line in transcripts.matching_lines(path, (NOTIFICATION_MARK.encode(),)) if ids else ():
        end = claude_code.read_notification(_notification_text(line)) or {"outcome": "unknown"}
        if end["outcome"] != "unknown" and end["call_id"] in ids:
            found[end["call_id"]] = {name: end[name] for name in ("outcome", "result", "error") if name in end}
    return found


def _notification_text(line: str) -> str:
    """The text of a notification that was queued while the agent worked, or that was its prompt."""
    try:
        entry = parse(line)
    except (ValueError, RecursionError):
        return ""
    queued, origin, message = (_object_field(entry, name) for name in ("attachment", "origin", "message"))
    text = queued.get("prompt") if queued.get("commandMode") == NOTIFICATION_MARK else None
    if origin.get("kind") == NOTIFICATION_MARK:
        text = message.get("content")
    return text if isinstance(text, str) else ""


def _object_field(entry: Any, name: str) -> dict[str, Any]:
    value = entry.get(name) if isinstance(entry, dict) else None
    return value if isinstance(value, dict) else {}
