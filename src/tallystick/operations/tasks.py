"""Tasks: items of somebody's work, known by their ids in their own system; plans and executions may belong to one."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct, json
from msgspec.structs import asdict

from tallystick.core.entries import Entry, PlanRecorded, TaskRecorded
from tallystick.core.errors import InvalidArgument, UnknownHandle
from tallystick.core.formats import times
from tallystick.core.plans import step_id
from tallystick.core.state import Plan, Revision, Task, revision_id
from tallystick.core.types import Key, Name, Step
from tallystick.operations.runtime.lookup import ERASED, MAX_HANDLES_SHOWN, erased_among
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.paging import Cursor, Limit, Page, find_page
from tallystick.operations.runtime.receipts import Receipt
from tallystick.store.interface import Select, View, WhereValue

MAX_TASK_LEVELS = 100
"""How many tasks a task is a part of, one in the other."""


class TaskReceipt(Receipt, frozen=True, kw_only=True):
    """`plan_id` is the plan that a template made for the task, if one did."""

    task_id: str
    plan_id: str = ""


class TaskView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A task as it was recorded last. `erased` is true when its text was erased."""

    task_id: str
    recorded: str
    title: str = ""
    type: str = ""
    parent: str = ""
    actor: str = ""
    plan_id: str = ""
    erased: bool = False


class TaskPage(Page, frozen=True, kw_only=True):
    tasks: tuple[TaskView, ...]


@operation("record", "POST /v1/tasks", example={"task_id": "T-17", "title": "Move the site", "type": "deploy"})
def record_task(
    context: OperationContext,
    *,
    task_id: Annotated[Name, Meta(description="Its id in your own system")],
    title: Annotated[str, Meta(max_length=2000)] = "",
    type: Annotated[str, Meta(max_length=200, description="What kind of task, e.g. deploy")] = "",
    parent: Annotated[str, Meta(max_length=200, description="The task that it is a part of")] = "",
    key: Key | None = None,
) -> TaskReceipt:
    """Record a task, so that plans, executions and context of it are found under its title.

    If a template is for tasks of this type, a plan is made from it. Recording it again changes its title, type and
    parent.
    """
    name, own_type, above = map(context.masked_name, (task_id, type, parent))
    body = context.body(title=title)

    def work(transaction: Transaction) -> Entry:
        _check_parents(transaction.ledger, name, above)
        known = transaction.ledger.get(Task, name)
        plan = "" if known or not own_type else _make_plan(transaction, own_type, name)
        facts = TaskRecorded(task_id=name, type=own_type, parent=above, plan_id=plan)
        return transaction.write(facts, body=body)

    return context.record(key, ["task", task_id, title, type, parent], work, _task_receipt)


def _check_parents(view: View, task: str, parent: str) -> None:
    """Raise InvalidArgument if a task would be a part of itself, or of too many others, one in the other."""
    chain = [task]
    while parent:
        if parent in chain or len(chain) > MAX_TASK_LEVELS:
            shown = [*chain[:MAX_HANDLES_SHOWN], *(["..."] if len(chain) > MAX_HANDLES_SHOWN else []), parent]
            limit = f"A task is a part of at most {MAX_TASK_LEVELS} others, one in the other"
            what = "A task is not a part of itself" if parent in chain else limit
            raise InvalidArgument(
                f"{what}: {' is a part of '.join(shown)}.",
                hint="Leave parent out, or name another. To change a wrong parent, record that task again.",
                field="parent",
            )
        chain.append(parent)
        row = view.get(Task, parent)
        parent = row.parent if row else ""


def _make_plan(transaction: Transaction, type: str, task: str) -> str:
    """Make a plan for a task from the newest template for its type; returns its id, or nothing if there is none."""
    ledger = transaction.ledger
    found = ledger.find(Plan, Select(where={"for_tasks": type, "status": "active"}, limit=1))
    revision = ledger.get(Revision, revision_id(found[0].id, found[0].revision)) if found else None
    body = ledger.bodies([revision.seq]).get(revision.seq) if revision else None
    if revision is None or body is None:
        return ""
    key, digest, transaction.key, transaction.digest = transaction.key, transaction.digest, "", ""
    facts = PlanRecorded(revision=1, steps=revision.steps, type=found[0].type or type, task_id=task)
    made = transaction.write(facts, body=body)
    transaction.key, transaction.digest = key, digest
    return made.id


def write_subtasks(transaction: Transaction, parent: str, steps: Iterable[Step]) -> None:
    """Record a task for each step of a plan, under the task of the plan."""
    for step in steps:
        name = f"{parent}/{step_id(step)}"
        if transaction.ledger.get(Task, name) is None:
            _check_parents(transaction.ledger, name, parent)
            body = transaction.context.body(title=step.title)
            transaction.write(TaskRecorded(task_id=name, type="step", parent=parent), body=body)


def _task_receipt(view: View, receipt: Receipt) -> TaskReceipt:
    entry = view.entry(receipt.seq)
    assert entry is not None
    assert isinstance(entry.facts, TaskRecorded)
    return TaskReceipt(**asdict(receipt), task_id=entry.facts.task_id, plan_id=entry.facts.plan_id)


@operation("read", "GET /v1/tasks/{task_id}", example={"task_id": "T-17"})
def get_task(context: OperationContext, *, task_id: Name) -> TaskView:
    """One task. `list_plans`, `list_executions` and `list_context` find what belongs to it."""

    def work(view: View) -> TaskView:
        row = view.get(Task, context.masked_name(task_id))
        if row is None:
            newest = [each.id for each in view.find(Task, Select(limit=MAX_HANDLES_SHOWN))]
            hint = f"There are: {', '.join(newest)}." if newest else "No task was recorded in this journal yet."
            raise UnknownHandle(f'There is no task "{task_id}".', hint=hint, field="task_id", allowed=newest)
        return _task_views(view, [row])[0]

    return context.read(work)


@operation("read", "GET /v1/tasks", view="tasks", example={"parent": "T-17"})
def list_tasks(
    context: OperationContext,
    *,
    parent: Annotated[Name | None, Meta(description="Those that are a part of this task")] = None,
    type: Name | None = None,
    actor: Name | None = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> TaskPage:
    """Recorded tasks, in the order of their ids, the last first."""

    def work(view: View) -> TaskPage:
        where: dict[str, WhereValue | None] = {"parent": parent, "type": type, "actor": actor}
        rows, cursor_next = find_page(view, Task, where, None, None, limit, cursor)
        return TaskPage(tasks=_task_views(view, rows), next_cursor=cursor_next)

    return context.read(work)


def _task_views(view: View, rows: list[Task]) -> tuple[TaskView, ...]:
    bodies = {seq: json.decode(body) for seq, body in view.bodies({row.seq for row in rows}).items()}
    erased = erased_among(view, (row.seq for row in rows))
    return tuple(
        TaskView(
            task_id=row.id,
            recorded=times.iso(row.at),
            title=bodies.get(row.seq, {}).get("title", "") or (ERASED if row.seq in erased else ""),
            type=row.type,
            parent=row.parent,
            actor=row.actor,
            plan_id=row.plan_id,
            erased=row.seq in erased,
        )
        for row in rows
    )
