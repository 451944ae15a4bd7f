"""Texts of errors and fixes as a shell has them: options for arguments, commands for operations, and their store.

The core writes for every interface: `execution_id`, "say why in `again`", record_plan. A reader at a shell types
`--execution-id`, `--again` and `tallystick record plan`.
"""

import re
import shlex
from collections.abc import Mapping
from functools import cache
from typing import Any

from tallystick.interfaces.fields import PROGRAM, command_words, fields_of, option_name, positional_field
from tallystick.operations import CATALOGUE, Operation
from tallystick.settings import without_password

_QUOTED = re.compile(r'("(?:[^"\\]|\\.)*")')
_ALL_ARGUMENTS = ("execution_id", "action_id", "approval_id", "plan_id", "task_id", "session_id")
"""Arguments that hints name, whatever command is given."""
_WITHOUT_JOURNAL = ("journals", "rebuild", "backup", "restore")
_WITH_STORE = (
    *("status", "show", "tail", "owed", "report", "verify", "export", "erase", "doctor", "credential add", "run"),
    *_WITHOUT_JOURNAL,
)


def to_shell_words(text: str, operation: Operation[..., Any] | None, field: str = "") -> str:
    """A text with options and commands in it; it may begin with a `field`. What is in double quotes is recorded data,
    and stays."""
    fields = fields_of(operation) if operation else ()
    positional = positional_field(operation, fields) if operation else None
    is_option = any(each.name == field and each != positional for each in fields)
    if is_option and text.startswith(f"{field} "):
        text = option_name(field) + text[len(field) :]
    parts = _QUOTED.split(text)
    return "".join(part if number % 2 else _translated(part, operation) for number, part in enumerate(parts))


def with_store(text: str, options: Mapping[str, Any]) -> str:
    """A text whose commands have the `--url` and `--journal` of this one: copied, they use the same journal.

    A URL with a password is shown without it.
    """
    url, journal = (options.get(name) or "" for name in ("url", "journal"))
    if not url and not journal:
        return text
    store = f" --url {shlex.quote(without_password(url))}" if url else ""

    def add(match: re.Match[str]) -> str:
        named = f" --journal {shlex.quote(journal)}" if journal and match[1] not in _WITHOUT_JOURNAL else ""
        return f"{match[0]}{store}{named}"

    return _command_pattern().sub(add, text)


@cache
def _command_pattern() -> re.Pattern[str]:
    commands = {*(" ".join(command_words(each)) for each in CATALOGUE.values()), *_WITH_STORE}
    longest_first = sorted(map(re.escape, commands), key=len, reverse=True)
    return re.compile(rf"\b{PROGRAM} ({'|'.join(longest_first)})(?![\w-])(?! --help)")


def _translated(text: str, operation: Operation[..., Any] | None) -> str:
    fields = fields_of(operation) if operation else ()
    positional = positional_field(operation, fields) if operation else None
    names = {field.name for field in fields} | set(_ALL_ARGUMENTS)

    def argument(match: re.Match[str]) -> str:
        name, value = match["name"], match["value"]
        if name not in names or (not match["tick"] and not value and "_" not in name):
            return match[0]
        if value and positional and name == positional.name:
            return value
        return f"{option_name(name)} {value}" if value else option_name(name)

    text = re.sub(r"(?P<tick>`?)\b(?P<name>[a-z]+(?:_[a-z]+)*)(?:=(?P<value>[\w.-]*\w))?(?P=tick)", argument, text)
    return re.sub(r"`?\b([a-z]+(?:_[a-z]+)+)\b`?", _command, text)


def _command(match: re.Match[str]) -> str:
    operation = CATALOGUE.get(match[1])
    return f"`{PROGRAM} {' '.join(command_words(operation))}`" if operation else match[0]
