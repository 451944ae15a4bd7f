"""When something is owed: what was done, or may have been, and is not yet undone.

The word kept in `Action.owed`, by what is known of the action and of its undos; the first line that holds:

    skipped, or effect read           nothing
    failed                            nothing, unless its effect is unsafe and not recorded as none
    an undo of it ended ok            undone, or partly when it is only partially reversible
    an undo of it is open             undoing
    an undo of it is in doubt         in_doubt
    an undo of it failed              failed
    open, ok, failed or in doubt      owed, or not_possible when it is irreversible

All its undos count, not only the last one: one that failed or was lost sight of takes nothing from one that succeeded.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from msgspec import Struct

from tallystick.core.entries import StepFacts
from tallystick.core.plans import StepOrder
from tallystick.core.state import Action
from tallystick.core.types import OwedState, Undo

OUTSTANDING = ("owed", "undoing", "in_doubt", "failed", "not_possible", "partly")
"""States of what is not, or not wholly, undone: all are listed."""
DUE = frozenset({"owed", "undoing", "in_doubt", "failed"})
"""States in which something can still be done about it: these are counted as owed."""
_BY_UNDO = (("undone", ("ok",)), ("undoing", ("open",)), ("in_doubt", ("unknown", "doubted")), ("failed", ("failed",)))
"""The word for an action by the states of its undos; the first that is met counts."""


def undo_state(action: Action) -> tuple[str, str]:
    """The word for an action as it stands, and the undo that it is so by. From its begin it may have been done."""
    debt = _debt(action)
    if not debt or not action.undos:
        return debt, ""
    for word, states in _BY_UNDO:
        by = [undo for undo, state in action.undos.items() if state in states]
        if by:
            partly = word == "undone" and action.cancellable == "partially-reversible"
            return "partly" if partly else word, by[-1]
    return debt, ""


def undos_after_contradiction(undos: dict[str, str]) -> dict[str, str]:
    """What is left of the undos of an action whose outcome is contradicted: what it did may have come after them."""
    return {undo: state for undo, state in undos.items() if state in ("open", "unknown", "doubted")}


def due_count(owed: str) -> int:
    return 1 if owed in DUE else 0


def _debt(action: Action) -> str:
    """What would be owed had nobody tried to undo it."""
    if action.action_kind == "undo" or action.effect == "read" or action.state == "skipped":
        return ""
    if action.state == "failed" and (action.effect != "unsafe" or action.without_effect):
        return ""
    return "not_possible" if action.cancellable == "irreversible" else "owed"


# ----------------------------------------------------------------------------------------------------------------------
# The order in which what is owed is undone.
#
# A pure function from the actions of an execution to the ordered list: the reverse of what was begun, except that what
# is known to depend on something comes before it, whenever it was begun. What may have been done is on the list like
# what was done, and marked.


class UndoItem(Struct, frozen=True):
    """One thing that is not undone. `certain` is False when it only may have been done."""

    action: Action
    state: OwedState
    certain: bool
    expired: bool


def undo_list(
    actions: Sequence[Action],
    revisions: Iterable[Sequence[StepFacts]],
    *,
    now: int,
    in_doubt: Callable[[Action], bool],
) -> list[UndoItem]:
    """What is outstanding among `actions`, in the order to undo it.

    `revisions` of the plan, oldest first, say what depends on what: of each step the newest that still has it. That
    makes no circle, since no revision names a step that it does not have. `in_doubt` tells whether an open action's
    session is over; it is asked about undos, which are among `actions` too.
    """
    by_id = {action.id: action for action in actions}
    outstanding = [action for action in actions if action.owed in OUTSTANDING]
    listed = [_owed(action, by_id, now, in_doubt) for action in outstanding]
    steps = {step.id: step for revision in revisions for step in revision}
    return _dependants_first(listed, StepOrder(list(steps.values())))


def is_expired(action: Action, now: int) -> bool:
    """Whether the time in which it could be undone is over."""
    return bool(action.deadline) and action.deadline <= now


def _owed(action: Action, by_id: Mapping[str, Action], now: int, in_doubt: Callable[[Action], bool]) -> UndoItem:
    state: OwedState = action.owed  # type: ignore[assignment]  # OUTSTANDING holds such words only
    undos = [by_id[undo] for undo, known in action.undos.items() if known == "open" and undo in by_id]
    if state == "undoing" and undos and all(in_doubt(undo) for undo in undos):
        state = "in_doubt"
    expired = is_expired(action, now)
    if expired and state == "owed":
        state = "not_possible"
    return UndoItem(action=action, state=state, certain=action.state == "ok", expired=expired)


def _dependants_first(listed: Sequence[UndoItem], order: StepOrder) -> list[UndoItem]:
    """Newest first among what is free. A step's actions are free once all steps that come after it are through."""
    waiting: dict[str, list[UndoItem]] = {step.id: [] for step in order.steps}
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
    ordered: list[UndoItem] = []
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


# ----------------------------------------------------------------------------------------------------------------------
# An undo with its references filled in from what was recorded.
#
# `${result.booking.id}` in an undo's arguments stands for a part of the action's recorded result, `${arguments.path}`
# for a part of its arguments. A reference that is the whole text keeps the value's type; inside a text it is written
# out. What cannot be found, or was masked or erased, is named in `missing` and left as it stands.

_REFERENCE = re.compile(r"\$\{(result|arguments)((?:\.[^.{}]+)*)\}")
_ABSENT = object()


class FilledUndo(Struct, frozen=True, omit_defaults=True):
    """How to undo one thing, ready to be carried out."""

    words: str = ""
    tool: str = ""
    arguments: dict[str, Any] = {}
    missing: tuple[str, ...] = ()


def fill_references(undo: Undo, *, arguments: Any, result: Any) -> FilledUndo:
    """The undo with every reference replaced that can be."""
    sources = {"result": result, "arguments": arguments}
    missing: list[str] = []
    return FilledUndo(
        words=_filled(undo.words, sources, missing) if undo.words else "",
        tool=undo.tool,
        arguments=_filled(undo.arguments, sources, missing),
        missing=tuple(dict.fromkeys(missing)),
    )


def _filled(value: Any, sources: dict[str, Any], missing: list[str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(item, sources, missing) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, sources, missing) for item in value]
    if not isinstance(value, str):
        return value
    whole = _REFERENCE.fullmatch(value)
    if whole:
        found = _look_up(whole, sources, missing)
        return value if found is _ABSENT else found
    return _REFERENCE.sub(lambda match: _written(match, sources, missing), value)


def _written(match: re.Match[str], sources: dict[str, Any], missing: list[str]) -> str:
    found = _look_up(match, sources, missing)
    return match[0] if found is _ABSENT else str(found)


def _look_up(match: re.Match[str], sources: dict[str, Any], missing: list[str]) -> Any:
    value = sources[match[1]]
    for name in match[2].split(".")[1:]:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            value = None
            break
    if value is None or (isinstance(value, str) and value.startswith("[masked")):
        missing.append(match[0])
        return _ABSENT
    return value
