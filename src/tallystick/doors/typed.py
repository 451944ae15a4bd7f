"""An operation as one types it in a shell, by the rules of the command line.

The command line is made by them (`doors/cli/projection.py`). And an agent may have a shell where its client lists no
tool for what it should do next: then it is told the command.
"""

import json
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from shutil import which
from typing import Any

from tallystick.doors.fields import Field, fields_of
from tallystick.naming import default_url
from tallystick.operations import CATALOGUE, Operation
from tallystick.settings import Settings, without_password

PROGRAM = "tallystick"
_IN_PATH = re.compile(r"\{(\w+)\}")


def path_of(operation: Operation[..., Any]) -> tuple[str, ...]:
    """The words of an operation's command: `list_in_doubt` is `list in-doubt`."""
    verb, _, noun = operation.name.partition("_")
    return (verb, noun.replace("_", "-")) if noun else (verb,)


def about_of(operation: Operation[..., Any], fields: Sequence[Field]) -> Field | None:
    """The argument that may stand without its option."""
    in_path = _IN_PATH.search(operation.http)
    if in_path:
        return next((field for field in fields if field.name == in_path[1]), None)
    required = [field for field in fields if field.required]
    return required[0] if required and required[0].is_name else None


def spelling(name: str) -> str:
    """The option of an argument."""
    return "--" + name.replace("_", "-")


def parts(operation: Operation[..., Any], given: Mapping[str, Any], path: Sequence[str] = ()) -> list[str]:
    """What is typed behind the program's name: the words of the command, and each option with its value."""
    fields = {field.name: field for field in fields_of(operation)}
    about = about_of(operation, tuple(fields.values()))
    words = " ".join(path or path_of(operation))
    if about and about.name in given:
        words += " " + shlex.quote(str(given[about.name]))
    options = [_option(fields[name], value) for name, value in given.items() if about is None or name != about.name]
    return [words, *(each for option in options for each in option)]


def command(settings: Settings, name: str, given: Mapping[str, Any]) -> str:
    """The whole command, for the journal of these settings. A store is named that no shell finds by itself; not with a
    password, which is nobody's to read."""
    place = ["--journal " + shlex.quote(settings.journal)]
    if settings.url != default_url(os.environ) and without_password(settings.url) == settings.url:
        place.append("--url " + shlex.quote(settings.url))
    return " ".join([_program(), *parts(CATALOGUE[name], given), *place])


def _option(field: Field, value: Any) -> list[str]:
    option = spelling(field.name)
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
