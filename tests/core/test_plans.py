"""Plans before they are recorded: ids and order are settled, mistakes are named, and warnings are given."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from tallystick.core.entries import StepFacts
from tallystick.core.errors import InvalidArgument, TooLarge
from tallystick.core.plans import normalize_steps, ready_steps, step_facts, step_id, warnings
from tallystick.core.types import FailurePolicy, Step
from tests.core.values import all_behind, plans

titles = st.text(min_size=1, max_size=60)
unnamed = st.lists(st.builds(Step, title=titles, cancellable=st.just("reversible")), min_size=1, max_size=8)


def step(id: str, *after: str, title: str = "Do it") -> Step:
    return Step(id=id, title=title, cancellable="reversible", after=after)


@given(unnamed)
def test_steps_without_ids_get_one_each_and_run_in_the_order_written(steps: list[Step]) -> None:
    settled = normalize_steps(steps, 100)
    names = [step_id(one) for one in settled]
    assert len(set(names)) == len(steps)
    assert [one.title for one in settled] == [one.title for one in steps]
    assert [one.after for one in settled] == [(), *((name,) for name in names[:-1])]


@given(unnamed)
def test_normalizing_twice_changes_nothing(steps: list[Step]) -> None:
    settled = normalize_steps(steps, 100)
    assert normalize_steps(settled, 100) == settled


@given(plans())
def test_every_plan_without_a_cycle_is_accepted_unchanged(plan: tuple[StepFacts, ...]) -> None:
    steps = [
        Step(id=one.id, title=one.id, cancellable=one.cancellable, after=one.after, effect=one.effect) for one in plan
    ]
    assert [(one.id, one.after) for one in normalize_steps(steps, 100)] == [(one.id, one.after) for one in plan]


@given(plans(), st.data())
def test_a_cycle_anywhere_is_refused_and_named(plan: tuple[StepFacts, ...], data: st.DataObject) -> None:
    closing = data.draw(st.sampled_from(plan))
    end = data.draw(st.sampled_from([closing.id, *sorted(all_behind(plan, closing.id))]))
    steps = [step(one.id, *one.after, *([end] if one.id == closing.id else [])) for one in plan]
    with pytest.raises(InvalidArgument, match="wait for each other"):
        normalize_steps(steps, 100)


@pytest.mark.parametrize(
    ("steps", "names"),
    [
        ([], "at least one step"),
        ([step("a"), step("a")], 'Two steps have the id "a"'),
        ([step("a", "b")], '"b", which is no step'),
        ([replace(step("a"), failure_policy=FailurePolicy(propagate_to=("z",)))], '"z", which is no step'),
        ([replace(step("a"), undo_until="soon")], "is not a time"),
    ],
)
def test_a_mistake_in_a_plan_is_named(steps: list[Step], names: str) -> None:
    with pytest.raises(InvalidArgument, match=names):
        normalize_steps(steps, 100)


def test_more_steps_than_the_limit_are_refused_with_the_limit() -> None:
    with pytest.raises(TooLarge, match="the limit is 3"):
        normalize_steps([step(f"s{number}") for number in range(4)], 3)


def test_an_id_made_from_a_title_never_collides_with_a_given_id() -> None:
    given_first = Step(id="pay", title="Later", cancellable="reversible")
    made = Step(title="Pay!", cancellable="reversible")
    assert [one.id for one in normalize_steps([made, given_first], 10)] == ["pay_2", "pay"]
    assert made.id is UNSET


def test_ten_thousand_steps_in_a_row_are_normalized_with_warnings() -> None:
    steps = [Step(title="s", cancellable="reversible", undo_until="1m", estimate=1.0) for _ in range(10_000)]
    settled = normalize_steps(steps, 10_000)
    warned = warnings([step_facts(one) for one in settled], 0)
    assert settled[-1].after == ("s_9999",)
    assert len(warned) == 21
    assert warned[-1].startswith("and ")


@given(plans(), st.data())
def test_a_step_is_ready_when_it_was_not_begun_and_all_before_it_are_settled(
    plan: tuple[StepFacts, ...], data: st.DataObject
) -> None:
    words = st.sampled_from(["", "running", "done", "failed", "skipped", "in_doubt"])
    status = {one.id: data.draw(words) for one in plan}
    found = ready_steps(plan, status)
    for one in plan:
        may_begin = not status[one.id] and all(status[name] in ("done", "skipped") for name in one.after)
        assert (one.id in found) == may_begin
    assert found == [one.id for one in plan if one.id in found]


@given(plans())
def test_running_the_ready_steps_repeatedly_completes_the_plan(plan: tuple[StepFacts, ...]) -> None:
    status: dict[str, str] = {}
    while found := ready_steps(plan, status):
        status.update(dict.fromkeys(found, "done"))
    assert len(status) == len(plan)


@given(plans())
def test_the_warnings_are_those_a_good_colleague_would_give(plan: tuple[StepFacts, ...]) -> None:
    warned = "\n".join(warnings(plan, 0, most=1000))
    acting = [one for one in plan if one.effect != "read"]
    for one in acting:
        irreversible = one.cancellable == "irreversible"
        undoable = {other.id for other in acting if other.cancellable != "irreversible"}
        risky = bool(all_behind(plan, one.id) & undoable)
        assert (f"{one.id} is irreversible and comes before" in warned) == (irreversible and risky)
        assert (f"{one.id} is irreversible and needs no approval" in warned) == (
            irreversible and not one.needs_approval
        )
        assert (f"{one.id} is {one.cancellable} but has no undo" in warned) == (not irreversible and not one.has_undo)
        left = sum(other.estimate or 0 for other in plan[plan.index(one) + 1 :])
        seconds = {"": float("inf"), "1m": 60, "2h": 7200}[one.undo_until]
        assert (f"The undo of {one.id} expires" in warned) == (left > seconds)


@given(plans(), st.integers(0, 5))
def test_the_warnings_are_bounded_and_the_rest_is_counted(plan: tuple[StepFacts, ...], most: int) -> None:
    every = warnings(plan, 0, most=1000)
    some = warnings(plan, 0, most=most)
    assert some[:most] == every[:most]
    assert len(some) == min(len(every), most + 1)


@pytest.mark.parametrize("undo", [{}, {"tool": "rm"}, range(3)])
def test_a_step_built_with_an_undo_of_another_type_is_refused(undo: Any) -> None:
    with pytest.raises(InvalidArgument, match="undo"):
        Step(title="Copy", undo=undo)
