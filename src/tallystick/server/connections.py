"""The connections of the web server, each bounded: in time until a request is there, in size, and in number."""

import asyncio
import resource
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tallystick.server.application import Application

HEAD_BYTES = 32 << 10
"""How much of a request line and headers is read."""
HEAD_SECONDS = 10.0
"""How long a connection may take until the head of a request is there, the first one and each later one."""
CONNECTIONS = 4096
"""How many connections there are at most. Who comes then is turned away, so that those who are there are served."""
FILES = 256
"""How many open files are left to the store and its threads."""


class BoundedConnection(H11Protocol):
    """One that does not wait for ever."""

    most = CONNECTIONS
    waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:  # the head of a request was read
            self._stop_waiting()

    def on_response_complete(self) -> None:
        before = self.cycle
        super().on_response_complete()
        if self.cycle is before:  # no further request was there already
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._stop_waiting()
        self.waiting = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None


class WebServer(uvicorn.Server):
    """Ends the streams before it waits for what is under way."""

    def __init__(self, app: Application, **more: Any) -> None:
        config = uvicorn.Config(
            app,
            http=BoundedConnection,
            ws="none",
            log_level="error",  # what anybody sends must not fill a log
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=HEAD_BYTES,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=3,
            backlog=1024,
            **more,
        )
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._app.end()
        await super().shutdown(sockets)


def room() -> int:
    """For how many connections there is room, when this process may have as many files open as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return CONNECTIONS if soft == resource.RLIM_INFINITY else max(FILES, min(CONNECTIONS, soft - FILES))


def run(app: Application, listening: socket.socket) -> None:
    """Serve until interrupted."""
    BoundedConnection.most = room()
    WebServer(app).run([listening])
