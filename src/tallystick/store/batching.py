"""Many rows in few statements: one round trip, or one turn of the interpreter's lock, for thirty-two rows."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

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
