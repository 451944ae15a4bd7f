"""The operations list_owed and list_in_doubt."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from tallystick.core.state import Action, Execution
from tallystick.core.types import Handle, Name, OwedState
from tallystick.core.undo import DUE, OUTSTANDING, UndoItem, is_expired
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import Cursor, Limit, Page, Since, Text, action_filter, check_cursor
from tallystick.operations.runtime.progress import (
    MAX_ROWS,
    DoubtItem,
    OwedItem,
    describe_doubts,
    describe_owed,
    doubts_of,
    owed_of,
)
from tallystick.store.interface import Select, View, WhereValue


class OwedPage(Page, frozen=True, kw_only=True):
    """Actions in the order to undo them. `due` counts those that can still be undone, over all pages."""

    owed: tuple[OwedItem, ...]
    due: int


class DoubtPage(Page, frozen=True, kw_only=True):
    in_doubt: tuple[DoubtItem, ...]


@operation("read", "GET /v1/owed", view="owed", example={"execution_id": "ex_a2v7"})
def list_owed(
    context: OperationContext,
    *,
    execution_id: Annotated[Handle | None, Meta(description="All executions when left out, the newest first")] = None,
    state: OwedState | None = None,
    tool: Name | None = None,
    actor: Name | None = None,
    task_id: Name | None = None,
    plan_id: Handle | None = None,
    since: Since = None,
    until: Since = None,
    text: Text = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> OwedPage:
    """Actions that are done, or may be, and are not undone: in the order to undo them, each with its undo.

    Dependent actions come first. Nothing is undone for you.
    """

    def work(view: View) -> OwedPage:
        check_cursor(view, Action, cursor)
        if execution_id:
            require_row(view, Execution, execution_id, "execution_id")
        last = require_row(view, Action, cursor, "cursor") if cursor else None
        wanted = action_filter(
            view, tool=tool, actor=actor, task_id=task_id, plan_id=plan_id, since=since, until=until, text=text
        )
        found: list[UndoItem] = []
        for id in [execution_id] if execution_id else _executions_that_owe(view, last):
            listed = _owed_after(view, id, last if last and last.execution == id else None)
            found += [item for item in listed if state in (None, item.state) and wanted(item.action)]
            if len(found) > limit:
                break
        shown = found[:limit]
        return OwedPage(
            owed=describe_owed(view, shown),
            due=_count_due(view, execution_id, lambda row: state in (None, row.owed) and wanted(row)),
            next_cursor=shown[-1].action.id if len(found) > limit else "",
        )

    return context.read(work)


@operation("read", "GET /v1/in-doubt", view="in_doubt", example={})
def list_in_doubt(
    context: OperationContext,
    *,
    execution_id: Handle | None = None,
    tool: Name | None = None,
    actor: Name | None = None,
    task_id: Name | None = None,
    plan_id: Handle | None = None,
    since: Since = None,
    until: Since = None,
    text: Text = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> DoubtPage:
    """Actions with an unknown outcome, the oldest first.

    Look at the real system, then record_action phase=end with the outcome and your evidence. Never just repeat one.
    """

    def work(view: View) -> DoubtPage:
        if execution_id:
            require_row(view, Execution, execution_id, "execution_id")
        check_cursor(view, Action, cursor)
        wanted = action_filter(
            view, tool=tool, actor=actor, task_id=task_id, plan_id=plan_id, since=since, until=until, text=text
        )
        found = doubts_of(view, execution_id or "", after=cursor or "", limit=limit + 1, wanted=wanted)
        shown = found[:limit]
        return DoubtPage(in_doubt=describe_doubts(view, shown), next_cursor=shown[-1].id if len(found) > limit else "")

    return context.read(work)


def _executions_that_owe(view: View, last: Action | None) -> list[str]:
    """Return executions that owe something, the newest first, from the one of the last action shown."""
    counts = view.count(Action, "execution", {"owed": OUTSTANDING})
    return sorted((id for id in counts if last is None or id <= last.execution), reverse=True)


def _owed_after(view: View, execution_id: str, last: Action | None) -> list[UndoItem]:
    """Return what an execution owes after the last action shown, which may have been undone meanwhile."""
    execution = view.get(Execution, execution_id)
    owed = owed_of(view, execution, also=last) if execution else []  # the start may be missing from an imported journal
    ends = (index for index, item in enumerate(owed, 1) if last and item.action.id == last.id)
    return owed[next(ends, 0) :]


def _count_due(view: View, execution_id: str | None, wanted: Callable[[Action], bool]) -> int:
    where: dict[str, WhereValue] = {"owed": OUTSTANDING, **({"execution": execution_id} if execution_id else {})}
    rows, now = view.find(Action, Select(where=where, limit=MAX_ROWS)), view.now()
    due = (row for row in rows if row.owed in DUE and not (row.owed == "owed" and is_expired(row, now)))
    return sum(wanted(row) for row in due)
