"""A step refers to what is not in the journal: a result that nobody has recorded, or that was cut."""

import re
from typing import Any

import pytest

from tallystick import Journal, ToolError, tool
from tallystick.runner.tools.shell import shell_tool


def call(id: str, name: str, value: Any = None, **fields: Any) -> dict[str, Any]:
    arguments = {"value": value} if name == "take" else {}
    return {"id": id, "tool": name, "arguments": arguments, "undo": "none", **fields}


class World:
    """Tools of which one loses its answer, and what the other one was called with."""

    def __init__(self, probe: Any = None) -> None:
        self.taken: list[Any] = []

        @tool(probe=probe)
        def lose(number: int = 0) -> Any:
            if number % 10 == 0:
                raise ToolError("the line went dead", "lost")
            return number

        @tool
        def take(value: Any) -> None:
            self.taken.append(value)

        self.tools: list[Any] = [lose, take]

    def run(self, journal: Journal, *steps: dict[str, Any], **options: Any) -> Any:
        return journal.run({"title": "t", "steps": list(steps)}, tools=self.tools, **options)


def settle(journal: Journal, run: Any, **more: Any) -> str:
    (doubt,) = journal.list_in_doubt(execution_id=run.id).in_doubt
    journal.record_decision(decision="settle", action_id=doubt.action_id, outcome="ok", evidence="seen", **more)
    return doubt.action_id


def go_on(world: World, journal: Journal, run: Any) -> Any:
    return world.run(journal, execution=run.id)


REFERENCES = {
    "whole": call("b", "take", "${steps.a.result}"),
    "part": call("b", "take", "${steps.a.result.stdout}"),
    "text": call("b", "take", "got ${steps.a.result}"),
    "condition": call("b", "take", 1, when='steps.a.result != "no"'),
    "list": call("b", "take", "${item}", for_each="${steps.a.result}"),
}


@pytest.mark.parametrize("how", [*REFERENCES])
def test_a_result_that_nobody_has_recorded_stops_the_step_and_can_be_added(journal: Journal, how: str) -> None:
    world = World()
    result: Any = {"stdout": "42"} if how == "part" else ["42"]
    run = world.run(journal, call("a", "lose"), REFERENCES[how])
    action = settle(journal, run)
    run = go_on(world, journal, run)
    assert (world.taken, run.status) == ([], "running")
    assert 'the result of "a", which nobody has recorded' in run.failed["b"]
    assert f"record action end --action-id {action} --outcome ok --result" in run.failed["b"]
    journal.record_action(phase="end", action_id=action, outcome="ok", result=result)
    journal.record_decision(decision="retry", execution_id=run.id, step="b", why="it is recorded")
    run = go_on(world, journal, run)
    expected = {"whole": ["42"], "part": "42", "text": 'got ["42"]', "condition": 1, "list": "42"}
    assert (world.taken, run.status) == ([expected[how]], "completed")


def test_a_doubt_is_settled_with_its_result(journal: Journal) -> None:
    world = World()
    run = world.run(journal, call("a", "lose"), REFERENCES["whole"])
    settle(journal, run, result={"n": 1})
    assert go_on(world, journal, run).status == "completed"
    assert world.taken == [{"n": 1}]


@pytest.mark.parametrize("by", ["person", "agent"])
def test_what_others_do_without_a_result_has_none(journal: Journal, by: str) -> None:
    world = World()
    run = world.run(journal, {"id": "a", "by": by, "title": "t"}, REFERENCES["condition"])
    journal.record_action(phase="done", execution_id=run.id, step="a", outcome="ok")
    run = go_on(world, journal, run)
    assert world.taken == []
    assert "nobody has recorded" in run.failed["b"]


def test_a_probe_that_only_says_yes_leaves_no_result(journal: Journal) -> None:
    world = World(probe=lambda number=0: True)
    run = world.run(journal, call("a", "lose"), REFERENCES["whole"])
    assert (world.taken, list(run.failed)) == ([], ["b"])
    run = world.run(journal, call("a", "lose"), call("b", "take", "${steps.a.state}"))
    assert (world.taken, run.status) == (["done"], "completed")


def test_a_list_with_an_item_without_a_result_has_none(journal: Journal) -> None:
    world = World(probe=lambda number=0: True)
    items = call("a", "lose", for_each=[8, 9, 10, 11], arguments={"number": "${item}"})
    run = world.run(journal, items, call("b", "take", "${steps.a.result}"))
    assert (world.taken, list(run.failed)) == ([], ["b"])
    (action,) = re.findall(r"ac_\w+", run.failed["b"])
    assert journal.get_action(action_id=action).step == "a.3"
    journal.record_action(phase="end", action_id=action, outcome="ok", result=10)
    journal.record_decision(decision="retry", execution_id=run.id, step="b", why="it is recorded")
    assert go_on(world, journal, run).status == "completed"
    assert world.taken == [[8, 9, 10, 11]]


def test_a_tool_that_returns_nothing_has_answered_with_null(journal: Journal) -> None:
    world = World()
    steps = [
        call("a", "take", 1),
        call("b", "take", "${steps.a.result}"),
        call("c", "take", 3, when="steps.b.result == null"),
    ]
    first = world.run(journal, *steps, call("d", "lose"), call("e", "take", "${steps.c.result}"))
    settle(journal, first)
    assert go_on(world, journal, first).status == "completed"
    assert world.taken == [1, None, 3, None]


LARGE = 1_200_000


def run_large(journal: Journal, value: Any, *steps: dict[str, Any], **fields: Any) -> tuple[World, Any]:
    """A run of which the first step returns a value."""
    world = World()

    @tool(effect="read")
    def large() -> Any:
        return value

    world.tools.append(large)
    return world, world.run(journal, {"id": "a", "tool": "large", **fields}, *steps)


CUT: dict[str, tuple[Any, dict[str, Any]]] = {
    "text": ("x" * LARGE, call("b", "take", "${steps.a.result}")),
    "inside a text": ("x" * LARGE, call("b", "take", "got ${steps.a.result}")),
    "member": ({"n": 1, "rows": ["x" * 100] * 20_000}, call("b", "take", "${steps.a.result.rows}")),
    "below": ({"n": 1, "rows": ["x" * 100] * 20_000}, call("b", "take", "${steps.a.result.rows[0]}")),
    "whole": ({"n": 1, "rows": ["x" * 100] * 20_000}, call("b", "take", "${steps.a.result}")),
    "condition": ({"text": "x" * LARGE}, call("b", "take", 1, when="size(steps.a.result.text) < 9000")),
    "computed": ({"text": "x" * LARGE}, call("b", "take", "${size(steps.a.result.text)}")),
    "list": ([0] * 600_000, call("b", "take", "${item}", for_each="${steps.a.result}")),
}


@pytest.mark.parametrize("how", [*CUT])
def test_a_result_that_was_cut_stops_the_step_that_refers_to_it(journal: Journal, how: str) -> None:
    value, user = CUT[how]
    world, run = run_large(journal, value, user)
    assert (world.taken, run.status) == ([], "running")
    assert "too large: the journal has only a part of it" in run.failed["b"]


def test_what_was_not_cut_of_a_result_can_be_used(journal: Journal) -> None:
    value = {"n": 1, "none": None, "text": "x" * LARGE}
    users = [call("b", "take", "${steps.a.result.n}"), call("c", "take", "${steps.a.result.none}")]
    world, run = run_large(journal, value, *users, call("d", "take", 2, when="steps.a.result.n == 1"))
    assert (world.taken, run.status) == ([1, None, 2], "completed")


@pytest.mark.parametrize("value", ["[cut] a", "a [cut]", "x" * 200_000])
def test_a_value_that_was_recorded_whole_is_not_taken_for_a_cut_one(journal: Journal, value: str) -> None:
    world, run = run_large(journal, value, call("b", "take", "${steps.a.result}"))
    assert (world.taken, run.status) == ([value], "completed")


def test_a_long_output_of_a_command_stops_the_step_that_refers_to_it(journal: Journal) -> None:
    world = World()
    world.tools.append(shell_tool())
    command = {"id": "a", "tool": "shell", "undo": "none", "arguments": {"command": "seq 1 400000"}}
    code = call("b", "take", "${steps.a.result.exit_code}")
    run = world.run(journal, command, code, call("c", "take", "${steps.a.result.stdout}"))
    assert (world.taken, list(run.failed)) == ([0], ["c"])
    assert "too large" in run.failed["c"]


def test_an_undo_that_refers_to_what_was_cut_is_left_to_a_person(journal: Journal) -> None:
    undo = {"tool": "take", "arguments": {"value": "${result.text}"}}
    value = {"text": "x" * LARGE}
    world = World()

    @tool
    def large() -> Any:
        return value

    @tool
    def fail() -> None:
        raise ToolError("on purpose")

    plan = {
        "title": "t",
        "unwind": "on-failure",
        "steps": [{"id": "a", "tool": "large", "undo": undo}, call("b", "fail")],
    }
    run = journal.run(plan, tools=[*world.tools, large, fail])
    assert (world.taken, run.status) == ([], "unwinding")
    item = next(each for each in journal.get_undo_list(execution_id=run.id).items if each.step == "a")
    assert item.undo is not None
    assert item.undo.missing == ("${result.text}",)
