"""Procrastinate alone with the graph of `bench.plans`, without a journal: `python -m bench.queue_alone ADDRESS`.

A job does nothing but to count down what waits for its step, and to defer the steps that nothing is left before.
"""

from __future__ import annotations

import asyncio
import sys

import procrastinate

from bench import plans

AT_ONCE = 4
QUEUE = "bench"
TABLE = "create table bench_waits (run integer, number integer, waits integer, primary key (run, number))"
COUNT_DOWN = """update bench_waits set waits = waits - 1 where run = %(run)s and number = any(%(behind)s)
returning number, waits"""


def open_app(address: str) -> procrastinate.App:
    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=address))

    @app.task(name="work", queue=QUEUE)
    async def work(run: int, number: int, count: int) -> None:
        behind = [each for each in plans.behind(number) if each < count]
        if behind:
            rows = await app.connector.execute_query_all_async(COUNT_DOWN, run=run, behind=behind)
            for row in rows:
                if not row["waits"]:
                    await work.defer_async(run=run, number=row["number"], count=count)

    return app


async def _serve(address: str) -> None:
    app = open_app(address)
    async with app.open_async():
        await app.run_worker_async(queues=[QUEUE], concurrency=AT_ONCE)


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1]))
