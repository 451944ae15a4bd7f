"""continuum-agent: an action claimed and completed in its ledger.

Both calls fold all of the run's events anew, so its cost grows with the run. Runs are kept at ten actions,
each claimed under an explicit key, which spares it the comparison with all others.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from continuum import ActionLedger, Run, SQLiteStorage  # type: ignore[import-not-found]

from bench.contenders.contender import Contestant, Waits, one_by_one, timed
from bench.payload import TOOL, begin_half, end_half

ACTIONS_A_RUN = 10


@contextmanager
def entered(place: str) -> Iterator[Contestant]:
    with closing(SQLiteStorage(place)) as storage:

        def ledger_of(number: int) -> ActionLedger:
            run_id = f"bench-{number // ACTIONS_A_RUN}"
            if number % ACTIONS_A_RUN == 0:
                storage.create_run(Run(run_id=run_id, goal="bench"))
            return ActionLedger(storage, run_id)

        def pair(number: int, waits: Waits) -> None:
            ledger, asked, answered = ledger_of(number), begin_half(number), end_half(number)
            claimed = timed(waits, lambda: ledger.claim(TOOL, asked, key=f"pay-{number}"))
            timed(waits, lambda: ledger.complete(claimed.key, result=answered))

        yield Contestant(
            f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL, in runs of {ACTIONS_A_RUN} actions",
            one_by_one(pair),
        )
