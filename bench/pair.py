"""One durable begin and end through `Journal` against the same two rows committed with the bare driver."""

from __future__ import annotations

import sys

from bench import postgres
from bench.figure import Aim, Bench, Figure
from bench.processes import compete
from bench.rounds import Samples, ratio, spread

AIM = Aim(bound=1.6, target=1.2)
PAIRS_A_ROUND = 200
"""At least one checkpoint of the WAL falls into each round: its cost is part of the figure."""


def figures(bench: Bench) -> list[Figure]:
    return [*_on_sqlite(bench), *_on_postgres(bench)]


def _on_sqlite(bench: Bench) -> list[Figure]:
    names = ("tallystick_pair", "bytes_alone", "bare_apsw", "bare_sqlite3")
    entries = {name: (str(bench.place / f"pair-{name}.db"), sys.executable) for name in names}
    samples = compete(bench, "pair.sqlite", entries, bench.amount(25, 5), PAIRS_A_ROUND)
    return [
        _against(samples, "pair.sqlite", "bare_apsw", "begin + end on SQLite, against two rows with bare apsw", AIM),
        _against(samples, "pair.sqlite.sqlite3", "bare_sqlite3", "the same, against bare sqlite3"),
        _bytes_alone(samples),
        _milliseconds(samples, "pair.sqlite.ms", "begin + end on SQLite"),
    ]


def _on_postgres(bench: Bench) -> list[Figure]:
    with postgres.server(bench.place) as address:
        entries = dict.fromkeys(("tallystick_pair", "bare_psycopg"), (address, sys.executable))
        pairs = bench.amount(PAIRS_A_ROUND, 100)
        samples = compete(bench, "pair.postgres", entries, bench.amount(15, 3), pairs)
    what = "begin + end on PostgreSQL, against two rows with bare psycopg"
    return [
        _against(samples, "pair.postgres", "bare_psycopg", what, AIM),
        _milliseconds(samples, "pair.postgres.ms", "begin + end on PostgreSQL"),
    ]


def _bytes_alone(samples: Samples) -> Figure:
    """How much of the first figure is no more than work on the bytes of two records."""
    found = ratio(samples, "bytes_alone", "bare_apsw")
    what = "the same two records checked, masked, hashed and committed, with no rule and no row, against bare apsw"
    return Figure("pair.sqlite.bytes", what, found.median, low=found.low, high=found.high)


def _against(samples: Samples, name: str, floor: str, what: str, aim: Aim | None = None) -> Figure:
    found = ratio(samples, "tallystick_pair", floor)
    return Figure(name, what, found.median, aim=aim, low=found.low, high=found.high)


def _milliseconds(samples: Samples, name: str, what: str) -> Figure:
    found = spread([1000 * seconds for seconds in samples["tallystick_pair"]])
    return Figure(name, what, found.median, "ms", low=found.low, high=found.high)
