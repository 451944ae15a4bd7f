"""Reads one record of the spool tolerantly, and repairs a payload that the journal would refuse."""

from typing import Any

from msgspec import Struct

from tallystick.core.formats.canonical_json import Limits
from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.core.redaction.sanitize import clean_text, clean_tree, fit

MAX_DEPTH = 40
"""Levels of nesting that are kept: below the journal's limit, which counts what the record adds around them."""
MAX_NAME_CHARACTERS = 120
EFFECT_KEY_PREFIX = "e1:"
EFFECT_KEY_CHARACTERS = 35


class SpoolRecord(Struct, frozen=True, kw_only=True):
    """One record: its own `id`, when the hook saw the event (`at`), and the agent's `process`, 0 if unknown."""

    id: str
    client: str
    event: str
    at: int = 0
    process: int = 0
    effect_key: str = ""
    payload: Any = None

    @property
    def key(self) -> str:
        """The idempotency key: however often it is drained, it is one record."""
        return f"spool:{self.id}"


def read_record(record: dict[str, Any], digest: str, limits: Limits) -> SpoolRecord:
    """The typed record; `digest` stands in for its id if it has none."""
    effect_key = _text(record, "effect_key")
    is_effect_key = effect_key.startswith(EFFECT_KEY_PREFIX) and len(effect_key) == EFFECT_KEY_CHARACTERS
    return SpoolRecord(
        id=_name(record, "id") or digest,
        client=_name(record, "client"),
        event=_name(record, "event"),
        at=_number(record, "at"),
        process=_number(record, "pid"),
        effect_key=effect_key if is_effect_key else "",
        payload=repair_payload(record.get("payload"), limits),
    )


def repair_payload(value: Any, limits: Limits) -> Any:
    """The payload without what the journal refuses (NUL, NaN, too deep, too long): a refused record would be lost."""
    return fit(clean_tree(value, min(MAX_DEPTH, limits.depth - 4)), limits.body_bytes // 2, DEFAULT_MASKER)


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    return clean_text(value) if isinstance(value, str) else ""


def _name(record: dict[str, Any], name: str) -> str:
    return "".join(letter for letter in _text(record, name) if letter.isprintable())[:MAX_NAME_CHARACTERS]


def _number(record: dict[str, Any], name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 62 else 0
