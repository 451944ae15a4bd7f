"""Patterns that were compiled ahead, for a program that starts with every tool call.

What `_sre` is given is kept in a file beside the program, named from the version of the interpreter that made it, as
Python names what it compiles, and with a stamp of it. Another interpreter finds no file, or the stamp wrong, and
compiles for itself: slower, and the same. A code that is damaged is refused by `_sre`, which checks it.
"""

from __future__ import annotations

import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

ENDING = ".patterns"
NAME = f"{sys.implementation.cache_tag}{ENDING}"


def stamp() -> Any:
    """What must be the same for a code to mean the same."""
    import _sre  # type: ignore[import-not-found]  # it has no stubs

    return (sys.implementation.name, sys.version_info[:2], sys.byteorder, _sre.MAGIC, _sre.CODESIZE)


def load(path: str) -> Callable[[str], re.Pattern[str] | None]:
    """A way to patterns by their source. Each is decoded when it is asked for: one call needs few."""
    codes: dict[str, bytes] = {}
    try:
        with open(path, "rb") as file:
            made_by, found = marshal.loads(file.read())
        if made_by == stamp():
            codes = found
    except (OSError, ValueError, EOFError, TypeError, ImportError):
        pass  # compiled here, then

    def compiled(source: str) -> re.Pattern[str] | None:
        code = codes.get(source)
        if code is None:
            return None
        import _sre

        pattern: re.Pattern[str] = _sre.compile(source, *marshal.loads(code))
        return pattern

    return compiled


def table(sources: list[str]) -> bytes:
    """The content of the file."""
    return marshal.dumps((stamp(), {source: marshal.dumps(_code(source)) for source in sources}))


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
