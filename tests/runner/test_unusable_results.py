"""A step refers to what is not in the journal: a result that nobody has recorded, or that was cut."""

import re
from typing import Any

import pytest

from tallystick import Journal, ToolError, tool


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

        self.tools = [lose, take]

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
