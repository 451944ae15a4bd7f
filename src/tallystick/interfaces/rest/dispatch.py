"""Runs an operation for a request in a worker thread, in the session of its actor.

Operations block, hence the threads. Records and reads have separate threads, so that neither waits for the other.
Concurrent records share a commit (see `store/group_commit.py`). Streams and long polls hold no thread: one watcher for
each journal wakes them all.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TypeVar

from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import InvalidArgument
from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.rest.counters import Counter, Histogram
from tallystick.interfaces.rest.requests import RequestInfo
from tallystick.interfaces.rest.responses import (
    UNPROCESSABLE,
    RestResponse,
    catch_errors,
    problem_response,
    read_response,
    record_response,
)
from tallystick.interfaces.rest.routing import OperationRoute
from tallystick.interfaces.rest.watchers import Watches
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.sdk.local import Local

# ----------------------------------------------------------------------------------------------------------------------
# The session of a record that names none: one per actor name, reused while it lives.
#
# A request has no process that could be seen to end, so its session has a lease (one hour by default), which each
# record renews. Actions that are open when the lease has run out are in doubt.

CLIENT = "rest"


def enter_session(context: OperationContext) -> None:
    """Continue in the actor's session, which is opened if none lives."""
    context.enter(session=operations.sessions.session_named(context, session_name(context), CLIENT))


def enter_conversation(context: OperationContext) -> None:
    """For a read: defaults refer to the actor's session, and none is opened."""
    context.enter(conversation=session_name(context))


def session_name(context: OperationContext) -> str:
    actor = context.principal.actor
    return f"{CLIENT}:{actor.kind}:{actor.name}"[:200]


# ----------------------------------------------------------------------------------------------------------------------

T = TypeVar("T")

WRITER_THREADS = 32
READER_THREADS = 32


class Dispatcher:
    """Runs operations on the journals of one store, and counts requests."""

    def __init__(self, contexts: JournalContexts) -> None:
        self.contexts = contexts
        self.watches = Watches(contexts)
        self.ending = asyncio.Event()
        self.requests = Counter("tallystick_requests_total", "Requests, by operation or path and by status.")
        self.request_seconds = Histogram("tallystick_request_seconds", "Time from a request to its response.")
        self.write_seconds = Histogram("tallystick_store_write_seconds", "Time of a record, with its commit.")
        self._writers = ThreadPoolExecutor(WRITER_THREADS, thread_name_prefix="tallystick-rest-writer")
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="tallystick-rest-reader")

    def end(self) -> None:
        """End all long polls and streams. Call it in the event loop."""
        self.ending.set()
        self.watches.end()

    async def run(
        self,
        route: OperationRoute,
        info: RequestInfo,
        read_arguments: Callable[[], Struct],
        if_none_match: str,
    ) -> RestResponse:
        """Call an operation; returns its response. `read_arguments` reads and validates them in the thread: they may be
        large."""
        operation = route.operation

        def work() -> RestResponse:
            try:
                arguments = read_arguments()  # validated before a session is opened
            except InvalidArgument as error:
                if error.matches_schema:
                    return problem_response(error, UNPROCESSABLE)
                raise
            try:
                if operation.kind == "read":
                    return read_response(operation.run(self._reader(info), arguments), if_none_match, info.accept)
                begun = perf_counter()
                result = operation.run(self._recorder(info, operation.name, arguments), arguments)
                self.write_seconds.observe(perf_counter() - begun)
                return record_response(route, result, info.journal_in_query)
            except InvalidArgument as error:  # it matches the schema, but the operation rejects its content
                return problem_response(error, UNPROCESSABLE if error.code == InvalidArgument.code else 0)

        threads = self._readers if operation.kind == "read" else self._writers
        return await self._run_in(threads, lambda: catch_errors(operation.name, work))

    async def read(self, work: Callable[[], T]) -> T:
        """Run `work` in a reader thread."""
        return await self._run_in(self._readers, work)

    def local(self, info: RequestInfo) -> Local:
        """The caller for a request."""
        return self.contexts.local(
            info.access,
            info.journal,
            actor=info.actor,
            session=info.session,
            witness=info.witness,
            trace=info.trace,
        )

    def _reader(self, info: RequestInfo) -> OperationContext:
        context = self.local(info).context
        if not info.session:
            enter_conversation(context)
        return context

    def _recorder(self, info: RequestInfo, name: str, arguments: Struct) -> OperationContext:
        context = self.local(info).context
        names_session = name == "open_session" or getattr(arguments, "session_id", None)
        if not info.session and not names_session:
            enter_session(context)
        return context

    async def _run_in(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)
