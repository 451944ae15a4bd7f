"""The command `tallystick serve`: one server for many agents and people, over HTTP."""

import os
import secrets
import signal
import socket
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import cast

from tallystick.calls import Local
from tallystick.core.errors import InvalidArgument, StorageUnavailable, TallystickError
from tallystick.doors import problems
from tallystick.doors.mcp.command import leave, options
from tallystick.journal import Journal
from tallystick.settings import default_url

PORT = 4747
EVERYWHERE = ("0.0.0.0", "::")
"""Every address of this machine: to be bound, and not to be asked by."""


def main(arguments: Sequence[str]) -> int:
    """Serve until interrupted."""
    parser = options("serve", "Serve the journal over HTTP: MCP at /mcp.")
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to bind; anything but loopback asks for a token"
    )
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"the port to bind, {PORT} by default; 0 takes a free one"
    )
    parser.add_argument("--allow-host", action="append", default=[], metavar="NAME", help="another name to be asked by")
    said = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, leave)
    try:
        listening = bound(said.host, said.port)
        with listening, Journal.open(said.url or None, journal=said.journal or None) as journal:
            return _serve(listening, cast(Local, journal.caller), said)
    except KeyboardInterrupt:
        return problems.OK
    except TallystickError as error:
        print(f"tallystick: {error.code}: {error}", file=sys.stderr)
        return problems.answer_to(error).exit_code


def _serve(listening: socket.socket, caller: Local, said: Namespace) -> int:
    import uvicorn  # with the SDK it takes a second to load: not before the address is known to be free

    from tallystick.doors.guard import LOOPBACK
    from tallystick.doors.mcp.clients import greeting
    from tallystick.doors.mcp.http import PATH
    from tallystick.doors.upkeep import now_and_then, upkeep
    from tallystick.server.application import Application, Options

    host, settings = said.host, caller.desk.settings
    local = host in LOOPBACK
    token = settings.token or ("" if local else secrets.token_urlsafe(32))
    names = LOOPBACK if local else (*LOOPBACK, host, socket.gethostname(), *_addresses())
    before = upkeep(caller, os.environ)
    app = Application(caller, Options(hosts=(*names, *said.allow_host), token=token, tools=said.tools), before)
    port = listening.getsockname()[1]
    known = socket.gethostname() if host in EVERYWHERE else host
    shown = f"[{known}]" if ":" in known else known
    caller.desk.store  # noqa: B018  # a store that cannot be used is said now, and not at the first call
    more = [
        *(["--url", settings.url] if settings.url != default_url({}) else []),
        *(["--journal", said.journal] if said.journal else []),
    ]
    print(greeting(_command(), f"http://{shown}:{port}{PATH}", token, settings.url, settings.journal, more))
    sys.stdout.flush()

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.end()  # first: what stays open until then would be waited for
            await super().shutdown(sockets)

    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=3, ws="none")
    with now_and_then(before):
        Server(config).run([listening])
    return problems.OK


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens already."""
    if not 0 <= port <= 65535:  # the system would take the rest of a division
        raise InvalidArgument(f"{port} is no port.", hint="Give --port a number from 0 to 65535.", field="port")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise InvalidArgument(f'"{host}" port {port} is no address ({error}).', hint="Use --host and --port.") from None
    listening = socket.socket(family, kind, proto)  # asyncio sends at once only where TCP is named
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(128)  # who comes before the server is up waits, and is not turned away
    except OSError as error:
        listening.close()
        raise StorageUnavailable(
            f"{host}:{port} cannot be used ({error.strerror}).", hint="Is it running already? Use another --port."
        ) from None
    return listening


def _addresses() -> list[str]:
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None)]
    except OSError:
        return []


def _command() -> str:
    """The whole path of this command: clients start with a nearly empty PATH."""
    return os.path.abspath(sys.argv[0])
