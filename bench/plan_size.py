"""Compares plans of 10,000 steps with plans of 100, and many small executions at once with one large one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from graphlib import TopologicalSorter
from typing import Any

from bench import plans
from bench.contenders.runner_plan import work
from bench.figure import Aim, Bench, Figure
from bench.rounds import interleave, ratio, spread
from tallystick import AsyncJournal, Journal, tool
from tallystick.core.plans import normalize_steps
from tallystick.core.schedule import Schedule
from tallystick.core.types import Step
from tallystick.runner.known_run import PlannedOrder
from tallystick.runner.stepper import call_tool
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.tool import CallContext

SMALL, LARGE = 100, 10_000
STEPS_A_TURN = 50
STEPS_EACH = 5


def figures(bench: Bench) -> list[Figure]:
    return [*_growth(bench), _build(bench), _schedule(bench), _many(bench)]


class _Execution:
    """An execution of a plan whose steps depend on nothing. A turn begins and ends some of them, all over the plan."""

    def __init__(self, journal: Journal, size: int) -> None:
        self._journal = journal
        self._size = size
        steps: Any = plans.wide(size)
        self._plan = journal.record_plan(title="bench", steps=steps).id
        self._left: list[int] = []
        self.id = ""

    def step(self) -> float:
        """The CPU seconds of the begin and the end of a step."""
        if len(self._left) < STEPS_A_TURN:
            self.id = self._journal.record_execution_start(plan_id=self._plan).id
            self._left = [number * 7919 % self._size for number in range(self._size)]
        started = time.process_time()
        for _ in range(STEPS_A_TURN):
            self._record(self._left.pop())
        return (time.process_time() - started) / STEPS_A_TURN

    def _record(self, number: int) -> None:
        step = plans.step(number, [])
        begun = self._journal.record_action(
            phase="begin",
            execution_id=self.id,
            step=step["id"],
            tool=step["tool"],
            arguments=step["arguments"],
            summary=step["title"],
        )
        self._journal.record_action(phase="end", action_id=begun.id, outcome="ok", result=number)

    def look(self, read: Callable[[str], Any]) -> float:
        """The CPU seconds of a look at it, after another step."""
        self._record(self._left.pop())
        started = time.process_time()
        read(self.id)
        return time.process_time() - started


def _growth(bench: Bench) -> list[Figure]:
    with Journal.open(f"sqlite:///{bench.folder / 'plan-size.db'}") as journal:
        small, large = _Execution(journal, SMALL), _Execution(journal, LARGE)
        turns = {"small": small.step, "large": large.step}
        interleave(turns, 2)
        samples = interleave(turns, bench.amount(30, 8))
        found = [
            _figure("runner.size.step", "Begin and end of a step", samples, Aim(bound=1.1), 1000),
        ]
        looks: dict[str, Callable[[str], Any]] = {
            "get_status": lambda id: journal.get_status(execution_id=id),
            "get_brief": lambda id: journal.get_brief(execution_id=id),
        }
        for name, read in looks.items():
            looked = {"small": lambda: small.look(read), "large": lambda: large.look(read)}  # noqa: B023  used at once
            small.step()  # enough steps are left
            interleave(looked, 3)
            samples = interleave(looked, bench.amount(15, 8))
            found.append(_figure(f"runner.size.{name}", f"`{name}` after a step", samples, Aim(bound=3.0), 1000))
        return found


def _figure(name: str, title: str, samples: dict[str, list[float]], aim: Aim, scale: float) -> Figure:
    found = ratio(samples, "large", "small")
    small, large = (scale * spread(samples[each]).median for each in ("small", "large"))
    return Figure(
        name,
        f"{title} in a plan of {LARGE:,} steps, compared with one of {SMALL}, CPU time",
        found.median,
        aim=aim,
        low=found.low,
        high=found.high,
        notes=f"{large:.3f} ms in the large plan, {small:.3f} ms in the small one",
    )


def _build(bench: Bench) -> Figure:
    """Check and order 10,000 steps: ids, references, circles and ranks; by the standard library, circles alone."""
    given = plans.graph(LARGE)
    steps = [Step(**each) for each in given]
    graph = {each["id"]: each["after"] for each in given}

    def build() -> float:
        started = time.process_time()
        Schedule(PlannedOrder.of(normalize_steps(steps, LARGE)))
        return time.process_time() - started

    def prepare() -> float:
        started = time.process_time()
        TopologicalSorter(graph).prepare()
        return time.process_time() - started

    turns = {"schedule": build, "graphlib": prepare}
    interleave(turns, 1)
    samples = interleave(turns, bench.amount(9, 3))
    found = ratio(samples, "schedule", "graphlib")
    own, floor = (1000 * spread(samples[name]).median for name in ("schedule", "graphlib"))
    notes = f"{own:.0f} ms, graphlib {floor:.0f} ms"
    title = f"Check and schedule a graph of {LARGE:,} steps, compared with graphlib"
    return Figure("runner.schedule.build", title, found.median, "times", Aim(bound=3.0), found.low, found.high, notes)


def _schedule(bench: Bench) -> Figure:
    """Schedule steps and call their tools, with no journal."""
    steps = [Step(**each) for each in plans.graph(bench.amount(5000, 1000))]
    called = ToolRegistry([work]).require("work", "tool")
    by_id = {str(step.id): step for step in steps}

    async def carry_out() -> None:
        schedule = Schedule(PlannedOrder.of(steps))
        ready = schedule.ready()
        while ready:
            name = ready.pop()
            arguments = called.fill(by_id[name].arguments, {}, "arguments")
            call = CallContext(execution="ex_1", step=name, attempt=1, idempotency_key=name, timeout=None)
            await call_tool(called, arguments, call)
            ready += schedule.update(name, "done")

    def turn() -> float:
        started = time.process_time()
        asyncio.run(carry_out())
        return 1_000_000 * (time.process_time() - started) / len(steps)

    turn()
    found = spread([turn() for _ in range(bench.amount(9, 3))])
    title = "Schedule a step and call its tool, with no journal"
    return Figure("runner.schedule.step", title, found.median, "µs", Aim(bound=40.0), found.low, found.high)


@tool
async def numbered(number: int, place: int) -> int:
    """Return at once."""
    return number


def _many(bench: Bench) -> Figure:
    """Many executions at once in one process, and one plan with as many steps that depend on nothing."""
    executions = bench.amount(1000, 100)

    async def measure() -> list[tuple[float, float]]:
        async with AsyncJournal.open(f"sqlite:///{bench.folder / 'many.db'}") as journal:
            return [await _rates(journal, executions) for _ in range(bench.amount(3, 2))]

    rates = asyncio.run(measure())
    found = spread([many / wide for many, wide in rates])
    many, wide = (spread(each).median for each in zip(*rates, strict=True))
    return Figure(
        "runner.many",
        f"Steps per second of {executions:,} executions of {STEPS_EACH} steps at once, compared with one wide plan",
        found.median,
        aim=Aim(bound=0.8, higher_is_better=True),
        low=found.low,
        high=found.high,
        notes=f"{many:.0f} and {wide:.0f} steps per second",
    )


async def _rates(journal: AsyncJournal, executions: int) -> tuple[float, float]:
    arguments = {"number": "${parameters.number}", "place": 0}
    small: Any = [{**step, "tool": "numbered", "arguments": arguments} for step in plans.chain(STEPS_EACH)]
    parameters = {"properties": {"number": {"type": "integer"}}}
    plan = await journal.record_plan(title="small", steps=_with_places(small), parameters=parameters)
    large: Any = plans.wide(executions * STEPS_EACH)
    wide = await journal.record_plan(title="wide", steps=large)
    started = time.perf_counter()
    runs = [journal.run(plan, tools=[numbered], parameters={"number": number}) for number in range(executions)]
    await asyncio.gather(*runs)
    many = time.perf_counter() - started
    await journal.run(wide, tools=[work])
    both = time.perf_counter() - started
    return executions * STEPS_EACH / many, executions * STEPS_EACH / (both - many)


def _with_places(steps: Any) -> Any:
    return [{**step, "arguments": {**step["arguments"], "place": place}} for place, step in enumerate(steps)]
