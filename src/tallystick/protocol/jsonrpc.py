"""Messages of JSON-RPC as they stand on a line. They are read no deeper than is needed to see what they are."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import canonical_json

MAX_LINE_BYTES = 8 << 20
"""The longest line that is read. A body holds 1 MiB; escaped, and with what is around it, it fits several times."""
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
    """A request, a notification, or the answer to a request, whichever parts it has."""

    method: str | UnsetType = UNSET
    id: Id | UnsetType | None = UNSET
    jsonrpc: str = ""
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode


def read_params(sent: bytes) -> dict[str, Any]:
    """What a request says, read as strictly as every door reads: a name that stands twice is refused."""
    try:  # most clients write JSON as we do: what comes out as the same bytes again holds no name twice, and is UTF-8
        quick = msgspec.json.decode(sent)
        if type(quick) is dict and encode(quick) == sent:
            return quick
    except (msgspec.DecodeError, RecursionError, OverflowError, UnicodeDecodeError):
        pass  # what is wrong with it is said below
    try:
        text = sent.decode()  # strictly: the reader of JSON would let lone surrogates pass, which nobody can write
    except UnicodeDecodeError:
        hint = "Encode it as UTF-8."
        raise InvalidArgument("params holds text that is not UTF-8.", hint=hint, field="params") from None
    params = canonical_json.parse(text, "params") if text else {}
    if not isinstance(params, dict):
        raise InvalidArgument("params is not an object.", hint="Give names and values.", field="params")
    return params


def decode_raw(raw: Any) -> Any:
    """What a part that was left unread says; nothing when it is no JSON. A part that was read is what it is."""
    try:
        return msgspec.json.decode(raw) if isinstance(raw, Raw) else raw
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def decode_object(raw: Any) -> dict[str, Any]:
    """An object; what is none, or cannot be read, is an empty one."""
    found = decode_raw(raw)
    return found if isinstance(found, dict) else {}


def error_object(code: int, message: str) -> dict[str, Any]:
    """What stands under `error` in an answer."""
    return {"code": code, "message": message}


def is_id(value: Any) -> bool:
    """Whether it can be sent back: an integer, or text that is Unicode."""
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    return isinstance(value, int) and not isinstance(value, bool)


def scan_id(line: bytes) -> Id | None:
    """The id of a message that is nested too deeply to be read, so that whoever waits for its answer is not left
    waiting."""
    return next(
        (_id_behind(line, end) for name, end in _names(line) if name == b'"id"' and _VALUE.match(line, end)), None
    )


def scan_answered_id(line: bytes) -> Id | None:
    """The id of the request that a line answers which cannot be read: what asks something itself answers nothing."""
    places = dict(_names(line))
    if b'"method"' in places or not places.keys() & {b'"result"', b'"error"'}:
        return None
    return _id_behind(line, places[b'"id"']) if b'"id"' in places else None


def _names(line: bytes) -> Iterator[tuple[bytes, int]]:
    """The names in the outermost object, as far as they can be told, and where each ends."""
    depth = 0
    for mark in _MARKS.finditer(line):
        found = mark[0]
        if found[0] in b"[{":
            depth += len(found)
        elif found[0] in b"]}":
            depth -= len(found)
        elif depth == 1 and _COLON.match(line, mark.end()):
            yield found, mark.end()


def _id_behind(line: bytes, end: int) -> Id | None:
    value = _VALUE.match(line, end)
    id = decode_raw(Raw(value[1])) if value else None
    if isinstance(id, float) and id.is_integer():
        return int(id)
    return id if is_id(id) else None


def scan_last_id(end: bytes) -> Id | None:
    """The id of a message of which only the end is known: what stands behind its params, in the outermost object."""
    found = _LAST_ID.search(end)
    id = decode_raw(Raw(found[1])) if found else None
    return id if is_id(id) else None
