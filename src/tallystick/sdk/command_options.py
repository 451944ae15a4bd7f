"""The options `--url` and `--journal`, for commands whose start time counts: argparse loads faster than click.

Other commands use `tallystick.interfaces.cli`.
"""

import sys
from typing import TYPE_CHECKING

from tallystick.core.errors import TallystickError

if TYPE_CHECKING:
    from argparse import ArgumentParser


def new_parser(name: str, description: str) -> "ArgumentParser":
    """A parser for the command `tallystick NAME`."""
    from argparse import ArgumentParser  # not needed for plain options of `tallystick mcp`

    return ArgumentParser(f"tallystick {name}", description=description, allow_abbrev=False)


def add_journal_options(parser: "ArgumentParser") -> None:
    """Add the options that choose the store and the journal."""
    parser.add_argument("--url", default="", help="the store; default: TALLYSTICK_URL, else a file of this user")
    parser.add_argument("--journal", default="", help="the journal; default: TALLYSTICK_JOURNAL, else the project's")


def print_error(error: TallystickError) -> None:
    print(f"tallystick: {error.code}: {error}", file=sys.stderr)
