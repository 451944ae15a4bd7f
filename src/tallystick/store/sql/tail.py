"""The end of a journal: entries that are kept, and durable, but whose rows are not filed yet.

A commit writes an entry and its body and nothing else. What is folded from them (the rows, and each execution's
trail) is filed for a hundred entries at once, in the transaction of the last of them. Until then whoever opens the
journal folds its tail in memory; a filed row that an unfiled entry changed is never shown.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from msgspec import json

from tallystick.core.chain import Head
from tallystick.core.entries import Entry
from tallystick.core.state import Row
from tallystick.store.batch import Tables
from tallystick.store.sql import queries
from tallystick.store.sql.connection import SqlConnection, place

R = TypeVar("R", bound=Row)
RowKey = tuple[type[Row], str]

ENTRIES_PER_FLUSH = 128
"""How long a tail grows. It bounds what a process that comes new has to fold, to about two milliseconds."""
KNOWN_ROWS = 512
KNOWN_EFFECTS = 32_768
EFFECTS_OF_ONE = 4096


class Effects:
    """Which effects were begun in an execution: all of them, for executions that were asked about.

    A key may be noted that was never committed. So this can tell that an effect is new, and nothing else.
    """

    def __init__(self) -> None:
        self._begun: dict[str, set[str] | None] = {}
        self._size = 0

    def knows(self, execution: str) -> bool:
        return execution in self._begun

    def learn(self, execution: str, keys: Sequence[str]) -> None:
        """Every key of an execution; more than `EFFECTS_OF_ONE` are too many to remember."""
        if self._size > KNOWN_EFFECTS:
            self._begun, self._size = {}, 0
        self._begun[execution] = set(keys) if len(keys) <= EFFECTS_OF_ONE else None
        self._size += 1 + len(keys)

    def note(self, effects: Iterable[tuple[str, str]]) -> None:
        """Executions, each with the key of an effect that was begun in it."""
        for execution, effect_key in effects:
            begun = self._begun.get(execution)
            if begun is not None:
                begun.add(effect_key)
                self._size += 1

    def is_new(self, execution: str, effect_key: str) -> bool:
        begun = self._begun.get(execution)
        return begun is not None and effect_key not in begun


class Tail:
    """A journal's unfiled end as of `head`. Threads share it: what it says is never changed.

    `known` are rows as they are filed, remembered as they are read; `None` is a row that there is not.
    """

    __slots__ = ("effects", "entries", "filed", "head", "known", "rebuilt", "tables")

    def __init__(
        self,
        head: Head,
        filed: int,
        rebuilt: int = 0,
        *,
        entries: Sequence[Entry] = (),
        tables: Tables | None = None,
        known: dict[RowKey, Row | None] | None = None,
        effects: Effects | None = None,
    ) -> None:
        self.head = head
        self.filed = filed
        self.rebuilt = rebuilt
        self.entries = entries
        self.tables: Tables = {} if tables is None else tables
        self.known: dict[RowKey, Row | None] = {} if known is None else known
        self.effects = effects or Effects()

    @property
    def due(self) -> bool:
        """Whether it is time to file."""
        return self.head.seq - self.filed >= ENTRIES_PER_FLUSH

    def remember(self, place: RowKey, row: Row | None) -> None:
        if len(self.known) >= KNOWN_ROWS:
            self.known.clear()
        self.known[place] = row

    def extended(self, head: Head, entries: Sequence[Entry], changed: Tables, effects: set[tuple[str, str]]) -> "Tail":
        """The tail with more entries, the rows that they changed and the effects that were begun."""
        tables = dict(self.tables)
        for table, rows in changed.items():
            tables[table] = {**tables[table], **rows} if table in tables else dict(rows)
        self.effects.note(effects)
        return Tail(
            head,
            self.filed,
            self.rebuilt,
            entries=[*self.entries, *entries],
            tables=tables,
            known=self.known,
            effects=self.effects,
        )

    def after_filing(self) -> "Tail":
        """What is left when all of it was filed: nothing but what is known."""
        known = dict(self.known) if len(self.known) < KNOWN_ROWS else {}
        for table, rows in self.tables.items():
            known.update(((table, id), row) for id, row in rows.items())
        return Tail(self.head, self.head.seq, self.rebuilt, known=known, effects=self.effects)


# ----------------------------------------------------------------------------------------------------------------------
# Filing the tail of a journal: its rows, and the trails of its executions.

_encode = json.Encoder().encode


def file(connection: SqlConnection, number: int, tail: Tail) -> None:
    file_rows(connection, number, tail.tables, tail.known)
    file_trails(connection, number, tail.entries)
    connection.many(queries.SET_FILED, [(tail.head.seq, number)])


def file_rows(connection: SqlConnection, number: int, tables: Tables, filed: Mapping[RowKey, Row | None]) -> None:
    """Put rows, as few index pages touched as can be, alike statements together."""
    statements: dict[str, list[Sequence[Any]]] = {}
    for table, rows in tables.items():
        columns = _columns(table)
        for id, row in rows.items():
            before = filed.get((table, id))
            new = columns(row)
            if before is None:
                sql, values = queries.put(table), [number, id, *new, _encode(row).decode()]
            elif before == row:
                continue
            else:
                old = columns(before)
                changed = [spot for spot, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]]
                sql = queries.change(table, tuple(table.COLUMNS[spot] for spot in changed))
                values = [*(new[spot] for spot in changed), _encode(row).decode(), number, id]
            statements.setdefault(sql, []).append(values)
    for sql, many in statements.items():
        connection.many(sql, many)


def file_trails(connection: SqlConnection, number: int, entries: Sequence[Entry]) -> None:
    """Note which entries are of which execution."""
    trails = [(number, entry.execution, place(number, entry.seq)) for entry in entries if entry.execution]
    if trails:
        connection.many(queries.ADD_TRAIL, trails)


@cache
def _columns(table: type[Row]) -> Callable[[Row], tuple[Any, ...]]:
    """The values of a row's columns, all at once."""
    if len(table.COLUMNS) > 1:
        return attrgetter(*table.COLUMNS)
    return lambda row: tuple(getattr(row, name) for name in table.COLUMNS)
