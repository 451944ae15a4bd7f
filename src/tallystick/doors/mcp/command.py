"""The command `tallystick mcp`: the server that an agent's client starts for itself."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import cast

from tallystick.calls import Local
from tallystick.core.errors import TallystickError
from tallystick.doors import problems
from tallystick.journal import Journal

TOOLS = ("all", "minimal", "classic")


def main(arguments: Sequence[str]) -> int:
    """Serve standard input and output until the input closes; then end the session."""
    said = options("mcp", "Serve MCP on standard input and output, for an agent's client to start.").parse_args(
        arguments
    )
    signal.signal(signal.SIGTERM, _leave)
    try:
        with Journal.open(said.url, journal=said.journal) as journal:
            from tallystick.doors.mcp import stdio

            return stdio.serve(cast(Local, journal.caller), said.tools, os.environ)
    except (BrokenPipeError, KeyboardInterrupt):
        return problems.OK  # the client is gone, and wants nothing more
    except TallystickError as error:
        print(f"tallystick: {error.code}: {error}", file=sys.stderr)
        return problems.answer_to(error).exit_code


def options(name: str, description: str) -> argparse.ArgumentParser:
    """The options that both servers take."""
    parser = argparse.ArgumentParser(f"tallystick {name}", description=description, allow_abbrev=False)
    parser.add_argument("--url", help="the store; by default TALLYSTICK_URL, else the user's own file")
    parser.add_argument("--journal", help="the journal; by default that of the project in this folder")
    parser.add_argument(
        "--tools",
        choices=TOOLS,
        default="all",
        help="which tools are listed: the six, the three that are left when hooks record actions, or the older names",
    )
    return parser


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(problems.OK)
