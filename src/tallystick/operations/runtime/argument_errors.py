"""What is wrong with the arguments of a call, in our words: the field, what is allowed, and what to do."""

import re
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec import Struct

from tallystick.core.errors import InvalidArgument

_PATH = re.compile(r" - at `\$\.?(.*)`$")
_ENUM = re.compile(r"Invalid enum value '(.*)'")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")


def explain(text: str, name: str, arguments: type[Struct]) -> InvalidArgument:
    """The validator's message in our words: the field, what is allowed, and never its own jargon."""
    path = found[1] if (found := _PATH.search(text)) else ""
    text = _PATH.sub("", text)
    if found := _UNKNOWN.match(text):
        names = _names(arguments, path) if path else arguments.__struct_fields__
        near = get_close_matches(found[1], names, 3)
        hint = f"{path or name} takes: {', '.join(names)}." if names else "Leave it out."
        if near:
            hint = f"Did you mean {' or '.join(near)}? {hint}"
        field = _joined(path, found[1])
        return InvalidArgument(f'There is no argument "{field}".', hint=hint, field=field, allowed=names)
    if found := _MISSING.match(text):
        field = _joined(path, found[1])
        allowed = _allowed(arguments, field)
        hint = f"Use one of: {', '.join(allowed)}." if allowed else f"Give {field}."
        return InvalidArgument(f"{field} is missing.", hint=hint, field=field, allowed=allowed)
    if found := _ENUM.match(text):
        allowed = _allowed(arguments, path)
        hint = f"Use one of: {', '.join(allowed)}." if allowed else ""
        return InvalidArgument(f'{path} "{found[1]}" is not allowed.', hint=hint, field=path, allowed=allowed)
    allowed = _allowed(arguments, path) if path else ()
    hint = f"Use one of: {', '.join(allowed)}." if allowed else "Correct it and call again."
    return InvalidArgument(f"{path or 'The call'}: {_plainly(text)}.", hint=hint, field=path or None, allowed=allowed)


_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
_BOUND = re.compile(r"`(\w+)` (<=|>=|<|>) ([\d.e+-]+)")
_LENGTH = re.compile(r"`(\w+)` of length (<=|>=) (\d+)")
_KIND = re.compile(r"`([\w |]+)`")
_SIGNS = {"<=": "at most", ">=": "at least", "<": "below", ">": "above"}


def _plainly(text: str) -> str:
    """The validator's "Expected `int` <= 100" as a person would say it."""
    text = _LENGTH.sub(lambda m: f"{_kind(m[1])} of {_SIGNS[m[2]]} {m[3]} {_parts(m[1])}", text)
    text = _BOUND.sub(lambda m: f"{_kind(m[1])} of {_SIGNS[m[2]]} {m[3]}", text)
    text = _KIND.sub(lambda m: " or ".join(_kind(word) for word in m[1].split(" | ")), text)
    return text.replace("Expected ", "expected ")


def _kind(word: str) -> str:
    return _KINDS.get(word, word)


def _parts(word: str) -> str:
    return "characters" if word == "str" else "items"


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _allowed(struct: type[Struct], path: str) -> tuple[str, ...]:
    """The closed list of words at a path."""
    return tuple(_words(*_found(struct, path)))


def _names(struct: type[Struct], path: str) -> tuple[str, ...]:
    """What an object at a path takes."""
    node, definitions = _found(struct, path)
    branches = [node, *(_resolved(branch, definitions) for branch in node.get("anyOf", ()))]
    return tuple(name for branch in branches for name in branch.get("properties", ()))


def _found(struct: type[Struct], path: str) -> tuple[Any, dict[str, Any]]:
    """What stands at a path of the JSON Schema of the arguments, and the definitions that it refers to."""
    schema = msgspec.json.schema(struct)
    definitions = schema.get("$defs", {})
    node: Any = schema
    for part in ["", *re.split(r"\.|(?=\[)", path)] if path else [""]:
        node = _resolved(node, definitions)
        if part.startswith("["):
            node = node.get("items", {})
        elif part:
            node = node.get("properties", {}).get(part, {})
    return _resolved(node, definitions), definitions


def _resolved(node: Any, definitions: dict[str, Any]) -> Any:
    while "$ref" in node:
        node = definitions[node["$ref"].rpartition("/")[2]]
    return node


def _words(node: Any, definitions: dict[str, Any]) -> list[str]:
    if "enum" in node:
        return [word for word in node["enum"] if isinstance(word, str)]
    found: list[str] = []
    for branch in node.get("anyOf", ()):
        found += _words(_resolved(branch, definitions), definitions)
    return found
