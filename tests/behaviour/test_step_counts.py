"""How many steps are done, undone and skipped, in every text that counts them."""

import pytest

from tallystick import AlreadyDone, Journal
from tests.behaviour.scenarios import do, end, planned, status, step, steps_of, undo
from tests.promises import promise


def _texts(journal: Journal, execution: str) -> tuple[str, str]:
    brief = journal.get_brief(execution_id=execution).text
    return brief, journal.get_report(execution_id=execution).text


def _actual(journal: Journal, execution: str) -> list[str]:
    return [each.actual for each in steps_of(journal, execution).values()]


@promise("an-undone-step-reads-as-undone")
def test_an_undone_step_reads_as_undone_wherever_steps_are_counted(journal: Journal) -> None:
    execution = planned(journal, "copy", "move", "link", "mail")
    actions = [do(journal, step=name) for name in ("copy", "move", "link")]
    journal.record_decision(decision="unwind", why="wrong site")
    for action in (actions[2], actions[1]):
        undo(journal, action)
    shown = journal.get_execution(execution_id=execution)
    assert (shown.done_steps, shown.undone_steps, shown.skipped_steps, shown.progress) == (3, 2, 0, 0.75)
    assert _actual(journal, execution) == ["done", "undone", "undone", "planned"]
    brief, report = _texts(journal, execution)
    assert "3 of 4 steps done, of which 2 undone, 1 to undo." in brief
    assert "- steps: 3 of 4 steps done, of which 2 undone, 1 to undo\n" in report
    assert "x done, < undone" in report
    assert [line[:5] for line in report.split("\n") if line.startswith("- [") and "`" in line][:4] == [
        "- [ ]",  # owed
        "- [x]",
        "- [<]",
        "- [<]",
    ]
    page = journal.get_report(execution_id=execution, form="html").text
    assert page.count("b-undone") >= 2
    rows = {row.name: row.a for row in journal.compare_executions(a=execution, b=execution).rows if row.kind == "step"}
    assert [side.state for side in rows.values() if side] == ["ok", "undone", "undone", "planned"]


@promise("an-undone-step-reads-as-undone")
def test_a_step_is_done_again_when_its_undo_is_denied_or_it_is_repeated(journal: Journal) -> None:
    execution = planned(journal, "copy", "move")
    action = do(journal, step="copy")
    undone_by = undo(journal, action)
    assert _actual(journal, execution) == ["undone", "planned"]
    journal.record_action(phase="end", action_id=undone_by, outcome="failed", evidence="the file is still there")
    assert _actual(journal, execution) == ["done", "planned"]
    assert journal.get_execution(execution_id=execution).undone_steps == 0
    undo(journal, action, again="it is still there")
    assert journal.get_execution(execution_id=execution).undone_steps == 1
    again = journal.record_action(phase="begin", step="copy", again="it is wanted after all").id
    assert (_actual(journal, execution)[0], journal.get_execution(execution_id=execution).undone_steps) == (
        "running",
        0,
    )
    end(journal, again)
    assert _actual(journal, execution)[0] == "done"


@promise("an-undone-step-reads-as-undone")
def test_a_step_that_a_planned_step_puts_back_stays_done(journal: Journal) -> None:
    lock = step("lock", temporary=True)
    execution = planned(journal, lock, step("unlock", undoes="lock"))
    do(journal, step="lock")
    do(journal, step="unlock")
    assert _actual(journal, execution) == ["done", "done"]
    assert "2 of 2 steps done." in journal.get_brief(execution_id=execution).text


@promise("an-undone-step-reads-as-undone")
def test_a_new_plan_counts_the_undone_steps_that_it_keeps(journal: Journal) -> None:
    execution = planned(journal, "copy", "move")
    for name in ("copy", "move"):
        undo(journal, do(journal, step=name))
    plan_id = journal.get_execution(execution_id=execution).plan_id
    journal.record_plan(title="less", steps=[step("copy")], plan_id=plan_id, reason="enough")
    journal.record_decision(decision="replan", why="enough")
    shown = journal.get_execution(execution_id=execution)
    assert (shown.done_steps, shown.undone_steps, shown.total_steps) == (1, 1, 1)


@promise("a-skipped-step-is-not-counted-as-done")
def test_a_skipped_step_is_not_counted_as_done(journal: Journal) -> None:
    execution = planned(journal, "copy", "move", "mail")
    action = do(journal, step="copy")
    journal.record_decision(decision="skip", step="move", why="it is there already")
    shown = journal.get_execution(execution_id=execution)
    assert (shown.done_steps, shown.skipped_steps, shown.progress) == (1, 1, 0.6667)
    for text in _texts(journal, execution):
        assert "1 done, 1 skipped of 3 steps" in text
    page = journal.get_report(execution_id=execution, form="html").text
    assert "<b>1/3</b> steps done" in page
    assert "<b>1</b> skipped" in page
    rows = {row.name: row.a for row in journal.compare_executions(a=execution, b=execution).rows}
    assert [side.state for side in rows.values() if side] == ["ok", "skipped", "planned"]
    undo(journal, action)
    assert "1 done, of which 1 undone, 1 skipped of 3 steps" in journal.get_brief(execution_id=execution).text
    journal.record_decision(decision="skip", step="mail", why="nobody reads it")
    journal.record_decision(decision="done", why="so")
    assert status(journal, execution) == "completed"


@promise("a-skipped-step-is-not-counted-as-done")
def test_a_step_that_is_done_cannot_be_skipped(journal: Journal) -> None:
    execution = planned(journal, "copy", "move")
    action = do(journal, step="copy")
    with pytest.raises(AlreadyDone, match=rf'"copy" was done by {action}'):
        journal.record_decision(decision="skip", step="copy", why="not needed")
    undo(journal, action)
    with pytest.raises(AlreadyDone):
        journal.record_decision(decision="skip", step="copy", why="not needed")
    shown = journal.get_execution(execution_id=execution)
    assert (shown.done_steps, shown.skipped_steps) == (1, 0)
