"""What is temporary, and planned steps that put it back."""

import pytest

from tallystick import InvalidArgument, Journal, Step, Undo, WrongState
from tests.behaviour.scenarios import begin, do, end, owed, plan, planned, start, step, undo, undo_list
from tests.promises import promise

LOCK = step("lock", tool="lock", undo=None, temporary=True)
UNLOCK = step("unlock", tool="unlock", undo=None, undoes="lock")


@promise("what-is-temporary-is-put-back")
def test_what_is_temporary_needs_an_undo(journal: Journal) -> None:
    start(journal)
    with pytest.raises(InvalidArgument) as caught:
        begin(journal, "lock", temporary=True)
    assert caught.value.field == "temporary"
    with pytest.raises(InvalidArgument) as caught:
        plan(journal, step("lock", undo=None, temporary=True))
    assert caught.value.field == "steps.lock.temporary"
    with pytest.raises(InvalidArgument) as caught:
        plan(journal, LOCK, step("unlock", undoes="door"))
    assert caught.value.field == "steps.unlock.undoes"
    with pytest.raises(InvalidArgument) as caught:
        plan(journal, LOCK, UNLOCK, step("again", undoes="unlock"))
    assert caught.value.field == "steps.again.undoes"


@promise("what-is-temporary-is-put-back")
def test_done_with_something_temporary_left_is_refused(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "lock", undo="unlock it", temporary=True)
    with pytest.raises(WrongState, match="1 temporary"):
        journal.record_decision(decision="done")
    receipt = journal.record_decision(decision="done", why="the owner unlocks it", incomplete=True)
    assert (receipt.unfinished, receipt.status) == ({"temporary": 1}, "completed")
    assert len(owed(journal, execution)) == 1


@promise("what-is-temporary-is-put-back")
def test_a_planned_step_puts_back_what_another_did(journal: Journal) -> None:
    execution = planned(journal, LOCK, "work", UNLOCK)
    lock = do(journal, step="lock")
    (item,) = undo_list(journal, execution)
    assert (item.undo, item.temporary) == (journal.get_undo_list().items[0].undo, True)
    assert item.undo is not None
    assert (item.undo.tool, item.undo.words) == ("unlock", "")
    work = do(journal, step="work")
    unlock = begin(journal, step="unlock")
    assert {each.action_id: each.state for each in undo_list(journal, execution)} == {
        lock: "undoing",
        work: "not_undone",
    }
    end(journal, unlock)
    assert [each.action_id for each in undo_list(journal, execution)] == [work]
    assert journal.get_action(action_id=lock).undone_by == unlock
    assert journal.record_decision(decision="done").unfinished == {}
    assert [each.actual for each in journal.get_status(execution_id=execution).steps] == ["done"] * 3
    assert owed(journal) == []


@promise("what-is-temporary-is-put-back")
def test_a_temporary_step_that_another_puts_back_needs_neither_undo_nor_cancellable(journal: Journal) -> None:
    lock = Step(id="lock", title="Lock", tool="lock", temporary=True)
    execution = planned(journal, lock, UNLOCK)
    made = do(journal, step="lock")
    assert [(each.action_id, each.temporary) for each in undo_list(journal, execution)] == [(made, True)]


@promise("what-is-temporary-is-put-back")
def test_every_attempt_at_a_step_is_put_back(journal: Journal) -> None:
    execution = planned(journal, LOCK, UNLOCK)
    tried = begin(journal, step="lock")
    end(journal, tried, "failed", error="timed out")
    done = do(journal, step="lock")
    assert {each.action_id for each in undo_list(journal, execution)} == {tried, done}
    do(journal, step="unlock")
    assert undo_list(journal, execution) == []


@promise("what-is-temporary-is-put-back")
def test_the_temporary_step_of_a_failed_plan_is_undone_like_any_other(journal: Journal) -> None:
    execution = planned(journal, LOCK, "work", UNLOCK)
    lock = do(journal, step="lock")
    end(journal, begin(journal, step="work"), "failed", without_effect=True)
    journal.record_decision(decision="unwind", why="the work failed")
    assert [item.action_id for item in owed(journal)] == [lock]
    undo(journal, lock)
    assert (owed(journal), journal.record_decision(decision="done").status) == ([], "cancelled")
    assert execution


@promise("a-plan-is-warned-about")
def test_what_no_step_puts_back_is_warned_about(journal: Journal) -> None:
    kept = step("lock", undo=Undo(tool="unlock"), temporary=True)
    assert any("no step undoes it" in warning for warning in plan(journal, kept).warnings)
    early = step("unlock", undoes="lock", undo=None, after=())
    warnings = plan(journal, step("lock", temporary=True, after=()), early).warnings
    assert any("does not come after it" in warning for warning in warnings)
    assert plan(journal, LOCK, UNLOCK).warnings == ()


@promise("what-is-temporary-is-put-back")
def test_the_brief_names_before_done_what_nobody_puts_back(journal: Journal) -> None:
    planned(journal, step("lock", tool="lock", undo=Undo(tool="unlock", arguments={}), temporary=True), "work")
    locked = do(journal, step="lock")
    assert f'- {locked} lock "The step lock": call unlock' in journal.get_brief().text
    do(journal, step="work")
    brief = journal.get_brief()
    assert "To put back before done (1):" in brief.text
    assert brief.next == "All steps are done: put back what is listed, then record_decision(decision=done, why=...)."
    undo(journal, locked)
    brief = journal.get_brief()
    assert brief.next == "All steps are done: record_decision(decision=done, why=...)."
    assert "To put back" not in brief.text


@promise("what-is-temporary-is-put-back")
def test_the_brief_leaves_to_a_planned_step_what_that_puts_back(journal: Journal) -> None:
    planned(journal, LOCK, "work", UNLOCK)
    do(journal, step="lock")
    assert "To put back" not in journal.get_brief().text
    other = start(journal, "something else")
    door = do(journal, "open", summary="the door", undo="close it", temporary=True, execution_id=other)
    shown = journal.get_brief(execution_id=other).text
    assert f'To put back before done (1):\n- {door} open "the door": "close it"' in shown
