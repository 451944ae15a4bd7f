"""The lower bound on SQLite: bare apsw, the driver that Tallystick uses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from bench.contenders import rows
from bench.contenders.contender import Contender

BUSY_TIMEOUT_MS = 60_000


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    connection = apsw.Connection(address)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute(rows.CREATE.format(autopk="integer primary key"))
    connection.execute(rows.INDEX)
    insert = rows.INSERT.format("?")
    yield Contender(
        f"SQLite {apsw.sqlite_lib_version()}, WAL, synchronous=FULL, one commit a row",
        rows.committing(lambda row: connection.execute(insert, row)),
    )
    connection.close()
