"""Middleware: gives each request an id, and logs it when it is over.

The id is the one that the client or a proxy sent in `X-Request-Id`, or a new one; the response repeats it. The line
names the route and never the path or the query: they may hold what somebody recorded or searched for.
"""

import logging
import re
import secrets
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallystick.logs import log_event

HEADER = b"x-request-id"
PATHS = ("events", "imports", "login", "logout", "mcp", "session")
"""Paths beside the operations of REST that are logged by name; all others are the page."""
_VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
logger = logging.getLogger("tallystick.server")


class RequestLog:
    """Logs one line for each request that is over, at `info`; `error` if it failed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(scope)
        state = scope.setdefault("state", {})  # authentication and REST put there what they find out
        begun, status = perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, request_id)]}
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            log_event(
                logger,
                logging.ERROR if status >= 500 else logging.INFO,
                "request",
                request_id=request_id.decode(),
                method=scope["method"],
                route=state.get("route") or _path_name(scope["path"]),
                status=status,
                milliseconds=round((perf_counter() - begun) * 1000, 1),
                journal=state.get("journal", ""),
                credential=getattr(state.get("access"), "name", ""),
                entry=state.get("entry") or "",
            )


def _path_name(path: str) -> str:
    first = path.split("/")[1] if path.startswith("/") else ""
    return first if first in PATHS else "page"


def _request_id(scope: Scope) -> bytes:
    sent = next((value for name, value in scope["headers"] if name == HEADER), b"")
    return sent if _VALID_ID.fullmatch(sent) else secrets.token_hex(8).encode()
