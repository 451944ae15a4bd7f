"""Lays out the sections of the brief within a limit of tokens.

Sections come in the order of importance. If they do not fit, every line gets shorter, then sections show fewer
lines. Only after that the end is cut off, so a section that grows never pushes out the ones before it.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tallystick.core.formats.tokens import cost, shorten
from tallystick.core.formats.visible import escape_line, is_visible

NO_LIMIT = 1_000_000
WIDTHS = (
    *((width, min(3 * width + 30, 300), NO_LIMIT) for width in (140, 110, 85, 65, 50, 40)),
    *((40, 150, 2), (40, 120, 1), (40, 80, 1), (32, 60, 1), (32, 46, 1), (32, 36, 1)),
)
"""Characters of a line, characters of a heading, lines of a section. The first at which all sections fit is used."""
FIRST_HEADING_CHARACTERS = 300
"""The limit of the first heading, which names the execution; it may be more than twice as long as the others."""
TOKENS_A_CHARACTER = 0.3
"""The cost of a character of plain words. From the second width on, lines are also cut by this cost."""
QUOTED_CHARACTERS = 100
"""How much of a recorded text is quoted in a line."""
MIN_QUOTED_CHARACTERS = 24
"""How much of a recorded text is left when it makes room for the words around it, such as the call to make."""
_WORD = re.compile(r"[\w.:/@+-]+")
_COMMAND = re.compile(r" ?\btallystick [^\"]*$")
"""A command to copy, at the end of a line. It is never cut: another command could be left."""
_QUOTE = re.compile(r'"([^"]*)"')
_CUT_HANDLE = re.compile(r",? ?\b[a-z]{2}(?:_[0-9a-z]*)?…$")


class Section(Struct, frozen=True):
    """Lines under a heading. `total` counts all of them when `lines` holds only the first."""

    heading: str
    lines: tuple[str, ...] = ()
    total: int = 0


def render(sections: Sequence[Section], tokens: int) -> str:
    """Return the sections as text within the limit: lines get shorter before a section is left out."""
    lines: list[str] = []
    for widths in WIDTHS:
        lines = list(_lines(sections, *widths))
        if cost("\n".join(lines)) <= tokens:
            break
    return _cut_at_limit(lines, tokens)


def _lines(sections: Sequence[Section], width: int, heading: int, max_lines: int) -> Iterator[str]:
    is_widest = width == WIDTHS[0][0]
    for index, section in enumerate(sections):
        length = heading if index else min(2 * heading + 60, FIRST_HEADING_CHARACTERS)
        yield _shorten(section.heading, length, by_tokens=not is_widest)
        shown = section.lines[:max_lines]
        yield from (f"- {_shorten(line, width, by_tokens=not is_widest)}" for line in shown)
        more = max(section.total, len(section.lines)) - len(shown)
        if more > 0:
            yield f"- and {more} more"


def _shorten(text: str, length: int, *, by_tokens: bool) -> str:
    line = " ".join(escape_line(text).split())
    command = _COMMAND.search(line)
    if command is None:
        return _cut_line(line, length, by_tokens=by_tokens)
    before = _cut_line(line[: command.start()], max(1, length - len(command[0])), by_tokens=by_tokens)
    return f"{before}{command[0]}".lstrip()


def _cut_line(line: str, length: int, *, by_tokens: bool) -> str:
    line = _shorten_quote(line, length)
    price, room = (cost(line), length * TOKENS_A_CHARACTER) if by_tokens else (0, 0)
    if price > room:
        line = _shorten_quote(line, int(len(line) * room / price))
    line = clip(line, length)
    return _repair_cut(shorten(line, length * TOKENS_A_CHARACTER) if by_tokens else line)


def _shorten_quote(line: str, length: int) -> str:
    """Cut the longest recorded text of a line that is too long, so that the line fits, or that little of it is left."""
    longest = max(_QUOTE.finditer(line), key=lambda quote: len(quote[1]), default=None)
    if longest is None or len(line) <= length:
        return line
    kept = max(len(longest[1]) - (len(line) - length), MIN_QUOTED_CHARACTERS)
    return f"{line[: longest.start(1)]}{clip(longest[1], kept)}{line[longest.end(1) :]}"


def _repair_cut(line: str) -> str:
    """Remove a truncated handle from the end of a cut line: it could name something else. Close an open quote."""
    if not line.endswith("…"):
        return line
    line = _CUT_HANDLE.sub(" …", line)
    return f'{line}"' if line.count('"') % 2 else line


def clip(text: str, length: int) -> str:
    """Return the text as one line of at most `length` characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def quoted(text: str) -> str:
    """Return recorded text in quotes, to keep it apart from the journal's own words."""
    return f'"{clip(escape_line(text), QUOTED_CHARACTERS).replace(chr(34), chr(39))}"'


def word(text: str) -> str:
    """Return a name unchanged if it is a plain word. Anything else could pass for our own words, and is quoted."""
    return text if _WORD.fullmatch(text) and is_visible(text) else quoted(text)


def _cut_at_limit(lines: Sequence[str], tokens: int) -> str:
    result: list[str] = []
    room = float(tokens)
    for line in lines:
        price = cost(f"{line}\n")
        if price > room:
            if rest := shorten(line, room - 1):  # a quote may have to be closed
                result.append(_repair_cut(rest))
            break
        result.append(line)
        room -= price
    return "\n".join(result)
