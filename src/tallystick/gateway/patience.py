"""Waiting for a journal that another program holds: in a thread beside the loop, so that nobody else is held up.

Commits are made in the loop, since handing each of them to a thread would cost more than the rest of a call. Whoever
is about to write asks first whether that can begin at once. Where it cannot, a thread waits for its turn among the
writers; when it has had that, the journal is not held but busy, and what waited writes as anybody does.
"""

from collections.abc import Callable
from threading import Thread
from time import monotonic

from tallystick.core.errors import StorageUnavailable
from tallystick.gateway.loop import Loop, Timer
from tallystick.operations.desk import Desk

LONGEST = 6.0
"""Seconds after which a wait is in vain: a little more than the store waits for programs that do not know its lock. One
of ours, which does, it would wait for as long as that lives."""
STILL = 0.25
"""The same where that was in vain, and goes on."""
FAILING_SECONDS = 1.0
"""For so long after the journal was waited for in vain, what can do without it does."""

HELD = "Another process holds the journal, and has not let go of it."

Then = Callable[[], None]


class Patience:
    """Whether the journal can be written, and who waits until it can."""

    def __init__(self, loop: Loop, desk: Desk) -> None:
        self._loop = loop
        self._desk = desk
        self._then: list[Then] = []
        self._away = False
        self._is_clear = False
        self._in_vain = False
        self._timer: Timer | None = None
        self._failed: tuple[float, StorageUnavailable] | None = None
        self._ending = False

    @property
    def failing(self) -> StorageUnavailable | None:
        """Why the journal was waited for in vain a moment ago, if it still cannot be written."""
        if self._failed is None or monotonic() - self._failed[0] >= FAILING_SECONDS or self.is_free:
            self._failed = None
            return None
        return self._failed[1]

    @property
    def held(self) -> bool:
        """Whether somebody still waits: who writes now stands in line behind that."""
        return self._away

    def ready(self, then: Then | None = None) -> bool:
        """Whether the journal can be written now, or it is known that it cannot. Else `then` is done when either is."""
        if self._ending or self._is_clear or self.failing:
            return True
        if self.is_free:
            self._is_clear = True
            return True
        if then is not None:
            self._then.append(then)
        if self._timer is None:
            self._timer = self._loop.later(STILL if self._in_vain else LONGEST, self._give_up)
        if not self._away:
            self._away = True
            Thread(target=self._wait, name="tallystick-patience", daemon=True).start()
        return False

    def turn_ends(self) -> None:
        """All that came in this turn is written: it is looked at anew in the next."""
        self._is_clear = False

    def failed(self, why: StorageUnavailable) -> None:
        self._failed = monotonic(), why

    def end(self) -> None:
        """The gateway ends: what is left to write is waited for here."""
        self._ending = True

    @property
    def is_free(self) -> bool:
        """Whether the journal could be written now, without a wait for somebody else."""
        return not self._away and self._desk.store.is_free()

    def _wait(self) -> None:
        """In a thread of its own: take a turn, and write nothing."""
        problem: Exception | None = None
        try:
            self._desk.store.write(self._desk.journal, lambda ledger: None)
        except Exception as error:
            problem = error
        self._loop.post(lambda: self._waited(problem))

    def _waited(self, problem: Exception | None) -> None:
        self._away = self._in_vain = False
        self._is_clear = problem is None
        if isinstance(problem, StorageUnavailable):
            self.failed(problem)
        self._go_on()

    def _give_up(self) -> None:
        self._in_vain = True
        self.failed(StorageUnavailable(HELD, hint="See what writes there, and end it if it hangs."))
        self._go_on()

    def _go_on(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        then, self._then = self._then, []
        for each in then:
            each()
