"""JSON that stands inside a text: as the whole of it, or as one of its lines.

Tools answer with JSON as text, and what a name says of the value below it is seen in the value only, not in the text.
"""

from __future__ import annotations

from tallystick.core.quickjson import dump, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_ENDS = {"{": "}", "[": "]", '"': '"'}


def with_inner(text: str, change: Callable[[object], object]) -> str:
    """The text with the JSON in it changed, and written anew where it was; the very same when nothing changed."""
    whole = _changed(text, change)
    if whole is not text or "\n" not in text:
        return whole
    before = text.split("\n")
    lines = [_changed(line, change) for line in before]
    return text if all(a is b for a, b in zip(lines, before, strict=True)) else "\n".join(lines)


def _changed(text: str, change: Callable[[object], object]) -> str:
    bare = text.strip()
    if len(bare) < 2 or _ENDS.get(bare[0]) != bare[-1]:
        return text
    try:
        value = parse(bare)
    except (ValueError, RecursionError):
        return text
    after = change(value)
    return text if after is value else dump(after)
