"""The web application: authenticates each request once, then routes it to REST, MCP or the dashboard."""

import os
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.core.errors import TallystickError
from tallystick.interfaces import dashboard
from tallystick.interfaces.host_check import HostCheck
from tallystick.interfaces.journals import JournalContexts, spool_upkeep
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import TokenSessions
from tallystick.interfaces.mcp.transport.http import McpHttpTransport
from tallystick.interfaces.problems import MEDIA_TYPE, problem, response_for
from tallystick.interfaces.rest import Rest
from tallystick.interfaces.rest.endpoints import Endpoint
from tallystick.sdk.local import Local
from tallystick.server.authentication import Authentication, CredentialLookup
from tallystick.server.browser_logins import Logins
from tallystick.server.browser_security import AllowedOrigins, SecurityHeaders
from tallystick.server.login import LoginRoutes
from tallystick.server.options import ServerOptions
from tallystick.server.rate_limits import RateLimits
from tallystick.server.request_limits import RequestLimits
from tallystick.server.request_log import RequestLog
from tallystick.server.uploads import Imports


async def _problem_response(request: Request, error: Exception) -> Response:
    """The response to an error that no interface has handled, as problem details."""
    if isinstance(error, TallystickError):
        details = problem(response_for(error).status, error.code, error.message, hint=error.hint)
        return JSONResponse(details, details["status"], media_type=MEDIA_TYPE.decode())
    assert isinstance(error, HTTPException)
    codes = {404: "unknown_handle", 405: "invalid_argument"}
    detail, hint = error.detail, ""
    if error.status_code == 404:
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return dashboard.not_found_page(request)
        detail, hint = (
            f"There is nothing at {request.url.path[:200]}.",
            "Check the address; GET /openapi.json lists all paths.",
        )
    details = problem(error.status_code, codes.get(error.status_code, "failure"), detail, hint=hint)
    return JSONResponse(details, error.status_code, error.headers, media_type=MEDIA_TYPE.decode())


EXCEPTION_HANDLERS: dict[Any, Any] = {TallystickError: _problem_response, HTTPException: _problem_response}


class FixedPaths:
    """Middleware: finds an endpoint of REST by its path, where that has no arguments. The router would try some forty
    routes before it. These endpoints handle every method and error themselves."""

    def __init__(self, app: ASGIApp, routes: Iterable[BaseRoute]) -> None:
        self._app = app
        self._endpoints: dict[str, Endpoint] = {
            each.path: each.endpoint
            for each in routes
            if isinstance(each, Route) and isinstance(each.endpoint, Endpoint) and not each.param_convertors
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = None if scope.get("root_path") else self._endpoints.get(scope.get("path", ""))
        await (endpoint or self._app)(scope, receive, send)


class Application:
    """REST, MCP over HTTP and the dashboard, for the journals of one store. `before` runs before each MCP call."""

    def __init__(self, caller: Local, options: ServerOptions, before: Callable[[], None] | None = None) -> None:
        self._contexts = JournalContexts(caller, options.runs)
        self.trusted_proxies = options.trusted_proxies
        self.logins = Logins()
        offer = McpServer(
            TokenSessions(self._contexts),
            options.tools,
            options.more,
            before or spool_upkeep(caller, os.environ),
            has_runs=options.runs is not None,
        )
        self._mcp_transport = McpHttpTransport(offer, self._contexts)
        self._rest = Rest(self._contexts)
        limits = RateLimits(options.rate)
        find_access = CredentialLookup(caller)
        self._login_routes = LoginRoutes(self.logins, find_access, limits, options.on_new_link)
        self._imports = Imports(self._contexts)
        routes = self._routes(options)
        self._starlette = Starlette(routes=routes, exception_handlers=EXCEPTION_HANDLERS, lifespan=self._lifespan)
        self._request_limits = RequestLimits(FixedPaths(self._starlette, routes), limits, find_access)
        authentication = Authentication(
            self._request_limits, self._contexts, self.logins, find_access, limits, self._imports, options
        )
        hosts = HostCheck(authentication, options.hosts)
        self._app: ASGIApp = RequestLog(SecurityHeaders(AllowedOrigins(hosts, options.origins)))

    @property
    def routes(self) -> list[BaseRoute]:
        """All routes of the application."""
        return self._starlette.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    def drain_spools(self) -> None:
        """Record what hooks have spooled, for every journal that is used here."""
        for local in self._contexts.used_journals():
            spool_upkeep(local, os.environ)()

    def end(self) -> None:
        """Begin no more calls of runs, and end streams and long polls: a server that stops waits for its responses."""
        self._contexts.runs.end()
        self._mcp_transport.close()
        self._rest.end()

    def _routes(self, options: ServerOptions) -> list[BaseRoute]:
        return [
            self._mcp_transport.route(),
            *self._login_routes.routes(),
            *self._imports.routes(),
            *self._rest.routes(),
            *dashboard.routes(
                {"clients": options.clients, "command": options.command, "store": options.store},
                plain=options.plain_page,
            ),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        async with self._mcp_transport.running(), self._request_limits.checking_tokens():
            try:
                yield
            finally:
                self._imports.close()
                self._contexts.close()
