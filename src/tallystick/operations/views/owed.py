"""The operations get_undo_list, list_owed and list_in_doubt."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tallystick.core.state import Action, Execution
from tallystick.core.types import DUE, OUTSTANDING, Handle, Name, UndoState
from tallystick.core.undo import UndoItem, is_expired
from tallystick.operations.attribution.executions import require_execution_to_read
from tallystick.operations.runtime import paging
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import Cursor, Limit, Page, Since, Text, action_filter, check_cursor
from tallystick.operations.runtime.progress import (
    NOT_UNDONE,
    TO_PUT_BACK,
    describe_doubts,
    describe_undo_list,
    interruption,
    newest_owed,
    owed_of,
    undo_counts,
    undo_list_of,
    unsettled_actions,
)
from tallystick.operations.runtime.receipts import DoubtItem, UndoListItem
from tallystick.store.interface import Select, View, WhereValue

MAX_COUNTED = 1000
"""Executions, or actions that have to be looked at, from which `due` is counted: then it says `more_due`."""
MAX_NOTED = 100
"""Executions, and actions of one with deadlines, that are looked at to note in a brief what others owe."""
MAX_ITEMS_NOTED = 50
OwedState = Literal["not_undone", "undoing", "in_doubt", "partly", "failed", "not_possible", "may_be_undo"]


class UndoPage(Page, frozen=True, kw_only=True):
    """The undo list of one execution, from top to bottom in the order to undo it. `counts` by undo state, deadlines
    left aside; `owed` says whether somebody still has to undo it, and `due` how many of it: with `more_due`, more than
    that. `runner_undoes`: the execution, if a runner unwinds it. `revisions`: those of its plan, beside the one that it
    follows, in which actions on this page began: steps depend on others as these say."""

    execution_id: str
    items: tuple[UndoListItem, ...]
    counts: dict[str, int]
    owed: Literal["all", "some", "nothing"]
    due: int = 0
    more_due: bool = False
    runner_undoes: tuple[str, ...] = ()
    revisions: tuple[int, ...] = ()


class OwedPage(Page, frozen=True, kw_only=True):
    """Actions in the order to undo them. `due` counts those that can still be undone, over all pages: with `more_due`,
    there are more than that. `runner_undoes`: the executions on this page that a runner unwinds."""

    owed: tuple[UndoListItem, ...]
    due: int
    more_due: bool = False
    runner_undoes: tuple[str, ...] = ()


class DoubtPage(Page, frozen=True, kw_only=True):
    in_doubt: tuple[DoubtItem, ...]


@operation("read", "GET /v1/executions/{execution_id}/undo-list", view="undo_list", example={"execution_id": "ex_a2v7"})
def get_undo_list(
    context: OperationContext,
    *,
    execution_id: Annotated[Handle | None, Meta(description="The newest open one when left out")] = None,
    state: Annotated[
        UndoState | None, Meta(description="Only these; `undone` and `kept` are listed when named")
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> UndoPage:
    """What an execution did, or may have done, and has not undone: in the order to undo it, each with its undo.

    Undo from top to bottom. What of it somebody still has to undo is `owed`. Nothing is undone for you.
    """

    def work(view: View) -> UndoPage:
        execution = require_execution_to_read(context, view, execution_id)
        if state in ("undone", "kept"):
            found, next_cursor = _off_the_list(view, execution, state, limit, cursor)
        else:
            check_cursor(view, Action, cursor)
            after = view.get(Action, cursor) if cursor else None
            items = ((item.action.id, item) for item in undo_list_of(view, execution, after=after))
            found, next_cursor = _page(items, lambda item: state in (None, item.state), limit)
        due, more_due = count_owed(view, execution.id)
        return UndoPage(
            execution_id=execution.id,
            items=describe_undo_list(view, found),
            counts=undo_counts(view, execution),
            owed=_extent_of_owed(execution, due),
            due=due,
            more_due=more_due,
            runner_undoes=_unwound_by_runner(view, [execution.id]),
            revisions=tuple(sorted({item.action.revision for item in found} - {0, execution.revision})),
            next_cursor=next_cursor,
        )

    return context.read(work)


def _extent_of_owed(execution: Execution, due: int) -> Literal["all", "some", "nothing"]:
    listed = sum(execution.undo_states.get(state, 0) for state in (*OUTSTANDING, "may_be_undo"))
    return "nothing" if not due else "all" if due == listed else "some"


def _unwound_by_runner(view: View, executions: Iterable[str]) -> tuple[str, ...]:
    """Those of these executions that a runner unwinds."""
    rows = (view.get(Execution, id) for id in dict.fromkeys(executions) if id)
    return tuple(row.id for row in rows if row and row.engine and row.status == "unwinding")


def _off_the_list(
    view: View, execution: Execution, state: UndoState, limit: int, cursor: str | None
) -> tuple[list[UndoItem], str]:
    """What is undone or kept, the newest first."""
    check_cursor(view, Action, cursor)
    where: dict[str, WhereValue] = {"execution": execution.id, "undo_state": (state,)}
    rows = view.find(Action, Select(where=where, after=cursor or "", limit=limit + 1))
    now = view.now()
    items = [UndoItem(row, state, row.state == "ok", is_expired(row, now)) for row in rows[:limit]]
    return items, rows[limit - 1].id if len(rows) > limit else ""


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
    """What somebody still has to undo: in the order to undo it, each with its undo.

    Executions that are unwinding, failed or were cancelled owe all that is not undone; others, once they ended or were
    interrupted, what is temporary or was begun to be undone. The decision keep takes something off. Nothing is undone
    for you.
    """

    def work(view: View) -> OwedPage:
        wanted = action_filter(
            view, tool=tool, actor=actor, task_id=task_id, plan_id=plan_id, since=since, until=until, text=text
        )
        narrowed = any(each is not None for each in (state, tool, actor, task_id, plan_id, since, until, text))
        scope = _Scope(view, execution_id, task_id, plan_id)
        found, next_cursor = _page(
            scope.items(cursor or ""), lambda item: state in (None, item.state) and wanted(item.action), limit
        )
        due, more_due = scope.count_filtered(state, wanted) if narrowed else scope.count_due()
        return OwedPage(
            owed=describe_undo_list(view, found),
            due=due,
            more_due=more_due,
            runner_undoes=_unwound_by_runner(view, [item.action.execution for item in found]),
            next_cursor=next_cursor,
        )

    return context.read(work)


def _page(
    items: Iterator[tuple[str, UndoItem | None]], wanted: Callable[[UndoItem], bool], limit: int
) -> tuple[list[UndoItem], str]:
    """One page of items that are read with their places, and the cursor of the next page."""
    found: list[UndoItem] = []
    for looked, (place, item) in enumerate(items, 1):
        if item and wanted(item):
            if len(found) == limit:
                return found, found[-1].action.id
            found.append(item)
        if looked == paging.MAX_ROWS_SCANNED:
            return found, place
    return found, ""


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

    Look at the real system, then decide settle with action_id, outcome and your evidence. Never just repeat one.
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


def count_owed(view: View, execution_id: str | None = None) -> tuple[int, bool]:
    """The number of actions that somebody still has to undo, in an execution or in all; and whether there are more."""
    return _Scope(view, execution_id, None, None).count_due()


class OwedElsewhere(Struct, frozen=True):
    """What executions owe beside one: some items, and how many there are. With `more`, there are more than that."""

    items: list[UndoItem]
    due: int
    more: bool


def owed_elsewhere(view: View, execution_id: str, *, limit: int) -> OwedElsewhere:
    """What executions owe beside the one that is named, the newest first; bounded in the rows that it reads. The newest
    actions of an execution are the first of its undo list, unless a step was repeated."""
    items: list[UndoItem] = []
    due = 0
    for looked, (execution, count, left_out) in enumerate(_Scope(view, None, None, None).counted(MAX_NOTED)):
        if looked == MAX_NOTED:
            return OwedElsewhere(items, due, more=True)
        if execution.id == execution_id:
            continue
        due += count
        if count and len(items) < limit:
            newest = islice(newest_owed(view, execution), MAX_ITEMS_NOTED)
            items += [item for item in newest if item.state in DUE][: limit - len(items)]
        if left_out:
            return OwedElsewhere(items, due, more=True)
    return OwedElsewhere(items, due, more=False)


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
        """The number of actions to undo still; and whether there is more."""
        due = 0
        for looked, (_, count, left_out) in enumerate(self.counted(MAX_COUNTED)):
            if looked == MAX_COUNTED:
                return due, True
            due += count
            if left_out:
                return due, True
        return due, False

    def counted(self, most: int) -> Iterator[tuple[Execution, int, bool]]:
        """Up to `most` executions and one more, each with the number of its actions to undo still, by its counts; and
        whether there are more: of one with deadlines, `most` actions are looked at."""
        for execution in islice(self._executions(limit=most + 1), most + 1):
            if execution.deadlines:
                yield execution, *self._count_in_time(execution, most)
            else:
                yield execution, self._owed(execution), False

    def count_filtered(self, state: str | None, wanted: Callable[[Action], bool]) -> tuple[int, bool]:
        """Count what can still be undone among the first items; and whether there are further items."""
        looked = list(islice(self.items(""), MAX_COUNTED + 1))
        items = [item for _, item in looked[:MAX_COUNTED] if item and item.state in DUE]
        due = sum(state in (None, item.state) and wanted(item.action) for item in items)
        return due, len(looked) > MAX_COUNTED

    def _executions(self, after: str = "", limit: int = 50) -> Iterator[Execution]:
        if self._named:
            return iter(() if after else (self._named,))
        where: dict[str, WhereValue] = {**self._where, "owing": ("yes", "rest", "maybe")}
        return (
            row for row, _ in paging.look_through(self._view, Execution, Select(where=where, after=after, limit=limit))
        )

    def _owed(self, execution: Execution) -> int:
        is_interrupted = execution.owing == "maybe" and interruption(self._view, execution) is not None
        return execution.owed(interrupted=is_interrupted)

    def _count_in_time(self, execution: Execution, most: int) -> tuple[int, bool]:
        """The number of actions to undo still in an execution with deadlines; and whether some were not looked at."""
        if not self._owed(execution):
            return 0, False
        where = {"execution": execution.id, **(NOT_UNDONE if execution.owes_all else TO_PUT_BACK)}
        rows = self._view.find(Action, Select(where=where, limit=most + 1))
        now = self._view.now()
        due = [row for row in rows if row.listed_as in DUE]
        late = [row for row in due if row.undo_state == "not_undone" and is_expired(row, now)]
        return len(due) - len(late), len(rows) > most
