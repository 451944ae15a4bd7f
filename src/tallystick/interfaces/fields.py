"""The arguments of an operation as a door sees them that is handed text: by the JSON Schema of its arguments."""

from typing import Any, Literal

import msgspec
from msgspec import NODEFAULT, Struct

from tallystick.operations import Operation

Kind = Literal["text", "word", "number", "flag", "list", "json", "any", "text_or_json"]

SHORT = 200
"""Up to this length a text is a name, and not a message."""


class Field(Struct, frozen=True, kw_only=True):
    """One argument of an operation, and what text for it is read as."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()
    description: str = ""
    required: bool = False
    default: Any = None
    longest: int | None = None
    items: Kind = "text"

    @property
    def is_name(self) -> bool:
        """A handle, a name or a word: what a call can be about."""
        return self.kind == "word" or (self.kind == "text" and self.longest is not None and self.longest <= SHORT)


def fields_of(operation: Operation[..., Any]) -> tuple[Field, ...]:
    """The arguments of an operation, in the order of its signature."""
    schema = msgspec.json.schema(operation.arguments)
    definitions = schema.get("$defs", {})
    properties = _resolved(schema, definitions)["properties"]
    fields = msgspec.structs.fields(operation.arguments)
    return tuple(_field(field, properties[field.name], definitions) for field in fields)


def _field(field: msgspec.structs.FieldInfo, schema: dict[str, Any], definitions: dict[str, Any]) -> Field:
    branches = [node for node in _branches(schema, definitions) if node.get("type") != "null"]
    kind = _kind(branches, definitions)
    only = branches[0] if len(branches) == 1 else {}
    inner = _branches(only["items"], definitions) if kind == "list" else branches
    described = [node["description"] for node in (schema, *branches) if "description" in node]
    return Field(
        name=field.name,
        kind=kind,
        words=tuple(word for node in inner for word in node.get("enum", ())),
        description=described[0] if described else "",
        required=field.required,
        default=None if field.default is NODEFAULT else field.default,
        longest=only.get("maxLength"),
        items=_kind(inner, definitions) if kind == "list" else "text",
    )


def _kind(branches: list[dict[str, Any]], definitions: dict[str, Any]) -> Kind:
    if any("type" not in node and "enum" not in node for node in branches):
        return "any"
    if all("enum" in node for node in branches):
        return "word"
    types = {node.get("type", "string") for node in branches}
    if types == {"string"}:
        return "text"
    if types <= {"integer", "number"}:
        return "number"
    if types == {"boolean"}:
        return "flag"
    if types == {"array"}:
        scalar = _kind(_branches(branches[0].get("items", {}), definitions), definitions) in ("text", "word", "number")
        return "list" if scalar else "json"
    return "text_or_json" if "string" in types else "json"


def _branches(node: dict[str, Any], definitions: dict[str, Any]) -> list[dict[str, Any]]:
    node = _resolved(node, definitions)
    if "anyOf" not in node:
        return [node]
    return [found for branch in node["anyOf"] for found in _branches(branch, definitions)]


def _resolved(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = definitions[node["$ref"].rpartition("/")[2]]
    return node
