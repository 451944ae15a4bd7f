"""Decisions: how each one changes the status of an execution."""

import pytest

from tallystick import AmbiguousExecution, InvalidArgument, Journal, UnknownHandle, WrongState
from tallystick.core.types import Choice
from tests.behaviour.scenarios import (
    begin,
    do,
    end,
    entries,
    fail,
    plan,
    planned,
    start,
    status,
    step,
    steps_of,
    undo,
    undo_list,
)
from tests.matrix import Cell
from tests.promises import promise

MOVES: dict[tuple[str, Choice], str] = {
    ("running", "continue"): "running",
    ("running", "retry"): "running",
    ("running", "skip"): "running",
    ("running", "pause"): "paused",
    ("running", "unwind"): "unwinding",
    ("running", "ask_human"): "blocked",
    ("running", "stop"): "cancelled",
    ("running", "fail"): "failed",
    ("running", "done"): "completed",
    ("paused", "resume"): "running",
    ("paused", "unwind"): "unwinding",
    ("paused", "stop"): "cancelled",
    ("blocked", "resume"): "running",
    ("blocked", "continue"): "blocked",
    ("blocked", "stop"): "cancelled",
    ("unwinding", "resume"): "unwinding",
    ("unwinding", "pause"): "paused",
    ("unwinding", "done"): "cancelled",
    ("unwinding", "stop"): "cancelled",
    ("unwinding", "fail"): "failed",
}
INTO: dict[str, Choice] = {"paused": "pause", "blocked": "ask_human", "unwinding": "unwind"}
ENDINGS: dict[str, Choice] = {"completed": "done", "failed": "fail", "cancelled": "stop"}


def _decide(journal: Journal, decision: Choice, execution: str = "") -> str:
    return journal.record_decision(
        decision=decision, why="so", question="Shall I?" if decision == "ask_human" else "", execution_id=execution
    ).status


@promise("a-decision-moves-the-execution")
def test_each_decision_moves_the_execution_to_its_status(journal: Journal) -> None:
    reached = {}
    for before, decision in MOVES:
        execution = start(journal)
        assert status(journal, execution) == "running"
        if before != "running":
            assert _decide(journal, INTO[before], execution) == before
        answered = _decide(journal, decision, execution)
        assert status(journal, execution) == answered
        reached[before, decision] = answered
    assert reached == MOVES


@promise("an-impossible-decision-names-the-possible-ones")
def test_an_impossible_decision_is_refused_with_the_possible_ones(journal: Journal) -> None:
    execution = start(journal)
    with pytest.raises(WrongState) as caught:
        _decide(journal, "resume", execution)
    assert "running" in caught.value.message
    assert {"pause", "done", "unwind"} <= set(caught.value.allowed)
    assert "resume" not in caught.value.allowed


@promise("pausing-refuses-what-is-new")
def test_nothing_begins_while_paused_and_open_actions_may_end(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    done, opened = do(journal, step="one"), begin(journal, "other")
    _decide(journal, "pause", execution)
    for refused in ({"step": "two"}, {"tool": "another"}, {"kind": "undo", "undoes": done}):
        with pytest.raises(WrongState, match="paused") as caught:
            begin(journal, execution_id=execution, **refused)
        assert caught.value.next_call is not None
        assert caught.value.next_call[1]["decision"] == "resume"
    assert end(journal, opened).state == "ok"
    journal.record_action(phase="note", execution_id=execution, summary="a remark is no action")
    _decide(journal, "resume", execution)
    assert do(journal, step="two", execution_id=execution)


@promise("stop-leaves-what-is-owed")
def test_stopping_leaves_the_owed_list(journal: Journal) -> None:
    execution = start(journal)
    first, second = do(journal, "first", undo="undo it"), do(journal, "second", undo="undo it too")
    before = undo_list(journal, execution)
    receipt = journal.record_decision(decision="stop", why="enough")
    assert receipt.status == "cancelled"
    assert [item.action_id for item in receipt.owed] == [second, first]
    assert undo_list(journal, execution) == before


@promise("what-was-left-shows-for-ever")
def test_work_left_at_the_end_shows_for_ever(journal: Journal) -> None:
    execution = start(journal)
    action = begin(journal, "touch")
    journal.record_decision(decision="done", why="good enough", incomplete=True)
    end(journal, action)
    start(journal, "other work")
    assert journal.get_status(execution_id=execution).execution.unfinished == {"open": 1}
    assert [each.unfinished for each in journal.list_executions().executions if each.id == execution] == [{"open": 1}]
    assert "open" in journal.get_brief(execution_id=execution).text


@promise("a-failure-that-was-decided-on-is-settled")
@pytest.mark.parametrize("outcome", ["failed", "skipped"])
def test_a_failure_that_was_decided_on_needs_no_reason_at_the_end(journal: Journal, outcome: str) -> None:
    start(journal)
    end(journal, begin(journal, "touch"), outcome, without_effect=outcome == "failed")
    journal.record_decision(decision="continue", why="the file is optional")
    receipt = journal.record_decision(decision="done")
    assert (receipt.status, receipt.unfinished) == ("completed", {})


@promise("a-failure-that-was-decided-on-is-settled")
def test_a_step_that_was_skipped_by_decision_is_not_left(journal: Journal) -> None:
    planned(journal, "one", "two")
    do(journal, step="one")
    journal.record_decision(decision="skip", step="two", why="not needed")
    assert journal.record_decision(decision="done").unfinished == {}


@promise("nothing-completes-by-itself")
def test_doing_every_step_does_not_complete_the_execution(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    do(journal, step="one")
    do(journal, step="two")
    view = journal.get_status(execution_id=execution)
    assert (view.execution.status, view.execution.progress, view.next_steps) == ("running", 1.0, ())


@promise("nothing-completes-by-itself")
def test_the_end_of_a_session_ends_no_execution(cell: Cell) -> None:
    agent = cell.mortal()
    execution = start(agent)
    do(agent, "touch")
    cell.kill(agent)
    do(cell.journal, "wake", execution_id=execution)
    assert status(cell.journal, execution) == "running"


@promise("an-ended-execution-stays-ended")
@pytest.mark.parametrize("ending", sorted(ENDINGS))
def test_no_decision_and_no_work_is_taken_after_the_end(journal: Journal, ending: str) -> None:
    execution = start(journal)
    _decide(journal, ENDINGS[ending], execution)
    decisions: tuple[Choice, ...] = ("continue", "resume", "pause", "unwind", "done", "stop", "fail", "ask_human")
    for decision in decisions:
        with pytest.raises(WrongState, match="has ended"):
            _decide(journal, decision, execution)
    with pytest.raises(WrongState, match="has ended"):
        begin(journal, "more", execution_id=execution)
    with pytest.raises(WrongState, match="has ended"):
        journal.request_approval(question="May I?", execution_id=execution)
    assert status(journal, execution) == ending


@promise("a-late-word-flips-nothing-but-doubt")
def test_a_late_end_settles_its_action_and_changes_nothing_else(journal: Journal) -> None:
    execution = start(journal)
    action = begin(journal, "touch", undo="remove it")
    journal.record_decision(decision="stop", why="no time")
    before = journal.get_status(execution_id=execution).execution
    receipt = end(journal, action)
    after = journal.get_status(execution_id=execution).execution
    assert receipt.state == "ok"
    assert any("late" in note for note in receipt.notes)
    assert entries(journal, id=action, kind="action_ended")[0].facts["late"] is True
    assert (after.status, after.ended, after.unfinished) == (before.status, before.ended, before.unfinished)
    assert (before.late, after.late) == (0, 1)
    assert [(item.state, item.certain) for item in undo_list(journal, execution)] == [("not_undone", True)]


@promise("a-late-word-flips-nothing-but-doubt")
def test_a_late_note_is_recorded_as_late(journal: Journal) -> None:
    execution = start(journal)
    journal.record_decision(decision="done")
    note = journal.record_action(phase="note", execution_id=execution, summary="one more thing")
    journal.record_context(key="k", value="v", scope="execution", execution_id=execution)
    noted = next(entry for entry in entries(journal, id=execution) if entry.seq == note.seq)
    assert noted.facts["late"] is True
    view = journal.get_status(execution_id=execution).execution
    assert (view.status, view.late) == ("completed", 2)


@promise("an-undo-can-follow-the-end")
@pytest.mark.parametrize("ending", ["cancelled", "failed"])
def test_owed_actions_can_be_undone_after_the_end(journal: Journal, ending: str) -> None:
    execution = start(journal)
    action = do(journal, "touch", undo="remove it")
    _decide(journal, ENDINGS[ending], execution)
    undone = undo(journal, action)
    assert undo_list(journal, execution) == []
    assert status(journal, execution) == ending
    assert entries(journal, id=undone, kind="action_begun")[0].facts["late"] is True


@promise("a-decision-keeps-its-reasons")
def test_a_decision_stores_its_reason_alternatives_and_why_they_were_rejected(journal: Journal) -> None:
    execution = planned(journal, "one")
    receipt = journal.record_decision(
        decision="retry",
        step="one",
        why="the network was down",
        alternatives=("skip it", "ask somebody"),
        rejected="it is needed, and nobody is there",
    )
    entry = entries(journal, id=receipt.id)[0]
    assert entry.facts["decision"] == "retry"
    assert entry.facts["step"] == "one"
    assert entry.body == {
        "why": "the network was down",
        "alternatives": ["skip it", "ask somebody"],
        "rejected": "it is needed, and nobody is there",
    }
    last = journal.get_status(execution_id=execution).last_decision
    assert (last["decision"], last["why"]) == ("retry", "the network was down")


@promise("a-decision-says-why")
def test_a_decision_without_a_reason_is_refused(journal: Journal) -> None:
    start(journal)
    decisions: tuple[Choice, ...] = ("continue", "retry", "skip", "pause", "unwind", "stop", "fail", "replan")
    for decision in decisions:
        with pytest.raises(InvalidArgument) as caught:
            journal.record_decision(decision=decision, why="  ")
        assert caught.value.field == "why"
    assert journal.record_decision(decision="done").status == "completed"


@promise("progress-is-shown")
def test_the_current_step_the_total_and_the_progress_are_shown(journal: Journal) -> None:
    execution = planned(journal, "one", "two", "three", "four")
    do(journal, step="one")
    begin(journal, step="two")
    view = journal.get_status(execution_id=execution).execution
    assert (view.step, view.total_steps, view.done_steps, view.progress) == ("two", 4, 1, 0.25)
    assert (view.status, view.actions) == ("running", {"ok": 1, "open": 1})


@promise("an-execution-can-follow-no-plan")
def test_an_execution_of_no_plan_keeps_title_task_and_notes(journal: Journal) -> None:
    receipt = journal.record_execution_start(title="Tidy up", task_id="T-1", notes="by hand")
    view = journal.get_status(execution_id=receipt.id).execution
    assert (receipt.status, receipt.next_steps) == ("running", ())
    assert (view.title, view.task_id, view.plan_id, view.total_steps) == ("Tidy up", "T-1", "", 0)
    assert entries(journal, id=receipt.id)[0].body["notes"] == "by hand"


@promise("unwinding-ends-as-cancelled")
def test_done_after_unwinding_is_cancelled(journal: Journal) -> None:
    execution = start(journal)
    action = do(journal, "touch", undo="remove it")
    assert [item.action_id for item in journal.record_decision(decision="unwind", why="wrong").owed] == [action]
    with pytest.raises(WrongState, match="1 owed"):
        journal.record_decision(decision="done")
    undo(journal, action)
    receipt = journal.record_decision(decision="done")
    assert (receipt.status, receipt.unfinished) == ("cancelled", {})
    assert status(journal, execution) == "cancelled"


@promise("unwinding-ends-as-cancelled")
@pytest.mark.parametrize("on_the_way", [("pause",), ("pause", "resume"), ("resume",), ("pause", "ask_human", "resume")])
def test_an_unwind_that_was_paused_or_resumed_is_still_an_unwind(
    journal: Journal, on_the_way: tuple[Choice, ...]
) -> None:
    execution = start(journal)
    first, second = do(journal, "first", undo="undo it"), do(journal, "second", undo="undo it too")
    _decide(journal, "unwind", execution)
    undo(journal, second)
    reached = [_decide(journal, decision, execution) for decision in on_the_way]
    assert reached[-1] == ("paused" if on_the_way[-1] == "pause" else "unwinding")
    with pytest.raises(WrongState, match="1 owed"):
        journal.record_decision(decision="done", execution_id=execution)
    receipt = journal.record_decision(decision="done", why="nobody can", execution_id=execution, incomplete=True)
    left = {"owed": 1, **({"unanswered": 1} if "ask_human" in on_the_way else {})}
    assert (receipt.status, receipt.unfinished) == ("cancelled", left)
    view = journal.get_status(execution_id=execution).execution
    assert (view.status, view.unfinished) == ("cancelled", left)
    assert [item.action_id for item in undo_list(journal, execution)] == [first]


@promise("unwinding-ends-as-cancelled")
def test_an_unwind_that_is_paused_follows_no_other_plan(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    fail(journal, step="one")
    _decide(journal, "unwind", execution)
    _decide(journal, "pause", execution)
    assert journal.get_status(execution_id=execution).advice == ()
    with pytest.raises(WrongState, match="replan is not possible") as caught:
        _decide(journal, "replan", execution)
    assert "resume" in caught.value.allowed


@promise("no-planned-step-begins-while-unwinding")
@pytest.mark.parametrize("on_the_way", [(), ("pause", "resume")])
def test_no_planned_step_begins_while_unwinding(journal: Journal, on_the_way: tuple[Choice, ...]) -> None:
    lock = step("lock", tool="lock", undo=None, temporary=True)
    unlock = step("unlock", tool="unlock", undo=None, undoes="lock")
    look = step("look", effect="read")
    execution = planned(journal, "one", "broken", lock, "two", look, unlock)
    done = do(journal, step="one")
    fail(journal, step="broken")
    journal.record_decision(decision="skip", step="broken", why="it is not needed")
    locked = do(journal, step="lock")
    for decision in ("unwind", *on_the_way):
        _decide(journal, decision, execution)
    for name in ("one", "broken", "two"):
        with pytest.raises(WrongState, match="is unwinding") as caught:
            begin(journal, step=name, again="why not")
        assert caught.value.field == "step"
        assert caught.value.next_call is not None
        assert caught.value.next_call[1]["execution_id"] == execution
        with pytest.raises(WrongState, match="is unwinding"):
            journal.record_decision(decision="retry", step=name, why="why not")
    assert journal.get_status(execution_id=execution).next_steps == ()
    assert journal.get_brief(execution_id=execution).next_steps == ()
    do(journal, step="look")
    do(journal, "sweep")
    do(journal, step="unlock")
    undo(journal, done)
    assert locked not in [item.action_id for item in undo_list(journal, execution)]
    done_late = journal.record_action(phase="done", step="two")
    assert any("out of order" in note for note in done_late.notes)


@promise("no-planned-step-begins-while-unwinding")
def test_a_paused_unwinding_advises_no_retry(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    fail(journal, step="one")
    assert "Failed:" in journal.get_brief(execution_id=execution).text
    for decision in ("unwind", "pause"):
        _decide(journal, decision, execution)
    assert "Failed:" not in journal.get_brief(execution_id=execution).text


@promise("done-with-something-left-is-refused")
def test_an_action_of_a_session_that_is_over_is_counted_once(cell: Cell) -> None:
    agent = cell.mortal()
    execution = start(agent)
    begin(agent, "touch", execution_id=execution)
    cell.clock.advance(599.8)
    cell.journal.record_context(key="k", value="who writes this has just looked around")
    cell.clock.advance(0.5)
    receipt = cell.journal.record_decision(
        decision="done", why="it does not matter", execution_id=execution, incomplete=True
    )
    assert receipt.unfinished == {"in_doubt": 1}


@promise("plan-and-actual-are-compared")
def test_each_step_shows_its_outcome_and_unplanned_work_is_counted(journal: Journal) -> None:
    names = ("planned", "running", "done", "skipped", "failed", "doubtful")
    execution = planned(journal, *(step(name, after=()) for name in names))
    begin(journal, step="running")
    do(journal, step="done")
    journal.record_decision(decision="skip", step="skipped", why="not needed")
    fail(journal, step="failed")
    end(journal, begin(journal, step="doubtful"), "unknown")
    do(journal, "something else")
    view = journal.get_status(execution_id=execution)
    actual = {each.id: each.actual for each in view.steps}
    assert actual == {name: "in_doubt" if name == "doubtful" else name for name in names}
    assert view.execution.unplanned == 1
    assert view.coverage is not None
    assert (view.coverage.begun, view.coverage.ended, view.coverage.open, view.coverage.unplanned) == (5, 3, 2, 1)
    assert steps_of(journal, execution)["skipped"].decided == "skip"


@promise("plan-and-actual-are-compared")
def test_an_undo_is_neither_a_step_nor_unplanned(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    first = do(journal, step="one")
    second = do(journal, step="two")
    end(journal, begin(journal, kind="undo", undoes=first, step="one"), "failed")
    undo(journal, second)
    view = journal.get_status(execution_id=execution)
    assert (view.execution.step, view.execution.unplanned, view.execution.done_steps) == ("two", 0, 2)
    assert {each.id: (each.actual, each.attempts) for each in view.steps} == {"one": ("done", 1), "two": ("undone", 1)}
    assert (view.execution.actions, view.execution.undos) == ({"ok": 2}, {"failed": 1, "ok": 1})
    assert journal.record_decision(decision="done", why="one may stay", incomplete=True).unfinished == {
        "undo_not_finished": 1
    }


@promise("plan-and-actual-are-compared")
def test_nothing_is_unplanned_where_nothing_was_planned(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "touch")
    assert journal.get_status(execution_id=execution).execution.unplanned == 0


@promise("the-execution-is-understood")
def test_a_record_belongs_to_the_open_execution_of_its_session(cell: Cell) -> None:
    other = cell.another()
    execution, theirs = start(cell.journal), start(other)
    assert cell.journal.record_action(phase="begin", tool="touch").execution_id == execution
    assert other.record_action(phase="begin", tool="touch").execution_id == theirs


@promise("the-execution-is-understood")
def test_several_open_executions_are_named_and_so_are_those_of_others(cell: Cell) -> None:
    both = {start(cell.journal), start(cell.journal)}
    with pytest.raises(AmbiguousExecution) as caught:
        begin(cell.journal, "touch")
    assert set(caught.value.allowed) == both
    with pytest.raises(UnknownHandle) as unknown:
        begin(cell.another(), "touch")
    assert set(unknown.value.allowed) == both
    with pytest.raises(UnknownHandle) as missing:
        begin(cell.journal, "touch", execution_id="ex_none")
    assert set(missing.value.allowed) == both


@promise("the-execution-is-understood")
def test_an_ended_execution_is_not_the_default(journal: Journal) -> None:
    start(journal)
    journal.record_decision(decision="done")
    with pytest.raises(UnknownHandle, match="no open execution"):
        begin(journal, "touch")
    execution = journal.record_execution_start(plan_id=plan(journal, "one").id)
    assert journal.record_action(phase="begin", step="one").execution_id == execution.id


@promise("a-failure-brings-up-its-policy")
@pytest.mark.parametrize(("policy", "rest"), [("cancel_all", ()), ("continue_others", ("beside",))])
def test_steps_that_a_failure_would_cancel_are_not_next_until_it_is_decided_on(
    journal: Journal, policy: str, rest: tuple[str, ...]
) -> None:
    execution = planned(journal, step("risky", after=(), failure_policy=policy), step("beside", after=()))
    fail(journal, step="risky")
    assert journal.get_status(execution_id=execution).next_steps == rest
    receipt = journal.record_decision(decision="skip", step="risky", why="not needed", execution_id=execution)
    assert receipt.next_steps == ("beside",)


@promise("an-execution-can-follow-no-plan")
def test_where_nothing_is_planned_no_step_is_decided_on(journal: Journal) -> None:
    execution = start(journal)
    with pytest.raises(InvalidArgument, match="no step") as caught:
        journal.record_decision(decision="skip", step="nothing", why="so", execution_id=execution)
    assert caught.value.field == "step"
