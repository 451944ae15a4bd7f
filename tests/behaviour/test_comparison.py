"""Two executions side by side."""

import pytest

from tallystick import Journal, UnknownHandle
from tallystick.operations.views import comparison
from tallystick.operations.views.comparison import ComparisonRow
from tests.behaviour.scenarios import begin, do, end, fail, plan, start, step, undo
from tests.matrix import Cell
from tests.promises import promise


def _rows(journal: Journal, a: str, b: str) -> dict[str, ComparisonRow]:
    return {row.name: row for row in journal.compare_executions(a=a, b=b).rows}


def _states(row: ComparisonRow) -> list[str]:
    return [side.state for side in (row.a, row.b) if side]


@promise("two-executions-are-compared-step-by-step")
def test_steps_of_one_plan_stand_side_by_side_with_how_they_went(cell: Cell) -> None:
    journal = cell.journal
    made = plan(journal, step("copy", tool="cp"), "move", "tell")
    one, other = (journal.record_execution_start(plan_id=made.id).id for _ in range(2))
    fail(journal, "cp", execution_id=one, step="copy", error="no room")
    journal.record_decision(execution_id=one, decision="retry", why="made room", step="copy")
    slow = begin(journal, "cp", execution_id=one, step="copy", arguments={"to": "b", "mode": [1, 2]})
    cell.clock.advance(9)
    end(journal, slow, result={"files": 3})
    do(journal, "cp", execution_id=other, step="copy", arguments={"to": "c", "mode": [1]}, result={"files": 3})
    do(journal, execution_id=other, step="move")
    found = journal.compare_executions(a=one, b=other)
    assert [row.name for row in found.rows] == ["copy", "move", "tell"]
    copy, move, tell = found.rows
    assert [(side.state, side.attempts) for side in (copy.a, copy.b) if side] == [("ok", 2), ("ok", 1)]
    assert [side.seconds for side in (copy.a, copy.b) if side] == [9.0, 0.0]
    assert not copy.same
    assert [(each.path, each.a, each.b, each.only) for each in copy.arguments] == [
        ("$.to", "b", "c", ""),
        ("$.mode[1]", 2, None, "a"),
    ]
    assert copy.results == ()
    assert (_states(move), move.same, move.summary) == (["planned", "ok"], False, "The step move")
    assert (_states(tell), tell.same) == (["planned", "planned"], True)
    assert (found.same, found.different, found.seconds_a, found.whole) == (1, 2, 9.0, True)


@promise("two-executions-are-compared-step-by-step")
def test_calls_of_no_step_are_matched_by_tool_and_order(journal: Journal) -> None:
    one, other = start(journal), start(journal)
    for number, execution in enumerate((one, other)):
        do(journal, "read", execution_id=execution, effect="read", arguments={"n": 1}, result={"same": True})
        do(journal, "read", execution_id=execution, effect="read", arguments={"n": 2}, result={"found": number})
    written = do(journal, "write", execution_id=other, summary="the novel")
    undo(journal, written, execution_id=other, tool="delete")
    rows = _rows(journal, one, other)
    assert list(rows) == ["read", "read (2)", "write", "delete"]
    assert (rows["read"].same, rows["read (2)"].same) == (True, False)
    assert [(each.path, each.a, each.b) for each in rows["read (2)"].results] == [("$.result.found", 0, 1)]
    assert (rows["write"].only, rows["write"].a, rows["write"].summary) == ("b", None, "the novel")
    assert (rows["delete"].kind, rows["delete"].only) == ("undo", "b")


@promise("two-executions-are-compared-step-by-step")
def test_a_failure_is_shown_with_its_error(journal: Journal) -> None:
    one, other = start(journal), start(journal)
    do(journal, "cp", execution_id=one, result="done")
    fail(journal, "cp", execution_id=other, error="no room")
    row = _rows(journal, one, other)["cp"]
    assert [(each.path, each.only) for each in row.results] == [("$.result", "a"), ("$.error", "b")]
    assert _states(row) == ["ok", "failed"]


@promise("two-executions-are-compared-step-by-step")
def test_a_long_comparison_is_truncated_and_marked(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MAX_ROWS", 2)
    one, other = start(journal), start(journal)
    for number, execution in enumerate((one, other)):
        do(journal, "many", execution_id=execution, arguments={f"k{index}": number for index in range(30)})
        do(journal, "long", execution_id=execution, arguments={"text": f"{number}" * 2000})
        do(journal, "more", execution_id=execution)
    found = journal.compare_executions(a=one, b=other)
    assert [(row.name, row.cut, len(row.arguments)) for row in found.rows] == [("many", True, 20), ("long", True, 1)]
    assert len(found.rows[1].arguments[0].a) < 600
    assert found.left_out == 1
    fail(journal, "last", execution_id=one)
    do(journal, "last", execution_id=other)
    assert [row.name for row in journal.compare_executions(a=one, b=other).rows] == ["many", "last"]


@promise("two-executions-are-compared-step-by-step")
def test_an_execution_is_the_same_as_itself_and_one_that_is_not_there_is_refused(journal: Journal) -> None:
    execution = start(journal)
    do(journal, "cp", execution_id=execution, arguments={"x": [1, {"y": None}]}, result=[1])
    assert [row.same for row in journal.compare_executions(a=execution, b=execution).rows] == [True]
    with pytest.raises(UnknownHandle):
        journal.compare_executions(a=execution, b="ex_none")
