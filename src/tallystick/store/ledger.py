"""Appending, the same for every store: drafts are sealed and folded in memory, and flushed together.

A `Batch` gathers what several callers append before one commit. Each caller works on a `BatchLedger`, a layer over
the batch: when it fails the layer is dropped and nothing of it was ever near the database, so no savepoint is
needed. A lookup goes through the layers down to the store.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from msgspec import Struct

from tallystick.core import chain, fold
from tallystick.core.chain import Head
from tallystick.core.entries import Draft, Entry
from tallystick.core.state import Row, Session
from tallystick.core.words import Query, words_of
from tallystick.store.port import Credential, Lease, Select, View, Wanted

R = TypeVar("R", bound=Row)
Place = tuple[type[Row], str]


class Appended(Struct, frozen=True):
    """An entry that is to be kept, with all that belongs to it."""

    entry: Entry
    line: bytes
    body: str | None
    salt: bytes


class Layer:
    """Changes on top of a picture: entries appended, rows put, leases renewed, credentials kept."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.appended: list[Appended] = []
        self.rows: dict[Place, Row] = {}
        self.leases: dict[str, Lease] = {}
        self.credentials: dict[str, Credential] = {}
        self.erased: set[int] = set()

    def absorb(self, above: "Layer") -> None:
        """Take over what a caller did."""
        self.head = above.head
        self.appended += above.appended
        self.rows.update(above.rows)
        self.leases.update(above.leases)
        self.credentials.update(above.credentials)
        self.erased |= above.erased


class Batch(Layer):
    """What is to be committed together. `origins` are the rows as the store has them, where that is known."""

    def __init__(self, base: View, salts: Callable[[int], bytes]) -> None:
        super().__init__(base.head())
        self.base = base
        self.salts = salts
        self.origins: dict[Place, Row | None] = {}

    def origin(self, table: type[Row], id: str) -> Row | None:
        place = (table, id)
        if place not in self.origins:
            self.origins[place] = self.base.get(table, id)
        return self.origins[place]


class BatchLedger:
    """One caller's ledger: a layer of its own over the batch, over the store. It is the `Ledger` of the port."""

    def __init__(self, batch: Batch) -> None:
        self.journal = batch.base.journal
        self.layer = Layer(batch.head)
        self._batch = batch
        self._base = batch.base

    def commit(self) -> None:
        self._batch.absorb(self.layer)

    def append(self, draft: Draft) -> Entry:
        layer = self.layer
        salt = self._batch.salts(chain.SALT_BYTES) if draft.body is not None else b""
        entry, line = chain.seal(layer.head, draft, at=self.now(), salt=salt)
        layer.head = Head(entry.seq, entry.hash, entry.at)
        layer.appended.append(Appended(entry, line, draft.body, salt))
        fold.evolve(self, entry)
        return entry

    def renew(self, session: str, seconds: float) -> Lease:
        lease = Lease(session, self.now() + int(seconds * 1_000_000), seconds)
        self.layer.leases[session] = lease
        return lease

    def erase(self, seqs: Iterable[int]) -> None:
        self.layer.erased.update(seqs)

    def keep_credential(self, credential: Credential) -> None:
        self.layer.credentials[credential.name] = credential

    def put(self, row: Row) -> None:
        self.layer.rows[(type(row), row.id)] = row

    def get(self, table: type[R], id: str) -> R | None:
        place = (table, id)
        found = self.layer.rows.get(place) or self._batch.rows.get(place) or self._batch.origin(table, id)
        return cast("R | None", found)

    def find(self, table: type[R], select: Select) -> list[R]:
        newer = {**self._rows_of(table, self._batch), **self._rows_of(table, self.layer)}
        if not newer:
            return self._base.find(table, select)
        wider = Select(
            where=select.where,
            since=select.since,
            until=select.until,
            newest_first=select.newest_first,
            after=select.after,
            limit=select.limit + len(newer),
        )
        stored = {row.id: row for row in self._base.find(table, wider)}
        merged = {**stored, **newer}
        return cast("list[R]", pick(merged.values(), select))

    def _rows_of(self, table: type[R], layer: Layer) -> dict[str, R]:
        return {id: cast("R", row) for (kind, id), row in layer.rows.items() if kind is table}

    def now(self) -> int:
        return max(self._base.now(), self.layer.head.at)

    def head(self) -> Head:
        return self.layer.head

    def count(self, table: type[Row], column: str, where: Mapping[str, Wanted]) -> dict[str, int]:
        counts = self._base.count(table, column, where)
        newer = {**self._rows_of(table, self._batch), **self._rows_of(table, self.layer)}
        for id, row in newer.items():
            for version, step in ((self._batch.origin(table, id), -1), (row, 1)):
                if version and all(fits(getattr(version, name), wanted) for name, wanted in where.items()):
                    value = str(getattr(version, column))
                    counts[value] = counts.get(value, 0) + step
        return {value: many for value, many in counts.items() if many}

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
        fresh = next((each.entry for each in self._pending() if each.entry.seq == seq), None)
        return fresh or self._base.entry(seq)

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        wanted = set(seqs) - self._batch.erased - self.layer.erased
        fresh = {
            each.entry.seq: each.body for each in self._pending() if each.entry.seq in wanted and each.body is not None
        }
        return {**self._base.bodies(wanted - fresh.keys()), **fresh}

    def search(self, query: Query, *, before: int = 0, limit: int) -> list[int]:
        fresh = [
            each.entry.seq
            for each in reversed(self._pending())
            if (not before or each.entry.seq < before) and query.finds(words_of(each.entry, each.body))
        ]
        return (fresh + self._base.search(query, before=before, limit=limit))[:limit]

    def lease(self, session: str) -> Lease | None:
        return self.layer.leases.get(session) or self._batch.leases.get(session) or self._base.lease(session)

    def over(self, session: Session) -> bool:
        lease = self.layer.leases.get(session.id) or self._batch.leases.get(session.id)
        if lease is not None and session.status == "open":
            return False  # opened or renewed in this very batch
        return self._base.over(session)

    def credentials(self) -> list[Credential]:
        known = {each.name: each for each in self._base.credentials()}
        merged = {**known, **self._batch.credentials, **self.layer.credentials}
        return [merged[name] for name in sorted(merged)]

    def _pending(self) -> list[Appended]:
        return self._batch.appended + self.layer.appended


def pick(rows: Iterable[Row], select: Select) -> list[Row]:
    """What `select` asks for, from rows in memory: the reference that SQL is held to."""
    found = sorted((row for row in rows if _fits(row, select)), key=lambda row: row.id, reverse=select.newest_first)
    return found[: select.limit]


def _fits(row: Row, select: Select) -> bool:
    if select.after and (row.id >= select.after if select.newest_first else row.id <= select.after):
        return False
    at: Any = getattr(row, "at", 0)
    if select.since is not None and at < select.since:
        return False
    if select.until is not None and at >= select.until:
        return False
    return all(fits(getattr(row, column), wanted) for column, wanted in select.where.items())


def fits(value: Any, wanted: Wanted) -> bool:
    return value in wanted if isinstance(wanted, tuple) else value == wanted
