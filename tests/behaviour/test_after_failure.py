"""What follows a failed step: the brief tells it first, and retry and skip find the step that they are about."""

from typing import Any

import pytest

from tallystick import InvalidArgument, Journal
from tests.behaviour.scenarios import begin, do, fail, planned, start, step, steps_of
from tests.matrix import Cell
from tests.promises import promise

PUSH, ROLL = step("push", after=()), step("roll", after=("push",))
DROP = step("drop", after=(), cancellable="irreversible", undo=None)


def _decide(journal: Journal, decision: str, **more: Any) -> Any:
    return journal.record_decision(**{"decision": decision, "why": "so it is", **more})


@promise("a-failure-comes-before-the-next-step")
def test_an_irreversible_step_that_does_not_wait_comes_after_a_decision_about_the_failure(journal: Journal) -> None:
    execution = planned(journal, PUSH, ROLL, DROP)
    fail(journal, step="push", error="denied")
    brief = journal.get_brief(execution_id=execution)
    assert brief.next.startswith("Next: decide about push; then, irreversible: drop")
    assert 0 < brief.text.index('push with "denied"') < brief.text.index("Next: ")
    _decide(journal, "retry")
    assert journal.get_brief(execution_id=execution).next.startswith("Next: push")


@promise("a-failure-comes-before-the-next-step")
def test_a_step_that_can_be_undone_comes_before_an_irreversible_one_after_a_failure(journal: Journal) -> None:
    execution = planned(journal, PUSH, DROP, step("tell", after=()))
    assert journal.get_brief(execution_id=execution).next_steps == ("push", "drop", "tell")
    fail(journal, step="push")
    brief = journal.get_brief(execution_id=execution)
    assert brief.next_steps == ("tell", "drop")
    assert brief.next.startswith("Next: tell")


@promise("retry-and-skip-name-a-step")
@pytest.mark.parametrize(("decision", "actual"), [("retry", "failed"), ("skip", "skipped")])
def test_a_decision_without_a_step_is_about_the_only_failed_one(journal: Journal, decision: str, actual: str) -> None:
    execution = planned(journal, PUSH, ROLL, DROP)
    fail(journal, step="push")
    receipt = _decide(journal, decision)
    assert receipt.step == "push"
    found = steps_of(journal, execution)["push"]
    assert (found.actual, found.decided) == (actual, decision)
    assert begin(journal, step="push" if decision == "retry" else "roll")


@promise("retry-and-skip-name-a-step")
def test_where_several_steps_failed_they_are_named_with_the_whole_call(journal: Journal) -> None:
    execution = planned(journal, PUSH, step("tell", after=()), ROLL)
    fail(journal, step="push")
    fail(journal, step="tell")
    for decision in ("retry", "skip"):
        with pytest.raises(InvalidArgument, match="push, tell") as caught:
            _decide(journal, decision, execution_id=execution)
        assert caught.value.field == "step"
        assert caught.value.next_call is not None
        name, arguments = caught.value.next_call
        assert (name, arguments["step"], arguments["decision"]) == ("record_decision", "push", decision)
        assert arguments["execution_id"] == execution
    assert _decide(journal, "skip", step="tell").step == "tell"
    assert _decide(journal, "skip").step == "push"


@promise("retry-and-skip-name-a-step")
def test_a_skip_is_about_the_only_step_that_may_begin_and_a_retry_about_none(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    do(journal, step="one")
    retried = _decide(journal, "retry")
    assert retried.step == ""
    assert retried.notes[0].startswith("No step has failed: it is about none")
    assert (_decide(journal, "skip").step, _decide(journal, "retry").step) == ("two", "")
    assert steps_of(journal, execution)["two"].actual == "skipped"
    with pytest.raises(InvalidArgument, match="no step to skip") as caught:
        _decide(journal, "skip")
    assert caught.value.next_call is not None


@promise("retry-and-skip-name-a-step")
def test_a_step_in_doubt_is_the_one_that_is_meant(cell: Cell) -> None:
    agent = cell.mortal()
    execution = planned(agent, PUSH, step("tell", after=()))
    begin(agent, step="push")
    cell.kill(agent)
    assert _decide(cell.journal, "skip", execution_id=execution).step == "push"


@promise("retry-and-skip-name-a-step")
def test_a_rejected_step_is_the_one_that_is_skipped(cell: Cell) -> None:
    journal = cell.journal
    planned(journal, step("wipe", after=(), needs_approval=True), step("tell", after=()))
    asked = journal.request_approval(question="May I?", step="wipe").id
    cell.person().decide_approval(approval_id=asked, verdict="reject", reason="no")
    assert _decide(journal, "skip").step == "wipe"


@promise("retry-and-skip-name-a-step")
def test_work_without_a_plan_and_unplanned_failures_need_no_step(journal: Journal) -> None:
    start(journal)
    fail(journal, "cp")
    assert _decide(journal, "retry").step == ""
    execution = planned(journal, "one", "two")
    fail(journal, "mv", execution_id=execution)
    assert _decide(journal, "retry", execution_id=execution).step == ""
