"""What reports, briefs, notes and refusals tell people."""

import pytest

from tallystick import Journal, WrongState
from tests.behaviour.scenarios import begin, do, end, planned, start, undo, undo_list
from tests.matrix import Cell
from tests.promises import promise


@promise("texts-for-people-say-what-is-so-now")
@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
def test_an_execution_that_is_over_is_not_started_again_by_a_repeated_end(journal: Journal, named: bool) -> None:
    execution = start(journal)
    journal.record_decision(decision="done")
    for decision in ("done", "stop", "fail"):
        about = {"execution_id": execution} if named else {}
        with pytest.raises(
            WrongState, match=f"{execution} has ended already: it is completed. Nothing is left to record"
        ) as refused:
            journal.record_decision(decision=decision, why="again", **about)  # type: ignore[arg-type]
        assert "start" not in str(refused.value.next_call)
    assert len(journal.list_executions().executions) == 1


@promise("texts-for-people-say-what-is-so-now")
def test_an_undo_that_failed_is_not_called_undone(journal: Journal) -> None:
    start(journal)
    first, _ = do(journal, "cp", undo="rm"), do(journal, "mv", undo="mv back")
    journal.record_decision(decision="unwind", why="wrong")
    begun = journal.record_action(phase="begin", kind="undo", undoes=first)
    assert "undone out of order" in begun.notes[0]
    ended = journal.record_action(phase="end", action_id=begun.id, outcome="failed", error="no such file")
    assert (ended.notes, ended.undoes) == ((), first)


@promise("texts-for-people-say-what-is-so-now")
def test_a_summary_that_was_given_at_the_end_is_shown(journal: Journal) -> None:
    execution = start(journal)
    action = begin(journal, "cp", undo="delete the copy")
    journal.record_action(phase="end", action_id=action, outcome="ok", summary="copied the site")
    assert journal.list_actions(execution_id=execution).actions[0].summary == "copied the site"
    assert undo_list(journal)[0].summary == "copied the site"
    undo(journal, action)
    report = journal.get_report(execution_id=execution).text
    assert "`cp` `copied the site` by" in report
    assert "``" not in report.partition("## Journal")[0]


@promise("texts-for-people-say-what-is-so-now")
def test_reports_name_the_person_whose_credential_decided(cell: Cell) -> None:
    execution = start(cell.journal)
    asked = cell.journal.request_approval(question="May I?", tool="rm", arguments={"path": "/"}).id
    secret = cell.journal.add_credential(name="eve").secret
    cell.another("root", credential=secret).decide_approval(approval_id=asked, verdict="approve", reason="yes")
    entry = cell.journal.read_entries(kind="approval_decided").entries[0]
    assert entry.by == cell.journal.get_approval(approval_id=asked).decided_by == "eve"
    assert f"approval_decided {asked} eve " in cell.journal.get_report(execution_id=execution).text


@promise("texts-for-people-say-what-is-so-now")
def test_what_was_undone_or_settled_after_the_end_shows(journal: Journal) -> None:
    execution = planned(journal, "copy", "move")
    actions = [do(journal, step=name) for name in ("copy", "move")]
    doubtful = begin(journal, "pay")
    end(journal, doubtful, "unknown")
    journal.record_decision(decision="unwind", why="wrong")
    journal.record_decision(decision="done", why="the rest later", incomplete=True)
    assert "ended with 1 in doubt, 3 owed" in journal.get_brief(execution_id=execution).text
    undo(journal, actions[1], execution_id=execution)
    assert "3 owed (1 undone or kept since)" in journal.get_brief(execution_id=execution).text
    journal.record_action(
        phase="end", action_id=doubtful, outcome="failed", without_effect=True, evidence="the bank has no such payment"
    )
    undo(journal, actions[0], execution_id=execution)
    text = journal.get_brief(execution_id=execution).text
    assert "ended with 1 in doubt (settled since), 3 owed (undone or kept since)" in text
