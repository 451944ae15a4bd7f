"""Fills the store of continuum-agent, with the peers' interpreter.

Run as `python -m bench.mcp_continuum FILE SUBJECT PAIRS RUNS PAIRS_OF_EACH`: first the other runs, then the subject.

Its own `claim` folds the whole run before each action, so it would take hours to fill a long run. The same events are
appended as its ledger appends them, without the folding and without waiting for the disk. One of the other runs is
made like this, and the rest are copies of it: no measured call reads them.
"""

from __future__ import annotations

import sys
from contextlib import closing

from continuum import ActionLedger, Run, SQLiteStorage  # type: ignore[import-not-found]
from continuum.actions.idempotency import idempotency_key  # type: ignore[import-not-found]
from continuum.models import Action, ActionStatus  # type: ignore[import-not-found]

from bench.payload import read_pair

FIRST = "over-0"
COPIES = (
    "insert into runs select :copy, goal, status, created_at, updated_at, metadata, parent_run_id from runs "
    "where run_id = :first",
    "insert into events select :copy, sequence, event_id || :copy, type, timestamp, payload, causer_event_id, source, "
    "prev_hash, hash from events where run_id = :first",
    "insert into action_index select key || :copy, :copy, action_id || :copy, status, updated_seq, action_json "
    "from action_index where run_id = :first",
)


def main() -> None:
    path, subject = sys.argv[1:3]
    pairs, runs, pairs_of_each = map(int, sys.argv[3:])
    with closing(SQLiteStorage(path)) as storage:
        storage._connection.execute("pragma synchronous=off")
        if runs:
            _run(storage, FIRST, pairs_of_each)
        for number in range(1, runs):
            for copy in COPIES:
                storage._connection.execute(copy, {"first": FIRST, "copy": f"over-{number}"})
        _run(storage, subject, pairs)


def _run(storage: SQLiteStorage, run_id: str, pairs: int) -> None:
    storage.create_run_started(Run(run_id=run_id, goal="bench"))
    ledger = ActionLedger(storage, run_id)
    for number in range(pairs):
        begin, answered = read_pair(number)
        key = str(idempotency_key(begin["tool"], begin["arguments"], scope=run_id, key=f"read-{number}"))
        action = Action(
            run_id=run_id, action_type=begin["tool"], arguments=begin["arguments"], status=ActionStatus.STARTED
        )
        ledger._record(key, action)
        ended = {"status": ActionStatus.COMPLETED, "result": answered["result"]}
        ledger._record(key, action.model_copy(update=ended))


if __name__ == "__main__":
    main()
