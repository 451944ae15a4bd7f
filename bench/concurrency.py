"""Compares 64 concurrent callers in one process with one: threads of `Journal`, tasks of `AsyncJournal`."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

from bench import recording
from bench.figure import Aim, Bench, Figure
from bench.rounds import interleave, ratio, spread
from tallystick import AsyncJournal, Journal

CALLERS = 64
THREADS = Aim(bound=2.0, target=2.5, higher_is_better=True)
TASKS = Aim(bound=4.0, target=5.0, higher_is_better=True)

Turn = Callable[[int, range], float]
"""Lets this many callers record the pairs of these numbers at once, and returns the seconds."""


def figures(bench: Bench) -> list[Figure]:
    return [_threads(bench), _tasks(bench)]


def _threads(bench: Bench) -> Figure:
    with Journal.open(recording.url_of(bench.folder / "threads.db")) as journal:
        executions = [journal.record_execution_start(title=f"caller {caller}").id for caller in range(CALLERS)]

        def turn(callers: int, numbers: range) -> float:
            gate = threading.Barrier(callers + 1)
            threads = [
                threading.Thread(target=_record, args=(journal, execution, numbers, gate))
                for execution in executions[:callers]
            ]
            for thread in threads:
                thread.start()
            gate.wait()
            started = time.perf_counter()
            for thread in threads:
                thread.join()
            return time.perf_counter() - started

        return _figure(bench, "concurrency.threads", "thread", turn, THREADS)


def _record(journal: Journal, execution: str, numbers: range, gate: threading.Barrier) -> None:
    gate.wait()
    for number in numbers:
        recording.pair(journal, execution, number)


def _tasks(bench: Bench) -> Figure:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        journal = runner.run(stack.enter_async_context(AsyncJournal.open(recording.url_of(bench.folder / "tasks.db"))))
        executions = runner.run(_start_executions(journal))

        def turn(callers: int, numbers: range) -> float:
            return runner.run(_record_together(journal, executions[:callers], numbers))

        try:
            return _figure(bench, "concurrency.tasks", "asyncio task", turn, TASKS)
        finally:
            runner.run(stack.aclose())


async def _start_executions(journal: AsyncJournal) -> list[str]:
    return [(await journal.record_execution_start(title=f"caller {caller}")).id for caller in range(CALLERS)]


async def _record_together(journal: AsyncJournal, executions: list[str], numbers: range) -> float:
    async def record(execution: str) -> None:
        for number in numbers:
            await recording.pair_async(journal, execution, number)

    started = time.perf_counter()
    await asyncio.gather(*(record(execution) for execution in executions))
    return time.perf_counter() - started


def _figure(bench: Bench, name: str, caller: str, turn: Turn, aim: Aim) -> Figure:
    reached = 0

    def rate(callers: int, count: int) -> float:
        nonlocal reached
        numbers = range(reached, reached + count)
        reached = numbers.stop
        return callers * count / turn(callers, numbers)

    turns = {
        "one": lambda: rate(1, bench.amount(200, 100)),
        "many": lambda: rate(CALLERS, bench.amount(12, 6)),
    }
    interleave(turns, 1)
    samples = interleave(turns, bench.amount(12, 3))
    found = ratio(samples, "many", "one")
    one, many = spread(samples["one"]).median, spread(samples["many"]).median
    notes = f"{one:.0f} actions per second with one caller, {many:.0f} with {CALLERS}"
    title = f"Actions per second with {CALLERS} {caller}s, compared with one {caller}"
    return Figure(name, title, found.median, "times", aim, found.low, found.high, notes)
