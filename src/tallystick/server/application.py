"""The web application: who asks is found out once, then the doors answer, each at its own paths."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.core.errors import TallystickError
from tallystick.interfaces import dashboard
from tallystick.interfaces.host_check import HostCheck
from tallystick.interfaces.journals import JournalContexts, spool_upkeep
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import ByAccess
from tallystick.interfaces.mcp.transport.http import Carrier
from tallystick.interfaces.problems import MEDIA_TYPE, problem, response_for
from tallystick.interfaces.rest import Rest
from tallystick.sdk.local import Local
from tallystick.server.authentication import Authentication
from tallystick.server.browser_security import Headers, Origins
from tallystick.server.identity import Identifying, Logins
from tallystick.server.login import LoginRoutes
from tallystick.server.options import ServerOptions
from tallystick.server.rate_limits import RateLimits
from tallystick.server.request_limits import RequestLimits
from tallystick.server.uploads import Imports


async def _refused(request: Request, error: Exception) -> Response:
    """What no door has answered for, in the form of all refusals."""
    if isinstance(error, TallystickError):
        details = problem(response_for(error).status, error.code, error.message, hint=error.hint)
        return JSONResponse(details, details["status"], media_type=MEDIA_TYPE.decode())
    assert isinstance(error, HTTPException)
    codes = {404: "unknown_handle", 405: "invalid_argument"}
    said, hint = error.detail, ""
    if error.status_code == 404:
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return dashboard.nowhere(request)
        said, hint = (
            f"There is nothing at {request.url.path[:200]}.",
            "Check the address; /openapi.json lists what there is.",
        )
    details = problem(error.status_code, codes.get(error.status_code, "failure"), said, hint=hint)
    return JSONResponse(details, error.status_code, error.headers, media_type=MEDIA_TYPE.decode())


PROBLEMS: dict[Any, Any] = {TallystickError: _refused, HTTPException: _refused}


class Application:
    """All doors that speak HTTP, for the journals of one store."""

    def __init__(self, caller: Local, options: ServerOptions, before: Callable[[], None] | None = None) -> None:
        self._contexts = JournalContexts(caller)
        self.logins = Logins()
        offer = McpServer(
            ByAccess(self._contexts), options.tools, options.more, before or spool_upkeep(caller, os.environ)
        )
        self._carrier = Carrier(offer, self._contexts)
        self._rest = Rest(self._contexts)
        limits = RateLimits(options.rate)
        identify = Identifying(caller)
        self._entrance = LoginRoutes(self.logins, identify, limits, options.renewed)
        self._imports = Imports(self._contexts)
        self._starlette = Starlette(routes=self._routes(options), exception_handlers=PROBLEMS, lifespan=self._lifespan)
        self._underway = RequestLimits(self._starlette, limits, identify)
        admission = Authentication(
            self._underway, self._contexts, self.logins, identify, limits, self._imports, options
        )
        self._app: ASGIApp = Headers(Origins(HostCheck(admission, options.hosts), options.origins))

    @property
    def routes(self) -> list[BaseRoute]:
        """What is answered, and where."""
        return self._starlette.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    def keep_up(self) -> None:
        """Take in what hooks have seen, for every journal that somebody looks at here."""
        for local in self._contexts.used_journals():
            spool_upkeep(local, os.environ)()

    def end(self) -> None:
        """End what would stay open: a server that stops waits for its answers."""
        self._carrier.end()
        self._rest.end()

    def _routes(self, options: ServerOptions) -> list[BaseRoute]:
        return [
            self._carrier.route(),
            *self._entrance.routes(),
            *self._imports.routes(),
            *self._rest.routes(),
            *dashboard.routes({"clients": options.clients, "command": options.command, "store": options.store}),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        async with self._carrier.running(), self._underway.looking():
            try:
                yield
            finally:
                self._imports.close()
                self._contexts.close()
