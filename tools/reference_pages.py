"""Writes the pages of docs/reference from the definitions in the source."""

import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec

from tallystick import settings
from tallystick.capture.ingest import user_rules
from tallystick.capture.spool import file as spool_file
from tallystick.core import entries, errors
from tallystick.core.entries import KINDS, Entry, Facts
from tallystick.core.formats.canonical_json import Limits
from tallystick.core.types import Actor
from tallystick.interfaces.problems import ERROR_RESPONSES
from tallystick.operations import CATALOGUE, Operation
from tallystick.operations.runtime.access import scope_needed
from tallystick.runner.tools import named_secrets
from tools import operation_errors, type_tables

_NEVER_RAISED = {"TallystickError", "Refused"}
GENERATED_NOTE = "<!-- Written by `make reference` from the source; do not edit. -->"

MEANINGS = {
    "TALLYSTICK_URL": "The store: a path, `sqlite:///path`, `postgresql://...`, `http(s)://...` or `memory:`.",
    "TALLYSTICK_JOURNAL": "The name of the journal in the store.",
    "TALLYSTICK_ACTOR": "The name of the actor that records.",
    "TALLYSTICK_SECRETS": "A folder with one file for each secret that a plan names as `secret://NAME`.",
    "TALLYSTICK_SESSION": "The handle of the session to record in; by default a process has its own.",
    "TALLYSTICK_CREDENTIAL": "The secret of a person's credential, for approvals and erasure. Keep it from agents.",
    "TALLYSTICK_LEASE_SECONDS": "How long a session lives without a call, if its process cannot be checked.",
    "TALLYSTICK_BODY_BYTES": "The maximum size of the body of one entry, in bytes.",
    "TALLYSTICK_DEPTH": "The maximum depth of JSON.",
    "TALLYSTICK_STEPS": "The maximum number of steps in a plan.",
    "TALLYSTICK_PLAN_BYTES": "The maximum size of the text of a plan, in bytes.",
    "TALLYSTICK_SECRET_NAMES": "More names of arguments whose values are masked, separated by commas.",
    "TALLYSTICK_SECRET_PATTERNS": "More patterns of secrets (regular expressions), one per line.",
    "TALLYSTICK_LOG": "Log on standard error, as `text` or `json`: calls of the command line, what servers do.",
    "TALLYSTICK_ALERTS": "Where `serve` and `notify` send alerts: addresses with spaces between.",
    "TALLYSTICK_TOKEN": "The bearer token that `serve` requires. By default none on loopback, and a new one elsewhere.",
    "TALLYSTICK_DELIVER_TO": "Hosts that webhooks may go to without TLS, and at addresses that are not public, "
    "separated by commas.",
    "TALLYSTICK_PUBLIC_URL": "Where people open the page, for links in webhooks.",
    "TALLYSTICK_SPOOL": "The folder where hooks store events until they are recorded.",
    "XDG_CONFIG_HOME": "The user's configuration folder; `tallystick/capture.toml` in it says which calls to record.",
    "XDG_DATA_HOME": "The user's data folder; it holds `tallystick/journal.db`.",
}
"""The meaning of each variable. The generator fails for a variable that is not listed."""


def operations() -> str:
    """Return the page of operations: arguments, result, errors, and an example of each."""
    schemas, found = type_tables.components([each.arguments for each in _catalogue()])
    arguments = {schema["$ref"]: found[schema["$ref"]] for schema in schemas}
    parts = [
        "# Operations",
        GENERATED_NOTE,
        "The operations by name. In the library each is a method of `Journal` and `AsyncJournal` that "
        "takes keyword arguments; on the command line each is a command. Every operation can also raise "
        "`invalid_argument` (a wrong type, an unknown or missing argument) and `storage_unavailable`.",
        _contents(),
    ]
    for title, kind in (("Records", "record"), ("Reads", "read")):
        parts.append(f"## {title}")
        for each in _catalogue():
            if each.kind == kind:
                parts.append(_operation(each, arguments[each.arguments.__name__]))
    return _page(parts)


def _catalogue() -> list[Operation[..., Any]]:
    """Return all operations by name: the order of the catalogue depends on imports."""
    return [CATALOGUE[name] for name in sorted(CATALOGUE)]


def _contents() -> str:
    return "\n".join(
        f"- {title}: " + ", ".join(f"[`{each.name}`](#{each.name})" for each in _catalogue() if each.kind == kind)
        for title, kind in (("Records", "record"), ("Reads", "read"))
    )


def _operation(operation: Operation[..., Any], schema: type_tables.Schema) -> str:
    result = operation.result.__name__
    names = ", ".join(f"`{name}`" for name in operation.result.__struct_fields__)
    specific = [code for code in operation_errors.codes(operation) if code != "invalid_argument"]
    lines = [f"### `{operation.name}`", operation.doc]
    if operation.scope in ("approve", "audit", "admin") or operation.approver:
        lines.append(f"Scope: {scope_needed(operation)}.")
    lines += [
        "\n".join(type_tables.fields(schema, meaning=True)),
        f"Returns [{result}]({type_tables.VALUES_PAGE}#{result.lower()}): {names}.",
    ]
    if specific:
        lines.append("Errors: " + ", ".join(f"[`{code}`](errors.md#{code})" for code in specific) + ".")
    lines.append(f"```json\n{json.dumps({operation.name: operation.example}, indent=2)}\n```")
    return "\n\n".join(lines)


def values() -> str:
    """Return the page of structs that operations take and return."""
    types: list[Any] = [Actor, *(kind for each in _catalogue() for kind in (each.arguments, each.result))]
    _, found = type_tables.components(types)
    arguments = {each.arguments.__name__ for each in _catalogue()}
    parts = ["# Values", GENERATED_NOTE, "What operations take and return. A field without `required` may be left out."]
    for name in sorted(found):
        if name not in arguments and "properties" in found[name]:
            about = inspect.cleandoc(found[name].get("description", ""))
            parts += [
                f"## {name}",
                about,
                "\n".join(type_tables.fields(found[name], meaning=_has_meaning(found[name]))),
            ]
    return _page(parts)


def _has_meaning(schema: type_tables.Schema) -> bool:
    return any(type_tables.description(field) for field in schema["properties"].values())


def entry_kinds() -> str:
    """Return the page of entry kinds and their facts."""
    _, found = type_tables.components([*KINDS.values(), Entry])
    parts = [
        "# Entries",
        GENERATED_NOTE,
        "An entry is one final line of a journal. Its facts are what the rules need. Free text and JSON are in a body, "
        "which the entry commits to by a salted hash, and which can be erased. Kinds and names of facts are stable.",
        "## Every entry",
        "\n".join(type_tables.fields(found["Entry"], meaning=False)),
    ]
    for kind, facts in KINDS.items():
        about = _own_docstring(facts)
        parts += [f"## `{kind}`", *([about] if about else []), _facts(found[facts.__name__])]
    parts += ["## StepFacts", _own_docstring(entries.StepFacts), _facts(found["StepFacts"])]
    page = _page(parts).replace(f"{type_tables.VALUES_PAGE}#stepfacts", "#stepfacts")
    return page.replace(f"[Facts]({type_tables.VALUES_PAGE}#facts)", "those of its kind, below")


def _facts(schema: type_tables.Schema) -> str:
    return "\n".join(type_tables.fields(schema, meaning=False)).replace("Nothing.", "It has no facts.")


def _own_docstring(kind: type) -> str:
    text = inspect.cleandoc(kind.__doc__ or "")
    return "" if text == inspect.cleandoc(Facts.__doc__ or "") else text


def error_codes() -> str:
    """Return the page of errors: meaning and exit code of each."""
    tree = dedent(inspect.cleandoc(errors.__doc__ or "").partition("\n\n")[2].rpartition("\n\n")[0])
    parts = [
        "# Errors",
        GENERATED_NOTE,
        "Every error says what is wrong, what is allowed and what to do next. `code` is stable. "
        "[Troubleshooting](../troubleshooting.md) says what to do about each.",
        f"```text\n{tree}\n```",
        "| code | class | meaning | exit code |",
    ]
    rows = ["|---|---|---|---|"]
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.TallystickError) and name not in _NEVER_RAISED:
            meaning = inspect.cleandoc(kind.__doc__ or "")
            anchor = f'<a id="{kind.code}"></a>`{kind.code}`'
            rows.append(f"| {anchor} | `{name}` | {meaning} | {ERROR_RESPONSES[kind.code].exit_code} |")
    parts[-1] += "\n" + "\n".join(rows)
    return _page(parts)


class _RecordingEnvironment(Mapping[str, str]):
    """An empty environment that records the requested names."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __getitem__(self, name: str) -> str:
        if name not in self.names:
            self.names.append(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def environment_variables() -> str:
    """Return the page of settings, from the names that the program reads."""
    environment = _RecordingEnvironment()
    loaded = settings.load(environment, Path("/"))
    spool_file.folder(environment)
    user_rules.rules_file(environment)
    named_secrets.secrets_folder(environment)
    defaults: dict[str, str] = {
        "TALLYSTICK_URL": "a file in the user's data folder",
        "TALLYSTICK_JOURNAL": "named from the project: its repository, else the folder",
        "TALLYSTICK_ACTOR": "the name of the user",
        "TALLYSTICK_LEASE_SECONDS": f"{loaded.lease_seconds:g}",
        "TALLYSTICK_LOG": "no log",
        "TALLYSTICK_SPOOL": "`tallystick/spool` in the user's data folder",
        "XDG_CONFIG_HOME": "`~/.config`",
        "XDG_DATA_HOME": "`~/.local/share`",
        **{f"TALLYSTICK_{name.upper()}": f"{value:,}" for name, value in msgspec.structs.asdict(Limits()).items()},
    }
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    rows += [f"| `{name}` | {defaults.get(name, '')} | {MEANINGS[name]} |" for name in sorted(environment.names)]
    parts = [
        "# Settings",
        GENERATED_NOTE,
        "Settings are read once, from environment variables, when a journal is opened. "
        "Arguments of `Journal.open` and options of the command line take precedence.",
        "\n".join(rows),
        "Two files have settings of their own: the gateway's [`mcp.json`](../gateway.md#settings), and "
        "[`capture.toml`](../capture.md#questions-and-answers), which says which calls hooks record.",
    ]
    return _page(parts)


def index() -> str:
    return _page(
        [
            "# Reference",
            GENERATED_NOTE,
            "- [Operations](operations.md): all operations\n"
            "- [Values](values.md): what operations take and return\n"
            "- [Entries](entries.md): the kinds of entry and their facts\n"
            "- [Errors](errors.md): the codes\n"
            "- [Settings](settings.md): the environment variables\n"
            "- [Commands](commands.md): the command line\n"
            "- [Tools](tools.md): the MCP tools\n"
            "- [Plans](plan.schema.json): the JSON Schema of plan files, for editors\n"
            "- [Webhooks](webhook.schema.json): the schema of their messages, and [examples](webhook.examples.json)",
        ]
    )


def _page(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
