"""Builds the upstream servers of one client, and the transport for our own tools, which are listed first."""

from collections import deque
from collections.abc import Callable
from functools import partial

from tallystick.gateway.config import ServerConfig
from tallystick.gateway.dependencies import EmbeddedServer
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.upstream.process import ServerProcess
from tallystick.gateway.upstream.server import Listener, MakeTransport, Transport, Upstream

OWN_NAME = "tallystick"
OWN_START_SECONDS = 60.0


class InProcessTransport:
    """Carries lines to and from a server in this process. The server answers slow requests from another thread."""

    def __init__(
        self,
        loop: Loop,
        make_server: Callable[[Callable[[bytes], None]], EmbeddedServer],
        on_line: Callable[[bytes], None],
    ) -> None:
        self._loop = loop
        self._on_line = on_line
        self._received: deque[bytes] = deque()
        self._server = make_server(self._receive)

    def send(self, line: bytes) -> bool:
        self._server.take(line)
        return True

    def pause(self) -> None:
        """Do nothing: there is no pipe that could fill."""

    def resume(self) -> None:
        """Do nothing: it is never paused."""

    def close(self) -> None:
        self._server.close()

    end = close

    def _receive(self, line: bytes) -> None:
        self._received.append(line)
        self._loop.post(self._deliver)

    def _deliver(self) -> None:
        while self._received:
            self._on_line(self._received.popleft())


def make_upstreams(gateway: Gateway, listener: Listener) -> tuple[list[Upstream], str]:
    """Return all servers, and the name of our own if its tools are switched on."""
    upstreams: list[Upstream] = []
    profile = gateway.configuration.settings.tools
    if profile != "none":
        make_server = partial(gateway.dependencies.make_own_server, gateway.caller, profile)

        def make_own(on_line: Callable[[bytes], None], on_lost: object, on_unanswered: object) -> Transport:
            return InProcessTransport(gateway.loop, make_server, on_line)

        own = Upstream(gateway.loop, OWN_NAME, make_own, listener, OWN_START_SECONDS, gateway.log)
        own.own = True
        upstreams.append(own)
    for name, server in gateway.configuration.servers.items():
        seconds = gateway.configuration.seconds(name, "start")
        make = _transport_maker(gateway, name, server)
        upstreams.append(Upstream(gateway.loop, name, make, listener, seconds, gateway.log))
    return upstreams, OWN_NAME if profile != "none" else ""


def _transport_maker(gateway: Gateway, name: str, server: ServerConfig) -> MakeTransport:
    if server.url:
        from tallystick.gateway.upstream.http import HttpTransport  # loading the MCP SDK takes a second

        return lambda on_line, on_lost, on_unanswered: HttpTransport(
            gateway.loop, name, server, on_line, on_lost, on_unanswered
        )
    mask = gateway.writer.context.recording_masker.mask_text
    return lambda on_line, on_lost, _: ServerProcess(gateway.loop, name, server, gateway.env, mask, on_line, on_lost)
