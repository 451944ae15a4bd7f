"""The command line: one command for every operation, and a few more for people.

`main` runs the command of this process. `run` runs a command inside another program and returns its output.
"""

import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from io import StringIO

import click
from msgspec import Struct

from tallystick.core.errors import InvalidArgument, TallystickError, system_error
from tallystick.core.formats.visible import escape_line
from tallystick.interfaces import problems
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli.app import ExternalCommand, LazyCommand, Root
from tallystick.interfaces.cli.commands import maintenance
from tallystick.interfaces.cli.from_operations import EXAMPLE_COLUMNS, usage_of
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.shell_words import command_of_call, to_shell_words, with_store
from tallystick.interfaces.cli.terminal import OutputLost, Terminal
from tallystick.interfaces.fields import PROGRAM
from tallystick.sdk.local import Caller, Local

__all__ = ["ExternalCommand", "LazyCommand", "Result", "main", "run"]


SHARE_SESSION_HINT = "Scripts share a session if TALLYSTICK_SESSION, or --session, has the same name in them."


class Result(Struct, frozen=True):
    """The exit code and the output of a command."""

    exit_code: int
    stdout: str
    stderr: str


def main(
    argv: Sequence[str] | None = None, *, external: Mapping[str, ExternalCommand | LazyCommand] | None = None
) -> int:
    """Run the command of this process and return its exit code. `external` commands come from other packages."""
    root = Root(external or {})
    if maintenance.is_completion_request():
        return maintenance.complete(root)
    return _run(root, list(sys.argv[1:] if argv is None else argv), Terminal.for_process(), None)


def run(
    argv: Sequence[str], *, stdin: str = "", env: Mapping[str, str] | None = None, caller: Caller | None = None
) -> Result:
    """Run a command in this process, without touching the process's own streams.

    `caller`, if given, is used instead of opening a store, and stays open. `env` replaces the environment.
    """
    out, err = StringIO(), StringIO()
    terminal = Terminal(out, err, lambda: stdin, os.environ if env is None else env)
    code = _run(Root({}), list(argv), terminal, caller)
    return Result(code, out.getvalue(), err.getvalue())


def _run(root: Root, argv: list[str], terminal: Terminal, caller: Caller | None) -> int:
    invocation = Invocation(terminal, caller)
    try:
        try:
            code = _invoke(root, argv, invocation)
            terminal.flush()
        finally:
            invocation.close()
        return code
    except BrokenPipeError:
        terminal.discard_output()
        return problems.PIPE_CLOSED
    except OutputLost as error:
        terminal.discard_output()
        return _report(invocation, error)
    except KeyboardInterrupt:
        terminal.print_stderr("")
        return problems.INTERRUPTED
    except TallystickError as error:
        return _report(invocation, error)
    except click.UsageError as error:
        invocation.options.setdefault("json", "--json" in argv)  # click stops at the first option it cannot parse
        return _report(invocation, _usage_error(error))
    except OSError as error:
        return _report(invocation, system_error(error))
    except Exception as error:
        return _report_unexpected(invocation, error)


def _invoke(root: Root, argv: list[str], invocation: Invocation) -> int:
    try:
        with root.make_context("tallystick", argv, obj=invocation) as ctx:
            return int(root.invoke(ctx))
    except click.exceptions.Exit as exit:
        return exit.exit_code


def _report(invocation: Invocation, error: TallystickError) -> int:
    """Print an error as one line, or as a JSON object with --json. Returns the exit code."""
    if invocation.options.get("json"):
        invocation.terminal.print_stderr(cli_terminal.json_text(error.as_dict()))
    else:
        text = _text_for_shell(invocation, error).rstrip()
        invocation.terminal.print_stderr(f"tallystick: {error.code}: {escape_line(text)}")
    return problems.response_for(error).exit_code


def _text_for_shell(invocation: Invocation, error: TallystickError) -> str:
    if isinstance(error, InvalidArgument) and error.is_in_file:  # its fields are no options
        return f"{error.message} {error.hint}"
    message = to_shell_words(error.message, invocation.operation, error.field or "")
    return with_store(f"{message} {_command_hint(invocation, error)}", invocation.options)


def _command_hint(invocation: Invocation, error: TallystickError) -> str:
    """The error's hint. One that names an operation or its argument names the command or the option instead."""
    if error.next_call == ("record_execution_start", {"title": "..."}):
        return "Start one: `tallystick record execution-start --title TITLE`."
    if error.hint.endswith(" in this journal yet.") and isinstance(invocation.caller, Local):
        none = error.hint.replace("in this journal yet.", f"in the journal {invocation.settings.journal} yet")
        return f"{none}: `tallystick journals` lists all of them, --journal NAME chooses one."
    operation = invocation.operation
    if operation is not None and error.field and error.hint == f"Give {error.field}.":
        return f"Give {usage_of(operation, error.field)}."
    hint = to_shell_words(error.hint, operation)
    if error.field == "execution_id" and error.next_call and error.next_call[0] == "get_brief":
        hint += f" {SHARE_SESSION_HINT}"
    if error.next_call and f"`{PROGRAM} " not in hint and (command := command_of_call(*error.next_call)):
        hint += f" Next: `{command}`."
    return hint


def _usage_error(error: click.UsageError) -> InvalidArgument:
    path = error.ctx.command_path if error.ctx else "tallystick"
    message = " ".join(error.format_message().split())
    text = message if message.endswith((".", "?")) else f"{message}."
    example = getattr(error.ctx and error.ctx.command, "example", "") if "extra argument" in message else ""
    hint = f"For example: `{example}`. " if 0 < len(example) <= EXAMPLE_COLUMNS else ""
    return InvalidArgument(text, hint=f"{hint}See {path} --help.")


def _report_unexpected(invocation: Invocation, error: Exception) -> int:
    """Print an exception that no rule covers; the traceback only with --verbose."""
    summary = f"{type(error).__name__}: {error}".rstrip(": .")
    invocation.log.write("error", "unexpected error", error=summary, recorded="unknown")
    if invocation.options.get("verbose"):
        invocation.terminal.print_stderr("".join(traceback.format_exception(error)).rstrip())
    hint = "Run `tallystick --verbose ...` to see where it happened; `tallystick tail` shows what was recorded."
    return _report(invocation, TallystickError(f"Unexpected error: {summary}.", hint=hint))
