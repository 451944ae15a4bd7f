"""Builds the command of an operation from its signature, so that nothing is written twice.

- The name is split at its first underscore: `record_plan` is `tallystick record plan`.
- Each argument is an option. A fixed list of words shows its words, a boolean is a flag, a list may be repeated, a
  structure is JSON.
- One argument may also be given without its option: the one in the REST path, else the first required argument if it
  is a name or a word.
- The help is the docstring, after the operation's own example.
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
from tallystick.interfaces.cli.command import Command, Run, WordChoice
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.interfaces.fields import Field, command_words, fields_of, option_name, positional_field
from tallystick.operations import CATALOGUE, Operation

_POSITIONAL = "_positional"
EXAMPLE_COLUMNS = 76
_METAVARS = {"number": "N", "json": "JSON", "any": "JSON|TEXT", "text_or_json": "TEXT|JSON"}


def make_command(
    operation: Operation[..., Any],
    *,
    name: str = "",
    run: Callable[[Invocation, dict[str, Any]], int] | None = None,
    extra_options: Sequence[click.Option] = (),
    exclude: Sequence[str] = (),
    positional: str = "",
    doc: str = "",
    example: str = "",
) -> Command:
    """The command of an operation.

    A command for people passes its own `run`, which receives parsed arguments. `extra_options` are its own options,
    `exclude` the arguments that it does not take, `positional` the argument that may be given without its option.
    """
    fields = tuple(field for field in fields_of(operation) if field.name not in exclude)
    bare = next((field for field in fields if field.name == positional), None) or positional_field(operation, fields)

    def call(invocation: Invocation, arguments: dict[str, Any]) -> int:
        output.show(invocation.terminal, invocation.call(operation.name, arguments))
        return 0

    params: list[click.Parameter] = [_positional_param(bare)] if bare else []
    return Command(
        name or command_words(operation)[-1],
        _parse_then(run or call, fields, bare),
        doc or operation.doc,
        example=example or format_example(operation),
        params=[*params, *(_option(field) for field in fields), *extra_options],
    )


def format_example(operation: Operation[..., Any], path: Sequence[str] = ()) -> str:
    """The operation's example as a shell command. A long one is broken into lines that end with a backslash."""
    first, *options = interfaces_fields.command_parts(operation, operation.example, path)
    parts = [f"{interfaces_fields.PROGRAM} {first}", *options]
    line = " ".join(parts)
    return line if len(line) <= EXAMPLE_COLUMNS else " \\\n  ".join(parts)


def usage_of(operation: Operation[..., Any], name: str) -> str:
    """How an argument is typed: `NAME` if it may be given without its option, else `--steps JSON`."""
    fields = fields_of(operation)
    field = next((each for each in fields if each.name == name), None)
    if field is None:
        return name
    if field == positional_field(operation, fields):
        return name.upper()
    return f"{option_name(name)} {'|'.join(field.words) or _METAVARS.get(field.kind, 'TEXT')}"


def find_operation(path: Sequence[str]) -> Operation[..., Any] | None:
    """The operation whose command has these words."""
    return CATALOGUE.get("_".join(path).replace("-", "_"))


def _positional_param(field: Field) -> click.Argument:
    kind = WordChoice(field.words) if field.words else None
    return click.Argument([_POSITIONAL], required=False, metavar=f"[{field.name.upper()}]", type=kind)


def _option(field: Field) -> click.Option:
    option = option_name(field.name)
    if field.kind == "flag":
        return click.Option([option, field.name], is_flag=True, default=None, help=_help(field))
    return click.Option(
        [option, field.name],
        multiple=field.kind == "list",
        type=WordChoice(field.words) if field.words else str,
        metavar=None if field.words else _METAVARS.get(field.kind, "TEXT"),
        help=_help(field),
    )


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


def _parse_then(run: Run, fields: Sequence[Field], positional: Field | None) -> Run:
    """A function that parses what was typed and calls `run`. Values that belong to no field are passed on as typed."""
    by_name = {field.name: field for field in fields}

    def parse(invocation: Invocation, typed: dict[str, Any]) -> int:
        if positional and _POSITIONAL in typed:
            name = positional.name
            if name in typed:
                raise InvalidArgument(
                    f"{name} was given twice.", hint="Give it once, with or without its option.", field=name
                )
            typed[name] = typed.pop(_POSITIONAL)
        arguments = {
            name: parse_value(by_name[name], value, invocation.terminal) if name in by_name else value
            for name, value in typed.items()
        }
        return run(invocation, arguments)

    return parse


# ----------------------------------------------------------------------------------------------------------------------
# From what was typed to a value, by the JSON Schema of the operation's arguments.
#
# Text is text, words are words, numbers are JSON numbers. A structure is JSON: typed, or `@file`, or `-` for standard
# input. A field that takes text or a structure parses a value that begins like JSON as JSON, and takes the rest as
# text. The core's JSON parser is used, so the same input is rejected at every interface.

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_CONSTANT = re.compile(r"true|false|null|NaN|-?Infinity")


def parse_value(field: Field, typed: Any, terminal: Terminal) -> Any:
    """The value of what was typed for a field."""
    if field.kind in ("text", "word", "flag"):
        return typed
    if field.kind == "number":
        return _parse_number(field.name, typed)
    if field.kind == "list":
        return _parse_list(field, typed, terminal)
    if _is_file_or_stdin(typed) or field.kind == "json" or _looks_like_json(field, typed):
        return _parse_json(field.name, typed, terminal)
    return typed


def _parse_list(field: Field, typed: tuple[str, ...], terminal: Terminal) -> Any:
    """A list: the option repeated, or one JSON list."""
    if len(typed) == 1 and (typed[0].startswith("[") or _is_file_or_stdin(typed[0])):
        return _parse_json(field.name, typed[0], terminal)
    return [_parse_number(field.name, each) if field.items == "number" else each for each in typed]


def _looks_like_json(field: Field, typed: str) -> bool:
    text = typed.strip()
    if text.startswith(("{", "[", '"')):
        return True
    return field.kind == "any" and bool(_NUMBER.fullmatch(text) or _CONSTANT.fullmatch(text))


def _is_file_or_stdin(typed: str) -> bool:
    return typed == "-" or typed.startswith("@")


def _parse_json(name: str, typed: str, terminal: Terminal) -> Any:
    if typed == "-":
        return canonical_json.parse(terminal.read_stdin(name), name)
    if typed.startswith("@"):
        return canonical_json.parse(_read_file(name, typed[1:]), name)
    return canonical_json.parse(typed, name)


def _read_file(name: str, path: str) -> bytes:
    try:
        return Path(path).expanduser().read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidArgument(
            f'{name}: the file "{path}" cannot be read: {why}.', hint="Name a file that holds JSON.", field=name
        ) from None


def _parse_number(name: str, typed: str) -> Any:
    if not _NUMBER.fullmatch(typed.strip()):
        raise InvalidArgument(f'{name} "{typed}" is not a number.', hint="Write it like 20 or 0.5.", field=name)
    return canonical_json.parse(typed, name)
