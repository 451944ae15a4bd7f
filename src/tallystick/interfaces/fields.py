"""The arguments of an operation for interfaces that receive text (CLI, REST), and operations as shell commands."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from shutil import which
from typing import Any, Literal

import msgspec
from msgspec import NODEFAULT, Struct

from tallystick.core.formats import canonical_json
from tallystick.core.formats.shell_text import quote_word
from tallystick.operations import CATALOGUE, Operation
from tallystick.paths import default_url
from tallystick.settings import Settings, without_password

Kind = Literal["text", "word", "number", "flag", "list", "json", "any", "text_or_json"]

MAX_NAME_LENGTH = 200
"""A text field of up to this length is a name, not a message."""


class Field(Struct, frozen=True, kw_only=True):
    """One argument of an operation, and how text for it is parsed."""

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
        """Whether it is a handle, a name or a keyword, which can be a positional argument."""
        return self.kind == "word" or (
            self.kind == "text" and self.longest is not None and self.longest <= MAX_NAME_LENGTH
        )


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
    descriptions = [node["description"] for node in (schema, *branches) if "description" in node]
    return Field(
        name=field.name,
        kind=kind,
        words=tuple(word for node in inner for word in node.get("enum", ())),
        description=descriptions[0] if descriptions else "",
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


# ----------------------------------------------------------------------------------------------------------------------
# An operation as a shell command.
#
# The command line is built by these rules (`interfaces/cli/from_operations.py`). Hints also show such a command to an
# agent that has a shell, but no tool for the next step.

PROGRAM = "tallystick"
_IN_PATH = re.compile(r"\{(\w+)\}")


def command_words(operation: Operation[..., Any]) -> tuple[str, ...]:
    """The words of an operation's command: `list_in_doubt` is `list in-doubt`. `run` is a command for people."""
    if operation.name == "run_plan":
        return ("run-plan",)
    verb, _, noun = operation.name.partition("_")
    return (verb, noun.replace("_", "-")) if noun else (verb,)


def positional_field(operation: Operation[..., Any], fields: Sequence[Field]) -> Field | None:
    """The argument that can be arguments without its option name."""
    in_path = _IN_PATH.search(operation.http)
    if in_path:
        return next((field for field in fields if field.name == in_path[1]), None)
    required = [field for field in fields if field.required]
    return required[0] if required and required[0].is_name else None


def option_name(name: str) -> str:
    """The option name of an argument."""
    return "--" + name.replace("_", "-")


def command_parts(operation: Operation[..., Any], arguments: Mapping[str, Any], path: Sequence[str] = ()) -> list[str]:
    """The command after the program's name: its words with the positional argument, then each option with its value."""
    fields = {field.name: field for field in fields_of(operation)}
    positional = positional_field(operation, tuple(fields.values()))
    words = " ".join(path or command_words(operation))
    if positional and positional.name in arguments:
        words += " " + quote_word(str(arguments[positional.name]))
    named = {name: value for name, value in arguments.items() if positional is None or name != positional.name}
    return [words, *(text for name, value in named.items() for text in _option(fields[name], value))]


def shell_command(settings: Settings, name: str, arguments: Mapping[str, Any]) -> str:
    """The whole command, for the journal of these settings. The URL is named if it is not the default, and never if it
    holds a password."""
    target = ["--journal " + quote_word(settings.journal)]
    if settings.url != default_url(os.environ) and without_password(settings.url) == settings.url:
        target.append("--url " + quote_word(settings.url))
    return " ".join([_program(), *command_parts(CATALOGUE[name], arguments), *target])


def _option(field: Field, value: Any) -> list[str]:
    option = option_name(field.name)
    if field.kind == "flag":
        return [option] if value else []
    if field.kind == "list":
        return [f"{option} {quote_word(str(each))}" for each in value]
    text = value if isinstance(value, str) else canonical_json.to_readable(value)
    return [f"{option} {quote_word(text)}"]


def _program() -> str:
    """The program's name if the shell finds this very program by it, else its path."""
    in_path, running = which(PROGRAM), os.path.abspath(sys.argv[0])
    if not os.access(running, os.X_OK) or (in_path and os.path.samefile(in_path, running)):
        return PROGRAM
    return quote_word(running)
