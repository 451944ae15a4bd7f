"""Turns any Python value into JSON that the journal can hold: JSON as it is, other values as a masked line of text."""

import re
from itertools import takewhile
from typing import Any

import msgspec

from tallystick.core.errors import TallystickError
from tallystick.core.formats import canonical_json
from tallystick.core.formats.canonical_json import Limits
from tallystick.core.formats.cut_marks import size_and_digest
from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.core.redaction.sanitize import cut_at_word, mask_and_cut, replace_unfit

VALUE_LIMITS = Limits(body_bytes=Limits().body_bytes - 4096, depth=Limits().depth - 2)
"""How much of a caller's value is stored as it is: it has to fit a body beside the other fields."""
LINE_CHARACTERS = 2000
"""Characters stored of an exception, or of a value that is not JSON."""
SCANNED_CHARACTERS = 32 << 10
"""Characters that such a line is made from at most: many of them may be blanks."""
_SHOWN_PARTS = 1000
"""Parts of a value that such a line is made from at most."""
_CONTAINERS = (dict, list, tuple)


_ADDRESS = re.compile(r"( at|(?<=cancel scope)) (0x)?[0-9a-fA-F]{6,16}\b")
_TASK = re.compile(r"<(?:[\w.]*\.)?(Task|Future|_GatheringFuture|Handle|TimerHandle)\b")


def describe_error(error: BaseException | None) -> str:
    """An exception in one line; empty for None."""
    return error_line(f"{type(error).__name__}: {error}") if error is not None else ""


def error_line(text: str) -> str:
    """The text of an error in one line, without what differs in each run: addresses, and what a task looks like."""
    return to_line(_ADDRESS.sub("", _without_tasks(text[:SCANNED_CHARACTERS])) + text[SCANNED_CHARACTERS:])


def _without_tasks(text: str) -> str:
    """The text with `<Task>` in the place of `<Task pending name=... coro=<...>>`."""
    parts, at = [], 0
    while found := _TASK.search(text, at):
        end, depth = found.end(), 1
        while depth and end < len(text):
            depth += {"<": 1, ">": -1}.get(text[end], 0)
            end += 1
        parts.append(f"{text[at : found.start()]}<{found[1]}>")
        at = end
    return "".join(parts) + text[at:]


def to_line(text: str) -> str:
    """A text as one line that any store can hold, masked before it is cut."""
    beginning = mask_and_cut(text, SCANNED_CHARACTERS, DEFAULT_MASKER)
    storable = beginning.encode(errors="backslashreplace").decode().replace("\x00", "\\x00")
    line = " ".join(storable.split())
    if len(text) <= SCANNED_CHARACTERS and len(line) <= LINE_CHARACTERS:
        return line
    return f"{cut_at_word(line, LINE_CHARACTERS - 1)}…"


def to_json(value: Any) -> Any:
    """A Python value as JSON: structured values as objects, everything else as its text."""
    if _is_too_large(value):  # checked first: encoding all of it would hold the caller up for seconds
        if type(value) not in _CONTAINERS or len(value) > _SHOWN_PARTS:
            return _show(_first_parts(value, [_SHOWN_PARTS]))
        if type(value) is dict:  # a large member must not cost the others
            value = {name: to_json(item) for name, item in value.items()}
        else:
            value = [to_json(item) for item in value]
    try:
        plain = msgspec.to_builtins(value, str_keys=True, enc_hook=_to_plain)
    except Exception:  # too deep, or of a kind that cannot even be shown
        return _show(value)
    try:
        canonical_json.encode(plain, VALUE_LIMITS)
    except Exception:  # a member is too large, or not JSON: that is no reason to lose the others
        return replace_unfit(plain, _fits, _show, VALUE_LIMITS.body_bytes, VALUE_LIMITS.depth)
    return plain


def _is_too_large(value: Any) -> bool:
    """Whether its containers alone exceed the limit. Each item takes at least two bytes, each member five."""
    room, todo = VALUE_LIMITS.body_bytes, [value]
    while todo and room > 0:
        node = todo.pop()
        kind = type(node)
        if kind is dict:
            room -= 5 * len(node)
            todo += [item for item in node.values() if type(item) in _CONTAINERS]
        elif kind in _CONTAINERS:
            room -= 2 * len(node)
            todo += [item for item in node if type(item) in _CONTAINERS]
    return room <= 0


def _first_parts(value: Any, left: list[int]) -> Any:
    """The beginning of a value of very many parts; `left` is how many are still to be taken."""
    left[0] -= 1
    if type(value) is dict:
        return {name: _first_parts(item, left) for name, item in takewhile(lambda _: left[0] > 0, value.items())}
    if type(value) in _CONTAINERS:
        return [_first_parts(item, left) for item in takewhile(lambda _: left[0] > 0, value)]
    return value


def _to_plain(item: Any) -> Any:
    """Convert a value that msgspec does not know. Most frameworks use pydantic's models, which can dump themselves."""
    dump = getattr(item, "model_dump", None)
    return dump(mode="json") if callable(dump) and not isinstance(item, type) else _show(item)


def _show(value: Any) -> str:
    """A value as a line of text. `__repr__` is the caller's code: an error in it must not stop the recording."""
    try:
        text = repr(value)
        mark = _size_and_digest(text) if len(text) > LINE_CHARACTERS else ""
        return cut_at_word(to_line(text), LINE_CHARACTERS - len(mark)) + mark
    except Exception:
        return f"<{type(value).__name__}>"


def _size_and_digest(text: str) -> str:
    """A mark that differs for two long texts with the same beginning: else their calls would count as the same one.

    The digest is taken over the masked text, so that no known secret can be guessed from it.
    """
    from hashlib import blake2b

    masked = DEFAULT_MASKER.mask_text(text).encode(errors="backslashreplace")
    return size_and_digest(len(text), blake2b(masked, digest_size=8).hexdigest())


def _fits(value: Any, size: int, depth: int) -> bool:
    try:
        canonical_json.encode(value, Limits(body_bytes=size, depth=depth))
    except (TallystickError, ValueError, TypeError, RecursionError):
        return False
    return True
