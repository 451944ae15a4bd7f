"""Measures workers on PostgreSQL: their CPU time beside that of procrastinate alone, and a takeover after `kill -9`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from bench import cpu, plans, postgres, queue_alone
from bench.figure import Aim, Bench, Figure
from bench.processes import REPOSITORY
from bench.rounds import interleave, ratio, spread
from tallystick import Journal

WORKERS = 4
STEPS = 100
LEASE_SECONDS = 2.0
KILLS = 5
WAIT_SECONDS = 60.0
POLL_SECONDS = 0.05
JOURNAL = "bench"
TOOLS = """
import os, time
from tallystick import tool

@tool
async def work(number: int, path: str) -> dict:
    return {"number": number, "path": path}

@tool(effect="idempotent")
def hang(number: int, path: str) -> None:
    name = os.path.join(os.environ["BEGUN"], str(number))
    is_first = not os.path.exists(name)
    with open(name, "a") as file:
        file.write(f"{os.getpid()} {time.time()}\\n")
    if is_first:
        time.sleep(3600)
"""


def figures(bench: Bench) -> list[Figure]:
    folder = bench.folder / "workers"
    folder.mkdir()
    (folder / "tools.py").write_text(TOOLS)
    (folder / "begun").mkdir()
    with postgres.server(folder) as address:
        return [_beside_queue(bench, folder, address), _takeover(folder, address)]


def _beside_queue(bench: Bench, folder: Path, address: str) -> Figure:
    """Four workers that carry out the graph, and four of procrastinate alone that do so without a journal."""
    server = cpu.postmaster(folder)
    asyncio.run(_make_tables(address))
    with (
        Journal.open(address, journal=JOURNAL) as journal,
        _processes(_worker_command(folder, address), WORKERS, folder) as own,
        _processes([sys.executable, "-m", "bench.queue_alone", address], WORKERS, folder) as alone,
    ):
        steps: Any = plans.graph(STEPS)
        plan = journal.record_plan(title="bench", steps=steps).id
        numbers = count(1)

        def run() -> None:
            execution = journal.run_plan(plan_id=plan, engine="queue").id
            _until(lambda: journal.get_execution(execution_id=execution).status == "completed")

        turns = {
            "workers": lambda: _cpu_of(server, own, run),
            "queue": lambda: _cpu_of(server, alone, lambda: _run_alone(address, next(numbers))),
        }
        interleave(turns, 1)
        samples = interleave(turns, bench.amount(5, 2))
    found = ratio(samples, "workers", "queue")
    with_journal, without = (spread(samples[name]).median for name in ("workers", "queue"))
    return Figure(
        "runner.workers",
        f"CPU time of a step with {WORKERS} workers on PostgreSQL, compared with procrastinate alone",
        found.median,
        aim=Aim(bound=1.3),
        low=found.low,
        high=found.high,
        notes=f"{with_journal:.1f} ms, procrastinate alone {without:.1f} ms, the server's CPU time included",
    )


def _cpu_of(server: int, processes: Sequence[subprocess.Popen[bytes]], work: Callable[[], None]) -> float:
    """The CPU milliseconds of a step: of the server and of some workers, while they do the work."""

    def used() -> float:
        return cpu.of_tree(server) + sum(cpu.of_process(each.pid) for each in processes)

    before = used()
    work()
    return 1000 * (used() - before) / STEPS


async def _make_tables(address: str) -> None:
    app = queue_alone.open_app(address)
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        await app.connector.execute_query_async(queue_alone.TABLE)


def _run_alone(address: str, number: int) -> None:
    """Let the workers of procrastinate carry out the graph, and wait until all jobs are done."""
    waits = [(number, step, len(plans.before(step))) for step in range(STEPS)]
    done = "select count(*) from procrastinate_jobs where task_name = 'work' and status = 'succeeded'"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.cursor().executemany("insert into bench_waits values (%s, %s, %s)", waits)
        asyncio.run(_defer_first(address, number))
        _until(lambda: connection.execute(done).fetchone() == (STEPS * number,))


async def _defer_first(address: str, number: int) -> None:
    app = queue_alone.open_app(address)
    async with app.open_async():
        jobs: Any = [{"run": number, "number": step, "count": STEPS} for step in plans.layers(STEPS)[0]]
        await app.configure_task("work", queue=queue_alone.QUEUE).batch_defer_async(*jobs)


def _takeover(folder: Path, address: str) -> Figure:
    """Kill the worker of a step, and wait until another one begins it anew. Measured from the end of the lease."""
    late = []
    with Journal.open(address, journal="takeover") as journal:
        for number in range(KILLS):
            begun = folder / "begun" / str(number)
            step: Any = {**plans.step(number, []), "tool": "hang"}
            with _processes(_worker_command(folder, address, "takeover"), 2, folder) as workers:
                plan = journal.record_plan(title=f"takeover {number}", steps=[step]).id
                journal.run_plan(plan_id=plan, engine="queue")
                _until(begun.exists)
                _until(lambda file=begun: file.read_text().endswith("\n"))  # type: ignore[misc]
                first = int(begun.read_text().split()[0])
                next(each for each in workers if each.pid == first).kill()
                killed = time.time()
                _until(lambda file=begun: len(file.read_text().splitlines()) > 1)  # type: ignore[misc]
                late.append(float(begun.read_text().split()[3]) - killed - LEASE_SECONDS)
    found = spread(late)
    title = f"Takeover after kill -9: seconds after the lease of {LEASE_SECONDS:g} s, the longest of {KILLS}"
    return Figure("runner.takeover", title, max(late), "s", Aim(bound=2.0), found.low, found.high)


def _worker_command(folder: Path, address: str, journal: str = JOURNAL) -> list[str]:
    command = [sys.executable, "-m", "tallystick", "worker", "--url", address, "--journal", journal]
    lease = LEASE_SECONDS if journal != JOURNAL else 30
    return [*command, "--tools", str(folder / "tools.py"), "--at-once", "4", "--lease", str(lease)]


@contextmanager
def _processes(command: list[str], size: int, folder: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start processes, each as if on a machine of its own, and end them."""
    processes = []
    try:
        for number in range(size):
            home = folder / f"home{number}"
            home.mkdir(exist_ok=True)
            env = {**os.environ, "XDG_DATA_HOME": str(home), "BEGUN": str(folder / "begun")}
            processes.append(subprocess.Popen(command, cwd=REPOSITORY, env=env, stderr=subprocess.DEVNULL))
        yield processes
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def _until(happened: Callable[[], Any]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError("a worker did not do its work in time")
        time.sleep(POLL_SECONDS)
