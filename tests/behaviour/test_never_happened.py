"""A doubt that is settled as skipped: it did not happen, and can be done after all."""

from typing import Any

import pytest

from tallystick import InDoubtOpen, Journal
from tests.behaviour.scenarios import begin, do, end, planned, start, status, step, steps_of, undo, undo_list
from tests.behaviour.test_correlation import agent_in, over, seen, watched
from tests.matrix import Cell
from tests.promises import promise

PAY: dict[str, Any] = {"tool": "pay", "arguments": {"invoice": 17}}


def _settle(journal: Journal, action: str, way: str = "decision") -> Any:
    if way == "end":
        return end(journal, action, "skipped", evidence="the bank has no such payment")
    return journal.record_decision(
        decision="settle", action_id=action, outcome="skipped", evidence="the bank has no such payment"
    )


@promise("what-did-not-happen-is-settled-as-skipped")
@pytest.mark.parametrize("way", ["decision", "end"])
def test_a_step_that_did_not_happen_is_to_be_done(cell: Cell, way: str) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    execution = planned(agent, step("pay", **PAY), "tell")
    action = begin(agent, step="pay")
    cell.kill(agent)
    assert _settle(heir, action, way).state == "skipped"
    assert {name: each.actual for name, each in steps_of(heir, execution).items()} == {
        "pay": "planned",
        "tell": "planned",
    }
    assert undo_list(heir, execution) == []
    brief = heir.get_brief(execution_id=execution)
    assert (brief.next_steps, brief.in_doubt) == (("pay",), ())
    assert do(heir, step="pay", execution_id=execution)
    assert steps_of(heir, execution)["pay"].attempts == 2
    do(heir, step="tell", execution_id=execution)
    assert heir.record_decision(decision="done", execution_id=execution).status == "completed"


@promise("what-did-not-happen-is-settled-as-skipped")
@pytest.mark.parametrize("by_hook", [False, True])
def test_the_same_call_is_made_after_all_in_any_execution(cell: Cell, by_hook: bool) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = start(agent)
    action = seen(hook, "1", **PAY).id if by_hook else begin(agent, **PAY)
    over(hook, "1", "unknown") if by_hook else end(agent, action, "unknown")
    for where in (execution, start(agent, "another")):
        with pytest.raises(InDoubtOpen):
            begin(agent, execution_id=where, **PAY)
    _settle(agent, action)
    assert undo_list(agent, execution) == []
    for where in (execution, start(agent, "a third")):
        do(agent, execution_id=where, **PAY)
        assert agent.record_decision(decision="done", execution_id=where).unfinished == {}


@promise("what-did-not-happen-is-settled-as-skipped")
def test_an_undo_that_did_not_happen_leaves_its_action_to_be_undone(cell: Cell) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    execution = start(agent)
    done = do(agent, "touch", undo="remove it")
    agent.record_decision(decision="unwind", why="wrong")
    attempt = begin(agent, "rm", kind="undo", undoes=done)
    cell.kill(agent)
    _settle(heir, attempt)
    assert [(item.action_id, item.state) for item in undo_list(heir, execution)] == [(done, "not_undone")]
    undo(heir, done)
    assert heir.record_decision(decision="done", execution_id=execution).status == "cancelled"


@promise("what-did-not-happen-is-settled-as-skipped")
def test_an_action_of_ones_own_that_is_skipped_skips_its_step(journal: Journal) -> None:
    execution = planned(journal, "pay", "tell")
    end(journal, begin(journal, step="pay"), "skipped")
    assert steps_of(journal, execution)["pay"].actual == "skipped"
    assert status(journal, execution) == "running"


@promise("what-did-not-happen-is-settled-as-skipped")
def test_the_texts_say_how_to_settle_what_did_not_happen(cell: Cell) -> None:
    agent = cell.journal
    execution = start(agent)
    action = begin(agent, **PAY)
    end(agent, action, "unknown")
    assert "skipped if it never happened" in agent.get_brief(execution_id=execution).text
    with pytest.raises(InDoubtOpen) as refused:
        begin(agent, **PAY)
    assert refused.value.next_call is not None
    assert "skipped: not done" in refused.value.next_call[1]["outcome"]
