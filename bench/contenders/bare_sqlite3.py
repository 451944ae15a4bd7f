"""The lower bound with the sqlite3 module of the standard library."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from bench.contenders import rows
from bench.contenders.contender import Contender


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with closing(sqlite3.connect(address, isolation_level=None, timeout=60)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.execute(rows.CREATE.format(autopk="integer primary key"))
        connection.execute(rows.INDEX)
        insert = rows.INSERT.format("?")
        yield Contender(
            f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL, one commit a row",
            rows.committing(lambda row: connection.execute(insert, row)),
        )
