"""What every answer says to a browser: to guess nothing, to embed it nowhere, and to keep nothing of a journal."""

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
