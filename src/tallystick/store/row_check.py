"""Compares the stored rows of a journal with its entries: folds the entries again and looks for a difference.

Memory is bounded: rows that do not fit are kept in a temporary file, which the system removes.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec
from msgspec.structs import replace

from tallystick.core import fold
from tallystick.core.chain import read_entry
from tallystick.core.entries import Entry, SessionOpened, Unreadable
from tallystick.core.errors import Tampered
from tallystick.core.state import TABLES, IdempotencyKey, Row
from tallystick.store.interface import CLOCK_STEPS, Credential, Snapshot, StoredRow, fold_credential

if TYPE_CHECKING:
    import apsw

R = TypeVar("R", bound=Row)

MAX_PUTS_HELD = 60_000
"""Changes of rows that are kept in memory: some 20,000 rows, and at most about 50 MB."""
ROWS_PER_READ = 1000
_DELETED = "Entries may have been deleted from its end: compare it with an export or a backup first."
_REBUILD = "Run `tallystick rebuild`: it folds the rows again from the entries."
_encode = msgspec.json.Encoder().encode
_COLUMNS: dict[type[Row], Callable[[Row], Any]] = {table: attrgetter("id", *table.COLUMNS) for table in TABLES}
_DECODERS = {table: msgspec.json.Decoder(table).decode for table in TABLES}


class ExpectedRows:
    """The rows that entries fold into, the last ones in memory and all others in a temporary file."""

    def __init__(self) -> None:
        self._held: dict[type[Row], dict[str, Row]] = {table: {} for table in TABLES}
        self._room = MAX_PUTS_HELD
        self._file: apsw.Connection | None = None

    def get(self, table: type[R], id: str) -> R | None:
        row = self._held[table].get(id)
        if row is None and self._file is not None:
            found = self._file.execute("select doc from rows where name = ? and id = ?", (table.TABLE, id)).fetchall()
            row = _DECODERS[table](cast("bytes", found[0][0])) if found else None
        return cast("R | None", row)

    def put(self, row: Row) -> None:
        self._held[type(row)][row.id] = row
        self._room -= 1
        if not self._room:
            self._spill()

    def _spill(self) -> None:
        if self._file is None:
            import apsw  # few journals are so large

            self._file = apsw.Connection("")  # a temporary file of SQLite's own
            self._file.execute("pragma journal_mode = off; pragma synchronous = off")
            self._file.execute(
                "create table rows (name text, id text, doc blob, primary key (name, id)) without rowid; begin"
            )
        for table, rows in self._held.items():
            self._file.executemany(
                "insert or replace into rows values (?, ?, ?)",
                [(table.TABLE, id, _encode(rows[id])) for id in sorted(rows)],
            )
            rows.clear()
        self._room = MAX_PUTS_HELD

    def rows(self, table: type[Row]) -> Iterator[Row]:
        """All rows of a table in the order of their ids."""
        if self._file is None:
            rows = self._held[table]
            yield from (rows[id] for id in sorted(rows))
            return
        self._spill()
        for (doc,) in self._file.execute("select doc from rows where name = ? order by id", (table.TABLE,)):
            yield _DECODERS[table](cast("bytes", doc))


class SummedKeys(ExpectedRows):
    """Expected rows, with idempotency keys only summed: they are half of all rows, and no fold reads them."""

    def __init__(self, secret: int) -> None:
        super().__init__()
        self.keys = 0
        self._secret = secret

    def put(self, row: Row) -> None:
        if isinstance(row, IdempotencyKey):
            self.keys += hash((self._secret, row.id, row.id, row.seq, row.digest))
            return
        self._held[type(row)][row.id] = row
        self._room -= 1
        if not self._room:
            self._spill()


class RowCheck:
    """Takes the entries of a journal in order, and then compares what is stored beside them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._end = snapshot.head().seq
        self._flushed = snapshot.flushed()
        # Equal sums of hashes mean the same values in any order; without the secret nobody can aim at a sum.
        self._secret = secrets.randbits(60)
        self._expected = SummedKeys(self._secret)
        self._execution_index = 0
        self._credentials: dict[str, Credential] = {}
        self._sessions: set[str] = set()
        self._has_unreadable = False
        self.unproved: list[str] = []

    def take(self, entries: Iterable[Entry]) -> None:
        rows, secret, index = self._expected, self._secret, 0
        for entry in entries:
            if entry.seq <= self._flushed:
                fold.evolve(rows, entry)
                if entry.execution:
                    index += hash((secret, entry.execution, entry.seq))
                if entry.behind:
                    index += hash((secret, CLOCK_STEPS, entry.seq))
            if entry.kind == SessionOpened.KIND:
                self._sessions.add(entry.id)
            elif entry.kind.startswith("credential_"):
                fold_credential(self._credentials, entry)
            elif entry.kind == Unreadable.KIND:
                self._has_unreadable = True
        self._execution_index += index

    def compare(self) -> None:
        """Raise Tampered with the first difference."""
        self._check_marks()
        for table in TABLES:
            if table is not IdempotencyKey:
                self._compare_table(table, self._expected)
        self._compare_keys()
        self._compare_credentials()
        secret = self._secret
        index = sum(hash((secret, execution, seq)) for execution, seq in self._stored_index())
        if index != self._execution_index:
            raise Tampered("the index of entries by execution is not that of the entries.", hint=_REBUILD)

    def _compare_credentials(self) -> None:
        stored = {each.name: each for each in self._snapshot.credentials()}
        for name in sorted({*stored, *self._credentials}):
            found, expected = stored.get(name), self._credentials.get(name)
            if found is None or expected is None:
                what = "is missing" if found is None else "comes from no entry"
                raise Tampered(f'the row of credential "{name[:80]}" {what}.', hint=_REBUILD)
            if not expected.hash:
                self.unproved.append(name)
                expected = replace(expected, hash=found.hash)
            for field in expected.__struct_fields__:
                says, said = getattr(found, field), getattr(expected, field)
                if says != said:
                    raise Tampered(
                        f'the row of credential "{name[:80]}" says {field} {_shown(says)}, '
                        f"its entries say {_shown(said)}.",
                        hint=_REBUILD,
                    )

    def _check_marks(self) -> None:
        if self._flushed > self._end:
            raise Tampered(
                f"the journal says that its rows are written up to entry {self._flushed}, and it ends at {self._end}.",
                hint=f"{_DELETED} {_REBUILD}",
            )
        indexed = self._snapshot.indexed()
        if indexed > self._end:
            raise Tampered(
                f"the journal says that search knows it up to entry {indexed}, and it ends at {self._end}.",
                hint=f"{_DELETED} {_REBUILD}",
            )
        stray = self._snapshot.body_after(self._end)
        if stray:
            raise Tampered(f"a body is stored for entry {stray}, which does not exist.", hint=_DELETED)
        leased = [] if self._has_unreadable else self._snapshot.leased_sessions()
        unknown = next((session for session in leased if session not in self._sessions), None)
        if unknown is not None:
            raise Tampered(f"a lease is stored for session {unknown[:80]}, which no entry opened.", hint=_DELETED)

    def _compare_keys(self) -> None:
        keys = 0
        for found in self._stored_rows(IdempotencyKey):
            row = _read_row(IdempotencyKey, found)
            keys += hash((self._secret, found.id, row.id, row.seq, row.digest))
        if keys == self._expected.keys:
            return
        # Either a row is wrong, or a key was used again, and only its last use is stored.
        expected, seq = ExpectedRows(), 0
        while stored := self._snapshot.stored_entries(after=seq, limit=ROWS_PER_READ):
            for each in stored:
                seq = each.seq
                entry = read_entry(each.seq, each.line, each.hash)
                if entry.key and seq <= self._flushed:
                    expected.put(IdempotencyKey(id=entry.key, seq=seq, digest=entry.digest))
        self._compare_table(IdempotencyKey, expected)

    def _compare_table(self, table: type[Row], rows: ExpectedRows) -> None:
        stored = iter(self._stored_rows(table))
        for expected in rows.rows(table):
            found = next(stored, None)
            if found is None or found.id > expected.id:
                raise Tampered(f"the row of {_name(table, expected.id)} is missing.", hint=_REBUILD)
            if found.id < expected.id:
                raise _without_entry(table, found)
            _compare_row(expected, found)
        found = next(stored, None)
        if found is not None:
            raise _without_entry(table, found)

    def _stored_rows(self, table: type[Row]) -> Iterator[StoredRow]:
        after = ""
        while part := self._snapshot.stored_rows(table, after=after, limit=ROWS_PER_READ):
            yield from part
            after = part[-1].id

    def _stored_index(self) -> Iterator[tuple[str, int]]:
        after = ("", 0)
        while part := self._snapshot.execution_index(after=after, limit=ROWS_PER_READ):
            yield from part
            after = part[-1]


def _compare_row(expected: Row, found: StoredRow) -> None:
    table = type(expected)
    if found.doc != _encode(expected).decode():
        stored = _read_row(table, found)
        for name in expected.__struct_fields__:
            _compare_value(expected, name, getattr(stored, name), getattr(expected, name))
    if _COLUMNS[table](expected) != (found.id, *found.columns) and table.COLUMNS:
        for name, value in zip(table.COLUMNS, found.columns, strict=True):
            _compare_value(expected, name, value, getattr(expected, name))


def _read_row(table: type[R], found: StoredRow) -> R:
    try:
        return cast("R", _DECODERS[table](found.doc))
    except (msgspec.MsgspecError, ValueError, TypeError):
        raise Tampered(f"the row of {_name(table, found.id)} cannot be read.", hint=_REBUILD) from None


def _compare_value(row: Row, name: str, found: Any, expected: Any) -> None:
    if found != expected:
        raise Tampered(
            f"the row of {_name(type(row), row.id)} says {name} {_shown(found)}, its entries say {_shown(expected)}.",
            hint=_REBUILD,
        )


def _without_entry(table: type[Row], found: StoredRow) -> Tampered:
    return Tampered(f"the row of {_name(table, found.id)} comes from no entry.", hint=_REBUILD)


def _name(table: type[Row], id: str) -> str:
    return f"{table.TABLE.removesuffix('s')} {id[:80]}"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(msgspec.to_builtins(value)).decode()
    return f'"{text[:80]}"' if isinstance(value, str) else text[:80]
