"""Runs the calls of an asynchronous journal: concurrent records are written together, by one thread.

A thread for each call would cost more in switching than recording does. So records wait in a queue; one thread takes
all that are waiting, commits them together, and notifies the event loop once. Reads have threads of their own: a
record never waits for a reader.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import journal_closed_error
from tallystick.store.forks import process_id

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future

    from tallystick.operations import Operation
    from tallystick.sdk.local import GroupCaller, OperationCall
    from tallystick.store.interface import Outcome

MAX_GROUP_SIZE = 64
MAX_SECONDS_WITHOUT_TURN = 0.02
"""How long calls in the thread of the event loop may follow each other before one is made in another thread."""
READER_THREADS = 64
"""Concurrent reads and long polls. Threads are started as they are needed."""


class WriteQueue:
    """The waiting calls of one asynchronous journal in one process; a forked child has none of the threads.

    `is_alone` is asked whether nothing else waits for the event loop: then a call is made in the loop's own thread,
    which saves two switches between threads.
    """

    def __init__(self, caller: GroupCaller, is_alone: Callable[[], bool] = bool) -> None:
        self.process = process_id()
        self._caller = caller
        self._is_alone = is_alone
        self._last_turn = 0.0
        self._waiting: deque[tuple[OperationCall, Future[Any], AbstractEventLoop]] = deque()
        self._lock = Lock()
        self._writing = False
        self._closed = False
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="tallystick-writer")
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="tallystick-reader")

    async def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Queue a record and await its receipt, or run any other operation in a reader thread."""
        from asyncio import get_running_loop  # an awaiting program has loaded it already

        if self._closed:
            raise journal_closed_error()
        if self._calls_here():
            return self._caller.call(operation, arguments)
        loop = get_running_loop()
        if not operation.is_groupable:
            work = partial(copy_context().run, self._caller.call, operation, arguments)
            return await loop.run_in_executor(self._readers, work)
        (result,) = self._enqueue([(operation, arguments)], loop)
        return await result

    async def call_in_order(self, calls: Sequence[OperationCall]) -> list[Outcome]:
        """Queue several records, one right behind the other, and await their outcomes. They share a commit unless the
        group is full; each succeeds or fails by itself, and sees those before it."""
        from asyncio import gather, get_running_loop

        if self._closed:
            raise journal_closed_error()
        if self._calls_here():
            return self._caller.call_together(calls)
        results = self._enqueue(calls, get_running_loop())
        outcomes = await gather(*results, return_exceptions=True)
        return [(None, each) if isinstance(each, BaseException) else (each, None) for each in outcomes]

    def _calls_here(self) -> bool:
        """Whether to make a call in the thread of the event loop, which gets a turn for others now and then."""
        if self._writing or not self._is_alone():
            return False
        now = monotonic()
        if now - self._last_turn < MAX_SECONDS_WITHOUT_TURN:
            return True
        self._last_turn = now
        return False

    def _enqueue(self, calls: Sequence[OperationCall], loop: AbstractEventLoop) -> list[Future[Any]]:
        results: list[Future[Any]] = [loop.create_future() for _ in calls]
        with self._lock:
            self._waiting.extend((call, result, loop) for call, result in zip(calls, results, strict=True))
            if not self._writing:
                self._writer.submit(self._write)
                self._writing = True
        return results

    def refuse(self) -> None:
        """Reject new calls."""
        self._closed = True

    def close(self) -> None:
        """Wait for the threads; close the caller first, which ends long polls."""
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)

    def _write(self) -> None:
        while group := self._next_group():
            outcomes = self._call_together([call for call, _, _ in group])
            by_loop: dict[AbstractEventLoop, list[tuple[Future[Any], Outcome]]] = {}
            for (_, result, loop), outcome in zip(group, outcomes, strict=True):
                by_loop.setdefault(loop, []).append((result, outcome))
            for loop, results in by_loop.items():
                with suppress(RuntimeError):  # the loop was closed, so nothing waits there any more
                    loop.call_soon_threadsafe(_set_results, results)

    def _next_group(self) -> list[tuple[OperationCall, Future[Any], AbstractEventLoop]]:
        with self._lock:
            group = [self._waiting.popleft() for _ in range(min(MAX_GROUP_SIZE, len(self._waiting)))]
            self._writing = bool(group)
            return group

    def _call_together(self, calls: Sequence[OperationCall]) -> list[Outcome]:
        try:
            return self._caller.call_together(calls)
        except BaseException as error:  # every waiting call must get an outcome
            return [(None, error)] * len(calls)


def _set_results(results: Sequence[tuple[Future[Any], Outcome]]) -> None:
    for future, (result, error) in results:
        if future.done():  # cancelled: the record was made all the same
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
