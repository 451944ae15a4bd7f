"""The engine `local`: delivers work inside this process, by asyncio."""

from __future__ import annotations

import asyncio
import logging
from heapq import heappop, heappush
from itertools import count

from tallystick.runner.engines.interface import DEFAULT_QUEUE, Handler, Limit, Rank, Work

log = logging.getLogger("tallystick.worker")
DEFAULT_AT_ONCE = 16


class LocalEngine:
    """Runs at most `at_once` handlers at a time. It forgets what waits when its process ends: the journal does not.

    It serves all queues. A look waits for no slot, so that a stop is seen while calls are under way.
    """

    is_shared = False
    keeps_order = True

    def __init__(self, at_once: int = DEFAULT_AT_ONCE) -> None:
        self.at_once = at_once
        self._known: dict[tuple[str, str], _Waiting] = {}
        self._due: list[_Waiting] = []
        self._running: dict[asyncio.Future[None], Work] = {}
        self._limits: dict[str, _Slots] = {}
        self._error: BaseException | None = None
        self.idle = asyncio.Event()
        """Set when nothing runs, waits or is delayed."""
        self._numbers = count()
        self._changed = asyncio.Event()
        self._stopped = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs, waits or is delayed."""
        return not (self._running or self._known)

    async def submit(
        self,
        work: Work,
        *,
        delay: float = 0.0,
        rank: Rank = (),
        queue: str = DEFAULT_QUEUE,
        limit: Limit | None = None,
    ) -> None:
        if self._stopped:
            return
        self.idle.clear()
        loop = asyncio.get_running_loop()
        at = loop.time() + delay
        waiting = self._known.get(work.key)
        if waiting is None:
            waiting = self._known[work.key] = _Waiting(rank, next(self._numbers), at, limit)
        elif waiting.timer is not None and at < waiting.at:
            waiting.timer.cancel()
            waiting.at, waiting.timer = at, None
        else:
            waiting.work = work
            return
        waiting.work = work
        if delay > 0:
            waiting.timer = loop.call_at(at, self._push, waiting)
        else:
            self._push(waiting)

    @property
    def steps_under_way(self) -> int:
        """How many steps are being carried out."""
        return sum(bool(work.step) for work in self._running.values())

    def is_alone(self) -> bool:
        """Whether at most one handler runs."""
        return len(self._running) <= 1

    def first_due(self) -> Work | None:
        """The work that is started as soon as a handler ends, unless it waits for its limit."""
        return self._due[0].work if self._due else None

    def take(self, work: Work) -> bool:
        """Take the first work over from the engine, inside a handler that does it at its own end. False if it is not
        to be started: it was cancelled, has a limit, or the engine was stopped."""
        first = self._due[0] if self._due else None
        if first is None or first.work is not work or first.limit is not None or not self.starts_more:
            return False
        if self._known.get(work.key) is not first:  # it was cancelled
            return False
        heappop(self._due)
        del self._known[work.key]
        return True

    @property
    def starts_more(self) -> bool:
        return not self._stopped

    def _push(self, waiting: _Waiting) -> None:
        waiting.timer = None
        heappush(self._due, waiting)
        self._changed.set()

    async def serve(self, handler: Handler) -> None:
        while not self._stopped:
            self._changed.clear()
            while self._due and (len(self._running) < self.at_once or not self._due[0].work.step):
                self._start(heappop(self._due), handler)
            if self.is_idle:
                self.idle.set()
            await self._changed.wait()
            if self._error is not None:
                raise self._error

    def _start(self, waiting: _Waiting, handler: Handler) -> None:
        if self._known.get(waiting.work.key) is not waiting:  # it was cancelled
            return
        slots = self._slots(waiting.limit)
        if slots is not None and slots.free <= 0:
            heappush(slots.waiting, waiting)
            return
        del self._known[waiting.work.key]
        task = asyncio.ensure_future(handler(waiting.work))
        self._running[task] = waiting.work
        if slots is not None:
            slots.free -= 1
            task.add_done_callback(lambda _: self._release(slots))
        task.add_done_callback(self._finished)

    def _slots(self, limit: Limit | None) -> _Slots | None:
        if limit is None:
            return None
        return self._limits.setdefault(limit.name, _Slots(limit.at_most))

    def _release(self, slots: _Slots) -> None:
        slots.free += 1
        while slots.waiting:
            waiting = heappop(slots.waiting)
            if self._known.get(waiting.work.key) is waiting:  # else it was cancelled
                self._push(waiting)
                return

    def _finished(self, task: asyncio.Future[None]) -> None:
        self._running.pop(task, None)
        if not task.cancelled() and self._error is None:
            self._error = task.exception()
        self._changed.set()

    async def cancel(self, execution: str) -> None:
        for key in [key for key in self._known if key[0] == execution]:
            self._forget(self._known.pop(key))
        self._changed.set()

    def _forget(self, waiting: _Waiting) -> None:
        if waiting.timer is not None:
            waiting.timer.cancel()

    async def stop(self, grace: float = 0.0) -> None:
        self._stopped = True
        self._changed.set()
        for waiting in self._known.values():
            self._forget(waiting)
        self._known.clear()
        running = set(self._running)
        if running and grace > 0:
            _, running = await asyncio.wait(running, timeout=grace)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


class ServerEngine(LocalEngine):
    """The engine `server`: delivers work inside a server. Other servers of the same journal may have it too.

    An error of the handler is logged: one run that fails does not stop the others, and the next sweep looks at it.
    """

    is_shared = True

    async def serve(self, handler: Handler) -> None:
        async def handle(work: Work) -> None:
            try:
                await handler(work)
            except Exception:
                log.exception("%s %s could not be carried out", work.execution, work.step)

        await super().serve(handle)


class _Waiting:
    """Work that waits: for its time (`timer`), for its turn, or for a slot of its limit."""

    __slots__ = ("at", "limit", "number", "rank", "timer", "work")

    work: Work

    def __init__(self, rank: Rank, number: int, at: float, limit: Limit | None) -> None:
        self.rank = rank
        self.number = number
        self.at = at
        self.limit = limit
        self.timer: asyncio.TimerHandle | None = None

    def __lt__(self, other: _Waiting) -> bool:
        return (self.rank, self.number) < (other.rank, other.number)


class _Slots:
    """The free slots of a limit, and the due work that waits for one."""

    def __init__(self, free: int) -> None:
        self.free = free
        self.waiting: list[_Waiting] = []
