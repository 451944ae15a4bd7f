"""Waiting for new entries, from this process or another: one watcher for all who wait."""

import time
from collections.abc import Callable
from threading import Condition, Thread

RETRY_SECONDS = 0.25


class News:
    """`watch(stop)` runs in one thread while anybody waits, and calls `told` when something may have changed."""

    def __init__(self, watch: Callable[[Callable[[], bool]], None]) -> None:
        self._watch = watch
        self._changed = Condition()
        self._count = 0
        self._waiting = 0
        self._thread: Thread | None = None
        self._closed = False
        self._failed = -RETRY_SECONDS

    def told(self) -> None:
        """Something was written, here or elsewhere."""
        if not self._waiting:  # who comes now looks before waiting
            return
        with self._changed:
            self._count += 1
            self._changed.notify_all()

    def wait(self, length: Callable[[], int], after: int, seconds: float) -> int:
        """Until `length` is over `after`, or the time is; returns the length."""
        until = time.monotonic() + seconds
        with self._changed:
            self._waiting += 1
        try:
            while True:
                with self._changed:
                    seen = self._count
                now = length()
                left = until - time.monotonic()
                if now > after or left <= 0 or self._closed:
                    return now
                if not self._ensure_watching():
                    time.sleep(min(left, RETRY_SECONDS))  # the last watcher failed at once: do not spin
                    continue
                with self._changed:
                    self._changed.wait_for(lambda: self._count != seen or self._closed, timeout=left)  # noqa: B023
        finally:
            with self._changed:
                self._waiting -= 1

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(timeout=5)

    def _ensure_watching(self) -> bool:
        """Whether somebody watches; a watcher that failed is not started again before a while."""
        with self._changed:
            if self._thread is not None or self._closed:
                return True
            if time.monotonic() - self._failed < RETRY_SECONDS:
                return False
            self._thread = Thread(target=self._run, name="tallystick-news", daemon=True)
            self._thread.start()
            return True

    def _run(self) -> None:
        try:
            self._watch(self._idle)
        finally:
            with self._changed:
                if not self._idle():
                    self._failed = time.monotonic()
                self._thread = None
                self._changed.notify_all()
                self._count += 1

    def _idle(self) -> bool:
        return self._closed or not self._waiting
