"""What a client's request gives: its params, left unread as far as can be, and the arguments of a call."""

from typing import Any

import msgspec
from msgspec import Raw, UnsetType

from tallystick.core.errors import InvalidArgument, TooLarge
from tallystick.core.formats import canonical_json
from tallystick.protocol.jsonrpc import Id

# ----------------------------------------------------------------------------------------------------------------------
# The ids of a client's requests, each as an object of one request alone: a client may use an id again once it has
# cancelled the request.


class _Text(str):
    __slots__ = ()


class _Number(int):
    __slots__ = ()


def own(id: Id) -> Id:
    return _Text(id) if isinstance(id, str) else _Number(id)


def _bare(id: Any) -> Any:
    if isinstance(id, _Text):
        return str(id)
    if isinstance(id, _Number):
        return int(id)
    raise TypeError(type(id).__name__)


encode = msgspec.json.Encoder(enc_hook=_bare).encode
encode_lines = msgspec.json.Encoder(enc_hook=_bare).encode_lines


# ----------------------------------------------------------------------------------------------------------------------


def params(raw: Raw | UnsetType) -> dict[str, Any]:
    """The parts of params, unread, but for `_meta`."""
    if isinstance(raw, UnsetType):
        return {"_meta": {}}
    try:
        found: dict[str, Any] = msgspec.json.decode(raw, type=dict[str, Raw])
        meta = msgspec.json.decode(found["_meta"]) if "_meta" in found else {}
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        hint = "Give names and values."
        raise InvalidArgument("params is not an object that can be read.", hint=hint, field="params") from None
    found["_meta"] = meta if isinstance(meta, dict) else {}
    return found


def arguments(raw: Any) -> dict[str, Any]:
    """The arguments of a call, as the journal reads JSON: what two readers could take for two things is refused."""
    if raw is None or not isinstance(raw, Raw):
        return {}
    sent = bytes(raw)
    try:
        quick = msgspec.json.decode(sent)
        same = encode(quick) == sent
    except (msgspec.DecodeError, RecursionError, OverflowError, UnicodeError):
        same = False
    if not same:
        quick = _strictly(sent)
    if quick is not None and not isinstance(quick, dict):
        raise InvalidArgument("arguments is not an object.", hint="Give names and values.", field="arguments")
    return quick or {}


def _strictly(sent: bytes) -> Any:
    """JSON as the journal reads it, or what is wrong with it."""
    try:
        found = canonical_json.parse(sent.decode(), "arguments")
        canonical_json.canonical(found)
    except RecursionError:
        raise TooLarge("arguments is nested too deeply.", hint="Flatten it.", field="arguments") from None
    except ValueError:
        said = "arguments holds text that is not Unicode, or a number that is none."
        raise InvalidArgument(said, hint="Give plain JSON in UTF-8.", field="arguments") from None
    return found
