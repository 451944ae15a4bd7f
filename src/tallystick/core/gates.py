"""Gates: short pieces, each of which must be in a text before a pattern is tried on it.

There are some two hundred. To look for each of them all through a long text takes longer than the patterns that are
then tried. But a piece of letters is in a text if it is in one of its words, and a long text has most of its words many
times. Standard library only: a hook takes this file along.
"""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
LONG = 4096
"""Characters from which on it pays to look at the words."""
_APART = {code: " " for code in range(128) if chr(code) not in LETTERS}


class Pieces:
    """A text that is asked for many pieces of ASCII, by `in`, as it stands and in lower case."""

    __slots__ = ("_text", "_words")

    def __init__(self, text: str, words: str) -> None:
        self._text = text
        self._words = words

    def __contains__(self, piece: str) -> bool:
        if not piece.strip(LETTERS):
            return piece in self._words
        return all(map(self._words.__contains__, piece.translate(_APART).split())) and piece in self._text

    def lower(self) -> Pieces:
        return Pieces(self._text.lower(), self._words.lower())


def pieces(text: str) -> str | Pieces:
    """What to ask: of a short text, the text itself."""
    return text if len(text) < LONG else Pieces(text, "\n".join(set(text.translate(_APART).split())))
