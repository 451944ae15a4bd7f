"""A cache of compiled regular expressions, so that the hook need not compile them at every tool call.

The arguments of `_sre.compile` are stored in a file beside the program. Its name has the version of the interpreter
that wrote it, as with compiled Python files, and its header has a stamp. Another interpreter finds no file or a wrong
stamp and compiles the patterns itself: slower, with the same result. `_sre` checks a code, and refuses a damaged one.

The file is long and an event needs few patterns. So it begins with the length of an index and the index, from a
checksum of the source to the position of its code. A code is read when it is needed, with the source that it is for.
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
"""The bytes with the length of the index."""


def interpreter_stamp() -> Any:
    """The properties that must be equal for a code to have the same meaning."""
    import _sre  # type: ignore[import-not-found]  # it has no stubs

    return (sys.implementation.name, sys.version_info[:2], sys.byteorder, _sre.MAGIC, _sre.CODESIZE)


def load(path: str) -> Callable[[str], re.Pattern[str] | None]:
    """A function from a source to its compiled pattern. The file stays open while the program runs."""
    index: dict[int, tuple[int, int]] = {}
    file, start = -1, HEADER_BYTES
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        start += int.from_bytes(os.read(file, HEADER_BYTES), "little")
        stamp, stored = marshal.loads(os.read(file, start - HEADER_BYTES))
        if stamp == interpreter_stamp():
            index = stored
    except (OSError, ValueError, EOFError, TypeError, ImportError, MemoryError, OverflowError):
        pass  # the caller compiles

    def cached_pattern(source: str) -> re.Pattern[str] | None:
        position = index.get(checksum(source))
        if position is None:
            return None
        offset, length = position
        try:
            stored_source, *code = marshal.loads(os.pread(file, length, start + offset))
        except (OSError, ValueError, EOFError, TypeError):
            return None  # the file was cut short
        if stored_source != source:
            return None
        import _sre

        pattern: re.Pattern[str] = _sre.compile(source, *code)
        return pattern

    return cached_pattern


def checksum(source: str) -> int:
    """The key of a source in the index."""
    return crc32(source.encode("utf-8", "surrogatepass"))


def build(sources: list[str]) -> bytes:
    """The content of the file."""
    codes = [marshal.dumps((source, *_compile(source))) for source in sources]
    index, offset = {}, 0
    for source, code in zip(sources, codes, strict=True):
        index[checksum(source)] = offset, len(code)
        offset += len(code)
    header = marshal.dumps((interpreter_stamp(), index))
    return len(header).to_bytes(HEADER_BYTES, "little") + header + b"".join(codes)


def _compile(source: str) -> tuple[Any, ...]:
    """The arguments of `_sre.compile` for a pattern (flags, code and groups), as `re._compiler.compile` makes them."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(source, 0)
    names = parsed.state.groupdict
    groups: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        groups[number] = name
    code = [int(word) for word in _compiler._code(parsed, 0)]  # the words are named integers
    return parsed.state.flags, code, parsed.state.groups - 1, dict(names), tuple(groups)
