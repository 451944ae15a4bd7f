"""Turns msgspec's validation errors into ours: the field, what is allowed, and what to do."""

import re
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec import Struct

from tallystick.core.errors import InvalidArgument
from tallystick.core.types import ALIASES

MAX_NAMES_SHOWN = 20
_OTHER_NAMES = {
    "reason": "why",
    "description": "summary",
    "step_id": "step",
    "name": "title",
    "parameters": "arguments",
}
"""What callers often call an argument, and what it is called."""
_PATH = re.compile(r" - at (?:key in )?`\$\.?(.*)`$")
_PARTS = re.compile(r"[^.\[\]]+")
_ENUM = re.compile(r"Invalid enum value '(.*)'")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")


def explain(text: str, name: str, arguments: type[Struct]) -> InvalidArgument:
    """The error for a message of msgspec on the arguments of the operation `name`."""
    path = match[1] if (match := _PATH.search(text)) else ""
    text = _PATH.sub("", text)
    if match := _UNKNOWN.match(text):
        return _unknown_field(match[1], path, name, arguments)
    if match := _MISSING.match(text):
        field = _joined(path, match[1])
        allowed = _allowed(arguments, field)
        hint = _use_one_of(allowed) or f"Give {field}."
        return InvalidArgument(f"{field} is missing.", hint=hint, field=field, allowed=allowed)
    allowed = _allowed(arguments, path) if path else ()
    if match := _ENUM.match(text):
        hint = _use_one_of(allowed)
        return InvalidArgument(f'{path} "{match[1][:80]}" is not allowed.', hint=hint, field=path, allowed=allowed)
    hint = _use_one_of(allowed) or _object_hint(text, arguments, path) or "Correct it and call again."
    message = f"{path or 'The call'}: {_in_plain_words(text)}."
    return InvalidArgument(message, hint=hint, field=path or None, allowed=allowed)


def with_whole_number(given: Any, text: str) -> Any:
    """The arguments with a whole number in the place of the 3.0 that a message is about: JSON knows one kind of number.
    None if the message is about something else."""
    match = _PATH.search(text)
    if match is None or not text.startswith("Expected `int") or "got `float`" not in text:
        return None
    return _replace_whole(given, [int(part) if part.isdigit() else part for part in _PARTS.findall(match[1])])


def _replace_whole(value: Any, path: list[str | int]) -> Any:
    """A copy with the number at a path as a whole one; None if it is none, or is not found."""
    if not path:
        return int(value) if isinstance(value, float) and value.is_integer() else None
    name = path[0]
    try:
        part = _replace_whole(value[name], path[1:])
    except (LookupError, TypeError):
        return None
    if part is None:
        return None
    if isinstance(value, dict):
        return {**value, name: part}
    return [part if place == name else each for place, each in enumerate(value)]


def _unknown_field(unknown: str, path: str, name: str, arguments: type[Struct]) -> InvalidArgument:
    names = _names(arguments, path) if path else arguments.__struct_fields__
    others = {alias: field for alias, field in (*ALIASES.items(), *_OTHER_NAMES.items()) if field in names}
    close = [unknown] if unknown in others else get_close_matches(unknown, [*names, *others], 3)
    near = list(dict.fromkeys(others.get(each, each) for each in close))
    more = " and others" if len(names) > MAX_NAMES_SHOWN else ""
    hint = f"{path or name} takes: {', '.join(names[:MAX_NAMES_SHOWN])}{more}." if names else "Leave it out."
    if near:
        hint = f"Did you mean {' or '.join(near)}?"
    field = _joined(path, unknown[:80])
    return InvalidArgument(f'There is no argument "{field}".', hint=hint, field=field, allowed=names)


def _object_hint(text: str, arguments: type[Struct], path: str) -> str:
    """The fields of an object, where another kind of value was given."""
    names = _names(arguments, path) if path and text.startswith("Expected `object`") else ()
    return f"Give an object with: {', '.join(names[:6])}{' and others' if len(names) > 6 else ''}." if names else ""


def _use_one_of(allowed: tuple[str, ...]) -> str:
    return f"Use one of: {', '.join(allowed)}." if allowed else ""


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


def _in_plain_words(text: str) -> str:
    """For example "Expected `int` <= 100" becomes "expected a whole number of at most 100"."""
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
    """The words that are allowed at a path, if it has a closed list."""
    return tuple(_words(*_schema_at(struct, path)))


def _names(struct: type[Struct], path: str) -> tuple[str, ...]:
    """The field names of an object at a path."""
    node, definitions = _schema_at(struct, path)
    branches = [node, *(_dereferenced(branch, definitions) for branch in node.get("anyOf", ()))]
    return tuple(name for branch in branches for name in branch.get("properties", ()))


def _schema_at(struct: type[Struct], path: str) -> tuple[Any, dict[str, Any]]:
    """The JSON Schema at a path of the arguments, and the definitions that it refers to."""
    schema = msgspec.json.schema(struct)
    definitions = schema.get("$defs", {})
    node: Any = schema
    for part in ["", *re.split(r"\.|(?=\[)", path)] if path else [""]:
        branches = [_dereferenced(each, definitions) for each in (node, *node.get("anyOf", ()))]
        if part.startswith("["):
            node = next((each["items"] for each in branches if "items" in each), {})
        elif part:
            node = next((each["properties"][part] for each in branches if part in each.get("properties", ())), {})
    return _dereferenced(node, definitions), definitions


def _dereferenced(node: Any, definitions: dict[str, Any]) -> Any:
    while "$ref" in node:
        node = definitions[node["$ref"].rpartition("/")[2]]
    return node


def _words(node: Any, definitions: dict[str, Any]) -> list[str]:
    if "enum" in node:
        return [word for word in node["enum"] if isinstance(word, str)]
    found: list[str] = []
    for branch in node.get("anyOf", ()):
        found += _words(_dereferenced(branch, definitions), definitions)
    return found
