"""The operations list_owed and list_in_doubt."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Annotated

from msgspec import Meta

from tallystick.core.state import Action, Execution
from tallystick.core.types import DUE, OUTSTANDING, Handle, Name, OwedState
from tallystick.core.undo import UndoItem, is_expired
from tallystick.operations.runtime import paging
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import Cursor, Limit, Page, Since, Text, action_filter, check_cursor
from tallystick.operations.runtime.progress import (
    DoubtItem,
    OwedItem,
    describe_doubts,
    describe_owed,
    owed_of,
    unsettled_actions,
)
from tallystick.store.interface import Select, View, WhereValue

MAX_COUNTED = 1000
"""Executions, or actions that have to be looked at, from which `due` is counted: then it says `more_due`."""


class OwedPage(Page, frozen=True, kw_only=True):
    """Actions in the order to undo them. `due` counts those that can still be undone, over all pages: with `more_due`,
    there are more than that."""

    owed: tuple[OwedItem, ...]
    due: int
    more_due: bool = False


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
        wanted = action_filter(
            view, tool=tool, actor=actor, task_id=task_id, plan_id=plan_id, since=since, until=until, text=text
        )
        narrowed = any(each is not None for each in (state, tool, actor, task_id, plan_id, since, until, text))
        scope = _Scope(view, execution_id, task_id, plan_id)
        found: list[UndoItem] = []
        next_cursor = ""
        for looked, (place, item) in enumerate(scope.items(cursor or ""), 1):
            if item and state in (None, item.state) and wanted(item.action):
                if len(found) == limit:
                    next_cursor = found[-1].action.id
                    break
                found.append(item)
            if looked == paging.MAX_ROWS_SCANNED:
                next_cursor = place
                break
        due, more_due = scope.count_filtered(state, wanted) if narrowed else scope.count_due()
        return OwedPage(owed=describe_owed(view, found), due=due, more_due=more_due, next_cursor=next_cursor)

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
        found: list[Action] = []
        next_cursor = ""
        unsettled = unsettled_actions(view, execution_id or "", after=cursor or "")
        for looked, (action, doubtful) in enumerate(unsettled, 1):
            if doubtful and wanted(action):
                if len(found) == limit:
                    next_cursor = found[-1].id
                    break
                found.append(action)
            if looked == paging.MAX_ROWS_SCANNED:
                next_cursor = action.id
                break
        return DoubtPage(in_doubt=describe_doubts(view, found), next_cursor=next_cursor)

    return context.read(work)


class _Scope:
    """The executions whose undo lists are asked for: the one that is named, or those that owe, the newest first."""

    def __init__(self, view: View, execution_id: str | None, task_id: str | None, plan_id: str | None) -> None:
        self._view = view
        self._named = require_row(view, Execution, execution_id, "execution_id") if execution_id else None
        filters = {"task_id": task_id, "plan_id": plan_id}
        self._where: dict[str, WhereValue] = {name: value for name, value in filters.items() if value is not None}

    def items(self, cursor: str) -> Iterator[tuple[str, UndoItem | None]]:
        """Each item and each execution behind the cursor, with the cursor behind it.

        A cursor is an action that was shown, or looked at; or an execution that was looked through.
        """
        last = self._view.get(Action, cursor) if cursor else None
        if cursor and not last:
            check_cursor(self._view, Execution, cursor)
        first = self._view.get(Execution, last.execution) if last else None
        if first and self._named and first.id != self._named.id:
            check_cursor(self._view, Execution, cursor)
        if last and first:
            for item in owed_of(self._view, first, after=last):
                yield item.action.id, item
        for execution in self._executions(first.id if first else cursor):
            if execution.owing != "no":
                for item in owed_of(self._view, execution):
                    yield item.action.id, item
            yield execution.id, None

    def count_due(self) -> tuple[int, bool]:
        """The number of actions to undo still, by the counts of each execution; and whether there is more."""
        due = 0
        for looked, execution in enumerate(self._executions(), 1):
            in_time, left_out = self._count_in_time(execution) if execution.deadlines else (execution.owed, False)
            due += in_time
            if left_out or looked == MAX_COUNTED:
                return due, True
        return due, False

    def count_filtered(self, state: str | None, wanted: Callable[[Action], bool]) -> tuple[int, bool]:
        """Count what can still be undone among the first items; and whether there are further items."""
        looked = list(islice(self.items(""), MAX_COUNTED + 1))
        items = [item for _, item in looked[:MAX_COUNTED] if item and item.state in DUE]
        due = sum(state in (None, item.state) and wanted(item.action) for item in items)
        return due, len(looked) > MAX_COUNTED

    def _executions(self, after: str = "") -> Iterator[Execution]:
        if self._named:
            return iter(() if after else (self._named,))
        where: dict[str, WhereValue] = {**self._where, "owing": ("yes", "rest")}
        return (row for row, _ in paging.look_through(self._view, Execution, Select(where=where, after=after)))

    def _count_in_time(self, execution: Execution) -> tuple[int, bool]:
        """The number of actions to undo still in an execution with deadlines; and whether some were not looked at."""
        where: dict[str, WhereValue] = {"execution": execution.id, "owed": OUTSTANDING}
        rows = self._view.find(Action, Select(where=where, limit=MAX_COUNTED + 1))
        now = self._view.now()
        due = [row for row in rows if row.owed in DUE and not (row.owed == "owed" and is_expired(row, now))]
        return len(due), len(rows) > MAX_COUNTED
