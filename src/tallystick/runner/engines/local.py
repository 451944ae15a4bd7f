"""The engine `local`: delivers work inside this process, by asyncio."""

from __future__ import annotations

import asyncio
from heapq import heappop, heappush
from itertools import count

from tallystick.runner.engines.interface import Handler, Rank, Work

DEFAULT_AT_ONCE = 16


class LocalEngine:
    """Runs at most `at_once` handlers at a time. It forgets what waits when its process ends: the journal does not."""

    def __init__(self, at_once: int = DEFAULT_AT_ONCE) -> None:
        self.at_once = at_once
        self._waiting: list[tuple[Rank, int, Work]] = []
        self._known: set[Work] = set()
        self._delayed: dict[Work, asyncio.TimerHandle] = {}
        self._running: set[asyncio.Future[None]] = set()
        self._error: BaseException | None = None
        self.idle = asyncio.Event()
        """Set when nothing runs, waits or is delayed."""
        self._numbers = count()
        self._changed = asyncio.Event()
        self._stopped = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs, waits or is delayed."""
        return not (self._running or self._waiting or self._delayed)

    async def submit(self, work: Work, *, delay: float = 0.0, rank: Rank = (), queue: str = "") -> None:
        if self._stopped or work in self._known:
            return
        self.idle.clear()
        self._known.add(work)
        if delay > 0:
            self._delayed[work] = asyncio.get_running_loop().call_later(delay, self._due, work, rank)
        else:
            self._push(work, rank)

    def _due(self, work: Work, rank: Rank) -> None:
        del self._delayed[work]
        self._push(work, rank)

    def _push(self, work: Work, rank: Rank) -> None:
        heappush(self._waiting, (rank, next(self._numbers), work))
        self._changed.set()

    async def serve(self, handler: Handler) -> None:
        """The same; raises what a handler raises."""
        while not self._stopped:
            self._changed.clear()
            while self._waiting and len(self._running) < self.at_once:
                _, _, work = heappop(self._waiting)
                self._known.discard(work)
                task = asyncio.ensure_future(handler(work))
                self._running.add(task)
                task.add_done_callback(self._finished)
            if self.is_idle:
                self.idle.set()
            await self._changed.wait()
            if self._error is not None:
                raise self._error

    def _finished(self, task: asyncio.Future[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and self._error is None:
            self._error = task.exception()
        self._changed.set()

    async def cancel(self, execution: str) -> None:
        self._waiting = [each for each in self._waiting if each[2].execution != execution]
        self._waiting.sort()
        for work in [each for each in self._delayed if each.execution == execution]:
            self._delayed.pop(work).cancel()
        self._known = {work for work in self._known if work.execution != execution}

    async def stop(self, grace: float = 0.0) -> None:
        self._stopped = True
        self._changed.set()
        for timer in self._delayed.values():
            timer.cancel()
        self._delayed.clear()
        self._waiting.clear()
        running = set(self._running)
        if running and grace > 0:
            _, running = await asyncio.wait(running, timeout=grace)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
