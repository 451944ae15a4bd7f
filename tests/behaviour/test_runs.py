"""Runs, as the journal shows them: which are open at an engine, and which wait for a worker."""

import pytest

from tallystick import InvalidArgument, Journal
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tests.behaviour.scenarios import plan
from tests.matrix import Cell
from tests.promises import promise


def run(cell: Cell, engine: str, session: str = "") -> str:
    """A run that somebody with the scope for it asked for."""
    journal = Journal(Local(OperationContext(cell.store, cell.settings, Principal(session=session))))
    return journal.run_plan(plan_id=plan(journal, "a", "b").id, engine=engine).id  # type: ignore[arg-type]


@promise("open-runs-are-listed-by-engine")
def test_the_open_runs_of_an_engine_are_listed_in_pages_the_oldest_first(cell: Cell) -> None:
    journal = cell.journal
    runs = [run(cell, "queue") for _ in range(3)]
    other, ended = run(cell, "local"), run(cell, "queue")
    journal.record_decision(decision="stop", execution_id=ended, why="not wanted")
    journal.record_decision(decision="pause", execution_id=runs[2], why="it is late")
    begun = journal.record_action(phase="begin", execution_id=runs[1], step="a")
    found = journal.list_runs(engine="queue").runs
    assert [(each.execution_id, each.status, each.unsettled) for each in found] == [
        (runs[0], "running", False),
        (runs[1], "running", True),
        (runs[2], "paused", False),
    ]
    assert found[1].last_seq == begun.seq
    page = journal.list_runs(engine="queue", limit=2)
    assert [each.execution_id for each in page.runs] == runs[:2]
    assert journal.list_runs(engine="queue", limit=2, cursor=page.next_cursor).runs == found[2:]
    assert [each.execution_id for each in journal.list_runs().runs] == [other]
    with pytest.raises(InvalidArgument, match="is not a cursor of this list"):
        journal.list_runs(cursor="ex_none")


@promise("interrupted-is-seen-at-once")
def test_a_run_of_a_shared_engine_waits_for_a_worker_and_is_not_interrupted(cell: Cell) -> None:
    agent = cell.mortal("worker")
    runs = {engine: run(cell, engine, cell.session_of(agent)) for engine in ("local", "queue", "temporal")}
    cell.kill(agent)
    found = cell.journal.list_executions(only="interrupted").executions
    assert [each.id for each in found] == [runs["local"]]
