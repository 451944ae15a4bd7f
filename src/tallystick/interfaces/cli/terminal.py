"""The input, output and log of a command, with text made safe for a terminal."""

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

import click
import msgspec

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.core.formats.visible import escape_json, escape_line


def json_text(value: Any) -> str:
    """A value as JSON in one line. Characters that are not visible are JSON escapes, so the value is unchanged."""
    return escape_json(msgspec.json.encode(value).decode())


# ----------------------------------------------------------------------------------------------------------------------
# The terminal

PIPED_COLUMNS = 10_000
"""The width when the output is not a terminal: nothing is wrapped or cut for a program. It bounds tables only."""


class OutputLost(TallystickError):
    """The command did its work, but its output could not be written."""


class Terminal:
    """The streams and the environment of one command. `store` has its `--url` and `--journal`, if they were given.
    `is_process`: the streams are the standard ones of this process."""

    def __init__(
        self,
        out: TextIO,
        err: TextIO,
        read_input: Callable[[], str | bytes],
        env: Mapping[str, str],
        *,
        input_tty: bool = False,
        is_process: bool = False,
    ) -> None:
        self.out = out
        self.err = err
        self.env = env
        self.input_tty = input_tty
        self.is_process = is_process
        self.out_tty = out.isatty()
        self.err_tty = err.isatty()
        self.json = False
        self.quiet = False
        self.verbose = False
        self.store: Mapping[str, Any] = {}
        self.no_colour = bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb"
        self._read_input = read_input
        self._input_field = ""
        self._progress_shown = False
        self._commands: set[str] = set()

    @classmethod
    def for_process(cls) -> "Terminal":
        """The terminal over the standard streams of this process. A stream may be missing (`>&-`)."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # no character fails, whatever the locale
        return cls(
            sys.stdout or open(os.devnull, "w"),
            sys.stderr or open(os.devnull, "w"),
            lambda: sys.stdin.buffer.read() if sys.stdin else b"",
            os.environ,
            input_tty=bool(sys.stdin) and sys.stdin.isatty(),
            is_process=True,
        )

    def keep_output(self) -> None:
        """Keep standard output for this command: what tools and their processes print goes to standard error, until
        this process ends."""
        if not self.is_process:
            return
        if sys.stdout is not None:
            self.flush()
            encoding, errors = sys.stdout.encoding, sys.stdout.errors
            own = os.dup(1)  # the end of the process closes it
            self.out = os.fdopen(own, "w", encoding=encoding, errors=errors, closefd=False)
            if hasattr(sys.stdout, "reconfigure"):
                sys.stdout.reconfigure(line_buffering=True)  # in the order of what others print
        try:
            os.dup2(2, 1)
        except OSError:  # there is no standard error
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    @property
    def uses_colour(self) -> bool:
        return self.out_tty and not self.no_colour

    @property
    def width(self) -> int:
        if not self.out_tty:
            return PIPED_COLUMNS
        columns = self.env.get("COLUMNS", "")
        return int(columns) if columns.isdigit() and int(columns) else shutil.get_terminal_size().columns

    def print(self, text: str = "", *, verbatim: bool = False) -> None:
        """Print lines of text that is already escaped. At a terminal long lines are wrapped, unless verbatim."""
        if self.out_tty and not verbatim:
            text = "\n".join(self._wrap(line) for line in text.split("\n"))
        self._write(text + "\n")

    def print_now(self, text: str) -> None:
        """Print text as it is, of a command that goes on."""
        self._write(text + "\n", flush=True)

    def print_json(self, value: object) -> None:
        self._write(json_text(value) + "\n")

    def print_stderr(self, text: str) -> None:
        """Print a line to standard error."""
        self.end_progress()
        self.err.write(text + "\n")
        self.err.flush()

    def keep_whole(self, command: str) -> str:
        """A command for a line of its own. It is not wrapped: with line breaks in it, it could not be copied."""
        self._commands.add(command)
        return command

    def style(self, text: str, colour: str = "", *, bold: bool = False, dim: bool = False) -> str:
        """The text with terminal colours, if the output has colours."""
        if not self.uses_colour or not text:
            return text
        return click.style(text, fg=colour or None, bold=bold or None, dim=dim or None)

    def progress(self, label: str, done: int, total: int) -> None:
        """Show the progress of long work, at a terminal only."""
        if not self.err_tty or self.quiet or self.json:
            return
        share = f" of {total:,}" if total else ""
        self.err.write(f"\r{label}: {done:,}{share} entries\x1b[K")
        self.err.flush()
        self._progress_shown = True

    def end_progress(self) -> None:
        if self._progress_shown:
            self.err.write("\r\x1b[K")
            self.err.flush()
            self._progress_shown = False

    def read_stdin(self, field: str) -> str | bytes:
        """All of standard input. Only one field of a command can read it."""
        if self._input_field:
            raise InvalidArgument(
                f"{field} and {self._input_field} both ask for standard input.",
                hint="Give one of them as @file.",
                field=field,
            )
        self._input_field = field
        return self._read_input()

    def _write(self, text: str, *, flush: bool = False) -> None:
        try:
            self.out.write(text)
            if flush:
                self.out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(
                f"The output could not be written: {error.strerror or error}.",
                hint="The records themselves are stored.",
            ) from None

    def _wrap(self, line: str) -> str:
        width = max(self.width, 20)
        if "tallystick " in line or line.strip() in self._commands:
            return line
        if len(line) <= width or len(click.unstyle(line)) <= width:
            return line
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        return textwrap.fill(
            line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False, drop_whitespace=True
        )

    def confirm(self, question: str) -> bool:
        """Ask the person at the terminal. Only `y` and `yes` are a yes."""
        self.err.write(f"{question} [y/N] ")
        self.err.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def flush(self) -> None:
        self.end_progress()
        self._write("", flush=True)
        self.err.flush()

    def discard_output(self) -> None:
        """Send the rest of the output to the null device, so that flushing at exit does not fail."""
        with suppress(OSError, ValueError):  # the stream of a test has no file descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.out.fileno())


# ----------------------------------------------------------------------------------------------------------------------
# The log on standard error

Level = Literal["debug", "info", "error"]
LEVELS: tuple[Level, ...] = ("debug", "info", "error")


class CommandLog:
    """Writes one line for each event, as text or JSON. Events below `level` are dropped; None drops all."""

    def __init__(self, write_line: Callable[[str], None], level: Level | None, form: str) -> None:
        self._write_line = write_line
        self._lowest = LEVELS.index(level) if level else len(LEVELS)
        self.form = form

    def write(self, level: Level, event: str, **details: Any) -> None:
        if LEVELS.index(level) < self._lowest:
            return
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if self.form == "json":
            self._write_line(json_text({"at": at, "level": level, "event": event, **details}))
        else:
            words = " ".join(f"{name}={escape_line(str(value))}" for name, value in details.items())
            self._write_line(f"{at} {level} {event} {words}".rstrip())


class Stopwatch:
    """Measures the time since it was made."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    @property
    def milliseconds(self) -> float:
        return round((time.monotonic() - self._start) * 1000, 1)
