"""`verify`, `export` and `erase`: whether the journal is whole, taking it elsewhere, and taking from it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from tallystick.core.errors import InvalidArgument, StorageUnavailable
from tallystick.interfaces import problems
from tallystick.interfaces.cli import output
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.from_operations import command_of
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations import CATALOGUE
from tallystick.operations.audit import Export, Verification


def verify() -> Command:
    return command_of(
        CATALOGUE["verify"],
        run=_verify,
        more=[click.Option(["--file", "file"], metavar="FILE", help="Verify an export instead of the journal.")],
        doc=CATALOGUE["verify"].doc + "\n\nExits with 1 when something does not hold.",
    )


def export() -> Command:
    return command_of(
        CATALOGUE["export"],
        run=_export,
        more=[
            click.Option(["--output", "-o", "output"], metavar="FILE", help="Write to this file."),
            click.Option(["--force", "force"], is_flag=True, default=None, help="Replace the file if there is one."),
        ],
        doc=CATALOGUE["export"].doc
        + "\n\nAll of it is written, to standard output or a file. With --json it is one page, as the library has it.",
        example="tallystick export -o journal.jsonl",
    )


def erase() -> Command:
    return command_of(
        CATALOGUE["erase"],
        run=_erase,
        more=[click.Option(["--yes", "-y", "yes"], is_flag=True, default=None, help="Do not ask at a terminal.")],
    )


def _verify(invocation: Invocation, given: dict[str, Any]) -> int:
    path = given.pop("file", "")
    if path:
        found = _file(path, given.get("head", ""))
    else:
        invocation.watch_progress("verifying")
        found = invocation.call("verify", given)
    terminal = invocation.terminal
    terminal.end_progress()
    if terminal.json or not terminal.quiet:
        output.show(terminal, found)
    return problems.OK if found.ok else problems.FAILURE


def _erase(invocation: Invocation, given: dict[str, Any]) -> int:
    sure = given.pop("yes", False) or not invocation.terminal.input_tty
    CATALOGUE["erase"].read_arguments(given)  # a wrong call is not worth a question
    if not sure and not invocation.terminal.confirm("This erases text for good. Go on?"):
        invocation.terminal.remark("tallystick: nothing was erased.")
        return problems.FAILURE
    receipt = invocation.call("erase", given)
    output.show(invocation.terminal, receipt)
    if receipt.state == "pending":
        invocation.terminal.remark(
            "tallystick: nobody can read it any more, but bytes of it remain in the files of the store while a program "
            "reads an older state. When that is done, erase the same again, or run `tallystick doctor`."
        )
    return problems.OK


def _file(path: str, head: str) -> Verification:
    """Let the verifier, which shares no code with the journal, judge a file."""
    from tallystick import verifier

    try:
        report = verifier.verify_file(path, head)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise InvalidArgument(
            f'The file "{path}" cannot be read: {why}.', hint="Name a file that export wrote.", field="file"
        ) from None
    return msgspec.convert(report, Verification)


def _export(invocation: Invocation, given: dict[str, Any]) -> int:
    path, force = given.pop("output", ""), given.pop("force", False)
    terminal = invocation.terminal
    if terminal.json and not path:
        output.show(terminal, invocation.call("export", given))
        return 0
    lines = _pages(invocation, given)
    if not path:
        for line in lines:
            terminal.say(
                line if not terminal.out_tty else cli_terminal.json_text(msgspec.Raw(line.encode())), exact=True
            )
        return 0
    many = _write(Path(path).expanduser(), lines, replace=force)
    terminal.end_progress()
    if terminal.json:
        terminal.say_json({"file": path, "entries": max(many - 1, 0)})
    elif not terminal.quiet:
        terminal.say(f"{max(many - 1, 0):,} entries written to {cli_terminal.line(path)}")
    return 0


def _pages(invocation: Invocation, given: dict[str, Any]) -> Iterator[str]:
    """Every line, page by page."""
    end = invocation.call("read_entries", {"newest_first": True, "limit": 1}).last_seq
    arguments, more = dict(given), True
    while more:
        page: Export = invocation.call("export", arguments)
        yield from page.lines
        arguments["after"], more = page.last_seq, page.more
        invocation.terminal.progress("exporting", page.last_seq, end)


def _write(path: Path, lines: Iterator[str], *, replace: bool) -> int:
    """Write all lines or no file: whoever finds the file finds it whole. Only its owner may read it."""
    if path.exists() and not replace:
        raise InvalidArgument(f"{path} exists already.", hint="Choose another name, or add --force.", field="output")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    many = 0
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + "\n")
                many += 1
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StorageUnavailable(
            f"{path} cannot be written: {error.strerror or error}.", hint="Choose another place with -o."
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return many
