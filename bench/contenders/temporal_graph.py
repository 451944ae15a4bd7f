"""Temporal: a workflow that runs the steps of the graph as activities, a layer at a time, with its worker here."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from bench import plans
from bench.contenders.contender import Contender, Waits

QUEUE = "bench"
AT_ONCE = 16


@activity.defn
async def work(number: int, path: str) -> dict[str, Any]:
    return {"number": number, "path": path}


@workflow.defn
class Graph:
    @workflow.run
    async def run(self, count: int) -> None:
        for layer in plans.layers(count):
            await asyncio.gather(*(self._step(number) for number in layer))

    async def _step(self, number: int) -> None:
        await workflow.execute_activity(
            work, args=[number, f"releases/{number}/index.html"], start_to_close_timeout=timedelta(minutes=1)
        )


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with asyncio.Runner() as runner:

        def run(numbers: range) -> list[Waits]:
            started, cpu = time.perf_counter(), time.process_time()
            runner.run(_carry_out(address, len(numbers)))
            cpu, seconds = time.process_time() - cpu, time.perf_counter() - started
            return [[cpu / len(numbers), seconds / len(numbers)]] * len(numbers)

        yield Contender("the dev server's SQLite file; schedule, start and end of each step are events", run)


async def _carry_out(address: str, count: int) -> None:
    client = await Client.connect(address)
    worker = Worker(
        client,
        task_queue=QUEUE,
        workflows=[Graph],
        activities=[work],
        max_concurrent_activities=AT_ONCE,
        workflow_runner=UnsandboxedWorkflowRunner(),
    )
    async with worker:
        await client.execute_workflow(Graph.run, count, id=str(uuid.uuid4()), task_queue=QUEUE)
