"""Regular expressions by their source, compiled when they are first used.

Importing `re` and compiling take longer than starting the interpreter. A program that starts often brings patterns that
were compiled before, and tells `compiled.elsewhere` where they are; it then never imports `re`. Nor `functools`, for
which `remembered` stands in.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])

MOST = 4096
"""How many answers of one function are remembered."""


class Compiled(dict[str, "re.Pattern[str]"]):
    """Patterns by their source. One that is not there yet is asked for elsewhere first."""

    elsewhere: Callable[[str], re.Pattern[str] | None] | None = None

    def __missing__(self, source: str) -> re.Pattern[str]:
        found = self.elsewhere(source) if self.elsewhere else None
        if found is None:
            import re

            found = re.compile(source)
        self[source] = found
        return found


compiled = Compiled()
rx = compiled.__getitem__


def remembered(function: F) -> F:
    """Answers are kept by the arguments, which are given by position."""
    known: dict[tuple[Any, ...], Any] = {}

    def asked(*arguments: Any) -> Any:
        try:
            return known[arguments]
        except KeyError:
            if len(known) >= MOST:
                known.clear()
            known[arguments] = answer = function(*arguments)
            return answer

    return asked  # type: ignore[return-value]
