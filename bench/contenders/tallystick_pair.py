"""Tallystick itself: an action begun and ended through `Journal`, on the store that the address names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import recording
from bench.contenders.contender import Contender, Waits, one_by_one, timed
from bench.payload import begin_half, end_half
from tallystick import Journal


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    on_sqlite = "://" not in address
    with Journal.open(recording.url_of(Path(address)) if on_sqlite else address) as journal:
        execution = journal.record_execution_start(title="bench").id

        def pair(number: int, waits: Waits) -> None:
            begin, answered = begin_half(number), end_half(number)
            action = timed(waits, lambda: recording.begin(journal, execution, begin))
            timed(waits, lambda: recording.end(journal, action, answered))

        store = "SQLite, WAL, synchronous=FULL" if on_sqlite else "PostgreSQL, synchronous_commit=on"
        yield Contender(f"{store}, begin and end each durable before they return", one_by_one(pair))
