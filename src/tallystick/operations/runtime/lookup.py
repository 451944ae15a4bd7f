"""Finds the row of a handle, or raises an error that names the handles that exist; and the texts of actions."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, TypeVar

from msgspec import json

from tallystick.core import entries
from tallystick.core.errors import InvalidArgument, UnknownHandle
from tallystick.core.formats import times
from tallystick.core.state import Action, Approval, Execution, Plan, Revision, Row, Session, revision_id
from tallystick.store.interface import Select, View

R = TypeVar("R", bound=Row)

ERASED = "erased"
"""Stands in lists for a text that was erased."""
OPEN_STATUSES = ("running", "paused", "blocked", "unwinding")
"""The statuses of an execution that has not ended."""
MAX_HANDLES_SHOWN = 5
_TABLES: dict[str, type[Row]] = {
    entries.PLAN: Plan,
    entries.EXECUTION: Execution,
    entries.ACTION: Action,
    entries.APPROVAL: Approval,
    entries.SESSION: Session,
}
"""The table of a handle, by the prefix of the handle."""
_NOUNS: dict[type[Row], str] = {
    Plan: "plan",
    Execution: "execution",
    Action: "action",
    Approval: "approval",
    Session: "session",
}
_LIST_OPERATIONS: dict[type[Row], str] = {
    Plan: "list_plans",
    Execution: "list_executions",
    Action: "read_entries",
    Approval: "list_approvals",
}


def require_row(view: View, table: type[R], id: str, field: str) -> R:
    """The row of a handle, or UnknownHandle with up to five handles that exist, the newest first."""
    row = view.get(table, id)
    if row is not None:
        return row
    noun = _NOUNS[table]
    exist = [row.id for row in view.find(table, Select(limit=MAX_HANDLES_SHOWN))]
    hint = f"The newest are: {', '.join(exist)}." if exist else f"There is no {noun} in this journal yet."
    error = UnknownHandle(f'There is no {noun} "{id}".', hint=hint, field=field, allowed=exist)
    error.next_call = (_LIST_OPERATIONS[table], {}) if table in _LIST_OPERATIONS else None
    raise error


def erased_among(view: View, seqs: Iterable[int]) -> set[int]:
    """The entries whose bodies were erased."""
    wanted = set(seqs) - {0}
    missing = wanted.difference(view.bodies(wanted))
    missing = missing.difference(view.altered_bodies(missing)) if missing else missing
    return {seq for seq in missing if (entry := view.entry(seq)) is not None and entry.commitment}


def check_handle_exists(view: View, id: str, field: str) -> None:
    """Raise UnknownHandle if a handle names nothing; its prefix says in which table it should be."""
    table = next((table for prefix, table in _TABLES.items() if id.startswith(f"{prefix}_")), None)
    if table is not None:
        require_row(view, table, id, field)


class ActionTexts:
    """The bodies of some actions: of their begins, their ends, and the plan revisions that they pinned."""

    def __init__(self, view: View, actions: Iterable[Action]) -> None:
        self._view = view
        self._revisions: dict[str, Revision | None] = {}
        wanted: set[int] = set()
        for action in actions:
            wanted.update({action.seq, action.end_seq, *action.earlier_ends})
            pinned = self._revision(action)
            if pinned:
                wanted.add(pinned.seq)
        self._bodies: dict[int, dict[str, Any]] = {
            seq: json.decode(body) for seq, body in view.bodies(wanted - {0}).items()
        }
        self._erased = erased_among(view, wanted) if len(self._bodies) < len(wanted - {0}) else set()

    def begun(self, action: Action) -> dict[str, Any]:
        return self._bodies.get(action.seq, {})

    def begun_at(self, action: Action) -> int:
        """When it began: for observed actions, when that was seen."""
        seen_at = self.begun(action).get("seen_at", "") if action.witness == "observed" else ""
        return time_seen(seen_at, action.at)

    def summary(self, action: Action, title: str = "") -> str:
        """What was said of it: at its begin, else the title of its step, else at its end."""
        said = self.begun(action).get("summary") or title or self._bodies.get(action.end_seq, {}).get("summary", "")
        return said or (ERASED if self.erased(action) else "")

    def result(self, action: Action) -> Any:
        """The newest result that was recorded for it, maybe by an earlier end."""
        ends = (self._bodies.get(seq, {}) for seq in (action.end_seq, *reversed(action.earlier_ends)))
        return next((body["result"] for body in ends if "result" in body), None)

    def step(self, action: Action) -> dict[str, Any]:
        """The step in the revision that the action pinned when it began."""
        pinned = self._revision(action) if action.step else None
        steps = self._bodies.get(pinned.seq, {}).get("steps", []) if pinned else []
        return next((step for step in steps if step["id"] == action.step), {})

    def is_altered(self, action: Action) -> bool:
        """Whether the text of its begin, or of its step, is not what the entry commits to."""
        pinned = self._revision(action)
        return bool(self._view.altered_bodies({action.seq, *((pinned.seq,) if pinned else ())}))

    def erased(self, action: Action) -> bool:
        return action.seq in self._erased

    def _revision(self, action: Action) -> Revision | None:
        if not action.plan_id:
            return None
        id = revision_id(action.plan_id, action.revision)
        if id not in self._revisions:
            self._revisions[id] = self._view.get(Revision, id)
        return self._revisions[id]


def time_seen(seen_at: str, recorded: int) -> int:
    """When something was seen that was recorded later, as an observer says; never after it was recorded."""
    if seen_at:
        with suppress(InvalidArgument):
            return min(times.parse_time(seen_at, "seen_at"), recorded)
    return recorded
