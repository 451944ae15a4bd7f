"""A step that a dead worker left is taken up, or repeated, by whoever gets it: the journal knows how it stands."""

import asyncio
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from tallystick import Actor, Journal, operations, tool
from tallystick.runner.engines.interface import Work
from tallystick.runner.engines.local import ServerEngine
from tallystick.runner.engines.queue import QueueEngine, create_schema
from tallystick.runner.engines.queue_figures import SCHEMA
from tallystick.runner.runner import Runner
from tallystick.runner.stepper import NOT_CALLED
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import Local, local_caller
from tests.postgres_server import Server
from tests.runner.test_queue_engine import execute
from tests.runner.test_run import as_person

RETRY = {"attempts": 3, "backoff": 0.01}


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal.open("memory:") as opened:
        yield opened


def start(journal: Journal, engine: Any = "local", **fields: Any) -> str:
    steps: Any = [{"id": "a", "title": "a", "tool": "act", "undo": "x", "failure_policy": "cancel_all", **fields}]
    return journal.run_plan(
        plan_id=journal.record_plan(title="t", steps=steps).id, engine="caller" if engine == "local" else engine
    ).id


def runner_of(journal: Journal) -> Local:
    return local_caller(journal.caller).as_observer(Actor(kind="runner", name="runner"), "runner", executes_calls=True)


def begin(runner: Local, execution: str, effect: str = "unsafe") -> str:
    about = {"phase": "begin", "execution_id": execution, "step": "a", "tool": "act", "effect": effect}
    return str(runner.call(operations.actions.record_action, about).id)


def attempt_and_die(journal: Journal, execution: str, error: str, **end: Any) -> None:
    """A runner makes an attempt that fails, and is killed."""
    killed = runner_of(journal)
    action = begin(killed, execution)
    ended = {"phase": "end", "action_id": action, "outcome": "failed", "error": error, **end}
    killed.call(operations.actions.record_action, ended)
    killed.call(operations.sessions.end_session, {"session_id": killed.context.own.id})


@pytest.mark.parametrize(
    ("error", "attempts", "retry", "is_repeated"),
    [
        ("transient: it is busy", 1, RETRY, True),
        ("transient: it is busy", 3, RETRY, False),
        ("transient: it is busy", 1, None, False),
        ("failed: no", 1, RETRY, False),
        (f"not_done: {NOT_CALLED}", 1, None, True),
        ("it broke: no", 1, RETRY, False),
    ],
)
def test_a_failure_whose_runner_died_is_repeated_if_the_plan_says_so(
    journal: Journal, error: str, attempts: int, retry: Any, is_repeated: bool
) -> None:
    calls: list[int] = []

    @tool
    def act() -> None:
        calls.append(1)

    execution = start(journal, retry=retry)
    for _ in range(attempts):
        attempt_and_die(journal, execution, error, without_effect=True)
    run = journal.run("", tools=[act], execution=execution)
    assert (run.status, len(calls)) == (("completed", 1) if is_repeated else ("failed", 0))


def test_a_worker_does_not_end_a_run_in_which_another_one_waits_to_repeat_a_step(
    postgres: Server, journal: Journal
) -> None:
    @tool
    def act() -> None: ...

    execution = start(journal, engine="temporal", retry={"attempts": 3, "backoff": 3600, "longest": 7200})
    attempt_and_die(journal, execution, "transient: it is busy", without_effect=True)

    with postgres.database() as url:
        (waiting,) = handle(journal, url, [act], Work(execution), Work(execution))
    assert journal.get_execution(execution_id=execution).status == "running"
    assert waiting > 1000


@pytest.mark.parametrize("is_tried", [False, True])
def test_a_run_whose_step_was_rejected_ends_at_a_shared_engine_too(
    postgres: Server, journal: Journal, is_tried: bool
) -> None:
    @tool
    def act() -> None: ...

    person = as_person(journal, journal.add_credential(name="ann").secret)
    execution = start(journal, engine="temporal", needs_approval=not is_tried)
    if is_tried:
        attempt_and_die(journal, execution, "transient: it is busy", without_effect=True)
        journal.record_decision(execution_id=execution, decision="retry", step="a", why="once more")
    asked = journal.request_approval(execution_id=execution, step="a", question="May it be done?")
    person.decide_approval(approval_id=asked.id, verdict="reject")
    with postgres.database() as url:
        handle(journal, url, [act], Work(execution), Work(execution, "a", 0, int(is_tried)), Work(execution))
    assert journal.get_execution(execution_id=execution).status == "failed"


def test_a_step_that_another_worker_has_begun_is_looked_at_again_soon(postgres: Server, journal: Journal) -> None:
    @tool
    def act() -> None: ...

    execution = start(journal, engine="temporal")
    begin(runner_of(journal), execution)
    with postgres.database() as url:
        (waiting,) = handle(journal, url, [act], Work(execution, "a"))
    assert waiting <= 1


def test_a_step_that_is_elsewhere_for_longer_than_a_lease_is_still_looked_at_every_second(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Delays(ServerEngine):
        async def submit(self, work: Work, *, delay: float = 0.0, **options: Any) -> None:
            delays.append(delay)

    delays: list[float] = []
    execution, clock = start(journal, engine="temporal"), count(0, 1000)
    begin(runner_of(journal), execution)
    monkeypatch.setattr("tallystick.runner.runner.monotonic", lambda: float(next(clock)))

    async def deliver_twice() -> None:
        queue = WriteQueue(runner_of(journal))
        runner = Runner(queue.call, ToolRegistry([]), Delays(1))
        for _ in range(2):
            await runner.handle(Work(execution, "a"))
        queue.close()

    asyncio.run(deliver_twice())
    assert delays == [0.5, 1.0]


def test_a_delivery_from_before_the_attempt_of_a_dead_worker_is_carried_on_at_once(
    postgres: Server, journal: Journal
) -> None:
    calls: list[int] = []

    @tool(effect="idempotent")
    def act() -> None:
        calls.append(1)

    execution, killed = start(journal, engine="temporal"), runner_of(journal)
    begin(killed, execution, effect="idempotent")
    killed.call(operations.sessions.end_session, {"session_id": killed.context.own.id})
    with postgres.database() as url:
        handle(journal, url, [act], Work(execution, "a"))
    assert (journal.get_execution(execution_id=execution).status, calls) == ("completed", [1])


def handle(journal: Journal, url: str, tools: list[Any], *works: Work) -> list[float]:
    """A worker of a queue gets some work, a piece at a time; returns in how many seconds each of what waits is due."""

    async def main() -> None:
        await create_schema(url)
        engine, queue = QueueEngine(url, "j"), WriteQueue(runner_of(journal))
        runner = Runner(queue.call, ToolRegistry(tools), engine)
        for work in works:
            await runner.handle(work)
        queue.close()
        await engine.stop()

    asyncio.run(main())
    waits = f"select extract(epoch from scheduled_at - now())::float from {SCHEMA}.procrastinate_jobs"
    return [float(str(row[0])) for row in execute(url, waits)]
