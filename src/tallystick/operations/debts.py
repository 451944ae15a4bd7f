"""What is owed and what is in doubt, as operations."""

from typing import Annotated, Any

from msgspec import Meta

from tallystick.core.model import Handle, Name, OwedState
from tallystick.core.state import Action, Execution
from tallystick.core.owing import OUTSTANDING
from tallystick.operations.desk import Desk
from tallystick.operations.handles import known
from tallystick.operations.operation import operation
from tallystick.operations.paging import Cursor, Limit, Page
from tallystick.operations.standing import (
    DoubtItem,
    OwedItem,
    describe_doubts,
    describe_owed,
    doubts_of,
    owed_of,
)
from tallystick.store.port import Select, View, Wanted


class OwedPage(Page, frozen=True, kw_only=True):
    """In the order to undo it. `due` is how much of it can still be undone, over all pages."""

    owed: tuple[OwedItem, ...]
    due: int


class DoubtPage(Page, frozen=True, kw_only=True):
    in_doubt: tuple[DoubtItem, ...]


@operation("read", "GET /v1/owed", view="owed", example={"execution_id": "ex_a2v7"})
def list_owed(
    desk: Desk,
    *,
    execution_id: Annotated[Handle | None, Meta(description="All executions when left out, the newest first")] = None,
    state: OwedState | None = None,
    tool: Name | None = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> OwedPage:
    """What was done, or may have been, and is not yet undone: in the order to undo it, each with its undo.

    What is known to depend on something comes before it. Nothing is undone for you.
    """

    def work(view: View) -> OwedPage:
        executions = (
            [known(view, Execution, execution_id, "execution_id")] if execution_id else _owing(view, cursor, limit)
        )
        owed = [item for execution in executions for item in owed_of(view, execution)]
        wanted = [item for item in owed if state in (None, item.state) and tool in (None, item.action.tool)]
        start = next((place + 1 for place, item in enumerate(wanted) if item.action.id == cursor), 0)
        shown = wanted[start : start + limit]
        more = len(wanted) > start + limit
        return OwedPage(
            owed=describe_owed(view, shown),
            due=sum(execution.owed for execution in executions),
            next_cursor=shown[-1].action.id if more and shown else "",
        )

    return desk.read(work)


@operation("read", "GET /v1/in-doubt", view="in_doubt", example={})
def list_in_doubt(
    desk: Desk, *, execution_id: Handle | None = None, limit: Limit = 50, cursor: Cursor = None
) -> DoubtPage:
    """Actions of which nobody knows what came, the oldest first.

    Look at the real system, then record_action phase=end with the outcome and your evidence. Never just repeat one.
    """

    def work(view: View) -> DoubtPage:
        if execution_id:
            known(view, Execution, execution_id, "execution_id")
        found = doubts_of(view, execution_id or "", after=cursor or "", limit=limit + 1)
        shown = found[:limit]
        return DoubtPage(in_doubt=describe_doubts(view, shown), next_cursor=shown[-1].id if len(found) > limit else "")

    return desk.read(work)


def _owing(view: View, cursor: str | None, limit: int) -> list[Execution]:
    """Executions that owe something, the newest first, as many as fill the page behind the cursor."""
    where: dict[str, Wanted] = {"owed": OUTSTANDING}
    found: dict[str, Execution] = {}
    rows = view.find(Action, Select(where=where, limit=1000))
    at = known(view, Action, cursor, "cursor").execution if cursor else ""
    for row in rows:
        execution: Any = view.get(Execution, row.execution)
        if execution and row.execution not in found and (not at or row.execution <= at):
            found[row.execution] = execution
        if len(found) > limit:
            break
    return sorted(found.values(), key=lambda execution: execution.id, reverse=True)
