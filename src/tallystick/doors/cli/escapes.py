"""Text that some model or tool wrote, made harmless for a terminal.

Whatever is not printable is written as its escape (`\\x1b`, `\\u202e`): control characters, terminal escapes, marks
that turn the direction of text, characters that hide. Line ends and tabs stay where a block of text is shown.
"""

import json
from typing import Any

import msgspec

_JOINERS = "\u200c\u200d"
"""Persian and emoji need them, and a terminal does nothing with them."""


def block(text: str) -> str:
    """Several lines of text, harmless."""
    return _harmless(text, "\n\t")


def line(text: str) -> str:
    """The text in one line, harmless."""
    return _harmless(" ".join(text.split()), "")


def json_text(value: Any) -> str:
    """A value as JSON in one line, with an escape for all that is not printable: the same value to any reader."""
    text = msgspec.json.encode(value).decode()
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def _harmless(text: str, kept: str) -> str:
    if text.isprintable():
        return text
    return "".join(_letter(letter, kept) for letter in text)


def _letter(letter: str, kept: str) -> str:
    if letter.isprintable() or letter in kept or letter in _JOINERS:
        return letter
    if letter.isspace() and letter > "\x9f" and letter not in "\u2028\u2029":
        return " "  # a space of another width
    return letter.encode("unicode_escape").decode()
