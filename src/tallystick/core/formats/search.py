"""Search: the words of an entry and of a query, the same in every store.

A word is a lower-case run of letters and digits. A search finds entries that hold all of its words; `word*` matches any
word that begins so. In scripts without spaces (Chinese, Japanese, Thai, ...), each character of a run is
a word too, and a query is taken for its characters: so a part of a run is found.
"""

import re
from collections.abc import Collection

from msgspec import Struct

from tallystick.core.entries import Entry
from tallystick.core.errors import InvalidArgument

MAX_WORD_LENGTH = 64
MAX_QUERY_WORDS = 16
_WORD = re.compile(r"[^\W_]+")
_ASCII_WORDS = bytes(byte if chr(byte).isascii() and chr(byte).isalnum() else 32 for byte in range(256))
"""ASCII letters and digits as they are, all else a space: the same words as by the pattern, four times as fast."""
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""A character of a script without spaces: Thai, Lao, Burmese, Khmer, kana, Han."""
_UNSPACED_PARTS = re.compile(f"({_UNSPACED.pattern})")
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
    """A search: whole words, beginnings of words, and words of which one of each group has to be there."""

    words: tuple[str, ...]
    beginnings: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()

    def matches(self, words: Collection[str]) -> bool:
        return set(words).issuperset(self.words) and all(
            any(word.startswith(beginning) for word in words) for beginning in self.beginnings
        )


def parse_query(text: str) -> Query:
    """The query of a search text; raises InvalidArgument for no words or too many."""
    words = [word[:MAX_WORD_LENGTH] for found in _QUERY_WORD.findall(text.lower()) for word in _query_parts(found)]
    if not words:
        raise InvalidArgument("The search text has no words.", hint="Give at least one letter or digit.", field="text")
    if _UNSPACED.search(text):
        words = list(dict.fromkeys(words))[:MAX_QUERY_WORDS]  # a sentence has more characters than a query has words
    if len(words) > MAX_QUERY_WORDS:
        raise InvalidArgument(
            f"The search text has {len(words)} words.", hint=f"Use at most {MAX_QUERY_WORDS}.", field="text"
        )
    return Query(
        words=tuple(word for word in words if not word.endswith("*")),
        beginnings=tuple(word[:-1] for word in words if word.endswith("*")),
    )


def search_words(entry: Entry, body: str | None) -> list[str]:
    """Every word that an entry can be found by, some of them twice."""
    return split_words(search_text(entry, body))


def search_text(entry: Entry, body: str | None) -> str:
    """The searched text of an entry: its names, and the JSON of its body without escapes."""
    facts = entry.facts
    parts = [entry.id, entry.execution, entry.kind, entry.actor.name]
    parts += [str(value) for name in _FACTS_SEARCHED if (value := getattr(facts, name, ""))]
    if body is not None:
        parts.append(_ESCAPE.sub(" ", body) if "\\" in body else body)
    return " ".join(parts)


def split_words(text: str) -> list[str]:
    low = text.lower()
    words = low.encode().translate(_ASCII_WORDS).decode().split() if low.isascii() else _WORD.findall(low)
    if not low.isascii() and _UNSPACED.search(low):
        # Beside the whole runs: what an earlier version indexed can so be taken out of the index.
        words = words + [part for word in words if _UNSPACED.search(word) for part in _parts(word)]
    return [word[:MAX_WORD_LENGTH] for word in words]


def _query_parts(word: str) -> list[str]:
    """The words to look for where a query has a run of letters; a star stays with the last of them, unless that is a
    character of a script without spaces."""
    if not _UNSPACED.search(word):
        return [word]
    parts = _parts(word.removesuffix("*"))
    ends_spaced = word.endswith("*") and not _UNSPACED.match(parts[-1])
    return [*parts[:-1], f"{parts[-1]}*"] if ends_spaced else parts


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script without spaces."""
    return bool(_UNSPACED.match(word))


def _parts(run: str) -> list[str]:
    """The characters of scripts without spaces in a run of letters, and the runs between them."""
    return [part for part in _UNSPACED_PARTS.split(run) if part]
