"""JSON Schema as a model should read it: from the type hints of an operation, with nothing in it but what helps.

Generated schemas carry titles, defaults, lengths and unions with null, which every agent pays for in every
conversation. Checking is done by the operation itself, whatever a schema leaves out.
"""

import types
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType
from msgspec.structs import fields

Schema = dict[str, Any]

_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    Any: {},
    object: {},
}
_ABSENT = (type(None), UnsetType)


def input_schema(
    arguments: type[Struct],
    shown: Sequence[str],
    within: Mapping[str, Sequence[str]],
    insist: Collection[str] = (),
    bare: Collection[str] = (),
) -> Schema:
    """The arguments to show, in this order. `within` says what to show of an argument that is a list of structs;
    `insist` is asked for though it may be left out; what is `bare` has a name that says enough."""
    hints = get_type_hints(arguments, include_extras=True)
    required = {field.name for field in fields(arguments) if field.required} | set(insist)
    properties = {name: schema_of(hints[name], within.get(name, ())) for name in shown}
    schema = _object(properties, [name for name in shown if name in required])
    for name in bare:
        _strip(schema, name)
    return schema


def output_schema(result: type[Struct]) -> Schema:
    """The whole of an answer. What is left out of an answer when it is empty is not required."""
    return _struct(result, ())


def schema_of(hint: Any, shown: Sequence[str] = ()) -> Schema:
    """One type. A union of a word and an object is shown by its description alone: that says it in fewer words."""
    if get_origin(hint) is Annotated:
        base, *notes = get_args(hint)
        return {**schema_of(base, shown), **_noted(notes)}
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin, given = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(given)}
    if origin in (Union, types.UnionType):
        kinds = [each for each in given if each not in _ABSENT]
        return schema_of(kinds[0], shown) if len(kinds) == 1 else {}
    if origin in (tuple, list, Sequence) or (isinstance(origin, type) and issubclass(origin, Sequence)):
        return {"type": "array", "items": schema_of(given[0], shown)}
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _struct(hint, shown)
    return {"type": "object"}


def _strip(schema: Schema, name: str) -> None:
    """Take away the description of a property, and of those by the same name inside the items of a list."""
    for found, property in schema.get("properties", {}).items():
        if found == name:
            property.pop("description", None)
        _strip(property.get("items", {}), name)


def _struct(struct: type[Struct], shown: Sequence[str]) -> Schema:
    hints = get_type_hints(struct, include_extras=True)
    all_fields = {field.name: field for field in fields(struct)}
    names = list(shown or all_fields)
    properties = {all_fields[name].encode_name: schema_of(hints[name]) for name in names}
    return _object(properties, [name for name in names if _is_required(all_fields[name])])


def _is_required(field: Any) -> bool:
    return field.default in (NODEFAULT, UNSET) and field.default_factory is NODEFAULT and field.default is not UNSET


def _object(properties: Schema, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def _noted(notes: Sequence[Any]) -> Schema:
    said: Schema = {}
    for note in notes:
        if isinstance(note, Meta):
            if note.description:
                said["description"] = note.description
            if note.ge is not None and note.le is not None and note.le <= 100:  # larger bounds tell a model nothing
                said["minimum"], said["maximum"] = note.ge, note.le
    return said
