"""Opens a SQLite file, holds the writers' lock, migrates to the newest schema, and explains SQLite's errors.

- Durable: WAL with `synchronous=FULL`; what was committed is on the disk.
- Quick: the WAL keeps its size, so that a commit need not change the size of a file.
- Current: SQLite before 3.51.3 can corrupt a WAL that several processes write; such a version is refused.

This module imports little, so that opening a journal is fast; the rest is imported with the first record.
"""

import errno
import fcntl
import os
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

import apsw

from tallystick.core.errors import (
    LOST_RECORDS_HINT,
    StorageUnavailable,
    TallystickError,
    Unsupported,
    damaged_error,
    system_error,
)
from tallystick.store.sql import migrations

# ----------------------------------------------------------------------------------------------------------------------
# Errors of SQLite as errors that name the file and the remedy.

_NOT_RECORDED = "This call was not recorded."
UNKNOWN_IF_RECORDED = "It is unknown whether this call was recorded."


@contextmanager
def translated_errors(path: str) -> Iterator[None]:
    """Translate the driver's errors into Tallystick errors."""
    try:
        yield
    except TallystickError:
        raise
    except (apsw.Error, OSError) as error:
        raise translate_error(error, path) from error


def translate_error(error: apsw.Error | OSError, path: str) -> TallystickError:
    return system_error(OSError(errno.EMFILE, "")) if _is_out_of_descriptors(error) else _translated(error, path)


def _translated(error: apsw.Error | OSError, path: str) -> TallystickError:
    if isinstance(error, OSError):
        return StorageUnavailable(
            f"{path} cannot be used: {error.strerror or error}.",
            hint="Check that the folder exists and may be written, or choose another place with TALLYSTICK_URL.",
        )
    if isinstance(error, apsw.FullError):
        return StorageUnavailable(
            f"The disk that holds {path} is full. {_NOT_RECORDED}", hint="Free some space and try again."
        )
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError):
        return StorageUnavailable(
            f"{path} may not be written. {_NOT_RECORDED}", hint="Check the rights of the file and of its folder."
        )
    if isinstance(error, apsw.CantOpenError):
        if os.path.isdir(path):
            return StorageUnavailable(
                f'"{path}" is a folder.', hint=f"Name a file in it: sqlite://{os.path.abspath(path)}/journal.db."
            )
        return StorageUnavailable(
            f"{path} cannot be opened.",
            hint="Check the path and its rights, or choose another place with TALLYSTICK_URL.",
        )
    if isinstance(error, apsw.NotADBError) and not _is_database(path):
        return Unsupported(
            f"{path} is not a journal: it is another kind of file.", hint="Choose another path; it was not changed."
        )
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return _corrupt_error(error, path)
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StorageUnavailable(
            f"Another program holds {path} for writing. {_NOT_RECORDED}", hint="Try again, or end that program."
        )
    if isinstance(error, apsw.IOError):
        return _disk_error(error, path)
    return StorageUnavailable(f"{path} could not be used: {error}. {_NOT_RECORDED}", hint="Run `tallystick doctor`.")


def _disk_error(error: apsw.IOError, path: str) -> TallystickError:
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHORT_READ:
        return StorageUnavailable(
            f"{path} or {path}-wal was truncated; acknowledged records may be missing. {UNKNOWN_IF_RECORDED}",
            hint=LOST_RECORDS_HINT,
        )
    # A commit whose sync failed may still turn out complete if this process ends before it writes again.
    return StorageUnavailable(
        f"The disk that holds {path} failed: {error}. {UNKNOWN_IF_RECORDED}",
        hint="Check the disk. Then repeat the call with the same key: it is recorded once.",
    )


def _is_database(path: str) -> bool:
    """Whether a file begins as a database. If SQLite takes it for none, its WAL holds another beginning."""
    try:
        with open(path, "rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def _corrupt_error(error: apsw.Error, path: str) -> TallystickError:
    if "fts5" in str(error):
        return damaged_error("the search index cannot be read")
    return StorageUnavailable(
        f"{path} is damaged: {error}.",
        hint="Restore a backup: `tallystick restore FILE --replace` renames the damaged file and deletes nothing.",
    )


def _is_out_of_descriptors(error: apsw.Error | OSError) -> bool:
    """Whether a file could not be opened because this process may open no more. SQLite does not say so."""
    if not isinstance(error, apsw.CantOpenError | OSError):
        return False
    opened: list[int] = []
    try:
        opened.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(FILES_PER_CONNECTION))
    except OSError as now:
        return now.errno in (errno.EMFILE, errno.ENFILE)
    finally:
        for each in opened:
            os.close(each)
    return isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)


# ----------------------------------------------------------------------------------------------------------------------
# Opening and locking.

MIN_SQLITE_VERSION = (3, 51, 3)
BUSY_MILLISECONDS = 5_000
"""How long to wait for a program that does not use our file lock, such as a backup."""
FILES_PER_CONNECTION = 3
"""The database, its WAL and its shared memory."""
STILL_BUSY_MILLISECONDS = 250
"""The same after a wait that timed out, so that repeated calls are not delayed each time."""
CHECKPOINT_PAGES = 2000
"""The WAL is written back after this many pages: rarely, so that pages that change often are written once."""


def ensure_usable(path: str) -> None:
    """Create the file if it does not exist and migrate it; raises if it cannot be recorded in."""
    with translated_errors(path):
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        lock = open_lock(path)
        try:
            with locked(lock):
                open_writer(path).close()
        finally:
            os.close(lock)


def open_lock(path: str) -> int:
    """Open the lock file by which writers take turns. SQLite's own waiting starves some of many busy processes."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):  # /dev/null, for example
        raise Unsupported(f"{path} is not a regular file.", hint="Choose another path; it was not changed.")
    return os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextmanager
def locked(lock: int) -> Iterator[None]:
    """Hold the lock. The system queues waiting processes, and releases the lock of one that ends."""
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)


def connect(path: str, *, readonly: bool = False) -> apsw.Connection:
    _check_version(apsw.sqlite_lib_version())
    flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(path, flags=flags, statementcachesize=200)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)  # see OpenFiles.allow_checkpoint
    return connection


def open_writer(path: str, before_commit: Callable[[], None] = lambda: None) -> apsw.Connection:
    """A connection that writes. The caller holds the lock; `before_commit` is called before a schema is committed."""
    is_new = not os.path.exists(path) or os.path.getsize(path) == 0
    if os.path.isfile(path) and os.stat(path).st_nlink > 1:
        _remove_link_of_restore(path)
        if (found := os.stat(path)).st_nlink > 1:
            raise _links_error(path, found, _NOT_RECORDED)
    if not is_new and not os.path.exists(f"{path}-wal"):
        _check_nobody_has_the_wal(path)
    writer = connect(path)
    if is_new:
        os.chmod(path, 0o600)
    elif not _is_journal(writer):
        writer.close()
        raise Unsupported(
            f"{path} is not a journal: it is a database of another program.",
            hint="Choose another path; it was not changed.",
        )
    for pragma in (
        "journal_mode = wal",
        "synchronous = full",
        "secure_delete = on",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    ):
        writer.execute(f"pragma {pragma}").fetchall()
    persist = array("i", [1])  # the WAL keeps its size when the last connection closes
    writer.file_control("main", apsw.SQLITE_FCNTL_PERSIST_WAL, persist.buffer_info()[0])
    _migrate(writer, before_commit)
    return writer


def _check_nobody_has_the_wal(path: str) -> None:
    """Raise if the WAL was deleted and a program still has it open: a new WAL would hide what that program recorded.

    A journal keeps its WAL when it is closed. SQLite grants exclusive access only if no program has the database open.
    """
    probe = apsw.Connection(path)
    try:
        probe.set_busy_timeout(STILL_BUSY_MILLISECONDS)  # a program that has saved its WAL closes it at once
        probe.execute("pragma locking_mode = exclusive").fetchall()
        probe.execute("select 1 from sqlite_master").fetchall()
    except apsw.BusyError:
        raise StorageUnavailable(
            f"{path}-wal was deleted while another program has the journal open. The newest records are in that "
            "program only. This call was not recorded.",
            hint="Let that program record something, or end it in the regular way: it writes them back. Then try "
            "again. Never delete the file.",
        ) from None
    finally:
        probe.close()


def _links_error(path: str, found: os.stat_result, consequence: str) -> StorageUnavailable:
    """The error for a file with several names. Each would have a WAL of its own, and together they destroy it."""
    others = ", ".join(_other_names(path, found))
    return StorageUnavailable(
        f"{path} has {found.st_nlink} names (hard links){f', one is {others}' if others else ''}. Programs that "
        f"open it by different names would destroy it. {consequence}".rstrip(),
        hint=f"Delete the other names: `find FOLDER -samefile {path}` lists them. To have a copy, use `tallystick "
        "backup`.",
    )


def _other_names(path: str, found: os.stat_result) -> list[str]:
    """Paths of the same file in the same folder."""
    listed = os.scandir(os.path.dirname(os.path.abspath(path)))
    return sorted(e.path for e in listed if e.inode() == found.st_ino and e.name != os.path.basename(path))


def _remove_link_of_restore(path: str) -> None:
    """Remove the second name that a killed `restore` left. The caller holds the lock, so none is running."""
    for other in _other_names(path, os.stat(path)):
        if os.path.basename(other).startswith(f"{os.path.basename(path)}.before-restore-"):
            os.unlink(other)


def mark_wal_as_saved(path: str) -> None:
    """Begin an empty WAL after the content of a deleted one was saved: then others need not wait for its holders."""
    os.close(os.open(f"{path}-wal", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))


def check_schema(reader: apsw.Connection) -> None:
    """Raise if the file's schema is not the newest one: a read-only file cannot be migrated."""
    migrations.migrate("sqlite", _applied(reader), lambda sql: _refuse_old_schema(), lambda each: None)


def _migrate(writer: apsw.Connection, before_commit: Callable[[], None]) -> None:
    applied = _applied(writer)
    if applied and applied[-1][0] == migrations.newest("sqlite") and len(applied) == applied[-1][0]:
        migrations.migrate("sqlite", applied, writer.execute, lambda each: None)
        return
    writer.execute("begin immediate")
    try:
        writer.execute(migrations.CREATE_VERSIONS_TABLE)
        migrations.migrate(
            "sqlite",
            _applied(writer),
            lambda sql: writer.execute(sql).fetchall(),
            lambda each: writer.execute(
                "insert into schema_versions values (?, ?, ?)", (each.version, each.name, each.digest)
            ),
        )
        before_commit()
        writer.execute("commit")
    except BaseException:
        if writer.in_transaction:
            writer.execute("rollback")
        raise


def _is_journal(connection: apsw.Connection) -> bool:
    """Whether a database is a journal, or empty."""
    tables = {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
    return not tables or "schema_versions" in tables


def _applied(connection: apsw.Connection) -> list[tuple[int, str]]:
    if not connection.execute("select 1 from sqlite_master where name = 'schema_versions'").fetchall():
        return []
    found = connection.execute("select version, digest from schema_versions order by version").fetchall()
    try:
        return [(int(str(version)), str(digest)) for version, digest in found]
    except ValueError:
        raise damaged_error("the table of its schema versions cannot be read") from None


def _refuse_old_schema() -> None:
    raise Unsupported("This store has an older schema.", hint="Open it once for writing: it is then migrated.")


def _check_version(version: str) -> None:
    numbers = tuple(int(part) for part in version.split(".")[:3])
    if numbers < MIN_SQLITE_VERSION:
        raise Unsupported(
            f"SQLite {version} can corrupt a file that several processes write.",
            hint=f"Install apsw {'.'.join(map(str, MIN_SQLITE_VERSION))} or newer.",
        )


# ----------------------------------------------------------------------------------------------------------------------
# Files that are deleted or replaced while they are open.
#
# SQLite goes on with a file that has lost its name: what is committed to a deleted WAL is gone with the last process
# that has it open, and a process that opens the journal later does not see it. So the files are checked before and
# after each commit, and before each read.

HEADER_SPAN = (16, 16)
"""Offset and size of: bytes in a page, journal mode, change counter, number of pages. They sort as bytes
(https://www.sqlite.org/fileformat2.html#the_database_header)."""
WAL_HEADER_BYTES = 32
WAL_MAGIC = b"\x37\x7f\x06"
MAX_WALS_REMEMBERED = 64
"""Headers of the WAL before it was begun anew."""
FOLDER_TIME_NANOSECONDS = 100_000_000
"""A change of the folder that is younger is not trusted: a second one within a tick (10 ms) may have the same time."""


class OpenFiles:
    """The database, its WAL and the index of the WAL, as they were when this process opened them.

    A file cannot lose its name without a change of its folder. While the folder is unchanged, only the sizes are looked
    at. The WAL's is taken by a seek: since Linux 6.13 a `stat` makes the next write change the time of the file, and a
    commit of two entries took 40 µs longer.
    """

    def __init__(self, path: str, *, may_lack_wal: bool = False) -> None:
        self.path = path
        self._may_lack_wal = may_lack_wal
        self._folder = os.path.dirname(os.path.abspath(path))
        self._paths = (path, f"{path}-wal", f"{path}-shm")
        self._main: tuple[int, int] | None = None
        self._main_bytes = 0
        self._is_shorter = False
        self._is_overwritten = False
        self._inodes: list[int] | None = None
        self._wal_bytes = 0
        self._headers = (b"", b"")
        self._earlier_wals = deque[bytes](maxlen=MAX_WALS_REMEMBERED)
        self._watched: tuple[int, ...] = ()
        self._folder_state = (0, 0)

    def remember(self) -> None:
        """Call it when the first connection is open and has read something: then the files exist."""
        if self._inodes is None:
            main = os.stat(self.path)
            self._main = main.st_dev, main.st_ino
            self.wal_was_truncated()
            try:
                inodes = [os.stat(path).st_ino for path in self._paths]
                self._inodes = inodes if _has_open(inodes[1:]) else [0, 0, 0]
                self._watch(_open_watched(*self._paths[:2], self._folder))
            except FileNotFoundError:  # deleted since the connection opened them, or a backup, which has none
                self._inodes = None if self._may_lack_wal else [0, 0, 0]

    def forget(self) -> None:
        """Call it when all connections are closed. Another database under the same path is still refused."""
        self._inodes, self._headers = None, (self._headers[0], b"")
        self._watch(())

    def _watch(self, descriptors: tuple[int, ...]) -> None:
        self._folder_state = (0, 0)
        before, self._watched = self._watched, descriptors
        for each in before:
            os.close(each)

    def wal_was_truncated(self) -> None:
        """Call it after this process has truncated the WAL: else it never shrinks, it is overwritten."""
        self._wal_bytes = 0

    def are_in_place(self, consequence: str = "", *, after_commit: bool = False) -> bool:
        """False if the WAL or its index was deleted, replaced or truncated; raises if the database itself was."""
        known = self._folder_state
        try:
            main, wal, opened = self._watched
            # Before a commit by its path, since a folder above it may have been moved, and with the sizes: a truncated
            # WAL has its size again after the commit.
            folder = os.fstat(opened) if after_commit else os.stat(self._folder)
            if (folder.st_ctime_ns, folder.st_ino) == known:
                if after_commit:
                    return True
                found, wal_bytes = os.fstat(main), os.lseek(wal, 0, os.SEEK_END)
                is_as_before = found.st_size == self._main_bytes > 0 and wal_bytes == self._wal_bytes
                if (is_as_before and found.st_nlink < 2) or self._has_content(found, wal_bytes, consequence):
                    return True
        except (ValueError, OSError):  # there is none, or another thread has just closed the files
            pass
        return self._are_same(consequence)

    def _are_same(self, consequence: str) -> bool:
        """The same by the names of the files, for when their folder has changed."""
        inodes = self._inodes
        if inodes is not None:
            with suppress(FileNotFoundError):
                folder = os.stat(self._folder)
                found = [os.stat(path) for path in self._paths]
                are_same = [each.st_ino for each in found] == inodes
                if are_same and self._has_content(found[0], found[1].st_size, consequence):
                    is_over = time.time_ns() - folder.st_ctime_ns > FOLDER_TIME_NANOSECONDS
                    self._folder_state = (folder.st_ctime_ns, folder.st_ino) if is_over and self._watched else (0, 0)
                    return True
        self._check_database(consequence)
        return inodes is None

    def _has_content(self, main: os.stat_result, wal_bytes: int, consequence: str) -> bool:
        if main.st_nlink > 1:
            raise _links_error(self.path, main, consequence)
        size = main.st_size
        if size < self._main_bytes:
            self._is_shorter = True
        elif size > self._main_bytes:
            self._main_bytes = size
        is_whole = size > 0 and wal_bytes >= self._wal_bytes
        if is_whole:
            self._wal_bytes = wal_bytes
        return is_whole

    def _check_database(self, consequence: str) -> None:
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            is_same = self._main is None
        else:
            is_same = self._main is None or ((found.st_dev, found.st_ino) == self._main and found.st_size > 0)
        if not is_same:
            raise StorageUnavailable(
                f"{self.path} was deleted, emptied, moved or replaced while it was open. {consequence}".rstrip(),
                hint="Put the file back, or restore a backup; then start this program again.",
            )

    def check_content(self, connection: apsw.Connection, consequence: str = "") -> None:
        """Raise if the database or its WAL was truncated, or overwritten with another one as `cp` does. It takes 1 µs.

        The header of the database says whether there is a WAL, counts writers that took turns, and has the number of
        pages. All of these only grow, but by VACUUM. A backup has no WAL. The header of the WAL counts how often it was
        begun. Call it after `are_in_place`.
        """
        known = self._headers  # another thread may change them meanwhile
        wal = os.pread(self._watched[1], WAL_HEADER_BYTES, 0) if self._watched else _wal_header(connection)
        found = connection.read("main", 0, *HEADER_SPAN)[1], wal
        if found == known and not self._is_shorter:
            return
        is_older = found[1] in self._earlier_wals or _is_older_wal(found[1], known[1])
        if found[0] < known[0] or is_older or self._lacks_pages(found[0]):
            self._is_overwritten = True
            raise StorageUnavailable(
                f"{self.path} or {self.path}-wal was truncated or overwritten while it was open; acknowledged records "
                f"may be missing. {consequence}".rstrip(),
                hint=LOST_RECORDS_HINT,
            )
        if known[1] and known[1] != found[1]:
            self._earlier_wals.append(known[1])
        self._headers = found

    def _lacks_pages(self, header: bytes) -> bool:
        """Whether the database has become shorter than its header says. VACUUM makes both smaller."""
        if not self._is_shorter:
            return False
        known, found = self._main_bytes, os.stat(self.path).st_size
        if found < min(known, int.from_bytes(header[:2]) * int.from_bytes(header[-4:])):
            return True
        self._main_bytes, self._is_shorter = found, False
        return False

    def _has_lost_index(self) -> bool:
        """Whether the index of the WAL is another one now, by which others may have written on to the same WAL: what
        this process knows of it is then old."""
        try:
            return self._inodes is not None and os.stat(self._paths[2]).st_ino != self._inodes[2]
        except FileNotFoundError:
            return True

    def allow_checkpoint(self, connections: Iterable[apsw.Connection]) -> None:
        """Call it before connections are closed: SQLite may then write the WAL into the database with the last of them.
        With files that others have replaced, it would write old pages over new ones."""
        with suppress(FileNotFoundError):
            if not self._is_overwritten and self._inodes == [os.stat(path).st_ino for path in self._paths]:
                for each in connections:
                    each.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)

    def save_wal(self, writer: apsw.Connection) -> None:
        """Write what a displaced WAL holds into the database, unless another program has begun a new one. Where its
        index is gone too, the WAL itself gets its name back, and SQLite makes a new index.

        The caller holds the lock. The writer has to be closed after this: it knows only the displaced files.
        """
        with suppress(FileNotFoundError):
            found = os.stat(self._paths[1])
            if found.st_size or found.st_ino == (self._inodes or [0, 0])[1]:  # a truncated one holds nothing
                return
        if self._has_lost_index() and self._watched:
            _copy_file(self._watched[1], self._paths[1])
            return
        if any(writer.execute("pragma wal_checkpoint(truncate)").fetchall()[0]):
            raise displaced_error(self.path)


def _copy_file(source: int, target: str) -> None:
    """Write what a descriptor holds to a file, which appears whole."""
    part = f"{target}.saved"
    with open(part, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        size, at = os.fstat(source).st_size, 0
        while at < size:
            at += os.sendfile(file.fileno(), source, at, size - at)
        os.fsync(file.fileno())
    os.rename(part, target)
    folder = os.open(os.path.dirname(os.path.abspath(target)), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _wal_header(connection: apsw.Connection) -> bytes:
    """The header of the WAL; empty if there is none."""
    try:
        is_whole, header = connection.read("main", 1, 0, WAL_HEADER_BYTES)
    except apsw.Error:
        return b""
    return header if is_whole else b""


def _is_older_wal(found: bytes, known: bytes) -> bool:
    """Whether a WAL has no header, or one from before. Each time that it is begun anew, its salt-1 grows by one.

    https://www.sqlite.org/fileformat2.html#the_write_ahead_log
    """
    if found and not found.startswith(WAL_MAGIC):
        return True
    if found[12:16] == bytes(4):  # begun by a program that has never begun it anew: its salts are random
        return False
    times = [int.from_bytes(header[16:20]) for header in (found, known) if header]
    return len(times) == 2 and (times[0] - times[1]) % 2**32 >= 2**31


def _has_open(inodes: list[int]) -> bool:
    """Whether this process has these files open: between opening a file and looking at its name it may be replaced."""
    try:
        descriptors = os.listdir("/proc/self/fd")
    except OSError:
        return True  # the system does not say
    missing = set(inodes)
    for each in sorted(map(int, descriptors), reverse=True):  # the newest first: there may be thousands
        with suppress(OSError):  # the descriptor of the listing itself is closed
            missing.discard(os.fstat(each).st_ino)
        if not missing:
            break
    return not missing


def _open_watched(main: str, wal: str, folder: str) -> tuple[int, ...]:
    """Descriptors of the three; none where they cannot be had (macOS has no O_PATH).

    Closing an ordinary descriptor of the database would drop the locks of SQLite. It locks nothing in the WAL.
    """
    opened: list[int] = []
    try:
        for path, flags in ((main, os.O_PATH), (wal, os.O_RDONLY), (folder, os.O_PATH)):
            opened.append(os.open(path, flags | os.O_CLOEXEC))
    except (OSError, AttributeError):
        while opened:
            os.close(opened.pop())
    return tuple(opened)


def displaced_error(path: str) -> StorageUnavailable:
    return StorageUnavailable(
        f"{path}-wal or {path}-shm was deleted, replaced or truncated while it was open. {UNKNOWN_IF_RECORDED}",
        hint="Leave these files alone while programs use the journal. Repeat the call with the same key: it is "
        "recorded once.",
    )
