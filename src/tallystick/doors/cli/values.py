"""From what was typed to a value, by the JSON Schema of the operation's arguments.

Text is text, closed words are words, numbers are JSON numbers. Structures are JSON: written out, or `@file`, or `-`
for standard input. A field that takes text or a structure reads what begins like JSON as JSON and the rest as text.
JSON is read by the one reader of the core, so what is refused there is refused here.
"""

import re
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import NODEFAULT, Struct

from tallystick.core import canonical
from tallystick.core.errors import InvalidArgument
from tallystick.doors.cli.terminal import Terminal
from tallystick.operations import Operation

Kind = Literal["text", "word", "number", "flag", "list", "json", "any", "text_or_json"]

SHORT = 200
"""Up to this length a text is a name, and not a message."""
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_CONSTANT = re.compile(r"true|false|null|NaN|-?Infinity")


class Field(Struct, frozen=True, kw_only=True):
    """One argument of an operation, as the command line sees it."""

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


def read(field: Field, typed: Any, terminal: Terminal) -> Any:
    """The value of what was typed for a field."""
    if field.kind in ("text", "word", "flag"):
        return typed
    if field.kind == "number":
        return _number(field.name, typed)
    if field.kind == "list":
        return _items(field, typed, terminal)
    if _is_elsewhere(typed) or field.kind == "json" or _begins_like_json(field, typed):
        return _json(field.name, typed, terminal)
    return typed


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


def _items(field: Field, typed: tuple[str, ...], terminal: Terminal) -> Any:
    """A list: the option repeated, or one JSON list."""
    if len(typed) == 1 and (typed[0].startswith("[") or _is_elsewhere(typed[0])):
        return _json(field.name, typed[0], terminal)
    return [_number(field.name, each) if field.items == "number" else each for each in typed]


def _begins_like_json(field: Field, typed: str) -> bool:
    text = typed.strip()
    if text.startswith(("{", "[", '"')):
        return True
    return field.kind == "any" and bool(_NUMBER.fullmatch(text) or _CONSTANT.fullmatch(text))


def _is_elsewhere(typed: str) -> bool:
    return typed == "-" or typed.startswith("@")


def _json(name: str, typed: str, terminal: Terminal) -> Any:
    if typed == "-":
        return canonical.parse(terminal.input(name), name)
    if typed.startswith("@"):
        return canonical.parse(_file(name, typed[1:]), name)
    return canonical.parse(typed, name)


def _file(name: str, path: str) -> bytes:
    try:
        return Path(path).expanduser().read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidArgument(
            f'{name}: the file "{path}" cannot be read: {why}.', hint="Name a file that holds JSON.", field=name
        ) from None


def _number(name: str, typed: str) -> Any:
    if not _NUMBER.fullmatch(typed.strip()):
        raise InvalidArgument(f'{name} "{typed}" is not a number.', hint="Write it like 20 or 0.5.", field=name)
    return canonical.parse(typed, name)
