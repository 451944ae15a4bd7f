"""A SQLite file, made fit to hold journals: opened, looked at, and brought to the newest schema.

- Durable: WAL with `synchronous=FULL`; what was committed is on the disk.
- Quick: the WAL is kept at its size, so that a commit need not change the size of a file.
- Current: SQLite before 3.51.3 can corrupt a WAL that several processes write; such a version is refused.

It is light to load, so that opening a journal is: what recording needs is loaded with the first record.
"""

import fcntl
import os
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import apsw

from tallystick.core.errors import StorageUnavailable, TallystickError, Unsupported
from tallystick.store.sql import migrations

# ----------------------------------------------------------------------------------------------------------------------
# What SQLite says, in words that name the file and the way out.

_KEPT = "What was acknowledged before is kept; this call was not recorded."


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn the driver's errors into ours."""
    try:
        yield
    except TallystickError:
        raise
    except (apsw.Error, OSError) as error:
        raise explain(error, path) from error


def moved(path: str) -> StorageUnavailable:
    """Whoever writes on after its file is gone writes where nobody will ever look."""
    return StorageUnavailable(
        f"{path} was deleted, moved or replaced while it was open. This call was not recorded.",
        hint="Put the file back, or restore a backup; then start this program again.",
    )


def explain(error: apsw.Error | OSError, path: str) -> TallystickError:
    if isinstance(error, OSError):
        return StorageUnavailable(
            f"{path} cannot be used: {error.strerror or error}.",
            hint="Check that the folder exists and may be written, or choose another place with TALLYSTICK_URL.",
        )
    if isinstance(error, apsw.FullError):
        return StorageUnavailable(f"The disk that holds {path} is full. {_KEPT}", hint="Free some space and try again.")
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError):
        return StorageUnavailable(
            f"{path} may not be written. {_KEPT}", hint="Check the rights of the file and of its folder."
        )
    if isinstance(error, apsw.CantOpenError):
        return StorageUnavailable(
            f"{path} cannot be opened.",
            hint="Check the path and its rights, or choose another place with TALLYSTICK_URL.",
        )
    if isinstance(error, apsw.NotADBError):
        return Unsupported(
            f"{path} is not a journal: it is another kind of file.", hint="Choose another path; it was not touched."
        )
    if isinstance(error, apsw.CorruptError):
        return StorageUnavailable(
            f"{path} is damaged: {error}.",
            hint="Keep a copy of the file as it is, then restore a backup or run `tallystick verify` on an export.",
        )
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StorageUnavailable(
            f"Another program holds {path} for writing. {_KEPT}", hint="Try again, or end that program."
        )
    if isinstance(error, apsw.IOError):
        # A commit whose sync failed may yet be found whole, should this process die before it writes on.
        return StorageUnavailable(
            f"The disk that holds {path} failed: {error}. What was acknowledged before is kept; "
            "nobody knows whether this call was recorded.",
            hint="Check the disk; then look, or ask again with the same key.",
        )
    return StorageUnavailable(f"{path} could not be used: {error}. {_KEPT}", hint="Run `tallystick doctor`.")


# ----------------------------------------------------------------------------------------------------------------------

OLDEST = (3, 51, 3)
BUSY_MILLISECONDS = 5_000
"""How long to wait for a program that does not know our file lock, such as a backup."""
STILL_BUSY_MILLISECONDS = 250
"""The same for who has just waited in vain: whoever calls again and again is not held up each time."""
WAL_PAGES = 2000
"""When the WAL is written back: rarely, so that pages that change often are written once."""


def ensure_usable(path: str) -> None:
    """Whether a file can be recorded in: it is made if it is not there, and brought up to date. Else an error."""
    with explained(path):
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        lock = open_lock(path)
        try:
            with locked(lock):
                open_writer(path).close()
        finally:
            os.close(lock)


def open_lock(path: str) -> int:
    """The file that writers take turns by: SQLite's own waiting starves processes that write without pause."""
    return os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextmanager
def locked(lock: int) -> Iterator[None]:
    """The system queues the processes that wait, and frees the lock of one that dies."""
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
    return connection


def open_writer(path: str, migrated: Callable[[], None] = lambda: None) -> apsw.Connection:
    """A connection that writes. The caller holds the lock; `migrated` is called before a new schema is committed."""
    fresh = not os.path.exists(path) or os.path.getsize(path) == 0
    writer = connect(path)
    if fresh:
        os.chmod(path, 0o600)
    elif not _is_ours(writer):
        writer.close()
        raise Unsupported(
            f"{path} is not a journal: it is a database of another program.",
            hint="Choose another path; it was not touched.",
        )
    for pragma in (
        "journal_mode = wal",
        "synchronous = full",
        "secure_delete = on",
        f"wal_autocheckpoint = {WAL_PAGES}",
    ):
        writer.execute(f"pragma {pragma}").fetchall()
    keep = array("i", [1])  # the WAL stays at its size when the last connection closes
    writer.file_control("main", apsw.SQLITE_FCNTL_PERSIST_WAL, keep.buffer_info()[0])
    _migrate(writer, migrated)
    return writer


def check_schema(reader: apsw.Connection) -> None:
    """Refuse a file that cannot be read as it is."""
    migrations.migrate("sqlite", _applied(reader), lambda sql: _old_and_readonly(), lambda each: None)


def _migrate(writer: apsw.Connection, migrated: Callable[[], None]) -> None:
    applied = _applied(writer)
    if applied and applied[-1][0] == migrations.newest("sqlite") and len(applied) == applied[-1][0]:
        migrations.migrate("sqlite", applied, writer.execute, lambda each: None)
        return
    writer.execute("begin immediate")
    try:
        writer.execute(migrations.LEDGER)
        migrations.migrate(
            "sqlite",
            _applied(writer),
            lambda sql: writer.execute(sql).fetchall(),
            lambda each: writer.execute(
                "insert into schema_versions values (?, ?, ?)", (each.version, each.name, each.digest)
            ),
        )
        migrated()
        writer.execute("commit")
    except BaseException:
        if writer.in_transaction:
            writer.execute("rollback")
        raise


def _is_ours(connection: apsw.Connection) -> bool:
    """Whether a database is a journal, or has nothing in it yet."""
    tables = {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
    return not tables or "schema_versions" in tables


def _applied(connection: apsw.Connection) -> list[tuple[int, str]]:
    if not connection.execute("select 1 from sqlite_master where name = 'schema_versions'").fetchall():
        return []
    found = connection.execute("select version, digest from schema_versions order by version").fetchall()
    return [(int(str(version)), str(digest)) for version, digest in found]


def _old_and_readonly() -> None:
    raise Unsupported("This store has an older schema.", hint="Open it once for writing, and it is brought up to date.")


def _check_version(version: str) -> None:
    numbers = tuple(int(part) for part in version.split(".")[:3])
    if numbers < OLDEST:
        raise Unsupported(
            f"SQLite {version} can corrupt a file that several processes write.",
            hint=f"Install apsw {'.'.join(map(str, OLDEST))} or newer.",
        )


def identity(path: str) -> tuple[int, int]:
    """Which file is at a path now; no file is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return (0, -1)
    return found.st_dev, found.st_ino
