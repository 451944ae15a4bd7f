"""Carries out executions: gets work from an engine, makes attempts at steps, and submits what becomes ready.

The journal decides; what a runner remembers of an execution (`KnownRun`) only saves reads. Everything that others
record is found by looking again (`Work` without a step).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from time import monotonic
from typing import Any

from msgspec.structs import replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, WrongState
from tallystick.core.schedule import SETTLED
from tallystick.core.types import FINAL_STATUSES, Step, Undo, parse_undo
from tallystick.operations.runs import RunState
from tallystick.operations.runtime.session_lifecycle import PROCESS_LEASE_SECONDS
from tallystick.runner import expressions
from tallystick.runner.engines.interface import Engine, Work
from tallystick.runner.engines.limits import CallLimits
from tallystick.runner.engines.local import LocalEngine
from tallystick.runner.failures import Failures, error_of_last, seconds_until_retry
from tallystick.runner.known_run import KnownRun, RecordedValues
from tallystick.runner.lasting_records import LastingRecords
from tallystick.runner.plan_files import default_parameters, recorded_plan
from tallystick.runner.questions import decide
from tallystick.runner.stepper import (
    AsyncCall,
    CallInOrder,
    NotAvailable,
    NotBegun,
    StepCall,
    Stepper,
    StepResult,
)
from tallystick.runner.tools.named_secrets import SecretMissing, resolve_secrets
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.tool import RunnerTool
from tallystick.runner.unwinding import UndoLater, Unwinding
from tallystick.sdk.scopes import ASKS_FOR_REASON

log = logging.getLogger("tallystick.worker")
MAX_REFUSED = 5
"""How often a step whose begin was refused is tried again by itself: after 1, 2, 4, ... seconds."""

ELSEWHERE_SECONDS = 0.5
"""How often a step that another worker has begun is looked at: its engine may know of its death before the journal."""

LONG_ELSEWHERE_SECONDS = 1.0
"""The same, once that takes longer than the lease. A takeover is to follow within two seconds of the end of a lease."""

UNAVAILABLE_SECONDS = 5.0
"""How often a worker tries a step whose tool or secret was not there."""

MAX_STEPS_READ = 1000
"""Steps that one read of a run names."""

MAX_KNOWN_RUNS = 1000
"""Runs that a worker remembers, beside those that it works on."""


class Runner:
    """Carries out steps for an engine. `call` records in the journal as the runner, in the session of that id."""

    def __init__(
        self,
        call: AsyncCall,
        tools: ToolRegistry,
        engine: Engine,
        lease: float = PROCESS_LEASE_SECONDS,
        call_in_order: CallInOrder | None = None,
        session: Callable[[], str] = str,
    ) -> None:
        records = LastingRecords(call, call_in_order, session)
        self._call = call = records.call
        self._tools = tools
        self._engine = engine
        self._lease = lease
        self._stepper = Stepper(call, tools, lease, records.call_in_order if call_in_order else None)
        self._values = RecordedValues(call, tools)
        self._limits = CallLimits(tools.policy)
        self._failures = Failures(call)
        self._unwinding = Unwinding(call, tools, self._limits, self._planned_probe, lease)
        self._told: dict[tuple[str, str], int] = {}
        """By step that is under way in a process that gives no sign of life: the attempt that was logged."""
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
        if unsettled := run.schedule.unsettled_before(work.step):
            await self._refresh(run, *unsettled)
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
        run.look_at_others()
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
        await self._give_up(run)
        await self._submit_ready(run)
        await self._end_if_over(run)

    async def _give_up(self, run: KnownRun) -> None:
        """Take steps for failed whose outcome is unknown and whose repetitions are used up, which the journal may know
        better: without a decision nobody repeats them."""
        decided = {row.id: row.decided for row in run.state.steps}
        for name in [each for each in run.schedule.names_in("in_doubt") if each in run.ready()]:
            step, attempts, action = run.steps[name], run.attempts.get(name, 0), run.actions.get(name, "")
            if action and decided.get(name) != "retry" and name not in run.retries:
                error = await error_of_last(self._call, action, step, self._tools.get(step.tool), attempts)
                if error:
                    run.stop_at(name, "failed", error, action_id=action)

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
        except (InvalidArgument, NotAvailable):  # it fails or waits with this when it is due
            return None
        return None if due.tool.needs_approval or self._limits.apply_to(due.tool, step.resource) else due

    async def _not_due(self, run: KnownRun, work: Work) -> None:
        """Go on after a late or repeated delivery: the worker that had it before may have died."""
        if not self._engine.is_shared or work.step in run.in_flight:
            return
        run.retries.pop(work.step, None)
        if run.schedule.states.get(work.step) == "running":
            attempts = run.attempts[work.step]
            delay = self._seconds_elsewhere(run, work.step, attempts)
            if (
                work.step in run.silent
                and delay > ELSEWHERE_SECONDS
                and self._told.get((run.id, work.step)) != attempts
            ):
                self._told[run.id, work.step] = attempts
                log.warning("%s of %s is %s; nothing repeats it", work.step, run.id, run.silent[work.step])
            await self._engine.submit(replace(work, attempts=attempts), delay=delay)
        else:
            run.elsewhere.pop(work.step, None)
            await self._engine.submit(Work(run.id))

    def _seconds_elsewhere(self, run: KnownRun, name: str, attempts: int) -> float:
        """When to look again at a step that another worker has begun: soon, until a dead one's lease is over, and then
        every second. It may have lived when the step was first delivered here, and have died since."""
        now = monotonic()
        if run.elsewhere.get(name, (0, 0.0))[0] != attempts:
            run.elsewhere[name] = (attempts, now)
        return ELSEWHERE_SECONDS if now - run.elsewhere[name][1] < self._lease else LONG_ELSEWHERE_SECONDS

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
        except NotAvailable as error:
            return await self._wait_until_available(run, name, str(error))
        except InvalidArgument as error:
            return await self._fail_before_begin(run, step, str(error))
        if name in run.unavailable:
            run.set_available(name)
        async with self._limits.slots(due.tool, step.resource or due.tool.resource):
            try:
                return await self._stepper.attempt(due, partial(self._next_due, run, name))
            except NotBegun as error:
                return await self._fail_before_begin(run, step, str(error))

    def _due(self, run: KnownRun, step: Step, variables: Mapping[str, Any], tries: int) -> StepCall:
        name = str(step.id)
        tool = self._require_tool(step)
        undo = parse_undo(step.undo if step.undo is not None else tool.undo)
        arguments = tool.fill(step.arguments, variables, f"steps.{name}.arguments")
        try:
            resolve_secrets(arguments, tool.secrets)
        except SecretMissing as error:
            raise NotAvailable(error.args[0]) from None
        except KeyError:  # it is not allowed: the call fails with this
            pass
        return StepCall(
            execution=run.id,
            step=self._with_probe(step, {**variables, "arguments": arguments}),
            tool=tool,
            arguments=arguments,
            undo=self._known(undo, variables, f"steps.{name}.undo", is_filled_again=True) if undo else None,
            revision=run.revision,
            attempts=run.attempts.get(name, 0),
            tries=tries,
            before=run.actions.get(name, ""),
        )

    def _require_tool(self, step: Step) -> RunnerTool:
        """The tool of a step; raises NotAvailable."""
        try:
            return self._tools.require(step.tool, f"steps.{step.id}.tool")
        except InvalidArgument as error:
            raise NotAvailable(str(error)) from None

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

    async def _wait_until_available(self, run: KnownRun, name: str, reason: str) -> StepResult:
        """Leave a step that was not begun to a worker that has what is missing: this one, started anew, or another."""
        if name not in run.unavailable:
            log.warning("%s of %s waits for a worker that can begin it: %s", name, run.id, reason)
        run.unavailable.add(name)
        if self._engine.is_shared:
            await self._submit(run, [name], delay=UNAVAILABLE_SECONDS)
        return StepResult(state="waiting", reason=reason)

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
        elif result.state == "given_back":
            await self._try_later(run, name)
        else:
            action = result.action_id
            run.stop_at(name, result.state, result.reason, is_of_others=result.is_of_others, action_id=action)
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
        elif run.schedule.states.get(name):  # another process works on the run too
            await self._engine.submit(Work(run.id))

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
        if await self._retry_failed(run, failed):
            return
        if await self._failures.settle(run, failed):
            await self._engine.submit(Work(run.id))

    async def _retry_failed(self, run: KnownRun, failed: list[str]) -> bool:
        """Submit those of the failed steps that are to be repeated, which the journal may know better; returns whether
        there are any."""
        found = []
        for name in failed:
            if name in run.failed or not run.actions.get(name):
                continue
            step, attempts = run.steps[name], run.attempts.get(name, 0)
            seconds = await seconds_until_retry(
                self._call, run.actions[name], step, self._tools.get(step.tool), attempts
            )
            if seconds is not None:
                run.retries[name] = (monotonic() + seconds, attempts)
                run.schedule.update(name, "")
                found.append(name)
        await self._submit(run, found)
        if self._engine.is_shared:  # another worker may get them
            for name in found:
                del run.retries[name]
        return bool(found)

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
            elif refusal.field in ASKS_FOR_REASON:
                why = f"all steps are settled. {refusal.message}"
                await decide(self._call, run.id, {"decision": "done", "why": why, "incomplete": True})
        run.take(await self._call(operations.runs.get_run, {"execution_id": run.id}))
