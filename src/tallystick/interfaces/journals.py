"""One store, a desk for each of its journals: for doors at which one process answers for several."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from tallystick import operations
from tallystick.core.errors import TallystickError
from tallystick.core.types import Actor, Witness
from tallystick.operations.runtime.access import Access
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.capture.ingest.drain import SpoolWatcher

MOST = 1000
"""Journals of which a desk is kept although nothing was recorded at it: anybody on this machine may invent names."""


class JournalContexts:
    """The desks of a server: as many as there are journals in which it was asked.

    What its own process was told of who asks (a credential in its environment, a session) is never handed to those who
    ask it.
    """

    def __init__(self, caller: Local) -> None:
        self.caller = caller
        self._contexts: dict[str, OperationContext] = {}
        self._lent: dict[str, OperationContext] = {}
        self._lock = Lock()

    @property
    def journal(self) -> str:
        """The journal that is meant when none is named."""
        return self.caller.context.journal

    def journals(self) -> list[str]:
        """The names of all journals of the store; the one that is meant when none is named is there before its
        first entry."""
        return sorted({self.journal, *self.caller.context.store.journals()})

    def used_journals(self) -> list[Local]:
        """The ways to all journals of the store in which it was asked, as this process has them."""
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
        """The way to the operations of a journal, for who has this access to it."""
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
        )
        return Local(context.for_principal(principal))

    def add_import(self, name: str, context: OperationContext) -> None:
        """Let a desk of another store be found here, under a name that no journal of this one has."""
        with self._lock:
            self._lent[name] = context

    def remove_import(self, name: str) -> None:
        with self._lock:
            self._lent.pop(name, None)

    def close(self) -> None:
        """End the sessions that were opened for this process in other journals; its own ends with its caller."""
        with self._lock:
            contexts, self._contexts = list(self._contexts.values()), {}
        for context in contexts:
            context.own.over = True
            if context.own.id:
                with suppress(TallystickError):  # a store that is gone ends it by itself: lock and lease see to that
                    operations.sessions.end_session(context, {"session_id": context.own.id})

    def _context(self, journal: str) -> OperationContext:
        served = self.caller.context
        if journal == served.journal:
            return served
        with self._lock:
            found = self._lent.get(journal) or self._contexts.get(journal)
            if found is None:
                if len(self._contexts) >= MOST:
                    self._contexts = {name: context for name, context in self._contexts.items() if context.own.id}
                found = served.for_journal(journal, Principal(actor=served.principal.actor))
                self._contexts[journal] = found
            return found


def actor_of(access: Access) -> Actor | None:
    """Who the holder of a credential is; nobody in particular without one. A person on this machine may do what an
    agent may, and more."""
    if not access.name:
        return None
    is_agent = "agent" in access.scopes and not access.scopes & {"approve", "audit", "admin"}
    return Actor(kind="agent" if is_agent else "person", name=access.name)


# ----------------------------------------------------------------------------------------------------------------------
# Doors bring the journal up to date with what hooks have seen: before they answer, and where they stay, when idle.


def spool_upkeep(caller: Local, env: Mapping[str, str]) -> Callable[[], None]:
    """What to do before a call is answered. It costs a look at the sizes of few files, unless something waits."""
    watcher: SpoolWatcher | None = None

    def before() -> None:
        nonlocal watcher
        from tallystick.capture.ingest.drain import SpoolWatcher  # not before a server was asked for something

        with suppress(TallystickError):  # a store that cannot be used says so when it is asked
            watcher = watcher or SpoolWatcher(caller, env)
            watcher.catch_up()

    return before


@contextmanager
def run_periodically(work: Callable[[], None], seconds: float) -> Iterator[None]:
    """Do it every so many seconds, beside what is done meanwhile."""
    over = Event()

    def look() -> None:
        while not over.wait(seconds):
            work()

    thread = Thread(target=look, name="upkeep", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
