"""A run: the handle of a caller on one execution that a runner carries out in this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike
from threading import Lock, Thread
from typing import TYPE_CHECKING, Annotated, Any
from weakref import WeakKeyDictionary

from msgspec import Meta, Struct

from tallystick import operations
from tallystick.core.errors import Conflict, InvalidArgument, StorageUnavailable, TallystickError
from tallystick.core.schedule import SETTLED
from tallystick.core.types import FINAL_STATUSES, Actor, UnwindMode, convert
from tallystick.operations import Operation
from tallystick.operations.runs import RunEngine, require_engine
from tallystick.operations.runtime.receipts import Receipt
from tallystick.operations.runtime.session_lifecycle import PROCESS_LEASE_SECONDS
from tallystick.runner.checks import check_open_steps, check_plan, find_masks, require_no_problems
from tallystick.runner.engines.interface import Work
from tallystick.runner.engines.local import DEFAULT_AT_ONCE, LocalEngine
from tallystick.runner.failures import FAILURE, plain_error
from tallystick.runner.known_run import KnownRun, results_needed
from tallystick.runner.plan_files import PlanFile, load_plan, recorded_plan
from tallystick.runner.runner import Runner
from tallystick.runner.stepper import AsyncCall, CallInOrder
from tallystick.runner.tools.registry import Policy, ToolRegistry, load_policy
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import Local, keep_session
from tallystick.sdk.requests import refuse_coroutine_function, require_function, without_inner_frames
from tallystick.store.forks import process_id

if TYPE_CHECKING:
    from tallystick.operations.runtime.receipts import UndoListItem
    from tallystick.operations.views.entries import EntryView
    from tallystick.sdk.local import GroupCaller, OperationCall
    from tallystick.store.interface import Outcome

POLL_SECONDS = 0.2
"""How often a run in this process looks for entries of others."""
MAX_POLLS_PER_SECOND = 100
"""How often all runs that share a queue do so, on average."""
ENTRIES_PER_PAGE = ITEMS_PER_PAGE = 100
MAX_AT_ONCE = 10_000
GRACE_SECONDS = 10.0
NOT_REPEATED = "Nothing repeats it: let that process go on, or end it; then its outcome is unknown."
OnEntry = Callable[["EntryView"], None]
ReadNew = Callable[[], Awaitable[bool]]
"""Reads a page of new entries of a run, and returns whether there are more."""


class RunOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to run a plan.

    `wait`: stay while somebody else has to act (a person, an agent), instead of returning. `grace`: the seconds that
    calls under way get when the run is stopped. `execution`: the one to go on with.
    """

    parameters: dict[str, Any] | None = None
    title: str = ""
    task_id: str = ""
    unwind: UnwindMode | None = None
    engine: RunEngine = "local"
    key: str | None = None
    at_once: Annotated[int, Meta(ge=1, le=MAX_AT_ONCE)] = DEFAULT_AT_ONCE
    wait: bool = False
    grace: Annotated[float, Meta(ge=0)] = GRACE_SECONDS
    execution: str = ""


class Run:
    """One execution, as a caller of the runner sees it."""

    def __init__(self, caller: GroupCaller, execution: str) -> None:
        self.id = execution
        self._caller = caller
        self.held: dict[str, str] = {}
        """Steps whose outcome is unknown, each with what was found out."""
        self.waiting: dict[str, str] = {}
        """Steps that wait for somebody: an approval, an agent or a person."""
        self.failed: dict[str, str] = {}
        """Steps that failed, each with its error."""
        self.needs_result: frozenset[str] = frozenset()
        """Of the steps that are held or wait, those to whose results other steps refer."""

    def _call(self, operation: Operation[..., Any], **arguments: Any) -> Any:
        try:
            return self._caller.call(operation, {"execution_id": self.id, **arguments})
        except TallystickError as error:
            raise without_inner_frames(error)  # noqa: B904  # it is the same error

    @property
    def status(self) -> str:
        """The status of the execution now."""
        return str(self._call(operations.executions.get_execution).status)

    @property
    def is_over(self) -> bool:
        return self.status in FINAL_STATUSES

    @property
    def results(self) -> dict[str, Any]:
        """The recorded results of the steps that are done."""
        found: dict[str, Any] = {}
        for step in self._call(operations.runs.get_run).steps:
            if step.state == "done" and step.action_id:
                action = self._caller.call(operations.actions.get_action, {"action_id": step.action_id})
                found[step.id] = action.end_body.get("result")
        return found

    @property
    def owed(self) -> tuple[UndoListItem, ...]:
        """What somebody still has to undo, in the order to undo it."""
        found: list[UndoListItem] = []
        cursor: str | None = None
        while cursor != "":
            page = self._call(operations.owed.list_owed, limit=ITEMS_PER_PAGE, cursor=cursor)
            found += page.owed
            cursor = page.next_cursor
        return tuple(found)

    def __iter__(self) -> Iterator[EntryView]:
        """The entries of the execution in order, as far as they are recorded."""
        seq, more = 0, True
        while more:
            page = self._call(operations.entries.read_entries, after=seq, limit=ENTRIES_PER_PAGE)
            yield from page.entries
            seq, more = page.last_seq, page.more

    async def __aiter__(self) -> AsyncIterator[EntryView]:
        entries: Iterator[Any] = iter(self)
        while (entry := await asyncio.to_thread(next, entries, None)) is not None:
            yield entry

    def __repr__(self) -> str:
        now = self._call(operations.executions.get_execution)
        named = {"failed": self.failed, "held": self.held, "waiting": self.waiting}
        lists = "".join(f"; {word}: {', '.join(steps)}" for word, steps in named.items() if steps)
        return f"<Run {self.id}: {now.status}, {now.steps_text}{lists}>"

    def _error_of(self, action: str) -> str:
        """The recorded error of an attempt of an earlier process."""
        if not action:
            return "failed"
        ended = self._caller.call(operations.actions.get_action, {"action_id": action})
        return plain_error(str(ended.end_body.get("error", "")))

    def read_open(self) -> frozenset[str]:
        """Read how a run stands that others carry out; returns the steps that its runner has to begin."""
        state = self._call(operations.runs.get_run)
        named = {"plan_id": state.plan_id, "revision": state.revision}
        plan = recorded_plan(self._caller.call(operations.plans.get_plan, named).revisions[0])
        known = KnownRun(state, {str(step.id): step for step in plan.steps})
        self.take(known)
        self.needs_result = results_needed(known)
        other = "unwinding" if state.status == "unwinding" else FAILURE if state.counts.get("failed") else "question"
        for asked in self._call(operations.approvals.list_approvals, status="pending").approvals:
            if not any(asked.id in text for text in self.waiting.values()):
                self.waiting[other] = f"{asked.id} is not answered"
        return frozenset(name for name in known.ready() if known.schedule.states.get(name) != "in_doubt")

    def take(self, known: KnownRun) -> None:
        """Take over what the runner knows at its end."""
        self.held, self.waiting = dict(known.held), dict(known.waiting)
        earlier = [name for name in known.schedule.names_in("failed") if name not in known.failed]
        self.failed = {**known.failed, **{name: self._error_of(known.actions.get(name, "")) for name in earlier}}
        for name in known.schedule.ready() if known.is_open() else ():
            if known.steps[name].by != "runner":
                self.waiting[name] = f"to be done by the {known.steps[name].by}"
        self.waiting.update({name: f"{text}. {NOT_REPEATED}" for name, text in known.silent.items()})
        for name in known.schedule.names_in("running") if known.is_open() else ():
            if known.steps[name].by != "runner":
                self.waiting[name] = f"under way by the {known.steps[name].by}: {known.actions[name]}"
        if self.held or self.waiting or self.failed:
            self.needs_result = results_needed(known)


class _SharedQueues:
    """Queues that runs at once of one journal share, so that they share commits and threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_caller: WeakKeyDictionary[GroupCaller, WriteQueue] = WeakKeyDictionary()
        self._users: Counter[WriteQueue] = Counter()

    def open(self, caller: GroupCaller, recorder: GroupCaller) -> WriteQueue:
        """The queue of a caller for its runs; `recorder` is the same caller as a runner."""
        with self._lock:
            queue = self._by_caller.get(caller)
            if queue is None or not self._users[queue] or queue.process != process_id():
                queue = self._by_caller[caller] = WriteQueue(recorder)
            self._users[queue] += 1
            return queue

    def users(self, queue: WriteQueue) -> int:
        """How many runs share a queue."""
        return self._users[queue]

    def close(self, queue: WriteQueue) -> None:
        """Close a queue with its last user."""
        with self._lock:
            self._users[queue] -= 1
            if self._users[queue] > 0:
                return
            del self._users[queue]
        queue.close()


_shared_queues = _SharedQueues()


class _News:
    """Entries of an execution since it was looked at last, without those that its runner in this process has made."""

    def __init__(self) -> None:
        self._read: set[int] = set()
        self._own: set[int] = set()

    def without_own(self, queue: WriteQueue) -> tuple[AsyncCall, CallInOrder]:
        """The calls of a queue, for the runner: what they record is no news to it."""

        async def call(operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
            result = await queue.call(operation, arguments)
            self._take_out(result)
            return result

        async def call_in_order(calls: Sequence[OperationCall]) -> list[Outcome]:
            outcomes = await queue.call_in_order(calls)
            for result, _ in outcomes:
                self._take_out(result)
            return outcomes

        return call, call_in_order

    def _take_out(self, result: Any) -> None:
        if isinstance(result, Receipt) and not result.repeated:
            self._own.add(result.seq)

    def add(self, seqs: Iterable[int]) -> None:
        """Add entries that were read."""
        self._read.update(seqs)
        known = self._read & self._own
        self._read -= known
        self._own -= known

    def clear(self) -> bool:
        """Begin anew, with the next look; returns whether there was anything. No call of the runner is under way."""
        self.add(())
        had_any = bool(self._read)
        self._read.clear()
        return had_any


class LocalRun:
    """Carries out one execution in this process, until nothing is left to do here."""

    def __init__(
        self, caller: GroupCaller, tools: ToolRegistry, options: RunOptions, on_entry: OnEntry | None = None
    ) -> None:
        self._caller = caller
        self._tools = tools
        self._options = options
        self._on_entry = on_entry
        self._engine: LocalEngine | None = None
        self._seq = 0
        self._reading = asyncio.Lock()
        self._news = _News()
        observer = getattr(caller, "as_observer", None)
        actor = Actor(kind="runner", name="runner")
        self._recorder = observer(actor, "runner", executes_calls=True) if observer else caller

    @property
    def is_here(self) -> bool:
        """Whether this process carries it out; else workers do."""
        return self._options.engine == "local"

    def start(self, plan: Any) -> Run:
        """Record the plan if it is not yet, and start an execution of it, or go on with the one of the same key."""
        options = self._options
        if options.execution:
            self._check_open_steps(options.execution)
            return Run(self._caller, options.execution)
        return self.start_recorded(self.record(plan))

    def start_recorded(self, plan_id: str, seen_seq: int | None = None) -> Run:
        """Start an execution of a recorded plan, or go on with the one of the same key. Raises WrongState if a run of
        the same title and task was started behind the entry that was seen."""
        options = self._options
        given = {
            "parameters": options.parameters,
            "title": options.title,
            "task_id": options.task_id,
            "unwind": options.unwind,
            "engine": "caller" if options.engine == "local" else options.engine,
            "key": options.key,
            "seen_seq": seen_seq,
        }
        receipt = self._caller.call(operations.runs.run_plan, {"plan_id": plan_id, **given})
        if receipt.repeated:
            self._check_open_steps(receipt.id)
        return Run(self._caller, receipt.id)

    def record(self, plan: Any) -> str:
        """The id of a plan without problems: recorded before, or now."""
        self._require_engine()
        if hasattr(plan, "id") and hasattr(plan, "seq"):
            plan = str(plan.id)
            if not plan.startswith("pl_"):
                raise InvalidArgument(f"{plan} is not a plan.", hint="Give the receipt of record_plan.", field="plan")
        is_recorded = isinstance(plan, str) and plan.startswith("pl_")
        if not isinstance(plan, str | PathLike | Mapping | PlanFile):
            raise InvalidArgument(
                "plan is of another type.", hint="Give a file, a plan's id, or its fields.", field="plan"
            )
        if not is_recorded:
            loaded = plan if isinstance(plan, PlanFile) else load_plan(plan, self._tools)
            self._check(loaded)
            plan = self._record(loaded)
        history = self._caller.call(operations.plans.get_plan, {"plan_id": plan})
        recorded = recorded_plan(history.revisions[0])
        require_no_problems(find_masks(recorded))
        if is_recorded:
            self._check(recorded)
        return str(plan)

    def _require_engine(self) -> None:
        """Raise if nobody could carry out the run, before anything is recorded."""
        engine = self._options.engine
        if isinstance(self._caller, Local):
            require_engine(self._caller.context.settings.url, engine)
        elif engine != "local":
            try:
                self._caller.call(operations.runs.run_plan, {"engine": engine})  # it names no plan: nothing is recorded
            except InvalidArgument as refusal:
                if refusal.field == "engine":
                    raise

    def _record(self, plan: PlanFile) -> str:
        """The id of the plan, recorded once for a key; raises Conflict if it was another plan then."""
        name = self._options.key
        try:
            given = {**plan.arguments(), "key": f"plan:{name}" if name else None}
            return str(self._caller.call(operations.plans.record_plan, given).id)
        except Conflict as conflict:
            execution = self._run_of(conflict)
            if not execution:
                raise
            raise Conflict(
                f'The plan has changed since {execution} was started with the key "{name}".',
                hint=f'Go on with it: `tallystick run --resume {execution}`, or execution="{execution}" in Python. '
                "For another run, give another key.",
                field="plan",
            ) from None

    def _run_of(self, conflict: Conflict) -> str:
        """The newest execution of the plan that was recorded with the same key; empty if there is none."""
        if conflict.field != "key" or not conflict.next_call:
            return ""
        page = self._caller.call(operations.entries.read_entries, conflict.next_call[1])
        plans = [entry.id for entry in page.entries if entry.kind == "plan_recorded"]
        about = {"plan_id": plans[0], "limit": 1} if plans else {}
        found = self._caller.call(operations.executions.list_executions, about).executions if about else ()
        return str(found[0].id) if found else ""

    def _check(self, plan: PlanFile) -> None:
        is_local = self._options.engine == "local"
        problems = check_plan(plan, self._tools, self._options.parameters or {}, with_secrets=is_local)
        require_no_problems(problems)

    def _check_open_steps(self, execution: str) -> None:
        """Raise InvalidArgument if a run cannot go on here because a tool or a secret is missing."""
        state = self._caller.call(operations.runs.get_run, {"execution_id": execution})
        if not self.is_here or not state.plan_id or state.status in (*FINAL_STATUSES, "unwinding"):
            return
        wanted = {"plan_id": state.plan_id, "revision": state.revision}
        plan = recorded_plan(self._caller.call(operations.plans.get_plan, wanted).revisions[0])
        settled = {row.id for row in state.steps if row.state in SETTLED}
        require_no_problems(check_open_steps(plan, self._tools, settled))

    async def carry_out(self, run: Run, *, is_own_loop: bool = False) -> None:
        """Carry out what can be, and return when nothing is left to do in this process. `is_own_loop`: nobody else uses
        the event loop."""
        engine = self._engine = LocalEngine(self._options.at_once)
        is_local = isinstance(self._recorder, Local)  # at a server, records may overtake each other
        if is_own_loop and is_local:
            queue = WriteQueue(self._recorder, engine.is_alone)
        else:
            queue = _shared_queues.open(self._caller, self._recorder)
        record, in_order = self._news.without_own(queue)
        runner = Runner(
            record, self._tools, engine, call_in_order=in_order if is_local else None, session=self._session
        )
        read_new = partial(self._read_new, run, runner, engine, queue)
        while await read_new():
            pass
        self._news.clear()  # what is recorded from now on leads to another look
        await engine.submit(Work(run.id))
        serving = asyncio.create_task(engine.serve(runner.handle))
        following = asyncio.create_task(self._follow(queue, read_new))
        keeping = asyncio.create_task(self._keep_session())
        try:
            await self._until_over(run, engine, runner, read_new, {serving, following})
            await engine.stop(self._options.grace)
            while self._on_entry is not None and await read_new():
                pass
        finally:
            following.cancel()
            await engine.stop(self._options.grace)
            keeping.cancel()
            await asyncio.gather(serving, following, keeping, return_exceptions=True)
            known = runner.runs.get(run.id)
            if known is not None:
                run.take(known)
            await self._tools.close()
            _shared_queues.close(queue)

    def _session(self) -> str:
        return self._recorder.context.own.id if isinstance(self._recorder, Local) else ""

    async def _keep_session(self) -> None:
        """Give signs of life while a call takes long. A session at a server does so by itself."""
        while isinstance(self._recorder, Local):
            await asyncio.sleep(PROCESS_LEASE_SECONDS / 4)
            with suppress(StorageUnavailable):
                await asyncio.to_thread(keep_session, self._recorder)

    @property
    def steps_under_way(self) -> int:
        return self._engine.steps_under_way if self._engine is not None else 0

    async def stop(self, grace: float) -> None:
        """Begin nothing more. Calls under way have so many seconds to end; then their outcome is unknown."""
        if self._engine is not None:
            await self._engine.stop(grace)

    async def _until_over(
        self, run: Run, engine: LocalEngine, runner: Runner, read_new: ReadNew, tasks: set[asyncio.Task[None]]
    ) -> None:
        """Return when nothing is left to do, or the execution was ended; raises what one of the tasks raises."""
        while True:
            idle = asyncio.create_task(engine.idle.wait())
            await asyncio.wait({idle, *tasks}, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            idle.cancel()
            if ended := [task for task in tasks if task.done()]:
                ended[0].result()
                return
            known = runner.runs.get(run.id)
            if known is not None and known.state.status in FINAL_STATUSES:
                return
            if not engine.is_idle or await self._look_at_news(run, engine, read_new):
                continue
            if not self._options.wait:
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _look_at_news(self, run: Run, engine: LocalEngine, read_new: ReadNew) -> bool:
        """Look at the execution once more if others have recorded something since the last look; returns whether they
        have. Of several processes that carry it out, the last one so finds what the others have left to it."""
        while await read_new():
            pass
        if not self._news.clear():
            return False
        await engine.submit(Work(run.id))
        return True

    async def _follow(self, queue: WriteQueue, read_new: ReadNew) -> None:
        """Look again whenever somebody else has recorded something in the execution."""
        while True:
            if not await read_new():
                await asyncio.sleep(max(POLL_SECONDS, _shared_queues.users(queue) / MAX_POLLS_PER_SECOND))

    async def _read_new(self, run: Run, runner: Runner, engine: LocalEngine, queue: WriteQueue) -> bool:
        """Read a page of new entries, and return whether there are more."""
        async with self._reading:
            wanted = {"execution_id": run.id, "after": self._seq, "limit": ENTRIES_PER_PAGE}
            page = await queue.call(operations.entries.read_entries, wanted)
            self._seq = page.last_seq
        self._news.add(entry.seq for entry in page.entries)
        for entry in page.entries:
            if self._on_entry is not None:
                self._on_entry(entry)
        known = runner.runs.get(run.id)
        is_by_others = any(entry.actor_kind != "runner" for entry in page.entries)
        if is_by_others or (known is not None and known.begun_elsewhere(page.entries)):
            await engine.submit(Work(run.id))
        return bool(page.more)


def run_plan(caller: GroupCaller, plan: Any, **options: Any) -> Run:
    """Carry out a plan in this process, and return when nothing is left to do here."""
    local = local_run(caller, **options)
    run = local.start(plan)
    if not local.is_here:
        return run
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(local.carry_out(run, is_own_loop=True))
        return run
    errors: list[BaseException] = []

    def work() -> None:
        try:
            asyncio.run(local.carry_out(run, is_own_loop=True))
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=work, name="tallystick-run")  # a loop runs here already
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return run


async def run_plan_async(caller: GroupCaller, plan: Any, **options: Any) -> Run:
    """`run_plan` for a program that awaits."""
    local = local_run(caller, **options)
    run = await asyncio.to_thread(local.start, plan)
    if local.is_here:
        await local.carry_out(run)
    return run


def local_run(
    caller: GroupCaller,
    *,
    tools: Any = (),
    policy: Policy | str | PathLike[str] | None = None,
    on_entry: OnEntry | None = None,
    **options: Any,
) -> LocalRun:
    """A run with the options of `Journal.run`; raises InvalidArgument for one that does not exist."""
    if not isinstance(tools, Iterable) or isinstance(tools, str):
        raise InvalidArgument(
            f"tools is of type {type(tools).__name__}.", hint="Give a list of functions with @tool.", field="tools"
        )
    if policy is not None and not isinstance(policy, Policy | str | PathLike):
        raise InvalidArgument(
            f"policy is of type {type(policy).__name__}.", hint="Give the path of a policy file.", field="policy"
        )
    if on_entry is not None:
        require_function(on_entry, "on_entry", "Give a function that takes one entry.")
        refuse_coroutine_function(on_entry, "on_entry")
    if isinstance(policy, str | PathLike):
        policy = load_policy(policy)
    registry = tools if isinstance(tools, ToolRegistry) else ToolRegistry(tools, policy)
    registry.check_policy()
    return LocalRun(caller, registry, convert(options, RunOptions, "journal.run"), on_entry)
