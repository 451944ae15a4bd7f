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
    """Copy a backup, byte for byte, so that it stays as it is when the copy is opened."""
    if not source.is_file():
        raise InvalidArgument(f"{source} is not a file.", hint="Name a file that `backup` wrote.", field="file")
    if any(side.exists() and side.stat().st_size for side in _side_files(source)):
        raise InvalidArgument(
            f"{source} is in use, or the program that used it was killed: part of it is in {source.name}-wal.",
            hint=f"Back it up: tallystick --url sqlite://{source.absolute()} backup COPY, and restore that.",
            field="file",
        )
    with sqlite_file.translated_errors(str(source)):
        shutil.copyfile(source, target)
        connection = sqlite_file.connect(str(target))
        is_journal = connection.execute("select 1 from sqlite_master where name = 'schema_versions'").fetchall()
        connection.close()
    if not is_journal:
        raise InvalidArgument(f"{source} is not a backup.", hint="Name a file that `backup` wrote.", field="file")


def finish(part: Path, path: Path) -> None:
    """Make a closed store's file complete in itself and durable, and give it its name."""
    with sqlite_file.translated_errors(str(path)):
        connection = apsw.Connection(str(part))
        connection.execute("pragma journal_mode = delete").fetchall()  # writes the WAL back and deletes it
        connection.close()
        _sync(part)
        part.chmod(0o600)
        part.replace(path)
        _sync(path.parent)


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
                old = _move_away(path) if path.exists() else None
                finish(part, path)
        finally:
            os.close(lock)
    return old


def _move_away(path: Path) -> Path:
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(sqlite_file.BUSY_MILLISECONDS)
    busy = connection.execute("pragma wal_checkpoint(truncate)").fetchall()[0][0]
    connection.close()
    if busy:
        raise StorageUnavailable(
            f"A program is reading {path}.", hint="End the programs that use the store, and restore again."
        )
    old = path.with_name(f"{path.name}.before-restore-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}")
    path.rename(old)
    for side in _side_files(path):
        side.unlink(missing_ok=True)
    return old


def _side_files(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in SIDE_FILES]


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
