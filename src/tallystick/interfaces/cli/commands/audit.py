"""The commands `verify`, `export` and `erase`: check a journal, copy it to a file, erase text from it."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from tallystick.core.errors import InvalidArgument, StorageUnavailable
from tallystick.core.formats.visible import escape_line
from tallystick.interfaces import problems
from tallystick.interfaces.cli import output
from tallystick.interfaces.cli import terminal as cli_terminal
from tallystick.interfaces.cli.command import Command
from tallystick.interfaces.cli.from_operations import make_command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations import CATALOGUE
from tallystick.operations.audit import Export, Verification
from tallystick.sdk.local import local_caller


def verify() -> Command:
    return make_command(
        CATALOGUE["verify"],
        run=_verify,
        extra_options=[
            click.Option(["--file", "file"], metavar="FILE", help="Verify an export instead of the journal.")
        ],
        doc=CATALOGUE["verify"].doc + "\n\nExits with 1 when something does not hold.",
        example="tallystick verify --file journal.jsonl",
    )


def export() -> Command:
    return make_command(
        CATALOGUE["export"],
        run=_export,
        extra_options=[
            click.Option(["--output", "-o", "output"], metavar="FILE", help="Write to this file."),
            click.Option(["--force", "force"], is_flag=True, default=None, help="Replace the file if it exists."),
            click.Option(["--otlp", "otlp"], metavar="URL", help="Send to this OpenTelemetry receiver instead."),
            click.Option(
                ["--otlp-content", "otlp_content"], is_flag=True, default=None, help="Send recorded text too, masked."
            ),
            click.Option(
                ["--since", "since"],
                metavar="TIME|N",
                help="With --otlp: send again what is behind this time or entry.",
            ),
        ],
        doc=CATALOGUE["export"].doc
        + "\n\nWrites every page, to standard output or a file. With --json it prints one page, as the library returns"
        " it. With --otlp it sends spans, log records and metrics, and the next time only what is new.",
        example="tallystick export -o journal.jsonl",
    )


def erase() -> Command:
    return make_command(
        CATALOGUE["erase"],
        run=_erase,
        extra_options=[
            click.Option(["--yes", "-y", "yes"], is_flag=True, default=None, help="Do not ask at a terminal.")
        ],
    )


def _verify(invocation: Invocation, arguments: dict[str, Any]) -> int:
    path = arguments.pop("file", "")
    if path:
        result = _verify_file(path, arguments.get("head", ""))
    else:
        invocation.show_progress("verifying")
        result = invocation.call("verify", arguments)
    terminal = invocation.terminal
    terminal.end_progress()
    if terminal.json or not terminal.quiet:
        output.show(terminal, result)
    return problems.OK if result.ok else problems.FAILURE


def _verify_file(path: str, head: str) -> Verification:
    """Verify an export with the stand-alone verifier, which shares no code with the journal."""
    from tallystick import verifier

    try:
        report = verifier.verify_file(path, head)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise InvalidArgument(
            f'The file "{path}" cannot be read: {why}.', hint="Name a file that `export` wrote.", field="file"
        ) from None
    return msgspec.convert(report, Verification)


def _erase(invocation: Invocation, arguments: dict[str, Any]) -> int:
    is_confirmed = arguments.pop("yes", False) or not invocation.terminal.input_tty
    CATALOGUE["erase"].validate(arguments)  # an invalid call is rejected before the question
    if not is_confirmed and not invocation.terminal.confirm("This erases text for good. Go on?"):
        invocation.terminal.print_stderr("tallystick: nothing was erased.")
        return problems.FAILURE
    receipt = invocation.call("erase", arguments)
    output.show(invocation.terminal, receipt)
    if receipt.state == "pending":
        invocation.terminal.print_stderr(
            "tallystick: the text cannot be read any more, but its bytes remain in the store's files while another "
            "program reads an older state. When that program has ended, run the same `erase` again, or `tallystick "
            "doctor`."
        )
    return problems.OK


def _export_otlp(invocation: Invocation, url: str, *, content: bool, since: str | None) -> int:
    """Send the journal to an OpenTelemetry receiver."""
    from tallystick.outbound.otel.export import ONE_GO_LEASE_SECONDS, OtlpExport, position_since  # loaded only now

    logging.getLogger("tallystick.outbound.otel").addHandler(logging.NullHandler())  # it is said below
    terminal, context = invocation.terminal, local_caller(invocation.caller).context
    position = position_since(context, since) if since else None
    exporter = OtlpExport(context, url, content=content, lease_seconds=ONE_GO_LEASE_SECONDS)
    try:
        sent = exporter.send_all(position, lambda done, total: terminal.progress("sending", done, total))
    finally:
        exporter.close()
        terminal.end_progress()
    if terminal.json:
        terminal.print_json(msgspec.to_builtins(sent))
    elif not terminal.quiet:
        terminal.print(f"{sent.entries:,} entries sent, with {sent.spans:,} spans")
    if sent.left_out:
        terminal.print_stderr(f"tallystick: the receiver does not take {' and '.join(sent.left_out)}")
    for signal, count in sent.rejected.items():
        terminal.print_stderr(f"tallystick: the receiver rejected {count:,} of {signal}: {escape_line(sent.message)}")
    return problems.OK


def _export(invocation: Invocation, arguments: dict[str, Any]) -> int:
    url, since = arguments.pop("otlp", ""), arguments.pop("since", None)
    content = arguments.pop("otlp_content", False)
    if url:
        return _export_otlp(invocation, url, content=content, since=since)
    if since or content:
        raise InvalidArgument(
            "--since and --otlp-content go with --otlp.", hint="Give --otlp URL, or leave them out.", field="otlp"
        )
    path, force = arguments.pop("output", ""), arguments.pop("force", False)
    terminal = invocation.terminal
    if terminal.json and not path:
        output.show(terminal, invocation.call("export", arguments))
        return 0
    lines = _export_lines(invocation, arguments)
    if not path:
        for line in lines:
            text = cli_terminal.json_text(msgspec.Raw(line.encode())) if terminal.out_tty else line
            terminal.print(text, verbatim=True)
        return 0
    entries = max(_write_file(Path(path).expanduser(), lines, replace=force) - 1, 0)  # the first line is a header
    terminal.end_progress()
    if terminal.json:
        terminal.print_json({"file": path, "entries": entries})
    elif not terminal.quiet:
        terminal.print(f"{entries:,} entries written to {escape_line(path)}")
    return 0


def _export_lines(invocation: Invocation, arguments: dict[str, Any]) -> Iterator[str]:
    """Every line of the export, page by page."""
    last_seq = invocation.call("read_entries", {"newest_first": True, "limit": 1}).last_seq
    arguments, more = dict(arguments), True
    while more:
        page: Export = invocation.call("export", arguments)
        yield from page.lines
        arguments["after"], more = page.last_seq, page.more
        invocation.terminal.progress("exporting", page.last_seq, last_seq)


def _write_file(path: Path, lines: Iterator[str], *, replace: bool) -> int:
    """Write all lines, or no file at all. Only the owner may read the file. Returns the number of lines."""
    if path.is_dir():
        hint = f"Name a file in it: -o {path / 'journal.jsonl'}"
        raise InvalidArgument(f"{path} is a folder.", hint=hint, field="output")
    if path.exists() and not replace:
        raise InvalidArgument(f"{path} exists already.", hint="Choose another name, or add --force.", field="output")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    count = 0
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + "\n")
                count += 1
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StorageUnavailable(
            f"{path} cannot be written: {error.strerror or error}.", hint="Choose another file with -o."
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return count
