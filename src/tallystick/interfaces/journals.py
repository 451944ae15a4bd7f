"""One store, a desk for each of its journals: for doors at which one process answers for several."""

from contextlib import suppress
from threading import Lock

from tallystick import operations
from tallystick.calls import Local
from tallystick.core.errors import TallystickError
from tallystick.core.model import Actor, Witness
from tallystick.operations.access import Access
from tallystick.operations.desk import Asker, Desk

MOST = 1000
"""Journals of which a desk is kept although nothing was recorded at it: anybody on this machine may invent names."""


class Desks:
    """The desks of a server: as many as there are journals in which it was asked.

    What its own process was told of who asks (a credential in its environment, a session) is never handed to those who
    ask it.
    """

    def __init__(self, caller: Local) -> None:
        self.caller = caller
        self._desks: dict[str, Desk] = {}
        self._lent: dict[str, Desk] = {}
        self._lock = Lock()

    @property
    def journal(self) -> str:
        """The journal that is meant when none is named."""
        return self.caller.desk.journal

    def journals(self) -> list[str]:
        """The names of all journals of the store; the one that is meant when none is named is there before its
        first entry."""
        return sorted({self.journal, *self.caller.desk.store.journals()})

    def asked(self) -> list[Local]:
        """The ways to all journals of the store in which it was asked, as this process has them."""
        with self._lock:
            return [self.caller, *map(Local, self._desks.values())]

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
        desk = self._desk(journal)
        asker = Asker(
            actor=actor or actor_of(access) or desk.asker.actor,
            witness=witness,
            session=session,
            conversation=conversation,
            credential=access.secret,
            request=request,
            trace=trace,
            spool_behind=desk.asker.spool_behind,
            spool_problem=desk.asker.spool_problem,
            torn=desk.asker.torn,
            missed=desk.asker.missed,
            missed_at=desk.asker.missed_at,
            tasks=access.tasks,
        )
        return Local(desk.for_asker(asker))

    def lend(self, name: str, desk: Desk) -> None:
        """Let a desk of another store be found here, under a name that no journal of this one has."""
        with self._lock:
            self._lent[name] = desk

    def take_back(self, name: str) -> None:
        with self._lock:
            self._lent.pop(name, None)

    def close(self) -> None:
        """End the sessions that were opened for this process in other journals; its own ends with its caller."""
        with self._lock:
            desks, self._desks = list(self._desks.values()), {}
        for desk in desks:
            desk.own.over = True
            if desk.own.id:
                with suppress(TallystickError):  # a store that is gone ends it by itself: lock and lease see to that
                    operations.sessions.end_session(desk, {"session_id": desk.own.id})

    def _desk(self, journal: str) -> Desk:
        served = self.caller.desk
        if journal == served.journal:
            return served
        with self._lock:
            found = self._lent.get(journal) or self._desks.get(journal)
            if found is None:
                if len(self._desks) >= MOST:
                    self._desks = {name: desk for name, desk in self._desks.items() if desk.own.id}
                found = served.for_journal(journal, Asker(actor=served.asker.actor))
                self._desks[journal] = found
            return found


def actor_of(access: Access) -> Actor | None:
    """Who the holder of a credential is; nobody in particular without one. A person on this machine may do what an
    agent may, and more."""
    if not access.name:
        return None
    is_agent = "agent" in access.scopes and not access.scopes & {"approve", "audit", "admin"}
    return Actor(kind="agent" if is_agent else "person", name=access.name)
