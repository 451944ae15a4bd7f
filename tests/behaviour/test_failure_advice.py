"""The failure policies of a plan: advice about a failed step, and nothing more."""

import pytest

from tallystick import FailurePolicy, Journal
from tallystick.core.plans import Advice
from tests.behaviour.scenarios import begin, do, end, fail, planned, start, status, step
from tests.promises import promise


def _branches(journal: Journal, policy: object) -> str:
    """`base`, then two branches: `left` with `leaf` behind it, and `right`; `other` depends on nothing."""
    return planned(
        journal,
        step("base", after=()),
        step("left", after=("base",), failure_policy=policy),
        step("leaf", after=("left",)),
        step("right", after=("base",)),
        step("other", after=()),
    )


@promise("a-failure-brings-up-its-policy")
@pytest.mark.parametrize(
    ("policy", "cancels", "goes_on"),
    [
        ("cancel_all", ("leaf", "right", "other"), ()),
        ("cancel_dependent", ("leaf",), ("right", "other")),
        ("continue_others", ("leaf",), ("right", "other")),
        ("manual_decision", (), ("right", "other")),
        (FailurePolicy(action="cancel_dependent", propagate_to=("right",)), ("leaf", "right"), ("other",)),
        (FailurePolicy(action="continue_others", propagate_to=("other",)), ("leaf", "other"), ("right",)),
    ],
    ids=[
        "cancel_all",
        "cancel_dependent",
        "continue_others",
        "manual_decision",
        "propagates",
        "propagates_and_goes_on",
    ],
)
def test_each_policy_names_the_steps_that_it_would_cancel_and_those_that_go_on(
    journal: Journal, policy: object, cancels: tuple[str, ...], goes_on: tuple[str, ...]
) -> None:
    execution = _branches(journal, policy)
    do(journal, step="base")
    receipt = end(journal, begin(journal, step="left"), "failed", error="it broke")
    (advice,) = journal.get_status(execution_id=execution).advice
    name = policy.action if isinstance(policy, FailurePolicy) else policy
    assert (advice.step, advice.policy, advice.cancels, advice.goes_on) == ("left", name, cancels, goes_on)
    assert advice.text
    assert receipt.advice == (advice,)


@promise("a-failure-brings-up-its-policy")
def test_the_brief_shows_the_advice_of_the_plan(journal: Journal) -> None:
    execution = planned(journal, step("one", failure_policy="cancel_all"), "two")
    fail(journal, step="one")
    assert "cancel everything" in journal.get_brief(execution_id=execution).text


@promise("a-failure-brings-up-its-policy")
def test_the_reason_of_a_policy_is_kept_with_the_plan(journal: Journal) -> None:
    policy = FailurePolicy(action="cancel_all", reason="half a move is worse than none", propagate_to=("two",))
    execution = planned(journal, step("one", failure_policy=policy), "two")
    made = journal.get_status(execution_id=execution).execution.plan_id
    stored = journal.get_plan(plan_id=made).revisions[0].steps[0]["failure_policy"]
    assert stored == {"action": "cancel_all", "reason": "half a move is worse than none", "propagate_to": ["two"]}


@promise("advice-is-not-carried-out")
def test_advice_changes_nothing(journal: Journal) -> None:
    execution = _branches(journal, "cancel_all")
    do(journal, step="base")
    fail(journal, step="left")
    view = journal.get_status(execution_id=execution)
    assert status(journal, execution) == "running"
    assert {each.id: each.actual for each in view.steps} == {
        "base": "done",
        "left": "failed",
        "leaf": "planned",
        "right": "planned",
        "other": "planned",
    }
    assert view.next_steps == ()
    do(journal, step="other")  # it is not next, and not forbidden either


@promise("advice-is-not-carried-out")
def test_advice_goes_when_the_failure_is_dealt_with(journal: Journal) -> None:
    execution = _branches(journal, "cancel_all")
    do(journal, step="base")
    fail(journal, step="left")
    journal.record_decision(decision="retry", step="left", why="it may work now")
    do(journal, step="left")
    assert journal.get_status(execution_id=execution).advice == ()


@promise("a-failure-brings-up-its-policy")
def test_a_failure_without_a_step_has_no_advice(journal: Journal) -> None:
    execution = start(journal)
    assert end(journal, begin(journal, "touch"), "failed").advice == ()
    found: tuple[Advice, ...] = journal.get_status(execution_id=execution).advice
    assert found == ()


@promise("advice-is-not-carried-out")
def test_a_failure_while_unwinding_brings_up_no_policy_and_leaves_nothing_to_decide(journal: Journal) -> None:
    execution = _branches(journal, "manual_decision")
    base = begin(journal, step="base")
    journal.record_decision(decision="unwind", why="wrong")
    assert end(journal, base, "failed", without_effect=True).advice == ()
    ended = journal.record_decision(decision="done", execution_id=execution)
    assert (ended.status, ended.unfinished) == ("cancelled", {})
