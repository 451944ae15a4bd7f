"""A view of a journal in one transaction: the stored rows, overlaid with the tail that is not flushed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeVar, cast

from msgspec import convert, json
from msgspec.structs import replace

from tallystick.core import chain
from tallystick.core.chain import Head
from tallystick.core.entries import Entry
from tallystick.core.errors import damaged_error, missing_row_error
from tallystick.core.formats.search import Query, search_words
from tallystick.core.state import ROW_FORMAT, Action, Row, Session
from tallystick.store import liveness
from tallystick.store.interface import (
    CLOCK_STEPS,
    Credential,
    Found,
    Lease,
    Select,
    StoredDocument,
    StoredEntry,
    StoredRow,
    WhereValue,
    is_proved,
)
from tallystick.store.liveness import Presence
from tallystick.store.sql import queries
from tallystick.store.sql.connection import SEQ_MASK, SqlConnection, as_bytes, entry_key, entry_key_range
from tallystick.store.sql.tail import MAX_EFFECTS_PER_EXECUTION, MAX_UNSETTLED_EFFECTS, Tail, unsettled_after
from tallystick.store.uncommitted_changes import RowSet, found_up_to, recount, row_matches, sort_and_limit

R = TypeVar("R", bound=Row)

_UNREAD = Row("")
KEYS_PER_STATEMENT = 500
MORE_ROWS_STEP = 32
"""In what steps a search asks for more rows than it needs."""
MAX_ENTRIES_LOOKED_THROUGH = 2000
"""Entries that one search without the index looks through: about fifty milliseconds."""
ENTRIES_PER_LOOK = 100


class SqlView:
    """The `View` of a SQL store. `scanned` counts the unindexed entries that a search looked through."""

    __slots__ = ("_db", "_presence", "journal", "number", "scanned", "tail")

    def __init__(
        self, connection: SqlConnection, journal: str, number: int, presence: Presence | None, tail: Tail
    ) -> None:
        self.journal = journal
        self.number = number
        self.tail = tail
        self.scanned = 0
        self._db = connection
        self._presence = presence

    def now(self) -> int:
        return self._db.now()

    def head(self) -> Head:
        return self.tail.head

    def get(self, table: type[R], id: str) -> R | None:
        tail = self.tail
        changed = tail.tables.get(table)
        if changed and id in changed:
            return changed[id]  # type: ignore[return-value]  # rows are stored by their own type
        key = (table, id)
        row = tail.cached.get(key, _UNREAD)
        if row is _UNREAD:
            found = self._db.rows(queries.get(table), (self.number, id))
            row = _decoder(table)(found[0][0]) if found else None
            tail.cache_row(key, row)
        return row  # type: ignore[return-value]  # as above

    def find(self, table: type[R], select: Select) -> list[R]:
        changed = self.tail.tables.get(table)
        if not changed:
            return [*self._find_stored(table, select, select.limit)]
        # Stored rows may be outdated: ask for as many more as could drop out. In steps, so that searches stay equal.
        more = -(-len(changed) // MORE_ROWS_STEP) * MORE_ROWS_STEP
        stored = self._find_stored(table, select, select.limit + more)
        rows: list[Row] = [row for row in stored if row.id not in changed]
        rows += (row for row in changed.values() if row_matches(row, select))
        return cast("list[R]", sort_and_limit(rows, select))

    def count(self, table: type[Row], where: Mapping[str, WhereValue], limit: int) -> int:
        changed = self.tail.tables.get(table, {})
        sql, values = queries.count(table, where, limit + len(changed))
        counted = int(self._db.rows(sql, [self.number, *values])[0][0])
        stored = self._stored_rows(table, list(changed)) if changed else {}
        return min(recount(counted, ((stored.get(id), row) for id, row in changed.items()), where), limit)

    def values(self, table: type[Row], column: str, where: Mapping[str, WhereValue]) -> set[str]:
        sql, bound = queries.values(table, column, where)
        stored = {str(value) for (value,) in self._db.rows(sql, [self.number, *bound])}
        changed = (row for row in self.tail.tables.get(table, {}).values() if row_matches(row, Select(where=where)))
        return stored.union(str(getattr(row, column)) for row in changed)

    def effect_is_new(self, execution: str, effect_key: str) -> bool:
        effects = self.tail.effects
        if execution not in effects.begun:
            values = (self.number, execution, MAX_EFFECTS_PER_EXECUTION + 1)
            effects.load(execution, [key for (key,) in self._db.rows(queries.EFFECTS, values)])
            begun = cast("Iterable[Action]", self.tail.tables.get(Action, {}).values())
            effects.add((action.execution, action.effect_key) for action in begun)
        known = effects.begun.get(execution)
        return known is not None and effect_key not in known

    def may_be_unsettled(self, effect_key: str | None) -> bool:
        tail = self.tail
        if tail.unsettled is None:
            rows = self._db.rows(queries.UNSETTLED_EFFECTS, (self.number, MAX_UNSETTLED_EFFECTS + 1))
            is_complete = len(rows) <= MAX_UNSETTLED_EFFECTS
            tail.unsettled = is_complete and unsettled_after({str(id): str(key) for id, key in rows}, tail.tables)
        if not tail.unsettled or effect_key is None:
            return tail.unsettled != {}
        return effect_key in tail.unsettled.values()

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        first, last = entry_key_range(self.number)
        low, high = (first, first + after if after else last) if newest_first else (first + after, last)
        if not execution:
            sql = queries.ENTRIES_BACK if newest_first else queries.ENTRIES
            return self._read(sql, (low, high, limit))
        unflushed = [
            entry for entry in self.tail.entries if entry.execution == execution and low < first + entry.seq < high
        ]
        if newest_first:
            fresh = unflushed[: -limit - 1 : -1]
            span = (self.number, execution, low, high, limit - len(fresh))
            return fresh + self._read(queries.EXECUTION_ENTRIES_BACK, span)
        return (self._read(queries.EXECUTION_ENTRIES, (self.number, execution, low, high, limit)) + unflushed)[:limit]

    def entry(self, seq: int) -> Entry | None:
        found = self._read(queries.ENTRY, (entry_key(self.number, seq),))
        return found[0] if found else None

    def clock_steps(self, limit: int) -> list[Entry]:
        fresh = [entry for entry in reversed(self.tail.entries) if entry.behind][:limit]
        span = (self.number, CLOCK_STEPS, *entry_key_range(self.number), limit - len(fresh))
        return fresh + self._read(queries.EXECUTION_ENTRIES_BACK, span)

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        return {seq: body for seq, body, is_committed in self.stored_bodies(seqs) if is_committed}

    def altered_bodies(self, seqs: Iterable[int]) -> set[int]:
        return {seq for seq, _, is_committed in self.stored_bodies(seqs) if not is_committed}

    def stored_bodies(self, seqs: Iterable[int]) -> Iterator[tuple[int, str, bool]]:
        """Bodies as they are stored, each with whether it is the one that its entry commits to."""
        wanted = [entry_key(self.number, seq) for seq in seqs]
        for start in range(0, len(wanted), KEYS_PER_STATEMENT):
            part = wanted[start : start + KEYS_PER_STATEMENT]
            for key, body, salt, line in self._db.rows(queries.bodies(len(part)), part):
                yield key & SEQ_MASK, body, chain.is_committed(chain.read_commitment(line), body, as_bytes(salt))

    def search(self, query: Query, *, after: int = 0, before: int = 0, limit: int) -> Found:
        indexed = queries.indexed_seq(self._db, self.number)
        self.scanned = self.tail.head.seq - indexed
        fresh = [
            entry.seq
            for entry, body in queries.unindexed(self._db, self.number, max(indexed, after))
            if (not before or entry.seq < before) and query.matches(search_words(entry, body))
        ]
        newest = fresh[: -limit - 1 : -1]
        if len(newest) == limit:
            return found_up_to(limit, newest)
        stored = self._search_stored(query, after, min(before or SEQ_MASK, indexed + 1), limit - len(newest))
        return found_up_to(limit, newest + stored.seqs, stored.before)

    def _search_stored(self, query: Query, after: int, before: int, limit: int) -> Found:
        """Search the index; where letters begin too many different words, look through the entries themselves."""
        expanded = self._db.expand(query)
        if expanded is not None:
            return self._db.search(self.number, expanded, after, before, limit)
        found: list[int] = []
        looked, size = 0, ENTRIES_PER_LOOK
        while looked < MAX_ENTRIES_LOOKED_THROUGH:
            size = min(size, before - 1 - after)
            entries = self.entries(after=before, limit=size, newest_first=True) if size > 0 else []
            bodies = self.bodies([entry.seq for entry in entries if entry.commitment])
            found += (e.seq for e in entries if query.matches(search_words(e, bodies.get(e.seq))))
            if len(found) >= limit or not entries:
                return found_up_to(limit, found)
            looked, before, size = looked + size, entries[-1].seq, 4 * size
        return Found(found, before)

    def lease(self, session: str) -> Lease | None:
        for expires, seconds in self._db.rows(queries.LEASE, (self.number, session)):
            if isinstance(expires, int) and isinstance(seconds, int | float):
                return Lease(session, expires, seconds)
        return None

    def is_over(self, session: Session) -> bool:
        return liveness.is_over(session, self.lease, self.now(), self._presence)

    def silent_since(self, session: Session, seen: int = 0) -> int:
        return liveness.silent_since(session, self.lease, self.now(), self._presence, seen)

    def document(self, kind: str, id: str) -> str:
        found = self._db.rows(queries.DOCUMENT, (self.number, kind, id))
        return str(found[0][0]) if found else ""

    def documents(self, kind: str, *, after: str = "", limit: int) -> list[StoredDocument]:
        found = self._db.rows(queries.DOCUMENTS, (self.number, kind, after, limit))
        return [StoredDocument(kind, id, content) for id, content in found]

    def credentials(self) -> list[Credential]:
        known = read_credentials(self._db, self.number)
        return [each for each in known if is_proved(each, self.entry(each.seq))]

    def _read(self, sql: str, values: tuple[int | str, ...]) -> list[Entry]:
        return queries.read_entries(self._db, sql, values)

    def _find_stored(self, table: type[R], select: Select, limit: int) -> Sequence[R]:
        """Stored rows, without the tail: they change with a flush only, and so does the answer to a search."""
        is_page = select.after or select.until_id or select.since is not None or select.until is not None
        key = None if is_page else (table, limit, select.newest_first, *select.where.items())
        if key in self.tail.found:
            return self.tail.found[key]  # type: ignore[return-value]  # rows are stored by their own type
        sql, values = queries.find(table, replace(select, limit=limit))
        decode = _decoder(table)
        rows = [decode(doc) for (doc,) in self._db.rows(sql, [self.number, *values])]
        if key is not None:
            self.tail.cache_find(key, rows)
        return rows

    def _stored_rows(self, table: type[R], ids: list[str]) -> dict[str, R]:
        """Rows as they are stored, without the tail."""
        found: dict[str, R] = {}
        for start in range(0, len(ids), KEYS_PER_STATEMENT):
            part = ids[start : start + KEYS_PER_STATEMENT]
            rows = self._db.rows(queries.get_many(table, len(part)), [self.number, *part])
            found.update((row.id, row) for row in map(_decoder(table), (doc for (doc,) in rows)))
        return found


class FoldedRows:
    """The rows that change while entries are folded over a view."""

    def __init__(self, view: SqlView) -> None:
        self.changed = RowSet()
        self._view = view

    def get(self, table: type[R], id: str) -> R | None:
        return self.changed.get(table, id) or self._view.get(table, id)

    def put(self, row: Row) -> None:
        self.changed.put(row)


class SqlSnapshot:
    """The `Snapshot` of a SQL store, in one transaction."""

    __slots__ = ("_db", "_journal", "number")

    def __init__(self, connection: SqlConnection, journal: str, number: int) -> None:
        self._db = connection
        self._journal = journal
        self.number = number

    def head(self) -> Head:
        return read_head(self._db, self.number) or chain.genesis(self._journal)

    def flushed(self) -> int:
        return read_flush_state(self._db, self._journal, self.number)[0]

    def indexed(self) -> int:
        return queries.indexed_seq(self._db, self.number)

    def stored_entries(self, *, after: int, limit: int) -> list[StoredEntry]:
        span = (entry_key(self.number, after), entry_key_range(self.number)[1], limit)
        return [
            StoredEntry(
                key & SEQ_MASK,
                line_bytes(line),
                hash if isinstance(hash, str) and hash.isascii() else "",
                body if body is None or isinstance(body, str) else "",
                as_bytes(salt) if salt is not None else None,
            )
            for key, line, hash, body, salt in self._db.rows(queries.STORED_ENTRIES, span)
        ]

    def stored_rows(self, table: type[Row], *, after: str, limit: int) -> list[StoredRow]:
        found = self._db.rows(queries.stored_rows(table), (self.number, after, limit))
        if not all(isinstance(id, str) for id, *_ in found):
            raise damaged_error(f"a row of the table {table.TABLE} cannot be read")
        return [StoredRow(id, tuple(columns), doc) for id, doc, *columns in found]

    def execution_index(self, *, after: tuple[str, int], limit: int) -> list[tuple[str, int]]:
        first = entry_key(self.number, 0)  # a changed key may be that of no entry: it is no number of 40 bits
        span = (self.number, after[0], first + after[1], limit)
        found = self._db.rows(queries.EXECUTION_INDEX, span)
        if not all(isinstance(name, str) and isinstance(key, int) for name, key in found):
            raise damaged_error("the index of entries by execution cannot be read")
        return [(name, key - first) for name, key in found]

    def credentials(self) -> list[Credential]:
        return read_credentials(self._db, self.number)

    def leased_sessions(self) -> list[str]:
        return [str(session) for (session,) in self._db.rows(queries.LEASED, (self.number,))]

    def body_after(self, seq: int) -> int:
        span = (entry_key(self.number, seq), entry_key_range(self.number)[1])
        found = self._db.rows(queries.BODY_AFTER, span)
        return int(found[0][0]) & SEQ_MASK if found else 0


def read_head(connection: SqlConnection, number: int) -> Head | None:
    """The last entry of a journal."""
    found = connection.rows(queries.HEAD, entry_key_range(number))
    if not found:
        return None
    key, hash, line = found[0]
    return chain.read_head(key & SEQ_MASK, line, hash)


def line_bytes(line: object) -> bytes:
    return line.encode(errors="surrogateescape") if isinstance(line, str) else as_bytes(line)


def read_flush_state(connection: SqlConnection, journal: str, number: int) -> tuple[int, int, int]:
    """The entry up to which a journal's rows are written, how often they were rebuilt, and their format."""
    if not number:
        return 0, 0, ROW_FORMAT
    found = connection.rows(queries.FLUSH_STATE, (number,))
    if not found:
        raise missing_row_error(journal)
    flushed, rebuilds, shape = found[0]
    if not (isinstance(flushed, int) and isinstance(rebuilds, int) and isinstance(shape, int)):
        raise damaged_error("the row of a journal cannot be read")
    return flushed, rebuilds, shape


def read_credentials(connection: SqlConnection, number: int) -> list[Credential]:
    """The credentials of a journal as they are stored, in the order of their names."""
    return [read_credential(*row) for row in connection.rows(queries.CREDENTIALS, (number,))]


def read_credential(
    name: str, hash: str, scopes: str, revoked: int, expires: int, tasks: str, observes: int, seq: int
) -> Credential:
    try:
        parts = (name, hash, scopes.split(), bool(revoked), expires, json.decode(tasks), bool(observes), seq)
        return convert(dict(zip(Credential.__struct_fields__, parts, strict=True)), Credential)
    except (ValueError, TypeError, AttributeError):
        raise damaged_error("a credential cannot be read") from None


@cache
def _decoder(table: type[R]) -> Callable[[str], R]:
    decode = json.Decoder(table).decode

    def decoded(doc: str) -> R:
        try:
            return decode(doc)
        except (ValueError, TypeError, RecursionError):
            raise damaged_error(f"a row of the table {table.TABLE} cannot be read") from None

    return decoded
