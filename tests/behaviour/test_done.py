"""The decision done while something is left: refused with what is left and how to settle it, unless it is said so."""

from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, Record, WrongState
from tests.behaviour.scenarios import begin, do, end, planned, start, status, step, undo
from tests.matrix import Cell
from tests.promises import promise

DONE: dict[str, Any] = {"decision": "done", "why": "it is good enough"}
LOCK: dict[str, Any] = {"tool": "lock", "undo": "open it", "temporary": True}


def _leave(journal: Journal, left: str) -> tuple[str, str, tuple[str, dict[str, Any]]]:
    """An execution with something left: its id, how that is named, and the call that settles it."""
    if left == "steps_not_done":
        execution = planned(journal, "copy", "check", "move", "tell", "go")
        do(journal, step="copy", execution_id=execution)
        carry_out = {"phase": "begin", "execution_id": execution, "step": "check", "summary": "..."}
        return execution, "4 steps not done (check, move, tell, ...)", ("record_action", carry_out)
    execution = start(journal)
    if left == "unanswered":
        asked = journal.request_approval(question="Pay?", execution_id=execution).id
        return execution, f"1 unanswered ({asked})", ("get_approval", {"approval_id": asked})
    if left in ("temporary", "undo_not_finished", "owed"):
        locked = do(journal, execution_id=execution, **{**LOCK, "temporary": left == "temporary"})
        if left == "undo_not_finished":
            end(journal, begin(journal, kind="undo", undoes=locked), "failed")
        if left == "owed":
            journal.record_decision(decision="unwind", why="wrong", execution_id=execution)
        undoing = {"phase": "done", "kind": "undo", "undoes": locked, "outcome": "ok", "summary": "..."}
        return execution, f"1 {left.replace('_', ' ')} ({locked} lock)", ("record_action", undoing)
    action = begin(journal, "touch", execution_id=execution)
    if left == "in_doubt":
        end(journal, action, "unknown")
    settle = {"decision": "settle", "action_id": action, "outcome": "...", "evidence": "..."}
    return execution, f"1 {left.replace('_', ' ')} ({action} touch)", ("record_decision", settle)


@promise("done-with-something-left-is-refused")
@pytest.mark.parametrize(
    "left", ["open", "in_doubt", "steps_not_done", "unanswered", "temporary", "undo_not_finished", "owed"]
)
def test_done_with_something_left_is_refused_unless_it_is_said_to_be_incomplete(journal: Journal, left: str) -> None:
    execution, named, settles = _leave(journal, left)
    before = status(journal, execution)
    with pytest.raises(WrongState) as caught:
        journal.record_decision(execution_id=execution, **DONE)
    assert named in caught.value.message
    assert (caught.value.field, caught.value.next_call) == ("incomplete", settles)
    assert "incomplete" in caught.value.hint
    with pytest.raises(InvalidArgument) as unexplained:
        journal.record_decision(decision="done", why=" ", incomplete=True, execution_id=execution)
    assert unexplained.value.field == "why"
    assert status(journal, execution) == before
    receipt = journal.record_decision(execution_id=execution, incomplete=True, **DONE)
    assert receipt.status == ("cancelled" if left == "owed" else "completed")
    assert receipt.unfinished[left] == (4 if left == "steps_not_done" else 1)


@promise("done-with-something-left-is-refused")
def test_done_is_accepted_once_the_named_call_has_settled_what_was_left(journal: Journal) -> None:
    execution = planned(journal, "copy")
    locked = do(journal, execution_id=execution, **LOCK)
    doubtful = begin(journal, "touch", execution_id=execution)
    end(journal, doubtful, "unknown")
    for settle in (
        {"decision": "settle", "action_id": doubtful, "outcome": "ok", "evidence": "it is there"},
        {"decision": "skip", "step": "copy", "why": "it is there already"},
    ):
        with pytest.raises(WrongState):
            journal.record_decision(execution_id=execution, **DONE)
        journal.record_decision(**settle)  # type: ignore[arg-type]
    with pytest.raises(WrongState, match=rf"1 temporary \({locked} lock\)"):
        journal.record_decision(execution_id=execution, **DONE)
    undo(journal, locked)
    assert journal.record_decision(execution_id=execution, **DONE).unfinished == {}


@promise("done-with-something-left-is-refused")
def test_what_comes_first_of_several_is_named_and_a_step_is_skipped_only_if_none_may_begin(journal: Journal) -> None:
    execution = planned(journal, "copy", step("unlock", undoes="copy", undo=None))
    do(journal, step="copy")
    do(journal, execution_id=execution, **LOCK)
    journal.request_approval(question="Well?", execution_id=execution)
    with pytest.raises(WrongState, match=r"1 steps not done \(unlock\), 1 unanswered, 1 temporary\.") as caught:
        journal.record_decision(execution_id=execution, **DONE)
    assert caught.value.next_call is not None
    assert (caught.value.next_call[0], caught.value.next_call[1]["step"]) == ("record_action", "unlock")
    end(journal, begin(journal, step="unlock"), "failed")
    with pytest.raises(WrongState) as caught:
        journal.record_decision(execution_id=execution, **DONE)
    assert caught.value.next_call is not None
    assert (caught.value.next_call[0], caught.value.next_call[1]["decision"]) == ("record_decision", "skip")


@promise("done-with-something-left-is-refused")
@pytest.mark.parametrize("outcome", ["failed", "skipped"])
def test_a_failure_on_which_nothing_was_decided_needs_only_a_reason(journal: Journal, outcome: str) -> None:
    execution = start(journal)
    end(journal, begin(journal, "touch"), outcome, error="why")
    with pytest.raises(WrongState) as caught:
        journal.record_decision(decision="done", execution_id=execution)
    assert caught.value.field == "why"
    assert journal.record_decision(execution_id=execution, **DONE).unfinished == {"undecided": 1}


@promise("done-with-something-left-is-refused")
def test_an_earlier_attempt_that_failed_at_a_step_that_is_done_needs_no_decision(journal: Journal) -> None:
    execution = planned(journal, step("tell", effect="idempotent"))
    first = begin(journal, step="tell")
    end(journal, first, "unknown")
    do(journal, step="tell", again="it does no harm twice")
    journal.record_action(phase="end", action_id=first, outcome="failed", evidence="the second one did it")
    assert journal.record_decision(execution_id=execution, **DONE).unfinished == {}


@promise("done-with-something-left-is-refused")
def test_a_read_whose_outcome_is_unknown_needs_only_a_reason(journal: Journal) -> None:
    execution = start(journal)
    end(journal, begin(journal, "look", effect="read"), "unknown")
    assert journal.record_decision(execution_id=execution, **DONE).unfinished == {"in_doubt": 1}
    execution = planned(journal, step("look", effect="read"))
    end(journal, begin(journal, step="look", execution_id=execution), "unknown")
    with pytest.raises(WrongState, match="1 in doubt"):  # the plan depends on it
        journal.record_decision(execution_id=execution, **DONE)


@promise("done-with-something-left-is-refused")
def test_what_can_no_longer_be_put_back_does_not_keep_it_from_ending(cell: Cell) -> None:
    journal = cell.journal
    execution = start(journal)
    do(journal, execution_id=execution, undo_until="1h", **LOCK)
    with pytest.raises(WrongState):
        journal.record_decision(execution_id=execution, **DONE)
    cell.clock.advance(3601)
    assert journal.record_decision(execution_id=execution, **DONE).status == "completed"


@promise("done-with-something-left-is-refused")
def test_a_person_who_ends_the_work_of_an_agent_is_told_what_is_left(cell: Cell) -> None:
    execution = planned(cell.journal, "copy")
    person = cell.person()
    with pytest.raises(WrongState, match=r"1 steps not done \(copy\)"):
        person.record_decision(execution_id=execution, **DONE)
    ended = person.record_decision(execution_id=execution, incomplete=True, **DONE)
    assert (ended.status, ended.unfinished) == ("completed", {"steps_not_done": 1})


@promise("done-with-something-left-is-refused")
def test_incomplete_goes_with_done_alone_and_changes_nothing_where_all_is_done(journal: Journal) -> None:
    start(journal)
    with pytest.raises(InvalidArgument, match="incomplete goes with decision=done"):
        journal.record_decision(decision="stop", why="so", incomplete=True)
    assert journal.record_decision(incomplete=True, **DONE).unfinished == {}


@promise("done-with-something-left-is-refused")
def test_a_batch_that_ends_with_something_left_records_nothing(journal: Journal) -> None:
    execution = planned(journal, "copy")
    records = [
        Record("record_action", {"phase": "note", "execution_id": execution, "summary": "hello"}),
        Record("record_decision", {"execution_id": execution, **DONE}),
    ]
    with pytest.raises(WrongState, match="1 steps not done"):
        journal.record_batch(records=records)
    assert status(journal, execution) == "running"


@promise("done-with-something-left-is-refused")
def test_a_refused_done_names_an_undo_in_doubt_by_what_is_known_of_it(journal: Journal) -> None:
    start(journal)
    action = do(journal, "a", undo="remove a")
    doubt = begin(journal, kind="undo", undoes=action)
    end(journal, doubt, "unknown")
    with pytest.raises(WrongState, match=rf"1 in doubt \({doubt}\)"):
        journal.record_decision(decision="done", why="all is there")
