"""The list of executions that people look at: by client, by several statuses, by what is wrong."""

from typing import Any

import pytest

from tallystick import Journal, Step, UnknownHandle
from tallystick.operations.executions import ExecutionView
from tests.behaviour.scenarios import begin, do, fail, start
from tests.matrix import Cell
from tests.promises import promise


def _all(journal: Journal, **filters: Any) -> list[ExecutionView]:
    """Everything on every page, two to a page."""
    found: list[ExecutionView] = []
    cursor: str | None = None
    while cursor != "":
        page = journal.list_executions(limit=2, cursor=cursor, **filters)
        found += page.executions
        cursor = page.next_cursor
    return found


@promise("every-list-is-filtered")
def test_executions_are_found_by_the_client_of_their_session(cell: Cell) -> None:
    session = cell.journal.open_session(client="codex").id
    theirs = start(cell.another("bob", session=session))
    start(cell.journal)
    (found,) = cell.journal.list_executions(client="codex").executions
    assert (found.id, found.client, found.actor) == (theirs, "codex", "bob")
    assert cell.journal.list_executions(client="gemini").executions == ()


@promise("every-list-is-filtered")
def test_executions_are_found_by_the_words_of_their_plan(cell: Cell) -> None:
    plan = cell.journal.record_plan(title="Scale the workers", steps=[Step(title="one", cancellable="irreversible")])
    scaled = cell.journal.record_execution_start(plan_id=plan.id).id
    start(cell.journal, "other work")
    (found,) = cell.journal.list_executions(text="scale workers").executions
    assert (found.id, found.title) == (scaled, "Scale the workers")


@promise("every-list-is-filtered")
def test_executions_are_found_by_their_problems(cell: Cell) -> None:
    journal, person, mortal = cell.journal, cell.person(), cell.mortal()
    asking, owing, doubting, fine = (start(journal, title) for title in ("asking", "owing", "doubting", "fine"))
    lapsing = start(journal, "lapsing", task_id="T-1")
    question = journal.request_approval(question="?", execution_id=asking).id
    journal.request_approval(question="?", execution_id=lapsing, expires="1m")
    do(journal, "pay", execution_id=owing)
    journal.record_decision(decision="unwind", why="start over", execution_id=owing)
    begin(mortal, "look", execution_id=doubting, effect="read")
    do(journal, "look", execution_id=fine, effect="read")
    fail(journal, "peek", execution_id=fine, effect="read")

    def only(what: Any, **more: Any) -> list[str]:
        return [each.id for each in journal.list_executions(only=what, **more).executions]

    assert only("waiting") == [lapsing, asking]
    assert only("waiting", task_id="T-1", status=("running",)) == [lapsing]
    assert only("waiting", task_id="T-1", status=("paused",)) == []
    assert only("owed") == [owing]
    assert only("in_doubt") == []
    cell.kill(mortal)
    assert only("waiting") == [asking]
    assert only("in_doubt") == [doubting]
    shown = {each.id: (each.waiting, each.owed, each.in_doubt, each.failed) for each in _all(journal)}
    assert shown == {
        asking: (1, 0, 0, 0),
        owing: (0, 1, 0, 0),
        doubting: (0, 0, 1, 0),
        fine: (0, 0, 0, 1),
        lapsing: (0, 0, 0, 0),
    }
    person.decide_approval(approval_id=question, verdict="approve")
    assert only("waiting") == []


@promise("every-list-is-paged-and-bounded")
def test_executions_of_several_statuses_are_paged_in_one_order(journal: Journal) -> None:
    made = [start(journal, f"number {number}") for number in range(9)]
    for number, id in enumerate(made):
        if number % 3:
            decision: Any = "pause" if number % 3 == 1 else "stop"
            journal.record_decision(execution_id=id, decision=decision, why="so it is")
    found = _all(journal, status=("running", "cancelled"))
    assert [each.id for each in found] == [id for number, id in enumerate(made) if number % 3 != 1][::-1]


@promise("an-execution-is-read-by-its-id")
def test_one_execution_is_read_as_the_list_shows_it(journal: Journal) -> None:
    first, second = start(journal, "first"), start(journal, "second")
    do(journal, "pay", execution_id=first)
    listed = {each.id: each for each in journal.list_executions().executions}
    assert journal.get_execution(execution_id=first) == listed[first]
    assert journal.get_execution(execution_id=second).title == "second"
    with pytest.raises(UnknownHandle, match=first):
        journal.get_execution(execution_id="ex_none")
