"""One SQLite file, written by many processes, which take turns by a file lock."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, Literal

import apsw

from tallystick.core.entries import Entry
from tallystick.core.errors import StorageUnavailable, journal_closed_error
from tallystick.core.search import MAX_WORD_LENGTH, Query, split_words
from tallystick.store.forks import Gate, process_id
from tallystick.store.liveness import presence
from tallystick.store.notifications import News
from tallystick.store.sql import queries
from tallystick.store.sql.connection import SEQ_MASK, SqlConnection, batched, place
from tallystick.store.sql.store import SqlStore
from tallystick.store.sqlite import file as sqlite_file
from tallystick.store.sqlite import scrub as sqlite_scrub

SCRUB_MILLISECONDS = 300
"""How long to wait for readers of an older state; other writers wait meanwhile."""
POLL_SECONDS = 0.02


class SqliteConnection(SqlConnection):
    """A connection of this process's own."""

    def __init__(self, db: apsw.Connection, clock: Callable[[], int]) -> None:
        self.db = db
        self._run = db.execute
        self._clock = clock
        self._version = -1
        self._others = 0
        self._in_vain = False
        self._asked: dict[int, int] = {}

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._run(sql, values).fetchall()

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        if len(values) == 1:
            self._run(sql, values[0])
            return
        for statement, bound in batched(sql, values):
            self._run(statement, bound)

    def seek(self, what: str) -> None:
        """Every statement names what it is about."""

    def enter(self, journal: int) -> None:
        """Every statement names its journal, or places of it."""

    def now(self) -> int:
        return self._clock()

    def begin(self) -> None:
        try:
            self._run("begin immediate")
        except apsw.BusyError:
            self._in_vain = True
            self.db.set_busy_timeout(sqlite_file.STILL_BUSY_MILLISECONDS)
            raise
        if self._in_vain:
            self._in_vain = False
            self.db.set_busy_timeout(sqlite_file.BUSY_MILLISECONDS)
        if self.db.data_version() != self._version:
            self._others += 1  # somebody else has committed, in whatever journal

    def is_free(self) -> bool:
        """Whether no program holds the file that does not know our lock. What else is wrong, who writes is told."""
        self.db.set_busy_timeout(0)
        try:
            self._run("begin immediate")
            self._run("rollback")
        except apsw.BusyError:
            return False
        except apsw.Error:
            return True
        finally:
            waits = sqlite_file.STILL_BUSY_MILLISECONDS if self._in_vain else sqlite_file.BUSY_MILLISECONDS
            self.db.set_busy_timeout(waits)
        return True

    def unchanged(self, journal: int) -> bool:
        before, self._asked[journal] = self._asked.get(journal), self._others
        return before == self._others

    def commit(self) -> None:
        self._run("commit")
        self._version = self.db.data_version()

    def rollback(self) -> None:
        """Whatever was begun is not; if a commit went wrong, nobody knows what the file holds."""
        self._version = -1
        if self.db.in_transaction:
            self._run("rollback")

    def search(self, journal: int, query: Query, before: int, limit: int) -> list[int]:
        terms = [f'"{word}"{_cut(word)}' for word in query.words] + [f'"{word}"*' for word in query.beginnings]
        found = self.rows(
            "select rowid from words where words match ? and rowid > ? and rowid < ? order by rowid desc limit ?",
            (" AND ".join(terms), place(journal, 0), place(journal, before), limit),
        )
        return [spot & SEQ_MASK for (spot,) in found]

    def add_words(self, journal: int, texts: Sequence[tuple[int, str]]) -> None:
        self.many(
            "insert into words (rowid, text) values (?, ?)",
            [(place(journal, seq), _apart(text)) for seq, text in texts],
        )

    def drop_words(self, journal: int, texts: Sequence[tuple[int, str]]) -> None:
        self.many(
            "insert into words (words, rowid, text) values ('delete', ?, ?)",
            [(place(journal, seq), _apart(text)) for seq, text in texts],
        )

    def close(self) -> None:
        self.db.close()


class SqliteStore(SqlStore):
    """All journals in one file."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        clock: Callable[[], int] | None = None,
        fault: Callable[[str], None] | None = None,
        readonly: bool = False,
    ) -> None:
        super().__init__(fault)
        self.path = os.fspath(path)
        self.readonly = readonly
        self._clock = clock or (lambda: time.time_ns() // 1000)
        self._closed = False
        self._opening = Lock()
        self._gate = Gate(self._let_go)
        with sqlite_file.explained(self.path):
            self._open()

    def _open(self) -> None:
        self._forget()
        self._process = process_id()
        self._alone = Lock()
        self._idle: list[SqliteConnection] = []
        self._news = News(self._watch)
        self._writer: SqliteConnection | None = None
        self._watcher: SqliteConnection | None = None
        self._identity = (0, 0)
        if self.readonly:
            reader = self._new_reader()
            sqlite_file.check_schema(reader.db)
            self._idle.append(reader)
            return
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        self._lock = sqlite_file.open_lock(self.path)
        self._presence = presence(f"{self.path}-presence")
        with self._gate, self._turn():
            self._writer = self._open_writer()
            self._identity = sqlite_file.identity(self.path)

    def _let_go(self) -> None:
        """Close all connections; whoever needs one next opens it."""
        connections = [*self._idle, self._writer, self._watcher]
        self._idle, self._writer, self._watcher = [], None, None
        for connection in filter(None, connections):
            connection.close()

    def _open_writer(self) -> SqliteConnection:
        writer = sqlite_file.open_writer(self.path, lambda: self._fault("migrating"))
        return SqliteConnection(writer, self._clock)

    def _new_reader(self) -> SqliteConnection:
        return SqliteConnection(sqlite_file.connect(self.path, readonly=True), self._clock)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One turn to write: of this thread here, of this process among others."""
        with self._alone:
            if self._closed:
                raise journal_closed_error()
            with sqlite_file.locked(self._lock):
                yield

    def _transact(self, number: int, work: Callable[[SqlConnection], Sequence[Entry]]) -> None:
        self._check_open()
        if self.readonly:
            raise StorageUnavailable(f"{self.path} was opened for reading only.", hint="Open it for writing.")
        try:
            with self._gate, self._alone:
                if self._closed:
                    raise journal_closed_error()
                try:
                    fcntl.flock(self._lock, fcntl.LOCK_EX)
                    self._commit_with(self._writer or self._open_writer(), work)
                finally:
                    fcntl.flock(self._lock, fcntl.LOCK_UN)
        except (apsw.Error, OSError) as error:
            raise sqlite_file.explain(error, self.path) from error
        self._news.told()

    def is_free(self) -> bool:
        self._check_open()
        with self._gate:
            if self.readonly or not self._alone.acquire(blocking=False):
                return False
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return self._writer is None or self._writer.is_free()
            except BlockingIOError:
                return False
            except OSError:  # it was closed: who writes is told so
                return True
            finally:
                with suppress(OSError):
                    fcntl.flock(self._lock, fcntl.LOCK_UN)
                self._alone.release()

    def _commit_with(self, writer: SqliteConnection, work: Callable[[SqlConnection], Sequence[Entry]]) -> None:
        self._writer = writer
        try:
            writer.begin()
            work(writer)
            self._fault("before_commit")
            if sqlite_file.identity(self.path) != self._identity:
                raise sqlite_file.moved(self.path)
            writer.commit()
            self._fault("after_commit")
        except BaseException:
            writer.rollback()
            raise

    @contextmanager
    def _reading(self) -> Iterator[SqlConnection]:
        self._check_open()
        with sqlite_file.explained(self.path), self._gate:
            try:
                reader = self._idle.pop()
            except IndexError:
                reader = self._new_reader()
            reader.rows("begin")
            try:
                yield reader
            finally:
                if reader.db.in_transaction:
                    reader.rows("rollback")
                self._idle.append(reader)
                if self._closed:
                    self._close_idle()

    def _add_journal(self, journal: str, secret: bytes) -> None:
        def work(connection: SqlConnection) -> Sequence[Entry]:
            connection.rows(queries.ADD_JOURNAL, (journal, secret))
            return ()

        self._transact(0, work)

    def claim_process_lock(self) -> tuple[str, int]:
        self._check_open()
        if self._presence is None:
            raise StorageUnavailable(f"{self.path} was opened for reading only.", hint="Open it for writing.")
        return self._presence.name, self._presence.claim()

    def heartbeat(self, journal: str, session: str, lock: int, seconds: float) -> None:
        """Whoever can open the file can see the lock."""

    def wait(self, journal: str, *, after: int, seconds: float) -> int:
        return self._news.wait(lambda: self.read(journal, lambda view: view.head().seq), after, seconds)

    def _watch(self, idle: Callable[[], bool]) -> None:
        """See commits of other processes: `data_version` changes with each of them."""
        seen = None
        try:
            while not idle():
                with self._gate:
                    self._watcher = self._watcher or self._new_reader()
                    now = self._watcher, self._watcher.rows("pragma data_version")
                if now != seen:
                    seen = now
                    self._news.told()
                time.sleep(POLL_SECONDS)
        except apsw.Error:
            self._news.told()
        finally:
            with self._gate:
                if self._watcher is not None:
                    self._watcher.close()
                    self._watcher = None

    def scrub(self, journal: str) -> Literal["done", "pending"]:
        """Cut the WAL to nothing, which a reader of an older state holds up, and clean the pages."""
        self._check_open()
        if self.readonly:
            return "pending"
        number, _ = self._journal(journal)
        with sqlite_file.explained(self.path), self._gate, self._turn():
            writer = self._writer = self._writer or self._open_writer()
            writer.db.set_busy_timeout(SCRUB_MILLISECONDS)
            try:
                busy = bool(writer.rows("pragma wal_checkpoint(truncate)")[0][0])
            finally:
                writer.db.set_busy_timeout(sqlite_file.BUSY_MILLISECONDS)
            return "pending" if busy else self._clean_pages(writer, number)

    def _clean_pages(self, writer: SqliteConnection, number: int) -> Literal["done", "pending"]:
        writer.rows("begin immediate")
        try:
            if os.path.getsize(f"{self.path}-wal"):
                return "pending"  # a program that does not know our lock wrote meanwhile
            sqlite_scrub.clean(self.path)
            writer.rows(
                "insert into scrubs values (?, 1) on conflict (journal) do update set times = times + 1", (number,)
            )
            writer.rows("commit")
        finally:
            writer.close()  # it too has to forget the pages it knows
            self._writer = None
        return "done"

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True  # whoever is at work comes to its end; nobody begins
        self._news.close()
        if self._process != process_id():
            return
        self._close_idle()
        if self.readonly:
            return
        with self._alone:
            writer, self._writer = self._writer, None
            if writer is not None:
                writer.close()
            os.close(self._lock)

    def _close_idle(self) -> None:
        """Readers that are in use close themselves when they are done."""
        while self._idle:
            with suppress(IndexError):
                self._idle.pop().close()

    def _check_open(self) -> None:
        if self._closed:
            raise journal_closed_error()
        if self._process != process_id():
            if not self._gate.clean:
                raise StorageUnavailable(
                    "This journal was in use while the process was forked.", hint="Fork while no call is running."
                )
            with self._opening:
                if self._process != process_id():
                    self._open()


def _apart(text: str) -> str:
    """Text as FTS5 splits it into our words. Of ASCII it makes the same ones, but does not cut those that are long."""
    return text if text.isascii() else " ".join(split_words(text))


def _cut(word: str) -> str:
    return "*" if len(word) == MAX_WORD_LENGTH else ""
