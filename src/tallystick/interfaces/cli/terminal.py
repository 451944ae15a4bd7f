"""Where a command reads and writes: the streams of this process, or those of a test."""

import json
import os
import re
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

# ----------------------------------------------------------------------------------------------------------------------
# Text that some model or tool wrote, made harmless for a terminal.
#
# Whatever is not printable is written as its escape (`\\x1b`, `\\u202e`): control characters, terminal escapes, marks
# that turn the direction of text, characters that hide. Line ends and tabs stay where a block of text is shown. The
# page
# shows the same ones (`static/ui/visible.js`); a test holds both together.

_JOINERS = "\u200c\u200d"
"""Persian and emoji need them, and a terminal does nothing with them."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Python calls them printable, and nothing is drawn for them. The last two selectors of a variation make emoji."""


def block(text: str) -> str:
    """Several lines of text, harmless."""
    return _harmless(text, "\n\t")


def line(text: str) -> str:
    """The text in one line, harmless."""
    return _harmless(" ".join(text.split()), "")


def json_text(value: Any) -> str:
    """A value as JSON in one line, with an escape for all that is not printable: the same value to any reader."""
    text = msgspec.json.encode(value).decode()
    if _is_seen(text):
        return text
    return "".join(letter if _is_seen(letter) else json.dumps(letter)[1:-1] for letter in text)


def _harmless(text: str, kept: str) -> str:
    if _is_seen(text):
        return text
    return "".join(_letter(letter, kept) for letter in text)


def _letter(letter: str, kept: str) -> str:
    if _is_seen(letter) or letter in kept or letter in _JOINERS:
        return letter
    if letter.isspace() and letter > "\x9f" and letter not in "\u2028\u2029":
        return " "  # a space of another width
    return letter.encode("unicode_escape").decode()


def _is_seen(text: str) -> bool:
    return text.isprintable() and not _BLANK.search(text)


# ----------------------------------------------------------------------------------------------------------------------

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
        self._write(json_text(value) + "\n")

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


# ----------------------------------------------------------------------------------------------------------------------
# What happened, for whoever runs this: one line each on standard error, as text or as JSON.

Level = Literal["debug", "info", "error"]
LEVELS: tuple[Level, ...] = ("debug", "info", "error")


class CommandLog:
    """Lines from `level` upwards; None writes nothing."""

    def __init__(self, write: Callable[[str], None], level: Level | None, form: str) -> None:
        self._write = write
        self._from = LEVELS.index(level) if level else len(LEVELS)
        self._form = form

    def note(self, level: Level, event: str, **details: Any) -> None:
        if LEVELS.index(level) < self._from:
            return
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if self._form == "json":
            self._write(json_text({"at": at, "level": level, "event": event, **details}))
        else:
            words = " ".join(f"{name}={line(str(value))}" for name, value in details.items())
            self._write(f"{at} {level} {event} {words}".rstrip())


class Stopwatch:
    """How long something took."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    @property
    def milliseconds(self) -> float:
        return round((time.monotonic() - self._start) * 1000, 1)
