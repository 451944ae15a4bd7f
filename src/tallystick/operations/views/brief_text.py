"""The brief: how things stand, in at most so many tokens, whatever the journal holds.

Sections are given in the order of what an agent must not miss. Where they do not fit, every line gets shorter and
sections show fewer; what is cut off after that is the end, so nothing that grows can push out what comes before it.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tallystick.core.formats.tokens import cost, shorten

ALL = 1_000_000
WIDTHS = (
    *((width, min(3 * width + 30, 300), ALL) for width in (140, 110, 85, 65, 50, 40)),
    *((40, 150, 2), (40, 120, 1), (40, 80, 1), (32, 60, 1), (32, 46, 1), (32, 36, 1)),
)
"""How long a line and a heading may be, and how many lines a section has: the first at which all sections fit."""
FIRST = 300
"""How long the first heading may be, which says what the brief is about; twice as long as others and a little."""
DENSE = 0.3
"""What a character of plain words costs. From the second width on, a line is as short as if it were made of such."""


QUOTED = 100
"""How much of a recorded text is quoted in a line."""
_WORD = re.compile(r"[\w.:/@+-]+")
_CUT_HANDLE = re.compile(r",? ?\b[a-z]{2}(?:_[0-9a-z]*)?…$")


class Section(Struct, frozen=True):
    """Some lines under a heading. `total` is how many there are, when only the first are given."""

    heading: str
    lines: tuple[str, ...] = ()
    total: int = 0


def render(sections: Sequence[Section], tokens: int) -> str:
    """The sections as text, never longer than the limit: lines get shorter before a section is left out."""
    lines: list[str] = []
    for widths in WIDTHS:
        lines = list(_lines(sections, *widths))
        if cost("\n".join(lines)) <= tokens:
            break
    return _bounded(lines, tokens)


def _lines(sections: Sequence[Section], width: int, heading: int, most: int) -> Iterator[str]:
    whole = width == WIDTHS[0][0]
    for place, section in enumerate(sections):
        yield _clipped(section.heading, heading if place else min(2 * heading + 60, FIRST), whole=whole)
        shown = section.lines[:most]
        yield from (f"- {_clipped(line, width, whole=whole)}" for line in shown)
        more = max(section.total, len(section.lines)) - len(shown)
        if more > 0:
            yield f"- and {more} more"


def _clipped(text: str, length: int, *, whole: bool) -> str:
    line = clip(text, length)
    return _mended(line if whole else shorten(line, length * DENSE))


def _mended(line: str) -> str:
    """A line that was cut, with no piece of a handle, which would name something else, and no quote left open."""
    if not line.endswith("…"):
        return line
    line = _CUT_HANDLE.sub(" …", line)
    return f'{line}"' if line.count('"') % 2 else line


def clip(text: str, length: int) -> str:
    """One line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def quoted(text: str) -> str:
    """What somebody recorded, in quotes: it is not for the journal to say it."""
    return f'"{clip(text, QUOTED).replace(chr(34), chr(39))}"'


def word(text: str) -> str:
    """A name as it is if it is a plain word; anything else could pass for our own words, and is quoted."""
    return text if _WORD.fullmatch(text) and text.isprintable() else quoted(text)


def _bounded(lines: Sequence[str], tokens: int) -> str:
    kept: list[str] = []
    room = float(tokens)
    for line in lines:
        price = cost(f"{line}\n")
        if price > room:
            if rest := shorten(line, room - 1):  # a quote may have to be closed
                kept.append(_mended(rest))
            break
        kept.append(line)
        room -= price
    return "\n".join(kept)
