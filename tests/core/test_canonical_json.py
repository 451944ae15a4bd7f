"""JSON goes in and comes out the same; other values are refused; any program can compute the canonical bytes."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json as msgspec_json

from tallystick.core.errors import InvalidArgument, TooLarge
from tallystick.core.formats.canonical_json import Limits, canonical, encode, parse
from tests.core.values import json_values, texts


@given(json_values)
def test_any_json_value_survives_encoding_and_parsing(value: Any) -> None:
    text = encode(value)
    assert json.loads(text) == value
    assert msgspec_json.decode(text) == value
    assert parse(text, "value") == value


@given(json_values)
def test_the_canonical_bytes_are_those_of_a_few_lines_of_the_standard_library(value: Any) -> None:
    assert canonical(value) == restated(value)


@given(json_values)
def test_the_canonical_bytes_do_not_depend_on_how_a_value_was_written(value: Any) -> None:
    assert canonical(json.loads(json.dumps(_turned(value)))) == canonical(value)


@given(json_values, json_values)
def test_two_values_have_the_same_canonical_bytes_only_when_they_are_equal(one: Any, other: Any) -> None:
    if canonical(one) == canonical(other):
        assert json.loads(canonical(one)) == json.loads(canonical(other)) == one == other


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        "a\x00b",
        {"a\x00": 1},
        "\ud800",
        ["\udfff"],
        {1: "number"},
        {None: 1},
        b"bytes",
        {1, 2},
        Ellipsis,
        {"deep": [math.nan]},
    ],
    ids=repr,
)
def test_a_value_that_is_not_json_is_refused(value: Any) -> None:
    with pytest.raises(InvalidArgument):
        encode(value)


@given(st.integers(0, 8))
def test_an_escaped_backslash_before_u0000_is_not_a_nul(slashes: int) -> None:
    written = "\\" * slashes + "u0000"
    assert json.loads(encode({"text": written})) == {"text": written}
    with pytest.raises(InvalidArgument):
        encode({"text": written + "\x00"})


@given(st.integers(1, 70), st.booleans())
def test_the_depth_has_a_limit(levels: int, listed: bool) -> None:
    value: Any = 1
    for _ in range(levels):
        value = [value] if listed else {"a": value}
    if levels <= 64:
        assert json.loads(encode(value)) == value
    else:
        with pytest.raises(TooLarge):
            encode(value)


@given(texts, st.integers(0, 40))
def test_the_size_has_a_limit_in_bytes(text: str, limit: int) -> None:
    size = len(json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode())
    if size <= limit:
        assert encode(text, Limits(body_bytes=limit))
    else:
        with pytest.raises(TooLarge):
            encode(text, Limits(body_bytes=limit))


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', "NaN", "[Infinity]", "{", "", "1 2", "[" * 100_000], ids=lambda text: str(text[:20])
)
def test_invalid_json_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        parse(text, "value")


def restated(value: Any) -> bytes:
    """The bytes that another program would write: names sorted, no spaces, whole numbers without a point."""

    def whole(part: Any) -> Any:
        if isinstance(part, float) and part == int(part) and abs(part) < 2**53:
            return int(part)
        if isinstance(part, dict):
            return {name: whole(item) for name, item in part.items()}
        return [whole(item) for item in part] if isinstance(part, list) else part

    return json.dumps(whole(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _turned(value: Any) -> Any:
    """The same value with every object's names in the other order."""
    if isinstance(value, dict):
        return {name: _turned(value[name]) for name in reversed(value)}
    return [_turned(item) for item in value] if isinstance(value, list) else value
