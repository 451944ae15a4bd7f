"""From an operation to its command, by rule, with nothing typed twice.

- The name is split at its first underscore: `record_plan` is `tallystick record plan`.
- Each argument is an option; a closed list of words shows its words, a boolean is a flag, a list may be repeated, a
  structure is JSON.
- What the call is about may also stand without its option: the argument in the REST path, else the first required
  argument when it is a name or a word.
- Help is the docstring, behind the operation's own example.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import canonical_json
from tallystick.interfaces import fields as interfaces_fields
from tallystick.interfaces.cli import output
from tallystick.interfaces.cli.command import Command, Run, Words
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.interfaces.fields import Field, command_words, fields_of, option_name, positional_field
from tallystick.operations import CATALOGUE, Operation

# ----------------------------------------------------------------------------------------------------------------------
# From what was typed to a value, by the JSON Schema of the operation's arguments.
#
# Text is text, closed words are words, numbers are JSON numbers. Structures are JSON: written out, or `@file`, or `-`
# for standard input. A field that takes text or a structure reads what begins like JSON as JSON and the rest as text.
# JSON is read by the one reader of the core, so what is refused there is refused here.

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_CONSTANT = re.compile(r"true|false|null|NaN|-?Infinity")


def read_value(field: Field, typed: Any, terminal: Terminal) -> Any:
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
        return canonical_json.parse(terminal.input(name), name)
    if typed.startswith("@"):
        return canonical_json.parse(_file(name, typed[1:]), name)
    return canonical_json.parse(typed, name)


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
    return canonical_json.parse(typed, name)


# ----------------------------------------------------------------------------------------------------------------------

_ABOUT = "_about"
EXAMPLE_WIDTH = 76


def command_of(
    operation: Operation[..., Any],
    *,
    name: str = "",
    run: Callable[[Invocation, dict[str, Any]], int] | None = None,
    more: Sequence[click.Option] = (),
    without: Sequence[str] = (),
    about: str = "",
    doc: str = "",
    example: str = "",
) -> Command:
    """The command of an operation. A curated one gives its own `run`, which gets the arguments already read.

    `more` are options of its own, `without` the arguments that it gives itself, `about` what may stand alone.
    """
    fields = tuple(field for field in fields_of(operation) if field.name not in without)
    alone = next((field for field in fields if field.name == about), None) or positional_field(operation, fields)

    def call(invocation: Invocation, arguments: dict[str, Any]) -> int:
        output.show(invocation.terminal, invocation.call(operation.name, arguments))
        return 0

    params: list[click.Parameter] = [_positional(alone)] if alone else []
    return Command(
        name or command_words(operation)[-1],
        _reading(fields, alone, run or call),
        doc or operation.doc,
        example=example or example_of(operation),
        params=[*params, *(_option(field) for field in fields), *more],
    )


def example_of(operation: Operation[..., Any], path: Sequence[str] = ()) -> str:
    """The operation's example as one types it; long ones over several lines, as a shell reads them."""
    first, *options = interfaces_fields.command_parts(operation, operation.example, path)
    parts = [f"{interfaces_fields.PROGRAM} {first}", *options]
    whole = " ".join(parts)
    return whole if len(whole) <= EXAMPLE_WIDTH else " \\\n  ".join(parts)


def operation_at(path: Sequence[str]) -> Operation[..., Any] | None:
    """The operation whose command has these words."""
    return CATALOGUE.get("_".join(path).replace("-", "_"))


def _positional(field: Field) -> click.Argument:
    kind = Words(field.words) if field.words else None
    return click.Argument([_ABOUT], required=False, metavar=f"[{field.name.upper()}]", type=kind)


def _option(field: Field) -> click.Option:
    option = option_name(field.name)
    if field.kind == "flag":
        return click.Option([option, field.name], is_flag=True, default=None, help=_help(field))
    return click.Option(
        [option, field.name],
        multiple=field.kind == "list",
        type=Words(field.words) if field.words else str,
        metavar=None if field.words else _METAVARS.get(field.kind, "TEXT"),
        help=_help(field),
    )


_METAVARS = {"number": "N", "json": "JSON", "any": "JSON|TEXT", "text_or_json": "TEXT|JSON"}


def _help(field: Field) -> str:
    parts = [field.description.rstrip(".") + "." if field.description else ""]
    if field.kind == "list":
        parts.append("May be repeated.")
    if field.kind == "json":
        parts.append("JSON, @file or - for standard input.")
    if field.required:
        parts.append("Required.")
    if field.default not in (None, "", (), False):
        default = ", ".join(field.default) if isinstance(field.default, tuple) else field.default
        parts.append(f"[default: {default}]")
    return " ".join(part for part in parts if part)


def _reading(fields: Sequence[Field], about: Field | None, run: Run) -> Run:
    """Turn what was typed into arguments; what belongs to no field is handed on as it is."""
    by_name = {field.name: field for field in fields}

    def read(invocation: Invocation, typed: dict[str, Any]) -> int:
        if about and _ABOUT in typed:
            if about.name in typed:
                raise InvalidArgument(
                    f"{about.name} was given twice.", hint="Give it once, with or without its option.", field=about.name
                )
            typed[about.name] = typed.pop(_ABOUT)
        return run(
            invocation,
            {
                name: read_value(by_name[name], value, invocation.terminal) if name in by_name else value
                for name, value in typed.items()
            },
        )

    return read
