"""Decides whether a session is over: it was ended, its process is gone, or its lease ran out.

| kind    | over when                                                                        |
| process | its process is gone; its lease counts only where its locks cannot be seen        |
| client  | the agent's process is gone; the lease only where that process cannot be seen    |
| handle  | its lease ran out                                                                |
"""

import fcntl
import os
import select
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Condition, Lock, Thread

from tallystick.core.chain import MAX_REPEATED_MICROSECONDS
from tallystick.core.errors import StorageUnavailable
from tallystick.core.state import Session
from tallystick.store.interface import Lease

# ----------------------------------------------------------------------------------------------------------------------
# Process locks: how other processes see at once that a process has ended.
#
# A living process holds a lock on one byte of a small file; the system releases it when the process is gone, for any
# reason. Locks are POSIX record locks: they belong to the process, a forked child does not inherit them, and closing
# any handle of the file would drop them all. So a process opens each such file once and never closes it.
#
# The file holds a random name. Processes that read the same name see the same locks; a session that was opened under
# another name (another machine, another container) is judged by its lease.

MAX_ANCESTORS = 32
MAX_WATCHED = 64
"""Processes that are watched: each needs a descriptor."""
MAX_CHAINS = 4
ENDED_STATES = ("Z", "X", "x")
STOPPED_STATES = ("T", "t")
MIN_SILENCE_MICROSECONDS = 1_000_000
"""A process that was seen alive so lately is not looked at for its lease: that costs a query."""
"""States in /proc of a process that has ended and whose exit status was not collected yet."""
_LOCK_OFFSETS = 1 << 46
"""Locks are taken at random offsets, so that no register of them is needed."""


class Presence:
    """The lock file of one store, in this process."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.name = self._read_or_write_name()
        self._held: set[int] = set()
        self._mutex = Lock()

    def is_at(self, path: str) -> bool:
        """Whether the file is still the one at the path: it may have been deleted with the whole store."""
        try:
            return os.path.samestat(os.fstat(self._file), os.stat(path))
        except FileNotFoundError:
            return False

    def claim(self) -> int:
        """Take a lock that is released only when this process ends; returns its offset."""
        with self._mutex:
            offset = int.from_bytes(os.urandom(8)) % _LOCK_OFFSETS + 64
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, offset)
            self._held.add(offset)
            return offset

    def is_held(self, offset: int) -> bool:
        """Whether some living process holds the lock at `offset`."""
        with self._mutex:
            if offset in self._held:
                return True
            try:
                # Shared, so that two processes that check at the same moment do not see each other as the owner.
                fcntl.lockf(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, offset)
            except OSError:
                return True
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, offset)
            return False

    def _read_or_write_name(self) -> str:
        """The name inside the file; the first process writes it, under a lock."""
        fcntl.lockf(self._file, fcntl.LOCK_EX, 1, 0)
        try:
            name = os.pread(self._file, 32, 0)
            if len(name) < 32:
                name = os.urandom(16).hex().encode()
                os.pwrite(self._file, name, 0)
            return name.decode("ascii", "replace")
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, 0)


_by_path: dict[str, tuple[int, Presence]] = {}
_by_path_lock = Lock()


def open_presence(path: str | os.PathLike[str]) -> Presence:
    """The one `Presence` of this process for a file; a forked child gets its own, and so does a new file."""
    real_path = os.path.realpath(path)
    with _by_path_lock:
        process, presence = _by_path.get(real_path, (0, None))
        if presence is None or process != os.getpid() or not presence.is_at(real_path):
            presence = Presence(path)
            _by_path[real_path] = (os.getpid(), presence)
        return presence


def process_start_ticks(process: int) -> int:
    """The start time of a process in system ticks; 0 if there is no such process, or it has ended.

    The system reuses process numbers, but not a number together with its start time. An ended process stays listed
    until its parent collects it, which some containers never do. A process whose first thread has ended is listed with
    the same state, and lives while it has other threads.
    """
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            stat = file.read().rpartition(")")[2].split()
        return 0 if stat[0] in ENDED_STATES and int(stat[17]) <= 1 else int(stat[19])
    except (OSError, ValueError, IndexError):
        return _exists_by_signal(process)


def process_ancestors(process: int) -> tuple[int, ...]:
    """The parent processes of a process, nearest first; empty without /proc."""
    found: list[int] = []
    while process > 1 and len(found) < MAX_ANCESTORS:
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
                process = int(file.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
        found.append(process)
    return tuple(found)


# A recorder asks for the same few processes with every call. The system reports the end of a process at a descriptor of
# it (pidfd), so what /proc said is true until then, and is not read again.


class WatchedProcess:
    """A process whose end the system reports."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.descriptor = os.pidfd_open(process)
        self.start_ticks = process_start_ticks(process)

    def __del__(self) -> None:
        if hasattr(self, "descriptor"):
            os.close(self.descriptor)


_watched: dict[int, WatchedProcess] = {}
_chains: dict[int, list[WatchedProcess]] = {}
"""Processes with their ancestors. While all of them live, none has got another parent."""


def lives_since(process: int, start_ticks: int) -> bool:
    """Whether the process that started then still lives."""
    watched = _watch(process)
    return (watched.start_ticks if watched else process_start_ticks(process)) == start_ticks


def known_ancestors(process: int) -> tuple[int, ...]:
    """The same as `process_ancestors`, for a process that is asked about again and again."""
    chain = _chains.get(process)
    if chain is None or not _all_live(chain):
        _chains.pop(process, None)
        found = process_ancestors(process)
        watched = [_watch(each) for each in (process, *found)]
        if None in watched or process_ancestors(process) != found:
            return found
        if len(_chains) >= MAX_CHAINS:
            _chains.clear()
        chain = _chains[process] = [each for each in watched if each is not None]
    return tuple(each.process for each in chain[1:])


def _watch(process: int) -> WatchedProcess | None:
    """A process that lives; None if it does not, or cannot be watched."""
    watched = _watched.get(process)
    if watched is None or not _all_live([watched]):
        try:
            watched = WatchedProcess(process)
        except (OSError, AttributeError):  # there is none, or the system has no such descriptors
            return None
        if not _all_live([watched]):
            return None
        if len(_watched) >= MAX_WATCHED:
            _watched.clear()
        _watched[process] = watched
    return watched


def _all_live(watched: Iterable[WatchedProcess]) -> bool:
    ended = select.poll()
    for each in watched:
        ended.register(each.descriptor, select.POLLIN)
    return not ended.poll(0)


def process_name(process: int) -> str:
    """The system's short name of the program that a process runs; empty without /proc."""
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _exists_by_signal(process: int) -> int:
    """1 if the process exists, on systems without /proc, which show no start time."""
    if os.path.exists("/proc/self/stat"):
        return 0
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return 0
    except PermissionError:
        return 1
    return 1


# ----------------------------------------------------------------------------------------------------------------------
# The decision.


def is_over(session: Session, lease_of: Callable[[str], Lease | None], now: int, presence: Presence | None) -> bool:
    """Whether a session is over at `now`, on the store's clock."""
    if session.status != "open":
        return True
    if presence is not None and session.host == presence.name:
        if session.session_kind == "process":
            return not presence.is_held(session.lock)
        if session.session_kind == "client" and session.process:
            # A process that ended before its session was opened has no known start time.
            return not session.process_started or not lives_since(session.process, session.process_started)
    lease = lease_of(session.id)
    if lease is None:
        return True
    # A lease that was renewed in the future is one of a wrong clock: it would never end.
    return not now < lease.expires <= now + int(lease.seconds * 1_000_000) + MAX_REPEATED_MICROSECONDS


def silent_since(
    session: Session, lease_of: Callable[[str], Lease | None], now: int, presence: Presence | None, seen: int = 0
) -> int:
    """Since when a process that lives has given no sign of life: somebody has stopped it, or its lease has run out.
    0 if it gives one, or is over. It was seen alive at `seen`."""
    is_visible = presence is not None and session.host == presence.name
    is_stopped = is_visible and _process_state(session.process) in STOPPED_STATES
    if session.session_kind != "process" or (now - seen < MIN_SILENCE_MICROSECONDS and not is_stopped):
        return 0
    lease = lease_of(session.id)
    if lease is None or (now < lease.expires and not is_stopped) or is_over(session, lease_of, now, presence):
        return 0
    return min(max(lease.expires - int(lease.seconds * 1_000_000), seen), now)


def _process_state(process: int) -> str:
    """The state of a process in /proc, such as R or T; empty if it is not known."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


# ----------------------------------------------------------------------------------------------------------------------
# Leases that are renewed while this process lives, for other machines, which cannot see its lock.


class Heartbeat:
    """One thread renews all leases of a store. `renew(journal, session, lock, seconds)` returns False to stop."""

    def __init__(self, renew: Callable[[str, str, int, float], bool]) -> None:
        self._renew = renew
        self._changed = Condition()
        self._due: dict[tuple[str, str, int, float], float] = {}
        self._thread: Thread | None = None
        self._closed = False

    def keep(self, journal: str, session: str, lock: int, seconds: float) -> None:
        """Renew a lease of `seconds` each time a third of it has passed."""
        with self._changed:
            self._due[journal, session, lock, seconds] = time.monotonic() + seconds / 3
            if self._thread is None:
                thread = Thread(target=self._run, name="tallystick-heartbeat", daemon=True)
                thread.start()
                self._thread = thread  # last: an interrupt must leave none that has not started
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(timeout=15)

    def _run(self) -> None:
        while lease := self._next():
            try:
                is_needed = self._renew(*lease)
            except StorageUnavailable:
                is_needed = True  # try again at the next interval
            with self._changed:
                if is_needed:
                    self._due[lease] = time.monotonic() + lease[3] / 3
                else:
                    self._due.pop(lease, None)

    def _next(self) -> tuple[str, str, int, float] | None:
        """Wait for the next lease that is due; None when the thread is to end."""
        with self._changed:
            while not self._closed and self._due:
                lease, due = min(self._due.items(), key=lambda item: item[1])
                left = due - time.monotonic()
                if left <= 0:
                    return lease
                self._changed.wait(left)
            self._thread = None
            return None
