"""The operation list_work: what was planned and what was done in one execution, a row each, with equal calls folded."""

from collections import Counter
from itertools import groupby, pairwise
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, json
from msgspec.structs import asdict

from tallystick.core.errors import InvalidArgument
from tallystick.core.state import UNSETTLED, Action, Execution
from tallystick.core.types import Handle, Name
from tallystick.operations.actions import state_of
from tallystick.operations.attribution.executions import require_execution_to_read
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import Cursor, Page, find_page
from tallystick.operations.views.execution_status import StepView, describe_steps
from tallystick.operations.views.plan_steps import PlanSteps, plan_steps
from tallystick.operations.views.timeline import ActionLine, describe_lines
from tallystick.store.interface import View, WhereValue

MIN_FOLDED = 4
"""Fewer equal calls in a row stay a row each."""
MAX_ERROR_CHARACTERS = 300
Order = Literal["plan", "time"]
Wanted = Literal["done", "failed", "in_doubt", "open", "unplanned"]
_STATES: dict[Wanted, str] = {"done": "ok", "failed": "failed", "in_doubt": "in_doubt", "open": "open"}
_ACTIONS, _STEPS = "actions:", "steps:"
"""The two parts of a list, as its cursors begin."""


class WorkRow(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One row: a step of the plan with its last attempt, an action, or a group of equal calls in a row.

    `id` is that of the step, the action, or the first action of the group. `state` is the step's `actual` (see
    `get_status`) or the action's; a group's is the worst of its actions, which `states` counts. `action_id` is the last
    attempt at a step. `inside` lists the actions of a group: pass it as `cursor`, with `unfolded` and `count` as limit.
    `error` is the first one, shortened. Planned steps that nobody began have no `begun`.
    """

    kind: Literal["step", "action", "group"]
    id: str
    state: str
    summary: str = ""
    tool: str = ""
    step: str = ""
    action_id: str = ""
    action_kind: str = "do"
    actor: str = ""
    actor_kind: str = ""
    witness: str = ""
    begun: str = ""
    ended: str = ""
    lost: str = ""
    attempts: int = 0
    undo_state: str = ""
    undoes: str = ""
    undone_by: str = ""
    error: str = ""
    unplanned: bool = False
    late: bool = False
    temporary: bool = False
    permission: str = ""
    silent: str = ""
    unserved: str = ""
    decided: str = ""
    dropped: bool = False
    cancellable: str = ""
    after: tuple[str, ...] = ()
    estimate: float | None = None
    count: int = 0
    states: dict[str, int] = {}
    inside: str = ""


class WorkPage(Page, frozen=True, kw_only=True):
    rows: tuple[WorkRow, ...]


@operation("read", "GET /v1/executions/{execution_id}/work", example={"execution_id": "ex_a2v7"})
def list_work(
    context: OperationContext,
    *,
    execution_id: Annotated[Handle | None, Meta(description="The newest open one when left out")] = None,
    order: Annotated[Order, Meta(description="The steps first and then what no step planned, or by time")] = "plan",
    only: Annotated[Wanted | None, Meta(description="Only actions like this, by time")] = None,
    step: Annotated[Name | None, Meta(description="Only the actions of this step, by time")] = None,
    unfolded: Annotated[bool, Meta(description="Equal calls in a row as a row each")] = False,
    newest_first: Annotated[bool, Meta(description="By time, backwards, without the steps that nobody began")] = False,
    limit: Annotated[int, Meta(ge=1, le=1000, description="At most this many steps or actions are read")] = 200,
    cursor: Cursor = None,
) -> WorkPage:
    """Rows of one execution, planned and done: steps with their last attempt, and actions.

    In the order of the plan, unplanned work and undos of no step follow the steps; by time, the steps that nobody began
    follow the actions. Equal calls in a row are one row with their `count`.
    """

    def work(view: View) -> WorkPage:
        execution = require_execution_to_read(context, view, execution_id)
        narrowed = bool(only or step or newest_first)
        by_plan = order == "plan" and bool(execution.plan_id) and not narrowed
        part, after = _parse_cursor(cursor or (_STEPS if by_plan else _ACTIONS))
        if part == _ACTIONS:
            actions = ActionRows(view, execution, only, step, outside_plan=by_plan)
            rows, next_id = actions.page(after, limit, fold=not unfolded, newest_first=newest_first)
            rest = _STEPS if not by_plan and not narrowed and execution.plan_id else ""
            return WorkPage(rows=rows, next_cursor=_ACTIONS + next_id if next_id else rest)
        with plan_steps(context, view, execution) as plan:
            rows, next_id = _steps(view, execution, plan, after, limit, begun=by_plan)
        rest = _ACTIONS if by_plan and (execution.unplanned or execution.undos) else ""
        return WorkPage(rows=rows, next_cursor=_STEPS + next_id if next_id else rest)

    return context.read(work)


def _parse_cursor(cursor: str) -> tuple[str, str]:
    for part in (_ACTIONS, _STEPS):
        if cursor.startswith(part):
            return part, cursor.removeprefix(part)
    raise _bad_cursor(cursor)


def _bad_cursor(cursor: str) -> InvalidArgument:
    hint = "Pass next_cursor of the page before."
    return InvalidArgument(f'"{cursor}" is not a cursor of this list.', hint=hint, field="cursor")


# ----------------------------------------------------------------------------------------------------------------------
# Steps


def _steps(
    view: View, execution: Execution, plan: PlanSteps, after: str, limit: int, *, begun: bool
) -> tuple[tuple[WorkRow, ...], str]:
    """One page of steps, all or those that nobody began, and the step that the next page begins behind."""
    page = plan.page(view, after, limit)
    if page is None:
        raise _bad_cursor(_STEPS + after)
    shown, has_more = page
    steps = [step for step in describe_steps(view, execution, plan, shown) if begun or not step.action_id]
    actions = [row for row in (view.get(Action, step.action_id) for step in steps if step.action_id) if row]
    lines = {line.id: line for line in describe_lines(view, actions, {})}
    errors = _errors(view, actions)
    rows = tuple(_step_row(step, lines.get(step.action_id), errors.get(step.action_id, "")) for step in steps)
    return rows, shown[-1].id if has_more else ""


def _step_row(step: StepView, line: ActionLine | None, error: str) -> WorkRow:
    return WorkRow(
        kind="step",
        id=step.id,
        state=step.actual,
        summary=step.title,
        tool=(line.tool if line else "") or step.tool,
        step=step.id,
        attempts=step.attempts,
        error=error,
        permission=step.permission,
        silent=step.silent,
        unserved=step.unserved,
        decided=step.decided,
        dropped=step.dropped,
        cancellable=step.cancellable,
        after=step.after,
        estimate=step.estimate,
        **(_fields_of_attempt(line) if line else {}),
    )


def _fields_of_attempt(line: ActionLine) -> dict[str, Any]:
    names = ("actor", "actor_kind", "witness", "begun", "ended", "lost", "undo_state", "undone_by", "temporary", "late")
    fields = asdict(line)
    return {"action_id": line.id, **{name: fields[name] for name in names}}


# ----------------------------------------------------------------------------------------------------------------------
# Actions


class ActionRows:
    """The actions of an execution that a list shows: all, those like `only`, of one step, or those of no step."""

    def __init__(
        self, view: View, execution: Execution, only: Wanted | None, step: str | None, *, outside_plan: bool
    ) -> None:
        self._view = view
        self._execution = execution
        self._only, self._step, self._outside_plan = only, step, outside_plan
        self._over: dict[str, bool] = {}

    def page(self, after: str, limit: int, *, fold: bool, newest_first: bool) -> tuple[tuple[WorkRow, ...], str]:
        where: dict[str, WhereValue | None] = {"execution": self._execution.id}
        if self._only in ("open", "in_doubt"):
            where["state"] = UNSETTLED
        found, next_id = find_page(
            self._view, Action, where, None, None, limit, after or None, fits=self._fits, newest_first=newest_first
        )
        behind = {row: before for before, row in pairwise([after, *(row.id for row in found)])}
        runs = [list(run) for _, run in groupby(found, self._sort_of)] if fold else [[row] for row in found]
        groups = [run for run in runs if len(run) >= MIN_FOLDED]
        alone = [row for run in runs if len(run) < MIN_FOLDED for row in run]
        told = [row for run in groups for row in (run[0], _last_ended(run), _first_failed(run)) if row]
        lines = {line.id: line for line in describe_lines(self._view, [*alone, *told], self._over)}
        errors = _errors(self._view, [*alone, *told])
        rows: list[WorkRow] = []
        for run in runs:
            if len(run) >= MIN_FOLDED:
                rows.append(_group_row(run, lines, errors, _ACTIONS + behind[run[0].id]))
            else:
                rows += [_action_row(lines[row.id], errors.get(row.id, "")) for row in run]
        return tuple(rows), next_id

    def _fits(self, row: Action) -> bool:
        if self._outside_plan and row.step:
            return False
        if self._step is not None and row.step != self._step:
            return False
        if self._only == "unplanned":
            return row.is_unplanned(self._execution)
        return self._only is None or state_of(self._view, row, self._over) == _STATES[self._only]

    def _sort_of(self, row: Action) -> tuple[str, ...]:
        """What actions of one group have in common. What needs somebody, and what is undone or undoes, stays alone."""
        if row.state in UNSETTLED or row.action_kind == "undo" or row.undos or row.not_permitted:
            return (row.id,)
        agent = (row.actor_kind, row.actor)
        if row.actor_kind == "sub-agent" and not row.step:
            return agent
        return (*agent, row.tool or row.id, row.step)


def _group_row(run: list[Action], lines: dict[str, ActionLine], errors: dict[str, str], inside: str) -> WorkRow:
    states = Counter(row.state for row in run)
    first, last, failed = lines[run[0].id], lines[_last_ended(run).id], _first_failed(run)
    return WorkRow(
        kind="group",
        id=first.id,
        state="failed" if failed else max(states, key=lambda state: states[state]),
        summary=first.summary,
        tool=first.tool if all(row.tool == first.tool for row in run) else "",
        step=first.step,
        actor=first.actor,
        actor_kind=first.actor_kind,
        witness=first.witness,
        begun=first.begun,
        ended=last.lost or last.ended,
        error=errors.get(failed.id, "") if failed else "",
        unplanned=first.unplanned,
        count=len(run),
        states=dict(states),
        inside=inside,
    )


def _last_ended(run: list[Action]) -> Action:
    """The action that was over last. One whose end was only settled later counts from its begin."""
    return max(run, key=lambda row: min(row.ended_at, row.at) if row.duration is None else row.ended_at)


def _first_failed(run: list[Action]) -> Action | None:
    return next((row for row in run if row.state == "failed"), None)


def _action_row(line: ActionLine, error: str) -> WorkRow:
    return WorkRow(
        kind="action",
        id=line.id,
        state=line.state,
        summary=line.summary,
        tool=line.tool,
        step=line.step,
        action_kind=line.kind,
        undoes=line.undoes,
        attempts=line.attempt,
        error=error,
        unplanned=line.unplanned,
        permission=line.permission,
        **_fields_of_attempt(line),
    )


class _EndFields(Struct):
    """The field of an end's body that a row needs; the rest may be large."""

    error: str = ""


_decode_end = json.Decoder(_EndFields).decode


def _errors(view: View, rows: list[Action]) -> dict[str, str]:
    """The recorded errors of actions that did not succeed, shortened; by action."""
    ends = {row.id: row.end_seq for row in rows if row.end_seq and row.state not in ("ok", "open")}
    bodies = view.bodies(ends.values())
    found = {id: _decode_end(bodies[seq]).error for id, seq in ends.items() if seq in bodies}
    return {id: _shorten(error) for id, error in found.items() if error}


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_ERROR_CHARACTERS else text[:MAX_ERROR_CHARACTERS].rstrip() + "..."
