"""Flushes the tails of journals in which nobody records any more, so that SQL readers see them.

One thread for a store, which lives from a record until the rows are written. A record only notes the time.
"""

import time
from collections.abc import Callable
from signal import SIG_BLOCK, pthread_sigmask, valid_signals
from threading import Condition, Thread, current_thread

from tallystick.store.forks import FORK_WAIT_SECONDS, stop_before_fork

IDLE_SECONDS = 0.5
"""A tail is flushed when nothing was recorded for so long: half of the second that SQL readers are promised."""
STOP_SECONDS = 5.0
"""How long closing waits for a flush that is under way."""


class IdleFlusher:
    """`flush(journal)` is called once nobody has recorded for a while; it returns whether to call it again."""

    def __init__(self, flush: Callable[[str], bool]) -> None:
        self._flush = flush
        self._noted: dict[str, float] = {}
        self._reset()
        stop_before_fork(self)

    def _reset(self) -> None:
        """Forget the thread: a forked child has none."""
        self._changed = Condition()
        self._thread: Thread | None = None
        self._stopped = False

    def note_record(self, journal: str) -> None:
        """Something was recorded, and its rows are not written yet."""
        self._noted[journal] = time.monotonic()
        if self._thread is None:
            self._start()

    def note_tail(self, journal: str) -> None:
        """Somebody left a tail, maybe a process that was killed."""
        if journal not in self._noted:
            self.note_record(journal)

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End the thread, after the flush that is under way. No other starts."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def before_fork(self) -> None:
        self.stop(FORK_WAIT_SECONDS)

    def after_fork_in_parent(self) -> None:
        with self._changed:
            self._stopped = False
        if self._noted:
            self._start()

    def after_fork_in_child(self) -> None:
        self._noted = {}  # the parent flushes
        self._reset()

    def _start(self) -> None:
        with self._changed:
            if self._thread is None and not self._stopped:
                thread = Thread(target=self._run, name="tallystick-flush", daemon=True)
                thread.start()
                self._thread = thread  # last: an interrupt must leave none that does not run

    def _run(self) -> None:
        pthread_sigmask(SIG_BLOCK, valid_signals())  # signals are for the threads of the program
        while (journal := self._next()) is not None:
            try:
                is_left = self._flush(journal)
            except Exception:
                is_left = False  # the next record says what is wrong
            if is_left:
                self._noted.setdefault(journal, time.monotonic())

    def _next(self) -> str | None:
        """Wait for a journal in which nobody records; None when the thread is to end."""
        with self._changed:
            while not self._stopped:
                if not self._noted:
                    self._thread = None  # before the last look: a record that still sees a thread starts none
                    if not self._noted:
                        return None
                    self._thread = current_thread()
                # A copy, since records change it without the lock.
                journal, noted = min(list(self._noted.items()), key=lambda item: item[1])
                left = noted + IDLE_SECONDS - time.monotonic()
                if left <= 0:
                    del self._noted[journal]
                    return journal
                self._changed.wait(left)
            self._thread = None
            return None
