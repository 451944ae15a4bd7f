"""The command `tallystick serve`: options, start, and what it prints."""

import os
import secrets
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

import click
import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from tallystick.core.errors import InvalidArgument, StorageUnavailable
from tallystick.interfaces import problems
from tallystick.interfaces.cli.command import DISPLAY_OPTIONS, Command
from tallystick.interfaces.cli.commands.notify import delivery_options, load_otlp, otlp_options
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.interfaces.mcp.client_snippets import TITLES, snippets
from tallystick.interfaces.mcp.command import TOOLS, TOOLS_HELP, exit_on_signal
from tallystick.paths import default_url
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Local, local_caller
from tallystick.server.options import REQUESTS_PER_SECOND
from tallystick.settings import without_password

if TYPE_CHECKING:
    from tallystick.runner.worker import ServerWorker

PORT = 4747
ANY_ADDRESS = ("0.0.0.0", "::")
"""These bind all addresses of this machine; clients cannot use them as a host name."""
SPOOL_SECONDS = 1.0
"""How often spooled hook events are recorded, so that an open page shows them."""
TOKEN_PLACEHOLDER = "ts_..."
"""Stands for the token in texts that every reader of the page can see."""


class ServeArguments(Struct, frozen=True, kw_only=True):
    """The arguments of the command. Empty `url` and `journal` stand for the defaults."""

    url: str = ""
    journal: str = ""
    host: str = "127.0.0.1"
    port: int = PORT
    allow_host: tuple[str, ...] = ()
    allow_origin: tuple[str, ...] = ()
    trusted_proxy: tuple[str, ...] = ()
    login: bool = False
    rate: float = REQUESTS_PER_SECOND
    tools: str = TOOLS[0]
    run_tools: tuple[str, ...] = ()
    run_mcp: str = ""
    run_policy: str = ""
    run_at_once: int | None = None
    run_grace: float | None = None
    otlp: str = ""
    otlp_content: bool = False
    otlp_since: str = ""
    deliver_to: tuple[str, ...] = ()
    public_url: str = ""
    alert: tuple[str, ...] = ()
    plain_page: bool = False


def command() -> Command:
    return Command(
        "serve",
        _run,
        "Serve the journal over HTTP: the page, REST at /v1, MCP at /mcp.",
        example="tallystick serve --port 8080",
        general=("url", "journal", *DISPLAY_OPTIONS),
        loads_tools=True,
        params=[
            click.Option(["--host"], metavar="ADDRESS", help="The address to bind; any but loopback requires a token."),
            click.Option(["--port"], type=int, help=f"The port to bind. Default: {PORT}; 0 takes a free one."),
            click.Option(["--allow-host"], multiple=True, metavar="NAME", help="Another name to accept in Host."),
            click.Option(
                ["--allow-origin"],
                multiple=True,
                metavar="URL",
                help="The origin of another site whose pages may send a token, such as https://app.example.",
            ),
            click.Option(
                ["--trusted-proxy"],
                multiple=True,
                metavar="ADDRESS",
                help="A proxy, or a network of them, whose X-Forwarded-For and X-Forwarded-Proto count.",
            ),
            click.Option(
                ["--login"], is_flag=True, help="Require a token or a login on this machine too; elsewhere always."
            ),
            click.Option(
                ["--rate"],
                type=float,
                metavar="N",
                help=f"Requests per second for each token. Default: {REQUESTS_PER_SECOND:g}.",
            ),
            click.Option(["--tools"], type=click.Choice(TOOLS), help=f"{TOOLS_HELP.capitalize()}."),
            *delivery_options(),
            *_run_options(),
            *otlp_options(),
            click.Option(
                ["--plain-page"], is_flag=True, help="Serve the page as plain modules, to work on it without a build."
            ),
        ],
    )


def _run_options() -> list[click.Option]:
    """The options that say what this server carries out, and with which tools."""
    return [
        click.Option(
            ["--run-tools"],
            multiple=True,
            metavar="FILE|MODULE",
            help="Carry out plans here with these functions with @tool. May be repeated.",
        ),
        click.Option(["--run-mcp"], metavar="FILE", help="A file with mcpServers whose tools plans may call here."),
        click.Option(
            ["--run-policy"],
            metavar="FILE",
            help="What plans may call here: limits, and the allow-lists of shell, http and secrets.",
        ),
        click.Option(["--run-at-once"], type=click.IntRange(1), metavar="N", help="Calls at a time. Default: 16."),
        click.Option(
            ["--run-grace"],
            type=click.FloatRange(0),
            metavar="SECONDS",
            help="How long calls under way may take when the server is stopped. Default: 25.",
        ),
    ]


def _load_runs(caller: Local, arguments: ServeArguments) -> "ServerWorker | None":
    """What carries out plans here; None if no tools are registered for it."""
    if not (arguments.run_tools or arguments.run_mcp or arguments.run_policy):
        return None
    from tallystick.runner.tools.registry import load_closed_registry  # the runner is loaded only now
    from tallystick.runner.worker import ServerWorker, WorkerOptions

    tools = load_closed_registry(arguments.run_tools, mcp=arguments.run_mcp, policy=arguments.run_policy)
    if not len(tools):
        raise InvalidArgument(
            "No tool is registered for runs.",
            hint="Give --run-tools or --run-mcp, or name what shell or http may call in the file of --run-policy.",
            field="run_tools",
        )
    given = {"at_once": arguments.run_at_once, "grace": arguments.run_grace}
    options = WorkerOptions(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    return ServerWorker(caller, tools, options)


def _run(invocation: Invocation, values: dict[str, Any]) -> int:
    """Serve until interrupted."""
    general = {name: invocation.options[name] for name in ("url", "journal") if invocation.options.get(name)}
    arguments = ServeArguments(**values, **general)
    invocation.start_log("warning")
    signal.signal(signal.SIGTERM, exit_on_signal)
    try:
        listener = open_listener(arguments.host, arguments.port)
        with listener, Journal.open(arguments.url or None, journal=arguments.journal or None) as journal:
            return _serve(invocation.terminal, listener, local_caller(journal.caller), arguments)
    except KeyboardInterrupt:
        return problems.OK


def _serve(terminal: Terminal, listener: socket.socket, caller: Local, arguments: ServeArguments) -> int:
    # Loading the MCP SDK takes a second: not before the address is known to be free.
    from tallystick.interfaces.host_check import LOOPBACK
    from tallystick.interfaces.journals import run_periodically
    from tallystick.interfaces.mcp.client_snippets import snippets
    from tallystick.interfaces.mcp.transport.http import PATH
    from tallystick.outbound import make_service
    from tallystick.outbound.service import outbound_options
    from tallystick.server.application import Application
    from tallystick.server.connections import run
    from tallystick.server.options import ServerOptions

    caller.context.store  # noqa: B018  # opened now, so that an unusable store fails at the start
    host, settings = arguments.host, caller.context.settings
    is_loopback = host in LOOPBACK
    token = settings.token or ("" if is_loopback else secrets.token_urlsafe(32))
    names = LOOPBACK if is_loopback else (*LOOPBACK, host, socket.gethostname(), *_addresses())
    base = _base_url(host, listener.getsockname()[1])
    more = [
        *(["--url", settings.url] if settings.url != default_url({}) else []),
        *(["--journal", arguments.journal] if arguments.journal else []),
    ]
    needs_token = bool(token) or arguments.login
    page_snippets = snippets(_command(), base + PATH, TOKEN_PLACEHOLDER if needs_token else "", more)
    options = ServerOptions(
        hosts=(*names, *arguments.allow_host),
        origins=arguments.allow_origin,
        token=token,
        login=arguments.login,
        tools=arguments.tools,
        rate=arguments.rate,
        trusted_proxies=_checked_proxies(arguments.trusted_proxy),
        clients=tuple(msgspec.to_builtins(page_snippets)),
        command=_command(),
        plain_page=arguments.plain_page,
        store=without_password(settings.url) if settings.url != default_url({}) else "",
        on_new_link=lambda link: terminal.print_now(f"The link was used or has expired. New link: {_link(base, link)}"),
    )
    allowed = outbound_options(settings, arguments.deliver_to, arguments.public_url, arguments.alert)
    outbound = make_service(caller.context, allowed, load_otlp(caller.context, asdict(arguments)))
    runs = _load_runs(caller, arguments)
    app = Application(caller, replace(options, runs=runs))
    link = _link(base, app.logins.link())
    terminal.print_now(greeting(_command(), base + PATH, link, token, settings.url, settings.journal, more))
    with (
        run_periodically(app.drain_spools, SPOOL_SECONDS),
        runs.running() if runs else nullcontext(),
        outbound.running(),
    ):
        run(app, listener)
    return problems.OK


def _checked_proxies(addresses: Sequence[str]) -> tuple[str, ...]:
    for address in addresses:
        try:
            ip_network(address)
        except ValueError:
            hint = "Give --trusted-proxy an IP address or network, such as 127.0.0.1 or 10.0.0.0/24."
            raise InvalidArgument(f'"{address}" is not an address.', hint=hint, field="trusted_proxy") from None
    return tuple(addresses)


def _base_url(host: str, port: int) -> str:
    name = socket.gethostname() if host in ANY_ADDRESS else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _link(base: str, secret: str) -> str:
    return f"{base}/login?once={secret}"


def open_listener(host: str, port: int) -> socket.socket:
    """A bound socket that listens already."""
    if not 0 <= port <= 65535:  # the system would wrap it around
        raise InvalidArgument(f"{port} is not a port.", hint="Give --port a number from 0 to 65535.", field="port")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise InvalidArgument(
            f'"{host}" port {port} is not an address ({error}).', hint="Give a host name or IP address with --host."
        ) from None
    listener = socket.socket(family, kind, proto)  # asyncio sets TCP_NODELAY only if the protocol is given
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(128)  # a client that connects before the server is up waits
    except OSError as error:
        listener.close()
        raise StorageUnavailable(
            f"{host}:{port} cannot be used ({error.strerror}).",
            hint="A server may be running there already. Stop it, or use another port: tallystick serve --port N.",
        ) from None
    return listener


def _addresses() -> list[str]:
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None)]
    except OSError:
        return []


def _command() -> str:
    """The absolute path of this command: clients start with a nearly empty PATH."""
    return os.path.abspath(sys.argv[0])


# ----------------------------------------------------------------------------------------------------------------------
# The text that `serve` prints when it is ready: its addresses, and a snippet to paste for each client.


def greeting(command: str, url: str, link: str, token: str, store: str, journal: str, more: Sequence[str] = ()) -> str:
    """The text at start. `url` is the MCP address, `link` the login link, `more` the options of `snippets`."""
    lines = [
        f"Open:           {link}",
        f"MCP over HTTP:  {url}",
        *([f"Bearer token:   {token}"] if token else []),
        f"Journal:        {journal} ({without_password(store)})",
    ]
    all_snippets = snippets(command, url, token, [without_password(each) for each in more])
    for over, title in TITLES.items():
        lines += ["", title]
        for client in dict.fromkeys(each.client for each in all_snippets if each.over == over):
            first = next(each for each in all_snippets if each.client == client and each.over == over)
            lines += [
                "",
                f"  {client}, {first.where.replace('`', '')}",
                *(f"    {line}" for line in first.text.splitlines()),
            ]
    lines += ["", "Ready. Stop it with Ctrl-C."]
    return "\n".join(lines)
