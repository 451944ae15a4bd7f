"""JSON Schema: the same verdicts as the reference implementation, for the keywords that are supported."""

from typing import Any

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.json_schema import Unknown, check_schema, check_value

_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 1.0, -2.0])
    | st.sampled_from(["", "a", "abc"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
_TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"]
_COUNTS = st.integers(0, 3)


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(_TYPES) | st.lists(st.sampled_from(_TYPES), min_size=1, max_size=3, unique=True),
            "enum": st.lists(_VALUES, min_size=1, max_size=3),
            "const": _VALUES,
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
            "additionalProperties": inner,
            "items": inner,
            "anyOf": several,
            "allOf": several,
            "oneOf": several,
            "not": inner,
            "minimum": st.integers(-2, 2),
            "exclusiveMaximum": st.integers(-2, 2),
            "minLength": _COUNTS,
            "maxLength": _COUNTS,
            "minItems": _COUNTS,
            "maxItems": _COUNTS,
            "minProperties": _COUNTS,
            "uniqueItems": st.booleans(),
            "title": st.just("nothing"),
        },
    )


def _fits(value: Any, schema: Any) -> bool:
    try:
        check_value(value, schema, "value")
    except InvalidArgument:
        return False
    return True


@settings(max_examples=300, deadline=None)
@given(schema=st.recursive(st.booleans() | st.just({}), _schemas, max_leaves=5), value=_VALUES)
@example(schema={"const": {"c": False}}, value={"c": 0})
@example(schema={"enum": [[1]]}, value=[True])
@example(schema={"const": 1}, value=1.0)
@example(schema={"uniqueItems": True}, value=[{"a": 1}, {"a": 1.0}])
@example(schema={"uniqueItems": True}, value=[[0], [False]])
def test_it_agrees_with_the_reference_implementation(schema: Any, value: Any) -> None:
    check_schema(schema, "schema")
    expected = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert _fits(value, schema) is expected


def test_a_reference_inside_the_schema_is_followed() -> None:
    tree = {"$ref": "#/$defs/Tree", "$defs": {"Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}
    check_schema(tree, "schema")
    assert _fits([[], [[]]], tree)
    assert not _fits([[], [1]], tree)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}},
        {
            "$ref": "#/$defs/0",
            "$defs": {str(n): {"anyOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(40)} | {"40": False},
        },
    ],
)
def test_a_schema_without_end_is_refused(schema: Any) -> None:
    check_schema(schema, "schema")
    with pytest.raises(InvalidArgument, match="takes too long"):
        check_value(1, schema, "value")


@pytest.mark.parametrize(
    "schema",
    [
        7,
        {"type": "int"},
        {"pattern": "a"},
        {"if": {}},
        {"$ref": "#/$defs/none"},
        {"items": {"minimum": "1"}},
        {"anyOf": []},
    ],
)
def test_a_schema_that_is_not_supported_is_refused_with_a_hint(schema: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_schema(schema, "schema")
    assert (caught.value.field, bool(caught.value.hint)) == ("schema", True)


def _with_unknowns(value: Any, draw: st.DrawFn) -> Any:
    """The value with some of its parts not known, or only their types."""
    if draw(st.integers(0, 3)) == 0:
        names = [name for name in _TYPES if _fits(value, {"type": name})]
        return Unknown(draw(st.sampled_from([(), tuple(names)])))
    if isinstance(value, dict):
        return {name: _with_unknowns(item, draw) for name, item in value.items()}
    return [_with_unknowns(item, draw) for item in value] if isinstance(value, list) else value


@settings(deadline=None)
@given(st.recursive(st.booleans(), _schemas, max_leaves=6), _VALUES, st.data())
def test_a_value_that_fits_still_fits_when_parts_of_it_are_not_known(schema: Any, value: Any, data: Any) -> None:
    if _fits(value, schema):
        assert _fits(_with_unknowns(value, data.draw), schema)


def test_an_unknown_value_of_a_wrong_type_does_not_fit() -> None:
    schema = {"type": "object", "properties": {"n": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}
    assert _fits({"n": Unknown()}, schema)
    assert _fits({"n": Unknown(("number",))}, schema)
    assert not _fits({"n": Unknown(("string",))}, schema)
    assert not _fits(Unknown(("array",)), schema)
    assert not _fits([1, Unknown(("string",))], {"prefixItems": [True, {"type": "integer"}], "items": False})
