"""Rejects request bodies that are no JSON-RPC message or too large, before the SDK sees them."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallystick import protocol
from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import canonical_json
from tallystick.interfaces.mcp.errors import error_response
from tallystick.interfaces.problems import problem, send_problem
from tallystick.protocol.jsonrpc import NOT_A_MESSAGE, TOO_DEEP, scan_id

_SURROGATE = re.compile("[\ud800-\udfff]")
_MESSAGE_LIMITS = canonical_json.Limits(body_bytes=16 << 20, depth=100)
"""Larger than the journal's own limits for a record, which apply later, and within those of the SDK's parser."""
_BOM = b"\xef\xbb\xbf"


class BodyCheck:
    """Wraps an application that receives JSON-RPC messages by POST."""

    def __init__(self, app: ASGIApp, max_bytes: int = 8 << 20) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            body = await _read_body(receive, self._max_bytes)
            if body is None:
                await send_problem(send, problem(413, "too_large", f"A request has at most {self._max_bytes:,} bytes."))
                return
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
            rejection = reject_body(body, modern=_is_modern(headers))
            if rejection is not None:
                await _respond(send, *rejection)
                return
            receive = _replay(body.removeprefix(_BOM), receive)  # the SDK does not accept a byte order mark
        await self._app(scope, receive, send)


def _is_modern(headers: Mapping[str, str]) -> bool:
    """Whether the request uses the protocol without a handshake: by the header alone, as the SDK decides it."""
    return headers.get("mcp-protocol-version", protocol.HANDSHAKE_VERSIONS[0]) not in protocol.HANDSHAKE_VERSIONS


async def _read_body(receive: Receive, max_bytes: int) -> bytes | None:
    """The body; None when it is too large."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > max_bytes:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body that was already read, and then what follows it."""
    is_sent = False

    async def replay() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def reject_body(body: bytes, *, modern: bool) -> tuple[int, dict[str, Any]] | None:
    """The status and the response to a body that is rejected; None if it is a valid message."""
    rejection = _check(body, modern=modern)
    return None if rejection is None else (400 if rejection["id"] is None else 200, rejection)


def _check(body: bytes, *, modern: bool) -> dict[str, Any] | None:
    """The response to a body that is rejected; None if it is a valid message.

    Rejected are bodies that are no JSON-RPC message, and JSON that most parsers accept, such as duplicate names: they
    are rejected at every interface.
    """
    try:
        message = canonical_json.parse(body, "params")
        if _may_break_limits(body):
            canonical_json.encode(message, _MESSAGE_LIMITS)
    except InvalidArgument as error:
        return _rejection(body, error, modern=modern)
    return (
        None if _is_message(message) else _protocol_error(_valid_id(message), protocol.INVALID_REQUEST, NOT_A_MESSAGE)
    )


def _may_break_limits(body: bytes) -> bool:
    """Whether the body may hold a lone surrogate, or more levels than the SDK's parser takes."""
    return b"\\ud" in body or b"\\uD" in body or body.count(b"{") + body.count(b"[") > _MESSAGE_LIMITS.depth


def _rejection(body: bytes, error: InvalidArgument, *, modern: bool) -> dict[str, Any]:
    """The response to an invalid message, with its id if it can be found."""
    try:
        message = canonical_json.parse_leniently(body.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, RecursionError) and (id := scan_id(body)) is not None:
            return _protocol_error(id, protocol.INVALID_REQUEST, TOO_DEEP)
        return _protocol_error(None, protocol.PARSE_ERROR, "The body is not JSON in UTF-8.")
    id = _valid_id(message)
    if id is None:
        return _protocol_error(None, protocol.INVALID_REQUEST, NOT_A_MESSAGE)
    if message.get("method") != "tools/call":
        return _protocol_error(id, protocol.INVALID_PARAMS, str(error)[:400])
    result = error_response(_locate(message.get("params"), error), ()).as_result()
    return {
        "jsonrpc": "2.0",
        "id": id,
        "result": protocol.add_modern_fields("tools/call", result) if modern else result,
    }


def _locate(params: Any, error: InvalidArgument) -> InvalidArgument:
    """The same error with the name of the argument that causes it, if one does."""
    try:
        canonical_json.encode(params.get("arguments") if isinstance(params, dict) else None, _MESSAGE_LIMITS)
    except InvalidArgument as located:
        return located if located.field else error
    return error


def _protocol_error(id: str | int | None, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def _is_message(message: Any) -> bool:
    """Whether it is a request, a notification or a response."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if "id" in message and _valid_id(message) is None:
        return False
    if "method" in message:
        return isinstance(message["method"], str) and isinstance(message.get("params"), dict | None)
    error = message.get("error")
    is_error = isinstance(error, dict) and type(error.get("code")) is int and isinstance(error.get("message"), str)
    return "id" in message and (is_error or isinstance(message.get("result"), dict))


def _valid_id(message: Any) -> str | int | None:
    """The id of a message, if a response can use it."""
    id = message.get("id") if isinstance(message, dict) else None
    if isinstance(id, str):
        return None if _SURROGATE.search(id) else id
    return id if isinstance(id, int) and not isinstance(id, bool) and abs(id) < 1 << 63 else None


async def _respond(send: Send, status: int, content: Any) -> None:
    body = msgspec.json.encode(content)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
