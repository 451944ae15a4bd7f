"""DBOS: a workflow of one step, on SQLite.

This is how DBOS has an intent and its arguments on disk before the act: as the row of the workflow.
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

        def of_one_step(half: dict[str, Any], number: int) -> None:
            step(half, number)

        workflow = dbos.workflow()(of_one_step)

        def pair(number: int, waits: Waits) -> None:
            half = begin_half(number)
            timed(waits, lambda: workflow(half, number))

        yield Contestant(
            f"{dbos_app.durability(place)}; the workflow's start, the step's outcome and the workflow's end",
            one_by_one(pair),
        )
