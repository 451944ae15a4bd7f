"""Where a long text is cut: behind the masker. Half a secret is one that nobody knows for a secret any more.

To mask all of a very long text would take long. So somewhat more is masked than is kept, and what a cut may have
halved stands in the part that is thrown away. Standard library only: a hook takes this file along.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tallystick.core.secrets import Masker

MARGIN = 16 << 10
"""Characters that are masked and thrown away. The longest secret, a private key in PEM, has fewer."""
_WORD = 256
"""Characters of a word that is kept whole or not at all: one that only another masker knows is not halved either."""


def beginning(text: str, most: int, masker: Masker) -> str:
    """What is kept of a text, masked: its beginning, of no more characters than `most`."""
    masked = masker.mask_text(text[: most + MARGIN])
    seen_whole = len(text) <= most + MARGIN
    return at_a_word(masked, most if seen_whole else max(0, min(most, len(masked) - MARGIN)))


def at_a_word(text: str, most: int) -> str:
    """The text, or its beginning up to the end of a word."""
    if len(text) <= most:
        return text
    kept = text[:most]
    if text[most].isspace():
        return kept
    head = kept[-_WORD:].rsplit(None, 1)
    return kept[: most - len(head[1])].rstrip() if len(head) == 2 else kept
