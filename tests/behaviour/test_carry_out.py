"""Carrying out a plan with a function of the user's."""

from typing import Any

import pytest

from tallystick import AlreadyDone, InDoubtOpen, Journal
from tests.behaviour.scenarios import begin, do, entries, owed, plan, planned, start, step
from tests.promises import promise


@promise("carry-out-calls-each-step-in-order")
def test_each_step_is_called_in_order_and_recorded(journal: Journal) -> None:
    made = plan(
        journal,
        step("base", after=(), tool="make", arguments={"what": "base"}),
        step("roof", after=("walls",)),
        step("walls", after=("base",)),
    )
    called: list[dict[str, Any]] = []

    def executor(each: dict[str, Any]) -> dict[str, str]:
        running = {view.id: view.actual for view in journal.get_status().steps}
        assert running[each["id"]] == "running"
        called.append(each)
        return {"made": each["id"]}

    final = journal.carry_out(made, executor, title="Build", task_id="T-1")
    assert [each["id"] for each in called] == ["base", "walls", "roof"]
    assert (called[0]["tool"], called[0]["arguments"]) == ("make", {"what": "base"})
    assert (final.execution.status, final.execution.progress) == ("completed", 1.0)
    assert (final.execution.title, final.execution.task_id) == ("Build", "T-1")
    assert [entry.body["result"] for entry in entries(journal, kind="action_ended")] == [
        {"made": "base"},
        {"made": "walls"},
        {"made": "roof"},
    ]
    assert [item.step for item in owed(journal, final.execution.id)] == ["roof", "walls", "base"]


@promise("carry-out-calls-each-step-in-order")
def test_a_plan_is_carried_out_by_its_id_again_and_again(journal: Journal) -> None:
    made = plan(journal, "one")
    first = journal.carry_out(made.id, lambda each: None)
    second = journal.carry_out(made.id, lambda each: None)
    assert first.execution.id != second.execution.id
    assert {first.execution.status, second.execution.status} == {"completed"}


@promise("carry-out-calls-each-step-in-order")
def test_a_plan_that_has_the_same_call_twice_is_carried_out_whole(journal: Journal) -> None:
    restart = {"tool": "restart", "arguments": {"service": "web"}}
    made = plan(journal, step("before", **restart), step("between"), step("after_all", **restart))
    final = journal.carry_out(made, lambda each: None)
    assert [view.actual for view in final.steps] == ["done", "done", "done"]


@promise("carry-out-stops-at-the-first-failure")
def test_it_stops_at_the_first_failure_and_hands_back_the_advice(journal: Journal) -> None:
    made = plan(journal, "one", step("two", failure_policy="cancel_all"), "three")

    def executor(each: dict[str, Any]) -> None:
        if each["id"] == "two":
            raise ValueError("no luck")

    final = journal.carry_out(made, executor)
    assert {view.id: view.actual for view in final.steps} == {"one": "done", "two": "failed", "three": "planned"}
    assert final.execution.status == "running"
    assert (final.advice[0].step, final.advice[0].cancels) == ("two", ("three",))
    assert entries(journal, kind="action_ended")[-1].body == {"error": "ValueError: no luck"}


@promise("carry-out-stops-at-the-first-failure")
def test_a_step_that_needs_a_person_is_not_begun(journal: Journal) -> None:
    made = plan(journal, "one", step("pay", needs_approval=True))
    called: list[str] = []
    final = journal.carry_out(made, lambda each: called.append(each["id"]))
    assert called == ["one"]
    assert (final.execution.status, final.execution.done_steps) == ("running", 1)
    assert {view.id: view.actual for view in final.steps} == {"one": "done", "pay": "planned"}


@promise("carry-out-calls-each-step-in-order")
def test_records_of_the_executor_belong_to_the_execution_that_is_carried_out(journal: Journal) -> None:
    start(journal, "another one")
    made = plan(journal, "one")

    def executor(each: dict[str, Any]) -> None:
        with journal.action("a part of it", tool="inner"):
            journal.record_decision(decision="continue", why="so")

    with journal.execution("around it") as outer:
        final = journal.carry_out(made, executor)
        with journal.action("behind it", tool="outer"):
            pass
    acts = {each.tool: each.execution_id for each in journal.list_actions().actions if each.tool}
    assert acts == {"inner": final.execution.id, "outer": outer.id}
    decided = [
        entry.facts["decision"] for entry in entries(journal, execution_id=final.execution.id, kind="decision_recorded")
    ]
    assert decided == ["continue", "done"]


@promise("carry-out-stops-at-the-first-failure")
@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_a_step_that_is_interrupted_is_in_doubt_at_once(journal: Journal, interruption: type[BaseException]) -> None:
    made = plan(journal, "one", "two")

    def executor(each: dict[str, Any]) -> None:
        raise interruption("enough")

    with pytest.raises(interruption):
        journal.carry_out(made, executor)
    assert [item.step for item in journal.list_in_doubt().in_doubt] == ["one"]
    assert entries(journal, kind="action_ended")[-1].body == {
        "error": f"interrupted by {interruption.__name__}: enough"
    }


@promise("a-doubt-counts-in-the-whole-journal")
@pytest.mark.parametrize("key", [{}, {"key": "release"}])
@pytest.mark.parametrize("call", [{"tool": "make"}, {"tool": "make", "arguments": {"target": "all"}}])
def test_a_step_in_doubt_is_not_repeated_though_other_steps_have_the_same_call(
    journal: Journal, call: dict[str, Any], key: dict[str, str]
) -> None:
    made = plan(journal, *(step(name, **call) for name in ("one", "two", "three")))
    called: list[str] = []

    def executor(each: dict[str, Any]) -> None:
        called.append(each["id"])
        if called == ["one", "two"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        journal.carry_out(made, executor, **key)
    with pytest.raises(InDoubtOpen):
        journal.carry_out(made, executor, **key)
    assert called.count("two") == 1


@promise("a-repeated-effect-is-answered")
def test_the_call_of_a_done_step_is_no_repetition_in_another_step(journal: Journal) -> None:
    restart: dict[str, Any] = {"tool": "restart", "arguments": {"service": "web"}}
    planned(journal, step("before", **restart), step("after_all", **restart))
    do(journal, step="before", **restart)
    with pytest.raises(AlreadyDone):
        begin(journal, **restart)
    with pytest.raises(AlreadyDone):
        begin(journal, step="before", **restart)
    assert begin(journal, step="after_all", **restart)
