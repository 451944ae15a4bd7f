"""One record of the spool, as a hook wrote it, read tolerantly."""

from math import isfinite
from typing import Any

from msgspec import Struct

from tallystick.core.formats.canonical_json import Limits
from tallystick.core.redaction.masker import DEFAULT_MASKER, mask_and_cut

# ----------------------------------------------------------------------------------------------------------------------
# What can be kept of a payload that the journal would refuse: NUL and half characters, NaN, too deep, too long.
#
# A refused record would be a lost one. What is changed here says so in its place.

DEPTH = 40
"""Levels of nesting that are kept: below the journal's limit, which counts what the record adds around it."""
LENGTHS = (200_000, 20_000, 2_000, 200, 20)
"""Characters that are kept of one text, and items of one list, where a payload is too long as a whole."""
SMALL = 500
"""Bytes of a field that is kept whole whatever stands beside it: ids, names, reasons."""
FIELDS = 100
WIDEST = 6
"""Bytes that one character may take in JSON."""


def repair_payload(value: Any, limits: Limits) -> Any:
    """The value as the journal takes it; the very same where nothing is amiss."""
    return _fitted(_cleaned(value, min(DEPTH, limits.depth - 4)), limits.body_bytes // 2)


def _fitted(value: Any, budget: int) -> Any:
    """The value in so many bytes. Of an object, what is small stays as it is, and what is large shares the rest."""
    if _weight(value, budget) <= budget:
        return value
    if isinstance(value, dict) and len(value) <= FIELDS:
        small = {name: item for name, item in value.items() if _weight(item, SMALL) <= min(SMALL, budget // 16)}
        left = budget - _weight(small, budget) - sum(_weight(name, budget) + 2 for name in value.keys() - small.keys())
        share = left // max(1, len(value) - len(small))
        if share > 0:
            return {name: small[name] if name in small else _fitted(item, share) for name, item in value.items()}
    for longest in LENGTHS:
        shorter = _cut(value, longest)
        if _weight(shorter, budget) <= budget:
            return shorter
    return "[cut: this was too long to keep]"[:budget]


def clean_text(text: str) -> str:
    """A text without what no store can keep."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def _cleaned(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if depth <= 0:
        return "[cut: nested too deeply]"
    if isinstance(value, dict):
        fresh = {clean_text(str(name)): _cleaned(item, depth - 1) for name, item in value.items()}
        return value if fresh == value else fresh
    if isinstance(value, list | tuple):
        items = [_cleaned(item, depth - 1) for item in value]
        return value if items == value else items
    return str(value)


def _weight(value: Any, enough: int) -> int:
    """The most bytes that a value can take as JSON, counted no further than needed."""
    if isinstance(value, str):
        return len(value) + 2 if value.isascii() and value.isprintable() else len(value) * WIDEST
    if isinstance(value, dict):
        total = 2
        for name, item in value.items():
            total += _weight(name, enough) + 2 + _weight(item, enough)
            if total > enough:
                break
        return total
    if isinstance(value, list | tuple):
        total = 2
        for item in value:
            total += 1 + _weight(item, enough)
            if total > enough:
                break
        return total
    return 24 if not isinstance(value, int) or abs(value) < 1 << 64 else value.bit_length()


def _cut(value: Any, longest: int) -> Any:
    if isinstance(value, str) and len(value) > longest:
        return f"{mask_and_cut(value, longest, DEFAULT_MASKER)}[cut: {len(value) - longest} more characters]"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 64:
        return "[cut: a very large number]"
    if isinstance(value, dict):
        items = list(value.items())
        fresh = {_cut(name, longest): _cut(item, longest) for name, item in items[:longest]}
        return {**fresh, "[cut]": f"{len(items) - longest} more"} if len(items) > longest else fresh
    if isinstance(value, list | tuple):
        shown = [_cut(item, longest) for item in value[:longest]]
        return [*shown, f"[cut: {len(value) - longest} more]"] if len(value) > longest else shown
    return value


# ----------------------------------------------------------------------------------------------------------------------

EFFECT_KEY_PREFIX = "e1:"


class SpoolRecord(Struct, frozen=True, kw_only=True):
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


def read_record(record: dict[str, Any], digest: str, limits: Limits) -> SpoolRecord:
    """The record; `digest` stands in for its id if it has none."""
    effect_key = _text(record, "effect_key")
    return SpoolRecord(
        id=_name(record, "id") or digest,
        client=_name(record, "client"),
        event=_name(record, "event"),
        at=_number(record, "at"),
        process=_number(record, "pid"),
        effect_key=effect_key if effect_key.startswith(EFFECT_KEY_PREFIX) and len(effect_key) == 35 else "",
        payload=repair_payload(record.get("payload"), limits),
    )


def _text(record: dict[str, Any], name: str) -> str:
    found = record.get(name)
    return clean_text(found) if isinstance(found, str) else ""


def _name(record: dict[str, Any], name: str) -> str:
    return "".join(letter for letter in _text(record, name) if letter.isprintable())[:120]


def _number(record: dict[str, Any], name: str) -> int:
    found = record.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 62 else 0
