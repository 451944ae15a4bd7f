"""JSON-RPC messages on a line, decoded no deeper than is needed to see what they are."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import canonical_json
from tallystick.core.formats.visible import escape_block

MAX_LINE_BYTES = 8 << 20
"""The longest line that is read. A body of 1 MiB fits several times, escaped and with its envelope."""
NOT_A_MESSAGE = "This is not a JSON-RPC message: one object with jsonrpc, id, method and params."

TOO_DEEP = "This message is nested too deeply to be read."
_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]+|[\]}]+')
_COLON = re.compile(rb"\s*:")
_VALUE = re.compile(rb'\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.0+)?)\s*[,}]')
_LAST_ID = re.compile(
    rb'[}\]]\s*,\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*'
    rb'(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}\s*$'
)

Id = str | int


class Message(Struct):
    """A request, a notification or a response, depending on its fields."""

    method: str | UnsetType = UNSET
    id: Id | UnsetType | None = UNSET
    jsonrpc: str = ""
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode

_LINE_ENDS = bytes.maketrans(b"\r\n", b"  ")


def one_line(message: bytes) -> bytes:
    """The message with spaces for CR and LF, which JSON has between values only: a reader might end lines there."""
    return message.translate(_LINE_ENDS) if b"\r" in message or b"\n" in message else message


def read_params(sent: bytes) -> dict[str, Any]:
    """The params of a request, read as strictly as at every interface: a duplicate name is refused."""
    try:  # most clients write JSON as we do: the same bytes when encoded again mean UTF-8 and no duplicate name
        params = msgspec.json.decode(sent)
        if type(params) is dict and encode(params) == sent:
            return params
    except (msgspec.DecodeError, RecursionError, OverflowError, UnicodeDecodeError):
        pass  # the reader below names the mistake
    try:
        text = sent.decode()  # strictly: the JSON reader would accept lone surrogates, which cannot be written again
    except UnicodeDecodeError:
        hint = "Encode it as UTF-8."
        raise InvalidArgument("params holds text that is not UTF-8.", hint=hint, field="params") from None
    params = canonical_json.parse(text, "params") if text else {}
    if not isinstance(params, dict):
        raise InvalidArgument("params is not an object.", hint="Give names and values.", field="params")
    return params


def decode_raw(raw: Any) -> Any:
    """The value of a raw part; None when it is not JSON. A part that is decoded already is returned as it is."""
    try:
        return msgspec.json.decode(raw) if isinstance(raw, Raw) else raw
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def decode_object(raw: Any) -> dict[str, Any]:
    """The object of a raw part; empty when it is no object, or not JSON."""
    value = decode_raw(raw)
    return value if isinstance(value, dict) else {}


def error_object(code: int, message: str) -> dict[str, Any]:
    """The `error` object of a response."""
    return {"code": code, "message": escape_block(message)}


def is_id(value: Any) -> bool:
    """Whether a value can be the id of a response: an integer, or text that is valid Unicode."""
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    return isinstance(value, int) and not isinstance(value, bool)


def scan_id(line: bytes) -> Id | None:
    """The id of a message that is nested too deeply to be decoded, so that its sender gets a response."""
    return next(
        (_id_behind(line, end) for name, end in _names(line) if name == b'"id"' and _VALUE.match(line, end)), None
    )


def scan_answered_id(line: bytes) -> Id | None:
    """The id of the request that an undecodable line answers; None when the line is a request itself."""
    ends = dict(_names(line))
    if b'"method"' in ends or not ends.keys() & {b'"result"', b'"error"'}:
        return None
    return _id_behind(line, ends[b'"id"']) if b'"id"' in ends else None


def _names(line: bytes) -> Iterator[tuple[bytes, int]]:
    """The names in the outermost object, as far as they can be found, and where each ends."""
    depth = 0
    for mark in _MARKS.finditer(line):
        piece = mark[0]
        if piece[0] in b"[{":
            depth += len(piece)
        elif piece[0] in b"]}":
            depth -= len(piece)
        elif depth == 1 and _COLON.match(line, mark.end()):
            yield piece, mark.end()


def _id_behind(line: bytes, end: int) -> Id | None:
    value = _VALUE.match(line, end)
    id = decode_raw(Raw(value[1])) if value else None
    if isinstance(id, float) and id.is_integer():
        return int(id)
    return id if is_id(id) else None


def scan_last_id(end: bytes) -> Id | None:
    """The id of a message of which only the end is known: it stands behind the params, in the outermost object."""
    last = _LAST_ID.search(end)
    id = decode_raw(Raw(last[1])) if last else None
    return id if is_id(id) else None
