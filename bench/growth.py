"""Compares operations in a large store with the same in a small one.

Both stores have one measured execution: all of the small store, a tenth of the large one. Both have the same number of
owed actions. All other work in the large store is read-only and ended, as in most old journals.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from bench import recording
from bench.figure import Aim, Bench, Figure
from bench.fill import Subject, fill
from bench.rounds import interleave, mean, ratio, spread
from tallystick import Journal
from tallystick.sdk.local import Local
from tallystick.store.sql.store import SqlStore

AIM = Aim(bound=1.5)
AIM_OF_OPENING = Aim(bound=3.0)
AIM_OF_BOUNDED_READS = Aim(bound=3.0)
BOUNDED_READS = (
    "owed_of_all",
    "owed_of_tool",
    "in_doubt",
    "stats",
    "search_common",
    "search_beginning",
    "actions_of_tool",
    "actions_beginning",
    "series",
)
SMALL = 1_000
PAGE = 50
BUILD_MICROSECONDS_AN_ENTRY = 240
"""After this time the large store is used as it is, and its real size is reported."""
TURN_SECONDS = 1.0
"""A turn of a slow operation ends after this time."""


@dataclass(frozen=True, slots=True)
class Measurement:
    title: str
    run: Callable[[Subject, int], object]
    times: int


MEASUREMENTS = {
    "brief": Measurement("The brief", lambda store, _: store.journal.get_brief(execution_id=store.execution), 30),
    "brief_watched": Measurement(
        "The brief of a conversation observed by hooks",
        lambda store, _: store.journal.get_brief(execution_id=store.observed),
        30,
    ),
    "owed": Measurement(
        f"A page of {PAGE} owed actions",
        lambda store, _: store.journal.list_owed(execution_id=store.execution, limit=PAGE),
        30,
    ),
    "page": Measurement(
        f"A page of {PAGE} entries",
        lambda store, _: store.journal.read_entries(after=store.middle, limit=PAGE),
        30,
    ),
    "page_of_execution": Measurement(
        f"A page of {PAGE} entries of one execution",
        lambda store, _: store.journal.read_entries(execution_id=store.execution, after=store.middle, limit=PAGE),
        30,
    ),
    "owed_of_all": Measurement(
        "A page of 5 owed actions of the whole journal", lambda store, _: store.journal.list_owed(limit=5), 30
    ),
    "owed_of_tool": Measurement(
        "Owed actions of a tool that nobody used", lambda store, _: store.journal.list_owed(tool="zzz", limit=5), 5
    ),
    "in_doubt": Measurement("What is in doubt", lambda store, _: store.journal.list_in_doubt(limit=5), 30),
    "stats": Measurement("Counts over the journal", lambda store, _: store.journal.get_stats(), 5),
    "search_common": Measurement(
        "A common word", lambda store, _: store.journal.read_entries(text="read", newest_first=True, limit=5), 10
    ),
    "search_beginning": Measurement(
        "A beginning of many words",
        lambda store, _: store.journal.read_entries(text="ac*", newest_first=True, limit=5),
        10,
    ),
    "actions_of_tool": Measurement(
        "Actions of a tool that nobody used", lambda store, _: store.journal.list_actions(tool="zzz", limit=5), 5
    ),
    "actions_beginning": Measurement(
        "Actions with a beginning of many words", lambda store, _: store.journal.list_actions(text="ac*", limit=5), 5
    ),
    "series": Measurement("Counts for each day", lambda store, _: store.journal.get_series(), 5),
    "status": Measurement(
        "The status of an execution", lambda store, _: store.journal.get_status(execution_id=store.execution), 10
    ),
    "executions": Measurement(
        f"A page of {PAGE} executions", lambda store, _: store.journal.list_executions(limit=PAGE), 10
    ),
    "actions": Measurement(
        f"A page of {PAGE} actions of one execution",
        lambda store, _: store.journal.list_actions(execution_id=store.execution, limit=PAGE),
        10,
    ),
    "work": Measurement(
        f"A page of {PAGE} rows of its work",
        lambda store, _: store.journal.list_work(execution_id=store.execution, limit=PAGE),
        10,
    ),
    "undo_list": Measurement(
        f"A page of {PAGE} of its undo list",
        lambda store, _: store.journal.get_undo_list(execution_id=store.execution, limit=PAGE),
        10,
    ),
    "plans": Measurement("A page of plans", lambda store, _: store.journal.list_plans(limit=PAGE), 10),
    "context": Measurement("A page of the context", lambda store, _: store.journal.list_context(limit=PAGE), 10),
    "approvals": Measurement("A page of questions", lambda store, _: store.journal.list_approvals(limit=PAGE), 10),
    "sessions": Measurement("A page of sessions", lambda store, _: store.journal.list_sessions(limit=PAGE), 10),
    "inbox": Measurement("What needs somebody", lambda store, _: store.journal.get_inbox(), 10),
    "open": Measurement("Opening the journal and reading its end", lambda store, _: _open_and_read(store), 10),
    # Recording comes last, because each pair adds owed actions.
    "record": Measurement(
        "Begin and end of an action", lambda store, number: recording.pair(store.journal, store.execution, number), 200
    ),
}


def figures(bench: Bench) -> list[Figure]:
    with ExitStack() as stack:

        def build_store(name: str, entries: int, of_subject: int) -> Subject:
            journal = stack.enter_context(Journal.open(recording.url_of(bench.folder / f"growth-{name}.db")))
            subject = fill(journal, entries, of_subject, max(entries * BUILD_MICROSECONDS_AN_ENTRY / 1e6, 1.0))
            _index(journal)
            return subject

        started = time.perf_counter()
        small = build_store("small", SMALL, SMALL)
        large = build_store("large", bench.amount(bench.entries, 20_000), bench.amount(100_000, 5_000))
        file_bytes = (bench.folder / "growth-large.db").stat().st_size
        sizes = (
            f"{small.entries:,} and {large.entries:,} entries ({large.of_subject:,} in the one execution), "
            f"built by record_batch in {time.perf_counter() - started:.0f} s; the large file has "
            f"{file_bytes / 2**20:,.0f} MiB, {file_bytes / large.entries:,.0f} bytes an entry"
        )
        bench.log(sizes)
        return [_figure(bench, name, small, large, sizes) for name in MEASUREMENTS]


def _index(journal: Journal) -> None:
    """Index all entries: else a search scans those that are not, up to 512, however long the journal is."""
    assert isinstance(journal.caller, Local)
    context = journal.caller.context
    assert isinstance(context.store, SqlStore)
    context.store.index(context.journal)


def _figure(bench: Bench, name: str, small: Subject, large: Subject, sizes: str) -> Figure:
    measurement = MEASUREMENTS[name]
    turns = {"small": _turn(measurement, small), "large": _turn(measurement, large)}
    interleave(turns, 2)
    samples = interleave(turns, bench.amount(15, 3))
    found = ratio(samples, "large", "small")
    before, after = (1000 * spread(samples[size]).median for size in ("small", "large"))
    notes = f"{before:.3f} ms at {small.entries:,} entries, {after:.3f} ms at {large.entries:,}"
    if name == "record":
        notes += f"; {sizes}"
    title = f"{measurement.title}: time at {large.entries:,} entries, compared with {small.entries:,}"
    aim = {"open": AIM_OF_OPENING}.get(name, AIM_OF_BOUNDED_READS if name in BOUNDED_READS else AIM)
    return Figure(f"growth.{name}", title, found.median, "times", aim, found.low, found.high, notes)


def _open_and_read(store: Subject) -> None:
    assert isinstance(store.journal.caller, Local)
    with Journal.open(store.journal.caller.context.settings.url) as journal:
        journal.read_entries(newest_first=True, limit=1)


def _turn(measurement: Measurement, store: Subject) -> Callable[[], float]:
    reached = 0

    def take() -> float:
        nonlocal reached
        waits: list[float] = []
        while len(waits) < measurement.times and sum(waits) < TURN_SECONDS:
            started = time.perf_counter()
            measurement.run(store, reached)
            waits.append(time.perf_counter() - started)
            reached += 1
        return mean(waits)

    return take
