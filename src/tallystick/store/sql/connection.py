"""The interface of a SQL connection of either dialect, the keys of entries, and inserts of many rows."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from tallystick.core.formats.search import Query
from tallystick.store.interface import Found

SEQ_BITS = 40
SEQ_MASK = (1 << SEQ_BITS) - 1
"""The key of an entry (column `place`) is its journal's number and its sequence number in one integer: the cheapest key
to append under."""


def entry_key(number: int, seq: int) -> int:
    return number << SEQ_BITS | seq


def entry_key_range(number: int) -> tuple[int, int]:
    """The exclusive bounds of the keys of a journal's entries."""
    return number << SEQ_BITS, (number + 1) << SEQ_BITS


def as_bytes(value: object) -> bytes:
    """The bytes of a stored value; none if damage made it something else."""
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else b""


class SqlConnection(ABC):
    """One connection of either dialect. Parameters are marked by `?`."""

    @abstractmethod
    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    @abstractmethod
    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None: ...
    @abstractmethod
    def now(self) -> int: ...
    @abstractmethod
    def allow_slow_statements(self) -> None:
        """Lift the deadline of statements for the rest of the transaction."""

    @abstractmethod
    def set_lookup(self, lookup: str) -> None:
        """Before a journal is entered: show only rows that match this (`name:...` or `hash:...`)."""

    @abstractmethod
    def journal_names(self) -> list[str]:
        """The names of all journals, in order."""

    @abstractmethod
    def orphans(self) -> list[int]:
        """The numbers of journals that have entries and no row."""

    @abstractmethod
    def restore_journal(self, number: int, name: str, secret: bytes, flushed: int) -> None:
        """Write the row of a journal again, in a transaction that has entered it."""

    @abstractmethod
    def enter_journal(self, number: int) -> None:
        """Show only this journal for the rest of the transaction. SQLite cannot do so and relies on each statement."""

    @abstractmethod
    def is_unchanged(self, number: int) -> bool:
        """True only if no other writer has appended to the journal since the last call, in a writing transaction."""

    def expand(self, query: Query) -> Query | None:
        """The query as `search` takes it; None if the index cannot answer it in bounded time."""
        return query

    @abstractmethod
    def search(self, number: int, query: Query, after: int, before: int, limit: int) -> Found:
        """Indexed entries that match, newest first."""

    @abstractmethod
    def add_words(self, number: int, texts: Sequence[tuple[int, str]]) -> None:
        """Index the words of texts, each with the sequence number of its entry."""

    @abstractmethod
    def drop_words(self, number: int, texts: Sequence[tuple[int, str]]) -> None:
        """Remove the words of texts that were added before."""

    @abstractmethod
    def clear_words(self, number: int) -> None:
        """Empty the search index, at least of this journal, and set its mark back."""

    def has_sound_index(self) -> bool:
        """Whether the search index can be read. PostgreSQL checks its own."""
        return True


# ----------------------------------------------------------------------------------------------------------------------
# Many rows in few statements: one round trip, or one acquisition of the interpreter's lock, for thirty-two rows.

Statement = tuple[str, Sequence[Any]]

ROWS_PER_STATEMENT = (32, 8)
"""Only two sizes, because a statement is prepared for each."""
_VALUES = re.compile(r"values (\(.*?\))\s*(?=on conflict|$)", re.DOTALL)


def batched(sql: str, rows: Sequence[Sequence[Any]]) -> Iterator[Statement]:
    """Statements that insert all rows, with as few different SQL texts as possible."""
    start = 0
    if len(rows) >= ROWS_PER_STATEMENT[-1] and _VALUES.search(sql):
        for size in ROWS_PER_STATEMENT:
            while len(rows) - start >= size:
                yield widened(sql, size), [value for values in rows[start : start + size] for value in values]
                start += size
    for values in rows[start:]:
        yield sql, values


@lru_cache(1024)
def widened(sql: str, size: int) -> str:
    """The insert of one row as an insert of `size` rows."""
    return _VALUES.sub(lambda found: f"values {', '.join([found[1]] * size)} ", sql, count=1)
