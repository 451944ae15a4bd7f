"""What the SQL stores share: reading rows, writing batches, and keeping the search index.

A dialect says how to connect, begin and commit, how to wait, and how its search index is asked. Everything else,
the order of things above all, stands here once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cache
from operator import attrgetter
from os import urandom
from threading import Lock
from typing import Any, Literal, TypeVar

from msgspec import json

from tallystick.core import chain, fold
from tallystick.core.chain import Head
from tallystick.core.entries import Entry
from tallystick.core.errors import TallystickError
from tallystick.core.state import TABLES, Row, Session
from tallystick.core.words import Query, words_of
from tallystick.store import liveness, queries
from tallystick.store.groups import Groups, Ticket, run_each
from tallystick.store.ledger import Batch, BatchLedger, Place
from tallystick.store.port import Credential, Kept, Lease, Ledger, Select, View, Wanted
from tallystick.store.presence import Presence

R = TypeVar("R", bound=Row)
T = TypeVar("T")

INDEX_EVERY = 256
"""Whoever appends each so-manieth entry brings the search index up to date, be it a process that appends but one.

Searching scans the entries that wait for the index, so it bounds that scan.
"""
INDEX_AT_ONCE = 2048
REBUILD_AT_ONCE = 1000

SEQ_BITS = 40
SEQ_MASK = (1 << SEQ_BITS) - 1
"""A place is the journal's number and the sequence number in one integer: the cheapest key to append under."""

_encode = json.Encoder().encode


def place(number: int, seq: int) -> int:
    return number << SEQ_BITS | seq


def places(number: int) -> tuple[int, int]:
    """Before the first place of a journal, and behind its last."""
    return number << SEQ_BITS, (number + 1) << SEQ_BITS


@cache
def _decoder(table: type[R]) -> Callable[[str], R]:
    return json.Decoder(table).decode


class Connection(ABC):
    """One connection, of either kind. Parameters are marked by `?`."""

    @abstractmethod
    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    @abstractmethod
    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None: ...
    @abstractmethod
    def now(self) -> int: ...
    @abstractmethod
    def unchanged(self, journal: int) -> bool:
        """True only if nobody else has appended since this was last asked for the journal, in a writing transaction."""

    @abstractmethod
    def search(self, journal: int, query: Query, before: int, limit: int) -> list[int]: ...
    @abstractmethod
    def add_words(self, journal: int, words: Sequence[tuple[int, str]]) -> None: ...
    @abstractmethod
    def drop_words(self, journal: int, words: Sequence[tuple[int, str]]) -> None: ...


class SqlView:
    """A journal as one transaction sees it: the `View` of the port."""

    def __init__(
        self, connection: Connection, journal: str, number: int, presence: Presence | None, head: Head | None = None
    ) -> None:
        self.journal = journal
        self.number = number
        self._db = connection
        self._presence = presence
        self._head = head

    def now(self) -> int:
        return max(self._db.now(), self.head().at)

    def head(self) -> Head:
        if self._head is None:
            found = self._db.rows(queries.HEAD, places(self.number))
            self._head = _head(*found[0]) if found else chain.genesis(self.journal)
        return self._head

    def get(self, table: type[R], id: str) -> R | None:
        found = self._db.rows(queries.get(table), (self.number, id))
        return _decoder(table)(found[0][0]) if found else None

    def find(self, table: type[R], select: Select) -> list[R]:
        sql, values = queries.find(table, select)
        decode = _decoder(table)
        return [decode(doc) for (doc,) in self._db.rows(sql, [self.number, *values])]

    def count(self, table: type[Row], column: str, where: Mapping[str, Wanted]) -> dict[str, int]:
        sql, values = queries.count(table, column, where)
        return {str(value): count for value, count in self._db.rows(sql, [self.number, *values])}

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        first, last = places(self.number)
        low, high = (first, first + after if after else last) if newest_first else (first + after, last)
        if execution:
            sql = queries.ENTRIES_OF_BACK if newest_first else queries.ENTRIES_OF
            found = self._db.rows(sql, (self.number, execution, low, high, limit))
        else:
            sql = queries.ENTRIES_BACK if newest_first else queries.ENTRIES
            found = self._db.rows(sql, (low, high, limit))
        return [chain.read_line(line, hash) for line, hash in found]

    def entry(self, seq: int) -> Entry | None:
        found = self._db.rows(queries.ENTRY, (place(self.number, seq),))
        return chain.read_line(*found[0]) if found else None

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        wanted = [place(self.number, seq) for seq in seqs]
        found: dict[int, str] = {}
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            found.update((spot & SEQ_MASK, body) for spot, body in self._db.rows(queries.bodies(len(part)), part))
        return found

    def search(self, query: Query, *, before: int = 0, limit: int) -> list[int]:
        indexed = self.indexed()
        tail = [
            seq
            for seq, words in self.unindexed(indexed, limit=1 << 62)
            if (not before or seq < before) and query.finds(words)
        ]
        fresh = sorted(tail, reverse=True)[:limit]
        room = limit - len(fresh)
        return fresh + (self._db.search(self.number, query, before or SEQ_MASK, room) if room else [])

    def indexed(self) -> int:
        found = self._db.rows(queries.INDEXED, (self.number,))
        return int(found[0][0]) if found else 0

    def unindexed(self, after: int, limit: int) -> Iterable[tuple[int, set[str]]]:
        """The words of entries that the search index does not hold yet."""
        while limit > 0:
            span = (place(self.number, after), places(self.number)[1])
            found = self._db.rows(queries.KEPT, (*span, min(limit, INDEX_AT_ONCE)))
            for spot, line, hash, body, _ in found:
                after = spot & SEQ_MASK
                yield after, words_of(chain.read_line(line, hash), body)
            limit = limit - len(found) if found else 0

    def lease(self, session: str) -> Lease | None:
        found = self._db.rows(queries.LEASE, (self.number, session))
        return Lease(session, *found[0]) if found else None

    def over(self, session: Session) -> bool:
        return liveness.over(session, self.lease, self.now(), self._presence)

    def credentials(self) -> list[Credential]:
        found = self._db.rows(queries.CREDENTIALS, (self.number,))
        return [Credential(name, hash, tuple(scopes.split()), bool(revoked)) for name, hash, scopes, revoked in found]


class Warm:
    """What the last commit of this process left: as long as the head is the same, the rows are too.

    Rows are a function of the entries, and the head's hash stands for all of them; so nothing here can be stale.
    """

    ROWS = 512

    def __init__(self, batch: Batch) -> None:
        self.head = batch.head
        self.rows: dict[Place, Row | None] = batch.origins if len(batch.origins) < self.ROWS else {}
        self.rows.update(batch.rows)


class SqlStore(ABC):
    """The `Store` of the port, over SQL. `fault` is called at named points; tests make it kill the process there."""

    def __init__(self, fault: Callable[[str], None] | None = None) -> None:
        self._fault = fault or _no_fault
        self._presence: Presence | None = None
        self._forget()

    def _forget(self) -> None:
        """Know nothing yet: at first, and in a forked child, where threads that are no more may have held locks."""
        self._groups = Groups(self._commit)
        self._numbers: dict[str, tuple[int, bytes]] = {}
        self._warm: dict[str, Warm] = {}
        self._to_index: set[str] = set()
        self._indexing = Lock()

    @abstractmethod
    def _check_open(self) -> None:
        """Refuse when closed; open anew in a forked child."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A connection inside a transaction that sees one state of the database."""

    @abstractmethod
    def _transact(self, number: int, work: Callable[[Connection], Sequence[Entry]]) -> None:
        """Run `work` alone on a journal and commit it durably. It returns the entries it added."""

    @abstractmethod
    def _add_journal(self, journal: str, secret: bytes) -> None: ...
    @abstractmethod
    def scrub(self, journal: str) -> Literal["done", "pending"]: ...

    def write(self, journal: str, work: Callable[[Ledger], T]) -> T:
        self._check_open()
        result = self._groups.run(journal, work)
        if journal in self._to_index:
            with suppress(TallystickError):  # what was written is; words that are not indexed are searched all the same
                self._index(journal)
        return result

    def read(self, journal: str, work: Callable[[View], T]) -> T:
        with self._reading() as connection:
            return work(SqlView(connection, journal, self._known(connection, journal), self._presence))

    def kept(self, journal: str, *, after: int, limit: int) -> Sequence[Kept]:
        with self._reading() as connection:
            number = self._known(connection, journal)
            found = connection.rows(queries.KEPT, (place(number, after), places(number)[1], limit))
        return [
            Kept(
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
            return [name for (name,) in connection.rows(queries.JOURNALS)]

    def rebuild(self, journal: str) -> int:
        number, _ = self._journal(journal)
        total = 0

        def work(connection: Connection) -> Sequence[Entry]:
            nonlocal total
            for table in TABLES:
                connection.rows(queries.clear(table), (number,))
            total = 0
            while found := connection.rows(queries.ENTRIES, (place(number, total), places(number)[1], REBUILD_AT_ONCE)):
                batch = Batch(self._view(connection, journal), urandom)
                ledger = BatchLedger(batch)
                for line, hash in found:
                    fold.evolve(ledger, chain.read_line(line, hash))
                ledger.commit()
                _write_rows(connection, number, batch)
                total += len(found)
            return ()

        self._warm.clear()
        self._transact(number, work)
        return total

    def _commit(self, journal: str, group: Sequence[Ticket]) -> None:
        number, _ = self._journal(journal)
        warm = self._warm.pop(journal, None)  # and nothing is warm if what follows fails
        batches: list[Batch] = []

        def work(connection: Connection) -> Sequence[Entry]:
            batch = self._batch(connection, journal, number, warm)
            run_each(group, batch)
            self._fault("decided")
            self._flush(connection, number, batch)
            batches.append(batch)
            return [each.entry for each in batch.appended]

        self._transact(number, work)
        done = batches[-1]
        self._warm[journal] = Warm(done)
        if done.head.seq % INDEX_EVERY < len(done.appended):
            self._to_index.add(journal)

    def _batch(self, connection: Connection, journal: str, number: int, warm: Warm | None) -> Batch:
        head = warm.head if connection.unchanged(number) and warm else None
        batch = Batch(SqlView(connection, journal, number, self._presence, head), urandom)
        if warm and batch.head.hash == warm.head.hash:
            batch.origins = warm.rows
        return batch

    def _flush(self, connection: Connection, number: int, batch: Batch) -> None:
        entries = [
            (place(number, each.entry.seq), number, each.entry.execution, each.line.decode(), each.entry.hash)
            for each in batch.appended
        ]
        bodies = [
            (place(number, each.entry.seq), number, each.salt, each.body)
            for each in batch.appended
            if each.body is not None
        ]
        leases = [(number, lease.session, lease.expires, lease.seconds) for lease in batch.leases.values()]
        credentials = [
            (number, each.name, each.hash, " ".join(each.scopes), int(each.revoked))
            for each in batch.credentials.values()
        ]
        for sql, values in (
            (queries.ADD_ENTRY, entries),
            (queries.ADD_BODY, bodies),
            (queries.PUT_LEASE, leases),
            (queries.PUT_CREDENTIAL, credentials),
        ):
            if values:
                connection.many(sql, values)
                self._fault("flushing")
        _write_rows(connection, number, batch)
        if batch.erased:
            self._erase(connection, number, batch)
        self._fault("flushed")

    def _erase(self, connection: Connection, number: int, batch: Batch) -> None:
        """Take bodies out, and their words out of the search index, in the transaction that records it."""
        view = SqlView(connection, batch.base.journal, number, None)
        indexed = view.indexed()
        for seq in sorted(batch.erased):
            entry = view.entry(seq)
            body = view.bodies([seq]).get(seq)
            if entry is None or body is None:
                continue
            if seq <= indexed:
                connection.drop_words(number, [(seq, _joined(words_of(entry, body)))])
                connection.add_words(number, [(seq, _joined(words_of(entry, None)))])
            connection.rows(queries.DROP_BODY, (place(number, seq),))

    def _index(self, journal: str) -> None:
        """Bring the search index up to date. One caller in `INDEX_EVERY` does it; nobody waits for it meanwhile."""
        if not self._indexing.acquire(blocking=False):
            return
        try:
            number, _ = self._journal(journal)
            self._to_index.discard(journal)

            def work(connection: Connection) -> Sequence[Entry]:
                view = SqlView(connection, journal, number, None)
                found = list(view.unindexed(view.indexed(), INDEX_AT_ONCE))
                if found:
                    connection.add_words(number, [(seq, _joined(words)) for seq, words in found])
                    connection.rows(queries.SET_INDEXED, (found[-1][0], number))
                return ()

            self._transact(number, work)
        finally:
            self._indexing.release()

    def _view(self, connection: Connection, journal: str) -> SqlView:
        return SqlView(connection, journal, self._journal(journal)[0], self._presence)

    def _journal(self, journal: str) -> tuple[int, bytes]:
        """The number and secret of a journal; it begins when something is first to be written in it."""
        if journal not in self._numbers:
            with self._reading() as connection:
                known = self._known(connection, journal)
            if not known:
                self._add_journal(journal, urandom(32))
                with self._reading() as connection:
                    self._known(connection, journal)
        return self._numbers[journal]

    def _known(self, connection: Connection, journal: str) -> int:
        """The number of a journal; that of one nobody wrote in is 0, where there is nothing. Reading makes none."""
        if journal not in self._numbers:
            found = connection.rows(queries.JOURNAL, (journal,))
            if not found:
                return 0
            self._numbers[journal] = (found[0][0], bytes(found[0][1]))
        return self._numbers[journal][0]


def _write_rows(connection: Connection, number: int, batch: Batch) -> None:
    """Put the rows of a batch, as few index pages touched as can be, alike statements together."""
    statements: dict[str, list[Sequence[Any]]] = {}
    for (table, id), row in batch.rows.items():
        before = batch.origins.get((table, id))
        columns = _columns(table)
        if before is None:
            values: list[Any] = [number, id, *columns(row), _encode(row).decode()]
            statements.setdefault(queries.put(table), []).append(values)
            continue
        old, new = columns(before), columns(row)
        if old != new:
            changed = [place for place, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]]
            sql = queries.change(table, tuple(table.COLUMNS[place] for place in changed))
            values = [*(new[place] for place in changed), _encode(row).decode(), number, id]
        elif before != row:
            sql, values = queries.change(table, ()), [_encode(row).decode(), number, id]
        else:
            continue
        statements.setdefault(sql, []).append(values)
    for sql, many in statements.items():
        connection.many(sql, many)


@cache
def _columns(table: type[Row]) -> Callable[[Row], tuple[Any, ...]]:
    """The values of a row's columns, all at once."""
    if len(table.COLUMNS) > 1:
        return attrgetter(*table.COLUMNS)
    return lambda row: tuple(getattr(row, name) for name in table.COLUMNS)


def _joined(words: set[str]) -> str:
    return " ".join(sorted(words))


def _no_fault(point: str) -> None:
    """In production nothing happens at a fault point."""


def _head(spot: int, hash: str, line: str) -> Head:
    return Head(spot & SEQ_MASK, hash, chain.time_of(line))
