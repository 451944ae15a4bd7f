"""DBOS on a SQLite file: a workflow that runs the steps of the graph, a layer at a time, 16 at once at most.

DBOS commits the outcome of a step when it ends, and neither its begin nor its arguments.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench import plans
from bench.contenders import dbos_app
from bench.contenders.contender import Contender, Waits


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with dbos_app.launched(address) as dbos, asyncio.Runner() as runner:

        async def work(number: int, path: str) -> dict[str, Any]:
            return {"number": number, "path": path}

        step = dbos.step()(work)

        async def carry_out(count: int) -> None:
            for layer in plans.layers(count):
                await asyncio.gather(*(step(number, f"releases/{number}/index.html") for number in layer))

        workflow = dbos.workflow()(carry_out)

        def run(numbers: range) -> list[Waits]:
            started, cpu = time.perf_counter(), time.process_time()
            runner.run(workflow(len(numbers)))
            cpu, seconds = time.process_time() - cpu, time.perf_counter() - started
            return [[cpu / len(numbers), seconds / len(numbers)]] * len(numbers)

        yield Contender(f"{dbos_app.durability(address)}; one commit a step, at its end only", run)
