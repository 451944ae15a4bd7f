"""Decodes the id, params and arguments of a client's request, as little as possible; encodes answers."""

from typing import Any

import msgspec
from msgspec import Raw, UnsetType

from tallystick.core.errors import InvalidArgument, TooLarge
from tallystick.core.formats import canonical_json
from tallystick.protocol.jsonrpc import Id


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


def arguments(raw: Any) -> dict[str, Any]:
    """The arguments of a call. Raises for JSON that two parsers could read differently, as the journal does."""
    if raw is None or not isinstance(raw, Raw):
        return {}
    sent = bytes(raw)
    try:
        decoded = msgspec.json.decode(sent)
        is_canonical = encode(decoded) == sent
    except (msgspec.DecodeError, RecursionError, OverflowError, UnicodeError):
        is_canonical = False
    if not is_canonical:  # the fast parser may have read it differently
        decoded = _parse_strictly(sent)
    if decoded is not None and not isinstance(decoded, dict):
        raise InvalidArgument("arguments is not an object.", hint="Give names and values.", field="arguments")
    return decoded or {}


def _parse_strictly(sent: bytes) -> Any:
    """Parse JSON as the journal does, or raise what is wrong with it."""
    try:
        parsed = canonical_json.parse(sent.decode(), "arguments")
        canonical_json.canonical(parsed)
    except RecursionError:
        raise TooLarge("arguments is nested too deeply.", hint="Flatten it.", field="arguments") from None
    except ValueError:
        message = "arguments holds text that is not Unicode, or a number that is none."
        raise InvalidArgument(message, hint="Give plain JSON in UTF-8.", field="arguments") from None
    return parsed
