"""Filing the tail of a journal: its rows, and the trails of its executions."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from msgspec import json

from tallystick.core.entries import Entry
from tallystick.core.state import Row
from tallystick.store import queries
from tallystick.store.connection import Connection, place
from tallystick.store.tail import Place, Tables, Tail

_encode = json.Encoder().encode


def file(connection: Connection, number: int, tail: Tail) -> None:
    file_rows(connection, number, tail.tables, tail.known)
    file_trails(connection, number, tail.entries)
    connection.many(queries.SET_FILED, [(tail.head.seq, number)])


def file_rows(connection: Connection, number: int, tables: Tables, filed: Mapping[Place, Row | None]) -> None:
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


def file_trails(connection: Connection, number: int, entries: Sequence[Entry]) -> None:
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
