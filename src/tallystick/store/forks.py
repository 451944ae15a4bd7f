"""Letting go of a file before this process is forked, and taking hold of it again on both sides.

SQLite notes in memory which locks its process holds. A forked child inherits the notes but not the locks: it would
write without them, and the next process that closes the file would throw the WAL away under its feet.
"""

import os
from collections.abc import Callable
from threading import Condition, Lock, get_ident
from weakref import WeakSet

PATIENCE_SECONDS = 10.0
"""How long a fork waits for calls of other threads to end."""


class Gate:
    """Threads go through it to use a store's connections. Before a fork it shuts, and `let_go` closes them.

    `clean` is false when that could not be: some thread, maybe the forking one itself, was in the middle of a call.
    """

    def __init__(self, let_go: Callable[[], None]) -> None:
        self.clean = True
        self._let_go = let_go
        self._open_anew()
        _gates.add(self)

    def __enter__(self) -> None:
        thread = get_ident()
        with self._lock:
            while self._shut and thread not in self._inside:
                self._changed.wait()
            self._inside[thread] = self._inside.get(thread, 0) + 1

    def __exit__(self, *error: object) -> None:
        thread = get_ident()
        inside = self._inside
        with self._lock:
            if inside[thread] > 1:
                inside[thread] -= 1
                return
            del inside[thread]
            if self._shut:
                self._changed.notify_all()

    def shut(self) -> None:
        thread = get_ident()
        with self._changed:
            self._shut = True
            self._changed.wait_for(lambda: not self._inside.keys() - {thread}, PATIENCE_SECONDS)
            self.clean = not self._inside
        if self.clean:
            self._let_go()

    def reopen(self) -> None:
        self.clean = True
        with self._changed:
            self._shut = False
            self._changed.notify_all()

    def _open_anew(self) -> None:
        """In a forked child the threads that were inside, or at the gate, are no more."""
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._inside: dict[int, int] = {}
        self._shut = False


_gates: WeakSet[Gate] = WeakSet()
_process = os.getpid()


def process_id() -> int:
    """The number of this process, without asking the system each time: it changes in a fork only."""
    return _process


def _before() -> None:
    for gate in list(_gates):
        gate.shut()


def _after_in_parent() -> None:
    for gate in list(_gates):
        gate.reopen()


def _after_in_child() -> None:
    global _process
    _process = os.getpid()
    for gate in list(_gates):
        gate._open_anew()


os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
