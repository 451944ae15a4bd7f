"""Runs an operation for a request, in the session of its actor.

Operations block, so they run in worker threads. Records and reads have separate threads, so that neither waits for the
other. A short read of a store on this machine runs in the event loop: that takes less time than a thread's turn.
Concurrent records share a commit (see `store/group_commit.py`). Streams and long polls hold no thread: one watcher for
each journal wakes them all.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, perf_counter
from typing import Any, TypeVar

from msgspec import Struct, json

from tallystick import operations
from tallystick.core.errors import InvalidArgument
from tallystick.core.state import PAGE
from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.rest.counters import Counter, Histogram
from tallystick.interfaces.rest.requests import RequestInfo
from tallystick.interfaces.rest.responses import (
    UNPROCESSABLE,
    RestResponse,
    catch_errors,
    matches,
    not_modified,
    problem_response,
    read_response,
    record_response,
)
from tallystick.interfaces.rest.routing import OperationRoute
from tallystick.interfaces.rest.watchers import Watches
from tallystick.operations.runtime.operation import Operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.sdk.local import Local

# ----------------------------------------------------------------------------------------------------------------------
# The session of a record that names none: one per actor name, reused while it lives. The page has its own ones, which
# keep no work running.
#
# A request has no process that could be seen to end, so its session has a lease (one hour by default), which each
# record renews. Actions that are open when the lease has run out are in doubt.

CLIENT = "rest"


def enter_session(context: OperationContext, client: str) -> None:
    """Continue in the actor's session, which is opened if none lives."""
    context.enter(session=operations.sessions.session_named(context, session_name(context, client), client))


def enter_conversation(context: OperationContext, client: str) -> None:
    """For a read: defaults refer to the actor's session, and none is opened."""
    context.enter(conversation=session_name(context, client))


def session_name(context: OperationContext, client: str) -> str:
    actor = context.principal.actor
    return f"{client}:{actor.kind}:{actor.name}"[:200]


# ----------------------------------------------------------------------------------------------------------------------

T = TypeVar("T")

WRITER_THREADS = 32
READER_THREADS = 32
SLOW_SECONDS = 0.02
"""A read that holds the event loop for longer shows that the disk is slow, or bodies are large."""
THREADS_AFTER_SLOW_SECONDS = 10.0
"""How long short reads use threads after that."""
MAX_KNOWN_PAGES = 1024


class KnownPages:
    """The ETags of pages that clients asked for again, with the head of the journal when they were read.

    While the head is the same, so is a page that follows from the entries alone.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], tuple[str, str]] = {}

    def tag(self, page: tuple[Any, ...], head: str, tags: str) -> str:
        """The ETag of a page, if it is one of `tags` and the journal has not changed since; else empty."""
        known_head, tag = self._known.get(page, ("", ""))
        return tag if head == known_head and matches(tag, tags) else ""

    def add(self, page: tuple[Any, ...], head: str, tag: str) -> None:
        self._known.pop(page, None)
        self._known[page] = head, tag
        if len(self._known) > MAX_KNOWN_PAGES:
            self._known.pop(next(iter(self._known)))


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
        self._known_pages = KnownPages()
        self._threads_until = 0.0

    def end(self) -> None:
        """End all long polls and streams. Call it in the event loop."""
        self.ending.set()
        self.watches.end()

    async def answer_read(
        self, operation: Operation[..., Any], info: RequestInfo, arguments: Struct, if_none_match: str
    ) -> RestResponse:
        """Carry out a read; returns its response."""

        def work() -> RestResponse:
            return catch_errors(operation.name, lambda: self._read(operation, info, arguments, if_none_match))

        is_on_this_machine = self.contexts.caller.context.store.is_on_this_machine
        if not is_on_this_machine or not operation.is_short(arguments) or monotonic() < self._threads_until:
            return await self._run_in(self._readers, work)
        begun = monotonic()
        response = work()
        if monotonic() - begun > SLOW_SECONDS:
            self._threads_until = monotonic() + THREADS_AFTER_SLOW_SECONDS
        return response

    def _read(
        self, operation: Operation[..., Any], info: RequestInfo, arguments: Struct, if_none_match: str
    ) -> RestResponse:
        head = ""
        page: tuple[Any, ...] = ()
        try:
            context = self._reader(info)
            if if_none_match and operation.is_timeless(arguments):
                page = (info.journal, info.access.tasks, info.accept, operation.name, json.encode(arguments))
                head = context.read(lambda view: view.head().hash)
                if tag := self._known_pages.tag(page, head, if_none_match):
                    return not_modified(tag)
            response = read_response(operation.run(context, arguments), if_none_match, info.accept)
        except InvalidArgument as error:
            return _rejected(error)
        if page:
            self._known_pages.add(page, head, response.headers["etag"])
        return response

    async def answer_record(
        self, route: OperationRoute, info: RequestInfo, read_arguments: Callable[[], Struct]
    ) -> RestResponse:
        """Carry out a record; returns its response. `read_arguments` reads and validates them in the thread: they may
        be large."""
        operation = route.operation

        def work() -> RestResponse:
            try:
                arguments = read_arguments()  # validated before a session is opened
            except InvalidArgument as error:
                if error.matches_schema:
                    return problem_response(error, UNPROCESSABLE)
                raise
            try:
                begun = perf_counter()
                result = operation.run(self._recorder(info, operation.name, arguments), arguments)
                self.write_seconds.observe(perf_counter() - begun)
                return record_response(route, result, info.journal_in_query, getattr(arguments, "phase", ""))
            except InvalidArgument as error:
                return _rejected(error)

        return await self._run_in(self._writers, lambda: catch_errors(operation.name, work))

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
            enter_conversation(context, _client(info))
        return context

    def _recorder(self, info: RequestInfo, name: str, arguments: Struct) -> OperationContext:
        context = self.local(info).context
        names_session = name == "open_session" or getattr(arguments, "session_id", None)
        if not info.session and not names_session:
            enter_session(context, _client(info))
        return context

    async def _run_in(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)


def _client(info: RequestInfo) -> str:
    return PAGE if info.is_page else CLIENT


def _rejected(error: InvalidArgument) -> RestResponse:
    """The response to arguments that match the schema, and whose content the operation rejects."""
    return problem_response(error, UNPROCESSABLE if error.code == InvalidArgument.code else 0)
