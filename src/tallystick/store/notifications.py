"""Waits for new entries of this or another process: one watcher thread serves all waiting callers."""

import time
from collections.abc import Callable
from threading import Condition, Thread

RETRY_SECONDS = 0.25


class ChangeNotifier:
    """`watch(stop)` runs in one thread while anybody waits, and calls `notify` when something may have changed."""

    def __init__(self, watch: Callable[[Callable[[], bool]], None]) -> None:
        self._watch = watch
        self._changed = Condition()
        self._changes = 0
        self.waiting = 0
        """Callers that wait. Without any, nobody has to be notified: one that arrives looks before it waits."""
        self._thread: Thread | None = None
        self._closed = False
        self._failed_at = -RETRY_SECONDS

    def notify(self) -> None:
        """Wake all waiting callers: an entry was written, by this or another process."""
        with self._changed:
            self._changes += 1
            self._changed.notify_all()

    def wait(self, length: Callable[[], int], after: int, seconds: float) -> int:
        """Wait until `length()` is over `after`, or the time is over; returns the length."""
        deadline = time.monotonic() + seconds
        with self._changed:
            self.waiting += 1
        try:
            while True:
                with self._changed:
                    seen = self._changes
                current = length()
                left = deadline - time.monotonic()
                if current > after or left <= 0 or self._closed:
                    return current
                if not self._ensure_watching():
                    time.sleep(min(left, RETRY_SECONDS))  # the last watcher failed at once: do not spin
                    continue
                with self._changed:
                    self._changed.wait_for(lambda: self._changes != seen or self._closed, timeout=left)  # noqa: B023
        finally:
            with self._changed:
                self.waiting -= 1

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(timeout=5)

    def _ensure_watching(self) -> bool:
        """Start the watcher if there is none; False if the last one failed less than RETRY_SECONDS ago."""
        with self._changed:
            if self._thread is not None or self._closed:
                return True
            if time.monotonic() - self._failed_at < RETRY_SECONDS:
                return False
            thread = Thread(target=self._run, name="tallystick-changes", daemon=True)
            thread.start()
            self._thread = thread  # last: an interrupt must leave none that has not started, which nobody can join
            return True

    def _run(self) -> None:
        try:
            self._watch(self._is_unused)
        finally:
            with self._changed:
                if not self._is_unused():
                    self._failed_at = time.monotonic()
                self._thread = None
                self._changed.notify_all()
                self._changes += 1

    def _is_unused(self) -> bool:
        return self._closed or not self.waiting
