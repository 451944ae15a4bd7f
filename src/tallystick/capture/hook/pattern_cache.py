"""Patterns that were compiled ahead, for a program that starts with every tool call.

What `_sre` is given is kept in a file beside the program, named from the version of the interpreter that made it, as
Python names what it compiles, and with a stamp of it. Another interpreter finds no file, or the stamp wrong, and
compiles for itself: slower, and the same. A code that is damaged is refused by `_sre`, which checks it.

The file is long, and a call needs few of its codes: so it begins with a list of where each is, by a checksum of its
source, and with the length of that list. A code is read when it is asked for, with the source that it is of.
"""

from __future__ import annotations

import marshal
import os
import sys
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

SUFFIX = ".patterns"
FILE_NAME = f"{sys.implementation.cache_tag}{SUFFIX}"
HEADER_BYTES = 4
"""Bytes that tell how long the list is."""


def interpreter_stamp() -> Any:
    """What must be the same for a code to mean the same."""
    import _sre  # type: ignore[import-not-found]  # it has no stubs

    return (sys.implementation.name, sys.version_info[:2], sys.byteorder, _sre.MAGIC, _sre.CODESIZE)


def load(path: str) -> Callable[[str], re.Pattern[str] | None]:
    """A way to patterns by their source. The file stays open as long as the program runs."""
    places: dict[int, tuple[int, int]] = {}
    file, start = -1, HEADER_BYTES
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        start += int.from_bytes(os.read(file, HEADER_BYTES), "little")
        made_by, found = marshal.loads(os.read(file, start - HEADER_BYTES))
        if made_by == interpreter_stamp():
            places = found
    except (OSError, ValueError, EOFError, TypeError, ImportError, MemoryError, OverflowError):
        pass  # compiled here, then

    def compiled(source: str) -> re.Pattern[str] | None:
        place = places.get(checksum(source))
        if place is None:
            return None
        at, length = place
        try:
            made_of, *code = marshal.loads(os.pread(file, length, start + at))
        except (OSError, ValueError, EOFError, TypeError):
            return None  # the file was cut short
        if made_of != source:
            return None
        import _sre

        pattern: re.Pattern[str] = _sre.compile(source, *code)
        return pattern

    return compiled


def checksum(source: str) -> int:
    """What a source is looked up by."""
    return crc32(source.encode("utf-8", "surrogatepass"))


def build(sources: list[str]) -> bytes:
    """The content of the file."""
    codes = [marshal.dumps((source, *_code(source))) for source in sources]
    places, at = {}, 0
    for source, code in zip(sources, codes, strict=True):
        places[checksum(source)] = at, len(code)
        at += len(code)
    head = marshal.dumps((interpreter_stamp(), places))
    return len(head).to_bytes(HEADER_BYTES, "little") + head + b"".join(codes)


def _code(source: str) -> tuple[Any, ...]:
    """What `re` gives to `_sre` for a pattern: its flags, code, and groups. As `re._compiler.compile` does it."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(source, 0)
    names = parsed.state.groupdict
    groups: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        groups[number] = name
    code = [int(word) for word in _compiler._code(parsed, 0)]  # the words are integers with a name
    return parsed.state.flags, code, parsed.state.groups - 1, dict(names), tuple(groups)
