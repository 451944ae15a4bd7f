"""Telling subscribers of changes, whichever process made them.

One thread watches from the first subscriber to the last. It tells of entries, and of what no entry tells: that an
action is in doubt because its session has died.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from time import monotonic

from tallystick import operations
from tallystick.interfaces.mcp.resources import SCHEME, touched
from tallystick.sdk.local import Local

LOOK_SECONDS = 2.0
"""How long an entry is waited for. So often, too, it is looked who has died, and whether anybody is subscribed."""
RETRY_SECONDS = 1.0
DOUBTS = 100
"""How many actions in doubt are compared, the oldest."""

Tell = Callable[[set[str]], None]
"""Is told the URIs that changed; it picks those that it wants."""
Doubts = dict[str, str]
"""Actions in doubt, each with its execution."""


class ChangeWatch:
    """Who wants to know what."""

    def __init__(self, caller: Local) -> None:
        self._caller = caller
        self._told: dict[object, Tell] = {}
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = Event()

    def add(self, key: object, tell: Tell) -> None:
        """Tell of changes from now on, under a key that takes the place of one before."""
        with self._lock:
            if self._thread is None:
                begin = (self._end(), self._doubts())
                self._thread = Thread(target=self._follow, args=begin, name="tallystick-watch", daemon=True)
                self._thread.start()
            self._told[key] = tell

    def remove(self, key: object) -> None:
        with self._lock:
            self._told.pop(key, None)

    def close(self) -> None:
        self._closed.set()

    def _end(self) -> int:
        newest = operations.CATALOGUE["read_entries"](self._caller.context, {"newest_first": True, "limit": 1}).entries
        return newest[0].seq if newest else 0

    def _doubts(self) -> Doubts:
        page = operations.CATALOGUE["list_in_doubt"](self._caller.context, {"limit": DOUBTS})
        return {item.action_id: item.execution_id for item in page.in_doubt}

    def _follow(self, place: int, doubts: Doubts) -> None:
        due = monotonic() + LOOK_SECONDS
        while not self._is_over():
            changed: set[str] = set()
            try:
                asked = {"after": place, "wait_seconds": LOOK_SECONDS, "limit": 100}
                page = operations.CATALOGUE["read_entries"](self._caller.context, asked)
                for entry in page.entries:
                    changed |= touched(entry)
                if not page.entries or monotonic() > due:
                    now = self._doubts()
                    changed |= _differing(doubts, now)
                    doubts, due = now, monotonic() + LOOK_SECONDS
                place = page.last_seq
            except Exception:
                self._closed.wait(RETRY_SECONDS)  # the store is away; what changed meanwhile is told when it is back
                continue
            with self._lock:
                tells = list(self._told.values()) if changed else []
            for tell in tells:
                with suppress(Exception):  # whoever cannot be told any more keeps it from nobody else
                    tell(changed)

    def _is_over(self) -> bool:
        """Whether nobody is there to be told. Who comes after that begins a thread of their own."""
        with self._lock:
            if self._told and not self._closed.is_set():
                return False
            self._thread = None
            return True


def _differing(before: Doubts, now: Doubts) -> set[str]:
    """The resources that look otherwise because of who has died, or has come back."""
    other = before.keys() ^ now.keys()
    found = {SCHEME + "brief"} if other else set()
    for id in {(before | now)[action] for action in other}:
        one = f"{SCHEME}executions/{id}"
        found |= {one, f"{one}/journal", f"{one}/owed"}
    return found
