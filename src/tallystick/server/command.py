"""The command `tallystick serve`: one server for many agents and people, over HTTP."""

import os
import secrets
import signal
import socket
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import cast

import msgspec

from tallystick.core.errors import InvalidArgument, StorageUnavailable, TallystickError
from tallystick.interfaces import problems
from tallystick.interfaces.mcp.client_snippets import TITLES, snippets
from tallystick.interfaces.mcp.command import leave, options
from tallystick.paths import default_url
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Local
from tallystick.settings import without_password

PORT = 4747
RATE = 100.0
"""Requests a second that a token is good for, over time; four times as many at once."""
EVERYWHERE = ("0.0.0.0", "::")
"""Every address of this machine: to be bound, and not to be asked by."""


UPKEEP_SECONDS = 1.0
"""Between two looks at what hooks have seen: somebody may look at the page meanwhile."""
YOURS = "ts_..."
"""Stands for a token in what everybody who may read is shown."""


def main(arguments: Sequence[str]) -> int:
    """Serve until interrupted."""
    parser = options("serve", "Serve the journal over HTTP: the page, REST at /v1, MCP at /mcp.")
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to bind; anything but loopback asks for a token"
    )
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"the port to bind, {PORT} by default; 0 takes a free one"
    )
    parser.add_argument("--allow-host", action="append", default=[], metavar="NAME", help="another name to be asked by")
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="URL",
        help="a page elsewhere that may ask with a token, such as https://app.example",
    )
    parser.add_argument(
        "--login", action="store_true", help="ask for a token or a login on this machine too; elsewhere it always is"
    )
    parser.add_argument(
        "--rate", type=float, default=RATE, metavar="N", help=f"requests a second for each token, {RATE:g} by default"
    )
    said = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, leave)
    try:
        listening = open_listener(said.host, said.port)
        with listening, Journal.open(said.url or None, journal=said.journal or None) as journal:
            return _serve(listening, cast(Local, journal.caller), said)
    except KeyboardInterrupt:
        return problems.OK
    except TallystickError as error:
        print(f"tallystick: {error.code}: {error}", file=sys.stderr)
        return problems.response_for(error).exit_code


def _serve(listening: socket.socket, caller: Local, said: Namespace) -> int:
    # With the SDK it takes a second to load: not before the address is known to be free.
    from tallystick.interfaces.host_check import LOOPBACK
    from tallystick.interfaces.journals import run_periodically
    from tallystick.interfaces.mcp.client_snippets import snippets
    from tallystick.interfaces.mcp.transport.http import PATH
    from tallystick.server.application import Application
    from tallystick.server.connections import run
    from tallystick.server.options import ServerOptions

    caller.context.store  # noqa: B018  # a store that cannot be used is said now, and not at the first call
    host, settings = said.host, caller.context.settings
    local = host in LOOPBACK
    token = settings.token or ("" if local else secrets.token_urlsafe(32))
    names = LOOPBACK if local else (*LOOPBACK, host, socket.gethostname(), *_addresses())
    base = _base(host, listening.getsockname()[1])
    more = [
        *(["--url", settings.url] if settings.url != default_url({}) else []),
        *(["--journal", said.journal] if said.journal else []),
    ]
    is_closed = bool(token) or said.login
    pasted = snippets(_command(), base + PATH, YOURS if is_closed else "", more)
    options = ServerOptions(
        hosts=(*names, *said.allow_host),
        origins=tuple(said.allow_origin),
        token=token,
        login=said.login,
        tools=said.tools,
        rate=said.rate,
        clients=tuple(msgspec.to_builtins(pasted)),
        command=_command(),
        store=without_password(settings.url) if settings.url != default_url({}) else "",
        renewed=lambda link: print(f"The link was used or has expired. Another one: {_link(base, link)}", flush=True),
    )
    app = Application(caller, options)
    link = _link(base, app.logins.link())
    print(greeting(_command(), base + PATH, link, token, settings.url, settings.journal, more), flush=True)
    with run_periodically(app.keep_up, UPKEEP_SECONDS):
        run(app, listening)
    return problems.OK


def _base(host: str, port: int) -> str:
    known = socket.gethostname() if host in EVERYWHERE else host
    return f"http://[{known}]:{port}" if ":" in known else f"http://{known}:{port}"


def _link(base: str, secret: str) -> str:
    return f"{base}/login?once={secret}"


def open_listener(host: str, port: int) -> socket.socket:
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


# ----------------------------------------------------------------------------------------------------------------------
# What `serve` prints when it is ready: where it is, and the shortest way for each client to reach it.


def greeting(command: str, url: str, link: str, token: str, store: str, journal: str, more: Sequence[str] = ()) -> str:
    """`url` is where MCP is, `link` the page for the person who reads this, `more` the options of `snippets`."""
    lines = [
        f"Open:           {link}",
        f"MCP over HTTP:  {url}",
        *([f"Bearer token:   {token}"] if token else []),
        f"Journal:        {journal} ({without_password(store)})",
    ]
    told = snippets(command, url, token, [without_password(each) for each in more])
    for over, title in TITLES.items():
        lines += ["", title]
        for client in dict.fromkeys(each.client for each in told if each.over == over):
            first = next(each for each in told if each.client == client and each.over == over)
            lines += [
                "",
                f"  {client}, {first.where.replace('`', '')}",
                *(f"    {line}" for line in first.text.splitlines()),
            ]
    lines += ["", "Ready. Stop it with Ctrl-C."]
    return "\n".join(lines)
