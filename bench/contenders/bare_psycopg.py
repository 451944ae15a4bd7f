"""The lower bound on PostgreSQL: bare psycopg, one row per transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import LiteralString

import psycopg

from bench.contenders import rows
from bench.contenders.contender import Contender


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(rows.CREATE.format(autopk="bigint generated always as identity primary key"))
        connection.execute(rows.INDEX)
        insert: LiteralString = rows.INSERT.format("%s")
        yield Contender(
            f"PostgreSQL {connection.info.server_version // 10_000}, {_shown(connection)}, one commit a row",
            rows.committing(lambda row: connection.execute(insert, row)),
        )


def _shown(connection: psycopg.Connection) -> str:
    shown = []
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        value = connection.execute("select current_setting(%s)", (setting,)).fetchone()
        shown.append(f"{setting}={value[0] if value else '?'}")
    return ", ".join(shown)
