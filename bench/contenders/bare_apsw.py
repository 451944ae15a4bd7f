"""The floor on SQLite: apsw, which Tallystick itself stands on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from bench.contenders import rows
from bench.contenders.contender import Contestant

BUSY_TIMEOUT_MS = 60_000


@contextmanager
def entered(place: str) -> Iterator[Contestant]:
    connection = apsw.Connection(place)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute(rows.CREATE.format(autopk="integer primary key"))
    connection.execute(rows.INDEX)
    insert = rows.INSERT.format("?")
    yield Contestant(
        f"SQLite {apsw.sqlite_lib_version()}, WAL, synchronous=FULL, one commit a row",
        rows.committing(lambda row: connection.execute(insert, row)),
    )
    connection.close()
