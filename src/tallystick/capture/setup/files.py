"""Files of other programs: read whole, written whole or not at all, with their links, modes and owners kept."""

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
_STAGED, _RANDOM, _NEW = ".tallystick-", 8, ".new"
"""The name of a file that is to replace another: after the other's name, with as many letters as `tempfile` draws."""


class Write(Struct, frozen=True):
    """What a file is to hold; None takes it away. `expected` is what the content was worked out from: a file that
    holds something else by now is not written. Left out, it does not matter."""

    path: Path
    content: bytes | None
    expected: bytes | UnsetType | None = UNSET


def read(path: Path) -> bytes | None:
    """What a file holds; None where there is none."""
    try:
        if path.is_fifo() or path.is_socket():  # to read it would be to wait for somebody who writes there
            raise OSError(0, "it is no file")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageUnavailable(
            f"{path} cannot be read ({error.strerror}).", hint="Nothing was changed. See to it, and try again."
        ) from None


def decoded(path: Path, content: bytes) -> str:
    """The text of a file, with its line ends as they are."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidArgument(
            f"{path}, line {line}: this is not UTF-8.", hint="It was not touched. Save it as UTF-8, and try again."
        ) from None


def refuse_changed(writes: Iterable[Write]) -> None:
    """Stop where a file holds something else than its change was worked out from: clients write their files too."""
    for each in writes:
        if each.expected is not UNSET and read(each.path) != each.expected:
            raise Conflict(f"{each.path} changed meanwhile; nothing was written.", hint="Run it again.")


def write_all(writes: Sequence[Write]) -> None:
    """Write all of them or none.

    All contents are on the disk before the first file is replaced, and each is compared once more just before. If
    replacing fails in the middle, those that were replaced get back what they held.
    """
    refuse_changed(writes)
    for each in writes:
        _refuse_read_only(each.path)
    made: list[Path] = []
    staged: list[tuple[Write, str]] = []
    held = [(each.path, read(each.path)) for each in writes]
    done = 0
    try:
        for each in writes:
            made += missing_folders(each.path)
            target(each.path).parent.mkdir(parents=True, exist_ok=True)
            staged.append((each, "" if each.content is None else _staged(each.path, each.content)))
        refuse_changed(writes)
        for each, temporary in staged:
            refuse_changed([each])
            if temporary:
                os.replace(temporary, target(each.path))
            else:
                target(each.path).unlink(missing_ok=True)
            done += 1
    except (OSError, TallystickError) as error:
        for path, content in held[:done]:
            _put_back(path, content)
        for _, temporary in staged[done:]:
            if temporary:
                Path(temporary).unlink(missing_ok=True)
        remove_empty(reversed(made))
        if isinstance(error, TallystickError):
            raise
        raise StorageUnavailable(
            f"{error.filename2 or error.filename or writes[min(done, len(writes) - 1)].path} cannot be written "
            f"({error.strerror}).",
            hint="Nothing was changed. See to its rights and to the space on the disk, and try again.",
        ) from None


def missing_folders(path: Path) -> list[Path]:
    """The folders that have to be made for a file, from the top."""
    folder = target(path).parent
    return [each for each in (folder, *folder.parents) if not each.exists()][::-1]


def remove_empty(folders: Iterable[Path]) -> None:
    """Take folders away that hold nothing, in this order; the others stay."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def sweep(path: Path) -> None:
    """Take away what a setup that was killed left beside a file: it holds what the file held, with its secrets."""
    place = target(path)
    with contextlib.suppress(OSError):
        for each in place.parent.glob(f".{escape(place.name)}{_STAGED}{'?' * _RANDOM}{_NEW}"):
            each.unlink(missing_ok=True)


def target(path: Path) -> Path:
    """Where a link leads to: the link stays, and its file is replaced."""
    return Path(os.path.realpath(path))


def _refuse_read_only(path: Path) -> None:
    """A file that nobody may write was made so on purpose, also where a rename would get round it, as for root."""
    with contextlib.suppress(FileNotFoundError):
        if not os.stat(path).st_mode & 0o222 or not os.access(path, os.W_OK):
            raise StorageUnavailable(
                f"{path} is read-only.",
                hint=f"Nothing was changed. Allow it (chmod u+w {quote(str(path))}), or change it by hand: --print "
                "shows what is ours.",
            )


def _staged(path: Path, content: bytes) -> str:
    """A file beside the one that it will replace, on the disk, with its mode and owner."""
    place = target(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{place.name}{_STAGED}", suffix=_NEW, dir=place.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            _as_before(file.fileno(), place)
            os.fsync(file.fileno())
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return temporary


def _as_before(descriptor: int, place: Path) -> None:
    try:
        known = os.stat(place)
    except FileNotFoundError:
        os.fchmod(descriptor, 0o600)  # the address of a store may hold a password
        return
    with contextlib.suppress(PermissionError):  # a file of another user, which we may write and not give away
        os.fchown(descriptor, known.st_uid, known.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(known.st_mode))


def _put_back(path: Path, content: bytes | None) -> None:
    with contextlib.suppress(OSError):
        if content is None:
            target(path).unlink(missing_ok=True)
        else:
            os.replace(_staged(path, content), target(path))
