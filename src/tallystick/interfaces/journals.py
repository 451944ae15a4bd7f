"""Operation contexts for all journals of one store, for servers, and the upkeep of spools."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from tallystick import operations
from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.core.types import Actor, Witness
from tallystick.operations.runtime.access import Access, is_granted
from tallystick.operations.runtime.operation_context import OperationContext, Principal, ServerRuns
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.capture.ingest.drain import SpoolWatcher

MAX_UNUSED_CONTEXTS = 1000
"""Contexts that are cached without a session: any program on this machine may send invented journal names."""


class NoRuns:
    """Of a server, or a journal of it, in which no plan is carried out."""

    has_tools = False

    def check(self, plan: Any, parameters: Mapping[str, Any]) -> None:
        raise InvalidArgument(
            "This server carries out no plans in this journal: nothing was recorded.",
            hint="Register tools at it (tallystick serve --run-tools tools.py), carry the plan out yourself "
            "(tallystick run), or give engine=queue, for workers (tallystick worker) on PostgreSQL.",
            field="engine",
            allowed=("queue", "caller"),
        )

    def end(self) -> None:
        """Nothing is under way."""


class JournalContexts:
    """The operation contexts of a server, one for each journal that was requested.

    The principal of the server's own process (a credential in its environment, a session) is never passed to its
    clients.
    """

    def __init__(self, caller: Local, runs: ServerRuns | None = None) -> None:
        self.caller = caller
        self.runs = runs or NoRuns()
        """Runs that this server carries out, in its default journal."""
        self._contexts: dict[str, OperationContext] = {}
        self._imports: dict[str, OperationContext] = {}
        self._lock = Lock()

    @property
    def journal(self) -> str:
        """The default journal."""
        return self.caller.context.journal

    def journals(self) -> list[str]:
        """The names of all journals of the store, with the default one even before its first entry."""
        return sorted({self.journal, *self.caller.context.store.journals()})

    def used_journals(self) -> list[Local]:
        """Callers for all journals that were requested, with this process as the principal."""
        with self._lock:
            return [self.caller, *map(Local, self._contexts.values())]

    def local(
        self,
        access: Access,
        journal: str,
        *,
        actor: Actor | None = None,
        session: str = "",
        witness: Witness = "claimed",
        conversation: str = "",
        request: str = "",
        trace: str = "",
    ) -> Local:
        """A caller for a journal, for a client with this access to it."""
        context = self._context(journal)
        principal = Principal(
            actor=actor or actor_of(access) or context.principal.actor,
            witness=witness,
            session=session,
            conversation=conversation,
            credential=access.secret,
            request=request,
            trace=trace,
            spool_behind=context.principal.spool_behind,
            spool_problem=context.principal.spool_problem,
            torn=context.principal.torn,
            missed=context.principal.missed,
            missed_at=context.principal.missed_at,
            tasks=access.tasks,
            may_run=is_granted(access.scopes, "run"),
        )
        of_client = context.for_principal(principal)
        of_client.server_runs = self.runs if journal == self.journal else NoRuns()
        return Local(of_client)

    def add_import(self, name: str, context: OperationContext) -> None:
        """Add the context of an imported journal, under a name that no journal of the store has."""
        with self._lock:
            self._imports[name] = context

    def remove_import(self, name: str) -> None:
        with self._lock:
            self._imports.pop(name, None)

    def close(self) -> None:
        """End the sessions that this process opened in other journals; that of the default one ends with its caller."""
        with self._lock:
            contexts, self._contexts = list(self._contexts.values()), {}
        for context in contexts:
            context.own.over = True
            if context.own.id:
                with suppress(TallystickError):  # without the store, its lock and lease end the session
                    operations.sessions.end_session(context, {"session_id": context.own.id})

    def _context(self, journal: str) -> OperationContext:
        served = self.caller.context
        if journal == served.journal:
            return served
        with self._lock:
            found = self._imports.get(journal) or self._contexts.get(journal)
            if found is None:
                if len(self._contexts) >= MAX_UNUSED_CONTEXTS:
                    self._contexts = {name: context for name, context in self._contexts.items() if context.own.id}
                found = served.for_journal(journal, Principal(actor=served.principal.actor))
                self._contexts[journal] = found
            return found


def actor_of(access: Access) -> Actor | None:
    """The actor of a credential: an agent or another program, or a person if it has a scope that those do not; None
    without one."""
    if not access.name:
        return None
    is_agent = bool(access.scopes & {"agent", "run"}) and not access.scopes & {"approve", "audit", "admin"}
    return Actor(kind="agent" if is_agent else "person", name=access.name)


# ----------------------------------------------------------------------------------------------------------------------
# Servers record what hooks have spooled: before each call, and periodically.


def spool_upkeep(caller: Local, env: Mapping[str, str]) -> Callable[[], None]:
    """A function that records spooled hook events. With nothing spooled, it only checks the sizes of few files."""
    watcher: SpoolWatcher | None = None

    def before() -> None:
        nonlocal watcher
        from tallystick.capture.ingest.drain import SpoolWatcher  # loaded with the first call

        with suppress(TallystickError):  # an unusable store raises in the call itself
            watcher = watcher or SpoolWatcher(caller, env)
            watcher.catch_up()

    return before


@contextmanager
def run_periodically(work: Callable[[], None], seconds: float) -> Iterator[None]:
    """Run `work` every `seconds` in a thread while the context is open."""
    over = Event()

    def run() -> None:
        while not over.wait(seconds):
            work()

    thread = Thread(target=run, name="upkeep", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
