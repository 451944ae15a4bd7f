"""Runs interleaved rounds, and computes ratios and percentiles.

The speed of a machine drifts while a benchmark runs. So contenders take turns, in an order that shifts with every
round. A ratio is computed within each round, and the result is the median of all rounds.
"""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Samples = dict[str, list[float]]


def interleave(turns: Mapping[str, Callable[[], float]], rounds: int) -> Samples:
    """Let each contender take one turn per round; return the results by contender and round."""
    names = list(turns)
    samples: Samples = {name: [] for name in names}
    for number in range(rounds):
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            samples[name].append(turns[name]())
    return samples


def run_program(
    command: Sequence[str], stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> Callable[[], float]:
    """Return a turn that runs a program to its end and returns the seconds."""

    def turn() -> float:
        started = time.perf_counter()
        subprocess.run(command, input=stdin, env=env, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - started

    return turn


@dataclass(frozen=True, slots=True)
class Spread:
    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    return Spread(percentile(values, 0.5), percentile(values, 0.25), percentile(values, 0.75))


def ratio(samples: Samples, over: str, under: str) -> Spread:
    """Return the ratio of `over` to `under`, over all rounds."""
    return spread([a / b for a, b in zip(samples[over], samples[under], strict=True)])


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie, by linear interpolation."""
    if not values:
        raise ValueError("no values to take a percentile of")
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def mean(values: Sequence[float]) -> float:
    return statistics.fmean(values)
