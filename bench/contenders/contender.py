"""What every contender offers: pairs of begin and end, and how long the caller waited for each call."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Waits = list[float]
"""The seconds that the calls of one pair took, one by one; what lies between them is not counted."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Contestant:
    durability: str
    run: Callable[[range], list[Waits]]


def one_by_one(pair: Callable[[int, Waits], None]) -> Callable[[range], list[Waits]]:
    """Make a run out of a function that carries out one pair and notes its waits."""

    def run(numbers: range) -> list[Waits]:
        noted: list[Waits] = []
        for number in numbers:
            waits: Waits = []
            pair(number, waits)
            noted.append(waits)
        return noted

    return run


def timed(waits: Waits, call: Callable[[], Answer]) -> Answer:
    started = time.perf_counter()
    answer = call()
    waits.append(time.perf_counter() - started)
    return answer
