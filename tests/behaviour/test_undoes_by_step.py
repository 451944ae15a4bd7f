"""`undoes` names an action, or a step of the execution."""

from typing import Any

import pytest

from tallystick import AlreadyDone, InvalidArgument, Journal, UnknownHandle
from tests.behaviour.scenarios import begin, do, end, fail, owed, planned, start, step, undo_list
from tests.behaviour.test_correlation import agent_in, over, seen, watched
from tests.matrix import Cell
from tests.promises import promise


def _unwind(journal: Journal) -> None:
    journal.record_decision(decision="unwind", why="it went wrong")


@promise("undoes-names-an-action-or-a-step")
@pytest.mark.parametrize("phase", ["begin", "done"])
def test_an_undo_names_the_step_that_it_undoes(journal: Journal, phase: Any) -> None:
    execution = planned(journal, "lock", "work")
    locked = do(journal, step="lock")
    _unwind(journal)
    receipt = journal.record_action(phase=phase, kind="undo", undoes="lock", summary="unlock")
    assert receipt.undoes == locked
    if phase == "begin":
        end(journal, receipt.id, undoes="lock")
    assert journal.get_action(action_id=locked).undone_by == receipt.id
    assert owed(journal, execution) == []


@promise("undoes-names-an-action-or-a-step")
def test_the_last_attempt_at_a_step_that_is_not_undone_is_meant(journal: Journal) -> None:
    execution = planned(journal, "lock", "work")
    first, second = fail(journal, step="lock"), do(journal, step="lock")
    _unwind(journal)
    for attempt in (second, first):
        assert journal.record_action(phase="done", kind="undo", undoes="lock", summary="unlock").undoes == attempt
    assert undo_list(journal, execution) == []
    with pytest.raises(AlreadyDone, match=second):
        journal.record_action(phase="begin", kind="undo", undoes="lock", summary="unlock")


@promise("undoes-names-an-action-or-a-step")
@pytest.mark.parametrize("by_hook", [False, True])
def test_a_decision_names_the_step_that_an_action_undid(cell: Cell, by_hook: bool) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = planned(agent, "write", "more")
    wrote = do(agent, step="write")
    _unwind(agent)
    removed = seen(hook, "1", arguments={"command": "rm it"}).id if by_hook else begin(agent, "rm", arguments={"f": 1})
    over(hook, "1") if by_hook else end(agent, removed)
    agent.record_decision(decision="continue", action_id=removed, undoes="write", why="the file is gone")
    assert agent.get_action(action_id=wrote).undone_by == removed
    assert owed(agent, execution) == []


@promise("undoes-names-an-action-or-a-step")
@pytest.mark.parametrize("way", ["action", "decision"])
def test_a_step_is_named_after_the_end_too(cell: Cell, way: str) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = planned(agent, "write", "more")
    wrote = do(agent, step="write")
    agent.record_decision(decision="stop", why="enough")
    if way == "action":
        agent.record_action(phase="done", kind="undo", undoes="write", summary="removed")
    else:
        removed = seen(hook, "1", arguments={"command": "rm it"}).id
        over(hook, "1")
        agent.record_decision(decision="continue", action_id=removed, undoes="write", why="the file is gone")
    assert agent.get_action(action_id=wrote).undo_state == "undone"
    assert owed(agent, execution) == []


@promise("undoes-names-an-action-or-a-step")
@pytest.mark.parametrize("way", ["action", "decision"])
@pytest.mark.parametrize(
    ("name", "said"),
    [("door", "neither an action nor a step"), ("ac_a9zz", "There is no action"), ("work", "not begun")],
)
def test_an_error_names_both_forms(journal: Journal, way: str, name: str, said: str) -> None:
    planned(journal, "lock", "work")
    locked = do(journal, step="lock")
    other = do(journal, "rm")
    _unwind(journal)
    call: dict[str, Any] = {"phase": "begin", "kind": "undo", "summary": "unlock"}
    record: Any = journal.record_action if way == "action" else journal.record_decision
    with pytest.raises((UnknownHandle, InvalidArgument), match=said) as refused:
        record(undoes=name, **call if way == "action" else {"decision": "continue", "action_id": other, "why": "so"})
    assert refused.value.field == "undoes"
    assert locked in refused.value.hint
    assert "step" in refused.value.hint
    assert locked in (refused.value.allowed or ())


@promise("undoes-names-an-action-or-a-step")
def test_without_a_plan_an_error_names_the_actions(journal: Journal) -> None:
    start(journal)
    made = do(journal, "touch")
    with pytest.raises(UnknownHandle, match="neither an action nor a step") as refused:
        journal.record_action(phase="begin", kind="undo", undoes="door", summary="unlock")
    assert made in refused.value.hint


@promise("undoes-names-an-action-or-a-step")
def test_an_undo_without_undoes_is_told_both_forms(journal: Journal) -> None:
    planned(journal, step("lock"))
    do(journal, step="lock")
    with pytest.raises(InvalidArgument, match="undoes is missing") as refused:
        begin(journal, kind="undo")
    assert "step" in refused.value.hint
