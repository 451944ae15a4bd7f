"""A store as an earlier version would have left it: created by that version's SQL, with the same rows."""

from typing import Any

import apsw
import psycopg
from psycopg import sql

from tallystick.store.sql import migrations
from tallystick.store.sql.migrations import Migration
from tests.stores import Home

LEFT_OUT = ("schema_versions", "words", "scrubs")
"""Tables that are not copied: an index that the next search fills again, and tables without data of a journal."""
Rows = list[dict[str, Any]]


def take_back(home: Home, version: int) -> None:
    """Make the store at home one of schema `version`, with every row that such a store can hold."""
    dialect: migrations.Dialect = "sqlite" if home.kind == "sqlite" else "postgres"
    some = [each for each in migrations.migrations(dialect) if each.version <= version]
    home.close()
    if home.kind == "sqlite":
        _take_back_sqlite(home, some)
    else:
        _take_back_postgres(home, some)


def _take_back_sqlite(home: Home, some: list[Migration]) -> None:
    with apsw.Connection(str(home.path)) as newest:
        names = [str(name) for (name,) in newest.execute("select name from sqlite_master where type = 'table'")]
        copied = {name: _rows(newest, name) for name in names if _is_copied(name)}
    newest.close()
    for path in home.path.parent.glob(f"{home.path.name}*"):
        path.unlink()
    older = apsw.Connection(str(home.path))
    older.execute(migrations.CREATE_VERSIONS_TABLE)
    for each in some:
        older.execute(each.sql).fetchall()
        older.execute("insert into schema_versions values (?, ?, ?)", (each.version, each.name, each.digest))
    for table, rows in copied.items():
        columns = {str(row[1]) for row in older.execute(f"pragma table_info({table})")}
        for row in rows if columns else ():  # a table that came later is folded again from the entries
            names, values = _known(table, row, columns)
            marks = ", ".join("?" * len(values))
            older.execute(f"insert into {table} ({', '.join(names)}) values ({marks})", values)
    older.close()


def _rows(newest: apsw.Connection, table: str) -> Rows:
    names = [str(row[1]) for row in newest.execute(f"pragma table_info({table})")]
    return [dict(zip(names, row, strict=True)) for row in newest.execute(f"select {', '.join(names)} from {table}")]


def _take_back_postgres(home: Home, some: list[Migration]) -> None:
    tables = "select tablename from pg_tables where schemaname = current_schema()"
    with psycopg.connect(home.url, autocommit=True) as connection:
        names = [name for (name,) in connection.execute(tables)]
        rows = psycopg.ClientCursor(connection, row_factory=psycopg.rows.dict_row)
        copied: dict[str, Rows] = {
            name: rows.execute(sql.SQL("select * from {}").format(sql.Identifier(name))).fetchall()
            for name in names
            if _is_copied(name)
        }
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
        connection.execute(migrations.CREATE_VERSIONS_TABLE)
        for each in some:
            connection.execute(each.sql.encode())
            values = (each.version, each.name, each.digest)
            connection.execute("insert into schema_versions values (%s, %s, %s)", values)
        for table, old_rows in copied.items():
            found = connection.execute("select attname from pg_attribute where attrelid = to_regclass(%s)", (table,))
            columns = {str(name) for (name,) in found}
            for row in old_rows if columns else ():  # a table that came later is folded again from the entries
                names, row_values = _known(table, row, columns - ({"number"} if table == "journals" else set()))
                marks = ", ".join(["%s"] * len(row_values))
                connection.execute(f"insert into {table} ({', '.join(names)}) values ({marks})".encode(), row_values)


def _is_copied(table: str) -> bool:
    return table not in LEFT_OUT and not table.startswith(("words_", "sqlite_"))


def _known(table: str, row: dict[str, Any], columns: set[str]) -> tuple[list[str], list[Any]]:
    if table == "journals":
        row = {**row, "indexed": 0, "shape": 0}
    if table == "actions":
        row = {**row, "owed": row["undo_state"]}
    return zip(*((name, value) for name, value in row.items() if name in columns), strict=True)  # type: ignore[return-value]
