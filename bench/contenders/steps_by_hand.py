"""The lower bound of the runner: the same steps of the same plan, begun and ended by hand, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench import plans
from bench.contenders.contender import Contender, Waits
from bench.contenders.runner_plan import measured
from tallystick import Journal


@contextmanager
def open_contender(address: str) -> Iterator[Contender]:
    with Journal.open(address) as journal:

        def run(numbers: range) -> list[Waits]:
            steps: Any = plans.wide(len(numbers))
            plan = journal.record_plan(title="bench", steps=steps)
            execution = journal.record_execution_start(plan_id=plan.id).id

            def record() -> None:
                for step in steps:
                    fields = {"tool": step["tool"], "arguments": step["arguments"], "summary": step["title"]}
                    begun = journal.record_action(phase="begin", execution_id=execution, step=step["id"], **fields)
                    journal.record_action(phase="end", action_id=begun.id, outcome="ok", result=step["arguments"])

            return measured(len(steps), record)

        yield Contender(f"{address.partition(':')[0]}, begin and end each durable before they return", run)
