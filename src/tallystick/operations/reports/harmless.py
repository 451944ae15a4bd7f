"""Text that some model or tool wrote, without what hides or turns it."""

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    "|[\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, marks that turn the direction of text, and characters of no width. Line ends and tabs stay, and
so do the joiners that Persian and emoji need."""


def shown(text: str) -> str:
    """The text with an escape in the place of all that cannot be seen: `\\u202e`."""
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


def cut(text: str, most: int) -> str:
    """At most so many characters, and how many more there were."""
    return text if len(text) <= most else f"{text[:most]} ... ({len(text) - most} more characters)"
