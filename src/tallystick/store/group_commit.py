"""Group commit: the first caller commits for all callers that wait.

There is no writer thread. A caller that finds nobody writing becomes the leader, takes the callers of the same
journal that are waiting, runs their work, commits once and answers all. A lone caller waits for nobody and pays for
no hand-over; a hundred concurrent callers share one fsync.
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock, current_thread, main_thread
from typing import Any, TypeVar, cast

from tallystick.core.errors import StorageUnavailable, TallystickError
from tallystick.store.interface import Ledger, Outcome, WouldWait
from tallystick.store.uncommitted_changes import Batch, BatchLedger

T = TypeVar("T")

MAX_GROUP_SIZE = 64
"""The most callers in one commit. Larger groups are not faster, and PostgreSQL slows down."""
MAX_ROUNDS = 8
"""The most commits in a row that one caller leads, so that it gets back to its own work."""
RECHECK_SECONDS = 1.0
"""A waiting caller checks its state this often: an interrupt may have hit the leader just before the wake-up."""


class PendingWrite:
    """One caller's work, and its result or error once it is `done`. Only a queued caller has a `turn` lock."""

    __slots__ = ("done", "error", "journal", "result", "turn", "waits", "work")

    def __init__(self, journal: str, work: Callable[[Ledger], Any], *, waits: bool = True) -> None:
        self.journal = journal
        self.work = work
        self.waits = waits
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = False
        self.turn: Lock | None = None

    def wake(self) -> None:
        if self.turn is not None:
            with suppress(RuntimeError):  # it is awake already
                self.turn.release()


class GroupCommit:
    """The queue of callers in front of a store's single writer.

    An interrupt (Ctrl-C, or a signal handler that raises) may occur at any line of this class. The interrupted caller
    leaves the queue, or hands the lead over, on its way out.
    """

    def __init__(self, commit: Callable[[str, Sequence[PendingWrite]], None]) -> None:
        self._commit = commit
        self._waiting: deque[PendingWrite] = deque()
        self._mutex = Lock()
        self._leader: PendingWrite | None = None
        self._group: list[PendingWrite] = []

    def run(self, journal: str, work: Callable[[Ledger], T]) -> T:
        """Run and commit `work`, in this thread or in the thread that leads already."""
        pending = PendingWrite(journal, work)
        try:
            with self._mutex:
                if self._leader is None:
                    self._leader = pending
                else:
                    self._enqueue(pending)
            if pending.turn is not None:
                self._await_turn(pending)
            if self._leader is pending:
                self._lead(pending)
        except BaseException:
            self._leave([pending])
            raise
        if pending.error is not None:
            raise pending.error
        return cast("T", pending.result)

    def run_all(self, journal: str, works: Sequence[Callable[[Ledger], Any]], *, waits: bool = True) -> list[Outcome]:
        """Run and commit several pieces of work, in this thread or in the threads that lead already."""
        own = [PendingWrite(journal, work, waits=waits) for work in works]
        try:
            with self._mutex:
                if not waits and self._leader is not None:
                    return [(None, WouldWait()) for _ in own]
                for pending in own:
                    self._enqueue(pending)
                if self._leader is None and own:
                    self._leader = self._waiting.popleft()
            for pending in own:
                self._await_turn(pending)
                if self._leader is pending:
                    self._lead(pending)
        except BaseException:
            self._leave(own)
            raise
        return [(pending.result, pending.error) for pending in own]

    def _enqueue(self, pending: PendingWrite) -> None:
        pending.turn = Lock()
        pending.turn.acquire()
        self._waiting.append(pending)

    def _await_turn(self, pending: PendingWrite) -> None:
        """Wait until a leader has finished this write, or has handed the lead over."""
        assert pending.turn is not None
        while not pending.done and self._leader is not pending:
            pending.turn.acquire(timeout=RECHECK_SECONDS)

    def _lead(self, own: PendingWrite) -> None:
        """Commit for all waiting callers, then for those that arrived meanwhile; then hand the lead over."""
        group = self._group = [own]
        if self._waiting:
            group = self._take_group(group)
        self._commit_group(group)
        for _ in range(MAX_ROUNDS - 1):
            group = self._take_group([])
            if not group:
                return
            self._commit_group(group)
        self._hand_over()

    def _take_group(self, first: list[PendingWrite]) -> list[PendingWrite]:
        """Take the writes of one journal out of the queue, after `first`. If there are none, nobody leads any more."""
        with self._mutex:
            group = first
            if self._waiting:
                journal = (first or self._waiting)[0].journal
                chosen = [pending for pending in self._waiting if pending.journal == journal][
                    : MAX_GROUP_SIZE - len(first)
                ]
                group = self._group = [*first, *chosen]  # before they leave the queue: an interrupt must not lose them
                taken = set(map(id, chosen))
                self._waiting = deque(pending for pending in self._waiting if id(pending) not in taken)
            if not group:
                self._leader = None
            return group

    def _commit_group(self, group: list[PendingWrite]) -> None:
        try:
            self._commit(group[0].journal, group)
        except Exception as error:
            if _is_interrupt(error):
                raise
            for pending in group:
                pending.error = pending.error or error
        for pending in group:
            pending.done = True
        for pending in group:
            if pending.turn is not None:
                pending.wake()
        self._group = []

    def _hand_over(self) -> None:
        with self._mutex:
            self._leader = self._waiting.popleft() if self._waiting else None
            successor = self._leader
        if successor is not None:
            successor.wake()

    def _leave(self, own: Sequence[PendingWrite]) -> None:
        """Remove an interrupted caller: nobody waits for it, and it leaves nobody waiting."""
        with self._mutex:
            self._waiting = deque(pending for pending in self._waiting if pending not in own)
            group = self._group if self._leader in own else []
        for pending in group:
            if not pending.done:
                pending.error = pending.error or _interrupted()
                pending.done = True
            pending.wake()
        if self._leader in own:
            self._group = []
            self._hand_over()


def _is_interrupt(error: Exception) -> bool:
    """Whether a signal handler may have raised this: it is of no work in the group, but of the thread that leads."""
    return not isinstance(error, (TallystickError, WouldWait)) and current_thread() is main_thread()


def _interrupted() -> StorageUnavailable:
    """The error for the other callers of a group whose leader was interrupted."""
    return StorageUnavailable(
        "The thread that was writing this was interrupted: it may or may not be recorded.",
        hint="Repeat the call with the same key: it is then recorded exactly once.",
    )


def run_each(group: Sequence[PendingWrite], batch: Batch) -> None:
    """Run each caller's work on its own layer. One that fails leaves no change and does not stop the others.

    A caller that is alone works on the batch itself, so its error drops the batch.
    """
    if len(group) == 1:
        group[0].error = None  # set by an earlier attempt
        group[0].result = group[0].work(BatchLedger(batch, alone=True))
        return
    for pending in group:
        own = BatchLedger(batch)
        pending.error = None
        try:
            pending.result = pending.work(own)
        except Exception as error:
            if _is_interrupt(error):
                raise
            pending.error = error
        else:
            own.commit()
