"""What an execution owes is named in the briefs of all others."""

import pytest

from tallystick import Journal, Record, Undo
from tests.behaviour.scenarios import begin, do, planned, start, step, undo
from tests.matrix import Cell
from tests.promises import promise

HEADING = "Owed in other executions"


@promise("the-brief-names-what-others-owe")
@pytest.mark.parametrize("decision", ["stop", "fail", "unwind"])
def test_the_brief_of_any_execution_names_what_others_owe(journal: Journal, decision: str) -> None:
    left = start(journal, "Apply")
    page = do(journal, "publish", execution_id=left, summary="the page", undo=Undo(tool="take_down"))
    assert HEADING not in journal.get_brief(execution_id=start(journal, "Later work")).text
    journal.record_decision(execution_id=left, decision=decision, why="no time")  # type: ignore[arg-type]
    shown = start(journal, "Still later work")
    brief = journal.get_brief(execution_id=shown)
    expected = f'{HEADING} (1), see view=owed:\n- {page} publish "the page" in {left}: call take_down'
    assert expected in brief.text
    assert brief.owed == 0  # that is of the execution itself
    assert HEADING not in journal.get_brief(execution_id=left).text
    undo(journal, page)
    assert HEADING not in journal.get_brief(execution_id=shown).text


@promise("the-brief-names-what-others-owe")
def test_what_is_temporary_is_named_once_nobody_works_on_it(cell: Cell) -> None:
    agent = cell.mortal()
    do(agent, "lock", execution_id=start(agent, "Lock"), undo="open it", temporary=True)
    shown = start(cell.journal, "Other work")
    assert HEADING not in cell.journal.get_brief(execution_id=shown).text
    cell.kill(agent)
    assert f"{HEADING} (1)" in cell.journal.get_brief(execution_id=shown).text


@promise("the-brief-names-what-others-owe")
def test_what_cannot_be_undone_any_more_or_is_kept_is_not_named(cell: Cell) -> None:
    journal = cell.journal
    left = start(journal, "Apply")
    do(journal, "mail", execution_id=left, cancellable="irreversible")
    do(journal, "grant", execution_id=left, undo="revoke it", undo_until="1h")
    kept = do(journal, "publish", execution_id=left, undo="take it down")
    journal.record_decision(execution_id=left, decision="stop", why="no time")
    shown = start(journal, "Later work")
    assert f"{HEADING} (2)" in journal.get_brief(execution_id=shown).text
    journal.record_decision(decision="keep", action_id=kept, why="it is wanted")
    assert f"{HEADING} (1)" in journal.get_brief(execution_id=shown).text
    cell.clock.advance(3601)
    assert HEADING not in journal.get_brief(execution_id=shown).text
    assert journal.list_owed().due == 0


@promise("the-brief-names-what-others-owe")
def test_three_of_many_debts_are_named_those_of_the_newest_execution_first(journal: Journal) -> None:
    old, new = start(journal, "Old"), planned(journal, *(step(name, after=()) for name in "abcd"))
    do(journal, "touch", execution_id=old, undo="remove it")
    steps = [do(journal, step=name, execution_id=new) for name in "abcd"]
    for execution in (old, new):
        journal.record_decision(execution_id=execution, decision="stop", why="no time")
    text = journal.get_brief(execution_id=start(journal, "Later work")).text
    assert f"{HEADING} (5), see view=owed:" in text
    assert all(action in text for action in steps[1:])
    assert steps[0] not in text
    assert text.count(f"in {new}") == 3
    assert "- and 2 more" in text
    assert [item.action_id for item in journal.list_owed(limit=3).owed] == steps[:0:-1]


@promise("the-brief-names-what-others-owe")
def test_where_very_many_executions_owe_the_count_says_that_there_are_more(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.operations.views.owed.MAX_NOTED", 3)
    shown = start(journal, "Shown")
    for number in range(5):
        journal.record_batch(
            records=[
                Record("record_execution_start", {"title": f"work {number}"}),
                Record("record_action", {"phase": "begin", "execution_id": "@0", "tool": "touch", "undo": "remove"}),
                Record("record_decision", {"execution_id": "@0", "decision": "stop", "why": "no time"}),
            ]
        )
    assert f"{HEADING} (3+)" in journal.get_brief(execution_id=shown).text


@promise("the-brief-names-what-others-owe")
def test_a_debt_has_its_place_in_a_full_brief(journal: Journal) -> None:
    long = "a very long sentence that goes on and on " * 20
    left = start(journal, "Apply")
    do(journal, "publish", execution_id=left, summary=long, undo=long)
    journal.record_decision(execution_id=left, decision="stop", why="no time")
    shown = start(journal, long)
    for number in range(6):
        begin(journal, f"slow {number}", execution_id=shown, summary=long)
        journal.record_action(phase="done", tool=f"t{number}", execution_id=shown, outcome="unknown", summary=long)
        journal.request_approval(question=long, execution_id=shown)
        journal.record_context(key=f"a key that is rather long {number}", value=long)
    text = journal.get_brief(execution_id=shown).text
    assert HEADING in text
    assert len(text) <= 4 * 400
