"""The spool: events that hooks recorded and the journal does not have yet. One file per journal, with many writers.

A record is one line: `ts1`, the length and the CRC-32 of its JSON, the JSON. It is appended in one write under the
file's lock, and synchronised before the lock is released. JSON contains no line end, so a record that a crash cut short
ends at the next line and damages no other: a writer begins a new line if the last one has no end.

A drainer reads, records and then clears: with `read`, `clear`, and `read(after=...)` if records arrived meanwhile.
Lines that fail their checksum ("torn" lines) go to a file beside the spool before it is cleared. They are never
dropped, and never taken for records.

Standard library only: the hook program uses this module.
"""

from __future__ import annotations

import errno
import fcntl
import os
from _thread import get_ident
from time import monotonic, sleep
from zlib import crc32

from tallystick.core.formats.fast_json import dump, parse
from tallystick.paths import data_folder, default_url, is_sqlite, sqlite_file, store_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Path = str | os.PathLike[str]

LOCK_SECONDS = 3.0
"""How long to wait for the lock. Its holder writes one record, or reads at most `READ_BYTES`."""
READ_BYTES = 16 << 20
"""How much is read at once; more only if one record is longer."""
OTHER_STORE_PREFIX = "of-"
"""How the folders of stores other than the user's own begin."""
_MISSED_LOCK_SECONDS = 0.2
_TAIL_BYTES = 512
_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


def folder(env: Mapping[str, str]) -> str:
    """The folder of the spools for the environment's store.

    A store other than the user's own has a folder of its own, so that no other store takes its records.
    """
    url = store_url(env.get("TALLYSTICK_URL", ""))
    if not url or url.startswith(("http:", "https:")):  # a server drains the folder of its own store
        return root(env)
    store = _store_name(url)
    if store == _store_name(default_url(env)):
        return root(env)
    return os.path.join(root(env), OTHER_STORE_PREFIX + digest(store.encode(), size=8))


def root(env: Mapping[str, str]) -> str:
    """The folder of all stores' spools."""
    return env.get("TALLYSTICK_SPOOL", "") or os.path.join(data_folder(env), "spool")


def _store_name(url: str) -> str:
    """One name for a store, however its URL is spelt and whatever links lead to it."""
    return sqlite_file(url) if is_sqlite(url) else url


def path(folder: Path, journal: str) -> str:
    """The spool of a journal. A name that is unsuitable for a file gets a digest; no two journals share a file."""
    name = journal
    if not journal or len(journal) > 120 or journal[0] == "." or not _NAME_CHARACTERS.issuperset(journal):
        prefix = "".join(c for c in journal[:40] if c in _NAME_CHARACTERS).lstrip(".")
        name = f"{prefix}~{digest(journal.encode('utf-8', 'surrogatepass'), size=12)}"
    return os.path.join(folder, name + ".spool")


def sibling(path: Path, kind: str) -> str:
    """A file that belongs to the same spool: its `key`, `brief`, `torn`, `missed` and others."""
    return f"{os.fspath(path).removesuffix('.spool')}.{kind}"


def append(path: Path, record: dict[str, Any], timeout: float = LOCK_SECONDS) -> None:
    """Append one record; it is durable when this returns. Raises OSError if it failed and nothing of it is left."""
    body = dump(record).encode("ascii")
    frame = b"ts1 %d %08x %b\n" % (len(body), crc32(body), body)
    file = _open_locked(path, create=True, timeout=timeout)
    try:
        _append(file, frame)
    finally:
        os.close(file)


def waiting_bytes(path: Path) -> int:
    """How many bytes wait to be drained."""
    try:
        return os.stat(path).st_size
    except (FileNotFoundError, NotADirectoryError):
        return 0


def spool_problem(path: Path) -> str:
    """Why the spool cannot be used; empty if it can, or if there is none yet."""
    return size_and_problem(path)[1] or write_problem(path)


def write_problem(path: Path) -> str:
    """Why a spool cannot be written now, by the state of its file, or of its folder if there is no file yet.

    A hook finds out by trying; if even its count of missed events cannot be written, only this check shows it.
    """
    target = path if os.access(path, os.F_OK) else os.path.dirname(path) or "."
    if not os.access(target, os.F_OK):
        return ""
    try:
        disk = os.statvfs(target)
    except OSError as error:
        return error.strerror or str(error)
    if disk.f_flag & os.ST_RDONLY:
        return "its disk can only be read"
    if not os.access(target, os.W_OK):
        return "it may not be written"
    free_blocks = disk.f_bavail if os.geteuid() else disk.f_bfree
    return "its disk is full" if disk.f_blocks and not free_blocks else ""


def size_and_problem(path: Path) -> tuple[int, str]:
    """How many bytes wait to be drained, and why the file cannot be used, with one system call."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return 0, ""
    except OSError as error:
        return 0, error.strerror or str(error)
    is_regular = status.st_mode & 0o170000 == 0o100000  # S_ISREG without its module: this runs before each answer
    return status.st_size, "" if is_regular else "it is no plain file"


def file_stamp(path: Path) -> tuple[int, int, int]:
    """Inode, modification time and size of a file: a replaced file has another stamp."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # ValueError: no file can have such a name
        return 0, 0, 0
    return status.st_ino, status.st_mtime_ns, status.st_size


def count_torn(path: Path) -> int:
    """How many records are kept beside the spool because they could not be read or recorded."""
    return sum(1 for line in read_file(sibling(path, "torn")).split(b"\n") if line)


def add_missed(path: Path) -> None:
    """Count an event that could not be spooled.

    The count is the length of a file without content, for which a full disk has room. If even that fails, the event is
    lost without a trace.
    """
    try:
        _make_folder(path)
        file = os.open(sibling(path, "missed"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _lock(file, monotonic() + _MISSED_LOCK_SECONDS)
            os.ftruncate(file, os.fstat(file).st_size + 1)
        finally:
            os.close(file)
    except OSError:
        return


def read_missed(path: Path) -> tuple[int, int]:
    """How many events could not be spooled, and when the last one was, in microseconds."""
    count_file = sibling(path, "missed")
    if not os.access(count_file, os.F_OK):  # this runs before each answer: an exception would cost three times as much
        return 0, 0
    try:
        status = os.stat(count_file)
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns // 1000


class ReadMark:
    """How far a spool was read: the number of bytes, the last of them, and the torn lines among them."""

    __slots__ = ("size", "tail", "torn")

    def __init__(self, size: int = 0, tail: bytes = b"", torn: tuple[bytes, ...] = ()) -> None:
        self.size = size
        self.tail = tail
        self.torn = torn


class SpoolPart:
    """A part of a spool that was read: the records in their order, the torn lines, and a mark of how far it goes."""

    __slots__ = ("mark", "records", "torn")

    def __init__(self, records: list[dict[str, Any]], torn: list[bytes], mark: ReadMark) -> None:
        self.records = records
        self.torn = torn
        self.mark = mark


def read(path: Path, after: ReadMark | None = None, max_bytes: int = READ_BYTES) -> SpoolPart:
    """The records, or those after a mark: at most `max_bytes` of them, but at least one record."""
    try:
        file = _open_locked(path, create=False)
    except FileNotFoundError:
        return SpoolPart([], [], ReadMark())
    try:
        size = os.fstat(file).st_size
        if after is None or not _contains(file, after):  # another process cleared it since
            after = ReadMark()
        content = _read_lines(file, after.size, size, max_bytes)
        end = after.size + len(content)
        tail = os.pread(file, min(end, _TAIL_BYTES), max(0, end - _TAIL_BYTES))
    finally:
        os.close(file)
    records, torn = [], []
    for line in content.split(b"\n"):
        record = _parse_record(line)
        if record is not None:
            records.append(record)
        elif line:
            torn.append(line)
    return SpoolPart(records, torn, ReadMark(end, tail, (*after.torn, *torn)))


def clear(path: Path, mark: ReadMark) -> bool:
    """Empty the spool if nothing was appended after the mark; returns whether it was emptied.

    Torn lines are first written to the file beside it.
    """
    try:
        file = _open_locked(path, create=False)
    except FileNotFoundError:
        return not mark.size
    try:
        if os.fstat(file).st_size != mark.size or not _contains(file, mark):
            return False
        if mark.torn:
            _save_torn(sibling(path, "torn"), mark.torn)
        os.ftruncate(file, 0)
        os.fsync(file)
    finally:
        os.close(file)
    return True


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside a spool, whole or not at all, readable for this user only."""
    temporary = f"{os.fspath(path)}.{os.getpid()}.{get_ident()}"
    _make_folder(path)
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        _write(file, content)
        os.fsync(file)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
    finally:
        os.close(file)


def read_file(path: Path) -> bytes:
    """The content of a file; empty if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _open_locked(path: Path, create: bool, timeout: float = LOCK_SECONDS) -> int:
    """The spool, open and locked. Closing it releases the lock."""
    deadline = monotonic() + timeout
    while True:
        file = _open(path, create)
        try:
            _lock(file, deadline)
            if os.fstat(file).st_nlink:  # else it was deleted before it was locked
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _open(path: Path, create: bool) -> int:
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


def _make_folder(path: Path) -> None:
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        os.makedirs(folder, 0o700, exist_ok=True)


def _sync_folder(path: Path) -> None:
    """Make the name of a new file durable."""
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _lock(file: int, deadline: float) -> None:
    pause = 0.0005
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EINTR):
                raise
        if monotonic() > deadline:
            raise TimeoutError(errno.ETIMEDOUT, "the spool stays locked by another process")
        sleep(pause)
        pause = min(pause * 1.5, 0.02)


def _append(file: int, frame: bytes) -> None:
    """Append and synchronise; on an error, remove the part that was written."""
    end = os.fstat(file).st_size
    line_end = b"\n" if end and os.pread(file, 1, end - 1) != b"\n" else b""
    try:
        _write(file, line_end + frame)
        os.fsync(file)
    except OSError:
        os.ftruncate(file, end)
        raise


def _write(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:  # a short write means that the disk is nearly full: the next write raises
        rest = rest[os.write(file, rest) :]


def _contains(file: int, mark: ReadMark) -> bool:
    """Whether what was read up to a mark is still there. Each record has a unique id, so its last bytes show it."""
    return os.pread(file, len(mark.tail), mark.size - len(mark.tail)) == mark.tail


def _read_lines(file: int, start: int, size: int, max_bytes: int) -> bytes:
    """Whole lines from `start` on. The last one in the file counts as whole, since the lock keeps writers out."""
    content = _read_at(file, start, min(max_bytes, size - start))
    while start + len(content) < size and b"\n" not in content:
        content += _read_at(file, start + len(content), min(max_bytes, size - start - len(content)))
    return content if start + len(content) == size else content[: content.rindex(b"\n") + 1]


def _read_at(file: int, start: int, length: int) -> bytes:
    return b"".join(_pieces(file, start, length))


def _pieces(file: int, start: int, length: int) -> Iterator[bytes]:
    while length > 0 and (piece := os.pread(file, length, start)):
        yield piece
        start, length = start + len(piece), length - len(piece)


def _parse_record(line: bytes) -> dict[str, Any] | None:
    parts = line.split(b" ", 3)
    if len(parts) < 4 or parts[0] != b"ts1":
        return None
    _, length, checksum, body = parts
    if length != b"%d" % len(body) or checksum != b"%08x" % crc32(body):
        return None
    try:
        record = parse(body.decode("ascii"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _save_torn(path: str, torn: tuple[bytes, ...]) -> None:
    """Append the torn lines that are not saved yet: a drainer that died before it cleared the spool saved them."""
    known = set(read_file(path).split(b"\n"))
    file = _open(path, create=True)
    try:
        _append(file, b"".join(line + b"\n" for line in dict.fromkeys(torn) if line not in known))
    finally:
        os.close(file)


def digest(content: bytes, key: bytes = b"", size: int = 16) -> str:
    """BLAKE2b in hex, as the journal computes it. Importing `hashlib` would load OpenSSL, so it is the fallback."""
    try:
        from _blake2 import blake2b
    except ImportError:  # an interpreter that was built without it
        from hashlib import blake2b

    return blake2b(content, digest_size=size, key=key).hexdigest()
