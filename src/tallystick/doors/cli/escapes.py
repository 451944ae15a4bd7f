"""Text that some model or tool wrote, made harmless for a terminal.

Whatever is not printable is written as its escape (`\\x1b`, `\\u202e`): control characters, terminal escapes, marks
that turn the direction of text, characters that hide. Line ends and tabs stay where a block of text is shown. The page
shows the same ones (`static/ui/visible.js`); a test holds both together.
"""

import json
import re
from typing import Any

import msgspec

_JOINERS = "\u200c\u200d"
"""Persian and emoji need them, and a terminal does nothing with them."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Python calls them printable, and nothing is drawn for them. The last two selectors of a variation make emoji."""


def block(text: str) -> str:
    """Several lines of text, harmless."""
    return _harmless(text, "\n\t")


def line(text: str) -> str:
    """The text in one line, harmless."""
    return _harmless(" ".join(text.split()), "")


def json_text(value: Any) -> str:
    """A value as JSON in one line, with an escape for all that is not printable: the same value to any reader."""
    text = msgspec.json.encode(value).decode()
    if _is_seen(text):
        return text
    return "".join(letter if _is_seen(letter) else json.dumps(letter)[1:-1] for letter in text)


def _harmless(text: str, kept: str) -> str:
    if _is_seen(text):
        return text
    return "".join(_letter(letter, kept) for letter in text)


def _letter(letter: str, kept: str) -> str:
    if _is_seen(letter) or letter in kept or letter in _JOINERS:
        return letter
    if letter.isspace() and letter > "\x9f" and letter not in "\u2028\u2029":
        return " "  # a space of another width
    return letter.encode("unicode_escape").decode()


def _is_seen(text: str) -> bool:
    return text.isprintable() and not _BLANK.search(text)
