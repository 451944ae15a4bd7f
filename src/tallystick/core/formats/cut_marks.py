"""Marks in values of which the journal has only a part, because they were too large."""

import re
from typing import Any

CUT = "[cut]"
"""Stands in a text in the place of what was not kept: at its beginning or its end."""
MIN_CUT_CHARACTERS = 16 << 10
"""A text that was cut there has at least as many."""
_SIZE_AND_DIGEST = re.compile(r" \([\d,]+ characters, digest [0-9a-f]{16}\)\Z")


def size_and_digest(size: int, digest: str) -> str:
    """The mark behind the beginning of a value that was too large."""
    return f" ({size:,} characters, digest {digest})"


def has_cut(value: Any) -> bool:
    """Whether a part of a JSON value was left out when it was recorded, because it was too large."""
    if isinstance(value, dict):
        return any(has_cut(item) for item in value.values())
    if isinstance(value, list):
        return any(map(has_cut, value))
    if not isinstance(value, str):
        return False
    is_long = len(value) >= MIN_CUT_CHARACTERS
    return (is_long and (value.startswith(f"{CUT} ") or value.endswith(f" {CUT}"))) or bool(
        value.endswith(")") and _SIZE_AND_DIGEST.search(value)
    )
