"""A worker of procrastinate alone: `python -m bench.queue_alone ADDRESS`. Its jobs do nothing."""

from __future__ import annotations

import sys

import procrastinate

AT_ONCE = 4


def open_app(address: str) -> procrastinate.App:
    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=address))

    @app.task(name="work", queue="bench")
    async def work(number: int, path: str) -> None:
        """Return at once, as the steps do."""

    return app


async def _serve(address: str) -> None:
    app = open_app(address)
    async with app.open_async():
        await app.run_worker_async(queues=["bench"], concurrency=AT_ONCE)


if __name__ == "__main__":
    import asyncio

    asyncio.run(_serve(sys.argv[1]))
