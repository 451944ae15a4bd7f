"""Finds the rows that a batch wrote into a SQLite file, so that the bare driver can write the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import apsw

Row = tuple[int | float | str | bytes | None, ...]
Rows = dict[Row, Row]
"""Rows of a table by primary key, or by rowid if there is none."""


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]

    def rows(self, connection: apsw.Connection) -> Rows:
        select = f'select {_listed(self.key)}, {_listed(self.columns)} from "{self.name}"'
        width = len(self.key)
        return {row[:width]: row[width:] for row in connection.execute(select)}


@dataclass(frozen=True, slots=True)
class Change:
    """One statement and its parameters."""

    statement: str
    rows: list[Row]


def tables(connection: apsw.Connection) -> list[Table]:
    """Return the ordinary tables, without search indexes: the bare driver does not pay for them."""
    listed = connection.execute("select name, type from pragma_table_list where schema = 'main' order by name")
    ordinary = [str(name) for name, kind in listed if kind == "table"]
    return [_table(connection, name) for name in ordinary if not name.startswith("sqlite_")]


def copy_schema(source: apsw.Connection, target: apsw.Connection, wanted: list[Table]) -> None:
    """Create the same tables and indexes, without triggers."""
    names = {table.name for table in wanted}
    statements = "select tbl_name, sql from sqlite_schema where type in ('table', 'index') order by type desc"
    for name, sql in source.execute(statements):
        if name in names and sql is not None:
            target.execute(str(sql))


def changes(table: Table, before: Rows, after: Rows) -> Iterator[Change]:
    """Yield inserts of new rows, and updates of the changed columns of changed rows."""
    new = [row for key, row in after.items() if key not in before]
    if new:
        marks = ", ".join("?" * len(table.columns))
        yield Change(f'insert into "{table.name}" ({_listed(table.columns)}) values ({marks})', new)
    changed = [(before[key], row, key) for key, row in after.items() if key in before and before[key] != row]
    if changed:
        changed_columns = [
            index for index in range(len(table.columns)) if any(old[index] != row[index] for old, row, _ in changed)
        ]
        sets = ", ".join(f'"{table.columns[index]}" = ?' for index in changed_columns)
        where = " and ".join(f'"{column}" = ?' for column in table.key)
        bound = [(*(row[index] for index in changed_columns), *key) for _, row, key in changed]
        yield Change(f'update "{table.name}" set {sets} where {where}', bound)


def _table(connection: apsw.Connection, name: str) -> Table:
    info = list(connection.execute("select name, pk from pragma_table_info(?)", (name,)))
    columns = tuple(str(column) for column, _ in info)
    key = tuple(str(column) for column, rank in sorted(info, key=lambda each: int(str(each[1]))) if rank)
    return Table(name, key or ("rowid",), columns)


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join("rowid" if column == "rowid" else f'"{column}"' for column in columns)
