"""Tallystick itself: an action begun and ended through `Journal`, on the store that the place names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import recording
from bench.contenders.contender import Contestant, Waits, one_by_one, timed
from bench.payload import begin_half, end_half
from tallystick import Journal


@contextmanager
def entered(place: str) -> Iterator[Contestant]:
    on_sqlite = "://" not in place
    with Journal.open(recording.url_of(Path(place)) if on_sqlite else place) as journal:
        execution = journal.record_execution_start(title="bench").id

        def pair(number: int, waits: Waits) -> None:
            asked, answered = begin_half(number), end_half(number)
            action = timed(waits, lambda: recording.begin(journal, execution, asked))
            timed(waits, lambda: recording.end(journal, action, answered))

        store = "SQLite, WAL, synchronous=FULL" if on_sqlite else "PostgreSQL, synchronous_commit=on"
        yield Contestant(f"{store}, begin and end each durable before they return", one_by_one(pair))
