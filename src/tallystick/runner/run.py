"""A run: the handle of a caller on one execution that a runner carries out in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from threading import Thread
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import InvalidArgument
from tallystick.core.types import FINAL_STATUSES, Actor, UnwindMode
from tallystick.operations.runs import Engine as EngineName
from tallystick.runner.engines.interface import Work
from tallystick.runner.engines.local import DEFAULT_AT_ONCE, LocalEngine
from tallystick.runner.plan_files import load_plan
from tallystick.runner.runner import KnownRun, Runner
from tallystick.runner.tools.registry import Policy, ToolRegistry
from tallystick.sdk.async_dispatch import WriteQueue

if TYPE_CHECKING:
    from tallystick.operations.entries import EntryView
    from tallystick.sdk.local import GroupCaller

POLL_SECONDS = 0.2
"""How often a run in this process looks for entries of others."""
ENTRIES_PER_PAGE = 100


class RunOptions(Struct, frozen=True, kw_only=True):
    """How to run a plan.

    `wait`: stay while somebody else has to act (a person, an agent), instead of returning. `grace`: the seconds that
    calls under way get when the run is stopped.
    """

    parameters: dict[str, Any] | None = None
    title: str = ""
    task_id: str = ""
    unwind: UnwindMode | None = None
    engine: EngineName = "local"
    key: str | None = None
    at_once: int = DEFAULT_AT_ONCE
    wait: bool = False
    grace: float = 10.0
    on_entry: Callable[[EntryView], None] | None = None


class Run:
    """One execution, as a caller of the runner sees it."""

    def __init__(self, caller: GroupCaller, execution: str) -> None:
        self.id = execution
        self._caller = caller
        self._status: Any = None
        self._results: dict[str, Any] | None = None
        self.held: dict[str, str] = {}
        """Steps whose outcome is unknown, each with what was found out."""
        self.waiting: dict[str, str] = {}
        """Steps that wait for somebody: an approval, an agent, a person, or a decision about a failure."""
        self.failed: dict[str, str] = {}
        """Steps that failed, each with its error."""

    @property
    def status(self) -> str:
        """The status of the execution now."""
        return str(self._caller.call(operations.executions.get_execution, {"execution_id": self.id}).status)

    @property
    def is_over(self) -> bool:
        return self.status in FINAL_STATUSES

    @property
    def results(self) -> dict[str, Any]:
        """The recorded results of the steps that are done."""
        run = self._caller.call(operations.runs.get_run, {"execution_id": self.id})
        found: dict[str, Any] = {}
        for step in run.steps:
            if step.state == "done" and step.action_id:
                action = self._caller.call(operations.actions.get_action, {"action_id": step.action_id})
                found[step.id] = action.end_body.get("result")
        return found

    def __iter__(self) -> Iterator[EntryView]:
        """The entries of the execution in order, as far as they are recorded."""
        seq, more = 0, True
        while more:
            page = self._caller.call(
                operations.entries.read_entries,
                {"execution_id": self.id, "after": seq, "limit": ENTRIES_PER_PAGE},
            )
            yield from page.entries
            seq, more = page.last_seq, page.more

    def __repr__(self) -> str:
        return f"<Run {self.id}: {self.status}>"

    def take(self, known: KnownRun) -> None:
        """Take over what the runner knows at its end."""
        self.held, self.failed = dict(known.held), dict(known.failed)
        self.waiting = dict(known.waiting)
        for name in known.schedule.ready():
            if known.steps[name].by != "runner":
                self.waiting[name] = f"to be done by the {known.steps[name].by}"


class LocalRun:
    """Carries out one execution in this process, until nothing is left to do here."""

    def __init__(self, caller: GroupCaller, tools: ToolRegistry, options: RunOptions) -> None:
        self._caller = caller
        self._tools = tools
        self._options = options
        observer = getattr(caller, "as_observer", None)
        actor = Actor(kind="runner", name="runner")
        self._recorder = observer(actor, "runner", executes_calls=True) if observer else caller

    def start(self, plan: Any, execution: str = "") -> str:
        """Record the plan if it is not yet, and start an execution of it, or go on with the one of the same key."""
        if execution:
            return execution
        options = self._options
        given = {
            "parameters": options.parameters,
            "title": options.title,
            "task_id": options.task_id,
            "unwind": options.unwind,
            "engine": options.engine,
            "key": options.key,
        }
        plan_id = self._plan_id(plan)
        started = self._caller.call(operations.runs.run_plan, {"plan_id": plan_id, **given})
        return str(started.id)

    def _plan_id(self, plan: Any) -> str:
        if hasattr(plan, "id") and hasattr(plan, "seq"):
            return str(plan.id)
        if isinstance(plan, str) and plan.startswith("pl_"):
            return plan
        if not isinstance(plan, str | PathLike | Mapping):
            raise InvalidArgument(
                "plan is of another type.", hint="Give a file, a plan's id, or its fields.", field="plan"
            )
        loaded = load_plan(plan, self._tools)
        key = f"plan:{self._options.key}" if self._options.key else None
        return str(self._caller.call(operations.plans.record_plan, {**loaded.arguments(), "key": key}).id)

    async def carry_out(self, run: Run) -> None:
        """Carry out what can be, and return when nothing is left to do in this process."""
        engine = LocalEngine(self._options.at_once)
        queue = WriteQueue(self._recorder)
        runner = Runner(queue.call, self._tools, engine)
        await engine.submit(Work(run.id))
        serving = asyncio.create_task(engine.serve(runner.handle))
        following = asyncio.create_task(self._follow(run, engine, queue))
        try:
            await self._until_over(run, engine, runner, serving)
        finally:
            following.cancel()
            await engine.stop(self._options.grace)
            await asyncio.gather(serving, following, return_exceptions=True)
            known = runner.runs.get(run.id)
            if known is not None:
                run.take(known)
            await self._tools.close()
            queue.close()

    async def _until_over(self, run: Run, engine: LocalEngine, runner: Runner, serving: asyncio.Task[None]) -> None:
        while True:
            idle = asyncio.create_task(engine.idle.wait())
            await asyncio.wait({idle, serving}, return_when=asyncio.FIRST_COMPLETED)
            idle.cancel()
            if serving.done():
                serving.result()
                return
            known = runner.runs.get(run.id)
            if not self._options.wait or known is None or known.state.status in FINAL_STATUSES:
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _follow(self, run: Run, engine: LocalEngine, queue: WriteQueue) -> None:
        """Look again whenever somebody else has recorded something in the execution."""
        seq = 0
        while True:
            page = await queue.call(
                operations.entries.read_entries,
                {"execution_id": run.id, "after": seq, "limit": ENTRIES_PER_PAGE},
            )
            for entry in page.entries:
                if self._options.on_entry is not None:
                    self._options.on_entry(entry)
            if seq and any(entry.actor_kind != "runner" for entry in page.entries):
                await engine.submit(Work(run.id))
            seq = page.last_seq
            if not page.more:
                await asyncio.sleep(POLL_SECONDS)


def run_plan(
    caller: GroupCaller,
    plan: Any,
    *,
    tools: Iterable[Any] | ToolRegistry = (),
    policy: Policy | None = None,
    execution: str = "",
    **options: Any,
) -> Run:
    """Carry out a plan in this process, and return when nothing is left to do here."""
    local = LocalRun(caller, _registry(tools, policy), RunOptions(**options))
    run = Run(caller, local.start(plan, execution))
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(local.carry_out(run))
        return run
    errors: list[BaseException] = []

    def work() -> None:
        try:
            asyncio.run(local.carry_out(run))
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=work, name="tallystick-run")  # a loop runs here already
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return run


async def run_plan_async(
    caller: GroupCaller,
    plan: Any,
    *,
    tools: Iterable[Any] | ToolRegistry = (),
    policy: Policy | None = None,
    execution: str = "",
    **options: Any,
) -> Run:
    """`run_plan` for a program that awaits."""
    local = LocalRun(caller, _registry(tools, policy), RunOptions(**options))
    run = Run(caller, await asyncio.to_thread(local.start, plan, execution))
    await local.carry_out(run)
    return run


def _registry(tools: Iterable[Any] | ToolRegistry, policy: Policy | None) -> ToolRegistry:
    return tools if isinstance(tools, ToolRegistry) else ToolRegistry(tools, policy)
