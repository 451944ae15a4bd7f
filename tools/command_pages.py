"""Generates docs/reference/commands.md: the help of every command, as the program prints it."""

from collections.abc import Iterator

import click

from tallystick.interfaces.cli.app import Group, Root
from tools.reference_pages import GENERATED_NOTE

HELP_COLUMNS = 100
GENERAL_OPTIONS = "\nOptions of every command:"


def page() -> str:
    """One section for each command; those for people come first."""
    root = Root({})
    parts = [
        "# Commands",
        GENERATED_NOTE,
        "[The command line](../command-line.md) shows how they go together. `tallystick demo` is described there.",
        "## `tallystick`",
        _block(_help(root, "tallystick")),
        *_sections(root, "tallystick"),
    ]
    return "\n\n".join(parts) + "\n"


def _sections(group: Group, path: str) -> Iterator[str]:
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, Group):
            yield from _sections(command, f"{path} {name}")
        elif command is not None:
            yield f"## `{path} {name}`"
            yield _block(_help(command, f"{path} {name}").partition(GENERAL_OPTIONS)[0])


def _help(command: click.Command, path: str) -> str:
    context = click.Context(command, info_name=path, terminal_width=HELP_COLUMNS, max_content_width=HELP_COLUMNS)
    return command.get_help(context)


def _block(text: str) -> str:
    return f"```text\n{text.strip()}\n```"
