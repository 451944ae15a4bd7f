"""Measures how long each of eight processes waits that write one file without pause, and its share of the writes."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain

from bench.figure import Aim, Bench, Figure
from bench.processes import Contender, contender_process
from bench.rounds import Spread, percentile

PROCESSES = 8
WAIT_AIM = Aim(bound=10.0)
SHARE_AIM = Aim(bound=0.5, higher_is_better=True)


@dataclass(frozen=True, slots=True)
class FairnessRound:
    """One round: longest p99 of a process over the p50 of all, smallest share, and writes per second of all."""

    wait: float
    share: float
    rate: float


def figures(bench: Bench) -> list[Figure]:
    names = ("tallystick_pair", "bare_apsw")
    rounds: dict[str, list[FairnessRound]] = {name: [] for name in names}
    seconds = float(bench.amount(5, 2))
    with ExitStack() as stack:
        groups = {
            name: [
                stack.enter_context(contender_process(name, str(bench.folder / f"fairness-{name}.db"), sys.executable))
                for _ in range(PROCESSES)
            ]
            for name in names
        }
        for _ in range(bench.amount(4, 1)):
            for name, group in groups.items():
                rounds[name].append(_run_round(group, seconds))
    return [
        *_report(
            "fairness", f"{PROCESSES} processes that write one file", rounds["tallystick_pair"], (WAIT_AIM, SHARE_AIM)
        ),
        *_report("fairness.bare", "The same with bare apsw", rounds["bare_apsw"], (None, None)),
    ]


def _run_round(group: list[Contender], seconds: float) -> FairnessRound:
    for contender in group:
        contender.ask(seconds=seconds)
    waits = [list(chain(*contender.answer())) for contender in group]
    written = [len(each) for each in waits]
    return FairnessRound(
        wait=max(percentile(each, 0.99) for each in waits if each) / percentile(list(chain(*waits)), 0.5),
        share=min(written) / (sum(written) / len(written)),
        rate=sum(written) / seconds,
    )


def _report(name: str, subject: str, rounds: list[FairnessRound], aims: tuple[Aim | None, Aim | None]) -> list[Figure]:
    waits, shares = _range([each.wait for each in rounds]), _range([each.share for each in rounds])
    rate = percentile([each.rate for each in rounds], 0.5)
    notes = f"{rate:.0f} records per second in all; the range is the lowest and the highest round, not quartiles"
    least = f"{subject}: writes of the slowest process"
    worst = f"{subject}: longest p99 wait of a process, compared with the p50 of all"
    return [
        Figure(f"{name}.wait", worst, waits.median, "times", aims[0], waits.low, waits.high, notes),
        Figure(f"{name}.share", least, shares.median, "of an equal share", aims[1], shares.low, shares.high),
    ]


def _range(values: list[float]) -> Spread:
    return Spread(percentile(values, 0.5), min(values), max(values))
