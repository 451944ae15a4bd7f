"""Backups are single SQLite files: writes one beside the programs that use a store, and puts one in a store's place."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from tallystick.core.errors import InvalidArgument, StorageUnavailable
from tallystick.store.sqlite import file as sqlite_file

SIDE_FILES = ("-wal", "-shm")


@contextmanager
def part_file(path: Path) -> Iterator[Path]:
    """A file to fill, in a folder of its own beside `path`; the folder is removed at the end."""
    folder = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with sqlite_file.translated_errors(str(path)):
            folder.mkdir(mode=0o700)
        yield folder / "journal.db"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def copy_backup(source: Path, target: Path) -> None:
    """Copy a backup, so that it stays as it is when the copy is opened."""
    if not source.is_file():
        raise InvalidArgument(f"{source} is not a file.", hint="Name a file that `backup` wrote.", field="file")
    with sqlite_file.translated_errors(str(source)):
        if any(side.exists() and side.stat().st_size for side in _side_files(source)):
            _copy_with_wal(source, target)
        else:
            shutil.copyfile(source, target)
        connection = sqlite_file.connect(str(target))
        is_journal = connection.execute("select 1 from sqlite_master where name = 'schema_versions'").fetchall()
        connection.close()
    if not is_journal:
        raise InvalidArgument(f"{source} is not a backup.", hint="Name a file that `backup` wrote.", field="file")


def _copy_with_wal(source: Path, target: Path) -> None:
    """Copy a store that was opened to look into it: its newest pages may be in its WAL."""
    reader, copy = sqlite_file.connect(str(source), readonly=True), apsw.Connection(str(target))
    try:
        with copy.backup("main", reader, "main") as pages:
            pages.step(-1)
    finally:
        copy.close()
        reader.close()


def finish(part: Path, path: Path) -> None:
    """Make a closed store's file complete in itself and durable, and give it its name."""
    with sqlite_file.translated_errors(str(path)):
        _complete(part)
        part.replace(path)
        _sync(path.parent)


def _complete(part: Path) -> None:
    connection = apsw.Connection(str(part))
    connection.execute("pragma journal_mode = delete").fetchall()  # writes the WAL back and deletes it
    connection.close()
    _sync(part)
    part.chmod(0o600)


def replace_store(part: Path, path: Path, check: Callable[[], None]) -> Path | None:
    """Put a file in the place of a store's file, as the only writer. Returns the new name of the old file, if any.

    `check` is called first; nothing is recorded between it and the replacement. Programs that have the old file open
    notice at their next record, and are refused.
    """
    with sqlite_file.translated_errors(str(path)):
        lock = sqlite_file.open_lock(str(path))
        try:
            with sqlite_file.locked(lock):
                check()
                _complete(part)
                old = _keep(path) if path.exists() else None
                part.replace(path)
                _sync(path.parent)
        finally:
            os.close(lock)
    return old


def _keep(path: Path) -> Path:
    """Give the old file a second name. It keeps its own until it is replaced, so a killed restore leaves no gap."""
    if _write_wal_back(path):
        raise StorageUnavailable(
            f"A program is reading {path}.", hint="End the programs that use the store, and restore again."
        )
    old = path.with_name(f"{path.name}.before-restore-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}")
    try:
        os.link(path, old)
    except OSError:  # a file system without hard links
        path.rename(old)
    for side, kept in zip(_side_files(path), _side_files(old), strict=True):
        if side.exists() and side.stat().st_size and side.name.endswith("-wal"):
            side.rename(kept)  # the old file is damaged: what its WAL holds could not be written back
        else:
            side.unlink(missing_ok=True)
    return old


def _write_wal_back(path: Path) -> bool:
    """Write the WAL into the file, unless it is damaged. Returns whether a reader is in the way."""
    connection = apsw.Connection(str(path))
    try:
        connection.set_busy_timeout(sqlite_file.BUSY_MILLISECONDS)
        return bool(connection.execute("pragma wal_checkpoint(truncate)").fetchall()[0][0])
    except (apsw.CorruptError, apsw.NotADBError):
        return False
    finally:
        connection.close()


def _side_files(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in SIDE_FILES]


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
