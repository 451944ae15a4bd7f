"""What a SQL dialect has to offer: rows for statements, a clock, and a search index. And where entries stand."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from tallystick.core.search import Query

SEQ_BITS = 40
SEQ_MASK = (1 << SEQ_BITS) - 1
"""A place is the journal's number and the sequence number in one integer: the cheapest key to append under."""


def place(number: int, seq: int) -> int:
    return number << SEQ_BITS | seq


def places(number: int) -> tuple[int, int]:
    """Before the first place of a journal, and behind its last."""
    return number << SEQ_BITS, (number + 1) << SEQ_BITS


class SqlConnection(ABC):
    """One connection, of either kind. Parameters are marked by `?`."""

    @abstractmethod
    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    @abstractmethod
    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None: ...
    @abstractmethod
    def now(self) -> int: ...
    @abstractmethod
    def seek(self, what: str) -> None:
        """Until a journal is entered: see only what answers this (`name:...`, `hash:...`, or `names`)."""

    @abstractmethod
    def enter(self, journal: int) -> None:
        """See only this journal, from here on in the transaction. Not every database can see to that by itself."""

    @abstractmethod
    def unchanged(self, journal: int) -> bool:
        """True only if nobody else has appended since this was last asked for the journal, in a writing transaction."""

    @abstractmethod
    def search(self, journal: int, query: Query, before: int, limit: int) -> list[int]: ...
    @abstractmethod
    def add_words(self, journal: int, texts: Sequence[tuple[int, str]]) -> None:
        """Index the words of texts, each with the sequence number of its entry."""

    @abstractmethod
    def drop_words(self, journal: int, texts: Sequence[tuple[int, str]]) -> None:
        """Take out what was added, given the same texts."""


# ----------------------------------------------------------------------------------------------------------------------
# Many rows in few statements: one round trip, or one turn of the interpreter's lock, for thirty-two rows.

Statement = tuple[str, Sequence[Any]]

ROWS_AT_ONCE = (32, 8)
"""Few different sizes: a statement is prepared for each."""
_VALUES = re.compile(r"values (\(.*?\))\s*(?=on conflict|$)", re.DOTALL)


def batched(sql: str, rows: Sequence[Sequence[Any]]) -> Iterator[Statement]:
    """Many rows for one statement, in as few statements as there can be with few different texts."""
    start = 0
    if len(rows) >= ROWS_AT_ONCE[-1] and _VALUES.search(sql):
        for size in ROWS_AT_ONCE:
            while len(rows) - start >= size:
                yield widened(sql, size), [value for values in rows[start : start + size] for value in values]
                start += size
    for values in rows[start:]:
        yield sql, values


@lru_cache(1024)
def widened(sql: str, size: int) -> str:
    """The insert of so many rows that an insert of one stands for."""
    return _VALUES.sub(lambda found: f"values {', '.join([found[1]] * size)} ", sql, count=1)
