"""A worker that was stopped for so long after a begin that its session was over: it makes no call."""

import asyncio
from typing import Any

import pytest

from tallystick import Journal, operations
from tallystick.core.types import Actor
from tallystick.runner.engines.interface import Work
from tallystick.runner.engines.local import LocalEngine
from tallystick.runner.runner import Runner
from tallystick.runner.tools.python import tool
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import Local


class Frozen:
    """Records as a runner whose process is stopped after its first begin, for longer than its lease."""

    def __init__(self, journal: Journal, *, is_ended: bool) -> None:
        assert isinstance(journal.caller, Local)
        self.local = journal.caller.as_observer(Actor(kind="runner", name="runner"), "runner", executes_calls=True)
        self._queue = WriteQueue(self.local)
        self._is_ended = is_ended

    async def call(self, operation: Any, arguments: dict[str, Any]) -> Any:
        result = await self._queue.call(operation, arguments)
        if arguments.get("phase") == "begin" and self._is_ended:
            self._is_ended = False
            self.local.call(operations.sessions.end_session, {"session_id": self.local.context.own.id})
        return result

    def carry_out(self, execution: str, tools: list[Any]) -> None:
        async def main() -> None:
            engine = LocalEngine()
            runner = Runner(self.call, ToolRegistry(tools), engine, lease=-1)  # each claim has to be checked
            await engine.submit(Work(execution))
            serving = asyncio.create_task(engine.serve(runner.handle))
            await asyncio.wait({serving, asyncio.create_task(engine.idle.wait())}, return_when="FIRST_COMPLETED")
            await engine.stop()
            await serving

        asyncio.run(main())


@pytest.mark.parametrize("is_ended", [True, False])
def test_no_call_is_made_after_the_session_of_the_begin_is_over(is_ended: bool) -> None:
    calls: list[int] = []

    @tool
    def act() -> None:
        calls.append(1)

    with Journal.open("memory:") as journal:
        steps: Any = [{"id": "a", "title": "a", "tool": "act", "undo": "x"}]
        run = journal.run_plan(plan_id=journal.record_plan(title="t", steps=steps).id, engine="caller")
        Frozen(journal, is_ended=is_ended).carry_out(run.id, [act])
        assert len(calls) == 1
        assert journal.get_status(execution_id=run.id).execution.status == "completed"
        entries = journal.read_entries(execution_id=run.id, limit=100).entries
        ends = [
            (entry.facts["outcome"], entry.facts.get("settles")) for entry in entries if entry.kind == "action_ended"
        ]
        assert ends == ([("failed", True), ("ok", None)] if is_ended else [("ok", None)])
