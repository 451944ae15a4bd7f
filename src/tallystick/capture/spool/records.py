"""One record of the spool, as a hook wrote it, read tolerantly."""

from typing import Any

from msgspec import Struct

from tallystick.capture.salvage import kept, plain
from tallystick.core.canonical import Limits

EFFECT_KEY = "e1:"


class Spooled(Struct, frozen=True, kw_only=True):
    """`id` is the record's own; `at` is when the hook saw it; `process` is the agent's, 0 when it is not known."""

    id: str
    client: str
    event: str
    at: int = 0
    process: int = 0
    effect_key: str = ""
    payload: Any = None

    @property
    def key(self) -> str:
        """What makes it one record, however often it is drained."""
        return f"spool:{self.id}"


def spooled(record: dict[str, Any], digest: str, limits: Limits) -> Spooled:
    """The record; `digest` stands in for its id if it has none."""
    effect_key = _text(record, "effect_key")
    return Spooled(
        id=_name(record, "id") or digest,
        client=_name(record, "client"),
        event=_name(record, "event"),
        at=_number(record, "at"),
        process=_number(record, "pid"),
        effect_key=effect_key if effect_key.startswith(EFFECT_KEY) and len(effect_key) == 35 else "",
        payload=kept(record.get("payload"), limits),
    )


def _text(record: dict[str, Any], name: str) -> str:
    found = record.get(name)
    return plain(found) if isinstance(found, str) else ""


def _name(record: dict[str, Any], name: str) -> str:
    return "".join(letter for letter in _text(record, name) if letter.isprintable())[:120]


def _number(record: dict[str, Any], name: str) -> int:
    found = record.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 62 else 0
