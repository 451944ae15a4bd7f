"""Plans: recording, revising, retiring and reading them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, json, to_builtins
from msgspec.structs import asdict, replace

from tallystick.core import entries
from tallystick.core import plans as core_plans
from tallystick.core.entries import Entry, PlanRecorded, PlanRetired, StepFacts
from tallystick.core.errors import InvalidArgument, UnknownHandle, WrongState
from tallystick.core.formats import times
from tallystick.core.state import Execution, Plan, Revision, revision_id
from tallystick.core.types import JSON, FailurePolicy, Handle, Key, Name, Step, UnwindMode
from tallystick.operations.runtime.doubts import earlier_work, title_key
from tallystick.operations.runtime.lookup import ERASED, MAX_HANDLES_SHOWN, OPEN_STATUSES, require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction, receipt_only
from tallystick.operations.runtime.paging import Cursor, Limit, Page, Since, Text, find_page, search_ids
from tallystick.operations.runtime.receipts import PlanReceipt, Receipt
from tallystick.operations.runtime.run_rights import check_revision, check_template
from tallystick.operations.tasks import write_subtasks
from tallystick.store.interface import PRESENT, Select, View, WhereValue

RECORD_EXAMPLE = {
    "title": "Move the site",
    "steps": [
        {"id": "copy", "title": "Copy the files", "cancellable": "reversible", "undo": "delete the copy"},
        {"id": "switch", "title": "Switch the name", "cancellable": "reversible", "undo": "switch it back"},
    ],
}


class PlanView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One revision of a plan as it was recorded, by whom and when. `erased` is true when its text was erased, `altered`
    when the stored text is not the recorded one. In a list of plans, `actor` recorded the first revision.

    `execution_id`: a revision for this execution alone, with a step for each item of `for_each`.
    """

    id: str
    revision: int
    status: str
    at: str
    title: str = ""
    goal: str = ""
    type: str = ""
    task_id: str = ""
    template: str = ""
    for_tasks: str = ""
    reasoning: str = ""
    reason: str = ""
    actor: str = ""
    seq: int = 0
    step_count: int = 0
    steps: tuple[dict[str, Any], ...] = ()
    parameters: dict[str, Any] = {}
    unwind: str = ""
    warnings: tuple[str, ...] = ()
    retired_reason: str = ""
    erased: bool = False
    altered: bool = False
    execution_id: str = ""


class PlanHistory(Struct, frozen=True, kw_only=True):
    """A plan with all of its revisions, the newest first."""

    id: str
    status: str
    revisions: tuple[PlanView, ...]


class PlanPage(Page, frozen=True, kw_only=True):
    plans: tuple[PlanView, ...]


@operation("record", "POST /v1/plans", example=RECORD_EXAMPLE)
def record_plan(
    context: OperationContext,
    *,
    title: Annotated[str, Meta(min_length=1, max_length=2000)],
    steps: Annotated[Sequence[Step], Meta(description="In order; each says if and how it is undone.")],
    goal: str = "",
    type: Annotated[str, Meta(max_length=200, description="What kind of plan, e.g. deploy")] = "",
    task_id: Annotated[str, Meta(max_length=200, description="The task that it serves")] = "",
    reasoning: str = "",
    plan_id: Annotated[Handle | None, Meta(description="The plan to revise")] = None,
    reason: Annotated[str, Meta(description="Why it is revised")] = "",
    parameters: Annotated[
        dict[str, JSON] | None, Meta(description="JSON Schema of the values that a run gives: ${parameters.NAME}")
    ] = None,
    unwind: Annotated[
        UnwindMode | None, Meta(description="What a runner does when the plan fails; never by default")
    ] = None,
    template: Annotated[
        str, Meta(max_length=200, description="Makes it a template of this name; the same name again revises it")
    ] = "",
    for_tasks: Annotated[
        str, Meta(max_length=200, description="Of a template: each new task of this type gets a plan from it")
    ] = "",
    subtasks: Annotated[bool, Meta(description="Also record a task for each step, under task_id")] = False,
    start: Annotated[bool, Meta(description="Also open an execution of it; of a revision, where none is open")] = False,
    key: Key | None = None,
) -> PlanReceipt:
    """Save a plan before acting, or revise one (plan_id, reason). start=true opens its execution."""
    settled = core_plans.normalize_steps([_masked_step(context, step) for step in steps], context.settings.limits.steps)
    keys = [context.effect_key(step.tool, step.arguments) if step.arguments else "" for step in steps]
    facts = tuple(map(core_plans.step_facts, settled, keys))
    _check_plan_fields(plan_id, reason, template=template, for_tasks=for_tasks, task_id=task_id, subtasks=subtasks)
    written = [to_builtins(step) for step in settled]
    run = {"parameters": parameters, "unwind": unwind, "subtasks": subtasks or None}
    body = context.plan_body(title=title, goal=goal, reasoning=reasoning, reason=reason, steps=written, **run)
    named = PlanRecorded(
        revision=1,
        steps=facts,
        type=context.masked_name(type),
        task_id=context.masked_name(task_id),
        template=context.masked_name(template),
        for_tasks=context.masked_name(for_tasks),
    )

    def work(transaction: Transaction) -> Entry:
        entry = _write_plan(transaction, named, plan_id or "", body, start=start)
        if start and not transaction.repeated:
            _start_execution(transaction, entry.id, facts, title)
        if subtasks and not transaction.repeated:
            write_subtasks(transaction, named.task_id, settled)
        return entry

    content = ["plan", title, goal, type, task_id, reasoning, plan_id, reason, to_builtins(steps)]
    content += [start] if start else []
    more = {"run": run, "template": template, "for_tasks": for_tasks}
    content += [more] if parameters or unwind or subtasks or template or for_tasks else []
    return context.record(key, content, work, partial(_plan_receipt, start=start))


def _start_execution(transaction: Transaction, plan_id: str, steps: tuple[StepFacts, ...], title: str) -> None:
    """Open an execution of a plan that was just written."""
    plan = require_row(transaction.ledger, Plan, plan_id, "plan_id")
    started = core_plans.execution_start_facts(plan, steps)
    transaction.write(replace(started, title_key=title_key(transaction.context, title, started.task_id)))


def _check_plan_fields(plan_id: str | None, reason: str, **fields: Any) -> None:
    if plan_id and not reason.strip():
        raise InvalidArgument("A revision needs a reason.", hint="Say in `reason` what changed.", field="reason")
    if fields["for_tasks"] and not fields["template"]:
        raise InvalidArgument("for_tasks goes with a template.", hint="Give template, its name.", field="for_tasks")
    if fields["subtasks"] and not fields["task_id"]:
        raise InvalidArgument("subtasks need a task.", hint="Give task_id.", field="subtasks")


def _write_plan(transaction: Transaction, facts: PlanRecorded, plan_id: str, body: str | None, *, start: bool) -> Entry:
    """Append a plan or a revision of it. A template that says the same as before is not recorded again."""
    ledger = transaction.ledger
    revised = _plan_to_revise(ledger, plan_id, start=start) if plan_id else None
    if facts.template or (revised and revised.template):
        check_template(transaction.context)
    if revised is None and facts.template:
        revised = find_template(ledger, facts.template)
        newest = ledger.entry(revised.seq) if revised else None
        if revised and newest and ledger.bodies([revised.seq]).get(revised.seq) == body:
            return transaction.already_recorded(newest)
    if revised is None:
        return transaction.write(facts, body=body)
    check_revision(transaction, revised)
    facts = replace(  # a revision keeps what it does not name
        facts,
        revision=revised.next_revision,
        type=facts.type or revised.type,
        task_id=facts.task_id or revised.task_id,
        template=facts.template or revised.template,
        for_tasks=facts.for_tasks or revised.for_tasks,
    )
    return transaction.write(facts, id=revised.id, body=body)


def require_template(view: View, name: str) -> Plan:
    """The active template of this name; raises UnknownHandle with those that exist."""
    found = find_template(view, name)
    if found is None:
        rows = view.find(Plan, Select(where={"template": PRESENT, "status": "active"}, limit=MAX_HANDLES_SHOWN))
        exist = [row.template for row in rows]
        hint = f"There are: {', '.join(exist)}." if exist else "Record a plan with template=NAME first."
        raise UnknownHandle(f'There is no template "{name}".', hint=hint, field="template", allowed=exist)
    return found


def find_template(view: View, name: str) -> Plan | None:
    """The active template of this name."""
    found = view.find(Plan, Select(where={"template": name, "status": "active"}, limit=1))
    return found[0] if found else None


def _plan_receipt(view: View, receipt: Receipt, *, start: bool) -> PlanReceipt:
    entry = view.entry(receipt.seq)
    assert entry is not None
    assert isinstance(entry.facts, PlanRecorded)
    execution_id = _started_with(view, receipt) if start else ""
    return PlanReceipt(
        **asdict(receipt),
        revision=entry.facts.revision,
        steps=tuple(step.id for step in entry.facts.steps),
        warnings=core_plans.warnings(entry.facts.steps, entry.at),
        execution_id=execution_id,
        **_earlier_work(view, execution_id),
    )


def _earlier_work(view: View, execution_id: str) -> dict[str, Any]:
    """The fields of a receipt that name other executions of the same work."""
    if not execution_id:
        return {}
    return asdict(earlier_work(view, require_row(view, Execution, execution_id, "execution_id")))


def _plan_to_revise(view: View, plan_id: str, *, start: bool) -> Plan:
    plan = require_row(view, Plan, plan_id, "plan_id")
    if plan.status != "active":
        raise _retired_error(plan)
    if start:
        _check_none_open(view, plan)
    return plan


def _check_none_open(view: View, plan: Plan) -> None:
    """Raise if an execution of an older revision is open: it continues with the new one after a replan decision."""
    open_now = view.find(Execution, Select(where={"plan_id": plan.id, "status": OPEN_STATUSES}, limit=1))
    if open_now:
        raise WrongState(
            f"{open_now[0].id} of {plan.id} is {open_now[0].status}: nothing was recorded.",
            hint="Leave start out, and decide replan to go on by the revision.",
            field="start",
            next_call=core_plans.revision_call(plan.id),
        )


def _started_with(view: View, receipt: Receipt) -> str:
    """The execution that was opened in the same commit as a plan or its revision."""
    after_plan = Select(
        where={"plan_id": receipt.id},
        newest_first=False,
        after=entries.handle_lower_bound(entries.EXECUTION, receipt.seq),
        limit=1,
    )
    found = view.find(Execution, after_plan)
    return found[0].id if found else ""


@operation(
    "record",
    "POST /v1/plans/{plan_id}/retirement",
    example={"plan_id": "pl_a1qz", "status": "archived", "reason": "it is done"},
)
def retire_plan(
    context: OperationContext,
    *,
    plan_id: Handle,
    status: Literal["cancelled", "archived"],
    reason: Annotated[str, Meta(min_length=1)],
    key: Key | None = None,
) -> Receipt:
    """Cancel or archive a plan, with a reason. It never becomes active again; executions of it go on."""
    if not reason.strip():
        raise InvalidArgument("reason is missing.", hint="Say why the plan is retired.", field="reason")

    def work(transaction: Transaction) -> Entry:
        plan = require_row(transaction.ledger, Plan, plan_id, "plan_id")
        if plan.template:
            check_template(context)
        if plan.status == "cancelled" or plan.status == status:
            raise _retired_error(plan)
        return transaction.write(PlanRetired(status=status), id=plan_id, body=context.body(reason=reason))

    return context.record(key, ["retire", plan_id, status, reason], work, receipt_only)


@operation("read", "GET /v1/plans/{plan_id}", example={"plan_id": "pl_a1qz"})
def get_plan(
    context: OperationContext,
    *,
    plan_id: Handle,
    revision: Annotated[int, Meta(ge=1, description="Only this one; all when left out")] | None = None,
) -> PlanHistory:
    """One plan with all of its revisions, the newest first.

    A revision that was made for one execution, with a step for each item of a list, is read by its number.
    """

    def work(view: View) -> PlanHistory:
        plan = require_row(view, Plan, plan_id, "plan_id")
        rows = list(_revisions(view, plan, revision or 0))
        if revision and not rows:
            raise InvalidArgument(
                f"{plan_id} has no revision {revision}.",
                hint=f"It has 1 to {plan.next_revision - 1}.",
                field="revision",
            )
        return PlanHistory(id=plan_id, status=plan.status, revisions=_plan_views(view, plan, rows, with_steps=True))

    return context.read(work)


def _revisions(view: View, plan: Plan, only: int) -> Iterator[Revision]:
    """One revision, or all of the plan's own, the newest first; not those that were made for one execution."""
    number = only or plan.revision
    while row := view.get(Revision, revision_id(plan.id, number)):
        yield row
        if only or not 0 < row.previous < number:
            return
        number = row.previous


@operation("read", "GET /v1/plans", view="plans", example={"status": "active"})
def list_plans(
    context: OperationContext,
    *,
    status: Literal["active", "cancelled", "archived"] | None = None,
    template: Annotated[Name | None, Meta(description="The template of this name; * for all templates")] = None,
    task_id: Name | None = None,
    type: Name | None = None,
    actor: Name | None = None,
    since: Since = None,
    until: Since = None,
    text: Text = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> PlanPage:
    """Plans, the newest first, each at its newest revision."""

    def work(view: View) -> PlanPage:
        where: dict[str, WhereValue | None] = {
            "status": status,
            "template": PRESENT if template == "*" else template,
            "task_id": task_id,
            "type": type,
            "actor": actor,
        }
        ids = search_ids(view, text, {PlanRecorded.KIND}) if text else None
        rows, cursor_next = find_page(view, Plan, where, since, until, limit, cursor, ids)
        found: list[PlanView] = []
        for plan in rows:
            revision = view.get(Revision, revision_id(plan.id, plan.revision))
            found += _plan_views(view, plan, [revision] if revision else [], with_steps=False)
        return PlanPage(plans=tuple(found), next_cursor=cursor_next)

    return context.read(work)


def _plan_views(view: View, plan: Plan, rows: Sequence[Revision], *, with_steps: bool) -> tuple[PlanView, ...]:
    bodies = {
        seq: json.decode(body) for seq, body in view.bodies({row.seq for row in rows} | {plan.retired_seq}).items()
    }
    missing = [row.seq for row in rows if row.seq not in bodies]
    altered = view.altered_bodies(missing) if missing else ()
    return tuple(
        PlanView(
            id=plan.id,
            revision=row.revision,
            status=plan.status if row.revision == plan.revision or row.execution else "superseded",
            at=times.iso(row.at),
            title=body.get("title") or (ERASED if row.seq in missing and row.seq not in altered else ""),
            goal=body.get("goal", ""),
            type=plan.type,
            task_id=plan.task_id,
            template=plan.template,
            for_tasks=plan.for_tasks,
            reasoning=body.get("reasoning", ""),
            reason=body.get("reason", ""),
            actor=_author(view, row) if with_steps else plan.actor,
            seq=row.seq,
            step_count=len(row.steps),
            steps=tuple(body.get("steps") or map(to_builtins, row.steps)) if with_steps else (),
            parameters=body.get("parameters", {}),
            unwind=body.get("unwind", ""),
            warnings=core_plans.warnings(row.steps, row.at) if with_steps else (),
            retired_reason=bodies.get(plan.retired_seq, {}).get("reason", ""),
            erased=row.seq in missing and row.seq not in altered,
            altered=row.seq in altered,
            execution_id=row.execution,
        )
        for row in rows
        for body in [bodies.get(row.seq, {})]
    )


def _author(view: View, row: Revision) -> str:
    entry = view.entry(row.seq)
    return entry.actor.name if entry else ""


def _masked_step(context: OperationContext, step: Step) -> Step:
    """Mask the names of a step, which go into the facts, and its title, from which its id may be made."""
    policy = step.failure_policy
    if isinstance(policy, FailurePolicy):
        policy = replace(policy, propagate_to=tuple(map(context.masked_name, policy.propagate_to)))
    return replace(
        step,
        id=context.masked_name(step.id) if step.id else UNSET,
        title=context.recording_masker.mask_text(step.title),
        tool=context.masked_name(step.tool),
        after=tuple(map(context.masked_name, step.after)) if step.after else step.after,
        failure_policy=policy,
    )


def _retired_error(plan: Plan) -> WrongState:
    return WrongState(f"{plan.id} is {plan.status}.", hint="Record a new plan instead.", next_call=core_plans.NEW_PLAN)
