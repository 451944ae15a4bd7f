"""The commands `journals`, `rebuild`, `completion` and `version`.

They are no operations: agents may not call them, and `journals` and `rebuild` need direct access to the store.
"""

import os
from contextlib import suppress
from typing import Any

import click

from tallystick.core.errors import StorageUnavailable, not_one_of
from tallystick.core.formats.visible import escape_line
from tallystick.interfaces.cli import tables
from tallystick.interfaces.cli.command import Command, WordChoice
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.version import __version__

COMPLETION_VARIABLE = "_TALLYSTICK_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


def journals() -> Command:
    return Command(
        "journals",
        _journals,
        "List the journals in the store, and how many entries each has.",
        example="tallystick journals",
    )


def count_entries(invocation: Invocation) -> dict[str, int]:
    """The number of entries in each journal of the store."""
    counts = {}
    for name in invocation.store.journals():
        newest = invocation.in_journal(name).call("read_entries", {"newest_first": True, "limit": 1}).entries
        counts[name] = newest[0].seq if newest else 0
    return counts


def _journals(invocation: Invocation, arguments: dict[str, Any]) -> int:
    terminal, current = invocation.terminal, invocation.settings.journal
    names = invocation.store.journals() if terminal.quiet and not terminal.json else []
    if names:
        terminal.print("\n".join(map(escape_line, names)))
        return 0
    counts = count_entries(invocation)
    if terminal.json:
        terminal.print_json({"journals": [{"name": name, "entries": count} for name, count in counts.items()]})
    elif counts:
        rows = [
            [escape_line(name), f"{count:,}", "current" if name == current else ""] for name, count in counts.items()
        ]
        terminal.print(tables.draw_table(terminal, ["journal", "entries", ""], rows))
    else:
        terminal.print("No journals.")
    return 0


def rebuild() -> Command:
    return Command(
        "rebuild",
        _rebuild,
        """Drop the derived tables of the journal and rebuild them from its entries.

        The entries stay as they are. Nothing changes unless a derived row, a credential or the search index was
        damaged. With --tail nothing is dropped: only the rows of the newest entries are written, which a killed process
        left, so that SQL readers see them.""",
        example="tallystick rebuild",
        params=[click.Option(["--tail"], is_flag=True, help="Only write the rows that are not written yet.")],
    )


def _rebuild(invocation: Invocation, arguments: dict[str, Any]) -> int:
    journal, terminal = invocation.settings.journal, invocation.terminal
    if arguments.get("tail"):
        return _write_tail(invocation)
    with suppress(StorageUnavailable):  # rebuilding mends what cannot be counted
        terminal.progress("rebuilding", 0, count_entries(invocation).get(journal, 0))
    count = invocation.store.rebuild(journal)
    terminal.end_progress()
    if terminal.json:
        terminal.print_json({"journal": journal, "entries": count})
    elif not terminal.quiet:
        terminal.print(f"Rebuilt {escape_line(journal)} from {count:,} entries.")
    return 0


def _write_tail(invocation: Invocation) -> int:
    journal, terminal = invocation.settings.journal, invocation.terminal
    count = invocation.store.flush(journal)
    if terminal.json:
        terminal.print_json({"journal": journal, "entries": count})
    elif not terminal.quiet:
        written = f"Wrote the rows of {count:,} entries" if count else "No rows were missing"
        terminal.print(f"{written} in {escape_line(journal)}.")
    return 0


def completion() -> Command:
    return Command(
        "completion",
        _completion,
        """Print the script that completes commands, options and words in a shell.

        For bash, add `eval "$(tallystick completion bash)"` to ~/.bashrc. For zsh, add the same with `zsh` to
        ~/.zshrc. For fish, write the output to ~/.config/fish/completions/tallystick.fish.""",
        example='eval "$(tallystick completion bash)"',
        params=[click.Argument(["shell"], type=WordChoice(SHELLS), metavar=f"[{'|'.join(SHELLS)}]", required=False)],
    )


def is_completion_request() -> bool:
    """Whether a shell started this process to complete a command."""
    return bool(os.environ.get(COMPLETION_VARIABLE))


def complete(root: click.Command) -> int:
    """Print the completions that the shell asks for."""
    from click.shell_completion import shell_complete

    return shell_complete(root, {}, "tallystick", COMPLETION_VARIABLE, os.environ[COMPLETION_VARIABLE])


def _completion(invocation: Invocation, arguments: dict[str, Any]) -> int:
    from click.shell_completion import get_completion_class

    shell = arguments.get("shell", "")
    completer = get_completion_class(shell) if shell in SHELLS else None
    if completer is None:
        raise not_one_of(shell, "shell", SHELLS, what="a supported shell")
    script = completer(click.Command("tallystick"), {}, "tallystick", COMPLETION_VARIABLE)
    invocation.terminal.print(script.source_template % script.source_vars(), verbatim=True)
    return 0


def version() -> Command:
    return Command("version", _version, "Print the version.", example="tallystick version")


def _version(invocation: Invocation, arguments: dict[str, Any]) -> int:
    if invocation.terminal.json:
        invocation.terminal.print_json({"version": __version__})
    else:
        invocation.terminal.print(f"tallystick {__version__}")
    return 0
