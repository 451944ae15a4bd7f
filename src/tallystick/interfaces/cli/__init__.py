"""The command line: every operation as a command, and a few commands for people beside them.

`main` is this process's; `run` drives the same commands inside another program, with streams of its own.
"""

import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from io import StringIO

import click
from msgspec import Struct

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.interfaces import problems
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli.app import Elsewhere, Root
from tallystick.interfaces.cli.commands import maintenance
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.terminal import OutputLost, Terminal
from tallystick.sdk.local import Caller

__all__ = ["Elsewhere", "Result", "main", "run"]


class Result(Struct, frozen=True):
    """What a command left behind."""

    exit_code: int
    stdout: str
    stderr: str


def main(argv: Sequence[str] | None = None, *, more: Mapping[str, Elsewhere] | None = None) -> int:
    """Run the command of this process and return its exit code."""
    root = Root(more or {})
    if maintenance.asked():
        return maintenance.answer(root)
    return _carried_out(root, list(sys.argv[1:] if argv is None else argv), Terminal.of_process(), None)


def run(
    argv: Sequence[str], *, stdin: str = "", env: Mapping[str, str] | None = None, caller: Caller | None = None
) -> Result:
    """Run a command in this process, without touching its streams.

    A `caller` that is given is used instead of opening a store, and stays open. `env` stands for the environment.
    """
    out, err = StringIO(), StringIO()
    terminal = Terminal(out, err, lambda: stdin, os.environ if env is None else env)
    code = _carried_out(Root({}), list(argv), terminal, caller)
    return Result(code, out.getvalue(), err.getvalue())


def _carried_out(root: Root, argv: list[str], terminal: Terminal, caller: Caller | None) -> int:
    invocation = Invocation(terminal, caller)
    try:
        try:
            code = _invoked(root, argv, invocation)
            terminal.flush()
        finally:
            invocation.close()
        return code
    except BrokenPipeError:
        terminal.hush()
        return problems.PIPE_CLOSED
    except OutputLost as error:
        terminal.hush()
        return _refused(invocation, error)
    except KeyboardInterrupt:
        terminal.remark("")
        return problems.INTERRUPTED
    except TallystickError as error:
        return _refused(invocation, error)
    except click.UsageError as error:
        invocation.wishes.setdefault("json", "--json" in argv)  # it may stand behind what could not be read
        return _refused(invocation, _misused(error))
    except Exception as error:
        return _broken(invocation, error)


def _invoked(root: Root, argv: list[str], invocation: Invocation) -> int:
    try:
        with root.make_context("tallystick", argv, obj=invocation) as ctx:
            return int(root.invoke(ctx))
    except click.exceptions.Exit as done:
        return done.exit_code


def _refused(invocation: Invocation, error: TallystickError) -> int:
    """One line that says what was wrong and what to do; with --json the same as an object."""
    if invocation.wishes.get("json"):
        invocation.terminal.remark(cli_terminal.json_text(error.as_dict()))
    else:
        invocation.terminal.remark(f"tallystick: {error.code}: {cli_terminal.line(str(error))}")
    return problems.response_for(error).exit_code


def _misused(error: click.UsageError) -> InvalidArgument:
    path = error.ctx.command_path if error.ctx else "tallystick"
    message = " ".join(error.format_message().split())
    return InvalidArgument(message if message.endswith((".", "?")) else f"{message}.", hint=f"See {path} --help.")


def _broken(invocation: Invocation, error: Exception) -> int:
    """Something that nobody foresaw: a traceback only for who asked for more words."""
    invocation.log.note("error", "unforeseen", error=f"{type(error).__name__}: {error}", recorded="unknown")
    if invocation.wishes.get("verbose"):
        invocation.terminal.remark("".join(traceback.format_exception(error)).rstrip())
    what = f"{type(error).__name__}: {error}".rstrip(": .")
    hint = "Run it again as `tallystick --verbose ...` to see where; the journal says what was recorded."
    return _refused(invocation, TallystickError(f"Unforeseen: {what}.", hint=hint))
