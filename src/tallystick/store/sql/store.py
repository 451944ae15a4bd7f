"""What the SQL stores share: catching up with a journal, committing groups of callers, filing, erasing.

A dialect says how to connect, begin and commit, how to wait, and how its search index is asked. Everything else,
the order of things above all, stands here once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from os import urandom
from sys import maxsize
from typing import Any, Literal, TypeVar

from msgspec import json

from tallystick.core import chain, fold
from tallystick.core.chain import Head
from tallystick.core.entries import Entry
from tallystick.core.errors import TallystickError
from tallystick.core.search import search_text
from tallystick.core.state import ROW_FORMAT, TABLES, Row
from tallystick.store.batch import Batch, RowSet
from tallystick.store.group_commit import GroupCommit, PendingWrite, run_each
from tallystick.store.interface import Credential, Ledger, Outcome, StoredEntry, View
from tallystick.store.liveness import Presence
from tallystick.store.sql import queries
from tallystick.store.sql import tail as sql_tail
from tallystick.store.sql.connection import SEQ_MASK, SqlConnection, place, places
from tallystick.store.sql.tail import Tail
from tallystick.store.sql.view import SqlView, read_credential

R = TypeVar("R", bound=Row)
T = TypeVar("T")

FOLDED_AT_ONCE = 1000


class Folding:
    """Rows as they become while entries are folded over a view."""

    def __init__(self, view: SqlView) -> None:
        self.shelf = RowSet()
        self._view = view

    def get(self, table: type[R], id: str) -> R | None:
        return self.shelf.get(table, id) or self._view.get(table, id)

    def put(self, row: Row) -> None:
        self.shelf.put(row)


class SqlStore(ABC):
    """The `Store` of the port, over SQL. `fault` is called at named points; tests make it kill the process there."""

    def __init__(self, fault: Callable[[str], None] | None = None) -> None:
        self._fault = fault or _no_fault
        self._presence: Presence | None = None
        self._forget()

    def _forget(self) -> None:
        """Know nothing yet: at first, and in a forked child, where threads that are no more may have held locks."""
        self._groups = GroupCommit(self._commit)
        self._numbers: dict[str, tuple[int, bytes]] = {}
        self._names: dict[int, str] = {}
        self._written: dict[str, Tail] = {}
        self._seen: dict[str, Tail] = {}
        self._rebuilds = 0

    @abstractmethod
    def _check_open(self) -> None:
        """Refuse when closed; open anew in a forked child."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[SqlConnection]:
        """A connection inside a transaction that sees one state of the database."""

    @abstractmethod
    def _transact(self, number: int, work: Callable[[SqlConnection], Sequence[Entry]]) -> None:
        """Run `work` alone on a journal and commit it durably. It returns the entries it added."""

    def is_free(self) -> bool:
        return True

    @abstractmethod
    def _add_journal(self, journal: str, secret: bytes) -> None: ...
    @abstractmethod
    def scrub(self, journal: str) -> Literal["done", "pending"]: ...

    def write(self, journal: str, work: Callable[[Ledger], T]) -> T:
        self._check_open()
        return self._groups.run(journal, work)

    def write_all(self, journal: str, works: Sequence[Callable[[Ledger], Any]]) -> list[Outcome]:
        self._check_open()
        return self._groups.run_all(journal, works)

    def read(self, journal: str, work: Callable[[View], T]) -> T:
        if journal not in self._numbers:
            self._load_journal_number(journal)
        # Chosen before the picture is taken, so that it is never ahead of it.
        tail = max(self._written.get(journal), self._seen.get(journal), key=lambda each: each.head.seq if each else -1)
        with self._reading() as connection:
            number = self._known(connection, journal)
            self._seen[journal] = tail = self._caught_up(connection, journal, number, tail)
            view = SqlView(connection, journal, number, self._presence, tail)
            result = work(view)
        if view.scanned > queries.SCANNED and self.is_free():  # who only reads waits for no writer
            with suppress(TallystickError):  # it was found all the same
                self.index(journal, queries.MAX_UNINDEXED_ENTRIES)
        return result

    def index(self, journal: str, most: int = maxsize) -> None:
        """Bring the search index up to date, or about so many entries further."""
        number, _ = self._journal(journal)
        done = queries.AT_ONCE

        def work(connection: SqlConnection) -> Sequence[Entry]:
            nonlocal done
            done = queries.index(connection, number, queries.AT_ONCE)
            return ()

        while done == queries.AT_ONCE and most > 0:
            self._transact(number, work)
            most -= done

    def stored_entries(self, journal: str, *, after: int, limit: int) -> Sequence[StoredEntry]:
        with self._reading() as connection:
            number = self._known(connection, journal)
            found = connection.rows(queries.KEPT, (place(number, after), places(number)[1], limit))
        return [
            StoredEntry(
                spot & SEQ_MASK,
                line.encode() if isinstance(line, str) else bytes(line),
                hash,
                body,
                bytes(salt) if salt is not None else None,
            )
            for spot, line, hash, body, salt in found
        ]

    def secret(self, journal: str) -> bytes:
        return self._journal(journal)[1]

    def journals(self) -> list[str]:
        with self._reading() as connection:
            connection.seek("names")
            return [name for (name,) in connection.rows(queries.JOURNALS)]

    def credential(self, hash: str) -> tuple[str, Credential] | None:
        with self._reading() as connection:
            connection.seek(f"hash:{hash}")
            found = connection.rows(queries.CREDENTIAL, (hash,))
            if not found:
                return None
            number, *row = found[0]
            if number not in self._names:
                connection.enter(number)
                self._names[number] = connection.rows(queries.JOURNAL_NAME, (number,))[0][0]
            return self._names[number], read_credential(*row)

    def rebuild(self, journal: str) -> int:
        number, _ = self._journal(journal)
        total = 0

        def work(connection: SqlConnection) -> Sequence[Entry]:
            nonlocal total
            end = connection.rows(queries.HEAD, places(number))
            filed, total = min(_filed(connection, number)[0], _head(*end[0]).seq if end else 0), 0
            for table in TABLES:
                connection.rows(queries.clear(table), (number,))
            connection.rows(queries.CLEAR_TRAILS, (number,))
            while total < filed:
                tail = Tail(Head(total, ""), total)
                span = (place(number, total), place(number, filed + 1), FOLDED_AT_ONCE)
                found = [chain.read_line(line, hash) for line, hash in connection.rows(queries.ENTRIES, span)]
                tail = self._folded(connection, journal, number, tail, found)
                sql_tail.file_rows(connection, number, tail.tables, tail.known)
                sql_tail.file_trails(connection, number, found)
                total = tail.head.seq
            connection.many(queries.SET_REBUILT, [(filed, number)])
            return ()

        self._transact(number, work)
        self._rebuilds += 1
        self._written.clear()
        self._seen.clear()
        return self.read(journal, lambda view: view.head().seq)

    def _commit(self, journal: str, group: Sequence[PendingWrite]) -> None:
        number, _ = self._journal(journal)
        known = self._written.pop(journal, None)  # an interrupt leaves none: the next one looks at the journal itself
        rebuilds = self._rebuilds
        tail: Tail | None = None

        def work(connection: SqlConnection) -> Sequence[Entry]:
            nonlocal tail
            before, unchanged = known, connection.unchanged(number)
            if before is None or not unchanged:
                before = self._caught_up(connection, journal, number, before)
            batch = Batch(SqlView(connection, journal, number, self._presence, before), urandom)
            run_each(group, batch)
            self._fault("decided")
            self._flush(connection, number, batch)
            appended = [each.entry for each in batch.appended]
            tail = before.extended(batch.head, appended, batch.shelf.tables, batch.shelf.effects)
            if tail.due:
                tail = self._filed_away(connection, number, tail)
            self._fault("flushed")
            return appended

        try:
            self._transact(number, work)
        except Exception:
            tail = known  # nothing was committed; whoever comes next checks that
            raise
        except BaseException:
            tail = None
            raise
        finally:
            if tail is not None and rebuilds == self._rebuilds:
                self._written[journal] = tail

    def _filed_away(self, connection: SqlConnection, number: int, tail: Tail) -> Tail | None:
        """File a tail, and what is left of it. One from before a rebuild is not filed but forgotten."""
        if _filed(connection, number)[1] != tail.rebuilt:
            return None
        sql_tail.file(connection, number, tail)
        queries.help_out(connection, number, tail.head.seq, fresh=len(tail.entries))
        self._fault("filed")
        return tail.after_filing()

    def _caught_up(self, connection: SqlConnection, journal: str, number: int, known: Tail | None) -> Tail:
        """The tail of a journal as the connection sees it, from one that was its tail at some time before."""
        found = connection.rows(queries.HEAD, places(number))
        if not found:
            return Tail(chain.genesis(journal), 0)
        end = _head(*found[0])
        filed, rebuilt = _filed(connection, number)
        filed = min(filed, end.seq)  # more was filed, if somebody cut entries off
        if known is not None and (known.filed, known.rebuilt) != (filed, rebuilt):
            known = None
        if known is not None and known.head.hash == end.hash:
            return known
        if known is None or not self._holds(connection, number, known.head):
            known = Tail(end if filed == end.seq else Head(filed, ""), filed, rebuilt)
        span = (place(number, known.head.seq), places(number)[1], SEQ_MASK)
        newer = [chain.read_line(line, hash) for line, hash in connection.rows(queries.ENTRIES, span)]
        return self._folded(connection, journal, number, known, newer) if newer else known

    def _holds(self, connection: SqlConnection, number: int, head: Head) -> bool:
        """Whether the journal went on from there."""
        return [hash for _, hash in connection.rows(queries.ENTRY, (place(number, head.seq),))] == [head.hash]

    def _folded(
        self, connection: SqlConnection, journal: str, number: int, tail: Tail, entries: Sequence[Entry]
    ) -> Tail:
        rows = Folding(SqlView(connection, journal, number, None, tail))
        for entry in entries:
            fold.evolve(rows, entry)
        last = entries[-1]
        return tail.extended(Head(last.seq, last.hash, last.at), entries, rows.shelf.tables, rows.shelf.effects)

    def _flush(self, connection: SqlConnection, number: int, batch: Batch) -> None:
        entries: list[Sequence[Any]] = []
        bodies: list[Sequence[Any]] = []
        for each in batch.appended:
            entry = each.entry
            spot = place(number, entry.seq)
            entries.append((spot, number, each.line.decode(), entry.hash))
            if each.body is not None:
                bodies.append((spot, number, each.salt, each.body))
        writes: list[tuple[str, list[Sequence[Any]]]] = [(queries.ADD_ENTRY, entries), (queries.ADD_BODY, bodies)]
        if batch.leases:
            leases = batch.leases.values()
            writes.append((queries.PUT_LEASE, [(number, each.session, each.expires, each.seconds) for each in leases]))
        if batch.credentials:
            writes.append((queries.PUT_CREDENTIAL, [_credential(number, each) for each in batch.credentials.values()]))
        for sql, values in writes:
            if values:
                connection.many(sql, values)
                self._fault("flushing")
        if batch.erased:
            self._erase(connection, number, batch)

    def _erase(self, connection: SqlConnection, number: int, batch: Batch) -> None:
        """Take bodies out, and their words out of the search index, in the transaction that records it."""
        indexed = queries.indexed(connection, number)
        for seq in sorted(batch.erased):
            entry = batch.base.entry(seq)
            body = batch.base.bodies([seq]).get(seq)
            if entry is None or body is None:
                continue
            if seq <= indexed:
                connection.drop_words(number, [(seq, search_text(entry, body))])
                connection.add_words(number, [(seq, search_text(entry, None))])
            connection.rows(queries.DROP_BODY, (place(number, seq),))

    def _journal(self, journal: str) -> tuple[int, bytes]:
        """The number and secret of a journal; it begins when something is first to be written in it."""
        if journal not in self._numbers and not self._load_journal_number(journal):
            self._add_journal(journal, urandom(32))
            self._load_journal_number(journal)
        return self._numbers[journal]

    def _load_journal_number(self, journal: str) -> int:
        """Get to know a journal, and its number. Rows that an older program filed in another shape are folded again."""
        with self._reading() as connection:
            number = self._known(connection, journal)
            shape = connection.rows(queries.JOURNAL, (journal,))[0][2] if number else ROW_FORMAT
        if shape != ROW_FORMAT:
            self.rebuild(journal)
        return number

    def _known(self, connection: SqlConnection, journal: str) -> int:
        """Enter a journal: its number; that of one nobody wrote in is 0, where there is nothing. Reading makes none."""
        if journal not in self._numbers:
            connection.seek(f"name:{journal}")
            found = connection.rows(queries.JOURNAL, (journal,))
            if not found:
                return 0
            self._numbers[journal] = (found[0][0], bytes(found[0][1]))
        number, _ = self._numbers[journal]
        connection.enter(number)
        return number


def _no_fault(point: str) -> None:
    """In production nothing happens at a fault point."""


def _head(spot: int, hash: str, line: str) -> Head:
    return Head(spot & SEQ_MASK, hash, chain.read_time(line))


def _credential(number: int, given: Credential) -> tuple[Any, ...]:
    words, tasks = " ".join(given.scopes), json.encode(given.tasks).decode()
    return number, given.name, given.hash, words, int(given.revoked), given.expires, tasks, int(given.observes)


def _filed(connection: SqlConnection, number: int) -> tuple[int, int]:
    """Up to where a journal is filed, and how often it was rebuilt."""
    found = connection.rows(queries.FILED, (number,))
    return (int(found[0][0]), int(found[0][1])) if found else (0, 0)
