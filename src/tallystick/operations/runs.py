"""run_plan, get_run and list_runs: asking a runner to carry out a plan, runs as their runners need them, and where
they have stopped."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct, json
from msgspec.structs import asdict, replace

from tallystick.core import rules
from tallystick.core.entries import DecisionRecorded, Entry, PlanRecorded, StepFacts
from tallystick.core.errors import InvalidArgument, TooLarge, Unsupported, WrongState
from tallystick.core.plans import item_id, with_items
from tallystick.core.state import Approval, Execution, IdempotencyKey, Plan, Progress, Session, progress_id
from tallystick.core.types import FINAL_STATUSES, JSON, ExecutionStatus, Handle, Key, Name, UnwindMode
from tallystick.operations.executions import questions_by_step, questions_of, start_plan, start_receipt
from tallystick.operations.plans import get_plan, require_template
from tallystick.operations.runtime.lookup import OPEN_STATUSES, require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.paging import Cursor, Page, check_cursor
from tallystick.operations.runtime.progress import (
    SHARED_ENGINES,
    approval_status,
    as_of_now,
    pending_approvals,
    plan_text,
    progress_of,
    silence_of_step,
    step_named,
    steps_by_id,
    steps_of,
)
from tallystick.operations.runtime.receipts import ExecutionReceipt, Receipt
from tallystick.store.interface import Select, View, WhereValue

Engine = Literal["local", "server", "queue", "temporal"]
"""What carries out a run: the process that started it, the server that was asked, or workers."""
RunEngine = Literal["local", "queue", "temporal"]
AskedEngine = Literal["local", "queue", "temporal", "caller"]
"""`local`: the server that is asked. `caller`: whoever asks."""
GATHERED_FIELDS = ("id", "title", "for_each", "failure_policy", "priority")
"""Fields that a step with a list keeps when its items have become steps."""
MAX_NAME = 200
WORKER_CLIENT = "tallystick worker"
"""The client of a worker's session."""
NO_WORKER = "No worker is at work on this journal: tallystick worker --tools tools.py"
OFFER = "worker"
"""The kind of document that says what a worker can carry out; its id is the name of the worker's session."""
DEFAULT_QUEUE = "default"
RUNNER_CLIENTS = ("runner", "tallystick")
"""Clients of sessions in which a program may carry out a run: with the journal at hand, and with one at a server."""
QUIET_MICROSECONDS = 5 * 60 * 1_000_000
"""A run with a runner that recorded nothing for so long, and has no action under way, waits for somebody."""
MAX_WORKERS_READ = 100
MAX_FAILED_READ = 100
MAX_STARTED_READ = 20
"""Executions that are read at a time, back from the newest one."""
REFUSALS = ("reject", "respond")
"""The answers after which the call of a step is not made."""
MAX_ENTRIES_SCANNED = 500
"""Entries of an execution, back from its last decision, among which decisions are looked for."""


@operation("record", "POST /v1/runs", scope="run", example={"plan_id": "pl_a1qz", "parameters": {"env": "prod"}})
def run_plan(
    context: OperationContext,
    *,
    plan_id: Handle | None = None,
    template: Annotated[Name | None, Meta(description="Instead of plan_id: the name of a template")] = None,
    parameters: Annotated[dict[str, JSON] | None, Meta(description="Values for the plan's parameters")] = None,
    title: Annotated[str, Meta(max_length=2000)] = "",
    task_id: Annotated[str, Meta(max_length=200)] = "",
    unwind: Annotated[UnwindMode | None, Meta(description="When it fails; the plan's own when left out")] = None,
    revision: Annotated[
        int, Meta(ge=0, description="The plan's revision that you have seen; another one is refused")
    ] = 0,
    engine: Annotated[
        AskedEngine,
        Meta(description="What delivers the steps; caller: whoever asks carries it out, with its own tools"),
    ] = "local",
    seen_seq: Annotated[
        int | None,
        Meta(description="The newest entry that you have seen: refused if a run of this title and task began since"),
    ] = None,
    key: Key | None = None,
) -> ExecutionReceipt:
    """Ask a runner to carry out a plan through its registered tools.

    Returns at once. The same key is the same run: a runner goes on with it, done steps are not done again, and one with
    an unknown outcome is held.
    """
    body = context.body(title=title, parameters=parameters, unwind=unwind)
    task = context.masked_name(task_id)

    require_engine(context.settings.url, engine)
    if bool(plan_id) == bool(template):
        raise InvalidArgument("Give either plan_id or template.", hint="Say what to run, in one way.", field="plan_id")
    is_at_server = context.server_runs is not None and engine == "local"
    used = _used_engine(engine, is_at_server=is_at_server)
    seen = revision
    if is_at_server and not _is_repeated(context, key):
        seen = _check_at_server(context, plan_id, template, revision, parameters or {})

    def work(transaction: Transaction) -> Entry:
        plan = plan_id or require_template(transaction.ledger, template or "").id
        if seen:
            _check_revision(transaction.ledger, plan, seen)
        started = start_plan(transaction, plan, title, task, body, used)
        if seen_seq is not None:
            _check_first(transaction.ledger, started, seen_seq)
        return started

    content = ["run", plan_id, parameters, title, task_id, unwind, used, *([template] if template else [])]
    content += [{"revision": revision}] if revision else []
    return context.record(key, content, work, _run_receipt)


def _used_engine(engine: AskedEngine, *, is_at_server: bool) -> Engine:
    """The engine of a run; raises InvalidArgument if nobody was asked who carries out plans."""
    if is_at_server:
        return "server"
    if engine == "caller":
        return "local"
    if engine == "local":
        raise InvalidArgument(
            "No server is asked, and this process carries out no plans by run_plan: nothing was recorded.",
            hint='Carry the plan out here (`tallystick run PLAN_ID`, `journal.run("PLAN_ID")` in Python), ask a server '
            "with tools (its --url), or give engine=queue, for workers (tallystick worker) on PostgreSQL.",
            field="engine",
            allowed=("queue", "temporal", "caller"),
        )
    return engine


def require_engine(url: str, engine: str) -> None:
    """Raise if nobody can ever carry out a run with this engine: the journal at the address, or this installation, has
    none."""
    if engine == "queue" and url.partition(":")[0] not in ("postgresql", "postgres"):
        raise InvalidArgument(
            "The engine queue needs a journal in PostgreSQL.",
            hint="Open it as postgresql://user@host/database, or use engine=local.",
            field="engine",
        )
    if engine == "temporal" and find_spec("temporalio") is None:
        raise Unsupported("The engine temporal is not installed.", hint="Install tallystick[temporal].")


def _run_receipt(view: View, receipt: Receipt) -> ExecutionReceipt:
    """The receipt of a start, with a note if it waits for a worker and none is alive."""
    found = start_receipt(view, receipt)
    if require_row(view, Execution, receipt.id, "execution_id").engine not in SHARED_ENGINES:
        return found
    return replace(found, notes=(*found.notes, NO_WORKER)) if not living_workers(view) else found


def living_workers(view: View) -> list[Session]:
    """The sessions of the workers that serve the journal."""
    where: dict[str, WhereValue] = {"client": WORKER_CLIENT, "status": "open"}
    return [row for row in view.find(Session, Select(where=where, limit=MAX_WORKERS_READ)) if not view.is_over(row)]


def has_runner(view: View, execution: Execution, readers: Collection[str] = ()) -> bool:
    """Whether a program lives that carries out a run. `readers` are sessions that only look at it."""
    if execution.engine in SHARED_ENGINES:
        return bool(living_workers(view))
    names = {execution.session, execution.working_session, *execution.sessions} - {*readers, ""}
    rows = [row for row in (view.get(Session, name) for name in names) if row]
    return any(not view.is_over(row) for row in rows if _may_carry_out(row, execution))


def _may_carry_out(session: Session, execution: Execution) -> bool:
    """Whether a program of this session may carry out a run: it is a runner's, or a program's that started it. A
    command, or the client of an agent, has only asked."""
    return session.client in RUNNER_CLIENTS or (session.id == execution.session and not session.client)


def stopped_at(view: View, execution: Execution) -> tuple[str, ...]:
    """The failed steps of a running run that the plan leaves to a decision which nobody has made, if it goes on only
    after that."""
    if not execution.engine or execution.status != "running" or not execution.steps.get("failed"):
        return ()
    where: dict[str, WhereValue] = {"execution": execution.id, "status": "failed"}
    rows = view.find(Progress, Select(where=where, newest_first=False, limit=MAX_FAILED_READ))
    planned = steps_by_id(steps_of(view, execution))
    failed = tuple(row.step for row in rows if not row.decided and _is_left_to_decision(planned.get(row.step)))
    if not failed or pending_approvals(view, [execution]):
        return ()
    is_quiet = execution.unsettled != "yes" and view.now() - execution.last_at >= QUIET_MICROSECONDS
    return failed if is_quiet or not has_runner(view, execution) else ()


def _is_left_to_decision(step: StepFacts | None) -> bool:
    return step is not None and step.failure_policy == "manual_decision"


class WorkerOffer(Struct, frozen=True, kw_only=True):
    """What a worker can carry out, as it said at its start: by tool the resource that its calls use, and by resource
    the queue of the steps that use it."""

    engine: str
    queues: tuple[str, ...]
    tools: dict[str, str]
    resource_queues: dict[str, str] = {}

    def queue_of(self, step: Mapping[str, Any]) -> str:
        """The queue into which this worker puts a step of a plan."""
        resource = step.get("resource") or self.tools[step["tool"]]
        return self.resource_queues.get(resource, DEFAULT_QUEUE)


def record_offer(context: OperationContext, name: str, offer: WorkerOffer) -> None:
    """Write what the worker of a name can carry out, and forget those of dead workers."""

    def work(transaction: Transaction) -> None:
        ledger = transaction.ledger
        living = {row.name for row in living_workers(ledger)}
        for each in ledger.documents(OFFER, limit=MAX_WORKERS_READ):
            if each.id not in living:
                ledger.put_document(OFFER, each.id, "")
        ledger.put_document(OFFER, name, json.encode(offer).decode())

    context.write(work)


def offer_of(view: View, session: Session) -> WorkerOffer | None:
    """What a worker can carry out; None of another session."""
    content = view.document(OFFER, session.name) if session.client == WORKER_CLIENT else ""
    return json.decode(content, type=WorkerOffer) if content else None


def unserved_steps(view: View, execution: Execution) -> dict[str, str]:
    """Why no living worker can carry out steps of a run, by step. Nothing is known of a worker of another version."""
    if execution.engine not in SHARED_ENGINES or execution.status in FINAL_STATUSES:
        return {}
    found = [offer_of(view, row) for row in living_workers(view)]
    offers = [each for each in found if each is not None and each.engine == execution.engine]
    if None in found or not found:
        return {}
    steps = [each for each in plan_text(view, execution).get("steps", ()) if each.get("tool")]
    reasons = {each["id"]: _why_unserved(each, offers) for each in steps if each.get("by", "runner") == "runner"}
    return {step: reason for step, reason in reasons.items() if reason}


def _why_unserved(step: Mapping[str, Any], offers: Sequence[WorkerOffer]) -> str:
    having = [each for each in offers if step["tool"] in each.tools]
    if not having:
        return f"no living worker has {step['tool']}"
    served = {queue for each in having for queue in each.queues}
    wanted = {each.queue_of(step) for each in having}
    return "" if wanted & served else f"no living worker with {step['tool']} serves the queue {min(wanted)}"


def _check_first(view: View, started: Entry, seen_seq: int) -> None:
    """Raise WrongState if another run of the same title and task was started behind an entry."""
    own = require_row(view, Execution, started.id, "execution_id")
    cursor = started.id
    while rows := view.find(Execution, Select(after=cursor, limit=MAX_STARTED_READ)):
        for row in rows:
            if row.seq <= seen_seq:
                return
            if row.engine and row.title_key == own.title_key:
                raise WrongState(
                    f"{row.id} of the same title and task was started meanwhile: nothing was started.",
                    hint="Go on with it, or leave out seen_seq to start another one.",
                    field="seen_seq",
                    next_call=("get_run", {"execution_id": row.id}),
                )
        cursor = rows[-1].id


def _is_repeated(context: OperationContext, key: str | None) -> bool:
    name = key or context.principal.request
    return bool(name) and context.read(lambda view: view.get(IdempotencyKey, name)) is not None


def _check_at_server(
    context: OperationContext, plan_id: str | None, template: str | None, revision: int, parameters: Mapping[str, Any]
) -> int:
    """Check a plan with the tools of the server; returns the revision that was checked."""
    assert context.server_runs is not None
    if not context.server_runs.has_tools:
        context.server_runs.check(None, parameters)
    plan = plan_id or context.read(lambda view: require_template(view, template or "").id)
    if revision:
        context.read(lambda view: _check_revision(view, plan, revision))
    newest = get_plan(context, {"plan_id": plan}).revisions[0]
    context.server_runs.check(newest, parameters)
    return newest.revision


def _check_revision(view: View, plan_id: str, revision: int) -> None:
    plan = require_row(view, Plan, plan_id, "plan_id")
    if plan.revision != revision:
        raise WrongState(
            f"{plan.id} is at revision {plan.revision}, not {revision}: nothing was started.",
            hint="Look at what has changed, and give the new revision.",
            field="revision",
            next_call=("get_plan", {"plan_id": plan.id}),
        )


class ItemsReceipt(Receipt, frozen=True, kw_only=True):
    """The revision that the execution follows now, and how many steps it has."""

    plan_id: str
    revision: int
    steps: int


@operation(
    "record",
    "POST /v1/runs/{execution_id}/items",
    scope="run",
    example={"execution_id": "ex_a2v7", "items": {"import": ["a.csv", "b.csv"]}},
)
def record_items(
    context: OperationContext,
    *,
    execution_id: Handle,
    items: Annotated[dict[str, list[JSON]], Meta(min_length=1, description="By step: the list in its for_each")],
    key: Key | None = None,
) -> ItemsReceipt:
    """Say what the lists of steps with for_each hold: each item becomes a step, and the execution goes on with them.

    The step itself comes after its items and gathers their results. The plan stays as it is for other executions.
    """

    def work(transaction: Transaction) -> Entry:
        return PlanItems(transaction, execution_id, items).write()

    return context.record(key, ["items", execution_id, items], work, _items_receipt)


def _items_receipt(view: View, receipt: Receipt) -> ItemsReceipt:
    entry = view.entry(receipt.seq)
    assert entry is not None
    assert isinstance(entry.facts, PlanRecorded)
    return ItemsReceipt(
        **asdict(receipt), plan_id=entry.id, revision=entry.facts.revision, steps=len(entry.facts.steps)
    )


class PlanItems:
    """A revision of a plan for one execution, with a step for each item of some lists."""

    def __init__(self, transaction: Transaction, execution_id: str, items: Mapping[str, Sequence[Any]]) -> None:
        self._transaction = transaction
        self._items = items
        ledger = transaction.ledger
        self._execution = require_row(ledger, Execution, execution_id, "execution_id")
        rules.status_after(self._execution, "replan")  # raises if it cannot follow another revision
        self._plan = require_row(ledger, Plan, self._execution.plan_id, "execution_id")
        self._facts = steps_of(ledger, self._execution)
        for name in items:
            self._check_step(name)
        size = len(self._facts) + sum(map(len, items.values()))
        limit = transaction.context.settings.limits.steps
        if size > limit:
            raise TooLarge(
                f"With its items, the plan has {size:,} steps; the limit is {limit:,}.",
                hint="Split the list, or raise TALLYSTICK_STEPS.",
                field="items",
            )

    def _check_step(self, name: str) -> None:
        step = step_named(self._transaction.ledger, self._execution, name)
        first, last = item_id(name, 1), item_id(name, len(self._items[name]))
        begun = self._transaction.ledger.get(Progress, progress_id(self._execution.id, name))
        is_repeated = begun is not None and begun.status == "failed" and begun.decided == "retry"  # it had no list then
        if (begun and not is_repeated) or first in step.after:
            raise WrongState(f'The step "{name}" was begun, or has its items.', hint="Its list is not needed any more.")
        if len(last) > MAX_NAME or any(each.id.startswith(f"{name}.") for each in self._facts):
            raise InvalidArgument(
                f'The items of "{name}" cannot be named {first}, and so on.',
                hint="Give it a short id, and other steps ids that do not begin with it and a dot.",
                field="items",
            )

    def write(self) -> Entry:
        """Append the revision. The execution follows it from then on."""
        transaction, plan, execution = self._transaction, self._plan, self._execution
        text = plan_text(transaction.ledger, execution)
        if not text:
            raise WrongState(f"The steps of {plan.id} were erased.", hint="Record a new plan.")
        number = plan.next_revision
        counts = {name: len(values) for name, values in self._items.items()}
        facts = PlanRecorded(
            revision=number,
            steps=with_items(self._facts, counts),
            type=plan.type,
            task_id=plan.task_id,
            template=plan.template,
            for_tasks=plan.for_tasks,
        )
        shown = ", ".join(f"{name} ({count})" for name, count in counts.items())
        text |= {"steps": list(self._steps(text["steps"])), "reason": f"one step for each item of {shown}"}
        body = transaction.context.plan_body(**text)
        return transaction.write(facts, id=plan.id, execution=execution.id, body=body)

    def _steps(self, steps: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for step in steps:
            name = step["id"]
            if name not in self._items:
                yield step
                continue
            items = self._items[name]
            for number, item in enumerate(items, 1):
                title = f"{step['title']} ({number} of {len(items)})"
                yield {**step, "id": item_id(name, number), "title": title, "for_each": [item]}
            after = [item_id(name, number + 1) for number in range(len(items))] or step.get("after", [])
            kept = {field: step[field] for field in GATHERED_FIELDS if field in step}
            yield {**kept, "after": after, "cancellable": "reversible", "effect": "read"}


class RunStep(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A step that was begun, decided on or asked about. `state` is running, done, failed, skipped, in_doubt, or empty.

    `decided` is the last decision on it, such as retry. `approval_id` is the newest question about it, and `answer` its
    status. A `retry` before a refusing answer does not count. `silent`: its process lives, and gives no sign of life.
    """

    id: str
    state: str = ""
    attempts: int = 0
    action_id: str = ""
    decided: str = ""
    approval_id: str = ""
    answer: str = ""
    silent: str = ""


class RunState(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An execution as its runner needs it. `seq` is the newest entry that it takes into account.

    `counts` are steps by state, of those that were begun. `steps` has only steps with something recorded about them.
    """

    execution_id: str
    status: ExecutionStatus
    seq: int
    plan_id: str = ""
    revision: int = 0
    task_id: str = ""
    engine: str = ""
    unwind: str = ""
    unwound: bool = False
    total_steps: int = 0
    counts: dict[str, int] = {}
    parameters: dict[str, Any] = {}
    steps: tuple[RunStep, ...] = ()


class OpenRun(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A run that has not ended. `last_seq` is its last own entry; `unsettled`: an action of it is open or in doubt."""

    execution_id: str
    status: ExecutionStatus
    engine: str
    last_seq: int
    unsettled: bool = False


class OpenRunPage(Page, frozen=True, kw_only=True):
    runs: tuple[OpenRun, ...]


@operation("read", "GET /v1/runs", example={"engine": "queue"})
def list_runs(
    context: OperationContext,
    *,
    engine: Annotated[Engine | None, Meta(description="What carries them out; any when left out")] = None,
    limit: Annotated[int, Meta(ge=1, le=1000, description="At most this many")] = 100,
    cursor: Cursor = None,
) -> OpenRunPage:
    """The runs that have not ended, the oldest first."""

    def work(view: View) -> OpenRunPage:
        check_cursor(view, Execution, cursor)
        select = Select(newest_first=False, after=cursor or "", limit=limit + 1)
        found: list[Execution] = []
        for each in (engine,) if engine else get_args(Engine):  # one by one: each has its index
            where: dict[str, WhereValue] = {"engine": each, "status": OPEN_STATUSES}
            found += view.find(Execution, replace(select, where=where))
        found.sort(key=lambda row: row.id)
        runs = tuple(
            OpenRun(
                execution_id=row.id,
                status=row.status,
                engine=row.engine,
                last_seq=row.last_seq,
                unsettled=row.unsettled == "yes",
            )
            for row in found[:limit]
        )
        return OpenRunPage(runs=runs, next_cursor=runs[-1].execution_id if len(found) > limit else "")

    return context.read(work)


@operation("read", "GET /v1/runs/{execution_id}", view="run", example={"execution_id": "ex_a2v7"})
def get_run(
    context: OperationContext,
    *,
    execution_id: Handle,
    steps: Annotated[tuple[Name, ...], Meta(max_length=1000, description="Only these; all when left out")] = (),
) -> RunState:
    """An execution as a runner sees it: its parameters, and the state of each step that was begun or asked about."""

    def work(view: View) -> RunState:
        execution = require_row(view, Execution, execution_id, "execution_id")
        body = view.bodies([execution.seq]).get(execution.seq)
        started: dict[str, Any] = json.decode(body) if body else {}
        return RunState(
            execution_id=execution.id,
            status=execution.status,
            seq=view.head().seq,
            plan_id=execution.plan_id,
            revision=execution.revision,
            task_id=execution.task_id,
            engine=execution.engine,
            unwind=started.get("unwind", ""),
            unwound=execution.unwound,
            total_steps=execution.total_steps,
            counts=execution.steps,
            parameters=started.get("parameters", {}),
            steps=tuple(_run_steps(view, execution, steps)),
        )

    return context.read(work)


def _run_steps(view: View, execution: Execution, names: tuple[str, ...]) -> Iterable[RunStep]:
    asked_all = questions_of(view, execution)
    questions = questions_by_step(view, execution, asked_all)
    if names:
        rows = (view.get(Progress, progress_id(execution.id, name)) for name in names)
        progress = {row.step: as_of_now(view, row) for row in rows if row}
    else:
        progress = progress_of(view, execution.id)
    wanted = names or dict.fromkeys((*progress, *questions))
    retried = _retried_since_question(
        view, execution, questions, {row.about: row.seq for row in asked_all if row.about}
    )
    for name in wanted:
        row, asked = progress.get(name), questions.get(name)
        yield RunStep(
            id=name,
            state=row.status if row else "",
            attempts=row.attempts if row else 0,
            action_id=row.action if row else "",
            decided=retried.get(name, row.decided if row else ""),
            approval_id=asked.id if asked else "",
            answer=approval_status(view, asked) if asked else "",
            silent=silence_of_step(view, row) if row else "",
        )


def _retried_since_question(
    view: View, execution: Execution, questions: Mapping[str, Approval], about: Mapping[str, int]
) -> dict[str, str]:
    """By step whose newest question was answered with a refusal, or whose call somebody else made: `retry` if somebody
    decided that since, else empty. `about`: when it was asked about those calls."""
    refused = {step: asked.decided_seq for step, asked in questions.items() if asked.status in REFUSALS}
    refused = {**about, **refused}
    found = dict.fromkeys(refused, "")
    if not refused or execution.decided_seq < min(refused.values()):
        return found
    before = execution.decided_seq + 1
    for entry in view.entries(after=before, limit=MAX_ENTRIES_SCANNED, execution=execution.id, newest_first=True):
        facts = entry.facts
        if isinstance(facts, DecisionRecorded) and facts.decision == "retry" and facts.step in refused:
            found[facts.step] = "retry" if entry.seq > refused[facts.step] else found[facts.step]
    return found
