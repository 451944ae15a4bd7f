"""A PostgreSQL connection in one transaction after another.

A transaction that writes begins by entering its journal and locking it, so that commit order is sequence order. One
that reads enters too: the server shows it nothing else (see migrations/0005).

But when the journal was found twice as this connection had left it, the next work is done in hope that it still is, and
lock, entries and commit travel together: the place that an entry takes is unique, so a vain hope fails and is seen.
"""

import time
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from tallystick.core.entries import Entry
from tallystick.core.search import Query, split_words
from tallystick.store.postgres.errors import Failed, Lost
from tallystick.store.postgres.pipeline import Wire, joined
from tallystick.store.sql import queries
from tallystick.store.sql.connection import SEQ_MASK, SqlConnection, Statement, batched, place, places

CHANNEL = "tallystick"
CLOCK_SECONDS = 10
"""How long the server's clock is counted on from when it was last asked."""
PART_BYTES = 500_000
_UNIQUE_VIOLATION = "23505"
_NOW = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"
_BEGIN_READING = ("begin isolation level repeatable read read only", ())
_BEGIN_WRITING = ("begin", ())
_ENTER = "select set_config('tallystick.journal', ?, true)"
# In one statement, and not a lock on a row: that would cost a write, and so much as row-level security does.
_LOCK = f"{_ENTER}, pg_advisory_xact_lock(1953262689, ?)"
_SEEK = "select set_config('tallystick.seek', ?, true)"
# After the lock, in a statement of its own: it has to see what was committed while the lock was waited for.
_HEAD = f"""select {_NOW}, head.place, head.hash, head.line from (select 1) as always left join lateral (
    {queries.HEAD}) as head on true"""
_ADD_WORDS = """insert into words (place, part, journal, words)
    values (?, ?, ?, array_to_tsvector(string_to_array(?, ' ')))"""
_TELL = f"select pg_notify('{CHANNEL}', ?)"
_boottime = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Outdated(Exception):
    """The journal is not as it was hoped to be. The work has to be done again."""


class ServerClock:
    """The server's clock as one connection knows it."""

    def __init__(self) -> None:
        self._ahead = 0
        self._heard = -CLOCK_SECONDS * 1_000_000

    def heard(self, now: int) -> None:
        self._heard = _running()
        self._ahead = now - self._heard

    def fresh(self) -> bool:
        return _running() - self._heard < CLOCK_SECONDS * 1_000_000

    def now(self) -> int:
        return _running() + self._ahead


class PostgresConnection(SqlConnection):
    """One connection of this process's own."""

    def __init__(self, wire: Wire, clock: Callable[[], int] | None) -> None:
        self.wire = wire
        self._clock = clock
        self._server_clock = ServerClock()
        self._left: dict[int, str] = {}
        self._hopeful: set[int] = set()
        self._rest()

    def _rest(self) -> None:
        self._queue: list[Statement] = []
        self._journal = 0
        self._begun = False
        self._hoping = False
        self._asked = False
        self._head: list[tuple[Any, ...]] | None = None
        self._trouble: Exception | None = None

    def begin_reading(self) -> None:
        self._rest()
        self._queue = [_BEGIN_READING]
        self._begun = True
        self._heard = False

    def begin_writing(self, journal: int, *, hopeful: bool) -> None:
        """Begin on a journal; on none when it is 0."""
        self._rest()
        self._journal = journal
        self._heard = True
        fresh = self._clock is not None or self._server_clock.fresh()
        self._hoping = hopeful and fresh and journal in self._hopeful
        if not journal:
            self._queue = [_BEGIN_WRITING]
            self._begun = True

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        self._start()
        if sql is queries.HEAD and self._head is not None:
            return self._head
        queue, self._queue = self._queue, []
        try:
            return self.wire.send([*queue, (sql, values)])[-1]
        except (Failed, Lost) as error:
            self._trouble = error
            raise

    def check(self) -> None:
        """Raise what went wrong in this transaction, even if the work that met it went on."""
        if self._trouble is not None:
            raise self._trouble

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        """Sent with what is asked next, or with the commit."""
        self._queue += batched(sql, values)

    def certain(self) -> bool:
        """Whether the journal was seen as it is, not only as it was hoped to be."""
        return not (self._hoping and not self._begun) and not isinstance(self._trouble, Lost | Outdated)

    def commit(self, added: Sequence[Entry]) -> None:
        """Commit, and tell who waits for news."""
        self.check()
        if not added:
            self._start()  # without an entry nothing else would show that the hope was vain
        work: list[Statement] = [*self._queue, (_TELL, (str(self._journal),))] if added else self._queue
        try:
            if self._begun:
                self.wire.send([*work, ("commit", ())])
            else:  # what is sent together is one transaction of its own accord
                self.wire.send([_lock(self._journal), *(joined(work) if len(added) == 1 else work)])
        except Failed as error:
            if self._begun or error.sqlstate != _UNIQUE_VIOLATION:
                raise
            self._mistaken()
        if self._asked and (added or self._head is not None):
            self._left[self._journal] = added[-1].hash if added else _hash_of(self._head)
        self._rest()

    def rollback(self) -> None:
        if self._begun and not self.wire.lost:
            self.wire.send([("rollback", ())])
        self._rest()

    def holds(self, entry: Entry) -> bool:
        """Whether an entry is in the journal that is being written."""
        found = self.rows(queries.ENTRY, (place(self._journal, entry.seq),))
        return [hash for _, hash in found] == [entry.hash]

    def seek(self, what: str) -> None:
        self._queue.append((_SEEK, (what,)))

    def enter(self, journal: int) -> None:
        """Sent with what is asked next. Who writes has entered with the lock."""
        self._queue.append((_ENTER, (str(journal),)))

    def now(self) -> int:
        if self._clock is not None:
            return self._clock()
        if not self._hoping:
            self._start()
        if not self._heard:
            self._server_clock.heard(self.rows(f"select {_NOW}")[0][0])
            self._heard = True
        return self._server_clock.now()

    def unchanged(self, journal: int) -> bool:
        self._asked = True
        return self._hoping

    def search(self, journal: int, query: Query, before: int, limit: int) -> list[int]:
        terms = [*map(_quoted, query.words), *(f"{_quoted(word)}:*" for word in query.beginnings)]
        found = self.rows("select found_words(?, ?, ?, ?)", (" & ".join(terms), "\n".join(terms), before, limit))
        return [spot & SEQ_MASK for (spot,) in found]

    def add_words(self, journal: int, texts: Sequence[tuple[int, str]]) -> None:
        self.many(
            _ADD_WORDS,
            [(place(journal, seq), part, journal, words) for seq, text in texts for part, words in _parts(text)],
        )

    def drop_words(self, journal: int, texts: Sequence[tuple[int, str]]) -> None:
        self.many("delete from words where place = ?", [(place(journal, seq),) for seq, _ in texts])

    def _start(self) -> None:
        """Be in the transaction, with the journal locked and as it was hoped to be."""
        self.check()
        if self._begun:
            return
        self._begun = True
        waiting, self._queue = self._queue, [_BEGIN_WRITING, _lock(self._journal)]
        now, *head = self.rows(_HEAD, places(self._journal))[0]  # as it was before what waits to be written
        self._queue = waiting
        self._server_clock.heard(now)
        self._head = [tuple(head)] if head[0] is not None else []
        as_left = self._left.get(self._journal) == _hash_of(self._head)
        if self._hoping and not as_left:
            self._mistaken()
        if as_left:
            self._hopeful.add(self._journal)
        else:
            self._hopeful.discard(self._journal)

    def _mistaken(self) -> None:
        self._hopeful.discard(self._journal)
        self._trouble = Outdated()
        raise self._trouble


def _lock(journal: int) -> Statement:
    return _LOCK, (str(journal), journal)


def _hash_of(head: list[tuple[Any, ...]] | None) -> str:
    return str(head[0][1]) if head else ""


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


def _parts(text: str) -> list[tuple[int, str]]:
    """The words of a text as one part 0 where they fit, else as parts 1, 2, ..."""
    singles = list(dict.fromkeys(split_words(text)))
    words = " ".join(singles)
    if len(words) * 4 <= PART_BYTES or len(words.encode()) <= PART_BYTES:
        return [(0, words)]
    parts: dict[int, list[str]] = {}
    for word, size in zip(singles, accumulate(len(word.encode()) for word in singles), strict=True):
        parts.setdefault(1 + size // PART_BYTES, []).append(word)
    return [(part, " ".join(some)) for part, some in parts.items()]


def _running() -> int:
    """Microseconds that count on while the machine sleeps."""
    return time.clock_gettime_ns(_boottime) // 1000
