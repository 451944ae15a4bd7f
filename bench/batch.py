"""Compares batches of 1,000 entries through `record_batch` with the bare driver writing the same rows."""

from __future__ import annotations

import time

import apsw

from bench import recording, rows_written
from bench.figure import Aim, Bench, Figure
from bench.payload import begin_half, end_half
from bench.rounds import Samples, ratio, spread
from tallystick import Journal

ENTRIES = 1000
AIM = Aim(bound=0.25, target=1 / 3, higher_is_better=True)


def figures(bench: Bench) -> list[Figure]:
    path = bench.folder / "batch.db"
    with Journal.open(recording.url_of(path)) as journal:
        execution = journal.record_execution_start(title="bench").id
        mirror = Mirror(path, bench.folder / "batch-bare.db")
        samples: Samples = {"ours": [], "bare": []}
        for number in range(bench.amount(25, 5) + 1):
            taken = _round(journal, execution, mirror, number)
            if number > 0:
                samples["ours"].append(taken[0])
                samples["bare"].append(taken[1])
        mirror.close()
    share = ratio(samples, "bare", "ours")
    rates = {name: ENTRIES / spread(values).median for name, values in samples.items()}
    notes = f"{rates['ours']:.0f} entries per second; bare apsw {rates['bare']:.0f} with the same rows"
    title = "Entries per second in batches of 1,000, compared with bare apsw writing the same rows"
    return [Figure("batch.sqlite", title, share.median, "times", AIM, share.low, share.high, notes)]


class Mirror:
    """A second file, to which bare apsw writes the rows that the journal wrote."""

    def __init__(self, source: object, target: object) -> None:
        self._source, self._target = apsw.Connection(str(source)), apsw.Connection(str(target))
        self._target.pragma("journal_mode", "wal")
        self._target.pragma("synchronous", "full")
        self._tables = rows_written.tables(self._source)
        rows_written.copy_schema(self._source, self._target, self._tables)
        self._seen: list[rows_written.Rows] = [{} for _ in self._tables]
        self.catch_up()

    def catch_up(self) -> float:
        """Write the new rows of the source in one commit; return the seconds."""
        current = [table.rows(self._source) for table in self._tables]
        changes = [
            change
            for table, before, after in zip(self._tables, self._seen, current, strict=True)
            for change in rows_written.changes(table, before, after)
        ]
        self._seen = current
        started = time.perf_counter()
        self._target.execute("begin immediate")
        for change in changes:
            self._target.executemany(change.statement, change.rows)
        self._target.execute("commit")
        return time.perf_counter() - started

    def close(self) -> None:
        self._source.close()
        self._target.close()


def _round(journal: Journal, execution: str, mirror: Mirror, number: int) -> tuple[float, float]:
    """Record one batch, then mirror its rows; return the seconds of both."""
    numbers = range(number * ENTRIES // 2, (number + 1) * ENTRIES // 2)
    records = recording.batch_of(execution, ((begin_half(each), end_half(each)) for each in numbers))
    started = time.perf_counter()
    journal.record_batch(records=records)
    return time.perf_counter() - started, mirror.catch_up()
