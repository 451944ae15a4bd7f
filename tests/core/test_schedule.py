"""The schedule: which steps are ready, in which order, and that an update finds what a new schedule would find."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from tallystick.core.schedule import SETTLED, Schedule


class Planned(Struct):
    id: str
    after: tuple[str, ...] = ()
    priority: int = 0
    estimate: float | None = None


@st.composite
def plans(draw: st.DrawFn) -> list[Planned]:
    size = draw(st.integers(1, 12))
    return [
        Planned(
            id=f"s{number}",
            after=tuple(f"s{other}" for other in draw(st.sets(st.integers(0, number - 1)))) if number else (),
            priority=draw(st.integers(-2, 2)),
            estimate=draw(st.none() | st.floats(0, 100)),
        )
        for number in range(size)
    ]


STATES = ("", "running", "done", "skipped", "failed", "in_doubt")


UPDATES = st.lists(st.tuples(st.integers(0, 11), st.sampled_from(STATES)), max_size=40)


@given(plans(), UPDATES, st.booleans())
def test_updates_one_by_one_give_what_a_new_schedule_gives(
    steps: list[Planned], updates: list[tuple[int, str]], only_direct: bool
) -> None:
    schedule, states = Schedule(steps, only_direct=only_direct), dict[str, str]()
    for number, state in updates:
        name = steps[number % len(steps)].id
        before = set(schedule.ready())
        states[name] = state
        found = schedule.update(name, state)
        assert schedule.ready() == Schedule(steps, states, only_direct=only_direct).ready()
        assert set(schedule.ready()) - before <= set(found) <= set(schedule.ready())


@given(plans(), UPDATES)
def test_a_step_is_ready_only_when_all_steps_before_it_are_settled_directly_or_not(
    steps: list[Planned], updates: list[tuple[int, str]]
) -> None:
    schedule, by_name = Schedule(steps), {step.id: step for step in steps}
    for number, state in updates:
        schedule.update(steps[number % len(steps)].id, state)

    def held_by(name: str) -> set[str]:
        before = {each: held_by(each) for each in by_name[name].after}
        unsettled = {each for each in before if schedule.states.get(each) not in SETTLED}
        return unsettled.union(*before.values())

    ready = [step.id for step in steps if not schedule.states.get(step.id) and not held_by(step.id)]
    assert sorted(schedule.ready()) == sorted(ready)
    assert [step.id for step in steps if schedule.is_ready(step.id)] == ready
    assert schedule.first_ready(len(steps)) == ready
    for step in steps:
        assert held_by(step.id) <= set(schedule.unsettled_before(step.id))
        after = Schedule(steps, {**schedule.states, step.id: "done"})
        assert set(schedule.ready_after(step.id)) <= set(after.ready()) - set(schedule.ready())


@given(plans())
def test_carrying_out_what_is_ready_carries_out_everything_in_an_order_that_the_plan_allows(
    steps: list[Planned],
) -> None:
    schedule, order = Schedule(steps), list[str]()
    while ready := schedule.ready():
        order.append(ready[0])
        schedule.update(ready[0], "done")
    assert schedule.is_settled
    place = {name: index for index, name in enumerate(order)}
    assert all(place[before] < place[step.id] for step in steps for before in step.after)
    assert sorted(order) == sorted(step.id for step in steps)


def test_priority_comes_first_then_the_longest_way_behind_then_the_place_in_the_plan() -> None:
    steps = [
        Planned("short"),
        Planned("long"),
        Planned("urgent", priority=1),
        Planned("behind", after=("long",)),
        Planned("last", after=("behind", "short"), estimate=100),
    ]
    assert Schedule(steps).ready() == ["urgent", "long", "short"]


def test_a_failed_step_and_one_in_doubt_hold_back_what_comes_after_them() -> None:
    steps = [Planned("a"), Planned("b", after=("a",)), Planned("c")]
    for state in ("running", "failed", "in_doubt"):
        assert Schedule(steps, {"a": state}).ready() == ["c"]
    for state in SETTLED:
        assert Schedule(steps, {"a": state}).ready() == ["b", "c"]
    assert Schedule(steps).behind("a") == {"b"}


def test_a_step_that_was_done_early_does_not_release_what_is_behind_it() -> None:
    steps = [Planned("gate"), Planned("early", after=("gate",)), Planned("last", after=("early",))]
    schedule = Schedule(steps, {"early": "done"})
    assert (schedule.ready(), schedule.unsettled_before("last")) == (["gate"], ["gate", "early"])
    assert schedule.update("gate", "done") == ["last"]
    assert schedule.update("gate", "") == ["gate"]
    assert Schedule(steps, {"early": "done"}, only_direct=True).ready() == ["gate", "last"]
