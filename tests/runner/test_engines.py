"""The contract of an engine (`runner/engines/interface.py`), sentence by sentence, for every engine."""

import asyncio
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from temporalio.client import Client

from tallystick.runner.engines.interface import DEFAULT_QUEUE, Engine, Handler, Limit, Work
from tallystick.runner.engines.local import LocalEngine
from tallystick.runner.engines.queue import QueueEngine
from tallystick.runner.engines.temporal import TemporalEngine
from tests.runner.temporal_server import temporal_server

if TYPE_CHECKING:
    from tests.postgres_server import Server

WORKER = """
import asyncio, sys
from tallystick.runner.engines.queue import QueueEngine

async def handle(work):
    print(work.step, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    print("done", flush=True)

asyncio.run(QueueEngine(sys.argv[1], "journal", lease=float(sys.argv[2])).serve(handle))
"""
SECONDS = 30
"""No test waits that long, unless something is wrong."""


class EngineHome:
    """Where engines of one kind find each other. `lease`: how long a worker counts as alive without a word."""

    lease = 1.0
    soon = 0.2
    """Seconds in which an engine has submitted several pieces of work, and delivered what is due."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def open(self, at_once: int = 4, queues: Sequence[str] = (DEFAULT_QUEUE,)) -> Engine:
        return LocalEngine(at_once)

    async def until_seen(self, execution: str, count: int) -> None:
        """Wait until so many pieces of work of an execution can be found, in order to cancel them."""


class QueueHome(EngineHome):
    """A database of a PostgreSQL server."""

    def __init__(self, url: str) -> None:
        super().__init__("queue")
        self.url = url

    def open(self, at_once: int = 4, queues: Sequence[str] = (DEFAULT_QUEUE,)) -> QueueEngine:
        return QueueEngine(self.url, "journal", queues=queues, at_once=at_once, lease=self.lease)

    async def start_worker(self) -> asyncio.subprocess.Process:
        """Start a process with a worker that prints each step it gets, and is done with it after a line of input."""
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-c", WORKER, self.url, str(self.lease))
        return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)


class TemporalHome(EngineHome):
    """A Temporal server. Each test has a name of its own there."""

    lease = 5.0
    soon = 3.0

    def __init__(self, address: str) -> None:
        super().__init__("temporal")
        self.address = address
        self.name = f"test-{secrets.token_hex(4)}"

    def open(self, at_once: int = 4, queues: Sequence[str] = (DEFAULT_QUEUE,)) -> Engine:
        return TemporalEngine(self.address, name=self.name, at_once=at_once, queues=queues, lease_seconds=self.lease)

    async def until_seen(self, execution: str, count: int) -> None:
        client = await Client.connect(self.address)
        query = f"ExecutionStatus = 'Running' and WorkflowId STARTS_WITH '{self.name}:{execution}:'"
        while (await client.count_workflows(query)).count < count:  # noqa: ASYNC110  # a server tells nobody
            await asyncio.sleep(0.05)


@pytest.fixture(scope="module")
def temporal_address() -> Iterator[str]:
    with temporal_server() as address:
        yield address


@pytest.fixture(params=["local", "queue", pytest.param("temporal", marks=pytest.mark.xdist_group("temporal"))])
def home(request: pytest.FixtureRequest) -> Iterator[EngineHome]:
    if request.param == "queue":
        with request.getfixturevalue("postgres").database() as url:
            yield QueueHome(url)
    elif request.param == "temporal":
        yield TemporalHome(request.getfixturevalue("temporal_address"))
    else:
        yield EngineHome("local")


def run(main: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(SECONDS):
            await main()

    asyncio.run(limited())


class Deliveries:
    """A handler that notes what it got. What is named in `held` stays with it until `release`."""

    def __init__(self, *held: str) -> None:
        self.got: list[Work] = []
        self.most = 0
        self.active = 0
        self._held = {name: asyncio.Event() for name in held}
        self._changed = asyncio.Condition()

    async def __call__(self, work: Work) -> None:
        self.got.append(work)
        self.active += 1
        self.most = max(self.most, self.active)
        try:
            await self._notify()
            if work.step in self._held:
                await self._held[work.step].wait()
            await asyncio.sleep(0)
        finally:
            self.active -= 1
            await self._notify()

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def until(self, count: int) -> list[str]:
        """Wait for so many deliveries; returns the steps."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self.got) >= count)
        return self.steps

    async def until_done(self, count: int) -> list[str]:
        await self.until(count)
        async with self._changed:
            await self._changed.wait_for(lambda: self.active == 0)
        return self.steps

    def release(self, *names: str) -> None:
        for name in names or self._held:
            self._held[name].set()

    @property
    def steps(self) -> list[str]:
        return [work.step for work in self.got]


@asynccontextmanager
async def serving(engine: Engine, handler: Handler) -> AsyncIterator["asyncio.Task[None]"]:
    task = asyncio.create_task(engine.serve(handler))
    try:
        yield task
    finally:
        await engine.stop()
        await asyncio.gather(task, return_exceptions=True)


def test_what_was_submitted_is_delivered_with_all_that_it_says(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries()
        works = [Work("ex_1", "a", 1, 2), Work("ex_1"), Work("ex_2", "a"), Work("ex_2", "ü: 'x'\n")]
        async with serving(engine, deliveries):
            for work in works:
                await engine.submit(work)
            await deliveries.until(4)
        assert sorted(deliveries.got, key=repr) == sorted(works, key=repr)

    run(main)


def test_the_same_work_that_waits_is_delivered_once_as_it_was_submitted_last(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries()
        for attempts in (0, 0, 1, 2):
            await engine.submit(Work("ex_1", "a", attempts))
        await engine.submit(Work("ex_1", "b"), rank=(1,))
        async with serving(engine, deliveries):
            assert sorted(await deliveries.until(2)) == ["a", "b"]
            await engine.submit(Work("ex_1", "c"))
            assert sorted(await deliveries.until(3)) == ["a", "b", "c"]
        assert Work("ex_1", "a", 2) in deliveries.got

    run(main)


def test_work_that_was_delivered_can_be_submitted_again_even_while_it_is_under_way(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries("a")
        async with serving(engine, deliveries):
            for count in (1, 2):
                await engine.submit(Work("ex_1", "a"))
                await deliveries.until(count)
            deliveries.release()
            assert await deliveries.until_done(2) == ["a", "a"]

    run(main)


def test_what_ranks_first_is_delivered_first(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(at_once=1), Deliveries()
        ranks = {"low": (5, -9), "short": (0, -1), "first": (0, -7, 1), "later": (0, -7, 2), "high": (-3, 0)}
        for step, rank in ranks.items():
            await engine.submit(Work("ex_1", step), rank=rank)
        await engine.submit(Work("ex_9"))
        async with serving(engine, deliveries):
            found, wanted = await deliveries.until(6), ["", "high", "first", "later", "short", "low"]
            assert found == wanted if engine.keeps_order else sorted(found) == sorted(wanted)

    run(main)


def test_nothing_is_delivered_before_its_time_and_what_is_due_does_not_wait_for_it(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries()
        loop = asyncio.get_running_loop()
        async with serving(engine, deliveries):
            due = loop.time() + home.soon
            await engine.submit(Work("ex_1", "later"), delay=home.soon)
            await engine.submit(Work("ex_1", "now"), rank=(9,))
            assert await deliveries.until(1) == ["now"]
            assert await deliveries.until(2) == ["now", "later"]
            assert loop.time() >= due - 0.01

    run(main)


def test_the_earliest_time_counts_when_the_same_is_submitted_twice(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries()
        async with serving(engine, deliveries):
            await engine.submit(Work("ex_1", "a"), delay=3600)
            await engine.submit(Work("ex_1", "a", 1), delay=home.soon)
            await engine.submit(Work("ex_1", "a", 2), delay=7200)
            assert await deliveries.until(1) == ["a"]
            await engine.submit(Work("ex_1", "b"), delay=3600)
            await engine.submit(Work("ex_1", "b", 1))
            assert await deliveries.until(2) == ["a", "b"]
        assert deliveries.got == [Work("ex_1", "a", 2), Work("ex_1", "b", 1)]

    run(main)


def test_no_more_than_the_agreed_number_of_handlers_run_at_once(home: EngineHome) -> None:
    async def main() -> None:
        names = [f"s{number}" for number in range(12)]
        engine, deliveries = home.open(at_once=3), Deliveries(*names)
        for name in names:
            await engine.submit(Work("ex_1", name))
        async with serving(engine, deliveries):
            await deliveries.until(3)
            deliveries.release()
            await deliveries.until_done(12)
        assert deliveries.most == 3
        assert sorted(deliveries.steps) == sorted(names)

    run(main)


def test_what_waits_for_its_limit_does_not_hold_up_other_work(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(at_once=3), Deliveries("bank0", "bank1", "bank2")
        await engine.submit(Work("ex_1", "bank0"), limit=Limit("bank", 1))
        async with serving(engine, deliveries):
            await deliveries.until(1)
            for number in (1, 2):
                await engine.submit(Work("ex_1", f"bank{number}"), rank=(0, 0, number), limit=Limit("bank", 1))
            for count, step in enumerate(("x", "y", "z"), 2):
                await engine.submit(Work("ex_1", step), rank=(9,))
                await deliveries.until(count)
            assert deliveries.steps == ["bank0", "x", "y", "z"]
            deliveries.release()
            last = (await deliveries.until_done(6))[4:]
            assert last == ["bank1", "bank2"] if engine.keeps_order else sorted(last) == ["bank1", "bank2"]

    run(main)


def test_a_limit_of_two_lets_two_run_at_once_and_no_third(home: EngineHome) -> None:
    async def main() -> None:
        names = [f"s{number}" for number in range(8)]
        engine, deliveries = home.open(at_once=8), Deliveries(*names)
        async with serving(engine, deliveries):
            for name in names:
                await engine.submit(Work("ex_1", name), limit=Limit("pair", 2))
            await deliveries.until(2)
            deliveries.release()
            await deliveries.until_done(8)
        assert deliveries.most == 2

    run(main)


def test_a_retry_that_waits_for_its_time_does_not_hold_its_limit(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries()
        limit = Limit("bank", 1)
        async with serving(engine, deliveries):
            await engine.submit(Work("ex_1", "retry"), delay=home.soon, rank=(-5,), limit=limit)
            await engine.submit(Work("ex_2", "other"), limit=limit)
            assert await deliveries.until(2) == ["other", "retry"]

    run(main)


def test_cancelling_forgets_what_waits_for_an_execution_and_nothing_else(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries()
        for execution in ("ex_1", "ex_12", "ex_2"):
            for step, delay in (("a", 0.0), ("b", 0.1), ("", 0.0)):
                await engine.submit(Work(execution, step), delay=delay)
        await engine.submit(Work("ex_1", "limited"), limit=Limit("bank", 1))
        await home.until_seen("ex_1", 4)
        await engine.cancel("ex_1")
        async with serving(engine, deliveries):
            await deliveries.until(6)
            await engine.submit(Work("ex_1", "again"))
            await deliveries.until(7)
        assert {work.execution for work in deliveries.got[:6]} == {"ex_12", "ex_2"}
        assert deliveries.got[6] == Work("ex_1", "again")

    run(main)


def test_cancelling_while_it_waits_for_its_limit_lets_the_next_one_through(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries("a")
        limit = Limit("bank", 1)
        async with serving(engine, deliveries):
            await engine.submit(Work("ex_a", "a"), limit=limit)
            await deliveries.until(1)
            for number, step in enumerate("bc"):
                await engine.submit(Work(f"ex_{step}", step), rank=(number,), limit=limit)
            await engine.submit(Work("ex_x", "x"), rank=(9,))
            await deliveries.until(2)
            await home.until_seen("ex_b", 1)
            await engine.cancel("ex_b")
            deliveries.release()
            assert await deliveries.until_done(3) == ["a", "x", "c"]

    run(main)


def test_handlers_may_finish_within_the_grace_period(home: EngineHome) -> None:
    async def main() -> None:
        engine, deliveries = home.open(), Deliveries("a")
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(serving(engine, deliveries))
            await engine.submit(Work("ex_1", "a"))
            await deliveries.until(1)
            stopping = asyncio.create_task(engine.stop(SECONDS))
            await asyncio.sleep(0)
            deliveries.release()
            await stopping
            assert deliveries.active == 0

    run(main)


def test_handlers_that_take_longer_than_the_grace_period_are_cancelled(home: EngineHome) -> None:
    async def main() -> None:
        engine = home.open()
        cancelled: list[str] = []
        begun = asyncio.Event()

        async def stubborn(work: Work) -> None:
            begun.set()
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                cancelled.append(work.step)
                raise

        async with serving(engine, stubborn):
            await engine.submit(Work("ex_1", "a"))
            await begun.wait()
            await engine.stop(0.01)
        assert cancelled == ["a"]

    run(main)


def test_an_error_of_a_handler_is_raised_or_its_work_is_delivered_again(home: EngineHome) -> None:
    async def main() -> None:
        engine = home.open()
        done = asyncio.Event()
        calls: list[Any] = []

        async def failing(work: Work) -> None:
            calls.append(work)
            if len(calls) == 1:
                raise LookupError("on purpose")
            done.set()

        async with serving(engine, failing) as task:
            await engine.submit(Work("ex_1", "a"))
            if not engine.is_shared:
                with pytest.raises(LookupError, match="on purpose"):
                    await task
                return
            await done.wait()
            assert calls == [Work("ex_1", "a")] * 2

    run(main)


# ----------------------------------------------------------------------------------------------------------------------
# Several workers


@pytest.fixture
def shared(postgres: "Server") -> Iterator[QueueHome]:
    with postgres.database() as url:
        yield QueueHome(url)


def test_each_piece_of_work_is_delivered_to_one_of_several_workers(shared: QueueHome) -> None:
    async def main() -> None:
        names = [f"s{number}" for number in range(60)]
        engines, deliveries = [shared.open(at_once=2) for _ in range(3)], Deliveries(*names)
        async with AsyncExitStack() as stack:
            for engine in engines:
                await stack.enter_async_context(serving(engine, deliveries))
            await asyncio.gather(*(engines[0].submit(Work("ex_1", name)) for name in names))
            await deliveries.until(6)
            deliveries.release()
            assert sorted(await deliveries.until_done(60)) == sorted(names)
        assert deliveries.most == 6

    run(main)


def test_a_worker_gets_the_work_of_its_queues_and_looks(shared: QueueHome) -> None:
    async def main() -> None:
        engines = [shared.open(queues=[name]) for name in ("default", "gpu")]
        handlers = [Deliveries(), Deliveries()]
        await engines[0].submit(Work("ex_1", "plain"))
        await engines[0].submit(Work("ex_1", "drawn"), queue="gpu")
        async with serving(engines[1], handlers[1]):
            await handlers[1].until(1)
            await engines[0].submit(Work("ex_1"))
            assert await handlers[1].until_done(2) == ["drawn", ""]
        async with serving(engines[0], handlers[0]):
            assert await handlers[0].until(1) == ["plain"]

    run(main)


def test_journals_in_one_database_have_queues_of_their_own(shared: QueueHome) -> None:
    async def main() -> None:
        mine, other = shared.open(), QueueEngine(shared.url, "another journal", lease=shared.lease)
        deliveries = Deliveries()
        await other.submit(Work("ex_1", "theirs"))
        await mine.submit(Work("ex_1", "mine"), rank=(9,))
        await other.cancel("ex_1")
        async with serving(mine, deliveries):
            assert await deliveries.until(1) == ["mine"]
        await other.stop()

    run(main)


def test_a_limit_holds_over_all_workers(shared: QueueHome) -> None:
    async def main() -> None:
        engines = [shared.open(at_once=4) for _ in range(3)]
        deliveries = Deliveries()
        async with AsyncExitStack() as stack:
            for engine in engines:
                await stack.enter_async_context(serving(engine, deliveries))
            works = [Work("ex_1", f"s{number}") for number in range(40)]
            await asyncio.gather(*(engines[0].submit(work, limit=Limit("r#1", 2)) for work in works))
            await deliveries.until_done(40)
        assert deliveries.most <= 2
        assert len(set(deliveries.steps)) == 40

    run(main)


def test_what_a_stopped_worker_had_is_delivered_by_another(shared: QueueHome) -> None:
    async def main() -> None:
        first, second = shared.open(), shared.open()
        held, deliveries = Deliveries("a"), Deliveries()
        async with serving(first, held):
            await first.submit(Work("ex_1", "a"), limit=Limit("bank", 1))
            await held.until(1)
            await first.submit(Work("ex_1", "b"), delay=0.01)
        async with serving(second, deliveries):
            assert sorted(await deliveries.until(2)) == ["a", "b"]

    run(main)


@pytest.mark.parametrize("is_submitted_again", [False, True])
def test_what_a_killed_worker_had_is_delivered_once_more(shared: QueueHome, is_submitted_again: bool) -> None:
    async def main() -> None:
        engine, deliveries = shared.open(), Deliveries()
        await engine.submit(Work("ex_1", "a", 1, 2), limit=Limit("bank", 1))
        killed = await shared.start_worker()
        assert killed.stdout is not None
        assert await killed.stdout.readline() == b"a\n"
        if is_submitted_again:
            await engine.submit(Work("ex_1", "a", 1, 2), limit=Limit("bank", 1))
        killed.kill()
        await killed.wait()
        async with serving(engine, deliveries):
            await deliveries.until(1)
            await engine.submit(Work("ex_1", "b"), delay=2 * shared.lease)
            await deliveries.until(2)
        assert deliveries.got == [Work("ex_1", "a", 1, 2), Work("ex_1", "b")]

    run(main)


def test_a_worker_that_was_frozen_does_not_finish_what_another_has_now(shared: QueueHome) -> None:
    async def main() -> None:
        engine, deliveries = shared.open(), Deliveries("a")
        frozen = await shared.start_worker()
        assert frozen.stdout is not None
        assert frozen.stdin is not None
        await engine.submit(Work("ex_1", "a"))
        assert await frozen.stdout.readline() == b"a\n"
        frozen.send_signal(signal.SIGSTOP)
        async with serving(engine, deliveries):
            await deliveries.until(1)
            frozen.stdin.write(b"go on\n")
            frozen.send_signal(signal.SIGCONT)
            assert await frozen.stdout.readline() == b"done\n"
            frozen.kill()
            await frozen.wait()
            assert [(each.state, each.count) for each in await engine.counts()] == [("delivered", 1)]
            deliveries.release()

    run(main)


def test_work_that_is_submitted_again_by_its_own_handler_gets_its_limit_once_more(home: EngineHome) -> None:
    async def main() -> None:
        engine, later, tries = home.open(), asyncio.Event(), asyncio.Queue[int]()
        limit = Limit("bank", 1)

        async def repeat(work: Work) -> None:
            if work.step == "later":
                later.set()
                return
            if work.tries == 0:
                await engine.submit(Work("ex_1", "a", 1), limit=limit)
                await engine.submit(Work("ex_2", "later"), delay=home.soon)  # the repeated work asks for its slot first
                await later.wait()
            tries.put_nowait(work.tries)

        async with serving(engine, repeat):
            await engine.submit(Work("ex_1", "a"), limit=limit)
            assert [await tries.get() for _ in range(2)] == [0, 1]

    run(main)


def test_a_busy_worker_takes_no_look_that_a_free_one_could_have(home: EngineHome) -> None:
    async def main() -> None:
        busy, free = home.open(at_once=1), home.open(at_once=1)
        if not busy.is_shared:
            return
        long_step, looks = Deliveries("long"), Deliveries()

        async def handle(work: Work) -> None:
            await (long_step if work.step else looks)(work)

        async with serving(busy, handle):
            await busy.submit(Work("ex_1", "long"))
            await long_step.until(1)
            async with serving(free, handle):
                for number in range(6):
                    await free.submit(Work(f"ex_{number}"))
                await looks.until_done(6)
            long_step.release()
            await long_step.until_done(1)

    run(main)
