"""Text as search sees it: lower-case runs of letters and digits, the same at every store.

A search finds entries that hold all of its words; a word ending in `*` stands for any word that begins so.
"""

import re

from msgspec import Struct

from tallystick.core.entries import Entry, Facts
from tallystick.core.errors import InvalidArgument

WORD_LENGTH = 64
QUERY_WORDS = 16
_WORD = re.compile(r"[^\W_]+")
_QUERY_WORD = re.compile(r"[^\W_]+\*?")
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|.)")
_FACTS_SEARCHED = (
    "tool",
    "step",
    "key",
    "type",
    "task_id",
    "entity_type",
    "entity_id",
    "plan_id",
    "decision",
)


class Query(Struct, frozen=True):
    """A search: whole words, and beginnings of words."""

    words: tuple[str, ...]
    beginnings: tuple[str, ...] = ()

    def finds(self, words: set[str]) -> bool:
        return words.issuperset(self.words) and all(
            any(word.startswith(beginning) for word in words) for beginning in self.beginnings
        )


def parse_query(text: str) -> Query:
    found = [word[:WORD_LENGTH] for word in _QUERY_WORD.findall(text.lower())]
    if not found:
        raise InvalidArgument("The search text has no words.", hint="Give at least one letter or digit.", field="text")
    if len(found) > QUERY_WORDS:
        raise InvalidArgument(
            f"The search text has {len(found)} words.", hint=f"Use at most {QUERY_WORDS}.", field="text"
        )
    return Query(
        words=tuple(word for word in found if not word.endswith("*")),
        beginnings=tuple(word[:-1] for word in found if word.endswith("*")),
    )


def words_of(entry: Entry, body: str | None) -> set[str]:
    """Every word an entry can be found by. A body's JSON is read as text: its escapes are no words."""
    facts = entry.facts
    text = " ".join([entry.id, entry.execution, entry.kind, entry.actor.name, *_searched(facts)])
    if body is not None:
        text = f"{text} {_ESCAPE.sub(' ', body) if chr(92) in body else body}"
    return {word if len(word) <= WORD_LENGTH else word[:WORD_LENGTH] for word in _WORD.findall(text.lower())}


def _searched(facts: Facts) -> list[str]:
    return [str(getattr(facts, name)) for name in _FACTS_SEARCHED if getattr(facts, name, "")]
