"""The uvicorn server, with limits on the number of connections and on the size and time of request heads."""

import asyncio
import resource
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tallystick.server.application import Application

MAX_HEAD_BYTES = 32 << 10
"""The size of a request line and headers."""
HEAD_SECONDS = 10.0
"""How long a connection may take to send the head of its first request, and of each later one."""
MAX_CONNECTIONS = 4096
"""Further connections are closed at once, so that the existing ones are served."""
RESERVED_FILES = 256
"""Open files that are left for the store and its threads."""


class BoundedConnection(H11Protocol):
    """A connection that is closed if no request head arrives in time, or if there are too many."""

    max_connections = MAX_CONNECTIONS
    head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.max_connections:
            transport.abort()
        else:
            self._start_timer()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:  # the head of a request was read
            self._stop_timer()

    def on_response_complete(self) -> None:
        before = self.cycle
        super().on_response_complete()
        if self.cycle is before:  # no further request has been received yet
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._stop_timer()
        self.head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_timer(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None


class WebServer(uvicorn.Server):
    """A uvicorn server that ends event streams before it waits for running requests."""

    def __init__(self, app: Application, **more: Any) -> None:
        config = uvicorn.Config(
            app,
            http=BoundedConnection,
            ws="none",
            log_config=None,  # RequestLog logs requests
            log_level="error",  # requests of strangers must not fill a log
            access_log=False,
            server_header=False,
            proxy_headers=bool(app.trusted_proxies),
            forwarded_allow_ips=list(app.trusted_proxies),
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
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


def connection_limit() -> int:
    """Raise the limit of open files as far as allowed; returns how many connections then fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return (
        MAX_CONNECTIONS
        if soft == resource.RLIM_INFINITY
        else max(RESERVED_FILES, min(MAX_CONNECTIONS, soft - RESERVED_FILES))
    )


def run(app: Application, listener: socket.socket) -> None:
    """Serve until interrupted."""
    BoundedConnection.max_connections = connection_limit()
    WebServer(app).run([listener])
