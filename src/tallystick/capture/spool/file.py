"""The spool: what hooks saw and the journal does not have yet. One file for a journal, written by many processes.

A record is one line: `ts1`, the length and the CRC-32 of its JSON, the JSON. It is appended in one write under the
file's lock, and synchronised before the lock is given up. JSON holds no line end, so a record that a crash cut short
ends at the next one, and spoils only itself: whoever appends begins a new line when the last one has no end.

A drainer reads, records, and then clears: with `read`, `clear`, and `read(after=...)` when something came since. Lines
that fail their checksum go to a file beside, before the spool is cleared: never dropped, and never taken for records.

Standard library only: the hook takes this file along.
"""

from __future__ import annotations

import errno
import fcntl
import os
from _thread import get_ident
from time import monotonic, sleep
from zlib import crc32

from tallystick.core.formats.fast_json import dump, parse
from tallystick.paths import data_folder, default_url, sqlite_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Place = str | os.PathLike[str]

LOCK_SECONDS = 3.0
"""Seconds to wait for the lock. Who holds it writes one record, or reads at most `READ_BYTES` bytes."""
READ_BYTES = 16 << 20
"""Bytes that are read at once, if whole records are no longer."""
OTHER_STORE_PREFIX = "of-"
"""Folders among the spools that are for another store than the user's own begin so."""
_SOON = 0.2
_TAIL = 512
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


def folder(env: Mapping[str, str]) -> str:
    """Where the spools are for the store that an environment names. Another store than the user's own has a folder of
    its own: what was seen for one must not be carried off into another."""
    url = env.get("TALLYSTICK_URL", "")
    if not url or url.startswith(("http:", "https:")):  # behind a server, which looks where its own store says
        return root(env)
    named = _store(url)
    if named == _store(default_url(env)):
        return root(env)
    return os.path.join(root(env), OTHER_STORE_PREFIX + digest(named.encode(), size=8))


def root(env: Mapping[str, str]) -> str:
    """Where the spools of all stores are."""
    return env.get("TALLYSTICK_SPOOL", "") or os.path.join(data_folder(env), "spool")


def _store(url: str) -> str:
    """A store by one name, however its URL is spelt, and whatever links lead to it."""
    return os.path.realpath(sqlite_file(url)) if url.startswith("sqlite:") else url


def path(folder: Place, journal: str) -> str:
    """The spool of a journal. A name that makes no good file name is told by its digest; no two share a file."""
    name = journal
    if not journal or len(journal) > 120 or journal[0] == "." or not _PLAIN.issuperset(journal):
        kept = "".join(c for c in journal[:40] if c in _PLAIN).lstrip(".")
        name = f"{kept}~{digest(journal.encode('utf-8', 'surrogatepass'), size=12)}"
    return os.path.join(folder, name + ".spool")


def sibling(path: Place, kind: str) -> str:
    """What belongs to the same spool: its `key`, `brief`, `torn` and `missed`."""
    return f"{os.fspath(path).removesuffix('.spool')}.{kind}"


def append(path: Place, record: dict[str, Any], timeout: float = LOCK_SECONDS) -> None:
    """Put one record at the end, on the disk when this returns. OSError when it could not: then nothing of it stays."""
    body = dump(record).encode("ascii")
    frame = b"ts1 %d %08x %b\n" % (len(body), crc32(body), body)
    file = _locked(path, create=True, timeout=timeout)
    try:
        _add(file, frame)
    finally:
        os.close(file)


def waiting_bytes(path: Place) -> int:
    """How many bytes wait to be drained."""
    try:
        return os.stat(path).st_size
    except (FileNotFoundError, NotADirectoryError):
        return 0


def spool_problem(path: Place) -> str:
    """Why nothing can be spooled there; empty when something can, or when nobody has yet."""
    return size_and_problem(path)[1] or write_problem(path)


def write_problem(path: Place) -> str:
    """Why a spool cannot be written now, by what the system says of its file, or of its folder if there is none yet.
    A hook finds out by trying, and where even its count of what it missed cannot be written, only this tells."""
    place = path if os.access(path, os.F_OK) else os.path.dirname(path) or "."
    if not os.access(place, os.F_OK):
        return ""
    try:
        disk = os.statvfs(place)
    except OSError as error:
        return error.strerror or str(error)
    if disk.f_flag & os.ST_RDONLY:
        return "its disk can only be read"
    if not os.access(place, os.W_OK):
        return "it may not be written"
    room = disk.f_bavail if os.geteuid() else disk.f_bfree
    return "its disk is full" if disk.f_blocks and not room else ""


def size_and_problem(path: Place) -> tuple[int, str]:
    """How many bytes wait to be drained, and why nothing can be spooled there, both with one look."""
    try:
        about = os.stat(path)
    except FileNotFoundError:
        return 0, ""
    except OSError as error:
        return 0, error.strerror or str(error)
    plain = about.st_mode & 0o170000 == 0o100000  # S_ISREG, without the module: this is asked before each answer
    return about.st_size, "" if plain else "it is no plain file"


def file_stamp(path: Place) -> tuple[int, int, int]:
    """What changes when a file is put there anew."""
    try:
        about = os.stat(path)
    except (OSError, ValueError):  # a name that no file can have
        return 0, 0, 0
    return about.st_ino, about.st_mtime_ns, about.st_size


def count_torn(path: Place) -> int:
    """How many records lie beside, because they could not be read or recorded."""
    return sum(1 for line in read_file(sibling(path, "torn")).split(b"\n") if line)


def add_missed(path: Place) -> None:
    """Count a record that could not be kept. The count is the length of a file without content, which a full disk has
    room for; where even that fails, nobody will know."""
    try:
        _make_folder(path)
        file = os.open(sibling(path, "missed"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _lock(file, monotonic() + _SOON)
            os.ftruncate(file, os.fstat(file).st_size + 1)
        finally:
            os.close(file)
    except OSError:
        return


def read_missed(path: Place) -> tuple[int, int]:
    """How many records could not be kept, and when that was last, in microseconds."""
    place = sibling(path, "missed")
    if not os.access(place, os.F_OK):  # asked before each answer: an exception would cost three times as much
        return 0, 0
    try:
        about = os.stat(place)
    except OSError:
        return 0, 0
    return about.st_size, about.st_mtime_ns // 1000


class ReadMark:
    """How far a reader came: the size of what it read, how that ends, and the torn lines in it."""

    __slots__ = ("size", "tail", "torn")

    def __init__(self, size: int = 0, tail: bytes = b"", torn: tuple[bytes, ...] = ()) -> None:
        self.size = size
        self.tail = tail
        self.torn = torn


class SpoolPart:
    """What was read: records in the order in which they were appended, torn lines apart, and how far it goes."""

    __slots__ = ("mark", "records", "torn")

    def __init__(self, records: list[dict[str, Any]], torn: list[bytes], mark: ReadMark) -> None:
        self.records = records
        self.torn = torn
        self.mark = mark


def read(path: Place, after: ReadMark | None = None, max_bytes: int = READ_BYTES) -> SpoolPart:
    """The records, or those after a mark: at most so many bytes of them, but at least one."""
    try:
        file = _locked(path, create=False)
    except FileNotFoundError:
        return SpoolPart([], [], ReadMark())
    try:
        size = os.fstat(file).st_size
        if after is None or not _ends_with(file, after):  # somebody else cleared it since
            after = ReadMark()
        content = _lines(file, after.size, size, max_bytes)
        end = after.size + len(content)
        tail = os.pread(file, min(end, _TAIL), max(0, end - _TAIL))
    finally:
        os.close(file)
    records, torn = [], []
    for line in content.split(b"\n"):
        record = _record(line)
        if record is not None:
            records.append(record)
        elif line:
            torn.append(line)
    return SpoolPart(records, torn, ReadMark(end, tail, (*after.torn, *torn)))


def clear(path: Place, mark: ReadMark) -> bool:
    """Empty the spool, if nothing came since it was read up to there; False if something did.

    Torn lines are kept first, in the file beside it.
    """
    try:
        file = _locked(path, create=False)
    except FileNotFoundError:
        return not mark.size
    try:
        if os.fstat(file).st_size != mark.size or not _ends_with(file, mark):
            return False
        if mark.torn:
            _keep(sibling(path, "torn"), mark.torn)
        os.ftruncate(file, 0)
        os.fsync(file)
    finally:
        os.close(file)
    return True


def replace_file(path: Place, content: bytes) -> None:
    """Write a file that stands beside a spool, whole or not at all, for this user only."""
    new = f"{os.fspath(path)}.{os.getpid()}.{get_ident()}"
    _make_folder(path)
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        _write(file, content)
        os.fsync(file)
        os.replace(new, path)
    except OSError:
        os.unlink(new)
        raise
    finally:
        os.close(file)


def read_file(path: Place) -> bytes:
    """The content of such a file; empty when there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _locked(path: Place, create: bool, timeout: float = LOCK_SECONDS) -> int:
    """The spool, open and locked. Closing it gives up the lock."""
    until = monotonic() + timeout
    while True:
        file = _open(path, create)
        try:
            _lock(file, until)
            if os.fstat(file).st_nlink:  # else it was deleted before we had it
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _open(path: Place, create: bool) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        if not create:
            raise
    _make_folder(path)
    file = os.open(path, flags | os.O_CREAT, 0o600)
    _sync_folder(path)
    return file


def _make_folder(path: Place) -> None:
    place = os.path.dirname(path)
    if place and not os.path.isdir(place):
        os.makedirs(place, 0o700, exist_ok=True)


def _sync_folder(path: Place) -> None:
    """A new file is on the disk when its name is."""
    place = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def _lock(file: int, until: float) -> None:
    pause = 0.0005
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EINTR):
                raise
        if monotonic() > until:
            raise TimeoutError(errno.ETIMEDOUT, "the spool stays locked by another process")
        sleep(pause)
        pause = min(pause * 1.5, 0.02)


def _add(file: int, frame: bytes) -> None:
    """Append, and take back what could be written only in part: it was never there."""
    end = os.fstat(file).st_size
    lead = b"\n" if end and os.pread(file, 1, end - 1) != b"\n" else b""
    try:
        _write(file, lead + frame)
        os.fsync(file)
    except OSError:
        os.ftruncate(file, end)
        raise


def _write(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:  # the system takes less only when the disk is nearly full: the next write says so
        rest = rest[os.write(file, rest) :]


def _ends_with(file: int, mark: ReadMark) -> bool:
    """Whether what was read up to a mark is still there. Each record has an id of its own, so its end tells."""
    return os.pread(file, len(mark.tail), mark.size - len(mark.tail)) == mark.tail


def _lines(file: int, start: int, size: int, max_bytes: int) -> bytes:
    """Whole lines from `start` on; the last one in the file counts as whole, for nobody is writing."""
    content = _at(file, start, min(max_bytes, size - start))
    while start + len(content) < size and b"\n" not in content:
        content += _at(file, start + len(content), min(max_bytes, size - start - len(content)))
    return content if start + len(content) == size else content[: content.rindex(b"\n") + 1]


def _at(file: int, start: int, length: int) -> bytes:
    return b"".join(_pieces(file, start, length))


def _pieces(file: int, start: int, length: int) -> Iterator[bytes]:
    while length > 0 and (piece := os.pread(file, length, start)):
        yield piece
        start, length = start + len(piece), length - len(piece)


def _record(line: bytes) -> dict[str, Any] | None:
    parts = line.split(b" ", 3)
    if len(parts) < 4 or parts[0] != b"ts1":
        return None
    _, length, check, body = parts
    if length != b"%d" % len(body) or check != b"%08x" % crc32(body):
        return None
    try:
        record = parse(body.decode("ascii"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _keep(path: str, torn: tuple[bytes, ...]) -> None:
    """Add torn lines to those that are kept, once: whoever died after this and before the clearing does it again."""
    known = set(read_file(path).split(b"\n"))
    file = _open(path, create=True)
    try:
        _add(file, b"".join(line + b"\n" for line in dict.fromkeys(torn) if line not in known))
    finally:
        os.close(file)


# ----------------------------------------------------------------------------------------------------------------------
# Digests without the package around them: importing `hashlib` brings OpenSSL along.


def digest(content: bytes, key: bytes = b"", size: int = 16) -> str:
    """BLAKE2b in hex, as the journal takes it."""
    try:
        from _blake2 import blake2b
    except ImportError:  # an interpreter that was built without it
        from hashlib import blake2b

    return blake2b(content, digest_size=size, key=key).hexdigest()
