"""The brief: how things stand, in at most so many tokens, whatever the journal holds.

Sections are given in the order of what an agent must not miss. Where they do not fit, every line gets shorter; what
is cut off after that is the end, so nothing that grows can push out what comes before it.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

CHARACTERS_PER_TOKEN = 4
WIDTHS = (140, 110, 85, 65, 50, 40)
"""How long a line may be: the first at which all sections fit."""


class Section(Struct, frozen=True):
    """Some lines under a heading. `total` is how many there are, when only the first are given."""

    heading: str
    lines: tuple[str, ...] = ()
    total: int = 0


def render(sections: Sequence[Section], tokens: int) -> str:
    """The sections as text, never longer than the limit: lines get shorter before a section is left out."""
    limit = tokens * CHARACTERS_PER_TOKEN
    lines: list[str] = []
    for width in WIDTHS:
        lines = list(_lines(sections, width))
        if sum(map(len, lines)) + len(lines) <= limit:
            break
    return _bounded(lines, limit)


def _lines(sections: Sequence[Section], width: int) -> Iterator[str]:
    for place, section in enumerate(sections):
        yield clip(section.heading, min(3 * width + 30, 300) if place else 300)
        yield from (f"- {clip(line, width)}" for line in section.lines)
        if section.total > len(section.lines):
            yield f"- and {section.total - len(section.lines)} more"


def clip(text: str, length: int) -> str:
    """One line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def _bounded(lines: Sequence[str], limit: int) -> str:
    kept: list[str] = []
    room = limit
    for line in lines:
        if len(line) + 1 > room:
            if room > 4:
                kept.append(clip(line, room - 1))
            break
        kept.append(line)
        room -= len(line) + 1
    return "\n".join(kept)
