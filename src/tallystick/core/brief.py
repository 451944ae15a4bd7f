"""The brief: how things stand, in at most so many tokens, whatever the journal holds.

Sections are given in the order of what an agent must not miss. Where they do not fit, every line gets shorter and
sections show fewer; what is cut off after that is the end, so nothing that grows can push out what comes before it.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tallystick.core.tokens import cost, shortened

ALL = 1_000_000
WIDTHS = (
    *((width, min(3 * width + 30, 300), ALL) for width in (140, 110, 85, 65, 50, 40)),
    *((40, 150, 2), (40, 120, 1), (40, 80, 1), (32, 60, 1)),
)
"""How long a line and a heading may be, and how many lines a section has: the first at which all sections fit."""
FIRST = 300
"""How long the first heading may be, which says what the brief is about; twice as long as others and a little."""
DENSE = 0.3
"""What a character of plain words costs. From the second width on, a line is as short as if it were made of such."""


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
    return line if whole else shortened(line, length * DENSE)


def clip(text: str, length: int) -> str:
    """One line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def _bounded(lines: Sequence[str], tokens: int) -> str:
    kept: list[str] = []
    room = float(tokens)
    for line in lines:
        price = cost(f"{line}\n")
        if price > room:
            if rest := shortened(line, room):
                kept.append(rest)
            break
        kept.append(line)
        room -= price
    return "\n".join(kept)
