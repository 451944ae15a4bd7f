"""`tallystick completion`: the script that lets a shell complete our commands."""

import os
from typing import Any

import click

from tallystick.core.errors import one_of
from tallystick.doors.cli.command import Command
from tallystick.doors.cli.door import Door
from tallystick.doors.cli.options import Words

VARIABLE = "_TALLYSTICK_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


def command() -> Command:
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


def _script(door: Door, given: dict[str, Any]) -> int:
    from click.shell_completion import get_completion_class

    shell = given.get("shell", "")
    kind = get_completion_class(shell) if shell in SHELLS else None
    if kind is None:
        raise one_of(shell, "shell", SHELLS, what="a shell that is known here")
    script = kind(click.Command("tallystick"), {}, "tallystick", VARIABLE)
    door.terminal.say(script.source_template % script.source_vars(), exact=True)
    return 0
