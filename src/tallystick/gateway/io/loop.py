"""The gateway's event loop: one thread that waits for the client, the servers, timers and work of other threads.

Nothing in the loop blocks except the journal's commit. If another program holds the journal, a separate thread waits
for it (`recording/writer.py`). All records of one turn go into one commit before anything is sent: concurrent calls
share an fsync, and a single call waits for no other.
"""

import os
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from selectors import EVENT_READ, EVENT_WRITE, PollSelector
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from tallystick.gateway.io.log import LOG

T = TypeVar("T")
Callback = Callable[[], None]


def describe_unexpected(error: BaseException) -> str:
    """Describe an unexpected error by its type and source line, without its text: that may hold a secret."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code if traceback else None
    where = f" at {os.path.basename(code.co_filename)}:{traceback.tb_lineno}" if traceback and code else ""
    return f"internal error, {type(error).__name__}{where}"


class Future(Generic[T]):
    """A value that arrives later. One coroutine may await it, and is resumed at once when it arrives."""

    __slots__ = ("_error", "_is_done", "_resume", "_value")

    def __init__(self) -> None:
        self._is_done = False
        self._error: BaseException | None = None
        self._resume: Callback | None = None
        self._value: T

    def resolve(self, value: T) -> None:
        """Deliver the value. Only the first `resolve` or `fail` counts."""
        if not self._is_done:
            self._value = value
            self._finish()

    def fail(self, error: BaseException) -> None:
        """Raise an error where the value is awaited."""
        if not self._is_done:
            self._error = error
            self._finish()

    def when_done(self, resume: Callback) -> None:
        self._resume = resume

    def _finish(self) -> None:
        self._is_done = True
        if self._resume is not None:
            self._resume()

    def __await__(self) -> "Generator[Future[T], None, T]":
        if not self._is_done:
            yield self
        if self._error is not None:
            raise self._error
        return self._value


def start(coroutine: Coroutine[Future[Any], None, None], on_error: Callable[[Exception], None]) -> None:
    """Run a coroutine up to the first future that has not arrived; each arrival runs it further, in the same turn."""

    def resume() -> None:
        try:
            future = coroutine.send(None)
        except StopIteration:
            return
        except Exception as error:
            on_error(error)
        else:
            future.when_done(resume)

    resume()


class Timer:
    """A callback that runs later, unless it is cancelled."""

    __slots__ = ("callback",)

    def __init__(self, callback: Callback) -> None:
        self.callback: Callback | None = callback

    def cancel(self) -> None:
        self.callback = None


class Sender(Protocol):
    """Queues what it sends until the end of the turn."""

    def flush(self) -> bool:
        """Send what is queued, as far as it can be sent now. Returns whether anything was sent."""


class Loop:
    """Runs turns: read what arrived, commit it, send what follows from it."""

    def __init__(self) -> None:
        self._selector = PollSelector()  # epoll cannot watch a regular file, which standard input may be
        self._timers: list[tuple[float, int, Timer]] = []
        self._timer_numbers = count()
        self._posted: deque[Callback] = deque()
        self._wake_reader, self._wake_writer = os.pipe()
        os.set_blocking(self._wake_reader, False)
        os.set_blocking(self._wake_writer, False)
        self._selector.register(self._wake_reader, EVENT_READ, self._drain_wake_pipe)
        self._is_stopped = False
        self.turn_ends: list[Callable[[], bool]] = []
        """Called in order at the end of each turn, repeatedly, until none of them reports that it did something."""
        self.unsent: set[Sender] = set()
        """What has something to send. It is sent after each round of `turn_ends`."""

    def run(self) -> None:
        """Run until `stop` is called."""
        while not self._is_stopped:
            for key, _ in self._selector.select(self._seconds_to_wait()):
                self._run_guarded(key.data)
            self._run_due_timers()
            while self._posted:
                self._run_guarded(self._posted.popleft())
            while self._end_turn():
                pass

    def _end_turn(self) -> bool:
        """Run one round of what ends a turn. Returns whether anything was done."""
        was_active = False
        for end in self.turn_ends:
            was_active |= bool(self._run_guarded(end))
        if self.unsent:
            senders, self.unsent = self.unsent, set()
            for sender in senders:
                was_active |= bool(self._run_guarded(sender.flush))
        return was_active

    def stop(self) -> None:
        self._is_stopped = True

    def close(self) -> None:
        self._selector.close()
        os.close(self._wake_reader)
        os.close(self._wake_writer)

    def watch_readable(self, descriptor: int, on_readable: Callback) -> None:
        self._selector.register(descriptor, EVENT_READ, on_readable)

    def watch_writable(self, descriptor: int, on_writable: Callback) -> None:
        self._selector.register(descriptor, EVENT_WRITE, on_writable)

    def unwatch(self, descriptor: int) -> None:
        if descriptor in self._selector.get_map():
            self._selector.unregister(descriptor)

    def later(self, seconds: float, callback: Callback) -> Timer:
        timer = Timer(callback)
        heappush(self._timers, (monotonic() + seconds, next(self._timer_numbers), timer))
        return timer

    def post(self, callback: Callback) -> None:
        """Run a callback in the loop's thread. Any thread may call this."""
        self._posted.append(callback)
        with suppress(OSError):  # a full pipe wakes the loop anyway; a closed one means that the loop has ended
            os.write(self._wake_writer, b"!")

    def _run_guarded(self, callback: Callable[[], Any]) -> Any:
        """Run one callback; an error in it is logged and stops nothing else."""
        try:
            return callback()
        except Exception as error:
            LOG.log(describe_unexpected(error))
            return None

    def _seconds_to_wait(self) -> float | None:
        if self._posted:
            return 0
        while self._timers and self._timers[0][2].callback is None:
            heappop(self._timers)
        return max(0.0, self._timers[0][0] - monotonic()) if self._timers else None

    def _run_due_timers(self) -> None:
        while self._timers and (self._timers[0][2].callback is None or self._timers[0][0] <= monotonic()):
            timer = heappop(self._timers)[2]
            if timer.callback is not None:
                self._run_guarded(timer.callback)

    def _drain_wake_pipe(self) -> None:
        os.read(self._wake_reader, 4096)
