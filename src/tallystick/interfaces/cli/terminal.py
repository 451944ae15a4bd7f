"""Where a command reads and writes: the streams of this process, or those of a test."""

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TextIO

import click

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.doors.cli import escapes

PIPED_WIDTH = 10_000
"""Nothing is wrapped or cut for a program that reads; this only bounds what a table may be as wide as."""


class OutputLost(TallystickError):
    """The command did its work, but nobody will read what it says."""


class Terminal:
    """Streams and environment of one command. `people` and `colour` say for whom the output is."""

    def __init__(
        self,
        out: TextIO,
        err: TextIO,
        read_input: Callable[[], str | bytes],
        env: Mapping[str, str],
        *,
        input_tty: bool = False,
    ) -> None:
        self.out = out
        self.err = err
        self.env = env
        self.input_tty = input_tty
        self.out_tty = out.isatty()
        self.err_tty = err.isatty()
        self.json = False
        self.quiet = False
        self.verbose = False
        self.no_colour = bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb"
        self._read_input = read_input
        self._input_taken_by = ""
        self._progress_shown = False

    @classmethod
    def of_process(cls) -> "Terminal":
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # whatever the locale, nothing fails to be written
        return cls(
            sys.stdout or open(os.devnull, "w"),
            sys.stderr or open(os.devnull, "w"),
            lambda: sys.stdin.buffer.read() if sys.stdin else b"",
            os.environ,
            input_tty=bool(sys.stdin) and sys.stdin.isatty(),
        )

    @property
    def colour(self) -> bool:
        return self.out_tty and not self.no_colour

    @property
    def width(self) -> int:
        if not self.out_tty:
            return PIPED_WIDTH
        columns = self.env.get("COLUMNS", "")
        return int(columns) if columns.isdigit() and int(columns) else shutil.get_terminal_size().columns

    def say(self, text: str = "", *, exact: bool = False) -> None:
        """Write a line, or a block of lines, of text that is harmless already; too long ones are folded for people."""
        if self.out_tty and not exact:
            text = "\n".join(self._folded(line) for line in text.split("\n"))
        self._write(text + "\n")

    def say_json(self, value: object) -> None:
        self._write(escapes.json_text(value) + "\n")

    def remark(self, text: str) -> None:
        """Write a line to standard error."""
        self.end_progress()
        self.err.write(text + "\n")
        self.err.flush()

    def painted(self, text: str, colour: str = "", *, bold: bool = False, dim: bool = False) -> str:
        if not self.colour or not text:
            return text
        return click.style(text, fg=colour or None, bold=bold or None, dim=dim or None)

    def progress(self, what: str, done: int, total: int) -> None:
        """Show how far long work is, to a person who watches."""
        if not self.err_tty or self.quiet or self.json:
            return
        share = f" of {total:,}" if total else ""
        self.err.write(f"\r{what}: {done:,}{share} entries\x1b[K")
        self.err.flush()
        self._progress_shown = True

    def end_progress(self) -> None:
        if self._progress_shown:
            self.err.write("\r\x1b[K")
            self.err.flush()
            self._progress_shown = False

    def input(self, field: str) -> str | bytes:
        """All of standard input; it can be had once."""
        if self._input_taken_by:
            raise InvalidArgument(
                f"{field} and {self._input_taken_by} both ask for standard input.",
                hint="Give one of them as @file.",
                field=field,
            )
        self._input_taken_by = field
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
                f"The output could not be written: {error.strerror or error}.", hint="What was recorded is kept."
            ) from None

    def _folded(self, line: str) -> str:
        width = max(self.width, 20)
        if len(line) <= width or len(click.unstyle(line)) <= width:
            return line
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        return textwrap.fill(
            line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False, drop_whitespace=True
        )

    def confirm(self, question: str) -> bool:
        """Ask the person at the terminal; only a clear yes is one."""
        self.err.write(f"{question} [y/N] ")
        self.err.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def flush(self) -> None:
        self.end_progress()
        self._write("", flush=True)
        self.err.flush()

    def hush(self) -> None:
        """Nobody reads any more: let nothing fail when the process ends."""
        with suppress(OSError, ValueError):  # a stream of a test has no number
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.out.fileno())
