"""A tool or a secret that is not there when a run goes on: nothing is done, and nothing is undone for it."""

import asyncio
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, tool
from tallystick.runner.engines.interface import Work
from tallystick.runner.engines.local import ServerEngine
from tallystick.runner.runner import Runner
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.sdk.async_dispatch import WriteQueue
from tallystick.sdk.local import local_caller
from tests.runner.test_unwinding import World, step


def waiting_run(journal: Journal, world: World, **fields: Any) -> Any:
    """A run that has done a, waits for an agent with b, and has c before it."""
    steps = [
        step("a", after=[], undo={"tool": "unmake", "arguments": {"name": "a"}}),
        {"id": "b", "title": "b", "by": "agent", "after": ["a"]},
        step("c", after=["b"], **fields),
    ]
    run = journal.run({"title": "t", "unwind": "on-failure", "steps": steps}, tools=world.tools())
    assert (world.log, list(run.waiting)) == (["a"], ["b"])
    journal.record_action(phase="done", execution_id=run.id, step="b", outcome="ok")
    return run


def test_a_run_that_goes_on_without_its_tools_is_refused_and_records_nothing(journal: Journal) -> None:
    world = World()
    run = waiting_run(journal, world)
    before = len(list(run))
    with pytest.raises(InvalidArgument, match=r'steps\.c\.tool: There is no tool "make".*--tools'):
        journal.run("", execution=run.id)
    assert (len(list(run)), world.log, run.status) == (before, ["a"], "running")
    assert journal.run("", execution=run.id, tools=world.tools()).status == "completed"
    assert world.log == ["a", "c"]


def test_a_run_that_goes_on_without_a_secret_is_refused_and_records_nothing(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    monkeypatch.setenv("NAME_OF_C", "cee")
    run = waiting_run(journal, world, arguments={"name": "secret://NAME_OF_C"})
    monkeypatch.delenv("NAME_OF_C")
    before = len(list(run))
    with pytest.raises(InvalidArgument, match=r"steps\.c\.arguments: There is no secret NAME_OF_C. Set the variable"):
        journal.run("", execution=run.id, tools=world.tools())
    assert (len(list(run)), world.log, run.status) == (before, ["a"], "running")


def test_the_tools_of_steps_that_are_done_are_not_needed_any_more(journal: Journal) -> None:
    @tool
    def first() -> str:
        return "done"

    @tool
    def last() -> str:
        return "done"

    plan = {
        "title": "t",
        "steps": [{"id": "a", "tool": "first"}, {"id": "b", "by": "person"}, {"id": "c", "tool": "last"}],
    }
    run = journal.run(plan, tools=[first, last])
    journal.record_action(phase="done", execution_id=run.id, step="b", outcome="ok")
    assert journal.run("", execution=run.id, tools=[last]).status == "completed"


def test_a_step_whose_tool_came_with_a_new_revision_waits_and_nothing_is_undone(journal: Journal) -> None:
    world = World()

    def replan(name: str) -> None:
        execution = journal.list_executions().executions[0]
        steps: Any = [
            step("a", after=[], title="a", undo={"tool": "unmake", "arguments": {"name": "a"}}),
            {"id": "c", "title": "c", "after": ["a"], "tool": name, "arguments": {"name": "c"}, "undo": "delete c"},
        ]
        journal.record_plan(plan_id=execution.plan_id, title="t", steps=steps, reason="c is another call")
        journal.record_decision(execution_id=execution.id, decision="replan", why="c is another call")

    run = waiting_run(journal, world)
    replan("other")
    with pytest.raises(InvalidArgument, match=r"steps\.c\.tool"):
        journal.run("", execution=run.id, tools=world.tools())

    @tool
    def make(name: str) -> dict[str, str]:
        world.log.append(name)
        if name == "a":
            replan("other")
        return {"made": name}

    plan = {"title": "t", "unwind": "on-failure", "steps": [step("a", after=[]), step("c", after=["a"])]}
    run = journal.run(plan, tools=[make, *world.tools()[1:]], unwind="on-failure")
    assert run.status == "running"
    assert 'There is no tool "other"' in run.waiting["c"]
    assert "--tools" in run.waiting["c"]
    assert world.log == ["a", "a"]
    replan("make")
    assert journal.run("", execution=run.id, tools=world.tools()).status == "completed"


def test_a_worker_without_the_tool_of_a_step_leaves_it_to_a_worker_that_has_it(journal: Journal) -> None:
    world = World()
    steps: Any = [{**step("a", after=[]), "title": "a"}]
    plan = journal.record_plan(title="t", unwind="on-failure", steps=steps)
    run = journal.run_plan(plan_id=plan.id, engine="temporal")

    async def carry_out(tools: ToolRegistry) -> tuple[str, dict[str, str]]:
        queue, engine = WriteQueue(local_caller(journal.caller)), ServerEngine(1)
        runner = Runner(queue.call, tools, engine)
        await runner.handle(Work(run.id))
        await runner.handle(Work(run.id, "a"))
        await runner.handle(Work(run.id))
        status = journal.get_execution(execution_id=run.id).status
        known = runner.runs.get(run.id)
        queue.close()
        return status, dict(known.waiting) if known else {}

    status, waiting = asyncio.run(carry_out(ToolRegistry([])))
    assert status == "running"
    assert 'There is no tool "make"' in waiting["a"]
    assert asyncio.run(carry_out(ToolRegistry(world.tools())))[0] == "completed"
