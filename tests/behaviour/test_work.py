"""Plan and work of an execution as rows: what the page's waterfall is drawn from."""

from typing import Any

import pytest

from tallystick import Actor, InvalidArgument, Journal
from tallystick.operations.views.work import WorkRow
from tests.behaviour.scenarios import begin, do, fail, planned, start, undo
from tests.matrix import Cell
from tests.promises import promise


def _rows(journal: Journal, execution: str, **filters: Any) -> list[WorkRow]:
    """All rows, page by page."""
    rows: list[WorkRow] = []
    cursor = None
    while cursor != "":
        page = journal.list_work(execution_id=execution, cursor=cursor, **filters)
        rows += page.rows
        cursor = page.next_cursor
    return rows


def _moved(journal: Journal) -> str:
    """A plan that failed in its second step, after a repair that nobody planned."""
    execution = planned(journal, "copy", "switch", "drop")
    do(journal, "cp", execution_id=execution, step="copy")
    do(journal, "look", execution_id=execution, summary="look around")
    fail(journal, "dns", "no such host", execution_id=execution, step="switch")
    return execution


@promise("work-is-listed-a-row-each")
def test_the_rows_of_a_plan_are_its_steps_and_then_what_nobody_planned(cell: Cell) -> None:
    execution = _moved(cell.journal)
    rows = _rows(cell.journal, execution)
    assert [(row.kind, row.id if row.kind == "step" else row.tool, row.state) for row in rows] == [
        ("step", "copy", "done"),
        ("step", "switch", "failed"),
        ("step", "drop", "planned"),
        ("action", "look", "ok"),
    ]
    assert [row.error for row in rows] == ["", "no such host", "", ""]
    assert [row.unplanned for row in rows] == [False, False, False, True]
    assert [bool(row.begun) for row in rows] == [True, True, False, True]
    assert [row.undo_state for row in rows] == ["not_undone", "not_undone", "", "not_undone"]


@promise("work-is-listed-a-row-each")
def test_by_time_the_steps_that_nobody_began_come_last(journal: Journal) -> None:
    execution = _moved(journal)
    rows = _rows(journal, execution, order="time")
    assert [row.tool or row.id for row in rows] == ["cp", "look", "dns", "drop"]
    assert [row.tool for row in _rows(journal, execution, newest_first=True)] == ["dns", "look", "cp"]
    assert [row.kind for row in rows] == ["action", "action", "action", "step"]
    assert [row.tool for row in _rows(journal, execution, order="time", limit=1)] == [row.tool for row in rows]
    assert _rows(journal, execution, limit=1) == _rows(journal, execution)


@promise("work-is-listed-a-row-each")
def test_the_attempts_and_undos_of_a_step_can_be_listed(journal: Journal) -> None:
    execution = _moved(journal)
    journal.record_decision(execution_id=execution, decision="retry", why="it is up again", step="switch")
    done = do(journal, "dns", execution_id=execution, step="switch")
    undo(journal, done, execution_id=execution)
    rows = _rows(journal, execution, step="switch")
    assert [(row.state, row.attempts, row.action_kind) for row in rows][:2] == [("failed", 1, "do"), ("ok", 2, "do")]
    shown = next(row for row in _rows(journal, execution) if row.id == "switch")
    assert (shown.attempts, shown.action_id, shown.undo_state, shown.state) == (2, done, "undone", "undone")


@promise("work-is-listed-a-row-each")
def test_equal_calls_in_a_row_are_one_row_with_counts_and_can_be_unfolded(cell: Cell) -> None:
    journal = cell.journal
    execution = start(journal)
    do(journal, "open", execution_id=execution)
    calls = [do(journal, "put", execution_id=execution, summary=f"put {number}") for number in range(5)]
    calls.append(fail(journal, "put", "the disk is full", execution_id=execution))
    do(journal, "close", execution_id=execution)
    opened, group, closed = _rows(journal, execution)
    assert (opened.tool, closed.tool) == ("open", "close")
    assert (group.kind, group.tool, group.count, group.states) == ("group", "put", 6, {"ok": 5, "failed": 1})
    assert (group.id, group.state, group.error) == (calls[0], "failed", "the disk is full")
    assert opened.begun <= group.begun <= group.ended <= closed.begun
    inside = journal.list_work(execution_id=execution, cursor=group.inside, unfolded=True, limit=group.count)
    assert [row.id for row in inside.rows] == calls
    assert len(_rows(journal, execution, unfolded=True)) == 8


@promise("work-is-listed-a-row-each")
def test_the_work_of_a_sub_agent_is_folded_and_what_needs_somebody_is_not(cell: Cell) -> None:
    helper = cell.another(Actor(kind="sub-agent", name="agent/tester"))
    execution = start(cell.journal)
    for tool in ("read", "write", "test", "lint"):
        do(helper, tool, execution_id=execution)
    for _ in range(4):
        begin(helper, "wait", execution_id=execution, again="all of them at once")
    group, *rest = _rows(cell.journal, execution)
    assert (group.kind, group.actor, group.count, group.tool) == ("group", "agent/tester", 4, "")
    assert [(row.kind, row.state) for row in rest] == [("action", "open")] * 4


@promise("work-is-listed-a-row-each")
def test_only_what_failed_or_is_unplanned_can_be_listed(journal: Journal) -> None:
    execution = _moved(journal)
    assert [row.tool for row in _rows(journal, execution, only="failed")] == ["dns"]
    assert [row.tool for row in _rows(journal, execution, only="unplanned")] == ["look"]
    assert [row.tool for row in _rows(journal, execution, only="done")] == ["cp", "look"]
    assert _rows(journal, execution, only="in_doubt") == []


@promise("work-is-listed-a-row-each")
@pytest.mark.parametrize("cursor", ["ac_none", "actions:ac_none", "steps:none"])
def test_a_cursor_of_another_list_is_refused(journal: Journal, cursor: str) -> None:
    execution = _moved(journal)
    with pytest.raises(InvalidArgument, match="is not a cursor of this list"):
        journal.list_work(execution_id=execution, cursor=cursor)
