"""A store that is away while a step begins or ends: the runner keeps the answer of the tool until it is recorded."""

import asyncio
from typing import Any

import pytest

from tallystick import Journal
from tallystick.core.errors import StorageUnavailable
from tallystick.core.types import Actor
from tallystick.operations.actions import get_action
from tallystick.runner import lasting_records
from tallystick.runner.engines.interface import Work
from tallystick.runner.engines.local import LocalEngine, ServerEngine
from tallystick.runner.runner import Runner
from tallystick.runner.tools.python import tool
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import Local

AWAY = 3
"""So many calls in a row fail."""


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lasting_records, "FIRST_PAUSE_SECONDS", 0)


class Outage:
    """A store that is away from the first record of a phase on. `is_recorded`: it made that record, and did not say so.

    `is_over` is set when it can be reached again; without an end, it stays away.
    """

    def __init__(self, journal: Journal, phase: str, *, is_recorded: bool = False, is_endless: bool = False) -> None:
        assert isinstance(journal.caller, Local)
        actor = Actor(kind="runner", name="runner")
        self.local = journal.caller.as_observer(actor, "runner", executes_calls=True)
        self._queue = WriteQueue(self.local)
        self._phase, self._is_recorded, self._is_endless = phase, is_recorded, is_endless
        self._left = AWAY
        self.failures = 0

    def _is_away(self, operation: Any, arguments: dict[str, Any]) -> bool:
        begins = arguments.get("phase") == self._phase or (self._phase == "look" and operation is get_action)
        return (begins or self.failures > 0) and (self._is_endless or self.failures < AWAY)

    async def call(self, operation: Any, arguments: dict[str, Any]) -> Any:
        if self._is_away(operation, arguments):
            self.failures += 1
            if self._is_recorded and self.failures == 1:
                await self._queue.call(operation, arguments)
            raise StorageUnavailable("It is away.")
        return await self._queue.call(operation, arguments)

    async def call_in_order(self, calls: Any) -> Any:
        if any(self._is_away(*call) for call in calls):
            self.failures += 1
            if self._is_recorded and self.failures == 1:
                await self._queue.call_in_order(calls)
            return [(None, StorageUnavailable("It is away."))] * len(calls)
        return await self._queue.call_in_order(calls)

    def carry_out(self, execution: str, tools: list[Any], *, is_shared: bool, seconds: float = 30) -> None:
        async def main() -> None:
            engine = ServerEngine() if is_shared else LocalEngine()
            in_order = None if is_shared else self.call_in_order
            runner = Runner(
                self.call, ToolRegistry(tools), engine, -1, in_order, session=lambda: self.local.context.own.id
            )
            await engine.submit(Work(execution))
            serving = asyncio.create_task(engine.serve(runner.handle))
            idle = asyncio.create_task(engine.idle.wait())
            await asyncio.wait({serving, idle}, timeout=seconds, return_when="FIRST_COMPLETED")
            await engine.stop()
            idle.cancel()
            await serving

        asyncio.run(main())


@pytest.mark.parametrize("is_shared", [True, False])
@pytest.mark.parametrize("is_recorded", [True, False])
@pytest.mark.parametrize("phase", ["begin", "look", "end"])
def test_a_step_that_begins_or_ends_during_an_outage_is_done_once_it_is_over(
    phase: str, is_recorded: bool, is_shared: bool
) -> None:
    calls: list[str] = []

    @tool
    def act(name: str) -> str:
        calls.append(name)
        return name

    with Journal.open("memory:") as journal:
        steps: Any = [
            {"id": name, "title": name, "tool": "act", "arguments": {"name": name}, "undo": "x"} for name in "ab"
        ]
        run = journal.run_plan(plan_id=journal.record_plan(title="t", steps=steps).id, engine="caller")
        outage = Outage(journal, phase, is_recorded=is_recorded)
        outage.carry_out(run.id, [act], is_shared=is_shared)
        assert outage.failures == AWAY
        assert calls == ["a", "b"]
        assert journal.get_execution(execution_id=run.id).status == "completed"
        entries = journal.read_entries(execution_id=run.id, limit=100).entries
        kinds = [entry.kind for entry in entries if entry.kind.startswith("action_")]
        assert kinds == ["action_begun", "action_ended"] * 2


def test_a_runner_that_is_stopped_during_an_outage_leaves_its_call_in_doubt() -> None:
    with Journal.open("memory:") as journal:
        steps: Any = [{"id": "a", "title": "a", "tool": "act", "undo": "x"}]
        run = journal.run_plan(plan_id=journal.record_plan(title="t", steps=steps).id, engine="caller")

        @tool
        def act() -> str:
            return "done"

        outage = Outage(journal, "end", is_endless=True)
        outage.carry_out(run.id, [act], is_shared=True, seconds=0.2)
        assert outage.failures > 1
        journal.end_session(session_id=outage.local.context.own.id)
        assert [each.state for each in journal.get_run(execution_id=run.id).steps] == ["in_doubt"]
