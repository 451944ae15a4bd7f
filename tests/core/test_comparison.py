"""Where two JSON values differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.operations.views.comparison import differences

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ({"x": 1}, {"x": 1}, []),
        ({"x": 1}, {"x": 2}, ["$.x"]),
        ({"x": 1}, {"x": True}, ["$.x"]),
        ({"x": None}, {}, ["$.x"]),
        ([1, [2, 3]], [1, [2]], ["$[1][1]"]),
        ({"a b": {"it's": 1}}, {"a b": {"it's": 2}}, ["$['a b']['it\\'s']"]),
        ([], {}, ["$"]),
    ],
)
def test_each_difference_is_named_by_its_path(a: object, b: object, expected: list[str]) -> None:
    assert [each.path for each in differences(a, b)] == expected


@given(JSON, JSON)
def test_there_is_a_difference_exactly_when_the_values_differ(a: object, b: object) -> None:
    assert bool(list(differences(a, b))) == (repr(a) != repr(b) and not _equal(a, b))


def _equal(a: object, b: object) -> bool:
    """Equality as JSON: the order of names does not matter, and true is not 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_equal(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_equal, a, b))
    return type(a) is type(b) and a == b
