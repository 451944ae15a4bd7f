"""Calls that are awaited. What is recorded at the same time is written together, by one thread.

A thread for each call would cost more in switching between them than recording does. So calls wait in a line; one
thread takes all who stand there, has them written in one commit, and tells the event loop once. Reading has threads
of its own: a record waits for no reader.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import journal_closed_error
from tallystick.store.forks import process_id

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future

    from tallystick.operations import Operation
    from tallystick.sdk.local import GroupCaller, OperationCall
    from tallystick.store.interface import Outcome

MAX_GROUP_SIZE = 64
READER_THREADS = 64
"""How many may read, or wait for news, at the same time. Threads are started as they are needed."""


class WriteQueue:
    """Where the calls of one asynchronous journal wait; of one process, for a forked child has none of the threads."""

    def __init__(self, caller: GroupCaller) -> None:
        self.process = process_id()
        self._caller = caller
        self._waiting: deque[tuple[OperationCall, Future[Any], AbstractEventLoop]] = deque()
        self._lock = Lock()
        self._writing = False
        self._closed = False
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="tallystick-writer")
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="tallystick-reader")

    async def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        from asyncio import get_running_loop  # it is loaded already where this is awaited

        if self._closed:
            raise journal_closed_error()
        loop = get_running_loop()
        if not operation.is_groupable:
            work = partial(copy_context().run, self._caller.call, operation, arguments)
            return await loop.run_in_executor(self._readers, work)
        answer: Future[Any] = loop.create_future()
        with self._lock:
            self._waiting.append(((operation, arguments), answer, loop))
            if not self._writing:
                self._writer.submit(self._write)
                self._writing = True
        return await answer

    def refuse(self) -> None:
        """Begin no call any more."""
        self._closed = True

    def close(self) -> None:
        """Wait for the threads; who waits for news is to be woken before."""
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)

    def _write(self) -> None:
        while group := self._next_group():
            outcomes = self._carried_out([call for call, _, _ in group])
            told: dict[AbstractEventLoop, list[tuple[Future[Any], Outcome]]] = {}
            for (_, answer, loop), outcome in zip(group, outcomes, strict=True):
                told.setdefault(loop, []).append((answer, outcome))
            for loop, answers in told.items():
                with suppress(RuntimeError):  # it was closed, so nobody waits there any more
                    loop.call_soon_threadsafe(_tell, answers)

    def _next_group(self) -> list[tuple[OperationCall, Future[Any], AbstractEventLoop]]:
        with self._lock:
            group = [self._waiting.popleft() for _ in range(min(MAX_GROUP_SIZE, len(self._waiting)))]
            self._writing = bool(group)
            return group

    def _carried_out(self, calls: Sequence[OperationCall]) -> list[Outcome]:
        try:
            return self._caller.call_together(calls)
        except BaseException as error:  # nobody may be left waiting
            return [(None, error)] * len(calls)


def _tell(answers: Sequence[tuple[Future[Any], Outcome]]) -> None:
    for answer, (result, error) in answers:
        if answer.done():  # cancelled: what was begun is recorded all the same
            continue
        if error is None:
            answer.set_result(result)
        else:
            answer.set_exception(error)
