"""DBOS: a workflow of one step, on SQLite.

With a workflow, DBOS has the intent and its arguments on disk before the call.
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

        def of_one_step(half: dict[str, Any], number: int) -> None:
            step(half, number)

        workflow = dbos.workflow()(of_one_step)

        def pair(number: int, waits: Waits) -> None:
            half = begin_half(number)
            timed(waits, lambda: workflow(half, number))

        yield Contender(
            f"{dbos_app.durability(address)}; the workflow's start, the step's outcome and the workflow's end",
            one_by_one(pair),
        )
