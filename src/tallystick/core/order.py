"""What comes before what in a plan. Sets of steps are bits of an integer: 10,000 steps in a row stay cheap."""

from collections.abc import Iterable, Iterator, Sequence

from tallystick.core.entries import StepFacts


class Order:
    """The steps of a plan by `after`. Ids that are no steps of it are ignored."""

    def __init__(self, steps: Sequence[StepFacts]) -> None:
        self.steps = steps
        self._place = {step.id: position for position, step in enumerate(steps)}
        self._parents = [
            [self._place[name] for name in dict.fromkeys(step.after) if name in self._place] for step in steps
        ]
        self._children: list[list[int]] = [[] for _ in steps]
        for position, parents in enumerate(self._parents):
            for parent in parents:
                self._children[parent].append(position)

    def parents(self, step: str) -> list[str]:
        """The steps that stand in its `after`."""
        return self.names(self._parents[self._place[step]]) if step in self._place else []

    def children(self, step: str) -> list[str]:
        """The steps that name it in their `after`."""
        return self.names(self._children[self._place[step]]) if step in self._place else []

    def behind(self, step: str) -> int:
        """All steps that come after it, directly or not, as a mask."""
        found = 0
        stack = list(self._children[self._place[step]]) if step in self._place else []
        while stack:
            position = stack.pop()
            if not found >> position & 1:
                found |= 1 << position
                stack += self._children[position]
        return found

    def all_behind(self) -> list[int]:
        """`behind` of every step, in one pass: children before parents."""
        masks = [0] * len(self.steps)
        left = [len(children) for children in self._children]
        free = [position for position, count in enumerate(left) if not count]
        while free:
            position = free.pop()
            for parent in self._parents[position]:
                masks[parent] |= masks[position] | 1 << position
                left[parent] -= 1
                if not left[parent]:
                    free.append(parent)
        return masks

    def mask(self, names: Iterable[str]) -> int:
        found = 0
        for name in names:
            if name in self._place:
                found |= 1 << self._place[name]
        return found

    def of(self, mask: int) -> Iterator[str]:
        """The steps in a mask, in the plan's order."""
        while mask:
            lowest = mask & -mask
            yield self.steps[lowest.bit_length() - 1].id
            mask ^= lowest

    def names(self, positions: Iterable[int]) -> list[str]:
        return [self.steps[position].id for position in positions]
