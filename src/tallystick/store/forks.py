"""Stops a store's thread and closes its connections before this process is forked; parent and child go on anew.

SQLite remembers in memory which locks its process holds. A forked child inherits this memory but not the locks: it
would write without them, and the next process that closes the file would delete the WAL that the child still uses.
"""

import os
from collections.abc import Callable
from threading import Condition, Lock, RLock, get_ident
from typing import Any, Generic, Protocol, TypeVar, overload
from weakref import WeakSet

T = TypeVar("T")

FORK_WAIT_SECONDS = 10.0
"""How long a fork waits for the calls of other threads to end."""


class ForkGate:
    """Threads enter it to use a store's connections. Before a fork it shuts, and `close_connections` is called.

    `is_clean` is false if that was impossible: a thread, perhaps the forking one itself, was in the middle of a call.
    """

    def __init__(self, close_connections: Callable[[], None]) -> None:
        self.is_clean = True
        self._close_connections = close_connections
        self._reset()
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
            self._changed.wait_for(lambda: not self._inside.keys() - {thread}, FORK_WAIT_SECONDS)
            self.is_clean = not self._inside
        if self.is_clean:
            self._close_connections()

    def reopen(self) -> None:
        self.is_clean = True
        with self._changed:
            self._shut = False
            self._changed.notify_all()

    def _reset(self) -> None:
        """Forget all threads: a forked child has none of those that were inside or waiting."""
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._inside: dict[int, int] = {}
        self._shut = False


class FirstUse:
    """A lock, held while something is loaded or opened when it is first used. A fork waits for that: a child would
    inherit locks, such as those of an import, that nobody releases."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._is_held = False

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def before_fork(self) -> None:
        self._is_held = self._lock.acquire(timeout=FORK_WAIT_SECONDS)

    def after_fork_in_parent(self) -> None:
        if self._is_held:
            self._lock.release()

    def after_fork_in_child(self) -> None:
        if self._is_held:
            self._lock.release()
        else:
            self._lock = RLock()


first_use = FirstUse()


class computed_once(Generic[T]):
    """As `functools.cached_property`, which in Python 3.11 holds a lock while it computes: a process that is forked at
    that moment inherits the lock, and nobody releases it. Two threads may compute a value; the first one stays."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, holder: None, owner: type) -> "computed_once[T]": ...
    @overload
    def __get__(self, holder: object, owner: type) -> T: ...
    def __get__(self, holder: object | None, owner: type) -> "computed_once[T] | T":
        if holder is None:
            return self
        value: T = holder.__dict__.setdefault(self._name, self._compute(holder))
        return value


class BackgroundPart(Protocol):
    """A part of a store with a thread of its own."""

    def before_fork(self) -> None: ...
    def after_fork_in_parent(self) -> None: ...
    def after_fork_in_child(self) -> None: ...


def stop_before_fork(part: BackgroundPart) -> None:
    """Stop the thread of a part before each fork: a child would inherit whatever the thread holds."""
    _parts.add(part)


_gates: WeakSet[ForkGate] = WeakSet()
_parts: WeakSet[BackgroundPart] = WeakSet()


class CurrentProcess:
    """The number of this process, cached: it changes only in a fork."""

    __slots__ = ("id",)

    def __init__(self) -> None:
        self.id = os.getpid()


current_process = CurrentProcess()


def process_id() -> int:
    return current_process.id


def _before_fork() -> None:
    first_use.before_fork()
    for part in list(_parts):  # first: at a gate that is shut, its thread would wait
        part.before_fork()
    for gate in list(_gates):
        gate.shut()


def _after_in_parent() -> None:
    for gate in list(_gates):
        gate.reopen()
    for part in list(_parts):
        part.after_fork_in_parent()
    first_use.after_fork_in_parent()


def _after_in_child() -> None:
    current_process.id = os.getpid()
    for gate in list(_gates):
        gate._reset()
    for part in list(_parts):
        part.after_fork_in_child()
    first_use.after_fork_in_child()


os.register_at_fork(before=_before_fork, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
