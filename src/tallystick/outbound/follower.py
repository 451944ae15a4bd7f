"""Follows the entries of a journal from a kept position: in order, at least once, by one process at a time.

The position is a document of the journal. It moves after entries were handled, so a process that is killed in between
handles them again. A lease in the same document keeps other processes away meanwhile.
"""

import secrets
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core.entries import Entry
from tallystick.core.state import Session
from tallystick.operations.notifications.documents import POSITION, Position, put_struct, read_document
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.session_lifecycle import MAX_SESSIONS_CHECKED, end_dead_sessions
from tallystick.store.interface import Ledger, Select, StoredDocument, View

LEASE_SECONDS = 30.0
"""How long a process that is killed keeps others away."""


class FollowedEntry(Struct, frozen=True):
    """An entry with its body as JSON text; None if it has none or it was erased."""

    entry: Entry
    body: str | None


class EntryFollower:
    """One reader of a journal that other processes can take over, known by its name."""

    def __init__(self, context: OperationContext, name: str, *, lease_seconds: float = LEASE_SECONDS) -> None:
        self.context = context
        self.name = name
        self._holder = secrets.token_hex(8)
        self._lease_seconds = lease_seconds

    def claim(self, start: int = 0) -> int | None:
        """Take or renew the lease; returns the position, which is `start` at first. None while another process has
        it."""

        def work(ledger: Ledger) -> int | None:
            if not self.may_claim(ledger):
                return None
            position = self._read(ledger) or Position(start)
            self._put(ledger, position)
            return position.seq

        return self.context.store.write(self.context.journal, work)

    def may_claim(self, view: View) -> bool:
        """Whether `claim` would succeed now; costs no write."""
        position = self._read(view) or Position()
        return position.holder in ("", self._holder) or not position.is_held(view.now())

    def advance(self, seq: int, documents: Iterable[StoredDocument] = ()) -> bool:
        """Move the position and write `documents` with it, all or none. False, and nothing is written, if another
        process has taken over."""

        def work(ledger: Ledger) -> bool:
            position = self._read(ledger)
            if position is None or position.holder != self._holder:
                return False
            for each in documents:
                ledger.put_document(each.kind, each.id, each.content)
            self._put(ledger, replace(position, seq=seq))
            return True

        return self.context.store.write(self.context.journal, work)

    def release(self) -> None:
        """Let another process take over at once."""

        def work(ledger: Ledger) -> None:
            position = self._read(ledger)
            if position is not None and position.holder == self._holder:
                self._write(ledger, Position(position.seq))

        self.context.store.write(self.context.journal, work)

    def entries(self, after: int, limit: int) -> list[FollowedEntry]:
        """The entries behind a position, with their bodies."""

        def work(view: View) -> list[FollowedEntry]:
            found = view.entries(after=after, limit=limit)
            bodies = view.bodies([entry.seq for entry in found if entry.commitment])
            return [FollowedEntry(entry, bodies.get(entry.seq)) for entry in found]

        return self.context.store.read(self.context.journal, work)

    def record_deaths(self) -> None:
        """Record the ends of sessions that are over, and the doubts that they leave, as the next writer would: what
        leaves is made of entries, and after a death there may be no writer for a long time."""
        if self.context.store.read(self.context.journal, _has_dead_session):
            self.context.write(end_dead_sessions)

    def _read(self, view: View) -> Position | None:
        return read_document(view, POSITION, self.name, Position)

    def _put(self, ledger: Ledger, position: Position) -> None:
        expires = ledger.now() + int(self._lease_seconds * 1_000_000)
        self._write(ledger, Position(position.seq, self._holder, expires, self._lease_seconds))

    def _write(self, ledger: Ledger, position: Position) -> None:
        put_struct(ledger, POSITION, self.name, position)


def _has_dead_session(view: View) -> bool:
    after, more = "", True
    while more:
        where = Select(where={"status": "open"}, newest_first=False, after=after, limit=MAX_SESSIONS_CHECKED)
        found = view.find(Session, where)
        if any(view.is_over(session) for session in found):
            return True
        more = len(found) == MAX_SESSIONS_CHECKED
        after = found[-1].id if found else ""
    return False
