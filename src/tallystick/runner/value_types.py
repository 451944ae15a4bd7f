"""The types of the values that expressions refer to, from the schemas of tools and parameters.

A type is a JSON Schema. Where it says nothing, the value is checked when it is used. A schema that lists the fields of
an object is taken to list all of them, unless it allows others explicitly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import json_schema
from tallystick.runner.expressions import CelNames, Path, result_type, shorten

MAX_LINKS = 16
"""References from schema to schema that are followed."""
_CEL = {"string": "STRING", "integer": "INT", "boolean": "BOOL", "object": "MAP"}
"""The CEL types of JSON types. A JSON number may be a whole one, and CEL compares those with others by no type."""
_NOT_JSON = ("TIMESTAMP", "DURATION", "BYTES", "TYPE")
"""CEL types whose values cannot be recorded."""
_JSON = {"STRING": "string", "INT": "integer", "DOUBLE": "number", "BOOL": "boolean", "NULL": "null"}


class NoSuchMember(Exception):
    """A value of this type has no such part. `names` are those that it has."""

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        super().__init__(names)
        self.names = names


class ValueType(Struct, frozen=True):
    """The type of a value; an empty schema where nothing is known. `root` holds the definitions that it refers to."""

    schema: Mapping[str, Any] = {}
    root: Any = None

    @property
    def types(self) -> tuple[str, ...]:
        """The JSON types that it may have; none if that is not known."""
        named = self.schema.get("type")
        if named:
            return tuple(named) if isinstance(named, list) else (named,)
        branches = [self._part(each).types for each in self._branches()]
        return tuple(dict.fromkeys(name for names in branches for name in names)) if all(branches) else ()

    @property
    def items(self) -> ValueType:
        """The type of the items of a list."""
        return self._part(self.schema.get("items")) if "prefixItems" not in self.schema else UNKNOWN

    def member(self, name: str, *, quoted: bool = False) -> ValueType:
        """The type of a part; raises NoSuchMember. A `quoted` name may be one that the schema does not list."""
        only = self._only_branch()
        if only is not self:
            return only.member(name, quoted=quoted)
        if self.types == ("object",) or "properties" in self.schema:
            return self._field(name, quoted)
        if self.types == ("array",):
            if not name.isdigit():
                raise NoSuchMember
            return self.items
        if len(self.types) == 1:
            raise NoSuchMember
        return UNKNOWN

    def _field(self, name: str, quoted: bool) -> ValueType:
        fields = self.schema.get("properties", {})
        if name in fields:
            return self._part(fields[name])
        others = self.schema.get("additionalProperties", not fields)
        if others is False and not quoted and "patternProperties" not in self.schema:
            raise NoSuchMember(tuple(fields))
        return self._part(others)

    @property
    def cel(self) -> str:
        """The type that a CEL expression is compiled with."""
        (kind,) = self.types if len(self.types) == 1 else ("",)
        return f"LIST:{self.items.cel}" if kind == "array" else _CEL.get(kind, "DYN")

    def _only_branch(self) -> ValueType:
        """The one type that it has beside null; itself if there is none, or several."""
        branches = [self._part(each) for each in self._branches()]
        found = [each for each in branches if each.types != ("null",)]
        return found[0] if len(found) == 1 else self

    def _branches(self) -> list[Any]:
        found = self.schema.get("anyOf") or self.schema.get("oneOf")
        return found if isinstance(found, list) else []

    def _part(self, schema: Any) -> ValueType:
        return type_of_schema(schema, self.root)


UNKNOWN = ValueType()
TEXT = ValueType({"type": "string"})
WHOLE_NUMBER = ValueType({"type": "integer"})


def type_of_schema(schema: Any, root: Any = None) -> ValueType:
    """The type that a JSON Schema describes; unknown where the schema is none."""
    root = schema if root is None else root
    for _ in range(MAX_LINKS):
        if not isinstance(schema, Mapping):
            return UNKNOWN
        if "$ref" not in schema:
            return ValueType(schema, root)
        try:
            schema = json_schema.resolve(root, str(schema["$ref"]), "")
        except InvalidArgument:
            return UNKNOWN
    return UNKNOWN


def list_of(items: ValueType) -> ValueType:
    return ValueType({"type": "array", "items": items.schema}, items.root)


def type_of_expression(expression: str, types: Mapping[Path, ValueType]) -> ValueType:
    """The type of a CEL expression's value, given the types of the names in it; raises InvalidArgument."""
    name = result_type(expression, _cel_names(types))
    if name.startswith("LIST"):
        return ValueType({"type": "array"})
    if name.startswith("MAP"):
        return ValueType({"type": "object"})
    if name.startswith(_NOT_JSON):
        raise InvalidArgument(
            f"The expression {shorten(expression)} gives a {name.partition('<')[0].lower()}, which is not JSON.",
            hint="Write string(...) around it.",
        )
    return ValueType({"type": _JSON[name]}) if name in _JSON else UNKNOWN


def _cel_names(types: Mapping[Path, ValueType]) -> CelNames:
    named = {".".join(path.parts): kind.cel for path, kind in types.items()}
    return tuple(sorted(named.items()))
