"""Entry point of draining: takes the spool's lock, runs `SpoolDrainer`, and reports what still waits.

Records reach the journal exactly once and in order. One process drains a spool at a time; a second one waits for it and
mostly finds nothing left. Many records go into one commit, each under a key of its own. The spool is cleared only when
all of them are durable. A drainer that is killed in between leaves records that the next one reads again and recognises
by their keys.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic, sleep

from msgspec import Struct
from msgspec.structs import replace

from tallystick.capture.hook import environment
from tallystick.capture.spool import file as spool_file
from tallystick.sdk.local import Local

LOCK_SECONDS = 5.0
"""How long to wait for another drainer."""
LOOK_SECONDS = 1.0
"""How often a `SpoolWatcher` checks whether `setup` was run and whether the spool can be written."""
_NO_FILE = (0, 0, 0)


class Drained(Struct, frozen=True, kw_only=True):
    """The result of a drain.

    `recorded` records are in the journal now, `torn` ones were kept aside, `waiting` bytes are still in the spool.
    `problem` says why some wait; `warning` says what is wrong with the user's rules.
    """

    recorded: int = 0
    torn: int = 0
    waiting: int = 0
    problem: str = ""
    warning: str = ""


NOTHING_WAITED = Drained()


def catch_up(local: Local, env: Mapping[str, str], timeout: float = LOCK_SECONDS) -> Drained:
    """Drain before one question is answered, and let the answer say what still waits."""
    return SpoolWatcher(local, env).catch_up(timeout)


class SpoolWatcher:
    """Keeps one journal up to date with its spool, for a process that answers many questions.

    A spool belongs to one store, and only a process that uses that store drains it. The spool's location and whether it
    can be written are checked again every `LOOK_SECONDS`; otherwise a look costs the sizes of two files.
    """

    def __init__(self, local: Local, env: Mapping[str, str]) -> None:
        self._local = local
        self._env = environment.for_store(env, local.context.settings.url)
        self._settings_file = environment.settings_file(env)
        self._settings_stamp = spool_file.file_stamp(self._settings_file)
        self._looked_at = monotonic()
        self._spool = self._spool_path()
        self._torn, self._torn_stamp = 0, _NO_FILE
        self._check_spool()

    def _spool_path(self) -> str:
        return spool_file.path(environment.spool_folder(self._env), self._local.context.journal)

    def catch_up(self, timeout: float = LOCK_SECONDS) -> Drained:
        """Drain what waits, and let answers say what still waits afterwards."""
        if monotonic() - self._looked_at > LOOK_SECONDS:
            self._look_again()
        size, problem = spool_file.size_and_problem(self._spool)
        drained = drain(self._local, self._env, timeout=timeout) if size and not problem else NOTHING_WAITED
        if drained.torn or (self._write_problem and drained.recorded):  # room may have been made
            self._check_spool()
        if problem := problem or self._write_problem:
            text = f"the spool cannot be used ({problem}), so hooks record nothing: {self._spool}"
            drained = replace(drained, problem=text)
        self._update_principal(drained)
        return drained

    def _update_principal(self, drained: Drained) -> None:
        """Let answers say what waits, what was lost and what is wrong."""
        principal, (missed, missed_at) = self._local.context.principal, spool_file.read_missed(self._spool)
        current = (
            principal.spool_behind,
            principal.spool_problem,
            principal.torn,
            principal.missed,
            principal.missed_at,
        )
        if current != (drained.waiting, drained.problem, self._torn, missed, missed_at):
            self._local.context.principal = replace(
                principal,
                spool_behind=drained.waiting,
                spool_problem=drained.problem,
                torn=self._torn,
                missed=missed,
                missed_at=missed_at,
            )

    def _look_again(self) -> None:
        stamp, self._looked_at = spool_file.file_stamp(self._settings_file), monotonic()
        if stamp != self._settings_stamp:
            self._spool = self._spool_path()
            self._settings_stamp = stamp
        self._check_spool()

    def _check_spool(self) -> None:
        """Check what changes seldom and costs too much to check before each answer."""
        self._write_problem = spool_file.write_problem(self._spool)
        stamp = spool_file.file_stamp(spool_file.sibling(self._spool, "torn"))
        if stamp != self._torn_stamp:
            self._torn, self._torn_stamp = spool_file.count_torn(self._spool), stamp


def _ignore_point(point: str) -> None:
    """Do nothing at a crash point."""


def drain(
    local: Local,
    env: Mapping[str, str],
    on_crash_point: Callable[[str], None] = _ignore_point,
    timeout: float = LOCK_SECONDS,
) -> Drained:
    """Bring the journal up to date. When nothing waits, this costs one look at the spool's size.

    `on_crash_point` is called with the name of each point at which a crash would leave something half done.
    """
    spool = spool_file.path(environment.spool_folder(env), local.context.journal)
    try:
        if not spool_file.waiting_bytes(spool):
            return NOTHING_WAITED
        with spool_lock(spool, timeout) as is_locked:
            if not is_locked:
                return Drained(waiting=spool_file.waiting_bytes(spool), problem="another process is draining")
            from tallystick.capture.ingest.spool_drainer import SpoolDrainer  # loads all operations: only when needed

            return SpoolDrainer(local, spool, env, on_crash_point).run()
    except OSError as error:
        return Drained(waiting=1, problem=f"the spool cannot be used: {error.strerror or error}")


@contextmanager
def spool_lock(spool: str, timeout: float, name: str = "lock") -> Iterator[bool]:
    """Hold a lock of a spool; yields whether it was acquired in time. The default lock is that of the drainer."""
    file = os.open(spool_file.sibling(spool, name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _acquire(file, timeout)
    finally:
        os.close(file)


def _acquire(file: int, timeout: float) -> bool:
    deadline, pause = monotonic() + timeout, 0.001
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > deadline:
                return False
            sleep(pause)
            pause = min(pause * 1.5, 0.02)
        else:
            return True
