"""The operation list_actions: actions in one line each, as a timeline needs them."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct, json

from tallystick.core.entries import ActionBegun, ActionDoubted, ActionEnded, ActionNoted
from tallystick.core.state import UNSETTLED, Action, Execution, Plan, Revision, revision_id
from tallystick.core.types import Handle, Name, Witness
from tallystick.operations.actions import ActionState, ActionSummary, action_fields, lost_at, state_of
from tallystick.operations.runtime.lookup import ERASED, erased_among, require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import (
    MAX_LISTS_MERGED,
    Cursor,
    Page,
    Since,
    Text,
    action_filter,
    find_page,
    search_ids,
)
from tallystick.operations.runtime.progress import undo_states
from tallystick.store.interface import Select, View, WhereValue

KINDS = {ActionBegun.KIND, ActionEnded.KIND, ActionNoted.KIND, ActionDoubted.KIND}
"""The kinds of entry about an action."""


class ActionLine(ActionSummary, frozen=True, omit_defaults=True, kw_only=True):
    """An action in one line. `summary` is the title of its step if it has none of its own.

    `unplanned` work belongs to no step of the plan; `late` work was recorded after the execution ended.
    """

    seq: int
    end_seq: int = 0
    summary: str = ""
    unplanned: bool = False
    late: bool = False


class ActionPage(Page, frozen=True, kw_only=True):
    actions: tuple[ActionLine, ...]


class _BodyFields(Struct):
    """The fields of a body that a line needs; the rest may be large."""

    summary: str = ""
    seen_at: str = ""


_NO_FIELDS = _BodyFields()
_decode_fields = json.Decoder(_BodyFields).decode


@operation("read", "GET /v1/actions", example={"execution_id": "ex_a2v7", "state": "failed"})
def list_actions(
    context: OperationContext,
    *,
    execution_id: Handle | None = None,
    state: ActionState | None = None,
    tool: Name | None = None,
    actor: Name | None = None,
    step: Name | None = None,
    witness: Witness | None = None,
    task_id: Name | None = None,
    plan_id: Handle | None = None,
    only: Annotated[
        Literal["unplanned"] | None, Meta(description="Only those that belong to no step of a plan")
    ] = None,
    since: Since = None,
    until: Since = None,
    text: Text = None,
    limit: Annotated[int, Meta(ge=1, le=2000, description="At most this many")] = 50,
    cursor: Cursor = None,
    newest_first: bool = False,
) -> ActionPage:
    """Actions in a line each, in the order in which they began: what a timeline is drawn from.

    `text` finds those of which anything recorded holds the words. `get_action` shows one whole.
    """

    def work(view: View) -> ActionPage:
        if execution_id:
            require_row(view, Execution, execution_id, "execution_id")
        over: dict[str, bool] = {}
        among = search_ids(view, text, KINDS, execution=execution_id or "") if text else None

        belongs = action_filter(view, task_id=task_id, plan_id=plan_id)

        def fits(row: Action) -> bool:
            if only and not row.is_unplanned(view.get(Execution, row.execution)):
                return False
            return (
                tool in (None, row.tool)
                and actor in (None, row.actor)
                and step in (None, row.step)
                and witness in (None, row.witness)
                and state in (None, state_of(view, row, over))
                and belongs(row)
            )

        where: dict[str, WhereValue | None] = {"execution": execution_id}
        if task_id or plan_id:
            owners = _executions_of(view, execution_id, task_id, plan_id)
            where["execution"] = owners or execution_id
            among = set() if owners == () else among
        if state in ("open", "in_doubt"):
            where["state"] = UNSETTLED
        rows, next_cursor = find_page(
            view, Action, where, since, until, limit, cursor, among, fits=fits, newest_first=newest_first
        )
        return ActionPage(actions=describe_lines(view, rows, over), next_cursor=next_cursor)

    return context.read(work)


def _executions_of(
    view: View, execution_id: str | None, task_id: str | None, plan_id: str | None
) -> tuple[str, ...] | None:
    """The executions of a task or plan, if they are few enough to be read one by one, or one is named; else None."""
    if plan_id:
        require_row(view, Plan, plan_id, "plan_id")
    if execution_id:
        return None
    where: dict[str, WhereValue] = {"plan_id": plan_id} if plan_id else {"task_id": task_id or ""}
    rows = view.find(Execution, Select(where=where, limit=MAX_LISTS_MERGED + 1))
    return tuple(row.id for row in rows) if len(rows) <= MAX_LISTS_MERGED else None


def describe_lines(view: View, rows: list[Action], over: dict[str, bool]) -> tuple[ActionLine, ...]:
    fields = {seq: _decode_fields(body) for seq, body in view.bodies([row.seq for row in rows]).items()}
    # The end has the time of what was spooled, and the summary of an action that was begun without one.
    begins = {row.id: fields.get(row.seq, _NO_FIELDS) for row in rows}
    ends = [row.end_seq for row in rows if row.end_seq and (begins[row.id].seen_at or not begins[row.id].summary)]
    fields |= {seq: _decode_fields(body) for seq, body in view.bodies(ends).items()}
    titles, undos = step_titles_by_action(view, rows), undo_states(view, rows)
    missing = [row.seq for row in rows if row.seq not in fields]
    erased = erased_among(view, missing) if missing else set()
    executions = {id: view.get(Execution, id) for id in {row.execution for row in rows}}
    lines = []
    for row in rows:
        begun, ended = fields.get(row.seq, _NO_FIELDS), fields.get(row.end_seq, _NO_FIELDS)
        state = state_of(view, row, over)
        line = ActionLine(
            **action_fields(row, state, undos[row.id], begun.seen_at, ended.seen_at),
            lost=lost_at(view, row, state),
            seq=row.seq,
            end_seq=row.end_seq,
            summary=begun.summary or titles.get(row.id) or ended.summary or (ERASED if row.seq in erased else ""),
            unplanned=row.is_unplanned(executions[row.execution]),
            late=row.late,
        )
        lines.append(line)
    return tuple(lines)


def step_titles_by_action(view: View, actions: Iterable[Action]) -> dict[str, str]:
    """By action: the title of its step in the revision that it pinned when it began."""
    pinned = {
        action.id: (revision_id(action.plan_id, action.revision), action.step) for action in actions if action.step
    }
    revisions = {id: view.get(Revision, id) for id, _ in pinned.values()}
    bodies = view.bodies({revision.seq for revision in revisions.values() if revision})
    titles = {
        (id, step["id"]): str(step.get("title", ""))
        for id, revision in revisions.items()
        if revision and revision.seq in bodies
        for step in json.decode(bodies[revision.seq]).get("steps", ())
    }
    gone = erased_among(view, {revision.seq for revision in revisions.values() if revision})
    erased = {id for id, revision in revisions.items() if revision and revision.seq in gone}
    return {action: titles.get(step) or (ERASED if step[0] in erased else "") for action, step in pinned.items()}
