"""The order in which what is owed is undone.

A pure function from the actions of an execution to the ordered list: the reverse of what was begun, except that what
is known to depend on something comes before it, whenever it was begun. What may have been done is on the list like
what was done, and marked.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from msgspec import Struct

from tallystick.core.entries import StepFacts
from tallystick.core.model import OwedState
from tallystick.core.order import Order
from tallystick.core.owing import OUTSTANDING
from tallystick.core.state import Action


class Owed(Struct, frozen=True):
    """One thing that is not undone. `certain` is False when it only may have been done."""

    action: Action
    state: OwedState
    certain: bool
    expired: bool


def unwind(
    actions: Sequence[Action],
    revisions: Iterable[Sequence[StepFacts]],
    *,
    now: int,
    in_doubt: Callable[[Action], bool],
) -> list[Owed]:
    """What is outstanding among `actions`, in the order to undo it.

    `revisions` of the plan, oldest first, say what depends on what: of each step the newest that still has it. That
    makes no circle, since no revision names a step that it does not have. `in_doubt` tells whether an open action's
    session is over; it is asked about undos, which are among `actions` too.
    """
    by_id = {action.id: action for action in actions}
    outstanding = [action for action in actions if action.owed in OUTSTANDING]
    listed = [_owed(action, by_id, now, in_doubt) for action in outstanding]
    steps = {step.id: step for revision in revisions for step in revision}
    return _dependants_first(listed, Order(list(steps.values())))


def is_expired(action: Action, now: int) -> bool:
    """Whether the time in which it could be undone is over."""
    return bool(action.deadline) and action.deadline <= now


def _owed(action: Action, by_id: Mapping[str, Action], now: int, in_doubt: Callable[[Action], bool]) -> Owed:
    state: OwedState = action.owed  # type: ignore[assignment]  # OUTSTANDING holds such words only
    undos = [by_id[undo] for undo, known in action.undos.items() if known == "open" and undo in by_id]
    if state == "undoing" and undos and all(in_doubt(undo) for undo in undos):
        state = "in_doubt"
    expired = is_expired(action, now)
    if expired and state == "owed":
        state = "not_possible"
    return Owed(action=action, state=state, certain=action.state == "ok", expired=expired)


def _dependants_first(listed: Sequence[Owed], order: Order) -> list[Owed]:
    """Newest first among what is free. A step's actions are free once all steps that come after it are through."""
    waiting: dict[str, list[Owed]] = {step.id: [] for step in order.steps}
    heap = [(-item.action.seq, item.action.id, item) for item in listed if item.action.step not in waiting]
    for item in listed:
        if item.action.step in waiting:
            waiting[item.action.step].append(item)
    left = {step.id: len(waiting[step.id]) for step in order.steps}
    children = {step.id: len(order.children(step.id)) for step in order.steps}
    heapify(heap)

    def free(step: str) -> None:
        """Let a step's actions go; a step with nothing owed is through at once, and so on up the plan."""
        freed = [step]
        while freed:
            name = freed.pop()
            for item in waiting[name]:
                heappush(heap, (-item.action.seq, item.action.id, item))
            if not left[name]:
                freed += through(name)

    def through(step: str) -> list[str]:
        parents = order.parents(step)
        for parent in parents:
            children[parent] -= 1
        return [parent for parent in parents if not children[parent]]

    for step in order.steps:
        if not order.children(step.id):
            free(step.id)
    ordered: list[Owed] = []
    while heap:
        item = heappop(heap)[2]
        ordered.append(item)
        step_id = item.action.step
        if step_id in left:
            left[step_id] -= 1
            if not left[step_id]:
                for parent in through(step_id):
                    free(parent)
    missed = set(map(id, listed)) - set(map(id, ordered))  # only where steps wait for each other, which no plan may
    return ordered + sorted((item for item in listed if id(item) in missed), key=lambda item: -item.action.seq)
