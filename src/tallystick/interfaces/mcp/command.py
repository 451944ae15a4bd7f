"""The command `tallystick mcp`: the stdio server that an agent's client starts."""

import os
import signal
from collections.abc import Sequence
from types import FrameType

from tallystick.core.errors import TallystickError
from tallystick.interfaces import problems
from tallystick.sdk.command_options import add_journal_options, new_parser, print_error
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import local_caller

TOOLS = ("all", "minimal", "classic")
TOOLS_HELP = "the tools to list: all six, the three that are needed beside hooks, or the older names"
_DEFAULTS = {"--url": "", "--journal": "", "--tools": "all"}


def main(arguments: Sequence[str]) -> int:
    """Serve standard input and output until the input closes; then end the session."""
    url, journal, tools = _parse(arguments)
    signal.signal(signal.SIGTERM, exit_on_signal)
    try:
        with Journal.open(url or None, journal=journal or None) as opened:
            from tallystick.interfaces.mcp.transport import stdio

            return stdio.serve(local_caller(opened.caller), tools, os.environ)
    except (BrokenPipeError, KeyboardInterrupt):
        return problems.OK  # the client is gone
    except TallystickError as error:
        print_error(error)
        return problems.response_for(error).exit_code


def _parse(arguments: Sequence[str]) -> tuple[str, str, str]:
    """The store, the journal and the tools. Plain options are parsed here: argparse takes a tenth of the start."""
    values = dict(_DEFAULTS)
    rest = list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name not in values or (not equals and not rest):
            break
        values[name] = value if equals else rest.pop(0)
    else:
        if values["--tools"] in TOOLS:
            return values["--url"], values["--journal"], values["--tools"]
    parser = new_parser("mcp", "Serve MCP on standard input and output, for an agent's client to start.")
    add_journal_options(parser)
    parser.add_argument("--tools", choices=TOOLS, default="all", help=TOOLS_HELP)
    parsed = parser.parse_args(arguments)
    return parsed.url, parsed.journal, parsed.tools


def exit_on_signal(number: int, frame: FrameType | None) -> None:
    """On SIGTERM, exit as if the client had closed the connection: the session is ended."""
    raise SystemExit(problems.OK)
