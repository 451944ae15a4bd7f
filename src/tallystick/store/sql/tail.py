"""The tail of a journal: entries that are stored and durable, but whose rows are not written to their tables yet.

A commit writes entries and bodies, and nothing else. The rows folded from them, and the index of entries by execution,
are flushed for `ENTRIES_PER_FLUSH` entries at once, in the transaction of the last of them. Until then, a process that
opens the journal folds the tail in memory. A stored row that an entry of the tail changed is never returned.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Literal, TypeVar, cast

from msgspec import json

from tallystick.core.chain import Head
from tallystick.core.entries import Entry
from tallystick.core.state import UNSETTLED, Action, Row
from tallystick.store.interface import CLOCK_STEPS
from tallystick.store.sql import queries
from tallystick.store.sql.connection import SqlConnection, entry_key
from tallystick.store.uncommitted_changes import Batch, Tables

R = TypeVar("R", bound=Row)
RowKey = tuple[type[Row], str]

ENTRIES_PER_FLUSH = 128
"""The length at which a tail is flushed. It bounds what a new process has to fold, to about two milliseconds."""
MAX_CACHED_ROWS = 2048
"""Room for the rows of a large batch beside the sessions and executions that it belongs to; about two megabytes."""
MAX_CACHED_FINDS = 64
"""Equal searches that are remembered. What a begin asks for is a dozen of them."""
MAX_FOUND_ROWS = 100
"""The longest result that is remembered."""
MAX_CACHED_EFFECTS = 32_768
MAX_EFFECTS_PER_EXECUTION = 4096
MAX_UNSETTLED_EFFECTS = 256
"""Beyond this many, the index is asked instead: each commit copies them."""
UnsettledEffects = dict[str, str] | Literal[False] | None


class EffectCache:
    """The effect keys of executions that were asked about, each execution completely.

    It may hold a key that was never committed. So it can prove that an effect is new, and nothing else.
    """

    def __init__(self) -> None:
        self.begun: dict[str, set[str] | None] = {}
        """The keys by execution; None for one with too many."""
        self._size = 0

    def load(self, execution: str, keys: Sequence[str]) -> None:
        """Cache every key of an execution, unless there are more than `MAX_EFFECTS_PER_EXECUTION`."""
        if self._size > MAX_CACHED_EFFECTS:
            self.begun, self._size = {}, 0
        self.begun[execution] = set(keys) if len(keys) <= MAX_EFFECTS_PER_EXECUTION else None
        self._size += 1 + len(keys)

    def add(self, effects: Iterable[tuple[str, str]]) -> None:
        """Add effects that were begun, as pairs of execution and effect key."""
        for execution, effect_key in effects:
            begun = self.begun.get(execution)
            if begun is not None:
                begun.add(effect_key)
                self._size += 1


def unsettled_after(unsettled: UnsettledEffects, changed: Tables) -> UnsettledEffects:
    """The effect keys of unsettled actions after rows changed, in the same dictionary, or False."""
    actions = changed.get(Action)
    if unsettled is None or unsettled is False or not actions:
        return unsettled
    for action in cast("Iterable[Action]", actions.values()):
        if action.state in UNSETTLED:
            unsettled[action.id] = action.effect_key
        else:
            unsettled.pop(action.id, None)
    return unsettled if len(unsettled) <= MAX_UNSETTLED_EFFECTS else False


class Tail:
    """The unflushed end of a journal as of `head`. Once `is_shared` is set, threads share it: entries and tables never
    change, caches grow. Until then its only writer extends it in place.

    `flushed` is the sequence number up to which rows are stored, `rebuilds` how often the rows were rebuilt. `cached`
    holds stored rows that were read; `None` stands for a row that does not exist. `found` holds the stored rows that
    searches found: both stay true until the next flush. `needs` is the version that wrote
    entries which this one cannot read: nothing is written then. `unsettled` has the effect key of each action that is
    open or in doubt, by its id; None before it was asked for, False if they are too many.
    """

    __slots__ = (
        "cached",
        "effects",
        "entries",
        "flushed",
        "found",
        "head",
        "is_shared",
        "needs",
        "rebuilds",
        "tables",
        "unsettled",
    )

    def __init__(
        self,
        head: Head,
        flushed: int,
        rebuilds: int = 0,
        *,
        entries: list[Entry] | None = None,
        tables: Tables | None = None,
        cached: dict[RowKey, Row | None] | None = None,
        found: dict[object, Sequence[Row]] | None = None,
        effects: EffectCache | None = None,
        needs: str = "",
        unsettled: UnsettledEffects = None,
    ) -> None:
        self.head = head
        self.flushed = flushed
        self.rebuilds = rebuilds
        self.entries: list[Entry] = [] if entries is None else entries
        self.tables: Tables = {} if tables is None else tables
        self.cached: dict[RowKey, Row | None] = {} if cached is None else cached
        self.found: dict[object, Sequence[Row]] = {} if found is None else found
        self.effects = effects or EffectCache()
        self.needs = needs
        self.unsettled = unsettled
        self.is_shared = False

    def cache_row(self, key: RowKey, row: Row | None) -> None:
        if len(self.cached) >= MAX_CACHED_ROWS:
            _drop_oldest(self.cached)
        self.cached[key] = row

    def cache_find(self, key: object, rows: Sequence[Row]) -> None:
        if len(rows) <= MAX_FOUND_ROWS:
            if len(self.found) >= MAX_CACHED_FINDS:
                self.found.clear()
            self.found[key] = rows

    def extended(self, head: Head, entries: Sequence[Entry], changed: Tables, *, in_place: bool = False) -> "Tail":
        """A tail with more entries and the rows that they changed: this one, where nobody else has it."""
        tail = self if in_place else self._copy()
        tail.entries += entries
        tables = tail.tables
        for table, rows in changed.items():
            known = tables.get(table)
            if known is None:
                tables[table] = rows
            else:
                known.update(rows)
        tail.unsettled = unsettled_after(tail.unsettled, changed)
        tail.head = head
        return tail

    def _copy(self) -> "Tail":
        return Tail(
            self.head,
            self.flushed,
            self.rebuilds,
            entries=list(self.entries),
            tables={table: dict(rows) for table, rows in self.tables.items()},
            cached=self.cached,
            found=self.found,
            effects=self.effects,
            needs=self.needs,
            unsettled=dict(self.unsettled) if isinstance(self.unsettled, dict) else self.unsettled,
        )

    def after_flush(self) -> "Tail":
        """The empty tail after everything was flushed; it keeps the caches."""
        cached = dict(self.cached)
        for table, rows in self.tables.items():
            for id, row in rows.items():
                cached[table, id] = row
        if len(cached) > MAX_CACHED_ROWS:
            _drop_oldest(cached)
        return Tail(
            self.head,
            self.head.seq,
            self.rebuilds,
            cached=cached,
            effects=self.effects,
            unsettled=dict(self.unsettled) if isinstance(self.unsettled, dict) else self.unsettled,
        )


def _drop_oldest(cached: dict[RowKey, Row | None]) -> None:
    """Drop the older half of the rows. Threads share them: another one may have dropped some already."""
    for key in list(cached)[: len(cached) // 2]:
        cached.pop(key, None)


class WrittenGroup:
    """What the transaction of a group has written, and the tail `before` it, or after it where there is no `batch`."""

    __slots__ = ("appended", "batch", "before", "head")

    def __init__(self) -> None:
        self.head: Head | None = None
        self.before: Tail | None = None
        self.batch: Batch | None = None
        self.appended: list[Entry] = []

    def extended_tail(self) -> Tail | None:
        """The tail after the commit: not before, since a commit may fail, or be tried again."""
        before, batch = self.before, self.batch
        if before is None or batch is None:
            return before
        return before.extended(batch.head, self.appended, batch.rows.tables, in_place=not before.is_shared)


# ----------------------------------------------------------------------------------------------------------------------
# Writing the tail of a journal to its tables.

_encode = json.Encoder().encode


def flush(connection: SqlConnection, number: int, tail: Tail) -> None:
    write_rows(connection, number, tail.tables, tail.cached)
    write_execution_index(connection, number, tail.entries)
    connection.many(queries.SET_FLUSHED, [(tail.head.seq, number)])


def write_rows(connection: SqlConnection, number: int, tables: Tables, stored: Mapping[RowKey, Row | None]) -> None:
    """Insert or update rows, changing as few index pages as possible, with equal statements grouped."""
    statements: dict[str, list[Sequence[Any]]] = {}
    for table, rows in tables.items():
        columns = _columns(table)
        for id, row in rows.items():
            before = stored.get((table, id))
            new = columns(row)
            if before is None:
                sql, values = queries.put(table), [number, id, *new, _encode(row).decode()]
            elif before == row:
                continue
            else:
                old = columns(before)
                changed = [index for index, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]]
                sql = queries.change(table, tuple(table.COLUMNS[index] for index in changed))
                values = [*(new[index] for index in changed), _encode(row).decode(), number, id]
            statements.setdefault(sql, []).append(values)
    for sql, rows_of_values in statements.items():
        connection.many(sql, rows_of_values)


def write_execution_index(connection: SqlConnection, number: int, entries: Sequence[Entry]) -> None:
    """Index entries by their execution, in the table `trails`."""
    first = entry_key(number, 0)
    indexed = [(number, entry.execution, first | entry.seq) for entry in entries if entry.execution]
    indexed += [(number, CLOCK_STEPS, entry_key(number, entry.seq)) for entry in entries if entry.behind]
    if indexed:
        connection.many(queries.ADD_EXECUTION_ENTRY, indexed)


@cache
def _columns(table: type[Row]) -> Callable[[Row], tuple[Any, ...]]:
    """A function that returns the values of a row's columns."""
    if len(table.COLUMNS) > 1:
        return attrgetter(*table.COLUMNS)
    return lambda row: tuple(getattr(row, name) for name in table.COLUMNS)
