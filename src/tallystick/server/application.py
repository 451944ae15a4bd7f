"""The web application: who asks is found out once, then the doors answer, each at its own paths."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import Struct
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.calls import Local
from tallystick.doors.desks import Desks
from tallystick.doors.guard import LOOPBACK, Guard
from tallystick.doors.mcp.http import Carrier
from tallystick.doors.mcp.offer import Offer
from tallystick.doors.mcp.sessions import ByAccess
from tallystick.doors.mcp.tools import Tool
from tallystick.doors.rest import Rest
from tallystick.doors.upkeep import upkeep
from tallystick.server.admission import Admission


class Options(Struct, frozen=True, kw_only=True):
    """How a server is to answer. `hosts` are the names that it is asked by, `token` is one that all may share;
    with `login` nobody is let in without a token or a login, on this machine either. `tools` names those that are
    listed over MCP, and `more` are answered there too."""

    hosts: tuple[str, ...] = LOOPBACK
    token: str = ""
    tools: str = "all"
    more: tuple[Tool, ...] = ()
    login: bool = False


class Application:
    """All doors that speak HTTP, for the journals of one store."""

    def __init__(self, caller: Local, options: Options, before: Callable[[], None] | None = None) -> None:
        self._desks = Desks(caller)
        offer = Offer(ByAccess(self._desks), options.tools, options.more, before or upkeep(caller, os.environ))
        self._carrier = Carrier(offer, self._desks)
        self._rest = Rest(self._desks)
        app = Starlette(routes=[self._carrier.route(), *self._rest.routes()], lifespan=self._lifespan)
        self._app: ASGIApp = Guard(Admission(app, self._desks, options.token), options.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    def end(self) -> None:
        """End what would stay open: a server that stops waits for its answers."""
        self._carrier.end()
        self._rest.end()

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        async with self._carrier.running():
            try:
                yield
            finally:
                self._desks.close()
