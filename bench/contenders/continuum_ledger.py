"""continuum-agent: an action claimed and completed in its ledger.

Both calls read all events of the run, so the cost grows with the run. Runs have ten actions, each claimed under an
explicit key, which avoids a comparison with all others.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from continuum import ActionLedger, Run, SQLiteStorage  # type: ignore[import-not-found]

from bench.contenders.contender import Contender, Waits, one_by_one, timed
from bench.payload import TOOL, begin_half, end_half

ACTIONS_A_RUN = 10


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with closing(SQLiteStorage(address)) as storage:

        def ledger_of(number: int) -> ActionLedger:
            run_id = f"bench-{number // ACTIONS_A_RUN}"
            if number % ACTIONS_A_RUN == 0:
                storage.create_run(Run(run_id=run_id, goal="bench"))
            return ActionLedger(storage, run_id)

        def pair(number: int, waits: Waits) -> None:
            ledger, begin, answered = ledger_of(number), begin_half(number), end_half(number)
            claimed = timed(waits, lambda: ledger.claim(TOOL, begin, key=f"pay-{number}"))
            timed(waits, lambda: ledger.complete(claimed.key, result=answered))

        yield Contender(
            f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL, in runs of {ACTIONS_A_RUN} actions",
            one_by_one(pair),
        )
