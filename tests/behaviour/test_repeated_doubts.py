"""A call that was made although the same effect is in doubt: it is recorded, and marked as repeating that."""

from typing import Any

import pytest

from tallystick import Journal
from tests.behaviour.scenarios import begin, end, entries, start
from tests.behaviour.test_correlation import agent_in, over, seen, watched
from tests.matrix import Cell
from tests.promises import promise

PAY: dict[str, Any] = {"tool": "Bash", "arguments": {"command": "pay 17"}}


def _doubt(cell: Cell, **more: Any) -> str:
    agent = cell.mortal("first")
    start(agent, "Pay the bills")
    action = begin(agent, **PAY, **more)
    cell.kill(agent)
    return action


def _repeat(cell: Cell, way: str, call: dict[str, Any] = PAY, **more: Any) -> tuple[Journal, Any]:
    """Make the call in another conversation; returns its agent, and the receipt."""
    agent, hook = agent_in(cell), watched(cell)
    start(agent, "Something else")
    if way == "done":
        return agent, agent.record_action(phase="done", summary="paid", **call, **more)
    receipt = seen(hook, "1", call["tool"], arguments=call["arguments"], **more)
    over(hook, "1")
    return agent, receipt


@promise("a-repeated-doubt-is-marked")
@pytest.mark.parametrize("way", ["hook", "done"])
def test_a_call_that_repeats_what_is_in_doubt_is_marked_everywhere(cell: Cell, way: str) -> None:
    doubt = _doubt(cell)
    agent, receipt = _repeat(cell, way)
    assert f"It repeats {doubt}, which is in doubt: it may have happened twice." in receipt.notes
    assert agent.get_action(action_id=receipt.id).repeats == doubt
    assert agent.get_action(action_id=doubt).repeated_by == (receipt.id,)
    (item,) = agent.list_in_doubt().in_doubt
    assert (item.action_id, item.repeated_by) == (doubt, (receipt.id,))
    assert f"repeated since as {receipt.id}" in item.why
    assert f"repeated since as {receipt.id}" in agent.get_brief(execution_id=receipt.execution_id).text
    listed = agent.list_actions(execution_id=receipt.execution_id).actions
    assert [each.repeats for each in listed] == [doubt]
    begun = next(each for each in entries(agent, kind="action_begun") if each.id == receipt.id)
    assert begun.facts["repeats"] == doubt
    assert "out_of_order" not in begun.facts
    assert cell.journal.verify().ok


@promise("a-repeated-doubt-is-marked")
def test_settling_a_repeated_doubt_as_done_says_that_it_happened_twice(cell: Cell) -> None:
    doubt = _doubt(cell)
    agent, receipt = _repeat(cell, "hook")
    settled = agent.record_decision(decision="settle", action_id=doubt, outcome="ok", evidence="the bank has it")
    assert settled.notes == (f"It was repeated as {receipt.id}: it may have happened twice.",)


@promise("a-repeated-doubt-is-marked")
@pytest.mark.parametrize(
    ("before", "more", "call"),
    [
        ({}, {"effect": "read"}, PAY),
        ({}, {"effect": "idempotent"}, PAY),
        ({}, {}, {"tool": "Bash", "arguments": {"command": "pay 18"}}),
    ],
    ids=["read", "idempotent", "another call"],
)
def test_what_may_be_repeated_and_other_calls_are_not_marked(
    cell: Cell, before: dict[str, Any], more: dict[str, Any], call: dict[str, Any]
) -> None:
    doubt = _doubt(cell, **before)
    agent, receipt = _repeat(cell, "hook", call, **more)
    assert agent.get_action(action_id=receipt.id).repeats == ""
    assert agent.get_action(action_id=doubt).repeated_by == ()


@promise("a-repeated-doubt-is-marked")
def test_a_repetition_with_a_reason_and_one_after_settling_are_not_marked(cell: Cell) -> None:
    doubt = _doubt(cell)
    agent, receipt = _repeat(cell, "done", again="the bank says that it never came")
    assert agent.get_action(action_id=receipt.id).repeats == ""
    end(agent, doubt, "failed", evidence="the bank has no such payment")
    other, later = _repeat(cell, "hook")
    assert other.get_action(action_id=later.id).repeats == ""


@promise("a-repeated-doubt-is-marked")
def test_a_call_that_was_not_made_after_all_repeats_nothing(cell: Cell) -> None:
    doubt = _doubt(cell)
    hook = watched(cell)
    action = seen(hook, "1", PAY["tool"], arguments=PAY["arguments"]).id
    over(hook, "1", "skipped", without_effect=True)
    assert hook.get_action(action_id=action).repeats == ""
    assert hook.get_action(action_id=doubt).repeated_by == ()
