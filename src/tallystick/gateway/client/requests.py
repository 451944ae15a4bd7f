"""Decodes the id, params and arguments of a client's request, as little as possible; encodes answers."""

from typing import Any

import msgspec
from msgspec import Raw, UnsetType

from tallystick.core.errors import InvalidArgument, TooLarge
from tallystick.core.formats import canonical_json
from tallystick.protocol.jsonrpc import Id

CALL_FIELDS = ("name", "arguments", "task", "inputResponses", "requestState", "_meta")
"""The fields of a tools/call, in both eras."""


class _Text(str):
    __slots__ = ()


class _Number(int):
    __slots__ = ()


def unique_id(id: Id) -> Id:
    """Wrap an id so that it is compared by identity: a client may reuse the id of a cancelled request."""
    return _Text(id) if isinstance(id, str) else _Number(id)


def _plain_id(id: Any) -> Any:
    if isinstance(id, _Text):
        return str(id)
    if isinstance(id, _Number):
        return int(id)
    raise TypeError(type(id).__name__)


encode = msgspec.json.Encoder(enc_hook=_plain_id).encode
encode_lines = msgspec.json.Encoder(enc_hook=_plain_id).encode_lines


def params(raw: Raw | UnsetType) -> dict[str, Any]:
    """The fields of params. Only `_meta` is decoded."""
    if isinstance(raw, UnsetType):
        return {"_meta": {}}
    try:
        fields: dict[str, Any] = msgspec.json.decode(raw, type=dict[str, Raw])
        meta = msgspec.json.decode(fields["_meta"]) if "_meta" in fields else {}
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        hint = "Give names and values."
        raise InvalidArgument("params is not an object that can be read.", hint=hint, field="params") from None
    fields["_meta"] = meta if isinstance(meta, dict) else {}
    return fields


def check_call(params: dict[str, Any]) -> None:
    """Raise for a field that a tools/call does not have: a server may read `Name` as `name`, and it is not recorded."""
    for name in params:
        if name not in CALL_FIELDS:
            hint = f"Use {', '.join(CALL_FIELDS)}."
            raise InvalidArgument(f"{name[:80]!a} is not a field of tools/call.", hint=hint, field="params")


def check_line(line: bytes) -> None:
    """Raise for JSON that two parsers could read differently, such as an object with the same name twice."""
    try:  # most clients write JSON as we do: the same bytes when encoded again leave no doubt
        if encode(msgspec.json.decode(line)) == line:
            return
    except (msgspec.DecodeError, RecursionError, OverflowError, UnicodeError):
        pass  # the reader below names the mistake
    try:
        canonical_json.canonical(canonical_json.parse(line.decode(), "message"))
    except RecursionError:
        raise TooLarge("message is nested too deeply.", hint="Flatten it.", field="message") from None
    except ValueError:
        message = "message holds text that is not Unicode, or a number that is none."
        raise InvalidArgument(message, hint="Give plain JSON in UTF-8.", field="message") from None


def arguments(raw: Any) -> dict[str, Any]:
    """The arguments of a call, whose line was checked."""
    if raw is None or not isinstance(raw, Raw):
        return {}
    decoded = msgspec.json.decode(raw)
    if decoded is not None and not isinstance(decoded, dict):
        raise InvalidArgument("arguments is not an object.", hint="Give names and values.", field="arguments")
    return decoded or {}
