"""Carries out plans with the runner in this process. The waits of a step are its CPU seconds and its seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bench.contenders.contender import Contender, Waits
from tallystick import Journal, tool

DURABILITY = "a begin is durable before its call, an end before what follows; an end and the next begin share a commit"
Shape = Callable[[int], list[dict[str, Any]]]


@tool
async def work(number: int, path: str) -> dict[str, Any]:
    """Return at once, as all contenders do."""
    return {"number": number, "path": path}


@contextmanager
def running(address: str, shape: Shape) -> Iterator[Contender]:
    """A contender that records a plan and then carries it out; recording the plan is not part of the figure."""
    with Journal.open(address) as journal:

        def run(numbers: range) -> list[Waits]:
            steps: Any = shape(len(numbers))
            plan = journal.record_plan(title="bench", steps=steps)
            return measured(len(numbers), lambda: journal.run(plan, tools=[work]))

        yield Contender(f"{address.partition(':')[0]}, {DURABILITY}", run)


def measured(steps: int, carry_out: Callable[[], Any]) -> list[Waits]:
    """The CPU seconds and the seconds of each step, on average."""
    started, cpu = time.perf_counter(), time.process_time()
    carry_out()
    cpu, seconds = time.process_time() - cpu, time.perf_counter() - started
    return [[cpu / steps, seconds / steps]] * steps
