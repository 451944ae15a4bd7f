"""Strategies for what the core is made of."""

from hypothesis import strategies as st

from tallystick.core.entries import StepFacts
from tallystick.core.types import Cancellable, Effect, FailureAction

letters = st.characters(codec="utf-8", exclude_characters="\x00")
texts = st.text(letters, max_size=30)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
json_values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(texts, json_values, max_size=4)

CANCELLABLE: tuple[Cancellable, ...] = ("reversible", "partially-reversible", "irreversible")
EFFECTS: tuple[Effect, ...] = ("read", "idempotent", "probeable", "unsafe")
POLICIES: tuple[FailureAction, ...] = ("cancel_all", "cancel_dependent", "continue_others", "manual_decision")


@st.composite
def plans(draw: st.DrawFn, largest: int = 6) -> tuple[StepFacts, ...]:
    """Steps in any order, of which none waits for itself, by however long a way."""
    names = [f"s{number}" for number in range(draw(st.integers(1, largest)))]
    steps = [
        StepFacts(
            id=name,
            cancellable=draw(st.sampled_from(CANCELLABLE)),
            after=tuple(draw(st.lists(st.sampled_from(names[:index]), unique=True, max_size=3))) if index else (),
            effect=draw(st.sampled_from(EFFECTS)),
            failure_policy=draw(st.sampled_from(POLICIES)),
            propagate_to=tuple(draw(st.lists(st.sampled_from(names), unique=True, max_size=1))),
            has_undo=draw(st.booleans()),
            undo_until=draw(st.sampled_from(["", "1m", "2h"])),
            needs_approval=draw(st.booleans()),
            estimate=draw(st.sampled_from([None, 30.0, 7200.0])),
        )
        for index, name in enumerate(names)
    ]
    return tuple(draw(st.permutations(steps)))


def all_behind(steps: tuple[StepFacts, ...], name: str) -> set[str]:
    """Every step that comes after one, by a slow and plain search."""
    found: set[str] = set()
    while more := {step.id for step in steps if {name, *found} & set(step.after)} - found:
        found |= more
    return found
