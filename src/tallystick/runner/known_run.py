"""What a runner knows of one execution, and the recorded values that its steps refer to: results, parameters, context,
items of lists. It only saves reads: the journal decides.

A step with `for_each` is expanded when its list is known: each item becomes a step `NAME.1`, `NAME.2`, ..., in a
revision of the plan for this execution alone. The step itself comes after them and gathers their results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.entries import ActionBegun
from tallystick.core.errors import InvalidArgument, TooLarge, UnknownHandle, WrongState
from tallystick.core.schedule import Schedule
from tallystick.core.types import Step, Undo, parse_undo
from tallystick.operations.runs import REFUSALS, RunState, RunStep
from tallystick.runner import expressions
from tallystick.runner.engines.interface import Work
from tallystick.runner.failures import policy_of

if TYPE_CHECKING:
    from tallystick.operations.views.entries import EntryView
    from tallystick.runner.stepper import AsyncCall
    from tallystick.runner.tools.registry import ToolRegistry

MAX_ITEMS = 100_000
"""More than any plan may have steps: the journal has its own limit."""


class PlanLists:
    """The steps of a plan with `for_each`.

    `unexpanded`: those whose items are not steps yet. `gathers`: by step that gathers, its items. `items`: by step of
    one item, the values of `item` and `index`.
    """

    def __init__(self, steps: Mapping[str, Step]) -> None:
        listed = {name: step for name, step in steps.items() if step.for_each != ""}
        self.gathers: dict[str, tuple[str, ...]] = {}
        self.items: dict[str, dict[str, Any]] = {}
        for name, step in listed.items():
            if step.by == "runner" and not step.tool:
                self.gathers[name] = tuple(each for each in step.after or () if each.startswith(f"{name}."))
        for names in self.gathers.values():
            for index, item in enumerate(names):
                values = listed[item].for_each if item in listed else ()
                if isinstance(values, tuple) and len(values) == 1:
                    self.items[item] = {"item": values[0], "index": index}
        self.unexpanded = listed.keys() - self.gathers.keys() - self.items.keys()


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
        self.unrecorded: dict[str, str] = {}
        """By step that is done without a recorded result: the action that has none."""
        self.actions: dict[str, str] = {}
        self.in_flight: set[str] = set()
        self.reserved: dict[str, str] = {}
        """By step that ends: the one in flight that is to begin in the same commit."""
        self.waiting: dict[str, str] = {}
        self.unavailable: set[str] = set()
        """Those of the waiting steps whose tool or secret is not there."""
        self.held: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        self.given_up: dict[str, str] = {}
        """By step that failed with its outcome unknown, all repetitions used up: its last attempt."""
        self.retries: dict[str, tuple[float, int]] = {}
        """Steps to repeat: when, on the clock `monotonic`, and the attempts that count against the retry policy."""
        self.refused: dict[str, int] = {}
        """How often the begin of a step was refused."""
        self.not_before: dict[str, float] = {}
        """When a step whose begin was refused is tried again at the earliest, on the clock `monotonic`."""
        self.elsewhere: dict[str, tuple[int, float]] = {}
        """Steps that were delivered here while another worker had begun them: its attempt, and since when."""
        self.of_others: set[str] = set()
        """Steps that wait for, or are held by, an action that is not an attempt at them."""
        self.silent: dict[str, str] = {}
        """Steps under way in another process that gives no sign of life, each with who has it and since when."""
        self.left_to_others: set[str] = set()
        """Steps of agents and people whose condition is true."""
        self.is_undoing = False
        self.look_again = False
        self.take(state)

    def take(self, state: RunState) -> None:
        """Take over what the journal says. Parameters that were left out have the plan's defaults."""
        self.state = replace(state, parameters={**self.defaults, **state.parameters}) if self.defaults else state
        for row in state.steps:
            if row.id in self.steps:
                self._take_step(row)
            if row.silent:
                self.silent[row.id] = row.silent
            else:
                self.silent.pop(row.id, None)

    def stop_at(self, name: str, state: str, reason: str, *, is_of_others: bool = False, action_id: str = "") -> None:
        """Remember why a step does not go on now: it failed, was rejected, is held, or waits."""
        if state == "waiting":
            self.waiting[name] = reason
        elif state == "held":
            self.schedule.update(name, "in_doubt")
            self.held[name] = reason
        else:
            self.schedule.update(name, "failed")
            self.failed[name] = reason
            self.given_up[name] = action_id
        if is_of_others:
            self.of_others.add(name)

    def look_at_others(self) -> None:
        """Try again what waits for an action of others: no step tells what came of it."""
        for name in self.of_others:
            self.set_available(name)
            self.held.pop(name, None)
            if name in self.steps and self.schedule.states.get(name) == "in_doubt":
                self.schedule.update(name, "")
        self.of_others.clear()

    def follow(self, before: KnownRun) -> None:
        """Go on with what was known of the execution before it moved to another revision of its plan."""
        self.in_flight, self.results, self.given_up = before.in_flight, before.results, before.given_up
        waiting = {name: reason for name, reason in before.waiting.items() if name not in before.unavailable}
        for now, then in ((self.waiting, waiting), (self.held, before.held), (self.failed, before.failed)):
            now.update({name: reason for name, reason in then.items() if name in self.steps})
        self.retries.update({name: due for name, due in before.retries.items() if name in self.steps})
        self.take(self.state)

    def _take_step(self, row: RunStep) -> None:
        self.attempts[row.id] = row.attempts
        self.actions[row.id] = row.action_id
        if row.id in self.of_others and not row.state:
            return
        is_repeated = row.decided == "retry" or row.id in self.retries
        state = "" if row.state == "failed" and is_repeated else row.state
        if state == "in_doubt" and not is_repeated and self.given_up.get(row.id) == row.action_id:
            state = "failed"
        if self._is_rejected(row, state):
            state = "failed"
        if self.schedule.states.get(row.id, "") != state:
            self.schedule.update(row.id, state)
        if state != "failed":
            self.failed.pop(row.id, None)
        if state != "in_doubt":
            self.held.pop(row.id, None)
        if row.answer != "pending":
            if state or row.id not in self.unavailable:
                self.set_available(row.id)
        elif not state:
            self.waiting.setdefault(row.id, f"{row.approval_id} is not answered")

    def set_available(self, name: str) -> None:
        """A step does not wait any more."""
        self.waiting.pop(name, None)
        self.unavailable.discard(name)

    def _is_rejected(self, row: RunStep, state: str) -> bool:
        """Whether a person has refused the call of a step that would be made otherwise."""
        is_due = not state or (state == "in_doubt" and row.id in self.failed)
        is_refused = row.answer in REFUSALS and row.decided != "retry"
        return is_due and is_refused and self.steps[row.id].by == "runner"

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
        begun = [name for name, state in self.schedule.states.items() if state and name not in self.of_others]
        known = len(begun) + len(self.retries)
        return known == sum(self.state.counts.values())

    def begun_elsewhere(self, entries: Iterable[EntryView]) -> bool:
        """Whether one of these entries of runners begins or ends an attempt that another process makes."""
        others = {self.actions.get(name) for name in self.schedule.names_in("running") if name not in self.in_flight}
        return any(each.id in others or self._is_new_attempt(each) for each in entries)

    def _is_new_attempt(self, entry: EntryView) -> bool:
        step = str(entry.facts.get("step", ""))
        is_begun = entry.kind == ActionBegun.KIND and step in self.steps and step not in self.in_flight
        return is_begun and self.actions.get(step) != entry.id

    def may_begin(self, work: Work) -> bool:
        """Whether an attempt at a step may be made: it is ready, or in doubt and a probe may tell. Work that was
        submitted before an attempt that is recorded by now is late, unless that attempt is what a dead worker left."""
        name = work.step
        is_in_doubt = self.schedule.states.get(name) == "in_doubt"
        if work.attempts != self.attempts.get(name, 0) and not is_in_doubt:
            return False
        is_due = self.schedule.is_ready(name) or is_in_doubt
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


class RecordedValues:
    """Reads values from the journal, and expands lists."""

    def __init__(self, call: AsyncCall, tools: ToolRegistry) -> None:
        self._call = call
        self._tools = tools

    async def variables(self, run: KnownRun, step: Step) -> dict[str, Any]:
        """The values that the expressions of a step refer to, as they were recorded."""
        steps, keys = _names_in(run, step)
        return {
            "parameters": run.state.parameters,
            "steps": {name: await self._of_step(run, name) for name in sorted(steps)},
            "context": {key: await self._of_context(run, key) for key in sorted(keys)},
            expressions.UNRECORDED: run.unrecorded,
            **run.lists.items.get(str(step.id), {}),
        }

    def known(self, run: KnownRun, step: Step) -> dict[str, Any] | None:
        """The same without reading the journal; None if it has to be read."""
        steps, keys = _names_in(run, step)
        if keys or not steps <= run.results.keys():
            return None
        return {
            "parameters": run.state.parameters,
            "steps": {
                name: {"state": run.schedule.states.get(name, ""), "result": run.results[name]} for name in steps
            },
            "context": {},
            **run.lists.items.get(str(step.id), {}),
        }

    async def _of_step(self, run: KnownRun, name: str) -> dict[str, Any]:
        state = run.schedule.states.get(name, "")
        value: dict[str, Any] = {"state": state}
        if state == "done" and name not in run.results and run.actions.get(name):
            await self._read_result(run, name)
        if name in run.results:
            value["result"] = run.results[name]
        return value

    async def _read_result(self, run: KnownRun, name: str) -> None:
        """Read the result of a step that is done, or which action ended without one that can be used."""
        run.unrecorded.pop(name, None)
        action = await self._call(operations.actions.get_action, {"action_id": run.actions[name]})
        if "result" in action.end_body:
            run.results[name] = action.end_body["result"]
        elif name in run.lists.gathers:
            await self._read_results_of_items(run, name)
        elif action.actor_kind == "runner" and not action.after_the_fact and "evidence" not in action.end_body:
            run.results[name] = None  # the tool itself has answered, with nothing
        else:
            run.unrecorded[name] = action.id

    async def _read_results_of_items(self, run: KnownRun, name: str) -> None:
        """Read the results of the items of a list, in its order; None for an item that was skipped."""
        items = run.lists.gathers[name]
        results = [(await self._of_step(run, item)).get("result") for item in items]
        missing = next((run.unrecorded[item] for item in items if item in run.unrecorded), "")
        if missing:
            run.unrecorded[name] = missing
        else:
            run.results[name] = results

    async def _of_context(self, run: KnownRun, key: str) -> Any:
        """The newest value under a key, of the execution, else of its task, else of the project."""
        self._tools.require_context(f"context.{key}")
        for scope in ({"scope": "execution", "execution_id": run.id}, {"scope": "task", "task_id": run.state.task_id}):
            if scope["scope"] == "task" and not run.state.task_id:
                continue
            try:
                return (await self._call(operations.context.get_context, {"key": key, **scope})).values[0].value
            except UnknownHandle:
                continue
        try:
            return (await self._call(operations.context.get_context, {"key": key})).values[0].value
        except UnknownHandle as error:
            raise InvalidArgument(error.message, hint=error.hint, field=f"context.{key}") from None

    # ------------------------------------------------------------------------------------------------------------------
    # Lists

    async def expand_known(self, run: KnownRun) -> bool:
        """Expand the lists that are known before any step is done; returns whether there were any."""
        items: dict[str, list[Any]] = {}
        for name in sorted(run.lists.unexpanded):
            given = run.steps[name].for_each
            if not isinstance(given, str) or expressions.roots_of(given) <= {"parameters"}:
                try:
                    items[name] = list_of(run.steps[name], {"parameters": run.state.parameters})
                except InvalidArgument:  # the step fails with it when it is due
                    continue
        try:
            if items:
                await self._record_items(run, items, "")
        except (InvalidArgument, WrongState):  # the steps fail with it when they are due
            return False
        return bool(items)

    async def expand(self, run: KnownRun, name: str, variables: Mapping[str, Any]) -> None:
        """Expand the list of a step that is due; raises InvalidArgument if it is no list, or too long."""
        items = {name: list_of(run.steps[name], variables)}
        try:
            await self._record_items(run, items, name)
        except WrongState as refusal:  # another worker has expanded it, or the execution does not go on now
            state = await self._call(operations.runs.get_run, {"execution_id": run.id, "steps": (name,)})
            if state.revision == run.revision and state.status in ("running", "blocked") and not state.steps[0].state:
                raise InvalidArgument(refusal.message, hint=refusal.hint, field=f"steps.{name}.for_each") from None

    async def _record_items(self, run: KnownRun, items: dict[str, list[Any]], name: str) -> None:
        key = f"items:{run.id}:{run.revision}:{name}"
        await self._call(operations.runs.record_items, {"execution_id": run.id, "items": items, "key": key})

    async def gather(self, run: KnownRun, name: str) -> str:
        """Record the results of the items of a list as the result of its step; returns the action."""
        step = run.steps[name]
        await self._read_results_of_items(run, name)
        done = {
            "phase": "done",
            "outcome": "ok",
            "effect": "read",
            "execution_id": run.id,
            "step": name,
            "summary": step.title,
            "key": f"run:{run.id}:{name}:1",
        }
        try:
            result = {"result": run.results[name]} if name in run.results else {}
            receipt = await self._call(operations.actions.record_action, {**done, **result})
        except TooLarge:  # each item has its own
            receipt = await self._call(operations.actions.record_action, done)
        return str(receipt.id)


def results_needed(run: KnownRun) -> frozenset[str]:
    """The steps to whose results others refer; with a list, its items too."""
    paths = [
        path for step in run.steps.values() for each in _expressions_of(step) for path in expressions.paths_in(each)
    ]
    named = {path.parts[1] for path in paths if path.root == "steps" and "result" in path.parts[2:3]}
    return frozenset(named.union(*(run.lists.gathers.get(name, ()) for name in named)))


def _expressions_of(step: Step) -> list[str]:
    calls = [parse_undo(step.undo), step.probe]
    texts = [step.arguments, step.for_each, *(each.arguments for each in calls if isinstance(each, Undo))]
    return [*expressions.expressions_in(texts), step.when]


def _names_in(run: KnownRun, step: Step) -> tuple[set[str], set[str]]:
    """The steps and the keys of the context that the expressions of a step refer to."""
    found = _expressions_of(step)
    steps = {name for each in found for name in expressions.steps_named(each) if name in run.steps}
    return steps, {key for each in found for key in expressions.context_keys_named(each)}


def list_of(step: Step, variables: Mapping[str, Any]) -> list[Any]:
    """The list of a step with `for_each`; raises InvalidArgument if it is none."""
    field, given = f"steps.{step.id}.for_each", step.for_each
    found = expressions.fill(given, variables, field) if isinstance(given, str) else list(given)
    if isinstance(found, list) and len(found) <= MAX_ITEMS:
        return found
    raise InvalidArgument(
        f"{field} is {'too long' if isinstance(found, list) else 'no list'}.",
        hint="Refer to a list such as ${steps.find.result}.",
        field=field,
    )
