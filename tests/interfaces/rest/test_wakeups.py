"""Waking many waiting streams, a few at a time."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from itertools import pairwise

from tallystick.interfaces.rest.channels import STREAMS_PER_WAKEUP, Broadcast

MANY = 5 * STREAMS_PER_WAKEUP


def run(work: Callable[[], Coroutine[None, None, None]]) -> Callable[[], None]:
    """A test that runs in a loop of its own."""

    @wraps(work)
    def test() -> None:
        asyncio.run(work())

    return test


async def _waiting(broadcast: Broadcast, woken: list[int]) -> list[asyncio.Task[None]]:
    async def wait(number: int) -> None:
        await broadcast.wait()
        woken.append(number)

    tasks = [asyncio.create_task(wait(number)) for number in range(MANY)]
    await asyncio.sleep(0)
    return tasks


@run
async def test_all_waiting_tasks_are_woken_and_others_run_in_between() -> None:
    broadcast, woken = Broadcast(), list[int]()
    tasks = await _waiting(broadcast, woken)
    broadcast.notify()
    turns = [len(woken)]
    while len(woken) < MANY:
        await asyncio.sleep(0)
        turns.append(len(woken))
    await asyncio.gather(*tasks)
    assert woken == list(range(MANY))
    assert max(after - before for before, after in pairwise(turns)) <= STREAMS_PER_WAKEUP


@run
async def test_a_task_that_waits_again_gets_the_next_notification() -> None:
    broadcast, notified = Broadcast(), 0

    async def listen() -> None:
        nonlocal notified
        while True:
            await broadcast.wait()
            notified += 1

    task = asyncio.create_task(listen())
    await asyncio.sleep(0)
    for expected in (1, 2, 3):
        broadcast.notify()
        for _ in range(10):
            await asyncio.sleep(0)
        assert notified == expected
    task.cancel()


@run
async def test_a_notification_during_waking_reaches_tasks_that_were_woken_already() -> None:
    broadcast, rings = Broadcast(), 0
    got = [0] * MANY

    async def listen(number: int) -> None:
        while got[number] < 3:
            await broadcast.wait()
            got[number] = rings

    tasks = [asyncio.create_task(listen(number)) for number in range(MANY)]
    await asyncio.sleep(0)
    for _ in range(3):
        rings += 1
        broadcast.notify()
        await asyncio.sleep(0)
    await asyncio.wait_for(asyncio.gather(*tasks), 10)
    assert got == [3] * MANY


@run
async def test_a_cancelled_task_is_forgotten() -> None:
    broadcast = Broadcast()
    for task in await _waiting(broadcast, []):
        task.cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not broadcast._waiting
