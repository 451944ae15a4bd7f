"""Who may talk to the server over HTTP: checked before anything else, for every path.

On loopback there is no token: any program of this user could read the file anyway. But a web page in this user's
browser could not, so the names in Host and Origin must be ours. Bound elsewhere, a bearer token is asked for too.
"""

import hmac
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallystick.core import canonical
from tallystick.core.errors import InvalidArgument
from tallystick.doors.mcp import protocol
from tallystick.doors.mcp.answers import of_error

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Guard:
    """Wraps an application. `hosts` are the names that this server is asked by."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], token: str = "", most_bytes: int = 8 << 20) -> None:
        self._app = app
        self._hosts = {host.lower() for host in hosts}
        self._token = token.encode()
        self._most = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        problem = self._problem(headers)
        if problem:
            status, said, more = problem
            await _respond(send, status, {"error": {"code": "not_permitted", "message": said}}, more)
            return
        if scope["method"] == "POST" and headers.get("content-type", "").startswith("application/json"):
            body = await _read(receive, self._most)
            if body is None:
                said = f"A request has at most {self._most:,} bytes."
                await _respond(send, 413, {"error": {"code": "too_large", "message": said}})
                return
            wrong = _mistake(body)
            if wrong is not None:
                await _respond(send, 200, wrong)
                return
            receive = _replayed(body, receive)
        await self._app(scope, receive, send)

    def _problem(self, headers: dict[str, str]) -> tuple[int, str, list[tuple[bytes, bytes]]] | None:
        host = _name(f"//{headers.get('host', '')}")
        if host not in self._hosts:
            return 421, f'Host "{host}" is not served here. Start with --allow-host {host or "NAME"}.', []
        origin = headers.get("origin", "")
        if origin and _name(origin) not in self._hosts:
            return 403, f'Origin "{origin[:200]}" may not ask. Start with --allow-host to let it.', []
        if self._token and not self._knows(headers.get("authorization", "")):
            said = "A bearer token is needed: Authorization: Bearer followed by the token that serve printed."
            return 401, said, [(b"www-authenticate", b"Bearer")]
        return None

    def _knows(self, authorization: str) -> bool:
        scheme, _, given = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._token)


def _name(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


async def _read(receive: Receive, most: int) -> bytes | None:
    """The body; None when it is over the bound."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _mistake(body: bytes) -> dict[str, Any] | None:
    """JSON that readers usually let pass is refused here as at every door: duplicate names, NaN."""
    try:
        canonical.parse(body, "params")
    except InvalidArgument as error:
        return _answer_to(body, error)
    return None


def _answer_to(body: bytes, error: InvalidArgument) -> dict[str, Any] | None:
    """The answer to a message with a mistake in it; None when it is no JSON at all, which the protocol answers."""
    try:
        message = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    if not isinstance(message, dict) or not isinstance(message.get("id"), str | int):
        return None
    if message.get("method") != "tools/call":
        code = {"code": protocol.INVALID_PARAMS, "message": str(error)}
        return {"jsonrpc": "2.0", "id": message["id"], "error": code}
    return {
        "jsonrpc": "2.0",
        "id": message["id"],
        "result": protocol.stamped("tools/call", of_error(error, ()).as_result()),
    }


async def _respond(send: Send, status: int, content: Any, more: Iterable[tuple[bytes, bytes]] = ()) -> None:
    body = msgspec.json.encode(content)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
