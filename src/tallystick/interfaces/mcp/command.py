"""The command `tallystick mcp`: the server that an agent's client starts for itself."""

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING, cast

from tallystick.core.errors import TallystickError
from tallystick.interfaces import problems
from tallystick.sdk.journal import Journal

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from tallystick.sdk.local import Local

TOOLS = ("all", "minimal", "classic")
_DEFAULTS = {"--url": "", "--journal": "", "--tools": "all"}


def main(arguments: Sequence[str]) -> int:
    """Serve standard input and output until the input closes; then end the session."""
    url, journal, tools = _read(arguments)
    signal.signal(signal.SIGTERM, leave)
    try:
        with Journal.open(url or None, journal=journal or None) as opened:
            from tallystick.interfaces.mcp.transport import stdio

            return stdio.serve(cast("Local", opened.caller), tools, os.environ)
    except (BrokenPipeError, KeyboardInterrupt):
        return problems.OK  # the client is gone, and wants nothing more
    except TallystickError as error:
        print(f"tallystick: {error.code}: {error}", file=sys.stderr)
        return problems.response_for(error).exit_code


def _read(arguments: Sequence[str]) -> tuple[str, str, str]:
    """The store, the journal and the tools. Plain options are read here: argparse takes a tenth of the start."""
    said = dict(_DEFAULTS)
    left = list(arguments)
    while left:
        name, equals, value = left.pop(0).partition("=")
        if name not in said or (not equals and not left):
            break
        said[name] = value if equals else left.pop(0)
    else:
        if said["--tools"] in TOOLS:
            return said["--url"], said["--journal"], said["--tools"]
    asked = options("mcp", "Serve MCP on standard input and output, for an agent's client to start.")
    told = asked.parse_args(arguments)
    return told.url, told.journal, told.tools


def options(name: str, description: str) -> "ArgumentParser":
    """The options that both servers take."""
    from argparse import ArgumentParser

    parser = ArgumentParser(f"tallystick {name}", description=description, allow_abbrev=False)
    parser.add_argument("--url", default="", help="the store; by default TALLYSTICK_URL, else the user's own file")
    parser.add_argument("--journal", default="", help="the journal; by default that of the project in this folder")
    parser.add_argument(
        "--tools",
        choices=TOOLS,
        default="all",
        help="which tools are listed: the six, the three that are left when hooks record actions, or the older names",
    )
    return parser


def leave(number: int, frame: FrameType | None) -> None:
    """On SIGTERM: go as one goes when the client is gone, and end the session."""
    raise SystemExit(problems.OK)
