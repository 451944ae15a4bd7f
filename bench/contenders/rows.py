"""The floor: each half of a pair as one row of about 650 bytes, committed on its own by the bare driver."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable

from bench.contenders.contender import Waits, one_by_one, timed
from bench.payload import Half, begin_half, end_half

Row = tuple[str, int, str, int, str]

CREATE = """
create table if not exists event (
    id {autopk}, run text not null, seq bigint not null,
    kind text not null, at bigint not null, payload text not null
)
"""
INDEX = "create unique index if not exists event_run_seq on event (run, seq)"
INSERT = "insert into event (run, seq, kind, at, payload) values ({0}, {0}, {0}, {0}, {0})"


def committing(insert: Callable[[Row], object]) -> Callable[[range], list[Waits]]:
    """Return a run of pairs; `insert` commits one row."""
    run = f"ex_{os.getpid():010d}"

    def commit(seq: int, kind: str, half: Half) -> None:
        insert((run, seq, kind, time.time_ns() // 1000, json.dumps(half, separators=(",", ":"))))

    def pair(number: int, waits: Waits) -> None:
        begin, answered = begin_half(number), end_half(number)
        timed(waits, lambda: commit(2 * number, "action_begun", begin))
        timed(waits, lambda: commit(2 * number + 1, "action_ended", answered))

    return one_by_one(pair)
