"""Whether a session is over: by its own word, by the death of its process, or by its lease.

| kind    | over when                                                                        |
| process | its process is gone; its lease counts only where its locks cannot be seen        |
| client  | the agent's process is gone; the lease only where that process cannot be seen    |
| handle  | its lease ran out                                                                |
"""

import fcntl
import os
import time
from collections.abc import Callable
from threading import Condition, Lock, Thread

from tallystick.core.errors import StorageUnavailable
from tallystick.core.state import Session
from tallystick.store.interface import Lease

# ----------------------------------------------------------------------------------------------------------------------
# How one process shows that it lives, and how another sees at once that it died.
#
# A living process holds a lock on one byte of a small file; the system lets go of it when the process is gone, however
# it went. Locks are POSIX record locks: they belong to the process, a forked child does not inherit them, and closing
# any handle of the file would drop them all. So a process opens each such file once and never closes it.
#
# The file holds a random name. Whoever sees the same name looks at the same locks; a session that was opened under
# another name (another machine, another container) is judged by its lease.

ANCESTORS = 32
DEAD = ("Z", "X", "x")
"""The states of a process that has ended, and whose number the system keeps until somebody asks how."""
_OFFSETS = 1 << 46
"""Locks are taken at random places, so that no register of them is needed."""


class Presence:
    """The lock file of one store, in this process."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.name = self._named()
        self._held: set[int] = set()
        self._mutex = Lock()

    def claim(self) -> int:
        """Take a lock that only the death of this process lets go of."""
        with self._mutex:
            place = int.from_bytes(os.urandom(8)) % _OFFSETS + 64
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            self._held.add(place)
            return place

    def alive(self, place: int) -> bool:
        """Whether some living process holds the lock at `place`."""
        with self._mutex:
            if place in self._held:
                return True
            try:
                # Shared, so that two who look at the same moment do not take each other for the owner.
                fcntl.lockf(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, place)
            except OSError:
                return True
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)
            return False

    def _named(self) -> str:
        """The name inside the file; who comes first writes it, under a lock."""
        fcntl.lockf(self._file, fcntl.LOCK_EX, 1, 0)
        try:
            name = os.pread(self._file, 32, 0)
            if len(name) < 32:
                name = os.urandom(16).hex().encode()
                os.pwrite(self._file, name, 0)
            return name.decode("ascii", "replace")
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, 0)


_open: dict[str, tuple[int, Presence]] = {}
_opening = Lock()


def presence(path: str | os.PathLike[str]) -> Presence:
    """The one `Presence` of this process for a file; a forked child gets its own."""
    place = os.path.realpath(path)
    with _opening:
        process, found = _open.get(place, (0, None))
        if found is None or process != os.getpid():
            found = Presence(path)
            _open[place] = (os.getpid(), found)
        return found


def process_start_ticks(process: int) -> int:
    """When a process began, in the system's own ticks; 0 when there is no such process, or none any more.

    A process number is used again after a while; the number together with this is not. Nobody need ask how a process
    ended: in a container whose first process does not, a killed one is listed for ever. One whose first thread has
    ended is listed alike, and lives while it has others.
    """
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            stat = file.read().rpartition(")")[2].split()
        return 0 if stat[0] in DEAD and int(stat[17]) <= 1 else int(stat[19])
    except (OSError, ValueError, IndexError):
        return _signalled(process)


def process_ancestors(process: int) -> tuple[int, ...]:
    """The processes that have started a process, the nearest first; none where the system does not tell."""
    found: list[int] = []
    while process > 1 and len(found) < ANCESTORS:
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
                process = int(file.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
        found.append(process)
    return tuple(found)


def process_name(process: int) -> str:
    """What a process runs, by the short name that the system has for it; empty where it does not tell."""
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _signalled(process: int) -> int:
    """Where the system shows no start time, being there has to do."""
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


def is_over(session: Session, lease_of: Callable[[str], Lease | None], now: int, presence: Presence | None) -> bool:
    """As of now, on the store's clock."""
    if session.status != "open":
        return True
    if presence is not None and session.host == presence.name:
        if session.session_kind == "process":
            return not presence.alive(session.lock)
        if session.session_kind == "client" and session.process:
            # Nothing is known of the start of one that was gone before its session was opened.
            return not session.process_started or process_start_ticks(session.process) != session.process_started
    lease = lease_of(session.id)
    return lease is None or lease.expires <= now


# ----------------------------------------------------------------------------------------------------------------------
# Leases renewed while this process lives, for those who cannot see its lock: other machines.


class Heartbeat:
    """One thread for all leases of a store. `renew(journal, session, lock, seconds)` says whether to go on with it."""

    def __init__(self, renew: Callable[[str, str, int, float], bool]) -> None:
        self._renew = renew
        self._changed = Condition()
        self._due: dict[tuple[str, str, int, float], float] = {}
        self._thread: Thread | None = None
        self._closed = False

    def keep(self, journal: str, session: str, lock: int, seconds: float) -> None:
        """Renew a lease of so many seconds at a third of its length, again and again."""
        with self._changed:
            self._due[journal, session, lock, seconds] = time.monotonic() + seconds / 3
            if self._thread is None:
                self._thread = Thread(target=self._run, name="tallystick-heartbeat", daemon=True)
                self._thread.start()
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
                goes_on = self._renew(*lease)
            except StorageUnavailable:
                goes_on = True  # it is as much worth trying again as it was before
            with self._changed:
                if goes_on:
                    self._due[lease] = time.monotonic() + lease[3] / 3
                else:
                    self._due.pop(lease, None)

    def _next(self) -> tuple[str, str, int, float] | None:
        """The next lease to renew, when it is due; None when there is no more to do."""
        with self._changed:
            while not self._closed and self._due:
                lease, due = min(self._due.items(), key=lambda item: item[1])
                left = due - time.monotonic()
                if left <= 0:
                    return lease
                self._changed.wait(left)
            self._thread = None
            return None
