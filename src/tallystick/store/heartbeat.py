"""Leases renewed while this process lives, for those who cannot see its lock: other machines."""

import time
from collections.abc import Callable
from threading import Condition, Thread

from tallystick.core.errors import StorageUnavailable


class Heartbeat:
    """One thread for all leases of a store. `renew(journal, session, lock, seconds)` says whether to go on with it."""

    def __init__(self, renew: Callable[[str, str, int, float], bool]) -> None:
        self._renew = renew
        self._changed = Condition()
        self._due: dict[tuple[str, str, int, float], float] = {}
        self._thread: Thread | None = None
        self._closed = False

    def keep(self, journal: str, session: str, lock: int, seconds: float) -> None:
        """Renew a lease of so many seconds at a third of its length, again and again."""
        with self._changed:
            self._due[journal, session, lock, seconds] = time.monotonic() + seconds / 3
            if self._thread is None:
                self._thread = Thread(target=self._run, name="tallystick-heartbeat", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(timeout=15)

    def _run(self) -> None:
        while lease := self._next():
            try:
                goes_on = self._renew(*lease)
            except StorageUnavailable:
                goes_on = True  # it is as much worth trying again as it was before
            with self._changed:
                if goes_on:
                    self._due[lease] = time.monotonic() + lease[3] / 3
                else:
                    self._due.pop(lease, None)

    def _next(self) -> tuple[str, str, int, float] | None:
        """The next lease to renew, when it is due; None when there is no more to do."""
        with self._changed:
            while not self._closed and self._due:
                lease, due = min(self._due.items(), key=lambda item: item[1])
                left = due - time.monotonic()
                if left <= 0:
                    return lease
                self._changed.wait(left)
            self._thread = None
            return None
