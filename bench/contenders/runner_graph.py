"""The runner with a plan of this shape: `bench.plans.graph`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bench import plans
from bench.contenders.contender import Contender
from bench.contenders.runner_plan import running


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with running(address, plans.graph) as contender:
        yield contender
