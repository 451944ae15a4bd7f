"""What can be kept of a Python value, whatever it is: JSON as it is, the rest as text, masked before it is cut."""

from collections.abc import Callable
from itertools import takewhile
from typing import Any

import msgspec

from tallystick.core.errors import TallystickError
from tallystick.core.formats import canonical_json
from tallystick.core.formats.canonical_json import Limits
from tallystick.core.redaction.masker import DEFAULT_MASKER, Masker, cut_at_word, mask_and_cut

VALUE_LIMITS = Limits(body_bytes=Limits().body_bytes - 4096, depth=Limits().depth - 2)
"""How much of a user's value is kept as it is, so that it fits a body beside what else stands there."""
LINE_CHARACTERS = 2000
"""Characters that are kept of what is only shown: an exception, or a value that is no JSON."""
LOOKED_AT = 32 << 10
"""Characters that such a line is made of at most: most of them may be blanks."""
_FEW = 1000
"""Parts of a value that such a line is made of at most."""

_HOLDERS = (dict, list, tuple)


def describe_error(error: BaseException | None) -> str:
    """An exception in one line."""
    return to_line(f"{type(error).__name__}: {error}") if error is not None else ""


def to_json(value: Any) -> Any:
    """What can be kept of a Python value: JSON as it is, structured values as JSON, the rest as its text."""
    if _is_too_large(value):  # found out first: to encode all of it would hold the caller up for seconds
        if type(value) not in _HOLDERS or len(value) > _FEW:
            return _shown(_few(value, [_FEW]))
        if type(value) is dict:  # one large member costs no other
            value = {name: to_json(item) for name, item in value.items()}
        else:
            value = [to_json(item) for item in value]
    try:
        plain = msgspec.to_builtins(value, str_keys=True, enc_hook=_as_plain)
    except Exception:  # it may be too deep, or of a kind that cannot even be shown
        return _shown(value)
    try:
        canonical_json.encode(plain, VALUE_LIMITS)
    except Exception:  # a member may be too large, or no JSON: that is no reason to lose the others
        return pruned(plain, VALUE_LIMITS, _shown)
    return plain


def _is_too_large(value: Any) -> bool:
    """Whether its lists and names alone are more than is kept. Each item takes two bytes, with its comma."""
    room, todo = VALUE_LIMITS.body_bytes, [value]
    while todo and room > 0:
        node = todo.pop()
        kind = type(node)
        if kind is dict:
            room -= 5 * len(node)
            todo += [item for item in node.values() if type(item) in _HOLDERS]
        elif kind in _HOLDERS:
            room -= 2 * len(node)
            todo += [item for item in node if type(item) in _HOLDERS]
    return room <= 0


def _few(value: Any, left: list[int]) -> Any:
    """The beginning of a value of very many parts."""
    left[0] -= 1
    if type(value) is dict:
        return {name: _few(item, left) for name, item in takewhile(lambda _: left[0] > 0, value.items())}
    if type(value) in _HOLDERS:
        return [_few(item, left) for item in takewhile(lambda _: left[0] > 0, value)]
    return value


def _as_plain(item: Any) -> Any:
    """What msgspec does not know: pydantic's models, of which most frameworks are made, can say what they hold."""
    dump = getattr(item, "model_dump", None)
    return dump(mode="json") if callable(dump) and not isinstance(item, type) else _shown(item)


def _shown(value: Any) -> str:
    """A value as text. Code of the user's says how it looks; a mistake there is no reason to stop."""
    try:
        text = repr(value)
        mark = f" {_told_apart(text)}" if len(text) > LINE_CHARACTERS else ""
        return cut_at_word(to_line(text), LINE_CHARACTERS - len(mark)) + mark
    except Exception:
        return f"<{type(value).__name__}>"


def _told_apart(text: str) -> str:
    """What is cut is told apart by all of it: else two calls would count as the same one."""
    return told_apart(text)


def to_line(text: str) -> str:
    """One line that any store can hold, masked before it is cut."""
    kept = (
        mask_and_cut(text, LOOKED_AT, DEFAULT_MASKER)
        .encode(errors="backslashreplace")
        .decode()
        .replace("\x00", "\\x00")
    )
    line = " ".join(kept.split())
    if len(text) <= LOOKED_AT and len(line) <= LINE_CHARACTERS:
        return line
    return f"{cut_at_word(line, LINE_CHARACTERS - 1)}…"


# ----------------------------------------------------------------------------------------------------------------------
# Values that a record cannot hold whole: what can be kept of them is, and the rest is told apart by a digest.

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
        canonical_json.encode(value, limits)
    except (TallystickError, ValueError, TypeError, RecursionError):
        return False
    return True


def told_apart(text: str) -> str:
    """A mark that two long texts share only when they are the same. It is taken over the masked text: what is known to
    be a secret cannot be guessed from it."""
    from hashlib import blake2b

    digest = blake2b(Masker().mask_text(text).encode(errors="backslashreplace"), digest_size=8).hexdigest()
    return f"({len(text):,} characters, digest {digest})"
