"""The gateway over HTTP: the web server in one thread, the gateway's own turns in another."""

import signal
import socket
from threading import Thread

import uvicorn

from tallystick.core.errors import StorageUnavailable
from tallystick.gateway.hub import Hub
from tallystick.gateway.site import PATH, Site


def serve(hub: Hub, port: int) -> None:
    """Until interrupted. Only programs of this machine may ask."""
    # The protocol is named, or asyncio would not turn off Nagle's algorithm: 40 ms for each answer of two packets.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        hint = "Take another port, or 0 for a free one."
        raise StorageUnavailable(f"Port {port} cannot be used: {error.strerror}.", hint=hint) from None
    site = Site(hub)
    assert hub.parts.guard is not None
    # uvicorn sends itself once more what has ended it: that must end nothing before what was seen is written.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    turning = Thread(target=hub.loop.run, name="tallystick-gateway", daemon=True)
    turning.start()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"MCP over HTTP: http://127.0.0.1:{listening.getsockname()[1]}{PATH}")
                print("Ready. Stop it with Ctrl-C.", flush=True)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await site.close()
            await super().shutdown(sockets)

    config = uvicorn.Config(hub.parts.guard(site), log_level="warning", access_log=False, timeout_graceful_shutdown=3)
    try:
        Server(config).run([listening])
    finally:
        hub.loop.post(hub.loop.stop)
        turning.join(5)
        hub.end_calls("The gateway ended while the call was under way.")
        for front in list(hub.fronts):
            front.close()
