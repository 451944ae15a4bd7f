"""One action, read back whole."""

import pytest

from tallystick import Journal, UnknownHandle
from tests.matrix import Cell
from tests.promises import promise


@promise("an-action-is-read-back-whole")
def test_an_action_is_read_back_with_its_begin_and_its_end(journal: Journal) -> None:
    execution = journal.record_execution_start(title="work").id
    begun = journal.record_action(
        phase="begin", execution_id=execution, tool="mkdir", arguments={"path": "out"}, summary="make it"
    )
    read = journal.get_action(action_id=begun.id)
    assert (read.state, read.tool, read.execution_id) == ("open", "mkdir", execution)
    assert read.begin_body == {"summary": "make it", "arguments": {"path": "out"}}
    journal.record_action(phase="end", action_id=begun.id, outcome="ok", result={"made": True})
    read = journal.get_action(action_id=begun.id)
    assert (read.state, read.end_body) == ("ok", {"result": {"made": True}})
    assert read.ended >= read.begun


@promise("an-action-is-read-back-whole")
def test_an_action_of_a_session_that_is_over_reads_as_in_doubt(cell: Cell) -> None:
    mortal = cell.mortal()
    execution = mortal.record_execution_start(title="work").id
    begun = mortal.record_action(phase="begin", execution_id=execution, tool="pay", summary="pay")
    cell.kill(mortal)
    assert cell.journal.get_action(action_id=begun.id).state == "in_doubt"


@promise("an-action-is-read-back-whole")
def test_an_action_that_is_not_there_names_those_that_are(journal: Journal) -> None:
    execution = journal.record_execution_start(title="work").id
    begun = journal.record_action(phase="begin", execution_id=execution, tool="mkdir", summary="make it")
    with pytest.raises(UnknownHandle, match=begun.id):
        journal.get_action(action_id="ac_none")
