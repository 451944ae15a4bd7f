"""The arguments of an operation as a door sees them that is handed text: by the JSON Schema of its arguments."""

import json
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from shutil import which
from typing import Any, Literal

import msgspec
from msgspec import NODEFAULT, Struct

from tallystick.operations import CATALOGUE, Operation
from tallystick.paths import default_url
from tallystick.settings import Settings, without_password

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


# ----------------------------------------------------------------------------------------------------------------------
# An operation as one types it in a shell, by the rules of the command line.
#
# The command line is made by them (`interfaces/cli/from_operations.py`). And an agent may have a shell where its client
# lists no
# tool for what it should do next: then it is told the command.

PROGRAM = "tallystick"
_IN_PATH = re.compile(r"\{(\w+)\}")


def command_words(operation: Operation[..., Any]) -> tuple[str, ...]:
    """The words of an operation's command: `list_in_doubt` is `list in-doubt`."""
    verb, _, noun = operation.name.partition("_")
    return (verb, noun.replace("_", "-")) if noun else (verb,)


def positional_field(operation: Operation[..., Any], fields: Sequence[Field]) -> Field | None:
    """The argument that may stand without its option."""
    in_path = _IN_PATH.search(operation.http)
    if in_path:
        return next((field for field in fields if field.name == in_path[1]), None)
    required = [field for field in fields if field.required]
    return required[0] if required and required[0].is_name else None


def option_name(name: str) -> str:
    """The option of an argument."""
    return "--" + name.replace("_", "-")


def command_parts(operation: Operation[..., Any], given: Mapping[str, Any], path: Sequence[str] = ()) -> list[str]:
    """What is typed behind the program's name: the words of the command, and each option with its value."""
    fields = {field.name: field for field in fields_of(operation)}
    about = positional_field(operation, tuple(fields.values()))
    words = " ".join(path or command_words(operation))
    if about and about.name in given:
        words += " " + shlex.quote(str(given[about.name]))
    options = [_option(fields[name], value) for name, value in given.items() if about is None or name != about.name]
    return [words, *(each for option in options for each in option)]


def shell_command(settings: Settings, name: str, given: Mapping[str, Any]) -> str:
    """The whole command, for the journal of these settings. A store is named that no shell finds by itself; not with a
    password, which is nobody's to read."""
    place = ["--journal " + shlex.quote(settings.journal)]
    if settings.url != default_url(os.environ) and without_password(settings.url) == settings.url:
        place.append("--url " + shlex.quote(settings.url))
    return " ".join([_program(), *command_parts(CATALOGUE[name], given), *place])


def _option(field: Field, value: Any) -> list[str]:
    option = option_name(field.name)
    if field.kind == "flag":
        return [option] if value else []
    if field.kind == "list":
        return [f"{option} {shlex.quote(str(each))}" for each in value]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return [f"{option} {shlex.quote(text)}"]


def _program() -> str:
    """As a shell finds it: by its name where that is this very program, else by where it lies."""
    found, running = which(PROGRAM), os.path.abspath(sys.argv[0])
    if not os.access(running, os.X_OK) or (found and os.path.samefile(found, running)):
        return PROGRAM
    return shlex.quote(running)
