"""JSON without the package around it: the values and bytes are those of the standard library and of the journal."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.core.formats import canonical_json, fast_json

ODD = st.text(st.characters(), max_size=8)
PLAIN = st.text(max_size=8)
NUMBERS = st.none() | st.booleans() | st.integers()
FINITE = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    NUMBERS | st.floats() | ODD, lambda inner: st.lists(inner) | st.dictionaries(ODD, inner), max_leaves=8
)
KEPT = st.recursive(
    NUMBERS | FINITE | PLAIN, lambda inner: st.lists(inner) | st.dictionaries(PLAIN, inner), max_leaves=8
)


@settings(deadline=None)
@given(VALUES)
def test_it_writes_the_same_as_the_standard_library_and_reads_it_back(value: Any) -> None:
    text = fast_json.dump(value)
    assert text == json.dumps(value, separators=(",", ":"))
    assert text.isascii()
    assert "\n" not in text
    assert json.dumps(fast_json.parse(f" {text}\n")) == json.dumps(value)


@settings(deadline=None)
@given(KEPT)
def test_the_canonical_bytes_are_those_of_the_journal(value: Any) -> None:
    assert fast_json.canonical(value) == canonical_json.canonical(value)


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["{", "}", "[", "]", ",", ":", "1", "-2.5e3", '"a"', "null", " ", "NaN", "x"])).map(
        "".join
    )
)
def test_values_that_the_standard_library_refuses_are_refused(text: str) -> None:
    try:
        expected = json.loads(text, strict=False)
    except ValueError:
        with pytest.raises(ValueError, match=r"\w"):
            fast_json.parse(text)
    else:
        assert json.dumps(fast_json.parse(text)) == json.dumps(expected)


@pytest.mark.parametrize("text", ["", " ", "{", "[1,]", "1 2", '{"a"', "x", "nan", '{"a":}', "[", '"'])
def test_invalid_json_raises_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        fast_json.parse(text)


def test_too_deep_is_an_error_and_no_crash() -> None:
    with pytest.raises(RecursionError):
        fast_json.parse("[" * 100_000 + "]" * 100_000)


@pytest.mark.parametrize("value", [math.nan, [math.inf], {"a": "\ud800"}])
def test_values_that_the_journal_refuses_have_no_canonical_form(value: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        fast_json.canonical(value)
