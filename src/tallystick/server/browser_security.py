"""Security headers for browsers, and CORS for the origins that the operator allowed."""

from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cache-control": b"no-store",
}
"""Added unless the response has its own: the page has its own policy, and its files may be cached. `no-referrer` would
make a browser omit the origin of a form, and the login could not distinguish its own page from another."""


class SecurityHeaders:
    """Middleware: adds the security headers to each response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                names = {name.lower() for name, _ in headers}
                missing = [(name, value) for name, value in SECURITY_HEADERS.items() if name not in names]
                message = {**message, "headers": [*headers, *missing]}
            await send(message)

        await self._app(scope, receive, send_with_headers)


# ----------------------------------------------------------------------------------------------------------------------
# CORS: pages of other applications, named with --allow-origin, that embed our elements. They need a token: neither a
# cookie nor the loopback address authenticates them.

_PREFLIGHT = {
    b"access-control-allow-methods": b"GET, POST",
    b"access-control-allow-headers": b"authorization, content-type, idempotency-key, if-none-match, last-event-id, "
    b"tallystick-actor, tallystick-journal, tallystick-session, traceparent",
    b"access-control-max-age": b"600",
    b"content-length": b"0",
}
_REMOVED_HEADERS = (b"origin", b"cookie")
FOREIGN = "foreign"
"""The key in a request's state that marks a request from such a page."""


class AllowedOrigins:
    """Middleware: answers CORS requests of the `allowed` origins, such as https://app.example."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str]) -> None:
        self._app = app
        self._allowed = {origin.rstrip("/").lower().encode() for origin in allowed} - {b"null", b"*"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = dict(scope["headers"]) if scope["type"] == "http" else {}
        origin = received.get(b"origin", b"")
        if origin.lower() not in self._allowed:
            await self._app(scope, receive, send)
            return
        allow = {b"access-control-allow-origin": origin, b"vary": b"origin"}
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in received:
            await send({"type": "http.response.start", "status": 204, "headers": [*(allow | _PREFLIGHT).items()]})
            await send({"type": "http.response.body", "body": b""})
            return
        added = {
            **allow,
            b"access-control-expose-headers": b"etag, location, retry-after",
            b"cross-origin-resource-policy": b"cross-origin",
        }

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                others = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in added]
                message = {**message, "headers": [*others, *added.items()]}
            await send(message)

        headers = [(name, value) for name, value in scope["headers"] if name not in _REMOVED_HEADERS]
        state = {**scope.get("state", {}), FOREIGN: True}
        await self._app({**scope, "headers": headers, "state": state}, receive, send_with_headers)
