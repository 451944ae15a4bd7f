"""Uncommitted changes in memory, layered over the store: entries, rows, leases and documents.

All stores append through it: drafts are sealed and folded in memory, then written in one commit. A `Batch` collects the
entries of several callers for one commit. Each caller works on a `BatchLedger`, a layer over the batch. If the caller
fails, its layer is dropped before anything reached the database, so no savepoint is needed. A lookup goes through the
layers down to the store.
"""

from collections.abc import Callable, Iterable, Mapping
from os import urandom
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from tallystick.core import chain, fold
from tallystick.core.chain import Head
from tallystick.core.entries import JOURNAL, Draft, Entry
from tallystick.core.formats.search import Query, search_words
from tallystick.core.state import Action, Row, Session
from tallystick.store.interface import (
    Credential,
    Found,
    Lease,
    Present,
    Select,
    StoredDocument,
    View,
    WhereValue,
    fold_credential,
)

# ----------------------------------------------------------------------------------------------------------------------
# Selecting rows in memory: the reference behaviour for the SQL stores.


def select_rows(rows: Iterable[Row], select: Select) -> list[Row]:
    """The rows that `select` asks for, in its order."""
    return sort_and_limit((row for row in rows if row_matches(row, select)), select)


def sort_and_limit(rows: Iterable[Row], select: Select) -> list[Row]:
    return sorted(rows, key=lambda row: row.id, reverse=select.newest_first)[: select.limit]


def row_matches(row: Row, select: Select) -> bool:
    if select.after and (row.id >= select.after if select.newest_first else row.id <= select.after):
        return False
    if select.until_id and (row.id <= select.until_id if select.newest_first else row.id >= select.until_id):
        return False
    at: Any = getattr(row, "at", 0)
    if select.since is not None and at < select.since:
        return False
    if select.until is not None and at >= select.until:
        return False
    return all(value_matches(getattr(row, column), wanted) for column, wanted in select.where.items())


def value_matches(value: Any, wanted: WhereValue) -> bool:
    if isinstance(wanted, Present):
        return bool(value)
    return value in wanted if isinstance(wanted, tuple) else value == wanted


def recount(counted: int, changes: Iterable[tuple[Row | None, Row]], where: Mapping[str, WhereValue]) -> int:
    """The count after rows changed; each change is the row as it was counted and as it is now."""
    select = Select(where=where)
    for before, after in changes:
        counted += row_matches(after, select) - (before is not None and row_matches(before, select))
    return counted


def found_up_to(limit: int, seqs: list[int], before: int = 0) -> Found:
    """At most `limit` of these, which are all that match behind `before`."""
    return Found(seqs[:limit], seqs[limit - 1] if len(seqs) >= limit > 0 else before)


# ----------------------------------------------------------------------------------------------------------------------
# Changes that are not committed yet.

R = TypeVar("R", bound=Row)
Tables = dict[type[Row], dict[str, Row]]


class Appended(NamedTuple):
    """A sealed entry with the bytes to store for it."""

    entry: Entry
    line: bytes
    body: str | None
    salt: bytes


class RowSet:
    """Changed rows, with secondary indexes by column value once a table has many."""

    MAX_UNINDEXED_ROWS = 16
    """Up to this many rows of a table are scanned instead of indexed."""

    __slots__ = ("_indexes", "effect_keys", "effects", "tables")

    def __init__(self) -> None:
        self.tables: Tables = {}
        self.effects: set[tuple[str, str]] = set()
        self.effect_keys: set[str] = set()
        self._indexes: dict[type[Row], dict[str, dict[Any, dict[str, Row]]]] = {}

    def put(self, row: Row) -> None:
        table = type(row)
        rows = self.tables.get(table)
        if rows is None:
            rows = self.tables[table] = {}
        if self._indexes:
            self._update_indexes(table, rows.get(row.id), row)
        rows[row.id] = row
        if isinstance(row, Action):
            self.effects.add((row.execution, row.effect_key))
            self.effect_keys.add(row.effect_key)

    def get(self, table: type[R], id: str) -> R | None:
        rows = self.tables.get(table)
        return rows.get(id) if rows else None  # type: ignore[return-value]  # rows are stored by their own type

    def has(self, table: type[Row], id: str) -> bool:
        return id in self.tables.get(table, ())

    def matching(self, table: type[Row], select: Select) -> Iterable[Row]:
        """The rows of a table that match, in no order."""
        rows = self.tables.get(table)
        if not rows:
            return ()
        equal = {name: wanted for name, wanted in select.where.items() if not isinstance(wanted, tuple)}
        if not equal or len(rows) <= self.MAX_UNINDEXED_ROWS:
            return [row for row in rows.values() if row_matches(row, select)]
        smallest = min((self._index(table, column).get(value, {}) for column, value in equal.items()), key=len)
        return [row for row in smallest.values() if row_matches(row, select)]

    def _index(self, table: type[Row], column: str) -> dict[Any, dict[str, Row]]:
        indexes = self._indexes.setdefault(table, {})
        if column not in indexes:
            indexes[column] = {}
            for row in self.tables[table].values():
                indexes[column].setdefault(getattr(row, column), {})[row.id] = row
        return indexes[column]

    def _update_indexes(self, table: type[Row], before: Row | None, after: Row) -> None:
        for column, index in self._indexes.get(table, {}).items():
            if before is not None:
                index[getattr(before, column)].pop(before.id, None)
            index.setdefault(getattr(after, column), {})[after.id] = after


_NO_ROWS = RowSet()


class Layer:
    """Changes on top of a snapshot: entries, rows, leases, documents, credentials, and which bodies were erased."""

    __slots__ = ("appended", "credentials", "documents", "erased", "head", "leases", "rows")

    def __init__(self, head: Head) -> None:
        self.head = head
        self.appended: list[Appended] = []
        self.rows = RowSet()
        self.leases: dict[str, Lease] = {}
        self.documents: dict[tuple[str, str], str] = {}
        self.credentials: dict[str, Credential] = {}
        self.erased: set[int] = set()

    def absorb(self, above: "Layer") -> None:
        """Take over the changes of a caller's layer."""
        self.head = above.head
        self.appended += above.appended
        for table in above.rows.tables.values():
            for row in table.values():
                self.rows.put(row)
        self.leases.update(above.leases)
        self.documents.update(above.documents)
        self.credentials.update(above.credentials)
        self.erased |= above.erased


class RandomBytes:
    """Random bytes for salts, fetched from the system for many entries at once: each fetch lets go of the GIL.

    Only one thread commits at a time, and a forked child begins anew: no two entries get the same bytes.
    """

    FETCHED = 2048

    def __init__(self) -> None:
        self._fetched = b""
        self._taken = 0

    def take(self, size: int) -> bytes:
        start, self._taken = self._taken, self._taken + size
        if self._taken > len(self._fetched):
            self._fetched, start, self._taken = urandom(max(size, self.FETCHED)), 0, size
        return self._fetched[start : self._taken]


class Batch(Layer):
    """The changes of several callers for one commit."""

    __slots__ = ("base", "salts", "time")

    def __init__(self, base: View, salts: Callable[[int], bytes]) -> None:
        super().__init__(base.head())
        self.base = base
        self.salts = salts
        self.time = base.now()


class BatchLedger:
    """The `Ledger` of one caller: its own layer over the batch, over the store.

    A caller that is alone in its batch writes to the batch itself: if it fails, the whole batch is dropped.
    """

    __slots__ = ("_base", "_batch", "_shared", "_tables", "journal", "layer", "put")

    def __init__(self, batch: Batch, *, alone: bool = False) -> None:
        self.journal = batch.base.journal
        self.layer: Layer = batch if alone else Layer(batch.head)
        self.put: Callable[[Row], None] = self.layer.rows.put
        self._batch = batch
        self._base = batch.base
        self._tables = self.layer.rows.tables
        self._shared = None if alone else batch.rows.tables

    def commit(self) -> None:
        if self.layer is not self._batch:
            self._batch.absorb(self.layer)

    def append(self, draft: Draft) -> Entry:
        layer = self.layer
        salt = self._batch.salts(chain.SALT_BYTES) if draft.body is not None else b""
        entry, line = chain.seal(layer.head, draft, at=self.now(), salt=salt)
        layer.head = Head(entry.seq, entry.hash, entry.at)
        layer.appended.append(Appended(entry, line, draft.body, salt))
        fold.evolve(self, entry)
        if draft.facts.PREFIX == JOURNAL:
            known = {each.name: each for each in self.credentials()}
            fold_credential(known, entry)
            layer.credentials.update(known)
        return entry

    def renew(self, session: str, seconds: float, at: int = 0) -> Lease:
        now = self.now()
        lease = Lease(session, (min(at, now) if at else now) + int(seconds * 1_000_000), seconds)
        self.layer.leases[session] = lease
        return lease

    def put_document(self, kind: str, id: str, content: str) -> None:
        self.layer.documents[kind, id] = content

    def erase(self, seqs: Iterable[int]) -> None:
        self.layer.erased.update(seqs)

    def get(self, table: type[R], id: str) -> R | None:
        rows = self._tables.get(table)
        if rows is not None and id in rows:
            return rows[id]  # type: ignore[return-value]  # rows are stored by their own type
        if self._shared is not None:
            rows = self._shared.get(table)
            if rows is not None and id in rows:
                return rows[id]  # type: ignore[return-value]  # as above
        return self._base.get(table, id)

    def find(self, table: type[R], select: Select) -> list[R]:
        own = self.layer.rows
        shared = self._batch.rows if self.layer is not self._batch else _NO_ROWS
        changed = len(own.tables.get(table, ())) + len(shared.tables.get(table, ()))
        if not changed:
            return self._base.find(table, select)
        # Stored rows may be outdated: ask for as many more as could drop out.
        wider = msgspec.structs.replace(select, limit=select.limit + changed)
        rows: list[Row] = [
            row for row in self._base.find(table, wider) if not own.has(table, row.id) and not shared.has(table, row.id)
        ]
        rows += (row for row in shared.matching(table, select) if not own.has(table, row.id))
        rows += own.matching(table, select)
        return cast("list[R]", sort_and_limit(rows, select))

    def now(self) -> int:
        return self._batch.time

    def head(self) -> Head:
        return self.layer.head

    def count(self, table: type[Row], where: Mapping[str, WhereValue], limit: int) -> int:
        newer = {**self._batch.rows.tables.get(table, {}), **self.layer.rows.tables.get(table, {})}
        counted = self._base.count(table, where, limit + len(newer))
        return min(recount(counted, ((self._base.get(table, id), row) for id, row in newer.items()), where), limit)

    def values(self, table: type[Row], column: str, where: Mapping[str, WhereValue]) -> set[str]:
        newer = [
            *self._batch.rows.matching(table, Select(where=where)),
            *self.layer.rows.matching(table, Select(where=where)),
        ]
        return self._base.values(table, column, where).union(str(getattr(row, column)) for row in newer)

    def effect_is_new(self, execution: str, effect_key: str) -> bool:
        effect = (execution, effect_key)
        if effect in self.layer.rows.effects or effect in self._batch.rows.effects:
            return False
        return self._base.effect_is_new(execution, effect_key)

    def may_be_unsettled(self, effect_key: str | None) -> bool:
        for keys in (self.layer.rows.effect_keys, self._batch.rows.effect_keys):
            if keys and (effect_key is None or effect_key in keys):
                return True
        return self._base.may_be_unsettled(effect_key)

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        stored = self._base.entries(after=after, limit=limit, execution=execution, newest_first=newest_first)
        fresh = [
            each.entry
            for each in self._pending()
            if (not execution or each.entry.execution == execution)
            and (not after or (each.entry.seq < after if newest_first else each.entry.seq > after))
        ]
        if newest_first:
            return [*reversed(fresh), *stored][:limit]
        return [*stored, *fresh][:limit]

    def entry(self, seq: int) -> Entry | None:
        fresh = self._fresh(seq)
        return fresh.entry if fresh else self._base.entry(seq)

    def clock_steps(self, limit: int) -> list[Entry]:
        fresh = [each.entry for each in reversed(self._pending()) if each.entry.behind]
        return (fresh + self._base.clock_steps(limit))[:limit]

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        wanted = set(seqs) - self._batch.erased - self.layer.erased
        fresh = {seq: each.body for seq in wanted if (each := self._fresh(seq)) and each.body is not None}
        return {**self._base.bodies(wanted - fresh.keys()), **fresh}

    def altered_bodies(self, seqs: Iterable[int]) -> set[int]:
        return self._base.altered_bodies(set(seqs) - self._batch.erased - self.layer.erased)

    def _fresh(self, seq: int) -> Appended | None:
        """The entry if it was appended in this batch. Sequence numbers are dense, so its index is computed."""
        index = seq - self._base.head().seq - 1
        shared = self._batch.appended if self.layer is not self._batch else []
        if index < 0 or seq > self.layer.head.seq:
            return None
        return shared[index] if index < len(shared) else self.layer.appended[index - len(shared)]

    def search(self, query: Query, *, after: int = 0, before: int = 0, limit: int) -> Found:
        fresh = [
            each.entry.seq
            for each in reversed(self._pending())
            if each.entry.seq > after
            and (not before or each.entry.seq < before)
            and query.matches(search_words(each.entry, each.body))
        ]
        stored = self._base.search(query, after=after, before=before, limit=limit)
        return found_up_to(limit, fresh + stored.seqs, stored.before)

    def lease(self, session: str) -> Lease | None:
        return self.layer.leases.get(session) or self._batch.leases.get(session) or self._base.lease(session)

    def is_over(self, session: Session) -> bool:
        lease = self.layer.leases.get(session.id) or self._batch.leases.get(session.id)
        if lease is not None and session.status == "open":
            return False  # opened or renewed in this very batch
        return self._base.is_over(session)

    def silent_since(self, session: Session, seen: int = 0) -> int:
        is_renewed = session.id in self.layer.leases or session.id in self._batch.leases
        return 0 if is_renewed else self._base.silent_since(session, seen)

    def document(self, kind: str, id: str) -> str:
        for layer in (self.layer, self._batch):
            if (kind, id) in layer.documents:
                return layer.documents[kind, id]
        return self._base.document(kind, id)

    def documents(self, kind: str, *, after: str = "", limit: int) -> list[StoredDocument]:
        changed = {**self._batch.documents, **self.layer.documents}
        newer = {id: text for (of_kind, id), text in changed.items() if of_kind == kind and id > after}
        stored = self._base.documents(kind, after=after, limit=limit + len(newer))
        known = {**{each.id: each.content for each in stored}, **newer}
        return [StoredDocument(kind, id, known[id]) for id in sorted(known) if known[id]][:limit]

    def credentials(self) -> list[Credential]:
        known = {each.name: each for each in self._base.credentials()}
        merged = {**known, **self._batch.credentials, **self.layer.credentials}
        return [merged[name] for name in sorted(merged)]

    def _pending(self) -> list[Appended]:
        if self.layer is self._batch:
            return self.layer.appended
        return self._batch.appended + self.layer.appended
