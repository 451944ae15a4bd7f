"""Group commit: whoever comes first commits for all who wait.

There is no writer thread. A caller that finds nobody writing becomes the leader, takes the callers of the same
journal that are waiting, runs their work, commits once and answers all. A lone caller waits for nobody and pays for
no hand-over; a hundred concurrent callers share one fsync.
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar, cast

from tallystick.core.errors import StorageUnavailable
from tallystick.store.batch import Batch, BatchLedger
from tallystick.store.interface import Ledger, Outcome

T = TypeVar("T")

GROUP_SIZE = 64
"""The most callers in one commit: more savepoints or rows at once help nobody, and PostgreSQL slows down."""
ROUNDS = 8
"""How many commits in a row one caller leads: it is quick at it by then, but wants to go on with its own work."""
LOOK_AGAIN_SECONDS = 1.0
"""How long a caller sleeps before it looks for itself: an interrupt may have struck just before it was to be woken."""


class PendingWrite:
    """One caller's work, and what came of it once it is `done`. Only who stands in line has a `turn` to wait for."""

    __slots__ = ("done", "error", "journal", "result", "turn", "work")

    def __init__(self, journal: str, work: Callable[[Ledger], Any]) -> None:
        self.journal = journal
        self.work = work
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = False
        self.turn: Lock | None = None

    def outcome(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.result

    def wake(self) -> None:
        if self.turn is not None:
            with suppress(RuntimeError):  # it is awake
                self.turn.release()


class GroupCommit:
    """The line before a store's one writer.

    An interrupt (Ctrl-C, or a signal handler that raises) may strike at any line of this. Whoever is struck leaves the
    line, or hands the lead over, on its way out.
    """

    def __init__(self, commit: Callable[[str, Sequence[PendingWrite]], None]) -> None:
        self._commit = commit
        self._waiting: deque[PendingWrite] = deque()
        self._mutex = Lock()
        self._leader: PendingWrite | None = None
        self._group: list[PendingWrite] = []

    def run(self, journal: str, work: Callable[[Ledger], T]) -> T:
        """Have `work` done and committed, by this thread or by another that is at it already."""
        pending = PendingWrite(journal, work)
        try:
            with self._mutex:
                if self._leader is None:
                    self._leader = pending
                else:
                    self._stand_in_line(pending)
            if pending.turn is not None:
                self._await_turn(pending)
            if self._leader is pending:
                self._lead(pending)
        except BaseException:
            self._leave([pending])
            raise
        return cast("T", pending.outcome())

    def run_all(self, journal: str, works: Sequence[Callable[[Ledger], Any]]) -> list[Outcome]:
        """Have several works done by this thread, or by those that are at it already."""
        tickets = [PendingWrite(journal, work) for work in works]
        try:
            with self._mutex:
                for pending in tickets:
                    self._stand_in_line(pending)
                if self._leader is None and tickets:
                    self._leader = self._waiting.popleft()
            for pending in tickets:
                self._await_turn(pending)
                if self._leader is pending:
                    self._lead(pending)
        except BaseException:
            self._leave(tickets)
            raise
        return [(pending.result, pending.error) for pending in tickets]

    def _stand_in_line(self, pending: PendingWrite) -> None:
        pending.turn = Lock()
        pending.turn.acquire()
        self._waiting.append(pending)

    def _await_turn(self, pending: PendingWrite) -> None:
        """Until a leader has answered, or has handed the lead over."""
        assert pending.turn is not None
        while not pending.done and self._leader is not pending:
            pending.turn.acquire(timeout=LOOK_AGAIN_SECONDS)

    def _lead(self, own: PendingWrite) -> None:
        """Commit for all who wait, and then for those who came meanwhile; after some rounds another has to lead."""
        for round in range(ROUNDS):
            if not self._gather([own] if round == 0 else []):
                return
            self._commit_group()
        self._hand_over()

    def _gather(self, first: list[PendingWrite]) -> bool:
        """Take those of one journal out of the line, behind who comes first. With nobody there, nobody leads."""
        with self._mutex:
            self._group = first
            if self._waiting:
                journal = (first or self._waiting)[0].journal
                chosen = [pending for pending in self._waiting if pending.journal == journal][: GROUP_SIZE - len(first)]
                self._group = [*first, *chosen]
                taken = set(map(id, chosen))
                self._waiting = deque(pending for pending in self._waiting if id(pending) not in taken)
            if not self._group:
                self._leader = None
            return bool(self._group)

    def _commit_group(self) -> None:
        group = self._group
        try:
            self._commit(group[0].journal, group)
        except Exception as error:
            for pending in group:
                pending.error = pending.error or error
        for pending in group:
            pending.done = True
        for pending in group:
            pending.wake()
        self._group = []

    def _hand_over(self) -> None:
        with self._mutex:
            self._leader = self._waiting.popleft() if self._waiting else None
            successor = self._leader
        if successor is not None:
            successor.wake()

    def _leave(self, tickets: Sequence[PendingWrite]) -> None:
        """Of a caller that was interrupted: nobody waits for it, and nobody is left waiting by it."""
        with self._mutex:
            self._waiting = deque(pending for pending in self._waiting if pending not in tickets)
            group = self._group if self._leader in tickets else []
        for pending in group:
            if not pending.done:
                pending.error = pending.error or _interrupted()
                pending.done = True
            pending.wake()
        if self._leader in tickets:
            self._group = []
            self._hand_over()


def _interrupted() -> StorageUnavailable:
    """What the others are told when the thread that committed for them was stopped: its interrupt is not theirs."""
    return StorageUnavailable(
        "The thread that was writing this was interrupted: it may or may not be recorded.",
        hint="Repeat the call with the same key; the journal tells which.",
    )


def run_each(group: Sequence[PendingWrite], batch: Batch) -> None:
    """Run each caller's work on a layer of its own; one that fails leaves nothing and stops nobody.

    A caller that is alone works on the batch itself, so that its failure is the batch's.
    """
    if len(group) == 1:
        group[0].error = None  # of an earlier run
        group[0].result = group[0].work(BatchLedger(batch, alone=True))
        return
    for pending in group:
        own = BatchLedger(batch)
        pending.error = None
        try:
            pending.result = pending.work(own)
        except Exception as error:
            pending.error = error
        else:
            own.commit()
