"""The SQL that both stores share, and the search index, which is brought up to date after recording.

`?` marks a parameter; PostgreSQL gets it as $1, $2, ...
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from tallystick.core import chain
from tallystick.core.entries import Entry
from tallystick.core.errors import damaged_error
from tallystick.core.formats.search import search_text
from tallystick.core.state import ROW_FORMAT, UNSETTLED, Row
from tallystick.core.types import OUTSTANDING
from tallystick.store.interface import Present, Select, WhereValue
from tallystick.store.sql.connection import SEQ_MASK, SqlConnection, as_bytes, entry_key, entry_key_range

_KEYWORD = re.compile(r"[a-z_]+")
_PARTIAL_INDEXES = {
    ("actions", "state"): UNSETTLED,
    ("actions", "undo_state"): OUTSTANDING,
    ("approvals", "status"): ("pending",),
    ("executions", "owing"): ("yes", "rest", "maybe"),
}
"""The conditions of partial indexes. SQLite uses one only if the query contains the text of its condition: so it is
written beside a narrower condition, and keywords are written out, not bound."""

JOURNAL = "select number, secret, shape from journals where name = ?"
JOURNALS = "select name from journals order by name"
JOURNAL_NAME = "select name from journals where number = ?"
ADD_JOURNAL = f"insert into journals (name, secret, shape) values (?, ?, {ROW_FORMAT}) on conflict (name) do nothing"
RESTORE_JOURNAL = f"""insert into journals (number, name, secret, filed, shape) {{}}values (?, ?, ?, ?, {ROW_FORMAT})"""

HEAD = "select place, hash, line from entries where place > ? and place < ? order by place desc limit 1"
ENTRY = "select place, line, hash from entries where place = ?"
ENTRIES = "select place, line, hash from entries where place > ? and place < ? order by place limit ?"
ENTRIES_BACK = "select place, line, hash from entries where place > ? and place < ? order by place desc limit ?"
EXECUTION_ENTRIES = """select e.place, e.line, e.hash from trails t join entries e on e.place = t.place
    where t.journal = ? and t.execution = ? and t.place > ? and t.place < ? order by t.place limit ?"""
EXECUTION_ENTRIES_BACK = """select e.place, e.line, e.hash from trails t join entries e on e.place = t.place
    where t.journal = ? and t.execution = ? and t.place > ? and t.place < ? order by t.place desc limit ?"""
STORED_ENTRIES = """select e.place, e.line, e.hash, b.body, b.salt
    from entries e left join bodies b on b.place = e.place
    where e.place > ? and e.place < ? order by e.place limit ?"""
ADD_ENTRY = "insert into entries (place, journal, line, hash) values (?, ?, ?, ?)"
ADD_BODY = "insert into bodies (place, journal, salt, body) values (?, ?, ?, ?)"
DROP_BODY = "delete from bodies where place = ?"

CREDENTIAL_LINES = """select place, line, hash from entries
    where place > ? and place < ? and line like '%"kind":"credential_%' order by place limit ?"""
BODY_AFTER = "select place from bodies where place > ? and place < ? order by place limit 1"
EXECUTION_INDEX = """select execution, place from trails where journal = ? and (execution, place) > (?, ?)
    order by execution, place limit ?"""

LEASED = "select session from leases where journal = ? order by session"
LEASE = "select expires, seconds from leases where journal = ? and session = ?"
PUT_LEASE = """insert into leases (journal, session, expires, seconds) values (?, ?, ?, ?)
    on conflict (journal, session) do update set expires = excluded.expires, seconds = excluded.seconds"""
DOCUMENT = "select content from documents where journal = ? and kind = ? and id = ?"
DOCUMENTS = "select id, content from documents where journal = ? and kind = ? and id > ? order by id limit ?"
PUT_DOCUMENT = """insert into documents (journal, kind, id, content) values (?, ?, ?, ?)
    on conflict (journal, kind, id) do update set content = excluded.content"""
DROP_DOCUMENT = "delete from documents where journal = ? and kind = ? and id = ?"
CREDENTIALS = """select name, hash, scopes, revoked, expires, tasks, observes, seq
    from credentials where journal = ? order by name"""
CREDENTIAL = """select journal, name, hash, scopes, revoked, expires, tasks, observes, seq
    from credentials where hash = ?"""
PUT_CREDENTIAL = """insert into credentials (journal, name, hash, scopes, revoked, expires, tasks, observes, seq)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (journal, name) do update
    set hash = excluded.hash, scopes = excluded.scopes, revoked = excluded.revoked, expires = excluded.expires,
    tasks = excluded.tasks, observes = excluded.observes, seq = excluded.seq"""
CLEAR_CREDENTIALS = "delete from credentials where journal = ?"

FLUSH_STATE = "select filed, rebuilt, shape from journals where number = ?"
SET_REBUILT = f"update journals set filed = ?, rebuilt = rebuilt + 1, shape = {ROW_FORMAT} where number = ?"
INDEXED = "select indexed from journals where number = ?"
SET_INDEXED = "update journals set indexed = ? where number = ?"
SET_FLUSHED = "update journals set filed = ? where number = ?"
CLEAR_EXECUTION_INDEX = "delete from trails where journal = ?"
ADD_EXECUTION_ENTRY = "insert into trails (journal, execution, place) values (?, ?, ?) on conflict do nothing"
EFFECTS = "select effect_key from actions where journal = ? and execution = ? limit ?"
UNSETTLED_EFFECTS = f"""select id, effect_key from actions
    where journal = ? and state in ({", ".join(map(repr, UNSETTLED))}) limit ?"""


def read_entries(connection: SqlConnection, sql: str, values: Sequence[int | str]) -> list[Entry]:
    """The entries that one of the queries above finds."""
    return [chain.read_entry(key & SEQ_MASK, line, hash) for key, line, hash in connection.rows(sql, values)]


def bodies(count: int) -> str:
    return f"""select b.place, b.body, b.salt, e.line from bodies b join entries e on e.place = b.place
        where b.place in ({_placeholders(count)})"""


@cache
def get(table: type[Row]) -> str:
    return f"select doc from {table.TABLE} where journal = ? and id = ?"


@cache
def get_many(table: type[Row], count: int) -> str:
    return f"select doc from {table.TABLE} where journal = ? and id in ({_placeholders(count)})"


@cache
def stored_rows(table: type[Row]) -> str:
    columns = ", ".join(("id", "doc", *table.COLUMNS))
    return f"select {columns} from {table.TABLE} where journal = ? and id > ? order by id limit ?"


@cache
def put(table: type[Row]) -> str:
    """Insert a row, or replace the one with the same id."""
    columns = ("journal", "id", *table.COLUMNS, "doc")
    updates = ", ".join(f"{name} = excluded.{name}" for name in (*table.COLUMNS, "doc"))
    return (
        f"insert into {table.TABLE} ({', '.join(columns)}) values ({_placeholders(len(columns))}) "
        f"on conflict (journal, id) do update set {updates}"
    )


@cache
def change(table: type[Row], columns: tuple[str, ...]) -> str:
    """Update a row, touching only the indexes of the columns that changed."""
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


def count(table: type[Row], where: Mapping[str, WhereValue], limit: int) -> tuple[str, list[str | int]]:
    clauses, values = _clauses(table, where)
    narrowed = "".join(f" and {clause}" for clause in clauses)
    rows = f"select 1 from {table.TABLE} where journal = ?{narrowed} limit {limit:d}"
    return f"select count(*) from ({rows}) as counted", values


def values(table: type[Row], column: str, where: Mapping[str, WhereValue]) -> tuple[str, list[str | int]]:
    clauses, bound = _clauses(table, where)
    assert column in table.COLUMNS
    narrowed = "".join(f" and {clause}" for clause in clauses)
    return f"select distinct {column} from {table.TABLE} where journal = ?{narrowed}", bound


def _clauses(table: type[Row], where: Mapping[str, WhereValue]) -> tuple[list[str], list[str | int]]:
    clauses: list[str] = []
    values: list[str | int] = []
    for column, wanted in where.items():
        assert column in table.COLUMNS or column == "id", f"{table.TABLE} has no column {column}"
        if (words := _PARTIAL_INDEXES.get((table.TABLE, column))) and _is_narrower(wanted, words):
            clauses.append(_in_clause(column, words))
        if isinstance(wanted, Present):
            clauses.append(f"{column} > ''")
        elif wanted == ():
            clauses.append("1 = 0")
        elif isinstance(wanted, tuple) and all(map(_KEYWORD.fullmatch, wanted)):
            clauses.append(_in_clause(column, wanted))
        elif isinstance(wanted, tuple):
            clauses.append(f"{column} in ({_placeholders(len(wanted))})")
            values.extend(wanted)
        else:
            clauses.append(f"{column} = ?")
            values.append(wanted)
    return clauses, values


def _in_clause(column: str, words: tuple[str, ...]) -> str:
    return f"{column} in ({', '.join(map(repr, words))})"


def _is_narrower(wanted: WhereValue, words: tuple[str, ...]) -> bool:
    values = wanted if isinstance(wanted, tuple) else (wanted,)
    return values != words and set(values) < set(words)


def _placeholders(count: int) -> str:
    return ", ".join("?" * count)


# ----------------------------------------------------------------------------------------------------------------------
# The search index. Recording does not wait for it: searches bring it up to date.
#
# A search asks the index and scans the entries that are not indexed yet. If these were many, it then extends the
# index, as far as one search should. Recording does so only where nobody searches for very long, so that the first
# search stays fast enough.

MAX_ENTRIES_SCANNED = 512
"""A search that scanned more entries than this extends the index: about ten milliseconds."""
MAX_UNINDEXED_ENTRIES = 16_384
"""The most entries that recording leaves for the first search to index: about half a second."""
ENTRIES_PER_INDEX_BATCH = 2048
ENTRIES_INDEXED_PER_FLUSH = 512
"""Beyond that, each flush indexes this many entries, or twice as many as it flushes: more than arrive in between."""


def indexed_seq(connection: SqlConnection, number: int) -> int:
    found = connection.rows(INDEXED, (number,))
    seq = found[0][0] if found else 0
    if not isinstance(seq, int):
        raise damaged_error("the mark of the search index cannot be read")
    return seq


def has_valid_index(connection: SqlConnection, number: int, end: int) -> bool:
    """Whether the search index can be read, and its mark is not beyond the last entry."""
    seq = connection.rows(INDEXED, (number,))[0][0]
    return isinstance(seq, int) and 0 <= seq <= end and connection.has_sound_index()


def unindexed(connection: SqlConnection, number: int, after: int) -> Iterator[tuple[Entry, str | None]]:
    """Entries after a sequence number, with their bodies."""
    while found := connection.rows(
        STORED_ENTRIES, (entry_key(number, after), entry_key_range(number)[1], ENTRIES_PER_INDEX_BATCH)
    ):
        for key, line, hash, body, salt in found:
            after = key & SEQ_MASK
            entry = chain.read_entry(after, line, hash)
            yield entry, body if salt and chain.is_committed(entry.commitment, body, as_bytes(salt)) else None


def index_entries(connection: SqlConnection, number: int, limit: int) -> int:
    """Index the next entries, at most `limit`; returns how many were indexed."""
    entries = islice(unindexed(connection, number, indexed_seq(connection, number)), limit)
    texts = [(entry.seq, search_text(entry, body)) for entry, body in entries]
    if texts:
        connection.add_words(number, texts)
        connection.many(SET_INDEXED, [(texts[-1][0], number)])
    return len(texts)


def index_on_flush(connection: SqlConnection, number: int, head: int, *, flushed: int) -> None:
    """Extend an index that is far behind, in the transaction that flushes `flushed` entries."""
    if head - indexed_seq(connection, number) > MAX_UNINDEXED_ENTRIES:
        index_entries(connection, number, max(ENTRIES_INDEXED_PER_FLUSH, 2 * flushed))
