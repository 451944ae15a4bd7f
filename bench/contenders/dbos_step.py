"""DBOS: a step of a running workflow, on SQLite.

DBOS commits the outcome of a step when it ends. It records neither begin nor arguments, so this is half of what the
others write.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.contenders import dbos_app
from bench.contenders.contender import Contender, Waits, one_by_one, timed
from bench.payload import begin_half, end_half


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with dbos_app.launched(address) as dbos:

        def carry_out(half: dict[str, Any], number: int) -> dict[str, Any]:
            return end_half(number)

        step = dbos.step()(carry_out)

        def pair(number: int, waits: Waits) -> None:
            half = begin_half(number)
            timed(waits, lambda: step(half, number))

        def steps(first: int, count: int) -> list[Waits]:
            return one_by_one(pair)(range(first, first + count))

        workflow = dbos.workflow()(steps)
        yield Contender(
            f"{dbos_app.durability(address)}; one commit a step, at its end only",
            lambda numbers: workflow(numbers.start, len(numbers)),
        )
