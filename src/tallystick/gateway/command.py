"""The command `tallystick gateway`: one entry in a client's configuration instead of many."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from tallystick.core.errors import StorageUnavailable, TallystickError, Unsupported
from tallystick.gateway import config
from tallystick.gateway.gateway import Gateway, Parts
from tallystick.gateway.io.log import LOG, replace_stderr
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.upstream import names
from tallystick.sdk.command_options import add_journal_options, new_parser, print_error
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Local

OK = 0
FAILED = 1


def main(arguments: Sequence[str], parts: Parts) -> int:
    """Serve until the client is gone; then end the session, so that what is left open is in doubt."""
    with replace_stderr():
        return _main(arguments, parts)


def _main(arguments: Sequence[str], parts: Parts) -> int:
    parser = new_parser("gateway", "Stand between an agent and its MCP servers.")
    parser.add_argument("--config", required=True, type=Path, help="the file with mcpServers, and our policy beside it")
    add_journal_options(parser)
    parser.add_argument("--http", type=int, metavar="PORT", help="serve HTTP on this machine instead; 0: a free port")
    parser.add_argument("--check", action="store_true", help="read the configuration, say what it means, and end")
    said = parser.parse_args(arguments)
    try:
        found = config.read(said.config, os.environ)
        names.check(found)
        if said.check:
            print("\n".join(config.described(found)))
            return OK
        with _opened(said.url, said.journal, parts) as opened:
            loop = Loop()
            gateway = Gateway(loop, found, cast(Local, opened.caller), os.environ, parts)
            if said.http is not None:
                from tallystick.gateway.client import http  # with the SDK it takes a second to load

                http.serve(gateway, said.http)
            else:
                from tallystick.gateway.client import stdio

                stdio.serve(gateway)
            return OK
    except (BrokenPipeError, KeyboardInterrupt):
        return OK
    except TallystickError as error:
        print_error(error)
        return FAILED


def _opened(url: str, journal: str, parts: Parts) -> Journal:
    """The journal. One that cannot be opened now is treated as one that fails later: the policy says what is done
    without it."""
    try:
        return Journal.open(url or None, journal=journal or None)
    except StorageUnavailable as error:
        if parts.late is None or isinstance(error, Unsupported):  # what no time mends is said at once
            raise
        LOG.say(f"the journal cannot be opened: {error}")
        return parts.late(url, journal)
