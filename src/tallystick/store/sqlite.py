"""One SQLite file, written by many processes.

- Durable: WAL with `synchronous=FULL`; what was committed is on the disk.
- Fair: SQLite's own waiting starves processes that write without pause, so writers take turns by a file lock.
- Quick: the WAL is kept at its size, so that a commit need not change the size of a file.
- Current: SQLite before 3.51.3 can corrupt a WAL that several processes write; such a version is refused.
"""

import ctypes
import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import apsw

from tallystick.core.entries import Entry
from tallystick.core.errors import StorageUnavailable, Unsupported
from tallystick.core.words import Query
from tallystick.store import migrating, queries, sqlite_errors
from tallystick.store.news import News
from tallystick.store.presence import presence
from tallystick.store.sql import SEQ_MASK, Connection, SqlStore, place

OLDEST = (3, 51, 3)
BUSY_MILLISECONDS = 10_000
"""How long to wait for a program that does not know our file lock, such as a backup."""
SCRUB_MILLISECONDS = 300
"""How long to wait for readers of an older state; other writers wait meanwhile."""
WAL_PAGES = 4000
"""When the WAL is written back: rarely, so that pages that change often are written once."""
POLL_SECONDS = 0.02
_abandoned: list[object] = []
"""Connections of a parent process: closing them in a forked child would drop the parent's locks."""


class SqliteConnection(Connection):
    """A connection of this process's own."""

    def __init__(self, path: str, clock: Callable[[], int], *, readonly: bool = False) -> None:
        flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        self.db = apsw.Connection(path, flags=flags, statementcachesize=200)
        self.db.set_busy_timeout(BUSY_MILLISECONDS)
        self._run = self.db.execute
        self._clock = clock
        self._versions: dict[int, list[tuple[Any, ...]]] = {}

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._run(sql, values).fetchall()

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        if len(values) == 1:
            self._run(sql, values[0])
        else:
            self.db.executemany(sql, values)

    def now(self) -> int:
        return self._clock()

    def unchanged(self, journal: int) -> bool:
        seen, now = self._versions.get(journal), self.rows("pragma data_version")
        self._versions[journal] = now
        return seen == now

    def search(self, journal: int, query: Query, before: int, limit: int) -> list[int]:
        terms = [f'"{word}"' for word in query.words] + [f'"{word}"*' for word in query.beginnings]
        found = self.rows(
            "select rowid from words where words match ? and rowid > ? and rowid < ? order by rowid desc limit ?",
            (" AND ".join(terms), place(journal, 0), place(journal, before), limit),
        )
        return [spot & SEQ_MASK for (spot,) in found]

    def add_words(self, journal: int, words: Sequence[tuple[int, str]]) -> None:
        self.many(
            "insert into words (rowid, text) values (?, ?)",
            [(place(journal, seq), text) for seq, text in words],
        )

    def drop_words(self, journal: int, words: Sequence[tuple[int, str]]) -> None:
        self.many(
            "insert into words (words, rowid, text) values ('delete', ?, ?)",
            [(place(journal, seq), text) for seq, text in words],
        )

    def close(self) -> None:
        self.db.close()


class SqliteStore(SqlStore):
    """All journals in one file."""

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Callable[[], int] | None = None,
        fault: Callable[[str], None] | None = None,
        readonly: bool = False,
    ) -> None:
        super().__init__(fault)
        _check_version(apsw.sqlite_lib_version())
        self.path = Path(path)
        self.readonly = readonly
        self._clock = clock or (lambda: time.time_ns() // 1000)
        self._closed = False
        self._opening = Lock()
        with sqlite_errors.explained(self.path):
            self._open()

    def _open(self) -> None:
        self._forget()
        self._process = os.getpid()
        self._alone = Lock()
        self._idle: list[SqliteConnection] = []
        self._news = News(self._watch)
        self._writer: SqliteConnection | None = None
        if self.readonly:
            self._check_schema(SqliteConnection(str(self.path), self._clock, readonly=True))
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(f"{self.path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._presence = presence(Path(f"{self.path}-presence"))
        with self._turn():
            self._writer = self._open_writer()

    def _open_writer(self) -> SqliteConnection:
        fresh = not self.path.exists() or self.path.stat().st_size == 0
        writer = SqliteConnection(str(self.path), self._clock)
        if fresh:
            self.path.chmod(0o600)
        for pragma in (
            "journal_mode = wal",
            "synchronous = full",
            "secure_delete = on",
            f"wal_autocheckpoint = {WAL_PAGES}",
        ):
            writer.rows(f"pragma {pragma}")
        keep = ctypes.c_int(1)  # the WAL stays at its size when the last connection closes
        writer.db.file_control("main", apsw.SQLITE_FCNTL_PERSIST_WAL, ctypes.addressof(keep))
        self._migrate(writer)
        return writer

    def _migrate(self, writer: SqliteConnection) -> None:
        applied = _applied(writer)
        if applied and applied[-1][0] == migrating.newest("sqlite") and len(applied) == applied[-1][0]:
            migrating.migrate("sqlite", applied, writer.rows, lambda each: None)
            return
        writer.rows("begin immediate")
        try:
            writer.rows(migrating.LEDGER)
            migrating.migrate(
                "sqlite",
                _applied(writer),
                writer.rows,
                lambda each: writer.rows(
                    "insert into schema_versions values (?, ?, ?)", (each.version, each.name, each.digest)
                ),
            )
            writer.rows("commit")
        except BaseException:
            if writer.db.in_transaction:
                writer.rows("rollback")
            raise

    def _check_schema(self, reader: SqliteConnection) -> None:
        migrating.migrate("sqlite", _applied(reader), lambda sql: _old_and_readonly(), lambda each: None)
        self._idle.append(reader)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One turn to write: of this thread here, of this process among others.

        The system queues the processes that wait, and frees the lock of one that dies.
        """
        with self._alone:
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._lock, fcntl.LOCK_UN)

    def _transact(self, number: int, work: Callable[[Connection], Sequence[Entry]]) -> None:
        self._check_open()
        writer = self._writer
        if writer is None:
            raise StorageUnavailable(f"{self.path} was opened for reading only.", hint="Open it for writing.")
        with sqlite_errors.explained(self.path), self._turn():
            writer.rows("begin immediate")
            try:
                work(writer)
                self._fault("before_commit")
                writer.rows("commit")
                self._fault("after_commit")
            except BaseException:
                if writer.db.in_transaction:
                    writer.rows("rollback")
                raise
        self._news.told()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._check_open()
        with sqlite_errors.explained(self.path):
            try:
                reader = self._idle.pop()
            except IndexError:
                reader = SqliteConnection(str(self.path), self._clock, readonly=True)
            reader.rows("begin")
            try:
                yield reader
            finally:
                if reader.db.in_transaction:
                    reader.rows("rollback")
                self._idle.append(reader)

    def _add_journal(self, journal: str, secret: bytes) -> None:
        def work(connection: Connection) -> Sequence[Entry]:
            connection.rows(queries.ADD_JOURNAL, (journal, secret))
            return ()

        self._transact(0, work)

    def claim(self) -> tuple[str, int]:
        if self._presence is None:
            raise StorageUnavailable(f"{self.path} was opened for reading only.", hint="Open it for writing.")
        return self._presence.name, self._presence.claim()

    def heartbeat(self, journal: str, session: str, seconds: float) -> None:
        """Whoever can open the file can see the lock."""

    def wait(self, journal: str, *, after: int, seconds: float) -> int:
        return self._news.wait(lambda: self.read(journal, lambda view: view.head().seq), after, seconds)

    def _watch(self, idle: Callable[[], bool]) -> None:
        """See commits of other processes: `data_version` changes with each of them."""
        watcher = SqliteConnection(str(self.path), self._clock, readonly=True)
        try:
            seen = watcher.rows("pragma data_version")
            self._news.told()
            while not idle():
                time.sleep(POLL_SECONDS)
                now = watcher.rows("pragma data_version")
                if now != seen:
                    seen = now
                    self._news.told()
        except apsw.Error:
            self._news.told()
        finally:
            watcher.close()

    def scrub(self, journal: str) -> Literal["done", "pending"]:
        """Write the whole WAL back and cut it to nothing; a reader of an older state holds that up."""
        self._check_open()
        writer = self._writer
        if writer is None:
            return "pending"
        with sqlite_errors.explained(self.path), self._turn():
            writer.db.set_busy_timeout(SCRUB_MILLISECONDS)
            try:
                busy = bool(writer.rows("pragma wal_checkpoint(truncate)")[0][0])
            finally:
                writer.db.set_busy_timeout(BUSY_MILLISECONDS)
        return "pending" if busy else "done"

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._news.close()
        if self._process != os.getpid():
            return
        for connection in [*self._idle, *([self._writer] if self._writer else [])]:
            connection.close()
        if not self.readonly:
            os.close(self._lock)

    def _check_open(self) -> None:
        if self._closed:
            raise StorageUnavailable("This journal is closed.", hint="Open it again.")
        if self._process != os.getpid():
            with self._opening:
                if self._process != os.getpid():
                    _abandoned.append((self._writer, self._idle))
                    self._open()


def _applied(connection: SqliteConnection) -> list[tuple[int, str]]:
    if not connection.rows("select 1 from sqlite_master where name = 'schema_versions'"):
        return []
    found = connection.rows("select version, digest from schema_versions order by version")
    return [(version, digest) for version, digest in found]


def _old_and_readonly() -> None:
    raise Unsupported("This store has an older schema.", hint="Open it once for writing, and it is brought up to date.")


def _check_version(version: str) -> None:
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    if numbers < OLDEST:
        raise Unsupported(
            f"SQLite {version} can corrupt a file that several processes write.",
            hint=f"Install apsw {'.'.join(map(str, OLDEST))} or newer.",
        )
