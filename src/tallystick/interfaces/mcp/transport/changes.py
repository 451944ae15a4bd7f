"""Notifies subscribers of changed resources, whichever process changed them.

One thread watches from the first subscriber to the last. It reports entries, and changes that no entry shows: an action
that is in doubt because its session has died.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from time import monotonic

from tallystick import operations
from tallystick.interfaces.mcp.resources import SCHEME, changed_resources, execution_uris
from tallystick.sdk.local import Local

POLL_SECONDS = 2.0
"""How long one wait for entries takes. Dead sessions, and the end of all subscriptions, are looked for as often."""
RETRY_SECONDS = 1.0
MAX_DOUBTS = 100
"""How many actions in doubt are compared, the oldest."""

Notify = Callable[[set[str]], None]
"""Receives the URIs that changed, and picks those that it wants."""
Doubts = dict[str, str]
"""Actions in doubt, each with its execution."""


class ChangeWatch:
    """The subscribers of one journal, and the thread that notifies them."""

    def __init__(self, caller: Local) -> None:
        self._caller = caller
        self._subscribers: dict[object, Notify] = {}
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = Event()

    def add(self, key: object, notify: Notify) -> None:
        """Notify a subscriber of changes from now on. It replaces a subscriber with the same key."""
        with self._lock:
            if self._thread is None:
                start = (self._last_seq(), self._doubts())
                self._thread = Thread(target=self._watch, args=start, name="tallystick-watch", daemon=True)
                self._thread.start()
            self._subscribers[key] = notify

    def remove(self, key: object) -> None:
        with self._lock:
            self._subscribers.pop(key, None)

    def close(self) -> None:
        self._closed.set()

    def _last_seq(self) -> int:
        newest = operations.CATALOGUE["read_entries"](self._caller.context, {"newest_first": True, "limit": 1}).entries
        return newest[0].seq if newest else 0

    def _doubts(self) -> Doubts:
        page = operations.CATALOGUE["list_in_doubt"](self._caller.context, {"limit": MAX_DOUBTS})
        return {item.action_id: item.execution_id for item in page.in_doubt}

    def _watch(self, last_seq: int, doubts: Doubts) -> None:
        check_doubts_at = monotonic() + POLL_SECONDS
        while not self._is_over():
            changed: set[str] = set()
            try:
                wait = {"after": last_seq, "wait_seconds": POLL_SECONDS, "limit": 100}
                page = operations.CATALOGUE["read_entries"](self._caller.context, wait)
                for entry in page.entries:
                    changed |= changed_resources(entry)
                if not page.entries or monotonic() > check_doubts_at:
                    now = self._doubts()
                    changed |= _changed_by_doubts(doubts, now)
                    doubts, check_doubts_at = now, monotonic() + POLL_SECONDS
                last_seq = page.last_seq
            except Exception:
                self._closed.wait(RETRY_SECONDS)  # the store is away; later changes are reported when it is back
                continue
            with self._lock:
                subscribers = list(self._subscribers.values()) if changed else []
            for notify in subscribers:
                with suppress(Exception):  # a dead subscriber must not keep it from the others
                    notify(changed)

    def _is_over(self) -> bool:
        """Whether there are no subscribers. A later subscriber starts a new thread."""
        with self._lock:
            if self._subscribers and not self._closed.is_set():
                return False
            self._thread = None
            return True


def _changed_by_doubts(before: Doubts, now: Doubts) -> set[str]:
    """The resources that changed because actions came into doubt, or were settled."""
    actions = before.keys() ^ now.keys()
    uris = {SCHEME + "brief"} if actions else set()
    for execution in {(before | now)[action] for action in actions}:
        uris |= execution_uris(execution)
    return uris
