"""Owed: what somebody still has to undo, which follows from the status of the execution."""

from typing import Any

import pytest

from tallystick import Journal, WrongState
from tests.behaviour.scenarios import begin, do, end, owed, planned, start, step, undo, undo_list
from tests.matrix import Cell
from tests.promises import promise

LOCK: dict[str, Any] = {"tool": "lock", "undo": "unlock it", "temporary": True}


@promise("owed-is-what-somebody-still-has-to-undo")
def test_work_that_goes_on_or_succeeded_owes_nothing(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "touch", undo="remove it")
    lock = do(journal, **LOCK)
    assert (owed(journal), owed(journal, execution), journal.list_owed().due) == ([], [], 0)
    undo(journal, lock)
    journal.record_decision(decision="done")
    assert (owed(journal), owed(journal, execution), journal.list_owed().due) == ([], [], 0)
    assert journal.get_status(execution_id=execution).execution.owed == 0
    assert journal.list_executions(only="owed").executions == ()
    assert len(undo_list(journal, execution)) == 1


@promise("owed-is-what-somebody-still-has-to-undo")
@pytest.mark.parametrize("decision", ["unwind", "stop", "fail"])
def test_the_undo_list_of_what_is_unwound_or_did_not_succeed_is_owed(journal: Journal, decision: Any) -> None:
    execution = start(journal)
    first, second = do(journal, "touch", undo="remove it"), do(journal, "paint")
    receipt = journal.record_decision(decision=decision, why="it cannot go on")
    assert [item.action_id for item in receipt.owed] == [second, first]
    assert [item.action_id for item in owed(journal)] == [second, first]
    assert (receipt.due, journal.list_owed().due, journal.get_stats().owed) == (2, 2, 2)
    assert journal.get_undo_list(execution_id=execution).owed == "all"
    (listed,) = journal.list_executions(only="owed").executions
    assert (listed.id, listed.owed) == (execution, 2)
    assert "Owed (2)" in journal.get_brief(execution_id=execution).text


@promise("owed-is-what-somebody-still-has-to-undo")
def test_what_is_left_after_unwinding_stays_owed(journal: Journal) -> None:
    execution = start(journal)
    first, second = do(journal, "touch", undo="remove it"), do(journal, "paint", undo="scrape it off")
    journal.record_decision(decision="unwind", why="start over")
    journal.record_decision(decision="pause", why="it is late")
    assert len(owed(journal)) == 2
    journal.record_decision(decision="resume", why="next day")
    undo(journal, second)
    journal.record_decision(decision="done", why="the first may be wanted", incomplete=True)
    assert [item.action_id for item in owed(journal, execution)] == [first]


@promise("owed-is-what-somebody-still-has-to-undo")
def test_of_what_succeeded_and_nobody_undoes_only_the_temporary_is_owed(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "touch", undo="remove it")
    lock = do(journal, **LOCK)
    journal.record_decision(decision="done", why="the lock may stay for now", incomplete=True)
    (item,) = owed(journal)
    assert (item.action_id, item.temporary) == (lock, True)
    assert (journal.list_owed(execution_id=execution).due, journal.get_stats().owed) == (1, 1)
    assert journal.get_undo_list(execution_id=execution).owed == "some"
    assert len(undo_list(journal, execution)) == 2
    undo(journal, lock)
    assert owed(journal) == []


@promise("owed-is-what-somebody-still-has-to-undo")
def test_the_temporary_is_owed_as_soon_as_nobody_works_on_it_any_more(cell: Cell) -> None:
    agent = cell.mortal()
    execution = start(agent)
    do(agent, "touch", undo="remove it")
    lock = do(agent, **LOCK)
    assert owed(cell.journal) == []
    cell.kill(agent)
    assert [item.action_id for item in owed(cell.journal)] == [lock]
    assert (cell.journal.list_owed().due, cell.journal.get_stats().owed) == (1, 1)
    assert cell.journal.get_undo_list(execution_id=execution).owed == "some"
    assert [row.owed for row in cell.journal.list_executions(only="owed").executions] == [1]
    begin(cell.another("heir"), "look", execution_id=execution, effect="read")
    assert owed(cell.journal) == []


@promise("owed-is-what-somebody-still-has-to-undo")
@pytest.mark.parametrize("ended", [True, False])
def test_an_undo_that_its_agent_left_is_owed_though_the_work_succeeded(cell: Cell, ended: bool) -> None:
    agent = cell.mortal()
    execution = start(agent)
    do(agent, "touch", undo="remove it")
    page = do(agent, "publish", undo="take it down")
    if ended:
        agent.record_decision(decision="done")
    undoing = begin(agent, kind="undo", undoes=page)
    assert [item.action_id for item in owed(cell.journal)] == ([page] if ended else [])
    cell.kill(agent)
    assert [(item.action_id, item.state) for item in owed(cell.journal)] == [(page, "in_doubt")]
    assert (cell.journal.list_owed().due, cell.journal.get_stats().owed) == (1, 1)
    assert cell.journal.get_undo_list(execution_id=execution).owed == "some"
    assert [row.owed for row in cell.journal.list_executions(only="owed").executions] == [1]
    assert page in cell.journal.get_brief(execution_id=execution).text
    person = cell.person()
    settle: dict[str, Any] = {"decision": "settle", "action_id": undoing, "evidence": "I looked"}
    person.record_decision(**settle, outcome="failed")
    assert [(item.action_id, item.state) for item in owed(cell.journal)] == [(page, "failed")]
    if ended:
        undo(cell.another("heir"), page)
    else:
        person.record_decision(decision="keep", action_id=page, why="it may stay")
    assert (owed(cell.journal), cell.journal.list_owed().due) == ([], 0)
    assert cell.journal.list_executions(only="owed").executions == ()


@promise("owed-is-what-somebody-still-has-to-undo")
def test_what_is_partly_undone_after_the_end_is_listed_and_not_due(journal: Journal) -> None:
    execution = start(journal)
    mail = do(journal, "mail", undo="send a correction", cancellable="partially-reversible")
    do(journal, "touch", undo="remove it")
    journal.record_decision(decision="done")
    undo(journal, mail)
    assert [(item.action_id, item.state) for item in owed(journal)] == [(mail, "partly")]
    assert (journal.list_owed().due, journal.list_executions(only="owed").executions) == (0, ())
    page = journal.get_undo_list(execution_id=execution)
    assert (page.owed, page.due) == ("nothing", 0)


@promise("owed-is-what-somebody-still-has-to-undo")
def test_an_undo_list_counts_what_of_it_is_owed(cell: Cell) -> None:
    journal = cell.journal
    execution = start(journal)
    do(journal, "mail", cancellable="irreversible")
    grant = do(journal, "grant", undo="revoke it", undo_until="1h")
    lock = do(journal, "lock", undo="open it", temporary=True)

    def extent() -> tuple[str, int]:
        page = journal.get_undo_list(execution_id=execution)
        return page.owed, page.due

    assert extent() == ("nothing", 0)
    journal.record_decision(decision="stop", why="wrong", execution_id=execution)
    assert extent() == ("some", 2)
    cell.clock.advance(3601)
    assert extent() == ("some", 1)
    assert [item.state for item in undo_list(journal, execution) if item.action_id == grant] == ["not_possible"]
    undo(journal, lock)
    assert extent() == ("nothing", 0)


@promise("what-is-temporary-is-put-back")
def test_done_with_an_undo_that_failed_is_refused(journal: Journal) -> None:
    execution = start(journal)
    page = do(journal, "publish", undo="take it down")
    end(journal, begin(journal, kind="undo", undoes=page), "failed", error="no such page")
    with pytest.raises(WrongState, match="1 undo not finished"):
        journal.record_decision(decision="done")
    receipt = journal.record_decision(decision="done", why="the owner takes it down", incomplete=True)
    assert (receipt.unfinished, receipt.status) == ({"undo_not_finished": 1}, "completed")
    assert [item.action_id for item in owed(journal, execution)] == [page]


@promise("the-undo-list-is-in-the-order-to-undo")
def test_undoing_out_of_order_is_allowed_and_said(journal: Journal) -> None:
    planned(journal, step("base"), step("top"))
    base, top = do(journal, step="base"), do(journal, step="top")
    early = journal.record_action(phase="begin", kind="undo", undoes=base)
    assert [note for note in early.notes if "out of order" in note]
    journal.record_action(phase="end", action_id=early.id, outcome="ok")
    late = journal.record_action(phase="begin", kind="undo", undoes=top)
    assert late.notes == ()


@promise("owed-is-what-somebody-still-has-to-undo")
def test_what_a_task_owes_is_counted_whole_however_often_it_was_worked_on(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallystick.operations.views.owed.MAX_COUNTED", 3)
    monkeypatch.setattr("tallystick.operations.runtime.paging.FEW_ROWS", 3, raising=False)
    start(journal, task_id="nightly")
    do(journal, "touch", undo="remove it")
    journal.record_decision(decision="stop", why="wrong")
    for _ in range(5):
        start(journal, task_id="nightly")
        journal.record_decision(decision="done")
    page = journal.list_owed(task_id="nightly")
    assert ([item.tool for item in page.owed], page.due, page.more_due) == (["touch"], 1, False)
