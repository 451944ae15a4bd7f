"""The order of steps: with masks and by a plain search."""

from hypothesis import given

from tallystick.core.entries import StepFacts
from tallystick.core.plans import StepOrder
from tallystick.core.undo import known_order
from tests.core.values import all_behind, plans


@given(plans())
def test_descendants_are_all_steps_that_come_after_a_step(steps: tuple[StepFacts, ...]) -> None:
    order = StepOrder(steps)
    together = order.all_descendants()
    for index, step in enumerate(steps):
        expected = all_behind(steps, step.id)
        assert set(order.ids_in(order.descendants(step.id))) == expected
        assert order.descendants(step.id) == together[index]


@given(plans())
def test_parents_and_children_are_the_two_sides_of_after(steps: tuple[StepFacts, ...]) -> None:
    order = StepOrder(steps)
    for step in steps:
        assert set(order.parents(step.id)) == set(step.after)
        for child in order.children(step.id):
            assert step.id in order.parents(child)


@given(plans())
def test_a_mask_names_its_steps_in_the_order_of_the_plan(steps: tuple[StepFacts, ...]) -> None:
    order = StepOrder(steps)
    names = [step.id for step in steps]
    assert list(order.ids_in(order.mask(reversed(names)))) == names


def test_names_that_are_no_steps_are_ignored() -> None:
    order = StepOrder([StepFacts(id="a", cancellable="reversible", after=("gone",))])
    assert order.parents("a") == []
    assert order.children("gone") == []
    assert order.descendants("gone") == 0
    assert order.mask(["gone"]) == 0


def facts(id: str, *after: str) -> StepFacts:
    return StepFacts(id=id, cancellable="reversible", after=after)


def test_a_step_depends_on_others_as_its_newest_revision_says() -> None:
    order = known_order([[facts("a"), facts("b", "a"), facts("gone", "b")], [facts("a", "b"), facts("b")]])
    assert {step: order.parents(step) for step in ("a", "b", "gone")} == {"a": ["b"], "b": [], "gone": ["b"]}


def test_a_step_that_gathered_a_list_comes_after_its_items_although_a_later_revision_does_not_name_them() -> None:
    expanded = [facts("b.1"), facts("b.2"), facts("b", "b.1", "b.2"), facts("c", "b")]
    order = known_order([expanded, [facts("b"), facts("c", "b")]])
    assert set(order.ids_in(order.descendants("b.1"))) == {"b", "c"}
