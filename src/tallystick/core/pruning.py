"""Values that a record cannot hold whole: what can be kept of them is, and the rest is told apart by a digest."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from tallystick.core import canonical
from tallystick.core.canonical import Limits
from tallystick.core.errors import TallystickError
from tallystick.core.secrets import Masker

ROOM = (1 << 17, 1 << 12)
"""How many bytes one member may have, when not all of them fit: first generously, then not."""
MEMBERS = 1000
"""A list or object with more members is kept or not as one."""


def pruned(value: Any, limits: Limits, shown: Callable[[Any], str]) -> Any:
    """The value with only those members replaced by their text that cannot be kept; or its text, if that is not
    enough."""
    for room in ROOM:
        smaller = _members(value, limits.depth, min(room, limits.body_bytes), shown)
        if _fits(smaller, limits):
            return smaller
    return shown(value)


def _members(value: Any, depth: int, room: int, shown: Callable[[Any], str]) -> Any:
    if _fits(value, Limits(body_bytes=room, depth=depth)):
        return value
    if depth > 0 and isinstance(value, dict) and len(value) <= MEMBERS:
        names = {name for name in value if isinstance(name, str) and _fits(name, Limits(body_bytes=1024))}
        return {name: _members(value[name], depth - 1, room, shown) for name in value if name in names}
    if depth > 0 and isinstance(value, list | tuple) and len(value) <= MEMBERS:
        return [_members(item, depth - 1, room, shown) for item in value]
    return shown(value)


def _fits(value: Any, limits: Limits) -> bool:
    try:
        canonical.encode(value, limits)
    except (TallystickError, ValueError, TypeError, RecursionError):
        return False
    return True


def told_apart(text: str) -> str:
    """A mark that two long texts share only when they are the same. It is taken over the masked text: what is known to
    be a secret cannot be guessed from it."""
    digest = blake2b(Masker().mask_text(text).encode(errors="backslashreplace"), digest_size=8).hexdigest()
    return f"({len(text):,} characters, digest {digest})"
