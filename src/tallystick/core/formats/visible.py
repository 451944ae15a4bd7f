r"""Escapes characters that cannot be seen, in text that a person or a model reads: `\x1b`, `\u202e`, `\U000e0041`.

These are control characters, terminal escapes, marks that change the direction of text, and characters that draw
nothing, by which a recorded text could hide words or change what stands beside it. The dashboard escapes the same
characters (`static/ui/visible.js`); a test compares the two. JSON keeps the exact value.

Standard library only: the hook bundle holds this module.
"""

from __future__ import annotations

_JOINERS = "\u200c\u200d"
"""Persian and emoji need them. Between characters of ASCII they only hide."""
_SELECTORS = "\ufe0e\ufe0f"
"""Choose between text and emoji for the character before. Anywhere else, a row of them hides a message in bits."""
_KEYCAPS = frozenset("0123456789#*")
_RANGES = (
    *((0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180D), (0x180F, 0x180F), (0x2800, 0x2800)),
    *((0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0100, 0xE01EF)),
)
_BLANK = frozenset(chr(code) for first, last in _RANGES for code in range(first, last + 1))
"""Python calls these printable, but nothing is drawn for them."""


def is_visible(text: str) -> bool:
    """Whether every character of a text can be seen; line ends and tabs do not count as such."""
    return text.isprintable() and (text.isascii() or _BLANK.isdisjoint(text))


def escape_block(text: str) -> str:
    """Several lines of text, escaped. Line ends and tabs stay."""
    if is_visible(text.replace("\n", "").replace("\t", "")):
        return text
    shown = [_escape_character(character) for character in text]
    for at, character in enumerate(text):
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if (character in _JOINERS and _joins(before, after)) or (character in _SELECTORS and _selects(before, after)):
            shown[at] = character
    return "".join(shown)


def escape_line(text: str) -> str:
    """The text in one line, escaped."""
    return escape_block(" ".join(text.split()))


def escape_json(text: str) -> str:
    """JSON in one line with escapes for all characters that cannot be seen. The value is unchanged."""
    return text if is_visible(text) else "".join(map(_escape_in_json, text))


def _escape_character(character: str) -> str:
    if character in "\n\t" or is_visible(character):
        return character
    if character.isspace() and character > "\x9f" and character not in "\u2028\u2029":
        return " "  # a space of another width
    return character.encode("unicode_escape", "surrogatepass").decode()


def _joins(before: str, after: str) -> bool:
    if not before or not after or before.isascii() or after.isascii():
        return False
    return before not in _JOINERS and after not in _SELECTORS


def _selects(before: str, after: str) -> bool:
    return is_visible(before) if not before.isascii() else before in _KEYCAPS and after == "\u20e3"


def _escape_in_json(character: str) -> str:
    units = b"" if is_visible(character) else character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)) or character
