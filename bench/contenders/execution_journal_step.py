"""PyPI's execution-journal: a tool call opened and closed. Closing overwrites the row that opening wrote."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from execution_journal import Journal  # type: ignore[import-not-found]

from bench.contenders.contender import Contender, Waits, one_by_one, timed
from bench.payload import TOOL, arguments, begin_summary, end_half


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with closing(Journal(goal="bench", db_path=address)) as journal:

        def pair(number: int, waits: Waits) -> None:
            call_arguments, why, answered = arguments(number), begin_summary(number), end_half(number)
            opened = timed(waits, lambda: journal.tool_call(TOOL, justification=why, **call_arguments))
            timed(waits, lambda: opened.record_output(**answered).close())

        yield Contender(
            f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL, opening and closing each committed",
            one_by_one(pair),
        )
