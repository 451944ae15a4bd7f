"""The operation get_status: one execution whole, with its plan against what was done."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct, json

from tallystick.core.entries import StepFacts
from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import times
from tallystick.core.plans import Advice
from tallystick.core.state import UNSETTLED, Action, Approval, Execution, Progress
from tallystick.core.types import Handle
from tallystick.operations.actions import PERMISSION_NOTES
from tallystick.operations.attribution.executions import require_execution_to_read
from tallystick.operations.executions import ExecutionView, describe_executions
from tallystick.operations.runs import unserved_steps
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.paging import Cursor
from tallystick.operations.runtime.progress import approval_status, doubts_of, pending_approvals
from tallystick.operations.runtime.session_lifecycle import Silence, find_silence
from tallystick.operations.views.coverage import Coverage, coverage_of
from tallystick.operations.views.plan_steps import PlanSteps, plan_steps
from tallystick.store.interface import Select, View, WhereValue

MAX_DOUBTS_SHOWN = 20
MAX_APPROVALS_SCANNED = 20
MAX_OPEN_READ = 200
"""Open actions of a run that are looked at for a process that gives no sign of life."""


class StepView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A step of the plan against what was done. `actual` is planned, waiting (for a person), running, done, undone
    (it was done, and its work was undone), failed, skipped or in_doubt.

    `dropped` is a step that was begun or decided on and that the plan no longer has; it is listed after the others.
    `permission` says that it was carried out without an approval that it needs, or against a rejection. `silent`: it is
    under way in a process that lives and gives no sign of life; nothing repeats it. `unserved`: why no living worker
    can carry it out.
    """

    id: str
    actual: str
    title: str = ""
    tool: str = ""
    cancellable: str = ""
    after: tuple[str, ...] = ()
    attempts: int = 0
    action_id: str = ""
    decided: str = ""
    estimate: float | None = None
    dropped: bool = False
    permission: str = ""
    silent: str = ""
    unserved: str = ""


class Status(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One execution whole: plan against actual, what is in doubt and owed, and what the plan advises. `unpermitted` are
    the actions that were carried out without an approval that they needed, or against a rejection."""

    execution: ExecutionView
    steps: tuple[StepView, ...] = ()
    next_steps: tuple[str, ...] = ()
    in_doubt: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    approvals: tuple[str, ...] = ()
    unpermitted: tuple[str, ...] = ()
    last_decision: dict[str, Any] = {}
    coverage: Coverage | None = None
    next_cursor: str = ""


@operation("read", "GET /v1/executions/{execution_id}/status", view="status", example={"execution_id": "ex_a2v7"})
def get_status(
    context: OperationContext,
    *,
    execution_id: Annotated[Handle | None, Meta(description="The newest open one when left out")] = None,
    limit: Annotated[int, Meta(ge=1, le=10_000, description="At most this many steps")] = 200,
    cursor: Cursor = None,
) -> Status:
    """One execution whole: plan against actual, what is in doubt, what is owed, what the plan advises."""

    def work(view: View) -> Status:
        execution = require_execution_to_read(context, view, execution_id)
        with plan_steps(context, view, execution) as plan:
            return status_of(view, execution, plan, limit, cursor or "", context.principal)

    return context.read(work)


def status_of(
    view: View, execution: Execution, plan: PlanSteps, limit: int, cursor: str, principal: Principal
) -> Status:
    """The status with one page of steps; `cursor` is the last step of the page before."""
    page = plan.page(view, cursor, limit)
    if page is None:
        hint = "Pass next_cursor of the page before."
        raise InvalidArgument(f'"{cursor}" is not a cursor of this list.', hint=hint, field="cursor")
    shown, has_more = page
    approvals = view.find(Approval, Select(where={"execution": execution.id}, limit=MAX_APPROVALS_SCANNED))
    is_open = execution.status in OPEN_STATUSES and not execution.unwound
    return Status(
        execution=describe_executions(view, [execution], {plan.seq: plan.title})[0],
        steps=describe_steps(view, execution, plan, shown),
        next_steps=plan.next_steps(view, execution),
        in_doubt=tuple(action.id for action in doubts_of(view, execution.id, limit=MAX_DOUBTS_SHOWN)),
        advice=plan.advice(view, execution) if is_open else (),
        approvals=tuple(row.id for row in approvals if approval_status(view, row) in ("pending", "expired")),
        unpermitted=tuple(row.id for row in _unpermitted(view, execution)),
        last_decision=_last_decision(view, execution),
        coverage=coverage_of(view, execution, principal),
        next_cursor=shown[-1].id if has_more else "",
    )


def describe_steps(
    view: View, execution: Execution, plan: PlanSteps, steps: Sequence[StepFacts]
) -> tuple[StepView, ...]:
    """Some steps of the plan that an execution follows, against what was done."""
    dropped = {step.id for step in plan.dropped(view)}
    titles = plan.titles(view, steps)
    waiting = _waiting_steps(view, execution, plan.planned)
    silent = {row.step: find_silence(view, row) for row in _open_actions(view, execution) if row.step}
    permissions = {row.step: PERMISSION_NOTES[row.not_permitted] for row in _unpermitted(view, execution)}
    unserved = unserved_steps(view, execution)
    return tuple(
        _step_view(
            step,
            titles[step.id],
            plan.progress(view, step.id),
            step.id in dropped,
            step.id in waiting,
            permissions.get(step.id, ""),
            silent.get(step.id),
            unserved.get(step.id, ""),
        )
        for step in steps
    )


def _unpermitted(view: View, execution: Execution) -> list[Action]:
    found = (view.get(Action, id) for id in execution.unpermitted)
    return [row for row in found if row and row.not_permitted]


def _waiting_steps(view: View, execution: Execution, steps: Sequence[StepFacts]) -> set[str]:
    """The steps about which a person is asked, by name or by their exact call."""
    asked = pending_approvals(view, [execution])
    calls = {each.effect_key for each in asked if each.effect_key and not each.step}
    by_call = {step.id for step in steps if step.guarded in calls} if calls else set()
    return {name for each in asked for name in (each.step, each.about)} | by_call


def _open_actions(view: View, execution: Execution) -> list[Action]:
    """Actions of a run that may be under way, as far as their number is shown."""
    if not execution.engine or execution.unsettled != "yes":
        return []
    where: dict[str, WhereValue] = {"execution": execution.id, "state": UNSETTLED}
    return view.find(Action, Select(where=where, newest_first=False, limit=MAX_OPEN_READ))


def _step_view(
    step: StepFacts,
    title: str,
    progress: Progress | None,
    dropped: bool,
    waiting: bool,
    permission: str,
    silence: Silence | None,
    unserved: str,
) -> StepView:
    status = "undone" if progress and progress.undone else (progress.status if progress else "") or "planned"
    return StepView(
        id=step.id,
        actual="waiting" if waiting and status in ("planned", "running", "failed") else status,
        title=title,
        tool=step.tool,
        cancellable=step.cancellable,
        after=step.after,
        attempts=progress.attempts if progress else 0,
        action_id=progress.action if progress else "",
        decided=progress.decided if progress else "",
        estimate=step.estimate,
        dropped=dropped,
        permission=permission,
        silent=silence.text if silence else "",
        unserved=unserved if status == "planned" else "",
    )


def _last_decision(view: View, execution: Execution) -> dict[str, Any]:
    if not execution.decision_seq:
        return {}
    entry = view.entry(execution.decision_seq)
    body = json.decode(view.bodies([execution.decision_seq]).get(execution.decision_seq, "{}"))
    decision = getattr(entry.facts, "decision", "") if entry else ""
    return {"decision": decision, "why": body.get("why", ""), "at": times.iso(entry.at) if entry else ""}
