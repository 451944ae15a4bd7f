"""The words to search by. Recording does not wait for them: they are indexed later, by whoever searches.

A search asks the index and looks through the entries behind it. When these were many, it then brings the index up to
date, as far as one search should. Only where nobody searches for very long does recording lend a hand, so that the
first search stays bearable.
"""

from collections.abc import Iterator

from tallystick.core import chain
from tallystick.core.entries import Entry
from tallystick.core.words import text_of
from tallystick.store import queries
from tallystick.store.connection import SEQ_MASK, Connection, place, places

SCANNED = 512
"""How many entries a search may look through before it has them indexed: about ten milliseconds."""
LEFT = 16_384
"""How many recording leaves for the first search to index: about half a second."""
AT_ONCE = 2048
HELPED = 512
"""How many recording indexes with each filing once there are that many, or twice as many as it files: more than come in
between."""


def indexed(connection: Connection, number: int) -> int:
    found = connection.rows(queries.INDEXED, (number,))
    return int(found[0][0]) if found else 0


def unindexed(connection: Connection, number: int, after: int) -> Iterator[tuple[Entry, str | None]]:
    """Entries behind a place, with their bodies."""
    while found := connection.rows(queries.KEPT, (place(number, after), places(number)[1], AT_ONCE)):
        for spot, line, hash, body, _ in found:
            after = spot & SEQ_MASK
            yield chain.read_line(line, hash), body


def index(connection: Connection, number: int, limit: int) -> int:
    """Index the next entries, at most so many; returns how many there were."""
    behind = unindexed(connection, number, indexed(connection, number))
    texts = [(entry.seq, text_of(entry, body)) for (entry, body), _ in zip(behind, range(limit), strict=False)]
    if texts:
        connection.add_words(number, texts)
        connection.many(queries.SET_INDEXED, [(texts[-1][0], number)])
    return len(texts)


def help_out(connection: Connection, number: int, head: int, *, fresh: int) -> None:
    """What recording does for the index when it files so many fresh entries."""
    if head - indexed(connection, number) > LEFT:
        index(connection, number, max(HELPED, 2 * fresh))
