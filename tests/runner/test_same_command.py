"""The same `tallystick run`, started several times at once, is one run: its effects are counted outside."""

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from tallystick import Journal, tool
from tests.crash.fork_server import ForkServer, start_fork_server
from tests.postgres_server import Server
from tests.runner.test_engines import temporal_address
from tests.runner.workers import Workers, step, wait_for, workers_on

__all__ = ["temporal_address"]
AT_ONCE = 8
ROUNDS = {"local": 4, "queue": 8, "temporal": 3}
JOBS = "tests.runner.command_jobs"


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    with start_fork_server(JOBS) as made:
        yield made


def start_at_once(fork_server: ForkServer, workers: Workers, plan: Path, engine: str) -> list[Any]:
    """Start the command that runs a plan in eight processes; returns exit codes and what they printed."""
    words = ["run", str(plan), "--tools", "tools.py", "--engine", engine, "--url", workers.url, "--journal", "run"]
    env = {"EFFECTS": str(workers.log)}
    started = [
        fork_server.start("start_command", words=words, env=env, folder=str(workers.folder)) for _ in range(AT_ONCE)
    ]
    try:
        assert [each.receive() for each in started] == ["ready"] * AT_ONCE
        for each in Random(plan.name).sample(started, AT_ONCE):
            each.resume()
        return [each.receive() for each in started]
    finally:
        for each in started:
            each.kill()
            each.close()


def race(fork_server: ForkServer, workers: Workers, engine: str, rounds: int) -> None:
    """The last step is a person's: the run is open for whoever comes late."""
    with Journal.open(workers.url, journal="run") as journal:
        for number in range(rounds):
            plan = workers.folder / f"plan{number}.json"
            names = [f"r{number}a", f"r{number}b"]
            first, second = step(names[0], "unsafe", after=[]), step(names[1], "unsafe", after=names[:1])
            last = {"id": "check", "by": "person", "after": names[1:]}
            plan.write_text(json.dumps({"title": f"round {number}", "steps": [first, second, last]}))
            reports = start_at_once(fork_server, workers, plan, engine)
            assert {code for code, _ in reports} == {5 if engine == "local" else 0}, reports
            wait_for(lambda: journal.list_executions(status=("running",), limit=1).executions[0].done_steps == 2)
    assert workers.effects() == Counter(f"r{number}{name}" for number in range(rounds) for name in "ab")


def check(fork_server: ForkServer, workers: Workers, engine: str, rounds: int) -> None:
    race(fork_server, workers, engine, rounds)
    with Journal.open(workers.url, journal="run") as journal:
        titles = Counter(each.title for each in journal.list_executions(limit=100).executions)
        active = Counter(each.title for each in journal.list_plans(status="active", limit=100).plans)
    assert titles == active == Counter(f"round {number}" for number in range(rounds))


def test_of_two_processes_with_the_same_run_the_last_one_does_what_is_left(tmp_path: Path) -> None:
    begun = {name: Event() for name in "ab"}
    may_end = {name: Event() for name in "ab"}
    made: list[str] = []

    @tool
    def make(name: str) -> None:
        made.append(name)
        if name in begun:
            begun[name].set()
            assert may_end[name].wait(60)

    steps = [{"id": name, "tool": "make", "arguments": {"name": name}, "after": []} for name in "ab"]
    steps.append({"id": "x", "tool": "make", "arguments": {"name": "x"}, "after": ["a", "b"]})

    def run(at_once: int) -> str:
        with Journal.open(f"sqlite://{tmp_path}/journal.db", journal="run") as journal:
            return journal.run({"title": "t", "steps": steps}, tools=[make], key="k", at_once=at_once).status

    with ThreadPoolExecutor() as threads:
        first = threads.submit(run, 1)
        assert begun["a"].wait(60)
        second = threads.submit(run, 2)
        assert begun["b"].wait(60)
        may_end["a"].set()
        assert first.result() == "running"
        may_end["b"].set()
        assert second.result() == "completed"
    assert made == ["a", "b", "x"]


def test_a_run_that_is_started_at_once_in_eight_processes_is_one_run(fork_server: ForkServer, tmp_path: Path) -> None:
    with workers_on(f"sqlite://{tmp_path}/journal.db", tmp_path) as workers:
        check(fork_server, workers, "local", ROUNDS["local"])


def test_a_run_for_a_queue_that_is_started_at_once_in_eight_processes_is_one_run(
    fork_server: ForkServer, postgres: Server, tmp_path: Path
) -> None:
    with postgres.database() as url, workers_on(url, tmp_path) as workers:
        for _ in range(2):
            workers.start()
        check(fork_server, workers, "queue", ROUNDS["queue"])


@pytest.mark.xdist_group("temporal")
def test_a_run_for_a_cluster_that_is_started_at_once_in_eight_processes_is_one_run(
    fork_server: ForkServer, temporal_address: str, tmp_path: Path
) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    with workers_on(url, tmp_path, "--engine", "temporal", "--temporal", temporal_address) as workers:
        workers.start()
        check(fork_server, workers, "temporal", ROUNDS["temporal"])
