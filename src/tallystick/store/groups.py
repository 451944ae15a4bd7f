"""Group commit: whoever comes first commits for all who wait.

There is no writer thread. A caller that finds nobody writing becomes the leader, takes the callers of the same
journal that are waiting, runs their work, commits once and answers all. A lone caller waits for nobody and pays for
no hand-over; a hundred concurrent callers share one fsync.
"""

from collections import deque
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, TypeVar, cast

from tallystick.core.errors import StorageUnavailable
from tallystick.store.ledger import Batch, BatchLedger
from tallystick.store.port import Ledger, Outcome

T = TypeVar("T")

GROUP_SIZE = 64
"""The most callers in one commit: more savepoints or rows at once help nobody, and PostgreSQL slows down."""
ROUNDS = 8
"""How many commits in a row one caller leads: it is quick at it by then, but wants to go on with its own work."""
_NEVER = Lock()
"""Stands for the turn of a caller that does not wait for one."""


class Ticket:
    """One caller's work, and what came of it."""

    __slots__ = ("error", "journal", "leads", "result", "turn", "work")

    def __init__(self, journal: str, work: Callable[[Ledger], Any]) -> None:
        self.journal = journal
        self.work = work
        self.result: Any = None
        self.error: BaseException | None = None
        self.leads = False
        self.turn: Lock = _NEVER

    def outcome(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.result


class Groups:
    """The queue before a store's one writer."""

    def __init__(self, commit: Callable[[str, Sequence[Ticket]], None]) -> None:
        self._commit = commit
        self._waiting: deque[Ticket] = deque()
        self._mutex = Lock()
        self._busy = False

    def run(self, journal: str, work: Callable[[Ledger], T]) -> T:
        """Have `work` done and committed, by this thread or by another that is at it already."""
        ticket = Ticket(journal, work)
        with self._mutex:
            follows = self._busy
            if follows:
                ticket.turn = Lock()
                ticket.turn.acquire()
                self._waiting.append(ticket)
            else:
                self._busy = True
        if follows:
            self._await_turn(ticket)
        if ticket.leads or not follows:
            self._lead(ticket)
        return cast("T", ticket.outcome())

    def run_all(self, journal: str, works: Sequence[Callable[[Ledger], Any]]) -> list[Outcome]:
        """Have several works done by this thread, or by those that are at it already."""
        tickets = [Ticket(journal, work) for work in works]
        for ticket in tickets:
            ticket.turn = Lock()
            ticket.turn.acquire()
        with self._mutex:
            leads = not self._busy and bool(tickets)
            self._busy = self._busy or leads
            self._waiting.extend(tickets[1:] if leads else tickets)
        if leads:
            self._lead(tickets[0])
        for ticket in tickets[1:] if leads else tickets:
            self._await_turn(ticket)
            if ticket.leads:
                self._lead(ticket)
        return [(ticket.result, ticket.error) for ticket in tickets]

    def _await_turn(self, ticket: Ticket) -> None:
        """Until a leader has answered, or has handed the lead over; an interrupt leaves nobody waiting for us."""
        try:
            ticket.turn.acquire()
        except BaseException:
            with self._mutex:
                if ticket in self._waiting:
                    self._waiting.remove(ticket)
                leads = ticket.leads
            if leads:
                self._hand_over()
            raise

    def _lead(self, own: Ticket) -> None:
        """Commit for all who wait, and then for those who came meanwhile; after some rounds another has to lead."""
        first = own
        for _ in range(ROUNDS):
            group = [first, *self._companions(first.journal)]
            stopped = self._commit_for(group, own)
            for ticket in group:
                if ticket is not own:
                    ticket.turn.release()
            with self._mutex:
                if not self._waiting:
                    self._busy = False
                    return
                first = self._waiting.popleft()
            if stopped:
                break
        first.leads = True
        first.turn.release()

    def _commit_for(self, group: Sequence[Ticket], own: Ticket) -> bool:
        """Commit one group; whether this thread was interrupted meanwhile, which its own caller is told."""
        try:
            self._commit(group[0].journal, group)
        except Exception as error:
            for ticket in group:
                ticket.error = ticket.error or error
        except BaseException as interrupt:
            own.error = interrupt
            for ticket in group:
                ticket.error = ticket.error or _interrupted()
            return True
        return False

    def _companions(self, journal: str) -> list[Ticket]:
        if not self._waiting:
            return []
        with self._mutex:
            chosen = [ticket for ticket in self._waiting if ticket.journal == journal][: GROUP_SIZE - 1]
            for ticket in chosen:
                self._waiting.remove(ticket)
            return chosen

    def _hand_over(self) -> None:
        with self._mutex:
            if not self._waiting:
                self._busy = False
                return
            successor = self._waiting.popleft()
            successor.leads = True
        successor.turn.release()


def _interrupted() -> StorageUnavailable:
    """What the others are told when the thread that committed for them was stopped: its interrupt is not theirs."""
    return StorageUnavailable(
        "The thread that was writing this was interrupted: it may or may not be recorded.",
        hint="Repeat the call with the same key; the journal tells which.",
    )


def run_each(group: Sequence[Ticket], batch: Batch) -> None:
    """Run each caller's work on a layer of its own; one that fails leaves nothing and stops nobody.

    A caller that is alone works on the batch itself, so that its failure is the batch's.
    """
    if len(group) == 1:
        group[0].error = None  # of an earlier run
        group[0].result = group[0].work(BatchLedger(batch, alone=True))
        return
    for ticket in group:
        own = BatchLedger(batch)
        ticket.error = None
        try:
            ticket.result = ticket.work(own)
        except Exception as error:
            ticket.error = error
        else:
            own.commit()
