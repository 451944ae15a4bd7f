"""Compares begin and end of one action through `Journal` with two rows committed by the bare driver."""

from __future__ import annotations

import sys

from bench import postgres
from bench.figure import Aim, Bench, Figure
from bench.processes import compete
from bench.rounds import Samples, ratio, spread

AIM = Aim(bound=1.5, target=1.3)
PAIR = "Begin and end of an action"
PAIRS_A_ROUND = 200
"""Enough for at least one WAL checkpoint in each round, because its cost is part of the figure."""


def figures(bench: Bench) -> list[Figure]:
    return [*_on_sqlite(bench), *_on_postgres(bench)]


def _on_sqlite(bench: Bench) -> list[Figure]:
    names = ("tallystick_pair", "bytes_alone", "bare_apsw", "bare_sqlite3")
    entries = {name: (str(bench.folder / f"pair-{name}.db"), sys.executable) for name in names}
    samples = compete(bench, "pair.sqlite", entries, bench.amount(25, 5), PAIRS_A_ROUND)
    return [
        _compared(
            samples, "pair.sqlite", "bare_apsw", f"{PAIR} on SQLite, compared with two rows written with bare apsw", AIM
        ),
        _compared(samples, "pair.sqlite.sqlite3", "bare_sqlite3", "The same, compared with bare sqlite3"),
        _bytes_alone(samples),
        _milliseconds(samples, "pair.sqlite.ms", f"{PAIR} on SQLite"),
    ]


def _on_postgres(bench: Bench) -> list[Figure]:
    with postgres.server(bench.folder) as address:
        entries = dict.fromkeys(("tallystick_pair", "bare_psycopg"), (address, sys.executable))
        pairs = bench.amount(PAIRS_A_ROUND, 100)
        samples = compete(bench, "pair.postgres", entries, bench.amount(15, 3), pairs)
    title = f"{PAIR} on PostgreSQL, compared with two rows written with bare psycopg"
    return [
        _compared(samples, "pair.postgres", "bare_psycopg", title, AIM),
        _milliseconds(samples, "pair.postgres.ms", f"{PAIR} on PostgreSQL"),
    ]


def _bytes_alone(samples: Samples) -> Figure:
    """Show how much of the first figure is work on the bytes of the two records."""
    found = ratio(samples, "bytes_alone", "bare_apsw")
    title = "The two records only validated, redacted, hashed and committed, compared with bare apsw"
    return Figure("pair.sqlite.bytes", title, found.median, low=found.low, high=found.high)


def _compared(samples: Samples, name: str, floor: str, title: str, aim: Aim | None = None) -> Figure:
    found = ratio(samples, "tallystick_pair", floor)
    return Figure(name, title, found.median, aim=aim, low=found.low, high=found.high)


def _milliseconds(samples: Samples, name: str, title: str) -> Figure:
    found = spread([1000 * seconds for seconds in samples["tallystick_pair"]])
    return Figure(name, title, found.median, "ms", low=found.low, high=found.high)
