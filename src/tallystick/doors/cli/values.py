"""From what was typed to a value, by the JSON Schema of the operation's arguments.

Text is text, closed words are words, numbers are JSON numbers. Structures are JSON: written out, or `@file`, or `-`
for standard input. A field that takes text or a structure reads what begins like JSON as JSON and the rest as text.
JSON is read by the one reader of the core, so what is refused there is refused here.
"""

import re
from pathlib import Path
from typing import Any

from tallystick.core import canonical
from tallystick.core.errors import InvalidArgument
from tallystick.doors.cli.terminal import Terminal
from tallystick.doors.fields import Field

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_CONSTANT = re.compile(r"true|false|null|NaN|-?Infinity")


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
