"""Failure policies of a plan: the steps that a failure would cancel, and those that go on."""

from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.entries import StepFacts
from tallystick.core.plans import advise
from tests.core.values import all_behind, plans

words = st.sampled_from(["", "running", "done", "failed", "skipped", "in_doubt"])


@given(plans(), st.data())
def test_advice_follows_the_policy_of_each_failed_step(plan: tuple[StepFacts, ...], data: st.DataObject) -> None:
    status = {one.id: data.draw(words) for one in plan}
    given_advice = advise(plan, status)
    failed = [one for one in plan if status[one.id] == "failed"]
    assert [advice.step for advice in given_advice] == [one.id for one in failed]
    for one, advice in zip(failed, given_advice, strict=True):
        waiting = {name for name, word in status.items() if word in ("", "running")}
        reached = all_behind(plan, one.id) | set(one.propagate_to)
        for name in one.propagate_to:
            reached |= all_behind(plan, name)
        dependent = waiting & reached
        cancels = {
            "cancel_all": waiting,
            "cancel_dependent": dependent,
            "continue_others": dependent,
            "manual_decision": set(),
        }[one.failure_policy]
        assert advice.policy == one.failure_policy
        assert set(advice.cancels) == cancels
        assert set(advice.goes_on) == waiting - cancels - dependent


@given(plans(), st.data())
def test_nothing_is_both_cancelled_and_goes_on(plan: tuple[StepFacts, ...], data: st.DataObject) -> None:
    status = {one.id: data.draw(words) for one in plan}
    for advice in advise(plan, status):
        assert not set(advice.cancels) & set(advice.goes_on)
        assert advice.text


@given(plans())
def test_a_plan_in_which_nothing_failed_gets_no_advice(plan: tuple[StepFacts, ...]) -> None:
    assert advise(plan, {one.id: "done" for one in plan}) == ()
