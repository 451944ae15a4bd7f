"""Carries out executions: gets work from an engine, makes attempts at steps, and submits what becomes ready.

The journal decides; what a runner remembers of an execution (`KnownRun`) only saves reads. Everything that others
record is found by looking again (`Work` without a step).
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping
from functools import partial
from time import monotonic
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, WrongState
from tallystick.core.schedule import SETTLED, Schedule
from tallystick.core.types import FINAL_STATUSES, Step, Undo, parse_undo
from tallystick.operations.runs import RunState, RunStep
from tallystick.operations.runtime.session_lifecycle import PROCESS_LEASE_SECONDS
from tallystick.runner import expressions
from tallystick.runner.engines.interface import Engine, Work
from tallystick.runner.engines.local import LocalEngine
from tallystick.runner.failures import Failures, policy_of
from tallystick.runner.limits import CallLimits
from tallystick.runner.plan_files import default_parameters, recorded_plan
from tallystick.runner.questions import decide
from tallystick.runner.stepper import AsyncCall, CallInOrder, NotBegun, StepCall, Stepper, StepResult
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.unwinding import UndoLater, Unwinding
from tallystick.runner.values import PlanLists, RecordedValues

MAX_REFUSED = 5
"""How often a step whose begin was refused is tried again by itself: after 1, 2, 4, ... seconds."""

MAX_STEPS_READ = 1000
"""Steps that one read of a run names."""

MAX_KNOWN_RUNS = 1000
"""Runs that a worker remembers, beside those that it works on."""


class KnownRun:
    """What a runner knows of one execution."""

    def __init__(
        self, state: RunState, steps: Mapping[str, Step], unwind: str = "never", defaults: Mapping[str, Any] = {}
    ) -> None:
        self.id = state.execution_id
        self.revision = state.revision
        self.unwind = unwind
        self.defaults = defaults
        self.steps = steps
        self.lists = PlanLists(steps)
        self.state = state
        self.schedule = Schedule(PlannedOrder.of(steps.values()))
        self.attempts: dict[str, int] = {}
        self.results: dict[str, Any] = {}
        self.actions: dict[str, str] = {}
        self.in_flight: set[str] = set()
        self.reserved: dict[str, str] = {}
        """By step that ends: the one in flight that is to begin in the same commit."""
        self.waiting: dict[str, str] = {}
        self.held: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        self.retries: dict[str, tuple[float, int]] = {}
        """Steps to repeat: when, on the clock `monotonic`, and the attempts that count against the retry policy."""
        self.refused: dict[str, int] = {}
        """How often the begin of a step was refused."""
        self.not_before: dict[str, float] = {}
        """When a step whose begin was refused is tried again at the earliest, on the clock `monotonic`."""
        self.left_to_others: set[str] = set()
        """Steps of agents and people whose condition is true."""
        self.is_undoing = False
        self.look_again = False
        self.take(state)

    def take(self, state: RunState) -> None:
        """Take over what the journal says. Parameters that were left out have the plan's defaults."""
        self.state = replace(state, parameters={**self.defaults, **state.parameters}) if self.defaults else state
        for row in state.steps:
            self._take_step(row)

    def follow(self, before: KnownRun) -> None:
        """Go on with what was known of the execution before it moved to another revision of its plan."""
        self.in_flight, self.results = before.in_flight, before.results
        for now, then in ((self.waiting, before.waiting), (self.held, before.held), (self.failed, before.failed)):
            now.update({name: reason for name, reason in then.items() if name in self.steps})
        self.retries.update({name: due for name, due in before.retries.items() if name in self.steps})
        self.take(self.state)

    def _take_step(self, row: RunStep) -> None:
        if row.id not in self.steps:
            return
        self.attempts[row.id] = row.attempts
        self.actions[row.id] = row.action_id
        is_repeated = row.decided == "retry" or row.id in self.retries
        state = "" if row.state == "failed" and is_repeated else row.state
        if self.schedule.states.get(row.id, "") != state:
            self.schedule.update(row.id, state)
        if state != "failed":
            self.failed.pop(row.id, None)
        if state != "in_doubt":
            self.held.pop(row.id, None)
        if row.answer != "pending":
            self.waiting.pop(row.id, None)
        elif not state:
            self.waiting.setdefault(row.id, f"{row.approval_id} is not answered")

    def is_open(self) -> bool:
        """Whether steps may begin: nobody has paused or ended it, or moved it to another revision."""
        return self.state.status in ("running", "blocked") and self.state.revision == self.revision

    def stops_all(self) -> bool:
        """Whether a failed step says that nothing else begins."""
        return any(policy_of(self.steps[name]) == "cancel_all" for name in self.schedule.names_in("failed"))

    def waits_for_others(self) -> bool:
        """Whether a person has to answer first, or an agent or a person has a step to do."""
        others = [name for name in self.schedule.ready() if self.steps[name].by != "runner"]
        return bool(self.waiting or (others and not self.stops_all()))

    def ready(self) -> list[str]:
        """The steps to submit now: those of the runner that are ready and not in its hands already."""
        if not self.is_open() or self.stops_all():
            return []
        doubtful = [name for name in self.schedule.names_in("in_doubt") if name not in self.held]
        return [name for name in (*doubtful, *self.schedule.ready()) if self._is_free(name)]

    def is_to_submit(self, name: str) -> bool:
        """Whether a ready step is among those to submit now."""
        return self.is_open() and not self.stops_all() and self._is_free(name)

    def _is_free(self, name: str) -> bool:
        if name in self.not_before and monotonic() < self.not_before[name]:
            return False
        return name not in self.in_flight and name not in self.waiting and self._is_ours(name)

    def _is_ours(self, name: str) -> bool:
        """Whether the runner has something to do for a step: all of it, its condition, or its list."""
        step = self.steps[name]
        return (
            step.by == "runner" or name in self.lists.unexpanded or bool(step.when and name not in self.left_to_others)
        )

    def is_before(self, name: str, other: str) -> bool:
        """Whether of two steps this one is to begin first."""
        return self.schedule.rank(name) < self.schedule.rank(other)

    def is_new(self, name: str) -> bool:
        """Whether a step can be submitted, is a call of the runner, and was never tried."""
        is_call = self.steps[name].by == "runner" and name not in self.lists.unexpanded | self.lists.gathers.keys()
        was_tried = self.attempts.get(name) or name in self.retries or name in self.refused
        return is_call and not was_tried and self.is_to_submit(name)

    @property
    def is_complete(self) -> bool:
        """Whether the states of all steps that were begun are known here."""
        known = sum(1 for state in self.schedule.states.values() if state) + len(self.retries)
        return known == sum(self.state.counts.values())

    def may_begin(self, work: Work) -> bool:
        """Whether an attempt at a step may be made: it is ready, or in doubt and a probe may tell. Work that was
        submitted before an attempt that is recorded by now is late."""
        name = work.step
        if work.attempts != self.attempts.get(name, 0):
            return False
        is_due = self.schedule.is_ready(name) or self.schedule.states.get(name) == "in_doubt"
        return is_due and name not in self.in_flight and self.is_open() and not (self.failed and self.stops_all())


class PlannedOrder(Struct, frozen=True):
    """A step as the schedule sees it."""

    id: str
    after: tuple[str, ...]
    priority: int
    estimate: float | None

    @classmethod
    def of(cls, steps: Iterable[Step]) -> list[PlannedOrder]:
        return [cls(str(step.id), step.after or (), step.priority, step.estimate) for step in steps]


class Runner:
    """Carries out steps for an engine. `call` records in the journal, as the runner."""

    def __init__(
        self,
        call: AsyncCall,
        tools: ToolRegistry,
        engine: Engine,
        lease: float = PROCESS_LEASE_SECONDS,
        call_in_order: CallInOrder | None = None,
    ) -> None:
        self._call = call
        self._tools = tools
        self._engine = engine
        self._lease = lease
        self._stepper = Stepper(call, tools, lease, call_in_order)
        self._values = RecordedValues(call, tools)
        self._limits = CallLimits(tools.policy)
        self._failures = Failures(call)
        self._unwinding = Unwinding(call, tools, self._limits, self._planned_probe, lease)
        self.runs: dict[str, KnownRun] = {}

    async def handle(self, work: Work) -> None:
        """Do one piece of work."""
        run = await self._load(work.execution)
        if self._engine.is_shared and work.step in run.steps:
            run = await self._read_before(run, work)
        if work.step in run.steps:
            await self._carry_out(run, work)
        else:
            await self.look(run)
        self._forget(run)

    async def _read_before(self, run: KnownRun, work: Work) -> KnownRun:
        """The run with the states of a step and of those before it: other workers may have carried them out."""
        if work.tries and work.step not in run.in_flight:
            run.retries.setdefault(work.step, (0.0, work.tries))
        await self._refresh(run, work.step, *(run.steps[work.step].after or ()))
        if run.state.revision != run.revision:
            return await self._follow_revision(run)
        return run

    def _forget(self, run: KnownRun) -> None:
        """Keep in a worker's memory what it works on, and the runs that it knew last."""
        if not self._engine.is_shared or run.in_flight or run.is_undoing:
            return
        if run.state.status in FINAL_STATUSES:
            self.runs.pop(run.id, None)
        elif len(self.runs) > MAX_KNOWN_RUNS:
            idle = (each.id for each in self.runs.values() if not each.in_flight and not each.is_undoing)
            self.runs.pop(next(idle), None)

    async def look(self, run: KnownRun) -> None:
        """Read how the execution stands, submit what is ready, and end it when nothing is left to do."""
        run.take(await self._call(operations.runs.get_run, {"execution_id": run.id}))
        if run.state.revision != run.revision:
            run = await self._follow_revision(run)
        if run.is_open() and run.lists.unexpanded and await self._values.expand_known(run):
            run = await self._follow_revision(run)
        if run.state.status == "unwinding":
            await self._unwind(run)
            return
        if run.state.status in FINAL_STATUSES:
            await self._engine.cancel(run.id)
            return
        await self._submit_ready(run)
        await self._end_if_over(run)

    async def _follow_revision(self, before: KnownRun) -> KnownRun:
        state = await self._call(operations.runs.get_run, {"execution_id": before.id})
        run = await self._read_plan(state)
        known = self.runs.get(before.id, before)
        if known.revision >= run.revision:  # it was read at the same time for another step
            return known
        run.follow(known)
        self.runs[run.id] = run
        return run

    async def _unwind(self, run: KnownRun) -> None:
        """Work off the undo list, once at a time. Calls under way end first: they may have to be undone too."""
        run.look_again = True
        if run.in_flight or run.is_undoing:
            return
        run.is_undoing = True
        try:
            while run.look_again and run.state.status == "unwinding":
                run.look_again = False
                await self._unwinding.unwind(run)
                run.take(await self._call(operations.runs.get_run, {"execution_id": run.id}))
        except UndoLater as reason:
            run.waiting = {"unwinding": str(reason)}
        finally:
            run.is_undoing = False

    async def _load(self, execution: str) -> KnownRun:
        known = self.runs.get(execution)
        if known is not None:
            return known
        state = await self._call(operations.runs.get_run, {"execution_id": execution})
        return self.runs.setdefault(execution, await self._read_plan(state))

    async def _read_plan(self, state: RunState) -> KnownRun:
        history = await self._call(operations.plans.get_plan, {"plan_id": state.plan_id, "revision": state.revision})
        plan = recorded_plan(history.revisions[0])
        steps = {str(step.id): step for step in plan.steps}
        unwind = state.unwind or plan.unwind or self._tools.policy.unwind
        return KnownRun(state, steps, unwind, default_parameters(plan.parameters))

    # ------------------------------------------------------------------------------------------------------------------
    # One step

    async def _carry_out(self, run: KnownRun, work: Work) -> None:
        name = work.step
        if not run.may_begin(work):
            await self._not_due(run, work)
            return
        run.in_flight.add(name)
        run.retries.pop(name, None)
        result = await self._conclude_step(run, name, self._attempt(run, run.steps[name], work.tries))
        while result.begun is not None:
            name = result.begun.due.name
            attempt = self._stepper.carry_on(result.begun, partial(self._next_due, run, name))
            result = await self._conclude_step(run, name, attempt)

    async def _conclude_step(self, run: KnownRun, name: str, attempt: Coroutine[Any, Any, StepResult]) -> StepResult:
        """Await an attempt at a step that is in flight, and do what follows from it."""
        begun = None
        try:
            result = await attempt
            begun = result.begun
        finally:
            run.in_flight.discard(name)
            reserved = run.reserved.pop(name, "")
            if begun is None:
                run.in_flight.discard(reserved)
        run = self.runs.get(run.id, run)  # it may have moved to another revision meanwhile
        if begun is None and reserved in run.steps and run.schedule.is_ready(reserved):  # it was taken, and not begun
            await self._submit(run, [reserved])
        if name in run.steps:
            await self._after(run, name, result)
        if name not in run.steps or run.state.status == "unwinding":
            await self._engine.submit(Work(run.id))
        return result

    def _next_due(self, run: KnownRun, name: str) -> StepCall | None:
        """The step that begins as soon as another one has ended, and in its slot, if that can be said before its end is
        recorded. It is in flight from now on."""
        if not isinstance(self._engine, LocalEngine) or self.runs.get(run.id) is not run:
            return None
        first, waiting = next(iter(run.schedule.ready_after(name)), ""), self._engine.first_due()
        if waiting is not None and (not first or waiting.step not in run.steps or run.is_before(waiting.step, first)):
            first = waiting.step
        else:
            waiting = None
        due = self._due_at_once(run, first) if first in run.steps and run.is_new(first) else None
        if due is None or not (self._engine.take(waiting) if waiting else self._engine.starts_more):
            return None
        run.in_flight.add(first)
        run.reserved[name] = first
        return due

    def _due_at_once(self, run: KnownRun, name: str) -> StepCall | None:
        """The call of a step, if it waits for no slot, no answer and no value that is to be read."""
        step, variables = run.steps[name], self._values.known(run, run.steps[name])
        if variables is None or step.needs_approval:
            return None
        try:
            if step.when and not expressions.is_true(step.when, variables, f"steps.{name}.when"):
                return None
            due = self._due(run, step, variables, 0)
        except InvalidArgument:  # it fails with this when it is due
            return None
        return None if due.tool.needs_approval or self._limits.apply_to(due.tool, step.resource) else due

    async def _not_due(self, run: KnownRun, work: Work) -> None:
        """Go on after a late or repeated delivery: the worker that had it before may have died."""
        if not self._engine.is_shared or work.step in run.in_flight:
            return
        run.retries.pop(work.step, None)
        if run.schedule.states.get(work.step) == "running":
            await self._engine.submit(replace(work, attempts=run.attempts[work.step]), delay=self._lease)
        else:
            await self._engine.submit(Work(run.id))

    async def _attempt(self, run: KnownRun, step: Step, tries: int) -> StepResult:
        name = str(step.id)
        if name in run.lists.gathers:
            return StepResult(state="done", action_id=await self._values.gather(run, name))
        try:
            variables = await self._values.variables(run, step)
            if name in run.lists.unexpanded:
                await self._values.expand(run, name, variables)
                return StepResult(state="expanded")
            if step.when and not expressions.is_true(step.when, variables, f"steps.{name}.when"):
                return await self._skip(run, name, step.when)
            if step.by != "runner":
                run.left_to_others.add(name)
                return StepResult(state="given_back")
            due = self._due(run, step, variables, tries)
        except InvalidArgument as error:
            return await self._fail_before_begin(run, step, str(error))
        async with self._limits.slots(due.tool, step.resource or due.tool.resource):
            try:
                return await self._stepper.attempt(due, partial(self._next_due, run, name))
            except NotBegun as error:
                return await self._fail_before_begin(run, step, str(error))

    def _due(self, run: KnownRun, step: Step, variables: Mapping[str, Any], tries: int) -> StepCall:
        name = str(step.id)
        tool = self._tools.require(step.tool, f"steps.{name}.tool")
        undo = parse_undo(step.undo if step.undo is not None else tool.undo)
        arguments = tool.fill(step.arguments, variables, f"steps.{name}.arguments")
        return StepCall(
            execution=run.id,
            step=self._with_probe(step, {**variables, "arguments": arguments}),
            tool=tool,
            arguments=arguments,
            undo=self._known(undo, variables, f"steps.{name}.undo", is_filled_again=True) if undo else None,
            revision=run.revision,
            attempts=run.attempts.get(name, 0),
            tries=tries,
        )

    def _known(self, undo: Undo, variables: Mapping[str, Any], field: str, *, is_filled_again: bool = False) -> Undo:
        """The undo or probe of a step with the values that are known before it begins, filled in as its tool does."""
        tool = self._tools.get(undo.tool)
        fill = tool.fill if tool else expressions.fill
        known = expressions.fill_known(undo.arguments, variables, fill, field, is_filled_again=is_filled_again)
        return replace(undo, arguments=known)

    def _with_probe(self, step: Step, variables: Mapping[str, Any]) -> Step:
        """The step with the values filled in that its probe refers to."""
        if not isinstance(step.probe, Undo):
            return step
        return replace(step, probe=self._known(step.probe, variables, f"steps.{step.id}.probe"))

    async def _planned_probe(self, run: KnownRun, name: str, arguments: Mapping[str, Any]) -> Undo | None:
        """The probe that the plan has for a step that was begun with these arguments, with its values filled in."""
        step = run.steps[name]
        if not isinstance(step.probe, Undo):
            return None
        try:
            variables = await self._values.variables(run, step)
        except InvalidArgument:
            return None
        return self._known(step.probe, {**variables, "arguments": arguments}, f"steps.{name}.probe")

    async def _skip(self, run: KnownRun, name: str, condition: str) -> StepResult:
        why = f"its condition is false: {condition}"
        decision = {"execution_id": run.id, "decision": "skip", "step": name, "why": why}
        await self._call(operations.decisions.record_decision, {**decision, "key": f"skip:{run.id}:{name}"})
        return StepResult(state="done", reason="skipped")

    async def _fail_before_begin(self, run: KnownRun, step: Step, error: str) -> StepResult:
        """Record that a step failed before anything was called."""
        failed = {"phase": "done", "outcome": "failed", "without_effect": True, "error": f"not_done: {error}"}
        about = {"execution_id": run.id, "step": str(step.id), "tool": step.tool or None, "summary": step.title}
        await self._call(operations.actions.record_action, {**failed, **about})
        return StepResult(state="failed", reason=error)

    async def _after(self, run: KnownRun, name: str, result: StepResult) -> None:
        """Remember what came of a step, and submit what follows from it."""
        if result.state == "retry":
            run.retries[name] = (monotonic() + result.delay, result.tries)
            await self._refresh(run, name)
            await self._submit(run, [name])
            return
        if result.state == "expanded":
            await self.look(run)
            return
        if result.state == "done":
            is_skipped = result.reason == "skipped"
            ready = run.schedule.update(name, "skipped" if is_skipped else "done")
            run.actions[name] = result.action_id
            if not result.action_id and not is_skipped:  # somebody else has done it
                await self._refresh(run, name)
            if run.schedule.states.get(name) not in SETTLED:  # somebody did the same call, but not as this step
                ready = []
                await self._try_later(run, name)
            await self._submit(run, [each for each in ready if run.is_to_submit(each)])
        elif result.state in ("failed", "rejected"):
            run.schedule.update(name, "failed")
            run.failed[name] = result.reason
        elif result.state == "held":
            run.schedule.update(name, "in_doubt")
            run.held[name] = result.reason
        elif result.state == "waiting":
            run.waiting[name] = result.reason
        else:
            await self._try_later(run, name)
        if self._engine.is_shared:
            await self._conclude(run, name)
        else:
            await self._end_if_over(run)

    async def _try_later(self, run: KnownRun, name: str) -> None:
        """Look at a step that could not begin, and try it again if nobody else has begun it, some times."""
        await self._refresh(run, name)
        if run.state.revision != run.revision:
            await self._engine.submit(Work(run.id))
            return
        refused = run.refused[name] = run.refused.get(name, 0) + 1
        is_ready, delay = name in run.ready(), float(2 ** min(refused - 1, MAX_REFUSED - 1))
        run.not_before[name] = monotonic() + delay  # a look at the run does not try it sooner
        if refused <= MAX_REFUSED and is_ready:
            await self._submit(run, [name], delay=delay)

    async def _read_joined(self, run: KnownRun, name: str) -> list[str]:
        """The steps behind one that are ready because of others, whose end another worker has recorded."""
        behind = run.schedule.next_to(name)
        before = {each for step in behind for each in (run.steps[step].after or ())}
        unknown = sorted(each for each in before if run.schedule.states.get(each) not in SETTLED)
        if unknown:
            await self._refresh(run, *unknown)
        return [step for step in behind if run.schedule.is_ready(step)]

    async def _conclude(self, run: KnownRun, name: str) -> None:
        """End an execution that other workers work on too, once nobody has anything to do."""
        await self._refresh(run, name)
        if run.is_complete:
            await self._end_if_over(run)
        elif not run.state.counts.get("running"):
            await self._engine.submit(Work(run.id))

    async def _refresh(self, run: KnownRun, *names: str) -> None:
        """Read how some steps stand, or all if they are many."""
        steps = names if len(names) <= MAX_STEPS_READ else ()
        run.take(await self._call(operations.runs.get_run, {"execution_id": run.id, "steps": steps}))

    async def _submit_ready(self, run: KnownRun) -> None:
        await self._submit(run, run.ready())

    async def _submit(self, run: KnownRun, names: list[str], delay: float = 0.0) -> None:
        if self._engine.is_shared:
            await asyncio.gather(*(self._submit_step(run, name, delay) for name in names))
            return
        for name in names:
            await self._submit_step(run, name, delay)

    async def _submit_step(self, run: KnownRun, name: str, delay: float) -> None:
        due, tries = run.retries.get(name, (0.0, 0))
        tool = self._tools.get(run.steps[name].tool)
        resource = run.steps[name].resource or (tool.resource if tool else "")
        await self._engine.submit(
            Work(run.id, name, tries, run.attempts.get(name, 0)),
            delay=max(due - monotonic(), delay),
            rank=run.schedule.rank(name),
            queue=self._limits.queue(resource),
            limit=self._limits.delivery_limit(tool, resource),
        )

    # ------------------------------------------------------------------------------------------------------------------
    # The end

    async def _end_if_over(self, run: KnownRun) -> None:
        """End the execution if all steps are settled, or if a failure leaves nothing to do."""
        if run.in_flight or not run.is_open():
            return
        if run.schedule.is_settled:
            if await self._put_back(run):
                await self._complete(run)
            return
        failed = run.schedule.names_in("failed")
        if not failed or (run.ready() and not run.stops_all()) or run.schedule.names_in("running"):
            return
        if await self._failures.settle(run, failed):
            await self._engine.submit(Work(run.id))

    async def _put_back(self, run: KnownRun) -> bool:
        """Undo what is temporary, if the run may undo at all; returns whether it may end now."""
        if run.unwind == "never" or not any(step.temporary for step in run.steps.values()):
            return True
        if run.is_undoing:
            return False
        run.is_undoing = True
        try:
            return await self._unwinding.put_back(run)
        except UndoLater:
            return False
        finally:
            run.is_undoing = False

    async def _complete(self, run: KnownRun) -> None:
        """Record that the execution is done. What is unsettled beside the steps, such as a doubt, is the reason."""
        done = {"execution_id": run.id, "decision": "done"}
        try:
            await self._call(operations.decisions.record_decision, done)
        except WrongState as refusal:
            if "steps not done" in refusal.message:  # somebody has replanned
                await self._engine.submit(Work(run.id))
            elif refusal.field == "why":
                why = f"all steps are settled. {refusal.message}"
                await decide(self._call, run.id, {"decision": "done", "why": why})
        run.take(await self._call(operations.runs.get_run, {"execution_id": run.id}))
