"""A result that an undo needs is asked for, and can be added after the end."""

from typing import Any

import pytest

from tallystick import Journal, Undo, WrongState
from tests.behaviour.scenarios import begin, do, end, entries, fail, planned, start, step, steps_of, undo_list
from tests.matrix import Cell
from tests.promises import promise

CANCEL = Undo(tool="cancel", arguments={"ref": "${result.ref}", "room": "${arguments.room}"})
BOOK: dict[str, Any] = {"tool": "book", "arguments": {"room": 3}}


def _booked(journal: Journal, where: str) -> tuple[str, str]:
    """An execution, and an open action whose undo needs its result."""
    if where == "step":
        return planned(journal, step("book", undo=CANCEL, **BOOK)), begin(journal, step="book")
    return start(journal), begin(journal, undo=CANCEL, **BOOK)


@promise("a-missing-result-is-asked-for")
@pytest.mark.parametrize("where", ["step", "action"])
def test_a_result_that_the_undo_needs_is_asked_for_and_can_be_added(cell: Cell, where: str) -> None:
    journal = cell.journal
    execution, action = _booked(journal, where)
    first = end(journal, action)
    assert len(first.notes) == 1
    assert first.notes[0].startswith("Its undo needs ${result.ref}, which was not recorded")
    assert f"action_id={action}" in first.notes[0]
    before = journal.get_action(action_id=action)
    cell.clock.advance(60)
    added = end(journal, action, result={"ref": "R1"})
    assert (added.state, added.notes) == ("ok", ())
    after = journal.get_action(action_id=action)
    assert (after.state, after.ended, after.undo_state) == ("ok", before.ended, "not_undone")
    assert after.end_body["result"] == {"ref": "R1"}
    (item,) = undo_list(journal, execution)
    assert item.undo is not None
    assert (item.undo.arguments, item.undo.missing) == ({"ref": "R1", "room": 3}, ())
    assert journal.list_in_doubt().in_doubt == ()
    assert len(entries(journal, kind="action_ended")) == 2


@promise("a-missing-result-is-asked-for")
def test_an_action_that_is_recorded_when_it_is_over_is_asked_for_its_result_too(journal: Journal) -> None:
    start(journal)
    done: dict[str, Any] = {"phase": "done", "undo": CANCEL}
    assert "${result.ref}" in journal.record_action(**BOOK, **done).notes[0]
    assert journal.record_action(tool="book", arguments={"room": 4}, result={"ref": 2}, **done).notes == ()
    other = journal.record_action(tool="book", arguments={"room": 5}, result={"id": 2}, **done)
    assert "${result.ref}" in other.notes[0]


@promise("a-missing-result-is-asked-for")
@pytest.mark.parametrize(
    ("outcome", "undo"),
    [("ok", "cancel it"), ("ok", Undo(tool="rm", arguments={"a": "${arguments.x}"})), ("failed", CANCEL)],
)
def test_an_undo_that_needs_no_result_is_not_asked_for_one(journal: Journal, outcome: str, undo: Any) -> None:
    start(journal)
    assert end(journal, begin(journal, undo=undo, **BOOK), outcome).notes == ()


@promise("a-missing-result-is-asked-for")
@pytest.mark.parametrize("more", [{"outcome": "failed"}, {"error": "but"}, {"after": {"rooms": 0}}])
def test_an_end_that_says_anything_else_than_a_result_is_no_addition(journal: Journal, more: dict[str, Any]) -> None:
    _, action = _booked(journal, "action")
    end(journal, action)
    with pytest.raises(WrongState, match="has ended"):
        end(journal, action, **{"outcome": "ok", "result": {"ref": "R1"}, **more})
    assert journal.get_action(action_id=action).state == "ok"


@promise("a-missing-result-is-asked-for")
def test_a_recorded_result_is_not_replaced(journal: Journal) -> None:
    _, action = _booked(journal, "action")
    end(journal, action, result={"ref": "R1"})
    with pytest.raises(WrongState, match="has ended"):
        end(journal, action, result={"ref": "R2"})


@promise("a-missing-result-is-asked-for")
def test_a_result_that_is_added_to_a_failed_step_takes_no_decision_back(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    action = fail(journal, step="one")
    journal.record_decision(decision="retry", step="one", why="the network is back")
    end(journal, action, "failed", result={"half": True})
    found = steps_of(journal, execution)["one"]
    assert (found.actual, found.decided, found.attempts) == ("failed", "retry", 1)
    do(journal, step="one")
    assert steps_of(journal, execution)["one"].actual == "done"
