"""The options `--url` and `--journal`, for commands whose start time counts: argparse loads faster than click.

It is in `sdk` because gateway and interfaces share it. Other commands use `tallystick.interfaces.cli`.
"""

import sys
from typing import TYPE_CHECKING, NoReturn

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.core.formats.visible import escape_line

if TYPE_CHECKING:
    from argparse import ArgumentParser

USAGE = 2
"""The exit code of a wrong call."""


def new_parser(name: str, description: str) -> "ArgumentParser":
    """A parser for the command `tallystick NAME`. It reports a wrong call as every command does, and exits with 2."""
    from argparse import ArgumentParser  # not needed for plain options of `tallystick mcp`

    class Parser(ArgumentParser):
        def error(self, message: str) -> NoReturn:
            print_error(InvalidArgument(f"{message[:1].upper()}{message[1:]}.", hint=f"See {self.prog} --help."))
            self.exit(USAGE)

    return Parser(f"tallystick {name}", description=description, allow_abbrev=False)


def add_journal_options(parser: "ArgumentParser") -> None:
    """Add the options that choose the store and the journal."""
    parser.add_argument("--url", default="", help="the store; default: TALLYSTICK_URL, else a file of this user")
    parser.add_argument("--journal", default="", help="the journal; default: TALLYSTICK_JOURNAL, else the project's")


def print_error(error: TallystickError) -> None:
    print(f"tallystick: {error.code}: {escape_line(str(error))}", file=sys.stderr)
