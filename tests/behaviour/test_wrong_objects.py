"""Library methods refuse an object of the wrong kind with what to give."""

from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, Step, UnknownHandle
from tests.behaviour.scenarios import plan
from tests.promises import promise


@promise("a-wrong-object-is-refused-before-anything-is-recorded")
def test_library_methods_refuse_an_object_of_the_wrong_kind_before_they_record_anything(journal: Journal) -> None:
    receipt, length = plan(journal, "one"), journal.get_stats().entries
    for wrong in ([Step(id="a", title="a", undo="x")], None, 42, {"title": "x"}, b"pl_1", object()):
        wrongly: Any = wrong
        with pytest.raises(InvalidArgument, match="Give the receipt or the id of a plan"):
            journal.carry_out(wrongly, print)
        with pytest.raises(InvalidArgument, match="Give the receipt or the id of an execution"):
            journal.unwind(wrongly, {})
        with pytest.raises(InvalidArgument, match="Give a function that takes a step"):
            journal.carry_out(receipt, wrongly)
        with pytest.raises(InvalidArgument, match="Give a function without arguments"):
            journal.before_close(wrongly)
        if wrong is not None:
            with pytest.raises(InvalidArgument, match="Decorate a function"):
                journal.recorded(wrongly)
            with pytest.raises(InvalidArgument, match="Give a function that takes an item"):
                journal.unwind("ex_1", {}, by_hand=wrongly)
    assert journal.get_stats().entries == length
    execution = journal.record_execution_start(title="x")
    with pytest.raises(UnknownHandle, match="There is no plan"):
        journal.carry_out(execution, print)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=f"{execution.id} is not a plan"):
        journal.run(execution)  # type: ignore[arg-type]


@promise("a-wrong-object-is-refused-before-anything-is-recorded")
def test_a_wrong_reason_of_a_scope_leaves_no_action_open(journal: Journal) -> None:
    with journal.execution("x") as execution:
        for number, name in enumerate(("failed", "skipped", "unknown")):
            scope = execution.action("x", tool="t", arguments={"n": number})
            with pytest.raises(InvalidArgument, match="is of type int"), scope as action:
                getattr(action, name)(42)
            assert journal.get_action(action_id=scope.id).state == "failed"
        with execution.action("x", tool="u") as last:
            last.failed(ValueError("no room"))
        assert journal.get_action(action_id=last.id).end_body["error"] == "ValueError: no room"
