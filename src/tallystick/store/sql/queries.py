"""The SQL that both stores share, by name. `?` is a parameter; PostgreSQL's driver gets it as `%s`."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from tallystick.core import chain
from tallystick.core.entries import Entry
from tallystick.core.search import search_text
from tallystick.core.state import ROW_FORMAT, Row
from tallystick.store.interface import Select, WhereValue
from tallystick.store.sql.connection import SEQ_MASK, SqlConnection, place, places

_OUR_WORD = re.compile(r"[a-z_]+")
_PARTIAL = {
    ("actions", "state"): ("open", "doubted", "unknown"),
    ("actions", "owed"): ("owed", "undoing", "in_doubt", "failed", "not_possible", "partly"),
}
"""What partial indexes hold. SQLite takes one only where the text of its condition stands in the query: so it is
written beside a narrower wish, and words are written out, not bound."""

JOURNAL = "select number, secret, shape from journals where name = ?"
JOURNALS = "select name from journals order by name"
JOURNAL_NAME = "select name from journals where number = ?"
ADD_JOURNAL = f"insert into journals (name, secret, shape) values (?, ?, {ROW_FORMAT}) on conflict (name) do nothing"

HEAD = "select place, hash, line from entries where place > ? and place < ? order by place desc limit 1"
ENTRY = "select line, hash from entries where place = ?"
ENTRIES = "select line, hash from entries where place > ? and place < ? order by place limit ?"
ENTRIES_BACK = "select line, hash from entries where place > ? and place < ? order by place desc limit ?"
ENTRIES_OF = """select e.line, e.hash from trails t join entries e on e.place = t.place
    where t.journal = ? and t.execution = ? and t.place > ? and t.place < ? order by t.place limit ?"""
ENTRIES_OF_BACK = """select e.line, e.hash from trails t join entries e on e.place = t.place
    where t.journal = ? and t.execution = ? and t.place > ? and t.place < ? order by t.place desc limit ?"""
KEPT = """select e.place, e.line, e.hash, b.body, b.salt from entries e left join bodies b on b.place = e.place
    where e.place > ? and e.place < ? order by e.place limit ?"""
ADD_ENTRY = "insert into entries (place, journal, line, hash) values (?, ?, ?, ?)"
ADD_BODY = "insert into bodies (place, journal, salt, body) values (?, ?, ?, ?)"
DROP_BODY = "delete from bodies where place = ?"

LEASE = "select expires, seconds from leases where journal = ? and session = ?"
PUT_LEASE = """insert into leases (journal, session, expires, seconds) values (?, ?, ?, ?)
    on conflict (journal, session) do update set expires = excluded.expires, seconds = excluded.seconds"""
CREDENTIALS = """select name, hash, scopes, revoked, expires, tasks, observes
    from credentials where journal = ? order by name"""
CREDENTIAL = "select journal, name, hash, scopes, revoked, expires, tasks, observes from credentials where hash = ?"
PUT_CREDENTIAL = """insert into credentials (journal, name, hash, scopes, revoked, expires, tasks, observes)
    values (?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (journal, name) do update
    set hash = excluded.hash, scopes = excluded.scopes, revoked = excluded.revoked, expires = excluded.expires,
    tasks = excluded.tasks, observes = excluded.observes"""

FILED = "select filed, rebuilt from journals where number = ?"
SET_REBUILT = f"update journals set filed = ?, rebuilt = rebuilt + 1, shape = {ROW_FORMAT} where number = ?"
INDEXED = "select indexed from journals where number = ?"
SET_INDEXED = "update journals set indexed = ? where number = ?"
SET_FILED = "update journals set filed = ? where number = ?"
CLEAR_TRAILS = "delete from trails where journal = ?"
ADD_TRAIL = "insert into trails (journal, execution, place) values (?, ?, ?) on conflict do nothing"
EFFECTS = "select effect_key from actions where journal = ? and execution = ? limit ?"


def bodies(count: int) -> str:
    return f"select place, body from bodies where place in ({_marks(count)})"


@cache
def get(table: type[Row]) -> str:
    return f"select doc from {table.TABLE} where journal = ? and id = ?"


@cache
def among(table: type[Row], count: int) -> str:
    return f"select doc from {table.TABLE} where journal = ? and id in ({_marks(count)})"


@cache
def put(table: type[Row]) -> str:
    """Add a row, or replace the one that is there."""
    columns = ("journal", "id", *table.COLUMNS, "doc")
    updates = ", ".join(f"{name} = excluded.{name}" for name in (*table.COLUMNS, "doc"))
    return (
        f"insert into {table.TABLE} ({', '.join(columns)}) values ({_marks(len(columns))}) "
        f"on conflict (journal, id) do update set {updates}"
    )


@cache
def change(table: type[Row], columns: tuple[str, ...]) -> str:
    """Change a row that is there, touching no index but those of the columns that changed."""
    settings = ", ".join(f"{name} = ?" for name in (*columns, "doc"))
    return f"update {table.TABLE} set {settings} where journal = ? and id = ?"


@cache
def clear(table: type[Row]) -> str:
    return f"delete from {table.TABLE} where journal = ?"


def find(table: type[Row], select: Select) -> tuple[str, list[str | int]]:
    """The rows that `select` asks for. Column names are ours; every value is bound."""
    clauses, values = _clauses(table, select.where)
    for bound, sign in ((select.since, ">="), (select.until, "<")):
        if bound is not None:
            clauses.append(f"at {sign} ?")
            values.append(bound)
    for id, signs in ((select.after, "<>"), (select.until_id, "><")):
        if id:
            clauses.append(f"id {signs[0] if select.newest_first else signs[1]} ?")
            values.append(id)
    where = "".join(f" and {clause}" for clause in clauses)
    order = "desc" if select.newest_first else "asc"
    return f"select doc from {table.TABLE} where journal = ?{where} order by id {order} limit {select.limit:d}", values


def count(table: type[Row], column: str, where: Mapping[str, WhereValue]) -> tuple[str, list[str | int]]:
    clauses, values = _clauses(table, where)
    assert column in table.COLUMNS
    narrowed = "".join(f" and {clause}" for clause in clauses)
    return f"select {column}, count(*) from {table.TABLE} where journal = ?{narrowed} group by {column}", values


def _clauses(table: type[Row], where: Mapping[str, WhereValue]) -> tuple[list[str], list[str | int]]:
    clauses: list[str] = []
    values: list[str | int] = []
    for column, wanted in where.items():
        assert column in table.COLUMNS or column == "id", f"{table.TABLE} has no column {column}"
        if (words := _PARTIAL.get((table.TABLE, column))) and _within(wanted, words):
            clauses.append(_among(column, words))
        if wanted == ():
            clauses.append("1 = 0")
        elif isinstance(wanted, tuple) and all(map(_OUR_WORD.fullmatch, wanted)):
            clauses.append(_among(column, wanted))
        elif isinstance(wanted, tuple):
            clauses.append(f"{column} in ({_marks(len(wanted))})")
            values.extend(wanted)
        else:
            clauses.append(f"{column} = ?")
            values.append(wanted)
    return clauses, values


def _among(column: str, words: tuple[str, ...]) -> str:
    return f"{column} in ({', '.join(map(repr, words))})"


def _within(wanted: WhereValue, words: tuple[str, ...]) -> bool:
    some = wanted if isinstance(wanted, tuple) else (wanted,)
    return some != words and set(some) < set(words)


def _marks(count: int) -> str:
    return ", ".join("?" * count)


# ----------------------------------------------------------------------------------------------------------------------
# The words to search by. Recording does not wait for them: they are indexed later, by whoever searches.
#
# A search asks the index and looks through the entries behind it. When these were many, it then brings the index up to
# date, as far as one search should. Only where nobody searches for very long does recording lend a hand, so that the
# first search stays bearable.

SCANNED = 512
"""How many entries a search may look through before it has them indexed: about ten milliseconds."""
MAX_UNINDEXED_ENTRIES = 16_384
"""How many recording leaves for the first search to index: about half a second."""
AT_ONCE = 2048
ENTRIES_INDEXED_PER_FLUSH = 512
"""How many recording indexes with each filing once there are that many, or twice as many as it files: more than come in
between."""


def indexed(connection: SqlConnection, number: int) -> int:
    found = connection.rows(INDEXED, (number,))
    return int(found[0][0]) if found else 0


def unindexed(connection: SqlConnection, number: int, after: int) -> Iterator[tuple[Entry, str | None]]:
    """Entries behind a place, with their bodies."""
    while found := connection.rows(KEPT, (place(number, after), places(number)[1], AT_ONCE)):
        for spot, line, hash, body, _ in found:
            after = spot & SEQ_MASK
            yield chain.read_line(line, hash), body


def index(connection: SqlConnection, number: int, limit: int) -> int:
    """Index the next entries, at most so many; returns how many there were."""
    behind = unindexed(connection, number, indexed(connection, number))
    texts = [(entry.seq, search_text(entry, body)) for (entry, body), _ in zip(behind, range(limit), strict=False)]
    if texts:
        connection.add_words(number, texts)
        connection.many(SET_INDEXED, [(texts[-1][0], number)])
    return len(texts)


def help_out(connection: SqlConnection, number: int, head: int, *, fresh: int) -> None:
    """What recording does for the index when it files so many fresh entries."""
    if head - indexed(connection, number) > MAX_UNINDEXED_ENTRIES:
        index(connection, number, max(ENTRIES_INDEXED_PER_FLUSH, 2 * fresh))
