"""Steps with `for_each`: one call for each item, and the results as a list."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.runner.tools.python import tool
from tallystick.runner.tools.tool import ToolError


class World:
    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.active = self.most = 0

    def tools(self, **options: Any) -> list[Any]:
        def find() -> list[dict[str, Any]]:
            return [{"file": "a", "size": 1}, {"file": "b", "size": 20}, {"file": "c", "size": 3}]

        async def load(file: str, number: int = 0) -> dict[str, Any]:
            self.calls.append(file)
            self.active += 1
            self.most = max(self.most, self.active)
            await asyncio.sleep(0)
            self.active -= 1
            if file.startswith("flaky") and self.calls.count(file) == 1:
                raise ToolError("later", "transient")
            if file.startswith("bad"):
                raise ToolError("no", "not_done")
            return {"rows": len(file), "number": number}

        def total(rows: Any) -> Any:
            return rows

        return [find, tool(**options)(load), total]


def loading(for_each: Any, **fields: Any) -> dict[str, Any]:
    arguments = {"file": "${item}", "number": "${index}"}
    return {"id": "load", "tool": "load", "for_each": for_each, "arguments": arguments, "after": [], **fields}


def total(**fields: Any) -> dict[str, Any]:
    return {"id": "total", "tool": "total", "after": ["load"], "arguments": {"rows": "${steps.load.result}"}, **fields}


def plan(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"title": "Import", "steps": list(steps), **fields}


def states(journal: Journal, execution: str) -> dict[str, str]:
    return {each.id: each.actual for each in journal.get_status(execution_id=execution).steps}


@pytest.mark.parametrize("source", ["literal", "parameters", "result"])
def test_a_list_is_carried_out_item_by_item_and_its_results_are_a_list(journal: Journal, source: str) -> None:
    world = World()
    steps = [total()]
    if source == "result":
        item = {"file": "${item.file}", "number": "${index}"}
        find = {"id": "find", "tool": "find", "after": []}
        steps = [find, loading("${steps.find.result}", arguments=item, after=["find"]), *steps]
    else:
        steps = [loading(["a", "b", "c"] if source == "literal" else "${parameters.files}"), *steps]
    values = {"files": ["a", "b", "c"]} if source == "parameters" else {}
    run = journal.run(plan(*steps), tools=world.tools(), parameters=values)
    assert run.status == "completed"
    assert sorted(world.calls) == ["a", "b", "c"]
    expected = [{"rows": 1, "number": number} for number in range(3)]
    assert run.results["load"] == run.results["total"] == expected
    assert [run.results[f"load.{number}"] for number in (1, 2, 3)] == expected
    assert journal.verify().ok


def test_an_empty_list_makes_no_call_and_gives_an_empty_list(journal: Journal) -> None:
    world = World()
    run = journal.run(plan(loading([]), total()), tools=world.tools())
    assert (run.status, world.calls, run.results["total"]) == ("completed", [], [])


def test_a_condition_holds_for_each_item_and_a_skipped_one_leaves_a_gap(journal: Journal) -> None:
    world = World()
    run = journal.run(plan(loading(["a", "bbb", "c"], when="size(item) < 3"), total()), tools=world.tools())
    assert sorted(world.calls) == ["a", "c"]
    assert [each and each["rows"] for each in run.results["total"]] == [1, None, 1]


def test_limits_retries_and_failure_policies_hold_for_each_item(journal: Journal) -> None:
    world = World()
    files = ["a", "flaky1", "bad", "b", "flaky2", "c"]
    step = loading(files, failure_policy="continue_others", retry={"attempts": 2, "backoff": 0.001})
    run = journal.run(plan(step, total()), tools=world.tools(at_most=2))
    assert Counter(world.calls) == Counter([*files, "flaky1", "flaky2"])
    assert world.most <= 2
    assert run.status == "failed"
    assert set(run.failed) == {"load.3"}
    assert states(journal, run.id)["total"] == "planned"


def test_each_item_has_its_own_undo(journal: Journal) -> None:
    undo = {"tool": "drop", "arguments": {"file": "${item}", "rows": "${result.rows}"}}

    def drop(file: str, rows: int) -> None: ...

    run = journal.run(plan(loading(["a", "bb"], undo=undo)), tools=[*World().tools(), drop])
    journal_list = journal.get_undo_list(execution_id=run.id).items
    assert [(each.step, each.undo.arguments) for each in journal_list if each.undo] == [
        ("load.2", {"file": "bb", "rows": 2}),
        ("load.1", {"file": "a", "rows": 1}),
    ]


def test_a_plan_is_expanded_for_one_execution_alone(journal: Journal) -> None:
    world = World()
    recorded = journal.record_plan(
        title="t",
        steps=[{**loading("${parameters.files}"), "title": "Load", "cancellable": "irreversible"}],  # type: ignore[list-item]
    )
    first = journal.run(recorded, tools=world.tools(), parameters={"files": ["a", "b"]})
    second = journal.run(recorded.id, tools=world.tools(), parameters={"files": ["c"]})
    assert (first.status, second.status) == ("completed", "completed")
    assert [each.revision for each in journal.get_plan(plan_id=recorded.id).revisions] == [1]
    assert set(states(journal, first.id)) == {"load.1", "load.2", "load"}
    assert set(states(journal, second.id)) == {"load.1", "load"}
    (made,) = journal.get_plan(plan_id=recorded.id, revision=3).revisions
    assert (made.execution_id, made.step_count) == (second.id, 2)
    revised = journal.record_plan(
        title="t",
        plan_id=recorded.id,
        reason="r",
        steps=[{**loading(["z"]), "title": "Load", "cancellable": "irreversible"}],  # type: ignore[list-item]
    )
    assert revised.revision == 4
    assert journal.run(recorded.id, tools=world.tools()).status == "completed"


def test_the_same_list_is_expanded_once_by_several_workers(journal: Journal) -> None:
    steps = [{**loading(["a"]), "title": "Load", "cancellable": "irreversible"}]
    recorded = journal.record_plan(title="t", steps=steps)  # type: ignore[arg-type]
    execution = journal.run_plan(plan_id=recorded.id, engine="caller").id
    given: dict[str, Any] = {"execution_id": execution, "items": {"load": ["a", "b"]}, "key": "items"}
    first, again = journal.record_items(**given), journal.record_items(**given)
    assert (first.revision, first.steps) == (2, 3)
    assert again.repeated
    with pytest.raises(Exception, match="has its items"):
        journal.record_items(**given | {"key": "other"})


@pytest.mark.parametrize("value", [{"a": 1}, "text", 3, None])
def test_a_reference_that_is_no_list_fails_its_step_before_any_call(journal: Journal, value: Any) -> None:
    world = World()

    def make() -> Any:
        return {"list": value}

    first = {"id": "make", "tool": "make", "after": []}
    run = journal.run(plan(first, loading("${steps.make.result.list}", after=["make"])), tools=[*world.tools(), make])
    assert "no list" in run.failed["load"]
    assert world.calls == []


def test_a_list_that_is_too_long_fails_its_step_with_the_limit(journal: Journal) -> None:
    def make() -> list[int]:
        return list(range(10_001))

    first = {"id": "make", "tool": "make", "after": []}
    step = loading("${steps.make.result}", after=["make"], arguments={"file": "x"})
    run = journal.run(plan(first, step), tools=[*World().tools(), make])
    assert "10,000" in run.failed["load"]


def test_results_that_are_too_large_for_one_list_are_still_found_by_later_steps(journal: Journal) -> None:
    def big(file: str, number: int) -> str:
        return "x" * 300_000

    def sizes(rows: list[str]) -> list[int]:
        return [len(each) for each in rows]

    steps = [
        loading(["a"] * 4, tool="big"),
        {**total(), "tool": "sizes", "arguments": {"rows": ["${steps.load.result[0]}", "${steps.load.result[3]}"]}},
    ]
    run = journal.run(plan(*steps), tools=[big, sizes])
    assert run.results["total"] == [300_000, 300_000], run.failed


def test_two_lists_are_expanded_one_after_the_other_and_work_under_way_goes_on(journal: Journal) -> None:
    world = World()
    find = {"id": "find", "tool": "find", "after": []}
    slow = {"id": "slow", "tool": "slow", "after": []}

    async def slow_tool() -> str:
        while len(world.calls) < 6:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        return "done"

    one = loading("${steps.find.result}", arguments={"file": "${item.file}"}, after=["find"])
    two = {**one, "id": "more"}
    last = {"id": "last", "tool": "total", "after": ["slow", "load", "more"], "arguments": {"rows": 1}}
    run = journal.run(plan(find, slow, one, two, last), tools=[*world.tools(), tool(name="slow")(slow_tool)])
    assert run.status == "completed", states(journal, run.id)
    assert Counter(world.calls) == Counter(["a", "b", "c"] * 2)


def test_a_run_with_the_same_key_goes_on_with_the_items_that_are_left(journal: Journal) -> None:
    world = World()
    step = loading(["a", "bad", "c"], failure_policy="manual_decision")
    first = journal.run(plan(step), tools=world.tools(), key="k")
    assert states(journal, first.id) == {"load.1": "done", "load.2": "failed", "load.3": "done", "load": "planned"}
    journal.record_decision(decision="skip", execution_id=first.id, step="load.2", why="not needed")
    again = journal.run(plan(step), tools=world.tools(), key="k")
    assert again.status == "completed"
    assert Counter(world.calls) == Counter(["a", "bad", "c"])
    assert [bool(each) for each in again.results["load"]] == [True, False, True]


def test_a_condition_of_an_agent_s_step_is_decided_by_the_runner(journal: Journal) -> None:
    steps: list[dict[str, Any]] = [
        {"id": "a", "by": "agent", "when": "parameters.ask", "after": []},
        {"id": "b", "tool": "total", "after": ["a"], "arguments": {"rows": 1}},
    ]
    run = journal.run(plan(*steps), tools=World().tools(), parameters={"ask": False})
    assert states(journal, run.id) == {"a": "skipped", "b": "done"}
    other = journal.run(plan(*steps), tools=World().tools(), parameters={"ask": True})
    assert set(other.waiting) == {"a"}


def test_an_agent_s_list_becomes_steps_of_the_agent(journal: Journal) -> None:
    run = journal.run(plan({"id": "ask", "by": "agent", "for_each": ["x", "y"], "after": []}), tools=[], key="k")
    assert set(run.waiting) == {"ask.1", "ask.2"}
    for name in ("ask.1", "ask.2"):
        begun = journal.record_action(phase="begin", execution_id=run.id, step=name)
        journal.record_action(phase="end", action_id=begun.id, outcome="ok", result=name)
    again = journal.run(plan({"id": "ask", "by": "agent", "for_each": ["x", "y"], "after": []}), tools=[], key="k")
    assert (again.status, again.results["ask"]) == ("completed", ["ask.1", "ask.2"])


def test_items_are_refused_that_would_take_the_name_of_another_step(journal: Journal) -> None:
    steps = [
        {**loading(["a"]), "title": "Load", "cancellable": "irreversible"},
        {"id": "load.1", "title": "Other", "cancellable": "irreversible", "after": []},
    ]
    recorded = journal.record_plan(title="t", steps=steps)  # type: ignore[arg-type]
    execution = journal.run_plan(plan_id=recorded.id, engine="caller").id
    with pytest.raises(InvalidArgument, match=r"cannot be named load\.1"):
        journal.record_items(execution_id=execution, items={"load": ["a"]})
