"""What every answer says to a browser: to guess nothing, to embed it nowhere, and to keep nothing of a journal."""

from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cache-control": b"no-store",
}
"""Unless the answer says otherwise itself: the page has a policy of its own, and its files may be kept. With no
referrer at all, a browser would name no origin when a form is sent, and the login could not tell its own page from
another."""


class Headers:
    """Wraps an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = list(message.get("headers", ()))
                names = {name.lower() for name, _ in told}
                more = [(name, value) for name, value in ALWAYS.items() if name not in names]
                message = {**message, "headers": [*told, *more]}
            await send(message)

        await self._app(scope, receive, sent)


# ----------------------------------------------------------------------------------------------------------------------
# Pages of other applications that may ask, because whoever started the server named them: those that show our
# elements in a page of their own. They ask with a token; no cookie and no machine speaks for them.

_PREFLIGHT = {
    b"access-control-allow-methods": b"GET, POST",
    b"access-control-allow-headers": b"authorization, content-type, idempotency-key, if-none-match, last-event-id, "
    b"tallystick-actor, tallystick-journal, tallystick-session, traceparent",
    b"access-control-max-age": b"600",
    b"content-length": b"0",
}
_SPEAKING_FOR = (b"origin", b"cookie")
FOREIGN = "foreign"
"""Stands in a request's state when it came from such a page."""


class Origins:
    """Wraps an application. `allowed` are whole origins, such as https://app.example."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str]) -> None:
        self._app = app
        self._allowed = {origin.rstrip("/").lower().encode() for origin in allowed} - {b"null", b"*"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = dict(scope["headers"]) if scope["type"] == "http" else {}
        origin = told.get(b"origin", b"")
        if origin.lower() not in self._allowed:
            await self._app(scope, receive, send)
            return
        named = {b"access-control-allow-origin": origin, b"vary": b"origin"}
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in told:
            await send({"type": "http.response.start", "status": 204, "headers": [*(named | _PREFLIGHT).items()]})
            await send({"type": "http.response.body", "body": b""})
            return
        more = {
            **named,
            b"access-control-expose-headers": b"etag, retry-after",
            b"cross-origin-resource-policy": b"cross-origin",
        }

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in more]
                message = {**message, "headers": [*kept, *more.items()]}
            await send(message)

        headers = [(name, value) for name, value in scope["headers"] if name not in _SPEAKING_FOR]
        state = {**scope.get("state", {}), FOREIGN: True}
        await self._app({**scope, "headers": headers, "state": state}, receive, sent)
