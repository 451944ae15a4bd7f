"""The way from a request to its operation: in a thread, since what an operation does, it does waiting.

Records and reads have threads of their own, so that neither waits for the other. Records made at the same time share
a commit: the store sees to that. Whoever waits for news holds no thread: one look for each journal wakes them all.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, TypeVar

from msgspec.structs import replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument
from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.rest.counters import Counter, Histogram
from tallystick.interfaces.rest.requests import RequestInfo
from tallystick.interfaces.rest.responses import UNPROCESSABLE, RestResponse, problem_of, read_of, record_of, safely
from tallystick.interfaces.rest.routing import OperationRoute
from tallystick.interfaces.rest.watchers import Watches
from tallystick.sdk.local import Local

# ----------------------------------------------------------------------------------------------------------------------
# In which session a record is made that names none: one by the actor's name, found again while it lives.
#
# A request is no process that could be seen to die, so its session has a lease, an hour unless told otherwise, which
# each record renews. What an actor leaves open is in doubt when its lease has run out.

CLIENT = "rest"


def in_session(local: Local) -> Local:
    """The same way to the operations, in the session of its actor; it is opened if none lives."""
    context, name = local.context, name_of(local)
    asked = {"name": name, "status": "open", "limit": 1}
    living = [each.id for each in operations.CATALOGUE["list_sessions"](context, asked).sessions if each.alive]
    if not living:
        living = [operations.CATALOGUE["open_session"](context, {"name": name, "client": CLIENT}).id]
    return Local(context.for_principal(replace(context.principal, session=living[0])))


def in_conversation(local: Local) -> Local:
    """For reading: what is open in the session of the actor is meant, and none is opened."""
    return Local(local.context.for_principal(replace(local.context.principal, conversation=name_of(local))))


def name_of(local: Local) -> str:
    """The name of an actor's session."""
    actor = local.context.principal.actor
    return f"{CLIENT}:{actor.kind}:{actor.name}"[:200]


# ----------------------------------------------------------------------------------------------------------------------

T = TypeVar("T")

WRITERS = 32
READERS = 32


class Dispatcher:
    """One store, at REST."""

    def __init__(self, contexts: JournalContexts) -> None:
        self.contexts = contexts
        self.watches = Watches(contexts)
        self.ending = asyncio.Event()
        self.requests = Counter("tallystick_requests_total", "Requests, by operation or path and by status.")
        self.request_seconds = Histogram("tallystick_request_seconds", "From a request to its answer.")
        self.write_seconds = Histogram("tallystick_store_write_seconds", "What a record took, with its commit.")
        self._writers = ThreadPoolExecutor(WRITERS, thread_name_prefix="tallystick-rest-writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="tallystick-rest-reader")

    def end(self) -> None:
        """Answer whoever waits for news, and end all streams. It is said in the event loop that serves."""
        self.ending.set()
        self.watches.end()

    async def carry_out(
        self, place: OperationRoute, asking: RequestInfo, given: Callable[[], dict[str, Any]], unless: str
    ) -> RestResponse:
        """The answer to a call of an operation. `given` reads its arguments, in the thread: they may be large."""
        operation = place.operation

        def work() -> RestResponse:
            arguments = given()
            operation.read_arguments(arguments)  # before anything is opened
            try:
                if operation.kind == "read":
                    return read_of(self._reading(asking).call(operation, arguments), unless)
                begun = perf_counter()
                result = self._recording(asking, operation.name, arguments).call(operation, arguments)
                self.write_seconds.see(perf_counter() - begun)
                return record_of(result)
            except InvalidArgument as error:  # of the right form, and refused for what it says
                return problem_of(error, UNPROCESSABLE if error.code == InvalidArgument.code else 0)

        threads = self._readers if operation.kind == "read" else self._writers
        return await self._in(threads, lambda: safely(operation.name, work))

    async def read(self, work: Callable[[], T]) -> T:
        """Some reading, in a thread."""
        return await self._in(self._readers, work)

    def local(self, asking: RequestInfo) -> Local:
        """The way to the operations for who asks."""
        return self.contexts.local(
            asking.access,
            asking.journal,
            actor=asking.actor,
            session=asking.session,
            witness=asking.witness,
            trace=asking.trace,
        )

    def _reading(self, asking: RequestInfo) -> Local:
        local = self.local(asking)
        return local if asking.session else in_conversation(local)

    def _recording(self, asking: RequestInfo, name: str, arguments: dict[str, Any]) -> Local:
        local = self.local(asking)
        needs_none = name == "open_session" or arguments.get("session_id")  # what is about a session names it
        return local if asking.session or needs_none else in_session(local)

    async def _in(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)
