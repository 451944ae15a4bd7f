"""A call that is exactly a planned step, or exactly an undo, is taken as that although the agent names neither."""

from typing import Any

import pytest

from tallystick import AlreadyDone, ApprovalPending, Journal, Record, Undo
from tallystick.operations.runtime.receipts import ActionReceipt
from tests.behaviour.scenarios import begin, do, end, fail, plan, planned, start, step, steps_of, undo_list
from tests.matrix import Cell
from tests.promises import promise

CALL: dict[str, Any] = {"tool": "curl", "arguments": {"url": "/", "tries": 1}}


def _record(journal: Journal, phase: Any = "done", **more: Any) -> ActionReceipt:
    return journal.record_action(**{"phase": phase, "summary": "some work", **CALL, **more})


@promise("the-planned-call-is-the-step")
@pytest.mark.parametrize("phase", ["begin", "done"])
def test_the_exact_call_of_a_step_that_is_due_is_that_step(journal: Journal, phase: str) -> None:
    execution = planned(journal, step("smoke", undo="take it back", **CALL), "tell")
    receipt = _record(journal, phase)
    assert (receipt.step, receipt.notes) == ("smoke", ())
    if phase == "begin":
        end(journal, receipt.id)
    assert steps_of(journal, execution)["smoke"].actual == "done"
    assert journal.get_execution(execution_id=execution).unplanned == 0
    assert undo_list(journal, execution)[0].undo.words == "take it back"  # type: ignore[union-attr]


@promise("the-planned-call-is-the-step")
def test_the_library_and_a_batch_take_the_step_too(journal: Journal) -> None:
    made = plan(journal, step("one", **CALL), step("two", tool="cp", arguments={"to": "b"})).id
    with journal.execution(plan_id=made) as execution:
        with execution.action("look at it", **CALL):
            pass
        copied = {"phase": "done", "tool": "cp", "arguments": {"to": "b"}, "execution_id": execution.id}
        journal.record_batch(records=[Record("record_action", copied)])
    assert [each.actual for each in steps_of(journal, execution.id).values()] == ["done", "done"]


@promise("the-planned-call-is-the-step")
@pytest.mark.parametrize(
    "other",
    [
        {"arguments": {"url": "/", "tries": 2}},
        {"arguments": {"url": "/"}},
        {"arguments": {"url": "/", "tries": True}},
        {"arguments": {"url": "/", "tries": 1, "more": None}},
        {"tool": "wget"},
    ],
    ids=["value", "less", "type", "more", "tool"],
)
def test_another_call_is_no_step(journal: Journal, other: dict[str, Any]) -> None:
    execution = planned(journal, step("smoke", **CALL))
    receipt = _record(journal, **other)
    assert (receipt.step, receipt.notes) == ("", ())
    assert steps_of(journal, execution)["smoke"].actual == "planned"


@promise("the-planned-call-is-the-step")
def test_a_call_that_several_steps_plan_is_none_of_them_and_a_note_names_them(journal: Journal) -> None:
    planned(journal, step("one", after=(), **CALL), step("two", after=(), **CALL))
    receipt = _record(journal)
    assert receipt.step == ""
    assert receipt.notes == ("It counts as unplanned. If it is step one, two, name that in `step`.",)


@promise("the-planned-call-is-the-step")
def test_a_call_without_recorded_arguments_may_be_any_and_a_note_names_the_step(journal: Journal) -> None:
    execution = planned(journal, step("migrate", tool="sql"))
    receipt = _record(journal, tool="sql", arguments=None)
    assert "step migrate" in receipt.notes[0]
    assert steps_of(journal, execution)["migrate"].actual == "planned"


@promise("the-planned-call-is-the-step")
def test_a_secret_in_the_arguments_cannot_be_compared(journal: Journal) -> None:
    planned(journal, step("log_in", tool="login", arguments={"password": "correct-horse-1"}))
    receipt = _record(journal, tool="login", arguments={"password": "battery-staple-2"})
    assert receipt.step == ""
    assert "step log_in" in receipt.notes[0]


@promise("the-planned-call-is-the-step")
def test_the_call_of_a_step_that_is_not_due_is_unplanned_and_a_note_says_so(journal: Journal) -> None:
    execution = planned(journal, "build", step("smoke", **CALL))
    receipt = _record(journal)
    assert receipt.notes == ("It is the call of step smoke, which is not due: it counts as unplanned.",)
    assert steps_of(journal, execution)["smoke"].actual == "planned"


@promise("the-planned-call-is-the-step")
def test_the_rules_of_the_step_hold_for_its_call(cell: Cell) -> None:
    journal = cell.journal
    planned(journal, step("smoke", needs_approval=True, **CALL))
    with pytest.raises(ApprovalPending, match="smoke"):
        _record(journal, "begin")
    approval = journal.request_approval(question="May I?", step="smoke").id
    cell.person().decide_approval(approval_id=approval, verdict="approve")
    assert _record(journal, "begin", approval_id=approval).step == "smoke"
    assert journal.get_approval(approval_id=approval).status == "used"


@promise("the-planned-call-is-the-step")
def test_a_failed_step_is_repeated_by_its_call(journal: Journal) -> None:
    execution = planned(journal, step("smoke", **CALL))
    fail(journal, step="smoke")
    receipt = _record(journal)
    assert (receipt.step, receipt.attempt) == ("smoke", 2)
    assert steps_of(journal, execution)["smoke"].actual == "done"


@promise("the-planned-call-is-the-step")
def test_the_call_of_a_done_step_is_a_repetition_and_not_the_next_step(journal: Journal) -> None:
    execution = planned(journal, step("before", **CALL), step("after_all", **CALL))
    do(journal, step="before")
    with pytest.raises(AlreadyDone):
        begin(journal, **CALL)
    assert "step after_all" in _record(journal).notes[0]
    assert steps_of(journal, execution)["after_all"].actual == "planned"


DROP: dict[str, Any] = {"tool": "sql", "arguments": {"q": "drop table inv2"}}


@promise("the-recorded-undo-is-the-undo")
@pytest.mark.parametrize("phase", ["begin", "done"])
def test_the_exact_undo_of_an_item_is_taken_as_its_undo_while_unwinding(journal: Journal, phase: str) -> None:
    execution = planned(journal, step("make", tool="sql", arguments={"q": "create table inv2"}, undo=Undo(**DROP)))
    made = do(journal, step="make")
    journal.record_decision(decision="unwind", why="it went wrong")
    receipt = _record(journal, phase, **DROP)
    assert receipt.undoes == made
    if phase == "begin":
        end(journal, receipt.id)
    assert journal.get_action(action_id=made).undo_state == "undone"
    assert journal.get_execution(execution_id=execution).owed == 0


@promise("the-recorded-undo-is-the-undo")
def test_an_undo_that_refers_to_a_result_is_known_by_its_filled_in_arguments(journal: Journal) -> None:
    execution = start(journal)
    cancel = Undo(tool="cancel", arguments={"id": "${result.id}"})
    first = do(journal, "book", result={"id": 7}, undo=cancel, arguments={"room": 1})
    do(journal, "book", result={"id": 8}, undo=cancel, arguments={"room": 2})
    journal.record_decision(decision="unwind", why="it went wrong")
    assert _record(journal, tool="cancel", arguments={"id": 7}).undoes == first
    assert [item.certain for item in undo_list(journal, execution)] == [True]


@promise("the-recorded-undo-is-the-undo")
def test_what_is_not_exactly_an_undo_stays_an_action_of_its_own(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "sql", undo=Undo(**DROP))
    assert _record(journal, tool="sql", arguments={"q": "drop table inv2"}).undoes == ""  # it is not unwinding
    journal.record_decision(decision="unwind", why="it went wrong")
    assert _record(journal, tool="sql", arguments={"q": "drop table inv3"}).undoes == ""
    assert len(undo_list(journal, execution)) == 3


@promise("the-recorded-undo-is-the-undo")
def test_after_a_stop_the_exact_undo_of_what_is_owed_is_taken_too(journal: Journal) -> None:
    execution = start(journal)
    made = do(journal, "sql", undo=Undo(**DROP))
    journal.record_decision(decision="stop", why="enough")
    assert _record(journal, execution_id=execution, **DROP).undoes == made
    assert journal.get_execution(execution_id=execution).owed == 0


# ----------------------------------------------------------------------------------------------------------------------
# An undo in other words than the recorded one


@promise("an-agent-says-what-a-call-undid")
@pytest.mark.parametrize("phase", ["begin", "done"])
def test_a_claimed_undo_in_other_words_is_not_owed_and_the_receipt_says_how_to_name_it(
    journal: Journal, phase: str
) -> None:
    execution = planned(journal, step("make", tool="sql", arguments={"q": "create table inv2"}, undo=Undo(**DROP)))
    made = do(journal, step="make")
    journal.record_decision(decision="unwind", why="it went wrong")
    receipt = _record(journal, phase, tool="psql", arguments={"c": "drop table inv2"})
    if phase == "begin":
        end(journal, receipt.id)
    call = f"record_decision(decision=continue, action_id={receipt.id}, undoes={made}, why=...)"
    assert [note for note in receipt.notes if call in note]
    listed = [(item.action_id, item.state) for item in undo_list(journal, execution)]
    assert listed == [(made, "not_undone"), (receipt.id, "may_be_undo")]
    assert journal.get_execution(execution_id=execution).owed == 1
    assert call in journal.get_brief(execution_id=execution).text
    journal.record_decision(decision="continue", action_id=receipt.id, undoes=made, why="the table is gone")
    assert undo_list(journal, execution) == []
    assert journal.record_decision(decision="done").status == "cancelled"


@promise("an-agent-says-what-a-call-undid")
def test_the_receipt_of_one_of_several_undos_leaves_open_which_it_was(journal: Journal) -> None:
    start(journal)
    do(journal, "touch", undo="remove it")
    do(journal, "mkdir", undo="remove it")
    journal.record_decision(decision="unwind", why="it went wrong")
    assert "undoes=..., why=...)" in _record(journal, tool="rm").notes[0]
    assert _record(journal, tool="ls", effect="read").notes == ()
    assert _record(journal, tool="tar", undo="delete the backup").notes == ()


@promise("an-agent-says-what-a-call-undid")
@pytest.mark.parametrize("decision", ["stop", "fail"])
def test_what_is_recorded_after_the_end_of_work_that_is_owed_may_be_an_undo(journal: Journal, decision: Any) -> None:
    execution = start(journal)
    made = do(journal, "touch", undo="remove it")
    journal.record_decision(decision=decision, why="enough")
    receipt = _record(journal, tool="rm", execution_id=execution)
    assert f"undoes={made}" in receipt.notes[-1]
    assert [item.state for item in undo_list(journal, execution)] == ["not_undone", "may_be_undo"]
    journal.record_decision(decision="continue", action_id=receipt.id, undoes=made, why="it is gone")
    assert journal.get_execution(execution_id=execution).owed == 0


@promise("an-agent-says-what-a-call-undid")
def test_work_after_a_successful_end_is_no_undo_by_itself(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "touch", undo="remove it")
    journal.record_decision(decision="done")
    receipt = _record(journal, tool="rm", execution_id=execution)
    assert [item.state for item in undo_list(journal, execution)] == ["not_undone", "not_undone"]
    assert not [note for note in receipt.notes if "undoes" in note]
