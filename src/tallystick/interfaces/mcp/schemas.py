"""JSON Schemas for models, from the type hints of an operation, with only what helps a model.

Generated schemas carry titles, defaults, lengths and unions with null, which every agent pays for in every
conversation. The operation itself validates its arguments, whatever the schema leaves out.
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
    nested: Mapping[str, Sequence[str]],
    required: Collection[str] = (),
    undescribed: Collection[str] = (),
) -> Schema:
    """The schema of the `shown` arguments, in this order.

    `nested` lists the fields to show of an argument that is a list of structs. `required` are arguments to require
    although they have defaults. `undescribed` are properties whose name says enough.
    """
    hints = get_type_hints(arguments, include_extras=True)
    all_required = {field.name for field in fields(arguments) if field.required} | set(required)
    properties = {name: schema_of(hints[name], nested.get(name, ())) for name in shown}
    schema = _object(properties, [name for name in shown if name in all_required])
    for name in undescribed:
        _remove_description(schema, name)
    return schema


def output_schema(result: type[Struct]) -> Schema:
    """The schema of a result. Fields that are omitted when they are empty are not required, nor is a receipt's hash."""
    schema = _struct(result, ())
    if "required" in schema:
        schema["required"] = [name for name in schema["required"] if name != "hash"]
    return schema


def schema_of(hint: Any, shown: Sequence[str] = ()) -> Schema:
    """The schema of one type. A union of a word and an object is shown by its description alone, which is shorter."""
    if get_origin(hint) is Annotated:
        base, *annotations = get_args(hint)
        return {**schema_of(base, shown), **_annotated(annotations)}
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (Union, types.UnionType):
        members = [each for each in args if each not in _ABSENT]
        return schema_of(members[0], shown) if len(members) == 1 else {}
    if origin in (tuple, list, Sequence) or (isinstance(origin, type) and issubclass(origin, Sequence)):
        return {"type": "array", "items": schema_of(args[0], shown)}
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _struct(hint, shown)
    return {"type": "object"}


def _remove_description(schema: Schema, name: str) -> None:
    """Remove the description of a property, also inside the items of lists."""
    for key, property in schema.get("properties", {}).items():
        if key == name:
            property.pop("description", None)
        _remove_description(property.get("items", {}), name)


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


def _annotated(annotations: Sequence[Any]) -> Schema:
    """The description and the bounds in the annotations of a type. Bounds over 100 do not help a model."""
    schema: Schema = {}
    for meta in annotations:
        if isinstance(meta, Meta):
            if meta.description:
                schema["description"] = meta.description
            if meta.ge is not None and meta.le is not None and meta.le <= 100:
                schema["minimum"], schema["maximum"] = meta.ge, meta.le
    return schema
