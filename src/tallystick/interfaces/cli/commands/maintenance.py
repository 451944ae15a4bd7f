"""Upkeep of the store itself: not operations, since no agent may ask for them; they work where the store is."""

import os
from typing import Any

import click

from tallystick.core.errors import one_of
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli import text
from tallystick.interfaces.cli.command import Command, Words
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.version import __version__


def journals() -> Command:
    return Command(
        "journals",
        _journals,
        "The journals that this store holds, and how many entries each has.",
        example="tallystick journals",
    )


def rebuild() -> Command:
    return Command(
        "rebuild",
        _rebuild,
        """Drop the derived rows of the journal and fold them again from its entries.

        The entries are the truth and stay as they are; nothing is lost by this, and nothing changes unless a row
        was damaged.""",
        example="tallystick rebuild",
    )


def sizes(invocation: Invocation) -> dict[str, int]:
    """How many entries each journal of the store has."""
    found = {}
    for name in invocation.store.journals():
        newest = invocation.in_journal(name).call("read_entries", {"newest_first": True, "limit": 1}).entries
        found[name] = newest[0].seq if newest else 0
    return found


def _journals(invocation: Invocation, given: dict[str, Any]) -> int:
    terminal, current = invocation.terminal, invocation.settings.journal
    names = invocation.store.journals() if terminal.quiet and not terminal.json else []
    if names:
        terminal.say("\n".join(map(cli_terminal.line, names)))
        return 0
    found = sizes(invocation)
    if terminal.json:
        terminal.say_json({"journals": [{"name": name, "entries": count} for name, count in found.items()]})
    elif found:
        rows = [
            [cli_terminal.line(name), f"{count:,}", "here" if name == current else ""] for name, count in found.items()
        ]
        terminal.say(text.drawn(terminal, ["journal", "entries", ""], rows))
    else:
        terminal.say("No journals.")
    return 0


def _rebuild(invocation: Invocation, given: dict[str, Any]) -> int:
    invocation.terminal.progress("folding again", 0, sizes(invocation)[invocation.settings.journal])
    count = invocation.store.rebuild(invocation.settings.journal)
    terminal = invocation.terminal
    terminal.end_progress()
    if terminal.json:
        terminal.say_json({"journal": invocation.settings.journal, "entries": count})
    elif not terminal.quiet:
        terminal.say(f"Folded {count:,} entries of {cli_terminal.line(invocation.settings.journal)} again.")
    return 0


# ----------------------------------------------------------------------------------------------------------------------
# `tallystick completion`: the script that lets a shell complete our commands.

VARIABLE = "_TALLYSTICK_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


def completion() -> Command:
    return Command(
        "completion",
        _script,
        """Print the script that completes commands, options and words in a shell.

        For bash, put `eval "$(tallystick completion bash)"` into ~/.bashrc; for zsh, the same with zsh into ~/.zshrc;
        for fish, write the output to ~/.config/fish/completions/tallystick.fish.""",
        example='eval "$(tallystick completion bash)"',
        params=[click.Argument(["shell"], type=Words(SHELLS), metavar=f"[{'|'.join(SHELLS)}]", required=False)],
    )


def asked() -> bool:
    """Whether a shell asks this process for completions."""
    return bool(os.environ.get(VARIABLE))


def answer(root: click.Command) -> int:
    """Tell the shell what may come next."""
    from click.shell_completion import shell_complete

    return shell_complete(root, {}, "tallystick", VARIABLE, os.environ[VARIABLE])


def _script(invocation: Invocation, given: dict[str, Any]) -> int:
    from click.shell_completion import get_completion_class

    shell = given.get("shell", "")
    kind = get_completion_class(shell) if shell in SHELLS else None
    if kind is None:
        raise one_of(shell, "shell", SHELLS, what="a shell that is known here")
    script = kind(click.Command("tallystick"), {}, "tallystick", VARIABLE)
    invocation.terminal.say(script.source_template % script.source_vars(), exact=True)
    return 0


# ----------------------------------------------------------------------------------------------------------------------
# `tallystick version`: which program this is.


def version() -> Command:
    return Command("version", _version, "The version of this program.", example="tallystick version")


def _version(invocation: Invocation, given: dict[str, Any]) -> int:
    if invocation.terminal.json:
        invocation.terminal.say_json({"version": __version__})
    else:
        invocation.terminal.say(f"tallystick {__version__}")
    return 0
