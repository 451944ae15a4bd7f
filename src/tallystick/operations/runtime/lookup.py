"""Finds the row of a handle, or raises an error that names the handles that exist."""

from collections.abc import Iterable
from typing import TypeVar

from tallystick.core import entries
from tallystick.core.errors import UnknownHandle
from tallystick.core.state import Action, Approval, Execution, Plan, Row, Session
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
