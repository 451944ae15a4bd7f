"""Draining: what hooks have seen goes from the spool into the journal, exactly once and in order.

One drains at a time; who comes second waits for the first, and mostly finds nothing left. Records go into the journal
many at a time, each under a key of its own; the spool is cleared only when all of them are on the disk. Whoever is
killed in between leaves work that is done again, and known again by its keys.
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
"""Seconds to wait for another drainer."""
LOOK_SECONDS = 1.0
"""How often somebody who stays looks whether `setup` has been run."""


_NO_FILE = (0, 0, 0)


class Drained(Struct, frozen=True, kw_only=True):
    """`recorded` records are in the journal now, `torn` ones were kept aside, `waiting` bytes are still in the spool.

    `problem` says why some wait; `warning` what is wrong with the user's rules.
    """

    recorded: int = 0
    torn: int = 0
    waiting: int = 0
    problem: str = ""
    warning: str = ""


NOTHING = Drained()


def catch_up(local: Local, env: Mapping[str, str], patience: float = LOCK_SECONDS) -> Drained:
    """For whoever answers one question: drain first, and let answers say what still waits."""
    return SpoolWatcher(local, env).catch_up(patience)


class SpoolWatcher:
    """Keeps one journal up to date with what hooks and gateways saw, for whoever answers many questions.

    What was seen is spooled for a store, and only who looks into that one takes it in. Where that is, is found out anew
    within a second after `setup` was run, and so is whether hooks can write there; else a look costs the sizes of two
    files.
    """

    def __init__(self, local: Local, env: Mapping[str, str]) -> None:
        self._local = local
        self._env = environment.for_store(env, local.context.settings.url)
        self._told = environment.settings_file(env)
        self._stamp = spool_file.file_stamp(self._told)
        self._looked = monotonic()
        self._place = self._found()
        self._torn, self._torn_stamp = 0, _NO_FILE
        self._look_at_spool()

    def _found(self) -> str:
        return spool_file.path(environment.spool_folder(self._env), self._local.context.journal)

    def catch_up(self, patience: float = LOCK_SECONDS) -> Drained:
        """Drain first, and let answers say what still waits."""
        if monotonic() - self._looked > LOOK_SECONDS:
            self._look_around()
        place = self._place
        behind, why = spool_file.size_and_problem(place)
        drained = drain(self._local, self._env, patience=patience) if behind and not why else NOTHING
        if drained.torn or (self._unwritable and drained.recorded):  # room was made, perhaps
            self._look_at_spool()
        why = why or self._unwritable
        if why:
            problem = f"the spool {place} cannot be used, and nothing that hooks see is recorded: {why}"
            drained = replace(drained, problem=problem)
        self._tell(drained)
        return drained

    def _tell(self, drained: Drained) -> None:
        """Let answers say what waits, what was lost, and what is wrong."""
        principal, (missed, missed_at) = self._local.context.principal, spool_file.read_missed(self._place)
        told = (drained.waiting, drained.problem, self._torn, missed, missed_at)
        if (
            principal.spool_behind,
            principal.spool_problem,
            principal.torn,
            principal.missed,
            principal.missed_at,
        ) != told:
            self._local.context.principal = replace(
                principal,
                spool_behind=drained.waiting,
                spool_problem=drained.problem,
                torn=self._torn,
                missed=missed,
                missed_at=missed_at,
            )

    def _look_around(self) -> None:
        stamp, self._looked = spool_file.file_stamp(self._told), monotonic()
        if stamp != self._stamp:
            self._place = self._found()
            self._stamp = stamp
        self._look_at_spool()

    def _look_at_spool(self) -> None:
        """What changes seldom, and costs more than a look before each answer may."""
        self._unwritable = spool_file.write_problem(self._place)
        stamp = spool_file.file_stamp(spool_file.sibling(self._place, "torn"))
        if stamp != self._torn_stamp:
            self._torn, self._torn_stamp = spool_file.count_torn(self._place), stamp


def _unwatched(point: str) -> None:
    """Nobody looks on."""


def drain(
    local: Local, env: Mapping[str, str], reached: Callable[[str], None] = _unwatched, patience: float = LOCK_SECONDS
) -> Drained:
    """Bring the journal up to date. When nothing waits, that is one look at the spool's size.

    `reached` is told each point at which a crash would leave something half done.
    """
    place = spool_file.path(environment.spool_folder(env), local.context.journal)
    try:
        if not spool_file.waiting_bytes(place):
            return NOTHING
        with spool_lock(place, patience) as nobody_else:
            if not nobody_else:
                return Drained(waiting=spool_file.waiting_bytes(place), problem="another process is draining")
            from tallystick.capture.ingest.drainer import (
                Draining,  # the operations: not before there is something to do
            )

            return Draining(local, place, env, reached).run()
    except OSError as error:
        return Drained(waiting=1, problem=f"the spool cannot be used: {error.strerror or error}")


@contextmanager
def spool_lock(place: str, patience: float, lock: str = "lock") -> Iterator[bool]:
    """Whether nobody else drains, until this ends; or does what another lock of the spool is for."""
    file = os.open(spool_file.sibling(place, lock), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _locked(file, patience)
    finally:
        os.close(file)


def _locked(file: int, patience: float) -> bool:
    until, pause = monotonic() + patience, 0.001
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > until:
                return False
            sleep(pause)
            pause = min(pause * 1.5, 0.02)
        else:
            return True
