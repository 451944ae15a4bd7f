"""The brief: how things stand, in at most so many tokens, whatever the journal holds.

Sections are given in the order of what an agent must not miss; each is cut to its share and the whole to the limit,
so nothing that grows can push out what comes before it.
"""

from collections.abc import Sequence

from msgspec import Struct

CHARACTERS_PER_TOKEN = 4


class Section(Struct, frozen=True):
    """Some lines under a heading. `total` is how many there are, when only the first are given."""

    heading: str
    lines: tuple[str, ...] = ()
    total: int = 0
    width: int = 140


def render(sections: Sequence[Section], tokens: int) -> str:
    """The sections as text, never longer than the limit."""
    limit = tokens * CHARACTERS_PER_TOKEN
    lines: list[str] = []
    for section in sections:
        lines.append(clip(section.heading, 300))
        lines += (f"- {clip(line, section.width)}" for line in section.lines)
        if section.total > len(section.lines):
            lines.append(f"- and {section.total - len(section.lines)} more")
    return _bounded(lines, limit)


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
