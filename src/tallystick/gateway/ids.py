"""The ids of a client's requests, each as an object of one request alone: a client may use an id again once it has
cancelled the request."""

from typing import Any

import msgspec

from tallystick.protocol.messages import Id


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
