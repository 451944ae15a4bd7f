"""The processes of a command: ends them, and finds out later, in another runner, whether some of them still run.

The begin of an action names a lock, which is a file of this machine. The command inherits the file open and locked, so
that the system keeps the lock until the last process that has it open is gone. The file also names the session of the
command: its processes count even if they have closed what they inherited. A runner that looks opens the file for
reading: it is no process of the command, and is not ended with it.

| the file | the processes of the command |
|---|---|
| is not there | none was started, or the command has ended |
| is locked, or there are processes of its session | some still run |
| names no session | unknown: the runner was killed in the moment of the start |
| is on another machine | unknown |
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import signal
import socket
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import CLOCK_BOOTTIME, clock_gettime
from typing import TYPE_CHECKING

from msgspec import Struct

from tallystick import operations
from tallystick.paths import data_folder
from tallystick.store.liveness import ENDED_STATES, open_presence, process_name, process_start_ticks

if TYPE_CHECKING:
    from tallystick.operations.actions import ActionView
    from tallystick.runner.stepper import AsyncCall

END_AFTER_SECONDS = 5.0
"""Between SIGTERM and SIGKILL."""
END_CHILDREN_AFTER_SECONDS = 1.0
"""Between the end of a command and SIGKILL for what it has started."""
GONE_WITHIN_SECONDS = 1.0
"""How long processes are looked for after SIGKILL."""
POLL_SECONDS = 0.05
LOOK_SECONDS = 0.5
"""How often a command of an earlier runner is looked at."""
MAX_SHOWN = 3
MAX_HOST_CHARACTERS = 64
_LOCK = re.compile(r"([^:]+:[0-9a-f]{32}):([0-9a-f]{16})")
_PROC = Path("/proc")


class CommandSession(Struct, frozen=True):
    """The session that a command leads: on which system, its number, and when it was started."""

    system: str
    leader: int
    leader_start: int
    started: float

    @classmethod
    def of(cls, leader: int) -> CommandSession:
        return cls(_system(), leader, process_start_ticks(leader), clock_gettime(CLOCK_BOOTTIME))

    @classmethod
    def parse(cls, text: str) -> CommandSession | None:
        with suppress(ValueError):
            system, leader, leader_start, started = text.split()
            return cls(system, int(leader), int(leader_start), float(started))
        return None

    def __str__(self) -> str:
        return f"{self.system} {self.leader} {self.leader_start} {self.started}"

    @property
    def is_here(self) -> bool:
        """Whether its numbers are those of this system, and were not given to others since."""
        return self.system == _system() and process_start_ticks(self.leader) in (0, self.leader_start)


class LeftProcesses(Struct, frozen=True, kw_only=True):
    """What is left of a command. `is_running` None: that cannot be told. `text` says it to a person."""

    is_running: bool | None
    text: str = ""
    ids: frozenset[int] = frozenset()
    seconds: float = 0.0
    """Since the start of the command, if it is known."""


# ----------------------------------------------------------------------------------------------------------------------
# Locks


def new_lock() -> str:
    """The name of a lock: the host, its folder of locks, and a random number; empty if the folder cannot be written."""
    folder = _locks_here()
    return f"{folder}:{os.urandom(8).hex()}" if folder else ""


def _locks_here() -> str:
    """The name of this machine's folder of locks. The random part in it tells folders apart, the host machines that
    share a home folder."""
    try:
        _folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        random = open_presence(_folder() / "name").name
    except OSError:
        return ""
    host = socket.gethostname()[:MAX_HOST_CHARACTERS].replace(":", "-") or "localhost"
    return f"{host}:{random}"


def _folder() -> Path:
    return Path(data_folder(os.environ), "commands")


def _system() -> str:
    """The boot of the system, and the namespace of its process numbers."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.readlink(_PROC / 'self/ns/pid')}"
    except OSError:
        return "-"


class HeldLock:
    """A lock while its command runs: the file, which the command inherits."""

    def __init__(self, name: str) -> None:
        self.path = _folder() / name.rpartition(":")[2]
        self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def name_session(self, leader: int) -> None:
        with suppress(OSError):  # the disk is full: then only the lock counts
            os.write(self.file, f"{CommandSession.of(leader)}\n".encode())

    def delete(self) -> None:
        """Nothing of the command counts from now on."""
        self.path.unlink(missing_ok=True)


@contextmanager
def hold_lock(name: str) -> Iterator[HeldLock]:
    """Hold a lock while a command is started and waited for. Unless it is deleted, what is left of the command counts
    until it is gone."""
    lock = HeldLock(name)
    try:
        yield lock
    finally:
        os.close(lock.file)


def find_left(name: str) -> LeftProcesses:
    """What is left of the command that was started with a lock."""
    parts = _LOCK.fullmatch(name)
    if parts is None:
        return LeftProcesses(is_running=None, text="it is not known whether its command still runs")
    if parts[1] != _locks_here():
        host = name.partition(":")[0]
        return LeftProcesses(is_running=None, text=f"its command was started on {host}, and may still run there")
    path = _folder() / parts[2]
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # for reading: others that look do not see it
    except FileNotFoundError:
        return LeftProcesses(is_running=False)
    try:
        return _left_of(file, path)
    finally:
        os.close(file)


def _left_of(file: int, path: Path) -> LeftProcesses:
    session = CommandSession.parse(os.pread(file, 200, 0).decode(errors="replace"))
    ids = find_processes(session.leader if session and session.is_here else 0, path)
    if ids or _is_locked(file):
        seconds = clock_gettime(CLOCK_BOOTTIME) - session.started if session and session.system == _system() else 0.0
        return LeftProcesses(is_running=True, text=f"its command still runs: {_shown(ids)}", ids=ids, seconds=seconds)
    if session is None:
        text = "its runner was killed in the moment in which its command was started"
        return LeftProcesses(is_running=None, text=text)
    path.unlink(missing_ok=True)
    return LeftProcesses(is_running=False)


def _is_locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared: two that look do not see each other
    except OSError:
        return True
    return False


def _shown(ids: frozenset[int]) -> str:
    named = [f"process {each} ({process_name(each) or 'unknown'})" for each in sorted(ids)]
    more = f" and {len(named) - MAX_SHOWN} more" if len(named) > MAX_SHOWN else ""
    return ", ".join(named[:MAX_SHOWN]) + more if named else "a process that cannot be seen from here"


# ----------------------------------------------------------------------------------------------------------------------
# Processes


def find_processes(session: int, lock: Path | None) -> frozenset[int]:
    """The processes of a session, and those that have the file of a lock open for writing; without this one."""
    found = {each for each in _all_processes() if session and _session_of(each) == session}
    if session and _is_hidden(session):
        found.add(session)
    if lock is not None:
        path = str(lock.resolve())
        found |= {each for each in _all_processes() if _has_open(each, path)}
    return frozenset(found - {os.getpid()})


def _all_processes() -> list[int]:
    return [int(name) for name in os.listdir(_PROC) if name.isdigit()]


def _session_of(process: int) -> int:
    """The session of a living process; 0 if there is none."""
    with suppress(OSError, ValueError, IndexError):
        stat = (_PROC / str(process) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        if stat[0] not in ENDED_STATES or int(stat[17]) > 1:
            return int(stat[3])
    return 0


def _is_hidden(process: int) -> bool:
    """Whether a process lives that the system shows to its own user only."""
    try:
        os.kill(process, 0)
    except PermissionError:
        return not (_PROC / str(process)).exists()
    except ProcessLookupError:
        return False
    return False


def _has_open(process: int, path: str) -> bool:
    """Whether a process of the same user has a file open for writing; its descriptors are not shown to others."""
    folder = _PROC / str(process) / "fd"
    try:
        return any(_is_written(folder / each, path) for each in os.listdir(folder))
    except OSError:
        return False


def _is_written(link: Path, path: str) -> bool:
    """Whether a descriptor is of a file, and for writing."""
    try:
        return os.readlink(link) == path and bool(os.lstat(link).st_mode & stat.S_IWUSR)
    except OSError:  # it was closed meanwhile
        return False


async def end_processes(find: Callable[[], frozenset[int]], leader: int = 0) -> bool:
    """End the processes that are found, in the end by force; returns whether none is left. `leader` is the command
    itself, if it is a process of this runner."""
    seconds = END_AFTER_SECONDS
    left = await _signal(find, leader, signal.SIGTERM)
    while left and seconds > 0:
        await asyncio.sleep(POLL_SECONDS)
        left = await asyncio.to_thread(find)
        if leader and leader not in left:
            seconds = min(seconds, END_CHILDREN_AFTER_SECONDS)
        seconds -= POLL_SECONDS
    seconds = GONE_WITHIN_SECONDS
    while left and seconds > 0:
        left = await _signal(find, leader, signal.SIGKILL)
        await asyncio.sleep(POLL_SECONDS)
        seconds -= POLL_SECONDS
    return not left


async def _signal(find: Callable[[], frozenset[int]], leader: int, number: int) -> frozenset[int]:
    """Send a signal to the processes that are found, and return them. Those of other users do not get it."""
    with suppress(ProcessLookupError, PermissionError):
        if leader:
            os.killpg(leader, number)  # all at once: none of them starts another one meanwhile
    found = await asyncio.to_thread(find)
    for each in found:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(each, number)
    return found


# ----------------------------------------------------------------------------------------------------------------------
# Waiting for an earlier attempt


def lock_of(action: ActionView) -> str:
    """The lock that the begin of an action names; empty if there is none."""
    return str(action.begin_body.get("process_lock", ""))


async def wait_until_ended(
    record: AsyncCall, action: ActionView, longest: float | None, while_in: Collection[str] = ()
) -> LeftProcesses:
    """Wait until the command of an earlier attempt has ended, and return what can be told of it then.

    It is ended once it has run for `longest` seconds. A note on the action says that it is waited for. `while_in`: wait
    only while the action is in one of these states.
    """
    find = partial(find_left, lock_of(action))
    left = await asyncio.to_thread(find)
    if left.is_running:
        note = {"phase": "note", "action_id": action.id, "summary": f"{left.text}; it is waited for"}
        await record(operations.actions.record_action, note)
    while left.is_running:
        if longest and left.seconds > longest:
            await end_processes(lambda: find().ids)
        await asyncio.sleep(LOOK_SECONDS)
        if while_in:
            now = await record(operations.actions.get_action, {"action_id": action.id})
            if now.state not in while_in:
                break
        left = await asyncio.to_thread(find)
    return left
