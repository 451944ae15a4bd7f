"""The command `tallystick gateway`: one entry in a client's configuration instead of one for each server."""

import os
from collections.abc import Sequence
from pathlib import Path

from tallystick.core.errors import InvalidArgument, StorageUnavailable, TallystickError, Unsupported
from tallystick.gateway import config
from tallystick.gateway.dependencies import Dependencies
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.log import LOG, replace_stderr
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.upstream import names
from tallystick.sdk.command_options import USAGE, add_journal_options, new_parser, print_error
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import local_caller

EXIT_OK = 0
EXIT_FAILED = 1


def main(arguments: Sequence[str], dependencies: Dependencies) -> int:
    """Serve until the client is gone. Closing the journal ends the session, so that open actions are in doubt."""
    with replace_stderr():
        return _main(arguments, dependencies)


def _main(arguments: Sequence[str], dependencies: Dependencies) -> int:
    parser = new_parser("gateway", "Stand between an agent and its MCP servers.")
    parser.add_argument("--config", required=True, type=Path, help="the file with mcpServers, and our policy beside it")
    add_journal_options(parser)
    parser.add_argument("--http", type=int, metavar="PORT", help="serve HTTP on this machine instead; 0: a free port")
    parser.add_argument("--log", choices=("text", "json"), help="how lines on standard error look; default: text")
    parser.add_argument("--verbose", action="store_true", help="log each call, as --log does")
    parser.add_argument("--check", action="store_true", help="check the configuration, describe it, and exit")
    options = parser.parse_args(arguments)
    form = options.log or os.environ.get("TALLYSTICK_LOG")
    LOG.is_json, LOG.logs_calls = form == "json", bool(form) or options.verbose
    try:
        configuration = config.read(options.config, os.environ)
        names.check(configuration)
        if options.check:
            print("\n".join(config.describe(configuration)))
            return EXIT_OK
        with _open_journal(options.url, options.journal, dependencies) as journal:
            gateway = Gateway(Loop(), configuration, local_caller(journal.caller), os.environ, dependencies)
            if options.http is not None:
                from tallystick.gateway.client import http

                http.serve(gateway, options.http)
            else:
                from tallystick.gateway.client import stdio

                stdio.serve(gateway)
            return EXIT_OK
    except (BrokenPipeError, KeyboardInterrupt):
        return EXIT_OK
    except TallystickError as error:
        print_error(error)
        return USAGE if isinstance(error, InvalidArgument) else EXIT_FAILED


def _open_journal(url: str, journal: str, dependencies: Dependencies) -> Journal:
    """Open the journal. If its store is unavailable now, the setting `on_journal_failure` applies, as if it failed
    later."""
    try:
        return Journal.open(url or None, journal=journal or None)
    except StorageUnavailable as error:
        if dependencies.open_late is None or isinstance(error, Unsupported):  # waiting would not help
            raise
        LOG.log(f"the journal cannot be opened: {error}")
        return dependencies.open_late(url, journal)
