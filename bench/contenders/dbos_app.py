"""DBOS on a SQLite file, as both of its contenders use it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from dbos import DBOS  # type: ignore[import-not-found]


@contextmanager
def launched(address: str) -> Iterator[Any]:
    """DBOS, running. Steps and workflows may be declared after the launch; only recovery needs them before."""
    _set_to_wal(address)
    DBOS(
        config={
            "name": "bench",
            "system_database_url": f"sqlite:///{address}",
            "log_level": "ERROR",
            "console_log_level": "ERROR",
        }
    )
    DBOS.launch()
    try:
        yield DBOS
    finally:
        DBOS.destroy()


def durability(address: str) -> str:
    with closing(sqlite3.connect(address)) as connection:
        mode = connection.execute("pragma journal_mode").fetchone()[0]
    return f"SQLite {sqlite3.sqlite_version}, {mode.upper()} (set by us; DELETE as it comes), synchronous=FULL"


def _set_to_wal(address: str) -> None:
    with closing(sqlite3.connect(address)) as connection:
        connection.execute("pragma journal_mode = wal")
