"""The interface of a contender: it records pairs of begin and end, and returns the wait for each call."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Waits = list[float]
"""The seconds of each call of one pair, without the time between calls."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Contender:
    durability: str
    run: Callable[[range], list[Waits]]


def one_by_one(pair: Callable[[int, Waits], None]) -> Callable[[range], list[Waits]]:
    """Return a run that calls `pair` for each number and collects the waits."""

    def run(numbers: range) -> list[Waits]:
        collected: list[Waits] = []
        for number in numbers:
            waits: Waits = []
            pair(number, waits)
            collected.append(waits)
        return collected

    return run


def timed(waits: Waits, call: Callable[[], Answer]) -> Answer:
    started = time.perf_counter()
    answer = call()
    waits.append(time.perf_counter() - started)
    return answer
