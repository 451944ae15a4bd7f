"""The end of a step and the begin of the next one share a commit, and nothing else changes by that."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from tallystick import AsyncJournal, Journal, tool
from tallystick.sdk.local import Local, OperationCall
from tests.runner.test_run import World, states, step


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The phases of the actions that were recorded in each commit."""
    made: list[list[str]] = []
    together, alone = Local.call_together, Local.call

    def call_together(self: Local, calls: Sequence[OperationCall]) -> Any:
        made.append([arguments["phase"] for _, arguments in calls if "phase" in arguments])
        return together(self, calls)

    def call(self: Local, operation: Any, arguments: dict[str, Any]) -> Any:
        made.append([arguments["phase"]] if "phase" in arguments else [])
        return alone(self, operation, arguments)

    monkeypatch.setattr(Local, "call_together", call_together)
    monkeypatch.setattr(Local, "call", call)
    return made


def phases(run: Any) -> list[tuple[str, str]]:
    kinds = {"action_begun": "begin", "action_ended": "end"}
    return [(kinds[entry.kind], entry.facts.get("step", "")) for entry in run if entry.kind in kinds]


def test_the_end_of_a_step_and_the_begin_of_the_next_are_one_commit(journal: Journal, commits: list[list[str]]) -> None:
    names = ["a", "b", "c", "d"]
    run = journal.run({"title": "t", "steps": [step(name) for name in names]}, tools=World().tools())
    assert run.status == "completed"
    assert [phases for phases in commits if phases] == [["begin"], *[["end", "begin"]] * 3, ["end"]]
    assert [phase for phase, _ in phases(run)] == ["begin", "end"] * 4


def test_a_step_that_waits_for_a_slot_begins_with_the_end_that_gives_it_one(
    journal: Journal, commits: list[list[str]]
) -> None:
    names = ["a", "b", "c", "d"]
    plan = {"title": "t", "steps": [step(name, after=[]) for name in names]}
    world = World()
    run = journal.run(plan, tools=world.tools(), at_once=1)
    assert (run.status, world.effects) == ("completed", names)
    assert [phases for phases in commits if phases] == [["begin"], *[["end", "begin"]] * 3, ["end"]]


def test_a_waiting_step_of_a_higher_priority_begins_before_the_one_that_an_end_makes_ready(journal: Journal) -> None:
    world = World()
    steps = [step("a", after=[], priority=9), step("b", after=["a"]), step("c", after=[], priority=5)]
    run = journal.run({"title": "t", "steps": steps}, tools=world.tools(), at_once=1)
    assert (run.status, world.effects) == ("completed", ["a", "c", "b"])


def test_a_step_that_uses_the_result_before_it_gets_it_as_it_was_recorded(journal: Journal) -> None:
    world = World()
    steps = [step("a", arguments={"value": [1, 2]}), step("b", arguments={"value": "${steps.a.result}"})]
    run = journal.run({"title": "t", "steps": steps}, tools=world.tools())
    assert run.results == {"a": [1, 2], "b": [1, 2]}


def test_a_pause_during_a_call_keeps_the_next_step_from_beginning(journal: Journal) -> None:
    called: list[str] = []

    @tool
    def act(name: str) -> None:
        called.append(name)
        if name == "a":
            execution = journal.list_executions().executions[0].id
            journal.record_decision(execution_id=execution, decision="pause", why="wait")

    plan = {"title": "t", "steps": [step("a"), step("b")]}
    run = journal.run(plan, tools=[act], key="k")
    assert (run.status, called, states(journal, run.id)) == ("paused", ["a"], {"a": "done", "b": "planned"})
    journal.record_decision(execution_id=run.id, decision="resume", why="go on")
    assert journal.run(plan, tools=[act], key="k").status == "completed"
    assert called == ["a", "b"]


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_next_step_that_another_execution_left_in_doubt_is_held(journal: Journal, at_once: int) -> None:
    other = journal.record_execution_start(title="other").id
    left = journal.record_action(phase="begin", execution_id=other, tool="act", arguments={"name": "b"})
    journal.record_action(phase="end", action_id=left.id, outcome="unknown")
    world = World()
    steps = [step("a", after=[]), step("b", after=["a"]), step("c", after=["a"])]
    run = journal.run({"title": "t", "steps": steps}, tools=world.tools(), at_once=at_once)
    assert (run.status, world.effects, list(run.held)) == ("running", ["a", "c"], ["b"])
    assert [name for phase, name in phases(run) if phase == "begin"] == ["a", "c"]


def test_a_waiting_step_that_is_refused_with_the_end_before_it_is_tried_by_itself(journal: Journal) -> None:
    other = journal.record_execution_start(title="other").id
    left = journal.record_action(phase="begin", execution_id=other, tool="act", arguments={"name": "b"})
    journal.record_action(phase="end", action_id=left.id, outcome="unknown")
    world = World()
    steps = [step(name, after=[]) for name in ("a", "b", "c")]
    run = journal.run({"title": "t", "steps": steps}, tools=world.tools(), at_once=1)
    assert (world.effects, list(run.held)) == (["a", "c"], ["b"])


def test_coroutines_that_never_wait_leave_the_event_loop_to_others(journal: Journal) -> None:
    turns: list[str] = []
    seen: list[int] = []

    @tool
    async def act(name: str) -> None:
        if name == "s0":
            asyncio.get_running_loop().call_soon(turns.append, "a turn")
        seen.append(len(turns))

    run = journal.run({"title": "t", "steps": [step(f"s{number}") for number in range(400)]}, tools=[act])
    assert (run.status, seen[0], seen[-1]) == ("completed", 0, 1)


def test_runs_at_once_of_one_journal_share_commits(commits: list[list[str]]) -> None:
    @tool
    async def act(name: str) -> str:
        return name

    async def run_all() -> list[str]:
        async with AsyncJournal.open("memory:", journal="many") as journal:
            steps = [step("a"), step("b")]
            plans = [{"title": f"t{number}", "steps": steps} for number in range(20)]
            runs = await asyncio.gather(*(journal.run(plan, tools=[act]) for plan in plans))
            again = await journal.run({"title": "once more", "steps": steps}, tools=[act])
            return [run.status for run in (*runs, again)]

    assert asyncio.run(run_all()) == ["completed"] * 21
    assert max(map(len, commits)) > 2
