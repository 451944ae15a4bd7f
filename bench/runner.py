"""Compares the runner with begin and end by hand, with DBOS and Temporal, and large plans with small ones.

CPU time is compared where the work is the same, since a runner waits for nothing but its journal. The CPU time of a
database server counts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack

from bench import cpu, peers_python, plan_size, postgres, run_workers, temporal
from bench.figure import Aim, Bench, Figure
from bench.processes import Contender, contender_process
from bench.rounds import Samples, Spread, interleave, ratio, spread

SHAPES = {"chain": Aim(bound=1.4, target=1.2), "graph": Aim(bound=1.4), "wide": Aim(bound=1.4, target=1.2)}
BY_HAND = "steps_by_hand"
AHEAD = Aim(bound=1.0, higher_is_better=True)
Entries = Mapping[str, tuple[str, str]]
"""The address and the interpreter of each contender."""


def figures(bench: Bench) -> list[Figure]:
    found = [*_on_sqlite(bench), *_on_postgres(bench), *plan_size.figures(bench), *_beside_peers(bench)]
    return found if bench.quick else [*found, *run_workers.figures(bench)]


def _on_sqlite(bench: Bench) -> list[Figure]:
    names = (BY_HAND, *(f"runner_{shape}" for shape in SHAPES))
    entries = {name: (f"sqlite:///{bench.folder / f'{name}.db'}", sys.executable) for name in names}
    samples, _ = _race(bench, "runner.sqlite", entries, bench.amount(9, 3), bench.amount(300, 150))
    return [_beside_hand(samples, shape, "SQLite") for shape in SHAPES]


def _on_postgres(bench: Bench) -> list[Figure]:
    names = (BY_HAND, *(f"runner_{shape}" for shape in SHAPES))
    folder = bench.folder / "runner"
    folder.mkdir()
    with postgres.server(folder) as address:
        entries = dict.fromkeys(names, (address, sys.executable))
        server = cpu.postmaster(folder)
        samples, _ = _race(
            bench, "runner.postgres", entries, bench.amount(7, 2), bench.amount(200, 100), lambda: cpu.of_tree(server)
        )
    return [_beside_hand(samples, shape, "PostgreSQL") for shape in SHAPES]


def _beside_hand(samples: Samples, shape: str, store: str) -> Figure:
    found = ratio(samples, f"runner_{shape}", BY_HAND)
    own, by_hand = (1000 * spread(samples[name]).median for name in (f"runner_{shape}", BY_HAND))
    kind = {"chain": "a chain", "graph": "a graph", "wide": "steps that depend on nothing"}[shape]
    return Figure(
        f"runner.{store.lower()}.{shape}",
        f"CPU time of a step in a run of {kind} on {store}, compared with begin and end by hand",
        found.median,
        aim=SHAPES[shape],
        low=found.low,
        high=found.high,
        notes=f"{own:.2f} ms of CPU time a step, by hand {by_hand:.2f} ms",
    )


def _beside_peers(bench: Bench) -> list[Figure]:
    with ExitStack() as stack:
        address, _ = stack.enter_context(temporal.server(bench.folder))
        entries = {
            "runner_graph": (f"sqlite:///{bench.folder / 'runner-peers.db'}", sys.executable),
            "dbos_graph": (str(bench.folder / "dbos-graph.db"), peers_python.interpreter(bench.log)),
            "temporal_graph": (address, sys.executable),
        }
        _, seconds = _race(bench, "runner.peers", entries, bench.amount(7, 2), bench.amount(100, 60))
    own = 1 / spread(seconds["runner_graph"]).median
    return [
        _beside_peer(name, peer, ratio(seconds, name, "runner_graph"), own)
        for name, peer in (("dbos_graph", "DBOS"), ("temporal_graph", "Temporal"))
    ]


def _beside_peer(name: str, peer: str, found: Spread, own: float) -> Figure:
    return Figure(
        f"runner.peers.{name.partition('_')[0]}",
        f"Time of a step of a graph in {peer}, one process and 16 at once, compared with the runner on SQLite",
        found.median,
        aim=AHEAD,
        low=found.low,
        high=found.high,
        notes=f"the runner carries out {own:.0f} steps per second",
    )


def _race(
    bench: Bench, figure: str, entries: Entries, rounds: int, steps: int, server: Callable[[], float] = lambda: 0.0
) -> tuple[Samples, Samples]:
    """The CPU seconds and the seconds of a step, by contender and round. Each takes one turn first that is not counted.
    `server` returns the CPU seconds of a server, which count for the contender whose turn it is."""
    with ExitStack() as stack:
        contenders = {
            name: stack.enter_context(contender_process(name, address, python))
            for name, (address, python) in entries.items()
        }
        for name, contender in contenders.items():
            bench.durability[f"{figure}: {name}"] = contender.durability
            contender.take_turn(count=steps)
        seconds: Samples = {name: [] for name in contenders}
        turns = {name: _turn(each, steps, server, seconds[name]) for name, each in contenders.items()}
        return interleave(turns, rounds), seconds


def _turn(contender: Contender, steps: int, server: Callable[[], float], seconds: list[float]) -> Callable[[], float]:
    def turn() -> float:
        before = server()
        own, wall = contender.take_turn(count=steps)[0]
        seconds.append(wall)
        return own + (server() - before) / steps

    return turn
