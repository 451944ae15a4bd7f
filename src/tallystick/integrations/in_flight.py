"""The calls that are in flight in this process: decides which calls that adapters observe are the same one."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from msgspec import Struct

from tallystick.core.tools import same_call, same_tool

if TYPE_CHECKING:
    from tallystick.integrations.observer import CallObserver


class CallFeatures(Struct, frozen=True):
    """The facts that an adapter has about a call besides its id.

    `run` is the framework's id for the run that the call is part of, if it has one. All observers of the call
    give the same.
    """

    tool: str
    arguments: dict[str, Any]
    run: str = ""

    def may_match(self, other: CallFeatures) -> bool:
        """Whether tool and run do not contradict each other."""
        same = same_tool(self.tool, other.tool) or same_tool(other.tool, self.tool)
        return same and not (self.run and other.run and self.run != other.run)

    def has_equal_arguments(self, other: CallFeatures) -> bool:
        return same_call(self.arguments, other.arguments) and same_call(other.arguments, self.arguments)

    def is_similar(self, other: CallFeatures) -> bool:
        """Whether both have the same run, or the arguments of one are among those of the other.

        One observer may see arguments that the framework fills in, or a text in place of the arguments.
        """
        if self.run and self.run == other.run:
            return True
        one, another = self.arguments, other.arguments
        return bool(one and another) and (same_call(one, another) or same_call(another, one))


class InFlightCalls:
    """The calls in flight by their ids, and the observers that saw them begin.

    - Two observers with the same id at the same time see the same call, if tool, arguments and run match. Ids alone do
      not suffice: models that count their calls use the same id for many.
    - One observer sees a call once. The same id again is another call, which gets a new id, unless the first call was
      suspended. The same holds for an id that another process has in flight.
    - Another observer of that call knows only the original id. So the ids that replace an original id are kept.
    """

    def __init__(self) -> None:
        self._observers: dict[str, WeakSet[CallObserver]] = {}
        self._ids: dict[str, dict[str, CallFeatures]] = {}
        self._suspended: set[str] = set()
        self.reset_after_fork()

    def reset_after_fork(self) -> None:
        """Make a new lock: in a forked child, a lock that a thread of the parent held stays locked."""
        self._lock = Lock()

    def enter(self, original_id: str, observer: CallObserver, features: CallFeatures) -> str:
        """Register an observed call, and return its id; empty if that id belongs to another call."""
        with self._lock:
            ids = self._ids.setdefault(original_id, {})
            for abandoned in [id for id in ids if not self._observers.get(id) and id not in self._suspended]:
                del ids[abandoned]  # its observer is gone, and recorded no end
            others = {
                id: seen for id, seen in ids.items() if self._is_others(id, observer) and seen.may_match(features)
            }
            id = _find_same(others, features) or ("" if ids else original_id)
            if id:
                self._observers.setdefault(id, WeakSet()).add(observer)
                ids.setdefault(id, features)
            return id

    def assign_id(self, id: str, original_id: str, observer: CallObserver, features: CallFeatures) -> None:
        """Register a call under a new id that replaces its original one."""
        with self._lock:
            self._ids.setdefault(original_id, {})[id] = features
            self._observers[id] = WeakSet([observer])

    def is_shared(self, id: str, observer: CallObserver) -> bool:
        """Whether another observer sees the call, or it was suspended."""
        with self._lock:
            return id in self._suspended or any(each is not observer for each in self._observers.get(id, ()))

    def leave(self, id: str, original_id: str, observer: CallObserver, *, suspended: bool = False) -> None:
        """Unregister an observer of a call, because it ended or was suspended."""
        with self._lock:
            (self._suspended.add if suspended else self._suspended.discard)(id)
            observers = self._observers.get(id, WeakSet())
            observers.discard(observer)
            if observers or suspended:
                return
            self._observers.pop(id, None)
            ids = self._ids.get(original_id, {})
            ids.pop(id, None)
            if not ids:
                self._ids.pop(original_id, None)

    def _is_others(self, id: str, observer: CallObserver) -> bool:
        observers = self._observers.get(id, ())
        return observer not in observers and (bool(observers) or id in self._suspended)


def _find_same(others: dict[str, CallFeatures], features: CallFeatures) -> str:
    """The id of the call with equal arguments, else of the only similar one."""
    if equal := [id for id, seen in others.items() if seen.has_equal_arguments(features)]:
        return equal[0]
    similar = [id for id, seen in others.items() if seen.is_similar(features)]
    return similar[0] if len(similar) == 1 else ""
