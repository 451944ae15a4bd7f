"""Which steps of a plan may begin, and which of them first. Pure: a runner keeps one for each execution.

A step is ready when it was not begun and each step before it, directly or not, is done or skipped. So a step that an
agent has done early does not let pass what waits for an approval before it. Ready steps are ranked by priority, then by
the longest way behind them, then by their place in the plan.
"""

from collections.abc import Mapping, Sequence
from heapq import nsmallest
from typing import Protocol

SETTLED = ("done", "skipped")
"""The states of a step after which the steps behind it may begin."""


class PlannedStep(Protocol):
    """What the order of steps depends on; `estimate` is in seconds."""

    @property
    def id(self) -> str: ...
    @property
    def after(self) -> tuple[str, ...]: ...
    @property
    def priority(self) -> int: ...
    @property
    def estimate(self) -> float | None: ...


class Schedule:
    """The steps of one execution with their states. An update costs what its successors cost.

    States are those of `Progress.status`: empty, running, done, skipped, failed, in_doubt. `only_direct`: a step waits
    only for the steps in its `after`, as in `plans.ready_steps`: the rule for what an agent begins.
    """

    def __init__(
        self, steps: Sequence[PlannedStep], states: Mapping[str, str] = {}, *, only_direct: bool = False
    ) -> None:
        self.steps = steps
        self._only_direct = only_direct
        self._place = {step.id: place for place, step in enumerate(steps)}
        self._behind: list[list[int]] = [[] for _ in steps]
        self._before: list[set[int]] = []
        self._waits = [0] * len(steps)
        """By place: how many steps directly before it do not release it yet."""
        self._releases = [False] * len(steps)
        """By place: whether the steps behind it may begin, as far as it is concerned."""
        for place, step in enumerate(steps):
            before = {self._place[name] for name in step.after if name in self._place}
            self._before.append(before)
            self._waits[place] = len(before)
            for other in before:
                self._behind[other].append(place)
        self._ranks = self._rank_all()
        self._places_in: dict[str, set[int]] = {"": set(range(len(steps)))}
        self._free = {place for place, count in enumerate(self._waits) if not count}
        self.states: dict[str, str] = {}
        for name, state in states.items():
            if name in self._place:
                self.update(name, state)

    def rank(self, step: str) -> tuple[float, float, int]:
        """The smaller, the sooner."""
        return self._ranks[self._place[step]]

    def ready(self) -> list[str]:
        """All steps that may begin now, the first one first."""
        return [self.steps[place].id for place in sorted(self._free, key=self._ranks.__getitem__)]

    def first_ready(self, limit: int) -> list[str]:
        """The steps that may begin now, in the plan's order, at most so many."""
        return [self.steps[place].id for place in nsmallest(limit, self._free)]

    def is_ready(self, step: str) -> bool:
        return not self.states.get(step) and not self._waits[self._place[step]]

    def update(self, step: str, state: str) -> list[str]:
        """Set the state of a step; returns the steps that may begin because of it, the first one first."""
        before, own = self.states.get(step, ""), self._place[step]
        self.states[step] = state
        self._places_in[before].discard(own)
        self._places_in.setdefault(state, set()).add(own)
        changed = self._release_behind(own)
        for place in changed:
            is_free = not self._waits[place] and not self.states.get(self.steps[place].id)
            (self._free.add if is_free else self._free.discard)(place)
        names = (self.steps[place].id for place in changed)
        return sorted((name for name in names if self.is_ready(name)), key=self.rank)

    def _release_behind(self, own: int) -> set[int]:
        """Release what is behind a place, or hold it back again; returns all places that this may have changed."""
        changed, stack = {own}, [own]
        while stack:
            place = stack.pop()
            is_settled = self.states.get(self.steps[place].id) in SETTLED
            releases = is_settled and (self._only_direct or not self._waits[place])
            if releases == self._releases[place]:
                continue
            self._releases[place] = releases
            for other in self._behind[place]:
                self._waits[other] += -1 if releases else 1
            changed.update(self._behind[place])
            stack += self._behind[place]
        return changed

    def unsettled_before(self, step: str) -> list[str]:
        """The steps before one, directly or not, that hold it back, as far as is known."""
        found: set[int] = set()
        stack = [self._place[step]]
        while stack:
            held_by = {place for place in self._before[stack.pop()] if not self._releases[place]} - found
            found |= held_by
            stack += held_by
        return [self.steps[place].id for place in sorted(found)]

    def ready_after(self, step: str) -> list[str]:
        """The steps directly behind it that may begin as soon as it is settled, and not before; the first one first."""
        own = self._place[step]
        is_last = not self._waits[own] and not self._releases[own]
        behind = (place for place in self._behind[own] if is_last and self._waits[place] == 1)
        names = (self.steps[place].id for place in behind)
        return sorted((name for name in names if not self.states.get(name)), key=self.rank)

    def names_in(self, *states: str) -> list[str]:
        """The steps in one of these states, in the plan's order; `""` for those that were not begun."""
        places = (place for state in states for place in self._places_in.get(state, ()))
        return [self.steps[place].id for place in sorted(places)]

    def next_to(self, step: str) -> list[str]:
        """The steps that come directly after it."""
        return [self.steps[place].id for place in self._behind[self._place[step]]]

    def behind(self, step: str) -> set[str]:
        """All steps that come after it, directly or not."""
        found: set[int] = set()
        stack = list(self._behind[self._place[step]])
        while stack:
            place = stack.pop()
            if place not in found:
                found.add(place)
                stack += self._behind[place]
        return {self.steps[place].id for place in found}

    @property
    def is_settled(self) -> bool:
        """Whether every step is done or skipped."""
        return sum(len(self._places_in.get(state, ())) for state in SETTLED) == len(self.steps)

    def _rank_all(self) -> list[tuple[float, float, int]]:
        """Ranks by the seconds of the longest way from each step to the end; a step counts at least one second."""
        left = [len(behind) for behind in self._behind]
        way = [max(step.estimate or 0.0, 1.0) for step in self.steps]
        free = [place for place, count in enumerate(left) if not count]
        while free:
            place = free.pop()
            for name in dict.fromkeys(self.steps[place].after):
                before = self._place.get(name)
                if before is None:
                    continue
                own = max(self.steps[before].estimate or 0.0, 1.0)
                way[before] = max(way[before], own + way[place])
                left[before] -= 1
                if not left[before]:
                    free.append(before)
        return [(-step.priority, -way[place], place) for place, step in enumerate(self.steps)]
