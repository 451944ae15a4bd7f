"""Bodies that are no message of JSON-RPC, or too large a one: refused before the SDK sees them, and in our words."""

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallystick import protocol
from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import canonical_json
from tallystick.interfaces.mcp.errors import of_error
from tallystick.interfaces.problems import problem, send_problem
from tallystick.protocol.jsonrpc import TOO_DEEP, scan_id

_SURROGATE = re.compile("[\ud800-\udfff]")
_SHAPE = "This is not a JSON-RPC message: one object with jsonrpc, id, method and params."
_ROOMY = canonical_json.Limits(body_bytes=16 << 20, depth=100)
"""How large a record may be is for the journal to say: a message around it has more, and the SDK's reader takes it."""
_BOM = b"\xef\xbb\xbf"


class Bodies:
    """Wraps an application that is posted messages."""

    def __init__(self, app: ASGIApp, most_bytes: int = 8 << 20) -> None:
        self._app = app
        self._most = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            body = await _read(receive, self._most)
            if body is None:
                await send_problem(send, problem(413, "too_large", f"A request has at most {self._most:,} bytes."))
                return
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
            wrong = _mistake(body, modern=_is_modern(headers))
            if wrong is not None:
                await _respond(send, 400 if wrong["id"] is None else 200, wrong)
                return
            receive = _replayed(body.removeprefix(_BOM), receive)  # the SDK does not know it
        await self._app(scope, receive, send)


def _is_modern(headers: Mapping[str, str]) -> bool:
    """By the header alone, as the SDK tells the eras apart."""
    return headers.get("mcp-protocol-version", protocol.HANDSHAKE_VERSIONS[0]) not in protocol.HANDSHAKE_VERSIONS


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


def _mistake(body: bytes, *, modern: bool) -> dict[str, Any] | None:
    """The answer to a body that is no message of JSON-RPC, or holds what readers of JSON usually let pass, such as
    duplicate names: refused here as at every door, and in our words."""
    try:
        message = canonical_json.parse(body, "params")
        if _needs_a_look(body):
            canonical_json.encode(message, _ROOMY)
    except InvalidArgument as error:
        return _answer_to(body, error, modern=modern)
    return None if _is_message(message) else _refusal(_id(message), protocol.INVALID_REQUEST, _SHAPE)


def _needs_a_look(body: bytes) -> bool:
    """Whether there may be a lone surrogate in it, or more levels than the SDK's reader takes."""
    return b"\\ud" in body or b"\\uD" in body or body.count(b"{") + body.count(b"[") > _ROOMY.depth


def _answer_to(body: bytes, error: InvalidArgument, *, modern: bool) -> dict[str, Any]:
    """The answer to a message with a mistake in it, to whoever can be made out."""
    try:
        message = json.loads(body.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError) as wrong:
        if isinstance(wrong, RecursionError) and (id := scan_id(body)) is not None:
            return _refusal(id, protocol.INVALID_REQUEST, TOO_DEEP)
        return _refusal(None, protocol.PARSE_ERROR, "The body is not JSON in UTF-8.")
    id = _id(message)
    if id is None:
        return _refusal(None, protocol.INVALID_REQUEST, _SHAPE)
    if message.get("method") != "tools/call":
        return _refusal(id, protocol.INVALID_PARAMS, str(error)[:400])
    result = of_error(_named(message.get("params"), error), ()).as_result()
    return {
        "jsonrpc": "2.0",
        "id": id,
        "result": protocol.add_modern_fields("tools/call", result) if modern else result,
    }


def _named(params: Any, error: InvalidArgument) -> InvalidArgument:
    """The same mistake by the name of the argument that it is in, if it is in one."""
    try:
        canonical_json.encode(params.get("arguments") if isinstance(params, dict) else None, _ROOMY)
    except InvalidArgument as named:
        return named if named.field else error
    return error


def _refusal(id: str | int | None, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def _is_message(message: Any) -> bool:
    """Whether it is a request, a notification or an answer: what the SDK would refuse in words of its own."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if "id" in message and _id(message) is None:
        return False
    if "method" in message:
        return isinstance(message["method"], str) and isinstance(message.get("params"), dict | None)
    error = message.get("error")
    told = isinstance(error, dict) and type(error.get("code")) is int and isinstance(error.get("message"), str)
    return "id" in message and (told or isinstance(message.get("result"), dict))


def _id(message: Any) -> str | int | None:
    """The id that an answer can be sent to."""
    id = message.get("id") if isinstance(message, dict) else None
    if isinstance(id, str):
        return None if _SURROGATE.search(id) else id
    return id if isinstance(id, int) and not isinstance(id, bool) and abs(id) < 1 << 63 else None


async def _respond(send: Send, status: int, content: Any) -> None:
    body = msgspec.json.encode(content)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
