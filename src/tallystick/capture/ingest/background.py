"""Calls that have left something running in the background: which they are, and what a transcript tells of its end.

Claude Code tells the end in a prompt of its own when the agent is idle. When it works, only the model is told: then the
transcript has it, in a line that is marked as no person's. The marks stand beside the text, where no text can be.
"""

from collections.abc import Collection
from typing import Any

from msgspec import json

from tallystick.capture.clients import claude_code
from tallystick.capture.ingest import matching, transcripts
from tallystick.core.formats.fast_json import parse
from tallystick.core.state import Action
from tallystick.operations.runtime.correlation import action_of_call
from tallystick.operations.runtime.session_lifecycle import UNSETTLED
from tallystick.store.interface import Select, View, WhereValue

MARK = "task-notification"
_IDS = ("backgroundTaskId", "agentId", "taskId")
"""Where a result of Claude Code's has its id of what goes on: a command, an agent, a workflow."""


def find_background_call(view: View, session: str, call_id: str, task: str) -> Action | None:
    """The call of a conversation that was recorded as having left this running, and of which nobody has said more."""
    found = action_of_call(view, call_id)
    known = matching.action_by_id(view, call_id, session, found.tool) if found else None
    return known if known is not None and task and background_task(view, known) == task else None


def background_task(view: View, action: Action) -> str:
    """The client's id of what a call has left running; empty where it has left nothing, or somebody has settled it."""
    body = view.bodies([action.end_seq]).get(action.end_seq) if action.state == "unknown" else None
    result = json.decode(body).get("result") if body else None
    return task_in_result(result) if isinstance(result, dict) else ""


def task_in_result(result: dict[str, Any]) -> str:
    """The client's id of what goes on, as a result names it; empty where it names none."""
    return next((id for id in map(result.get, _IDS) if isinstance(id, str)), "")


def interrupted_subagent_calls(view: View, session: str, agent: str) -> list[Action]:
    """The open calls of sub-agents that an agent has waited for and waits for no more: those that go on in the
    background were left running by a call."""
    where: dict[str, WhereValue] = {"state": UNSETTLED, "session": session}
    rows = view.find(Action, Select(where=where, newest_first=False, limit=matching.MANY))
    theirs = [row for row in rows if row.state == "open" and row.actor != agent]
    behind = {background_task(view, row) for row in rows} if theirs else set()
    return [row for row in theirs if row.actor not in behind]


def read_outcomes(path: str, ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """What the transcript says of these calls. What is not found, or not final, is left out."""
    found: dict[str, dict[str, Any]] = {}
    for line in transcripts.matching_lines(path, (MARK.encode(),)) if ids else ():
        told = claude_code.read_notification(_written_by_client(line)) or {"outcome": "unknown"}
        if told["outcome"] != "unknown" and told["call_id"] in ids:
            found[told["call_id"]] = {name: told[name] for name in ("outcome", "result", "error") if name in told}
    return found


def _written_by_client(line: str) -> str:
    """The text of a notification that was queued while the agent worked, or that was its prompt."""
    try:
        entry = parse(line)
    except (ValueError, RecursionError):
        return ""
    queued, origin, message = (_part(entry, name) for name in ("attachment", "origin", "message"))
    text = queued.get("prompt") if queued.get("commandMode") == MARK else None
    if origin.get("kind") == MARK:
        text = message.get("content")
    return text if isinstance(text, str) else ""


def _part(entry: Any, name: str) -> dict[str, Any]:
    part = entry.get(name) if isinstance(entry, dict) else None
    return part if isinstance(part, dict) else {}
