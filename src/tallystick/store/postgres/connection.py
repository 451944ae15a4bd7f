"""One PostgreSQL connection and its transactions, with an optimistic commit in one round trip.

A transaction that writes begins by entering its journal and locking it, so that commit order is sequence order. One
that reads enters too: the server shows it nothing else (see migrations/0005).

If the journal was found twice as this connection had left it, the next write assumes that it still is (optimistic):
lock, entries and commit are sent together. The key of an entry is unique, so a wrong assumption fails and is noticed.
"""

import time
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from tallystick.core.entries import Entry
from tallystick.core.formats.search import Query, split_words
from tallystick.store.interface import Found
from tallystick.store.postgres.errors import ConnectionLost, StatementFailed
from tallystick.store.postgres.pipeline import PipelineConnection, join_statements
from tallystick.store.sql import queries
from tallystick.store.sql.connection import SEQ_MASK, SqlConnection, Statement, batched, entry_key, entry_key_range
from tallystick.store.uncommitted_changes import found_up_to

CHANNEL = "tallystick"
CLOCK_SECONDS = 10
"""The server's clock is extrapolated for this long before it is read again."""
WORDS_PART_BYTES = 500_000
MAX_ENTRIES_READ = 4096
"""Of the newest entries, those of which the words are read without the index: about twenty milliseconds."""
_UNIQUE_VIOLATION = "23505"
_NOW = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"
_BEGIN_READING = ("begin isolation level repeatable read read only", ())
_BEGIN_WRITING = ("begin", ())
_ENTER_JOURNAL = "select set_config('tallystick.journal', ?, true)"
# In one statement, and not a lock on a row: that would cost a write, and as much again as row-level security does.
_LOCK = f"{_ENTER_JOURNAL}, pg_advisory_xact_lock(1953262689, ?)"
_SET_LOOKUP = "select set_config('tallystick.seek', ?, true)"
_JOURNAL_NAMES = 'select name from journal_names() as name order by name collate "C"'
# After the lock, in a separate statement: it has to see what was committed while waiting for the lock.
_HEAD = f"""select {_NOW}, head.place, head.hash, head.line from (select 1) as always left join lateral (
    {queries.HEAD}) as head on true"""
_ADD_WORDS = """insert into words (place, part, journal, words)
    values (?, ?, ?, array_to_tsvector(string_to_array(?, ' ')))"""
_NOTIFY = f"select pg_notify('{CHANNEL}', ?)"
_boottime = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class JournalChanged(Exception):
    """An optimistic write found that another writer had changed the journal. The work has to run again."""


class ServerClock:
    """The server's clock, extrapolated from the time at which one connection last read it."""

    def __init__(self) -> None:
        self._offset = 0
        self._read_at = -CLOCK_SECONDS * 1_000_000

    def set(self, now: int) -> None:
        self._read_at = _monotonic_microseconds()
        self._offset = now - self._read_at

    def is_fresh(self) -> bool:
        return _monotonic_microseconds() - self._read_at < CLOCK_SECONDS * 1_000_000

    def now(self) -> int:
        return _monotonic_microseconds() + self._offset


class PostgresConnection(SqlConnection):
    """One connection of this process."""

    def __init__(self, pipeline: PipelineConnection, clock: Callable[[], int] | None) -> None:
        self.pipeline = pipeline
        self._clock = clock
        self._server_clock = ServerClock()
        self._last_hashes: dict[int, str] = {}
        self._undisturbed: set[int] = set()
        self._statement_seconds = pipeline.statement_seconds
        self._reset()

    def _reset(self) -> None:
        self.pipeline.statement_seconds = self._statement_seconds
        self._queue: list[Statement] = []
        self._journal = 0
        self._has_begun = False
        self._is_optimistic = False
        self._asked_unchanged = False
        self._head: list[tuple[Any, ...]] | None = None
        self._failure: Exception | None = None

    def begin_reading(self) -> None:
        self._reset()
        self._queue = [_BEGIN_READING]
        self._has_begun = True
        self._has_clock = False

    def begin_writing(self, journal: int, *, optimistic: bool) -> None:
        """Begin a transaction on a journal, or on none if it is 0."""
        self._reset()
        self._journal = journal
        self._has_clock = True
        is_fresh = self._clock is not None or self._server_clock.is_fresh()
        self._is_optimistic = optimistic and is_fresh and journal in self._undisturbed
        if not journal:
            self._queue = [_BEGIN_WRITING]
            self._has_begun = True

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        self._start()
        if sql is queries.HEAD and self._head is not None:
            return self._head
        queue, self._queue = self._queue, []
        try:
            return self.pipeline.send([*queue, (sql, values)])[-1]
        except (StatementFailed, ConnectionLost) as error:
            self._failure = error
            raise

    def check(self) -> None:
        """Raise the error of this transaction, even if the work caught it."""
        if self._failure is not None:
            raise self._failure

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        """Queue rows; they are sent with the next query or with the commit."""
        self._queue += batched(sql, values)

    def saw_current_state(self) -> bool:
        """Whether the work saw the journal as it is, not only as the optimistic write assumed."""
        return not (self._is_optimistic and not self._has_begun) and not isinstance(
            self._failure, ConnectionLost | JournalChanged
        )

    def commit(self, added: Sequence[Entry]) -> None:
        """Commit, and notify processes that wait for entries."""
        self.check()
        if not added:
            self._start()  # without a new entry nothing would show that the assumption was wrong
        work: list[Statement] = [*self._queue, (_NOTIFY, (str(self._journal),))] if added else self._queue
        try:
            if self._has_begun:
                self.pipeline.send([*work, ("commit", ())])
            else:  # statements that are sent together are one transaction
                self.pipeline.send([_lock(self._journal), *(join_statements(work) if len(added) == 1 else work)])
        except StatementFailed as error:
            if self._has_begun or error.sqlstate != _UNIQUE_VIOLATION:
                raise
            self._raise_changed()
        if self._asked_unchanged and (added or self._head is not None):
            self._last_hashes[self._journal] = added[-1].hash if added else _hash_of(self._head)
        self._reset()

    def rollback(self) -> None:
        if self._has_begun and not self.pipeline.lost:
            self.pipeline.send([("rollback", ())])
        self._reset()

    def holds(self, entry: Entry) -> bool:
        """Whether an entry is stored in the journal that is being written."""
        found = self.rows(queries.ENTRY, (entry_key(self._journal, entry.seq),))
        return [hash for _, _, hash in found] == [entry.hash]

    def allow_slow_statements(self) -> None:
        self.pipeline.statement_seconds = None
        self.rows("select set_config('statement_timeout', '0', true)")

    def set_lookup(self, lookup: str) -> None:
        self._queue.append((_SET_LOOKUP, (lookup,)))

    def journal_names(self) -> list[str]:
        return [name for (name,) in self.rows(_JOURNAL_NAMES)]

    def orphans(self) -> list[int]:
        return [number for (number,) in self.rows("select orphans()")]

    def restore_journal(self, number: int, name: str, secret: bytes, flushed: int) -> None:
        self.set_lookup(f"name:{name}")
        self.rows(queries.RESTORE_JOURNAL.format("overriding system value "), (number, name, secret, flushed))

    def enter_journal(self, number: int) -> None:
        """Sent with the next query. A writer has entered with the lock."""
        self._queue.append((_ENTER_JOURNAL, (str(number),)))

    def now(self) -> int:
        if self._clock is not None:
            return self._clock()
        if not self._is_optimistic:
            self._start()
        if not self._has_clock:
            self._server_clock.set(self.rows(f"select {_NOW}")[0][0])
            self._has_clock = True
        return self._server_clock.now()

    def is_unchanged(self, number: int) -> bool:
        self._asked_unchanged = True
        return self._is_optimistic

    def search(self, number: int, query: Query, after: int, before: int, limit: int) -> Found:
        # The index gives all matches in no order. So words that are common are looked for in the newest entries first.
        first = max(after, before - MAX_ENTRIES_READ)
        found = self._find_words(query, first, before, limit)
        if first > after and len(found) < limit:
            found += self._find_words(query, after, first + 1, limit - len(found))
        return found_up_to(limit, found)

    def _find_words(self, query: Query, after: int, before: int, limit: int) -> list[int]:
        terms = [*map(_quote, query.words), *(f"{_quote(word)}:*" for word in query.beginnings)]
        values = (" & ".join(terms), "\n".join(terms), after, before, limit)
        return [key & SEQ_MASK for (key,) in self.rows("select found_words(?, ?, ?, ?, ?)", values)]

    def add_words(self, number: int, texts: Sequence[tuple[int, str]]) -> None:
        self.many(
            _ADD_WORDS,
            [(entry_key(number, seq), part, number, words) for seq, text in texts for part, words in _word_parts(text)],
        )

    def drop_words(self, number: int, texts: Sequence[tuple[int, str]]) -> None:
        self.many("delete from words where place = ?", [(entry_key(number, seq),) for seq, _ in texts])

    def clear_words(self, number: int) -> None:
        self.rows("delete from words where place > ? and place < ?", entry_key_range(number))
        self.rows(queries.SET_INDEXED, (0, number))

    def _start(self) -> None:
        """Begin the transaction, lock the journal and check that it is as an optimistic write assumed."""
        self.check()
        if self._has_begun:
            return
        self._has_begun = True
        waiting, self._queue = self._queue, [_BEGIN_WRITING, _lock(self._journal)]
        now, *head = self.rows(_HEAD, entry_key_range(self._journal))[0]  # before the queued rows are written
        self._queue = waiting
        self._server_clock.set(now)
        self._head = [tuple(head)] if head[0] is not None else []
        is_unchanged = self._last_hashes.get(self._journal) == _hash_of(self._head)
        if self._is_optimistic and not is_unchanged:
            self._raise_changed()
        if is_unchanged:
            self._undisturbed.add(self._journal)
        else:
            self._undisturbed.discard(self._journal)

    def _raise_changed(self) -> None:
        self._undisturbed.discard(self._journal)
        self._failure = JournalChanged()
        raise self._failure


def _lock(journal: int) -> Statement:
    return _LOCK, (str(journal), journal)


def _hash_of(head: list[tuple[Any, ...]] | None) -> str:
    return str(head[0][1]) if head else ""


def _quote(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


def _word_parts(text: str) -> list[tuple[int, str]]:
    """The distinct words of a text as one part 0 if they fit, else as parts 1, 2, ..."""
    distinct = list(dict.fromkeys(split_words(text)))
    words = " ".join(distinct)
    if len(words) * 4 <= WORDS_PART_BYTES or len(words.encode()) <= WORDS_PART_BYTES:
        return [(0, words)]
    parts: dict[int, list[str]] = {}
    for word, size in zip(distinct, accumulate(len(word.encode()) for word in distinct), strict=True):
        parts.setdefault(1 + size // WORDS_PART_BYTES, []).append(word)
    return [(part, " ".join(words)) for part, words in parts.items()]


def _monotonic_microseconds() -> int:
    """A monotonic clock that also runs while the machine sleeps."""
    return time.clock_gettime_ns(_boottime) // 1000
