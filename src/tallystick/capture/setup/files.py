"""Reads and replaces files of other programs: all of them or none, with their links, modes and owners kept."""

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable, Sequence
from glob import escape
from pathlib import Path
from shlex import quote

from msgspec import UNSET, Struct, UnsetType

from tallystick.core.errors import Conflict, InvalidArgument, StorageUnavailable, TallystickError

BOM = "\ufeff"
_STAGED_MARK, _RANDOM_LETTERS, _STAGED_SUFFIX = ".tallystick-", 8, ".new"
"""A staged file has the name of the file that it replaces, this mark, as many letters as `tempfile` draws, and this
suffix."""


class FileWrite(Struct, frozen=True):
    """The new content of a file; None deletes it.

    `expected` is the content that the new one was made from: a file with another content by now is not written. Unset:
    any content is replaced.
    """

    path: Path
    content: bytes | None
    expected: bytes | UnsetType | None = UNSET


def read(path: Path) -> bytes | None:
    """The content of a file; None if it does not exist."""
    try:
        if path.is_fifo() or path.is_socket():  # reading it would wait for a writer
            raise OSError(0, "it is not a regular file")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageUnavailable(
            f"{path} cannot be read ({error.strerror}).", hint="Nothing was changed. Fix that, and try again."
        ) from None


def decode(path: Path, content: bytes) -> str:
    """The text of a file, with its line ends unchanged."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidArgument(
            f"{path}, line {line}: this is not UTF-8.", hint="Nothing was changed. Save it as UTF-8, and try again."
        ) from None


def check_unchanged(writes: Iterable[FileWrite]) -> None:
    """Raise Conflict if a file no longer has its expected content: clients and people write to these files too."""
    for each in writes:
        if each.expected is not UNSET and read(each.path) != each.expected:
            raise Conflict(f"{each.path} changed meanwhile; nothing was written.", hint="Run it again.")


def write_all(writes: Sequence[FileWrite]) -> None:
    """Write all of them or none.

    All contents are on disk before the first file is replaced, and each is compared once more just before. If
    replacing fails in the middle, the files that were replaced get their former content back.
    """
    check_unchanged(writes)
    for each in writes:
        _check_writable(each.path)
    made: list[Path] = []
    staged: list[tuple[FileWrite, str]] = []
    former = [(each.path, read(each.path)) for each in writes]
    done = 0
    try:
        for each in writes:
            made += missing_folders(each.path)
            target(each.path).parent.mkdir(parents=True, exist_ok=True)
            staged.append((each, "" if each.content is None else _stage(each.path, each.content)))
        check_unchanged(writes)
        for each, temporary in staged:
            check_unchanged([each])
            if temporary:
                os.replace(temporary, target(each.path))
            else:
                target(each.path).unlink(missing_ok=True)
            done += 1
    except (OSError, TallystickError) as error:
        for path, content in former[:done]:
            _restore(path, content)
        for _, temporary in staged[done:]:
            if temporary:
                Path(temporary).unlink(missing_ok=True)
        remove_empty(reversed(made))
        if isinstance(error, TallystickError):
            raise
        raise StorageUnavailable(
            f"{error.filename2 or error.filename or writes[min(done, len(writes) - 1)].path} cannot be written "
            f"({error.strerror}).",
            hint="Nothing was changed. Check its permissions and the free disk space, and try again.",
        ) from None


def missing_folders(path: Path) -> list[Path]:
    """The folders that have to be made for a file, from the top."""
    folder = target(path).parent
    return [each for each in (folder, *folder.parents) if not each.exists()][::-1]


def remove_empty(folders: Iterable[Path]) -> None:
    """Delete the folders that are empty, in this order."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def remove_leftovers(path: Path) -> None:
    """Delete staged files that a killed setup left beside a file: they may contain the file's secrets."""
    file = target(path)
    with contextlib.suppress(OSError):
        for each in file.parent.glob(f".{escape(file.name)}{_STAGED_MARK}{'?' * _RANDOM_LETTERS}{_STAGED_SUFFIX}"):
            each.unlink(missing_ok=True)


def target(path: Path) -> Path:
    """The file that a link leads to: the link stays, and its file is replaced."""
    return Path(os.path.realpath(path))


def _check_writable(path: Path) -> None:
    """Refuse a read-only file. It was made so on purpose, also where a rename could replace it, as for root."""
    with contextlib.suppress(FileNotFoundError):
        if not os.stat(path).st_mode & 0o222 or not os.access(path, os.W_OK):
            raise StorageUnavailable(
                f"{path} is read-only.",
                hint=f"Nothing was changed. Allow writing (chmod u+w {quote(str(path))}), or edit it by hand: --print "
                "shows what to add.",
            )


def _stage(path: Path, content: bytes) -> str:
    """Write a file beside the one that it will replace, with its mode and owner, and sync it to disk."""
    file = target(path)
    descriptor, temporary = tempfile.mkstemp(
        prefix=f".{file.name}{_STAGED_MARK}", suffix=_STAGED_SUFFIX, dir=file.parent
    )
    try:
        with open(descriptor, "wb") as staged:
            staged.write(content)
            staged.flush()
            _copy_mode_and_owner(staged.fileno(), file)
            os.fsync(staged.fileno())
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return temporary


def _copy_mode_and_owner(descriptor: int, file: Path) -> None:
    try:
        known = os.stat(file)
    except FileNotFoundError:
        os.fchmod(descriptor, 0o600)  # the URL of a store may contain a password
        return
    with contextlib.suppress(PermissionError):  # another user's file, which we may write but not give away
        os.fchown(descriptor, known.st_uid, known.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(known.st_mode))


def _restore(path: Path, content: bytes | None) -> None:
    with contextlib.suppress(OSError):
        if content is None:
            target(path).unlink(missing_ok=True)
        else:
            os.replace(_stage(path, content), target(path))
