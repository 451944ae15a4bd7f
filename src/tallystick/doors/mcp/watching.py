"""Telling subscribers of changes, whichever process made them. One thread watches, while anybody is subscribed."""

from collections.abc import Callable
from threading import Lock, Thread
from time import sleep

from tallystick import operations
from tallystick.calls import Local
from tallystick.core.errors import TallystickError
from tallystick.doors.mcp.resources import touched

WAIT_SECONDS = 20.0
RETRY_SECONDS = 1.0

Tell = Callable[[set[str]], None]
"""Is told the URIs that changed; it picks those that it wants."""


class Watch:
    """Who wants to know what."""

    def __init__(self, caller: Local) -> None:
        self._caller = caller
        self._told: dict[object, Tell] = {}
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = False

    def add(self, key: object, tell: Tell) -> None:
        """Tell of changes from now on, under a key that takes the place of one before."""
        with self._lock:
            self._told[key] = tell
            if self._thread is None:
                place = self._end()
                self._thread = Thread(target=self._follow, args=(place,), name="tallystick-watch", daemon=True)
                self._thread.start()

    def remove(self, key: object) -> None:
        with self._lock:
            self._told.pop(key, None)

    def close(self) -> None:
        self._closed = True

    def _end(self) -> int:
        newest = operations.CATALOGUE["read_entries"](self._caller.desk, {"newest_first": True, "limit": 1}).entries
        return newest[0].seq if newest else 0

    def _follow(self, place: int) -> None:
        while not self._closed:
            try:
                asked = {"after": place, "wait_seconds": WAIT_SECONDS, "limit": 100}
                page = operations.CATALOGUE["read_entries"](self._caller.desk, asked)
            except TallystickError:
                sleep(RETRY_SECONDS)  # the store is away; what changed meanwhile is told when it is back
                continue
            place = page.last_seq
            changed: set[str] = set()
            for entry in page.entries:
                changed |= touched(entry)
            with self._lock:
                tells = list(self._told.values()) if changed else []
            for tell in tells:
                tell(changed)
