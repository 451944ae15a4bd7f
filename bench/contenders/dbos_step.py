"""DBOS: a step of a running workflow, on SQLite.

A step's outcome is committed when it ends; its beginning and its arguments are not recorded, so this is half
of what the others write.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.contenders import dbos_app
from bench.contenders.contender import Contestant, Waits, one_by_one, timed
from bench.payload import begin_half, end_half


@contextmanager
def entered(place: str) -> Iterator[Contestant]:
    with dbos_app.launched(place) as dbos:

        def carry_out(half: dict[str, Any], number: int) -> dict[str, Any]:
            return end_half(number)

        step = dbos.step()(carry_out)

        def pair(number: int, waits: Waits) -> None:
            half = begin_half(number)
            timed(waits, lambda: step(half, number))

        def steps(first: int, count: int) -> list[Waits]:
            return one_by_one(pair)(range(first, first + count))

        workflow = dbos.workflow()(steps)
        yield Contestant(
            f"{dbos_app.durability(place)}; one commit a step, at its end only",
            lambda numbers: workflow(numbers.start, len(numbers)),
        )
