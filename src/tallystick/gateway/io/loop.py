"""One thread that waits for everything: the client, the servers behind, timers, and news from other threads.

Nothing in it blocks but the journal's commit, and where another program holds the journal, that is waited for beside
it (`patience.py`). What came in one turn is written in one commit, and then sent on: that is how calls that come at the
same time share an fsync, and how a lone one waits for nobody.
"""

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from selectors import EVENT_READ, EVENT_WRITE, PollSelector
from time import monotonic
from typing import Any

from tallystick.gateway.io.log import LOG

Work = Callable[[], None]


def trouble(error: BaseException) -> str:
    """An error that nobody foresaw: its kind and its place, but not its text, which may hold anything."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f" at {os.path.basename(at.tb_frame.f_code.co_filename)}:{at.tb_lineno}" if at else ""
    return f"an error of our own, {type(error).__name__}{where}"


class Timer:
    """Something to be done later, unless it is called off."""

    __slots__ = ("work",)

    def __init__(self, work: Work) -> None:
        self.work: Work | None = work

    def cancel(self) -> None:
        self.work = None


class Loop:
    """Turns: take what came, write it down, send on."""

    def __init__(self) -> None:
        self._selector = PollSelector()  # of a file that is read as input, epoll knows nothing
        self._timers: list[tuple[float, int, Timer]] = []
        self._numbers = count()
        self._posted: deque[Work] = deque()
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._selector.register(self._woken, EVENT_READ, self._rouse)
        self._over = False
        self.turn_ends: list[Callable[[], bool]] = []
        """What is done at the end of each turn, in this order, until none of them has done anything."""

    def run(self) -> None:
        """Until somebody says `stop`."""
        while not self._over:
            for key, _ in self._selector.select(self._patience()):
                self._do(key.data)
            self._due()
            while self._posted:
                self._do(self._posted.popleft())
            while sum(bool(self._do(end)) for end in self.turn_ends):  # not `any`: each has its turn
                pass

    def stop(self) -> None:
        self._over = True

    def close(self) -> None:
        self._selector.close()
        os.close(self._woken)
        os.close(self._wake)

    def reads(self, descriptor: int, ready: Work) -> None:
        self._selector.register(descriptor, EVENT_READ, ready)

    def writes(self, descriptor: int, ready: Work) -> None:
        self._selector.register(descriptor, EVENT_WRITE, ready)

    def forget(self, descriptor: int) -> None:
        if descriptor in self._selector.get_map():
            self._selector.unregister(descriptor)

    def later(self, seconds: float, work: Work) -> Timer:
        timer = Timer(work)
        heappush(self._timers, (monotonic() + seconds, next(self._numbers), timer))
        return timer

    def post(self, work: Work) -> None:
        """Have something done in this thread, whichever thread asks."""
        self._posted.append(work)
        with suppress(OSError):  # it is full, so it wakes anyway; or all is over
            os.write(self._wake, b"!")

    def _do(self, work: Callable[[], Any]) -> Any:
        """One unit of work: what goes wrong in it ends nothing else."""
        try:
            return work()
        except Exception as error:
            LOG.say(trouble(error))
            return None

    def _patience(self) -> float | None:
        if self._posted:
            return 0
        while self._timers and self._timers[0][2].work is None:
            heappop(self._timers)
        return max(0.0, self._timers[0][0] - monotonic()) if self._timers else None

    def _due(self) -> None:
        while self._timers and (self._timers[0][2].work is None or self._timers[0][0] <= monotonic()):
            timer = heappop(self._timers)[2]
            if timer.work is not None:
                self._do(timer.work)

    def _rouse(self) -> None:
        os.read(self._woken, 4096)
