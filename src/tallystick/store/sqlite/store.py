"""The SQLite store: one file that many processes write, taking turns by a file lock."""

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
from tallystick.core.formats.search import MAX_WORD_LENGTH, Query, split_words
from tallystick.store.forks import ForkGate, current_process, process_id
from tallystick.store.interface import Found, WouldWait
from tallystick.store.liveness import open_presence
from tallystick.store.notifications import ChangeNotifier
from tallystick.store.sql import queries
from tallystick.store.sql.connection import SEQ_BITS, SEQ_MASK, SqlConnection, batched, entry_key
from tallystick.store.sql.store import SqlStore
from tallystick.store.sqlite import file as sqlite_file
from tallystick.store.sqlite import scrub as sqlite_scrub
from tallystick.store.sqlite.file import OpenFiles
from tallystick.store.uncommitted_changes import found_up_to

MAX_WORDS_OF_BEGINNING = 64
"""Different words that a beginning stands for in one search: about two milliseconds to find them."""
MAX_RARE = 1000
"""A word with fewer matches is rare: FTS5 then finds it together with others at once."""
ENTRIES_INTERSECTED = (1024, 4096, 16_384, 65_536)
"""Entries in which one search looks for common words together, part by part: about fifty milliseconds."""
SCRUB_MILLISECONDS = 300
"""How long `scrub` waits for readers of an older state; other writers wait during this time."""
POLL_SECONDS = 0.02
_NOT_RECORDED = "This call was not recorded."
_ORPHANS = f"""with recursive used (number) as (
    select min(place) >> {SEQ_BITS} from entries union all
    select (select min(place) >> {SEQ_BITS} from entries where place >= (used.number + 1) << {SEQ_BITS})
    from used where number is not null
) select number from used where number is not null and number not in (select number from journals)"""
_ADD_JOURNAL = queries.ADD_JOURNAL.replace("(name,", "(number, name,").replace(
    "values (",
    f"""values (1 + max(coalesce((select max(number) from journals), 0),
    coalesce((select max(place) >> {SEQ_BITS} from entries), 0)), """,
)
"""It takes no number that has entries: those of a journal that has lost its row would become those of the new one."""


class SqliteConnection(SqlConnection):
    """One connection of this process to the file."""

    def __init__(self, db: apsw.Connection, clock: Callable[[], int] | None) -> None:
        self.db = db
        self._run = db.execute
        self._clock = clock
        self._version = -1
        self._foreign_commits = 0
        self._has_timed_out = False
        self._seen_commits: dict[int, int] = {}

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._run(sql, values).fetchall()
        except UnicodeDecodeError:
            return self._damaged_rows(sql, values)

    def _damaged_rows(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Rows with text that is not UTF-8 any more: its other bytes are kept as lone surrogates."""
        names = [f'"{column[0]}"' for column in self._run(sql, values).get_description()]
        cases = ", ".join(
            f"typeof({name}) = 'text', case typeof({name}) when 'text' then cast({name} as blob) else {name} end"
            for name in names
        )
        return [
            tuple(
                value.decode(errors="surrogateescape") if is_text else value
                for is_text, value in zip(row[::2], row[1::2], strict=True)
            )
            for row in self._run(f"select {cases} from ({sql})", values)
        ]

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        if len(values) == 1:
            self._run(sql, values[0])
            return
        for statement, bound in batched(sql, values):
            self._run(statement, bound)

    def allow_slow_statements(self) -> None:
        """Nothing to do: statements have no deadline."""

    def set_lookup(self, lookup: str) -> None:
        """Nothing to do: SQLite has no row security."""

    def journal_names(self) -> list[str]:
        return [name for (name,) in self.rows(queries.JOURNALS)]

    def orphans(self) -> list[int]:
        return [number for (number,) in self.rows(_ORPHANS)]

    def restore_journal(self, number: int, name: str, secret: bytes, flushed: int) -> None:
        self.rows(queries.RESTORE_JOURNAL.format(""), (number, name, secret, flushed))

    def enter_journal(self, number: int) -> None:
        """Nothing to do: every statement names its journal, or keys of its entries."""

    def now(self) -> int:
        return time.time_ns() // 1000 if self._clock is None else self._clock()

    def begin(self, *, waits: bool = True) -> None:
        if not waits:
            self.db.set_busy_timeout(0)
        try:
            self._run("begin immediate")
        except apsw.BusyError:
            if not waits:
                raise WouldWait from None
            self._has_timed_out = True
            self.db.set_busy_timeout(sqlite_file.STILL_BUSY_MILLISECONDS)
            raise
        finally:
            if not waits:
                self._restore_timeout()
        if self._has_timed_out:
            self._has_timed_out = False
            self.db.set_busy_timeout(sqlite_file.BUSY_MILLISECONDS)
        if self.db.data_version() != self._version:
            self._foreign_commits += 1  # another connection has committed, in some journal

    def is_free(self) -> bool:
        """Whether no program that ignores our lock holds the file. Other errors are left for the writer to raise."""
        self.db.set_busy_timeout(0)
        try:
            self._run("begin immediate")
            self._run("rollback")
        except apsw.BusyError:
            return False
        except apsw.Error:
            return True
        finally:
            self._restore_timeout()
        return True

    def _restore_timeout(self) -> None:
        timeout = sqlite_file.STILL_BUSY_MILLISECONDS if self._has_timed_out else sqlite_file.BUSY_MILLISECONDS
        self.db.set_busy_timeout(timeout)

    def is_unchanged(self, number: int) -> bool:
        before, self._seen_commits[number] = self._seen_commits.get(number), self._foreign_commits
        return before == self._foreign_commits

    def commit(self) -> None:
        self._run("commit")
        self._version = self.db.data_version()

    def rollback(self) -> None:
        """Roll back. The cached version is dropped: after a failed commit the content of the file is unknown."""
        self._version = -1
        if self.db.in_transaction:
            self._run("rollback")

    def expand(self, query: Query) -> Query | None:
        """The query with the words of the index for its beginnings; None where these are too many."""
        alternatives = tuple(self._words_beginning(beginning) for beginning in query.beginnings)
        if any(len(words) > MAX_WORDS_OF_BEGINNING for words in alternatives):
            return None
        return Query(query.words, (), alternatives)

    def _words_beginning(self, beginning: str) -> tuple[str, ...]:
        words: list[str] = []
        bound = beginning
        while len(words) <= MAX_WORDS_OF_BEGINNING:
            # One word at a time: a row of `word_list` is one occurrence, and a word may have a million of them.
            found = self.rows("select term from word_list where term >= ? limit 1", (bound,))
            if not found or not str(found[0][0]).startswith(beginning):
                break
            words.append(str(found[0][0]))
            bound = f"{words[-1]}\x01"  # no word has this character
        return tuple(words)

    def search(self, number: int, query: Query, after: int, before: int, limit: int) -> Found:
        if () in query.alternatives:
            return Found([])
        terms = [f'"{word}"{_prefix_mark(word)}' for word in query.words]
        terms += ["(" + " OR ".join(f'"{word}"' for word in words) + ")" for words in query.alternatives]
        low, high = entry_key(number, after), entry_key(number, before)
        if len(terms) == 1 or any(len(self._matches([t], low, high, MAX_RARE)) < MAX_RARE for t in terms):
            return found_up_to(limit, self._matches([" AND ".join(terms)], low, high, limit))
        # FTS5 walks through all matches of common words that never stand together, whatever the range of rows. So they
        # are intersected in one part of the index after the other.
        found: list[int] = []
        for span in ENTRIES_INTERSECTED:
            first = max(low, high - 1 - span)
            found += self._matches(terms, first, high, limit - len(found))
            high = first + 1
            if first == low or len(found) == limit:
                return found_up_to(limit, found)
        return Found(found, high & SEQ_MASK)

    def _matches(self, terms: list[str], low: int, high: int, limit: int) -> list[int]:
        each = "select rowid from words where words match ? and rowid > ? and rowid < ?"
        values = [value for term in terms for value in (term, low, high)]
        found = self.rows(f"{' intersect '.join([each] * len(terms))} order by rowid desc limit ?", [*values, limit])
        return [key & SEQ_MASK for (key,) in found]

    def add_words(self, number: int, texts: Sequence[tuple[int, str]]) -> None:
        self.many(
            "insert into words (rowid, text) values (?, ?)",
            [(entry_key(number, seq), _split_words(text)) for seq, text in texts],
        )

    def drop_words(self, number: int, texts: Sequence[tuple[int, str]]) -> None:
        self.many(
            "insert into words (words, rowid, text) values ('delete', ?, ?)",
            [(entry_key(number, seq), _split_words(text)) for seq, text in texts],
        )

    def clear_words(self, number: int) -> None:
        self.rows("insert into words (words) values ('delete-all')")
        self.rows("update journals set indexed = 0")

    def has_sound_index(self) -> bool:
        try:
            self.rows("insert into words (words) values ('integrity-check')")
        except apsw.CorruptError:
            return False
        return True

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
        self._clock = clock
        self._closed = False
        self._opening = Lock()
        self._gate = ForkGate(self._close_connections)
        with sqlite_file.translated_errors(self.path):
            self._open()

    @property
    def place(self) -> str:
        return self.path

    def _open(self) -> None:
        self._reset()
        self._process_id = process_id()
        self._write_lock = Lock()
        self._idle_readers: list[SqliteConnection] = []
        self._changes = ChangeNotifier(self._watch)
        self._writer: SqliteConnection | None = None
        self._watcher: SqliteConnection | None = None
        self._files = OpenFiles(self.path, may_lack_wal=self.readonly)
        if self.readonly:
            reader = self._new_reader()
            sqlite_file.check_schema(reader.db)
            self._idle_readers.append(reader)
            return
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        self._lock_file = sqlite_file.open_lock(self.path)
        self._presence = open_presence(f"{self.path}-presence")
        with self._gate, self._turn():
            self._writer = self._open_writer()

    def _close_connections(self) -> None:
        """Close all connections; they are reopened when they are needed."""
        connections = [each for each in (*self._idle_readers, self._writer, self._watcher) if each]
        self._idle_readers, self._writer, self._watcher = [], None, None
        self._files.allow_checkpoint(each.db for each in connections)
        for connection in connections:
            connection.close()
        self._files.forget()

    def _open_writer(self) -> SqliteConnection:
        writer = sqlite_file.open_writer(self.path, self._before_migration)
        self._files.remember()
        return SqliteConnection(writer, self._clock)

    def _before_migration(self) -> None:
        if self._fault:
            self._fault("migrating")

    def _new_reader(self) -> SqliteConnection:
        reader = SqliteConnection(sqlite_file.connect(self.path, readonly=True), self._clock)
        reader.rows("pragma schema_version")  # it opens the WAL
        self._files.remember()
        return reader

    def _reopen(self) -> None:
        """Close files that were deleted or replaced, with all connections, after saving what their WAL holds."""
        with self._opening:
            if self._files.are_in_place():  # another thread was faster
                return
            with self._gate, self._turn():
                if self._writer is not None:
                    self._save_wal(self._writer)
            self._gate.shut()
            is_clean = self._gate.is_clean
            self._gate.reopen()
            if not is_clean:
                raise sqlite_file.displaced_error(self.path)

    def _save_wal(self, writer: SqliteConnection) -> None:
        self._files.check_content(writer.db)
        self._files.save_wal(writer.db)
        sqlite_file.mark_wal_as_saved(self.path)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Hold the right to write, among the threads of this process and among processes."""
        with self._write_lock:
            if self._closed:
                raise journal_closed_error()
            with sqlite_file.locked(self._lock_file):
                yield

    def _transact(self, number: int, work: Callable[[SqlConnection], Sequence[Entry]], *, waits: bool = True) -> None:
        if self._closed or self._process_id != current_process.id:
            self._check_open()
        if self.readonly:
            raise StorageUnavailable(f"{self.path} was opened for reading only.", hint="Open it for writing.")
        try:
            while not self._try_to_transact(work, waits=waits):
                self._reopen()
        except (apsw.Error, OSError) as error:
            raise sqlite_file.translate_error(error, self.path) from error
        if self._changes.waiting:
            self._changes.notify()

    def _try_to_transact(self, work: Callable[[SqlConnection], Sequence[Entry]], *, waits: bool) -> bool:
        """Returns False if nothing was done, because the files have to be opened again."""
        if not waits and self._write_lock.locked():
            raise WouldWait
        with self._gate, self._write_lock:
            if self._closed:
                raise journal_closed_error()
            try:
                self._take_file_lock(waits=waits)
                if not self._files.are_in_place(_NOT_RECORDED):
                    return False
                self._commit_with(self._writer or self._open_writer(), work, waits=waits)
                return True
            finally:
                fcntl.flock(self._lock_file, fcntl.LOCK_UN)

    def _take_file_lock(self, *, waits: bool) -> None:
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WouldWait from None

    def is_free(self) -> bool:
        self._check_open()
        with self._gate:
            if self.readonly or not self._write_lock.acquire(blocking=False):
                return False
            try:
                fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return self._writer is None or self._writer.is_free()
            except BlockingIOError:
                return False
            except OSError:  # it was closed: the writer raises
                return True
            finally:
                with suppress(OSError):
                    fcntl.flock(self._lock_file, fcntl.LOCK_UN)
                self._write_lock.release()

    def _commit_with(
        self, writer: SqliteConnection, work: Callable[[SqlConnection], Sequence[Entry]], *, waits: bool
    ) -> None:
        self._writer = writer
        try:
            self._files.check_content(writer.db, _NOT_RECORDED)
            writer.begin(waits=waits)
            work(writer)
            if self._fault:
                self._fault("before_commit")
            writer.commit()
            if self._fault:
                self._fault("after_commit")
            if not self._files.are_in_place(sqlite_file.UNKNOWN_IF_RECORDED, after_commit=True):
                self._save_wal(writer)
        except BaseException:
            writer.rollback()
            raise

    @contextmanager
    def _reading(self) -> Iterator[SqlConnection]:
        self._check_open()
        with sqlite_file.translated_errors(self.path):
            if not self._files.are_in_place():
                self._reopen()
            with self._gate:
                try:
                    reader = self._idle_readers.pop()
                except IndexError:
                    reader = self._new_reader()
                try:
                    self._files.check_content(reader.db)
                    reader.rows("begin")
                    yield reader
                finally:
                    if reader.db.in_transaction:
                        reader.rows("rollback")
                    self._idle_readers.append(reader)
                    if self._closed:
                        self._close_idle()

    def _add_journal(self, journal: str, secret: bytes) -> None:
        def work(connection: SqlConnection) -> Sequence[Entry]:
            connection.rows(_ADD_JOURNAL, (journal, secret))
            return ()

        self._transact(0, work)

    def claim_process_lock(self) -> tuple[str, int]:
        self._check_open()
        if self._presence is None:
            raise StorageUnavailable(f"{self.path} was opened for reading only.", hint="Open it for writing.")
        return self._presence.name, self._presence.claim()

    def heartbeat(self, journal: str, session: str, lock: int, seconds: float) -> None:
        """Nothing to do: every process that can open the file can see the process lock."""

    def wait(self, journal: str, *, after: int, seconds: float) -> int:
        return self._changes.wait(lambda: self.read(journal, lambda view: view.head().seq), after, seconds)

    def _watch(self, stop: Callable[[], bool]) -> None:
        """Poll for commits of other processes: `data_version` changes with each of them."""
        seen = None
        try:
            while not stop():
                with self._gate:
                    self._watcher = self._watcher or self._new_reader()
                    current = self._watcher, self._watcher.rows("pragma data_version"), self._files.are_in_place()
                    self._files.check_content(self._watcher.db)
                if current != seen:
                    seen = current
                    self._changes.notify()
                time.sleep(POLL_SECONDS)
        except (apsw.Error, StorageUnavailable):
            self._changes.notify()
        finally:
            with self._gate:
                if self._watcher is not None:
                    self._watcher.close()
                    self._watcher = None

    def scrub(self, journal: str) -> Literal["done", "pending"]:
        """Truncate the WAL, which a reader of an older state can block, and overwrite unused bytes in the pages."""
        self._check_open()
        if self.readonly:
            return "pending"
        number, _ = self._ensure_journal(journal)
        with sqlite_file.translated_errors(self.path), self._gate, self._turn():
            if not self._files.are_in_place():
                raise sqlite_file.displaced_error(self.path)
            writer = self._writer = self._writer or self._open_writer()
            self._files.check_content(writer.db)
            writer.db.set_busy_timeout(SCRUB_MILLISECONDS)
            try:
                busy = bool(writer.rows("pragma wal_checkpoint(truncate)")[0][0])
                self._files.wal_was_truncated()
            finally:
                writer.db.set_busy_timeout(sqlite_file.BUSY_MILLISECONDS)
            return "pending" if busy else self._clean_pages(writer, number)

    def _clean_pages(self, writer: SqliteConnection, number: int) -> Literal["done", "pending"]:
        writer.rows("begin immediate")
        try:
            if os.path.getsize(f"{self.path}-wal"):
                return "pending"  # a program that ignores our lock has written in between
            sqlite_scrub.overwrite_unused(self.path)
            writer.rows(
                "insert into scrubs values (?, 1) on conflict (journal) do update set times = times + 1", (number,)
            )
            writer.rows("commit")
        finally:
            writer.close()  # it has to drop its cached pages too
            self._writer = None
        return "done"

    def close(self) -> None:
        if self._closed:
            return
        if self._process_id == process_id():
            self._flush_written()
        self._closed = True  # running calls finish; new calls raise
        self._changes.close()
        if self._process_id != process_id():
            return
        self._close_idle()
        with self._write_lock:
            writer, self._writer = self._writer, None
            if writer is not None:
                with suppress(StorageUnavailable, apsw.Error):
                    self._files.check_content(writer.db)  # else the WAL would be written into another database
                self._files.allow_checkpoint([writer.db])
                writer.close()
            self._files.forget()
            if not self.readonly:
                os.close(self._lock_file)

    def _close_idle(self) -> None:
        """Close the readers that are not in use; the others are closed when their call ends."""
        while self._idle_readers:
            with suppress(IndexError):
                reader = self._idle_readers.pop()
                self._files.allow_checkpoint([reader.db])
                reader.close()

    def _check_open(self) -> None:
        if self._closed:
            raise journal_closed_error()
        if self._process_id != current_process.id:
            if not self._gate.is_clean:
                raise StorageUnavailable(
                    "This journal was in use while the process was forked.", hint="Fork while no call is running."
                )
            with self._opening:
                if self._process_id != process_id():
                    self._open()


def _split_words(text: str) -> str:
    """Text that FTS5 splits into our words. It splits ASCII the same way, but does not truncate long words."""
    return text if text.isascii() else " ".join(split_words(text))


def _prefix_mark(word: str) -> str:
    """A word of the maximal length may be truncated, so it matches as a prefix."""
    return "*" if len(word) == MAX_WORD_LENGTH else ""
