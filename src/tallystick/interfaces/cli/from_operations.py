"""From an operation to its command, by rule, with nothing typed twice.

- The name is split at its first underscore: `record_plan` is `tallystick record plan`.
- Each argument is an option; a closed list of words shows its words, a boolean is a flag, a list may be repeated, a
  structure is JSON.
- What the call is about may also stand without its option: the argument in the REST path, else the first required
  argument when it is a name or a word.
- Help is the docstring, behind the operation's own example.
"""

from collections.abc import Callable, Sequence
from typing import Any

import click

from tallystick.core.errors import InvalidArgument
from tallystick.doors import typed
from tallystick.doors.cli import results, values
from tallystick.doors.cli.command import Command, Run
from tallystick.doors.cli.door import Door
from tallystick.doors.cli.options import Words
from tallystick.doors.fields import Field, fields_of
from tallystick.doors.typed import about_of, path_of, spelling
from tallystick.operations import CATALOGUE, Operation

_ABOUT = "_about"
EXAMPLE_WIDTH = 76


def command_of(
    operation: Operation[..., Any],
    *,
    name: str = "",
    run: Callable[[Door, dict[str, Any]], int] | None = None,
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
    alone = next((field for field in fields if field.name == about), None) or about_of(operation, fields)

    def call(door: Door, arguments: dict[str, Any]) -> int:
        results.show(door.terminal, door.call(operation.name, arguments))
        return 0

    params: list[click.Parameter] = [_positional(alone)] if alone else []
    return Command(
        name or path_of(operation)[-1],
        _reading(fields, alone, run or call),
        doc or operation.doc,
        example=example or example_of(operation),
        params=[*params, *(_option(field) for field in fields), *more],
    )


def example_of(operation: Operation[..., Any], path: Sequence[str] = ()) -> str:
    """The operation's example as one types it; long ones over several lines, as a shell reads them."""
    first, *options = typed.parts(operation, operation.example, path)
    parts = [f"{typed.PROGRAM} {first}", *options]
    whole = " ".join(parts)
    return whole if len(whole) <= EXAMPLE_WIDTH else " \\\n  ".join(parts)


def operation_at(path: Sequence[str]) -> Operation[..., Any] | None:
    """The operation whose command has these words."""
    return CATALOGUE.get("_".join(path).replace("-", "_"))


def _positional(field: Field) -> click.Argument:
    kind = Words(field.words) if field.words else None
    return click.Argument([_ABOUT], required=False, metavar=f"[{field.name.upper()}]", type=kind)


def _option(field: Field) -> click.Option:
    option = spelling(field.name)
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

    def read(door: Door, typed: dict[str, Any]) -> int:
        if about and _ABOUT in typed:
            if about.name in typed:
                raise InvalidArgument(
                    f"{about.name} was given twice.", hint="Give it once, with or without its option.", field=about.name
                )
            typed[about.name] = typed.pop(_ABOUT)
        return run(
            door,
            {
                name: values.read(by_name[name], value, door.terminal) if name in by_name else value
                for name, value in typed.items()
            },
        )

    return read
