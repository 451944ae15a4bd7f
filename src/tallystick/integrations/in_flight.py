"""Calls that are under way in this process: which of those that adapters see is the same one."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from msgspec import Struct

from tallystick.core.tools import same_call, same_tool

if TYPE_CHECKING:
    from tallystick.integrations.observer import Observer


class Sight(Struct, frozen=True):
    """What an adapter sees of a call beside its id. `run` is what its framework calls the place of it, if it does: the
    same for all who see the call, and another one in each run."""

    tool: str
    arguments: dict[str, Any]
    run: str = ""

    def may_be(self, other: Sight) -> bool:
        """Whether nothing speaks against it: what both tell of the tool and the run is the same."""
        same = same_tool(self.tool, other.tool) or same_tool(other.tool, self.tool)
        return same and not (self.run and other.run and self.run != other.run)

    def is_equal(self, other: Sight) -> bool:
        return same_call(self.arguments, other.arguments) and same_call(other.arguments, self.arguments)

    def is_akin(self, other: Sight) -> bool:
        """Whether it is likely: in one run, or as far as both tell the arguments. One of them may be told what the
        framework fills in, or a text in place of the arguments."""
        if self.run and self.run == other.run:
            return True
        one, another = self.arguments, other.arguments
        return bool(one and another) and (same_call(one, another) or same_call(another, one))


class UnderWay:
    """Calls by their ids, and the observers that have seen them begin.

    Two observers that see the same id at once see the same call, if tool, arguments and run fit: models that count
    their calls have the same id for many. One observer sees a call once: the same id again is another call, which gets
    an id of its own, unless it was put off; so is one that some other process has under way. Who sees that call too
    knows the first id only, so it is remembered which ids were given in its place.
    """

    def __init__(self) -> None:
        self._held: dict[str, WeakSet[Observer]] = {}
        self._given: dict[str, dict[str, Sight]] = {}
        self._put_off: set[str] = set()
        self.begin_anew()

    def begin_anew(self) -> None:
        """In a forked child a lock that some thread of its parent held stays shut."""
        self._lock = Lock()

    def enters(self, call_id: str, observer: Observer, sight: Sight) -> str:
        """The id by which a call is under way; empty when that id is another call's."""
        with self._lock:
            given = self._given.setdefault(call_id, {})
            for left in [id for id in given if not self._held.get(id) and id not in self._put_off]:
                del given[left]  # by who is gone, and told no end
            others = {id: seen for id, seen in given.items() if self._is_others(id, observer) and seen.may_be(sight)}
            id = _same(others, sight) or ("" if given else call_id)
            if id:
                self._held.setdefault(id, WeakSet()).add(observer)
                given.setdefault(id, sight)
            return id

    def gets(self, id: str, call_id: str, observer: Observer, sight: Sight) -> None:
        """The call has got this id in place of the one that it came with."""
        with self._lock:
            self._given.setdefault(call_id, {})[id] = sight
            self._held[id] = WeakSet([observer])

    def is_known(self, id: str, observer: Observer) -> bool:
        """Whether another observer sees it, or it was put off."""
        with self._lock:
            return id in self._put_off or any(each is not observer for each in self._held.get(id, ()))

    def left(self, id: str, call_id: str, observer: Observer, *, put_off: bool = False) -> None:
        with self._lock:
            (self._put_off.add if put_off else self._put_off.discard)(id)
            holders = self._held.get(id, WeakSet())
            holders.discard(observer)
            if holders or put_off:
                return
            self._held.pop(id, None)
            given = self._given.get(call_id, {})
            given.pop(id, None)
            if not given:
                self._given.pop(call_id, None)

    def _is_others(self, id: str, observer: Observer) -> bool:
        holders = self._held.get(id, ())
        return observer not in holders and (bool(holders) or id in self._put_off)


def _same(others: dict[str, Sight], sight: Sight) -> str:
    """The one with equal arguments, else the only one that is likely."""
    if equal := [id for id, seen in others.items() if seen.is_equal(sight)]:
        return equal[0]
    akin = [id for id, seen in others.items() if seen.is_akin(sight)]
    return akin[0] if len(akin) == 1 else ""
