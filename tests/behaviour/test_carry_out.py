"""Carrying out a plan with a function of the user's."""

from typing import Any

import pytest

from tallystick import AlreadyDone, InDoubtOpen, Journal, Step, WrongState
from tests.behaviour.scenarios import begin, do, end, entries, plan, planned, start, step, undo_list
from tests.matrix import Cell
from tests.promises import promise


@promise("an-unused-execution-is-cancelled")
def test_a_plan_that_is_refused_at_its_first_step_leaves_no_open_execution_behind(cell: Cell) -> None:
    mortal = cell.mortal()
    steps = [step("pay", tool="pay", arguments={"n": 1}), step("mail")]
    receipt = mortal.record_plan(title="work", steps=steps)
    mortal.record_execution_start(plan_id=receipt.id)
    mortal.record_action(phase="begin", step="pay")
    cell.kill(mortal)
    for key, left in [(None, "cancelled"), ("k", "running")]:
        with pytest.raises(InDoubtOpen):
            cell.journal.carry_out(receipt.id, lambda step: None, key=key)
        assert cell.journal.list_executions(limit=1).executions[0].status == left


@promise("carry-out-calls-each-step-in-order")
def test_each_step_is_called_in_order_and_recorded(journal: Journal) -> None:
    made = plan(
        journal,
        step("base", after=(), tool="make", arguments={"what": "base"}),
        step("roof", after=("walls",)),
        step("walls", after=("base",)),
    )
    called: list[Step] = []

    def executor(each: Step) -> dict[str, str]:
        running = {view.id: view.actual for view in journal.get_status().steps}
        assert running[str(each.id)] == "running"
        called.append(each)
        return {"made": str(each.id)}

    final = journal.carry_out(made, executor, title="Build", task_id="T-1")
    assert called[0] == step("base", after=(), tool="make", arguments={"what": "base"})
    assert final.results == {"base": {"made": "base"}, "walls": {"made": "walls"}, "roof": {"made": "roof"}}
    assert [each.id for each in called] == ["base", "walls", "roof"]
    assert (called[0].tool, called[0].arguments) == ("make", {"what": "base"})
    assert (final.execution.status, final.execution.progress) == ("completed", 1.0)
    assert (final.execution.title, final.execution.task_id) == ("Build", "T-1")
    assert [entry.body["result"] for entry in entries(journal, kind="action_ended")] == [
        {"made": "base"},
        {"made": "walls"},
        {"made": "roof"},
    ]
    assert [item.step for item in undo_list(journal, final.execution.id)] == ["roof", "walls", "base"]


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
def test_it_stops_at_the_first_failure_and_raises_it_with_its_frames(journal: Journal) -> None:
    made = plan(journal, "one", step("two", failure_policy="cancel_all"), "three")

    def executor(each: Step) -> None:
        if each.id == "two":
            raise ValueError("no luck")

    with pytest.raises(ValueError, match="no luck") as caught:
        journal.carry_out(made, executor)
    final = journal.get_status()
    assert caught.traceback[-1].name == "executor"
    assert caught.value.__notes__ == [f'tallystick: in step "two" of {final.execution.id}']
    assert {view.id: view.actual for view in final.steps} == {"one": "done", "two": "failed", "three": "planned"}
    assert final.execution.status == "running"
    assert (final.advice[0].step, final.advice[0].cancels) == ("two", ("three",))
    assert entries(journal, kind="action_ended")[-1].body == {"error": "ValueError: no luck"}


@promise("carry-out-goes-on-when-told-to")
def test_told_to_go_on_it_keeps_the_error_and_does_what_does_not_depend_on_it(journal: Journal) -> None:
    made = plan(journal, step("one", after=()), step("two", after=("one",)), step("other", after=()))

    def executor(each: Step) -> str:
        if each.id == "one":
            raise ValueError("no luck")
        return "fine"

    final = journal.carry_out(made, executor, go_on=True)
    assert {view.id: view.actual for view in final.steps} == {"one": "failed", "two": "planned", "other": "done"}
    assert (final.results, list(final.errors)) == ({"other": "fine"}, ["one"])
    trace = final.errors["one"].__traceback__
    assert trace is not None
    assert trace.tb_next is not None
    assert trace.tb_next.tb_frame.f_code.co_name == "executor"
    assert final.execution.status == "running"


@promise("carry-out-goes-on-when-told-to")
def test_told_to_go_on_it_stops_where_the_plan_says_so(journal: Journal) -> None:
    made = plan(journal, step("one", after=(), failure_policy="cancel_all"), step("other", after=()))
    final = journal.carry_out(made, lambda each: 1 / 0, go_on=True)
    assert [view.actual for view in final.steps] == ["failed", "planned"]


@promise("the-same-key-resumes")
def test_a_plan_is_resumed_with_recorded_results_and_the_failed_step_again(journal: Journal) -> None:
    made = plan(journal, "one", "two", "three")
    called: list[Any] = []

    def executor(each: Step) -> str:
        called.append(each.id)
        if called == ["one", "two"]:
            raise ConnectionError("not now")
        return f"did {each.id}"

    with pytest.raises(ConnectionError):
        journal.carry_out(made, executor, key="k")
    final = journal.carry_out(made, executor, key="k")
    assert called == ["one", "two", "two", "three"]
    assert final.results == {"one": "did one", "two": "did two", "three": "did three"}
    assert final.execution.status == "completed"
    again = journal.carry_out(made, executor, key="k")
    assert (len(called), again.results, again.execution.id) == (4, final.results, final.execution.id)


@promise("the-same-key-resumes")
@pytest.mark.parametrize(("outcome", "one"), [("ok", "it was there"), ("skipped", "now")])
def test_a_step_that_was_left_in_doubt_stops_with_the_call_that_settles_it(cell: Cell, outcome: str, one: str) -> None:
    made = plan(cell.journal, "one", "two")

    def stops(each: Step) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cell.journal.carry_out(made, stops, key="k")
    (doubt,) = cell.journal.list_in_doubt().in_doubt
    with pytest.raises(InDoubtOpen) as caught:
        cell.journal.carry_out(made, stops, key="k")
    assert doubt.action_id in caught.value.__notes__[0]
    assert caught.value.__notes__[0].startswith("next: journal.record_")
    assert "`again`" not in caught.value.hint  # carry_out takes none
    assert "Then call carry_out with the same key" in caught.value.hint
    result = "it was there" if outcome == "ok" else None
    end(cell.journal, doubt.action_id, outcome, result=result, evidence="looked")
    final = cell.journal.carry_out(made, lambda each: "now", key="k")
    assert final.results == {"one": one, "two": "now"}


@promise("the-same-key-resumes")
@pytest.mark.parametrize("effect", ["read", "idempotent"])
def test_a_killed_step_that_may_be_repeated_is_settled_by_its_repetition(cell: Cell, effect: Any) -> None:
    made = plan(cell.journal, "one", step("two", effect=effect, tool="set"), step("three", failure_policy="cancel_all"))
    stops = True

    def executor(each: Step) -> None:
        if each.id == "two" and stops:
            raise KeyboardInterrupt
        if each.id == "three":
            raise OSError("no room")

    with pytest.raises(KeyboardInterrupt):
        cell.journal.carry_out(made, executor, key="k")
    (doubt,) = cell.journal.list_in_doubt().in_doubt
    stops = False
    with pytest.raises(OSError, match="no room"):
        cell.journal.carry_out(made, executor, key="k")
    assert cell.journal.list_in_doubt().in_doubt == ()
    (settled,) = entries(cell.journal, kind="action_ended", id=doubt.action_id)[1:]
    assert f"its effect is {effect}, so both are one effect" in (settled.body or {})["evidence"]
    undone: list[str] = []
    cell.journal.unwind(doubt.execution_id, {}, by_hand=lambda item: undone.append(item.step))
    assert undone == (["one"] if effect == "read" else ["two", "one"])


@promise("carry-out-goes-on-when-told-to")
def test_a_step_that_was_approved_meanwhile_uses_the_approval(cell: Cell) -> None:
    journal = cell.journal
    made = plan(journal, step("pay", needs_approval=True, tool="pay", arguments={"sum": 3}), "thank")
    first = journal.carry_out(made, lambda each: each.id, key="k")
    asked = journal.request_approval(
        question="Pay?", step="pay", tool="pay", arguments={"sum": 3}, execution_id=first.execution.id
    )
    cell.person().decide_approval(approval_id=asked.id, verdict="approve")
    final = journal.carry_out(made, lambda each: each.id, key="k")
    assert (final.execution.status, final.results) == ("completed", {"pay": "pay", "thank": "thank"})


@promise("carry-out-calls-each-step-in-order")
def test_a_call_that_the_executor_recovered_from_does_not_keep_the_plan_open(journal: Journal) -> None:
    made = plan(journal, "one")

    def executor(each: Step) -> None:
        with journal.action("a first try", tool="inner") as first:
            first.failed("no luck")

    final = journal.carry_out(made, executor)
    assert (final.execution.status, final.execution.unfinished) == ("completed", {"undecided": 1})


@promise("carry-out-stops-at-the-first-failure")
def test_a_step_that_needs_a_person_is_not_begun(journal: Journal) -> None:
    made = plan(journal, "one", step("pay", needs_approval=True))
    called: list[Any] = []
    final = journal.carry_out(made, lambda each: called.append(each.id))
    assert called == ["one"]
    assert (final.execution.status, final.execution.done_steps) == ("running", 1)
    assert {view.id: view.actual for view in final.steps} == {"one": "done", "pay": "planned"}


@promise("carry-out-calls-each-step-in-order")
def test_records_of_the_executor_belong_to_the_execution_that_is_carried_out(journal: Journal) -> None:
    start(journal, "another one")
    made = plan(journal, "one")

    def executor(each: Step) -> None:
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

    def executor(each: Step) -> None:
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
    journal: Journal, call: dict[str, Any], key: dict[str, Any]
) -> None:
    made = plan(journal, *(step(name, **call) for name in ("one", "two", "three")))
    called: list[Any] = []

    def executor(each: Step) -> None:
        called.append(each.id)
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


@promise("a-key-continues-no-undone-work")
@pytest.mark.parametrize("ends", [False, True])
def test_a_key_never_goes_on_with_work_that_is_undone(journal: Journal, ends: bool) -> None:
    made = plan(journal, "copy", "switch").id

    def switch_fails(given: Step) -> None:
        if given.id == "switch":
            raise OSError("no such host")

    with pytest.raises(OSError, match="no such host"):
        journal.carry_out(made, switch_fails, key="move")
    execution = journal.list_executions().executions[0].id
    journal.record_decision(execution_id=execution, decision="unwind", why="it failed")
    if ends:
        journal.record_decision(execution_id=execution, decision="done", why="the rest is left", incomplete=True)
    with pytest.raises(WrongState, match=r"undone|cancelled"):
        journal.carry_out(made, lambda step: None, key="move")
    with pytest.raises(WrongState, match=r"undone|cancelled"), journal.execution(plan_id=made, key="move"):
        pass
    assert journal.get_status(execution_id=execution).execution.status == ("cancelled" if ends else "unwinding")


@promise("the-same-key-resumes")
def test_a_step_that_another_program_is_doing_is_named(cell: Cell) -> None:
    journal, other = cell.journal, cell.another()
    made = plan(journal, "one", "two")

    def executor(given: Step) -> str:
        if given.id == "two":
            action = journal.list_actions(state="open").actions[0].id
            with pytest.raises(WrongState, match=f'"two" of ex_.* is under way as {action}') as caught:
                other.carry_out(made, lambda step: pytest.fail("called twice"), key="k")
            assert "Wait until it has ended" in caught.value.hint
        return str(given.id)

    assert journal.carry_out(made, executor, key="k").execution.status == "completed"
