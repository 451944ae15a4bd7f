"""Eight processes that write one file without pause: how long each waits, and what share each gets."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain

from bench.figure import Aim, Bench, Figure
from bench.processes import Contender, entered
from bench.rounds import Spread, percentile

PROCESSES = 8
WAIT_AIM = Aim(bound=10.0)
SHARE_AIM = Aim(bound=0.5, higher_is_better=True)


@dataclass(frozen=True, slots=True)
class Contest:
    """One round: the longest p99 of a process over the p50 of all, the least share, and the rate of all."""

    wait: float
    share: float
    rate: float


def figures(bench: Bench) -> list[Figure]:
    names = ("tallystick_pair", "bare_apsw")
    rounds: dict[str, list[Contest]] = {name: [] for name in names}
    seconds = float(bench.amount(5, 2))
    with ExitStack() as stack:
        crowds = {
            name: [
                stack.enter_context(entered(name, str(bench.folder / f"fairness-{name}.db"), sys.executable))
                for _ in range(PROCESSES)
            ]
            for name in names
        }
        for _ in range(bench.amount(4, 1)):
            for name, crowd in crowds.items():
                rounds[name].append(_contest(crowd, seconds))
    return [
        *_report(
            "fairness", f"{PROCESSES} processes that write one file", rounds["tallystick_pair"], (WAIT_AIM, SHARE_AIM)
        ),
        *_report("fairness.bare", "The same with bare apsw", rounds["bare_apsw"], (None, None)),
    ]


def _contest(crowd: list[Contender], seconds: float) -> Contest:
    for contender in crowd:
        contender.ask(seconds=seconds)
    waits = [list(chain(*contender.answer())) for contender in crowd]
    written = [len(each) for each in waits]
    return Contest(
        wait=max(percentile(each, 0.99) for each in waits if each) / percentile(list(chain(*waits)), 0.5),
        share=min(written) / (sum(written) / len(written)),
        rate=sum(written) / seconds,
    )


def _report(name: str, subject: str, rounds: list[Contest], aims: tuple[Aim | None, Aim | None]) -> list[Figure]:
    waits, shares = _ends([each.wait for each in rounds]), _ends([each.share for each in rounds])
    rate = percentile([each.rate for each in rounds], 0.5)
    notes = f"{rate:.0f} records per second in all; the range is the lowest and the highest round, not quartiles"
    least = f"{subject}: writes of the slowest process"
    worst = f"{subject}: longest p99 wait of a process, compared with the p50 of all"
    return [
        Figure(f"{name}.wait", worst, waits.median, "times", aims[0], waits.low, waits.high, notes),
        Figure(f"{name}.share", least, shares.median, "of an equal share", aims[1], shares.low, shares.high),
    ]


def _ends(values: list[float]) -> Spread:
    return Spread(percentile(values, 0.5), min(values), max(values))
