"""The servers behind one client: those of the configuration, and our own tools before them."""

from collections import deque
from collections.abc import Callable
from functools import partial

from tallystick.gateway.config import Server
from tallystick.gateway.gateway import Gateway, OwnServer
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.upstream.process import ServerProcess
from tallystick.gateway.upstream.server import Listener, Make, Transport, Upstream

# ----------------------------------------------------------------------------------------------------------------------
# Tallystick's own tools as one more server: in this process, with no pipe between.


class InProcessServer:
    """Lines to and from a server in this process. What takes it long, it answers from another thread."""

    def __init__(
        self, loop: Loop, make: Callable[[Callable[[bytes], None]], OwnServer], take: Callable[[bytes], None]
    ) -> None:
        self._loop = loop
        self._take = take
        self._came: deque[bytes] = deque()
        self._server = make(self._put)

    def send(self, line: bytes) -> bool:
        self._server.take(line)
        return True

    def flush(self) -> bool:
        return False

    def pause(self) -> None:
        """It has no pipe to fill."""

    def resume(self) -> None:
        """It was never paused."""

    def close(self) -> None:
        self._server.close()

    end = close

    def _put(self, line: bytes) -> None:
        self._came.append(line)
        self._loop.post(self._deliver)

    def _deliver(self) -> None:
        while self._came:
            self._take(self._came.popleft())


# ----------------------------------------------------------------------------------------------------------------------

OWN = "tallystick"


def behind(gateway: Gateway, listener: Listener) -> tuple[list[Upstream], str]:
    """All of them, and the name of our own, if it is among them."""
    found: list[Upstream] = []
    profile = gateway.configuration.ours.tools
    if profile != "none":

        def inside(take: object, lost: object, unanswered: object) -> Transport:
            return InProcessServer(gateway.loop, partial(gateway.parts.own, gateway.caller, profile), take)  # type: ignore[arg-type]

        own = Upstream(gateway.loop, OWN, inside, listener, 60.0, gateway.say)
        own.own = True
        found.append(own)
    for name, server in gateway.configuration.servers.items():
        seconds = gateway.configuration.seconds(name, "start")
        found.append(Upstream(gateway.loop, name, _make(gateway, name, server), listener, seconds, gateway.say))
    return found, OWN if profile != "none" else ""


def _make(gateway: Gateway, name: str, server: Server) -> Make:
    if server.url:
        from tallystick.gateway.upstream.http import HttpServer  # with what it needs, it takes a second to load

        return lambda take, lost, unanswered: HttpServer(gateway.loop, name, server, take, lost, unanswered)
    mask = gateway.writer.context.masker.mask_text
    return lambda take, lost, _: ServerProcess(gateway.loop, name, server, gateway.env, mask, take, lost)
