"""An undo with its references filled in: all of them or a named lack of them, and nothing else touched."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.types import Undo
from tallystick.core.undo import fill_references
from tests.core.values import json_values, objects

names = st.text(st.characters(codec="utf-8", exclude_characters=".{}\x00"), min_size=1, max_size=8)


@given(objects)
def test_a_value_without_references_is_returned_unchanged(arguments: dict[str, Any]) -> None:
    if "${" not in repr(arguments):
        filled = fill_references(Undo(tool="rm", arguments=arguments), arguments={}, result={})
        assert (filled.tool, filled.arguments, filled.missing) == ("rm", arguments, ())


@given(st.lists(names, min_size=1, max_size=4), json_values, st.sampled_from(["result", "arguments"]))
def test_a_reference_that_is_the_whole_text_becomes_the_value_itself(path: list[str], value: Any, source: str) -> None:
    if value is None or str(value).startswith("[masked"):
        return
    recorded: Any = value
    for name in reversed(path):
        recorded = {name: recorded}
    written = f"${{{source}.{'.'.join(path)}}}"
    undo = Undo(tool="t", arguments={"x": [written]})
    filled = fill_references(undo, **{"arguments": None, "result": None, source: recorded})
    assert filled.arguments == {"x": [value]}
    assert filled.missing == ()


@given(st.integers() | st.text(st.characters(codec="ascii"), min_size=1, max_size=8))
def test_a_reference_inside_a_text_is_written_out(value: Any) -> None:
    filled = fill_references(Undo(words="undo ${result.id} now"), arguments=None, result={"id": value})
    assert filled.words == f"undo {value} now"


@pytest.mark.parametrize("result", [None, {}, {"id": None}, {"id": "[masked:token]"}, [1], "text"])
def test_a_reference_to_a_missing_or_masked_value_is_listed_once_and_left_unchanged(result: Any) -> None:
    undo = Undo(tool="t", arguments={"id": "${result.id}", "also": "at ${result.id}"})
    filled = fill_references(undo, arguments=None, result=result)
    assert filled.arguments == undo.arguments
    assert filled.missing == ("${result.id}",)


def test_list_indexes_in_references_start_at_zero() -> None:
    undo = Undo(tool="t", arguments={"first": "${result.0}", "deep": "${arguments.paths.1.name}"})
    filled = fill_references(undo, arguments={"paths": [{}, {"name": "b"}]}, result=["a"])
    assert filled.arguments == {"first": "a", "deep": "b"}


@given(objects, json_values, json_values)
def test_filling_references_never_fails_and_does_not_change_its_input(
    written: dict[str, Any], arguments: Any, result: Any
) -> None:
    undo = Undo(tool="t", arguments={**written, "r": "${result}", "a": "x ${arguments.a.b}"})
    before = repr((undo, arguments, result))
    assert fill_references(undo, arguments=arguments, result=result).tool == "t"
    assert repr((undo, arguments, result)) == before
