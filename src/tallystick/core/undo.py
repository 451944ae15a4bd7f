"""Undo: the undo state of an action, the order in which to undo, and undos with their references filled in.

`Action.undo_state` follows from the action, its undos and the decisions to keep it; the first line that holds counts:

    itself an undo, skipped, or effect read   nothing
    failed, recorded without effect           nothing
    an undo of it ended ok                    undone, unless it is only partially reversible
    it was decided to keep it                 kept
    an undo of it ended ok                    partly
    an undo of it is open                     undoing
    an undo of it is in doubt                 in_doubt
    an undo of it failed                      failed
    open, ok, failed or in doubt              not_undone, or not_possible when it is irreversible

A list shows `may_be_undo` in the place of `not_undone` for what was done while its execution was unwound and fits
no undo: it is listed last, and nobody has to undo it before somebody says what it was.

All its undos count, not only the last one: a failed or unknown undo takes nothing from one that succeeded. A later
undo, or evidence against its outcome or against an undo that succeeded, takes back a decision to keep it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core.entries import StepFacts
from tallystick.core.formats.cut_marks import has_cut
from tallystick.core.formats.shell_text import call_as_command
from tallystick.core.plans import StepOrder
from tallystick.core.state import Action
from tallystick.core.types import OUTSTANDING, ActionKind, Cancellable, Effect, Undo, UndoState

_BY_UNDO = (("undone", ("ok",)), ("undoing", ("open",)), ("in_doubt", ("unknown", "doubted")), ("failed", ("failed",)))
"""The undo state of an action by the states of its undos; the first that one of them has counts."""


def undo_state(action: Action) -> tuple[str, str]:
    """The undo state of an action, and the undo that it follows from. From its begin an action may have been done."""
    untouched = state_without_undos(
        action.action_kind, action.undoes, action.effect, action.state, action.cancellable, action.without_effect
    )
    if not untouched or not (action.undos or action.kept):
        return untouched, ""
    found, by = untouched, ""
    for state, undo_states in _BY_UNDO:
        undos = [undo for undo, undo_state in action.undos.items() if undo_state in undo_states]
        if undos:
            is_partial = state == "undone" and action.cancellable == "partially-reversible"
            found, by = "partly" if is_partial else state, undos[-1]
            break
    return "kept" if action.kept and found != "undone" else found, by


def undos_after_contradiction(undos: dict[str, str]) -> dict[str, str]:
    """The undos that count after a contradicted outcome: the action may have taken effect after the others."""
    return {undo: state for undo, state in undos.items() if state in ("open", "unknown", "doubted")}


def state_without_undos(
    kind: ActionKind, undoes: str, effect: Effect, state: str, cancellable: Cancellable | None, without_effect: bool
) -> str:
    """The undo state of an action that nobody tried to undo, from its fields; empty when there is nothing to undo."""
    if kind == "undo" or undoes or effect == "read" or state == "skipped":
        return ""
    if state == "failed" and without_effect:
        return ""
    return "not_possible" if cancellable == "irreversible" else "not_undone"


# ----------------------------------------------------------------------------------------------------------------------
# The order in which to undo
#
# A pure function from the actions of an execution to the undo list: the reverse order of their begins, except that a
# known dependant always comes before what it depends on. An action that may have been done is listed too, and marked.


class UndoItem(Struct, frozen=True):
    """One action on the undo list. `certain` is False when it only may have been done."""

    action: Action
    state: UndoState
    certain: bool
    expired: bool


def undo_list(
    actions: Sequence[Action],
    revisions: Iterable[Sequence[StepFacts]],
    *,
    now: int,
    in_doubt: Callable[[Action], bool],
) -> list[UndoItem]:
    """The outstanding `actions`, in the order to undo them.

    `revisions` of the plan, oldest first, give the dependencies. `in_doubt` returns whether an open action's session is
    over; it is asked about undos, which are among `actions` too.
    """
    by_id = {action.id: action for action in actions}
    outstanding = [action for action in actions if action.undo_state in OUTSTANDING]
    items = [_undo_item(action, by_id, now, in_doubt) for action in outstanding]
    ordered = _dependants_first(items, known_order(revisions))
    return sorted(ordered, key=lambda item: item.state == "may_be_undo")


def known_order(revisions: Iterable[Sequence[StepFacts]]) -> StepOrder:
    """The steps of all these revisions, the oldest first, with the dependencies that count for undoing."""
    by_revision = list(revisions)
    steps = {step.id: step for revision in by_revision for step in revision}
    before = steps_before([(step.id, step.after) for step in revision] for revision in by_revision)
    return StepOrder([replace(step, after=before[step.id]) for step in steps.values()])


def steps_before(revisions: Iterable[Iterable[tuple[str, Sequence[str]]]]) -> dict[str, tuple[str, ...]]:
    """By step, those that it comes after: as the newest revision says that has it, and a step with a list comes after
    its items in each. The revisions, the oldest first, give each step with its `after`.

    The first makes no cycle, since no revision names a step that it does not have.
    """
    found: dict[str, tuple[str, ...]] = {}
    for revision in revisions:
        for step, after in revision:
            items = (each for each in found.get(step, ()) if each.startswith(f"{step}.") and each not in after)
            found[step] = (*after, *items)
    return found


def is_expired(action: Action, now: int) -> bool:
    """Whether the deadline of its undo has passed."""
    return bool(action.deadline) and action.deadline <= now


def _undo_item(action: Action, by_id: Mapping[str, Action], now: int, in_doubt: Callable[[Action], bool]) -> UndoItem:
    state: UndoState = action.listed_as  # type: ignore[assignment]  # OUTSTANDING holds such words only
    undos = [by_id[undo] for undo, state_of_undo in action.undos.items() if state_of_undo == "open" and undo in by_id]
    if state == "undoing" and undos and all(in_doubt(undo) for undo in undos):
        state = "in_doubt"
    expired = is_expired(action, now)
    if expired and state == "not_undone":
        state = "not_possible"
    return UndoItem(action=action, state=state, certain=action.state == "ok", expired=expired)


def _dependants_first(items: Sequence[UndoItem], order: StepOrder) -> list[UndoItem]:
    """Newest first, but the actions of a step only after those of all steps that come after it."""
    ordered = _UndoOrder(items, order).run()
    missed = set(map(id, items)) - set(map(id, ordered))  # only where steps wait for each other, which no plan may
    return ordered + sorted((item for item in items if id(item) in missed), key=lambda item: -item.action.seq)


class _UndoOrder:
    """Releases a step's actions once nothing is left to undo in the steps that come after it."""

    def __init__(self, items: Sequence[UndoItem], order: StepOrder) -> None:
        self._order = order
        self._held: dict[str, list[UndoItem]] = {step.id: [] for step in order.steps}
        self._released: list[tuple[int, str, UndoItem]] = []
        for item in items:
            if item.action.step in self._held:
                self._held[item.action.step].append(item)
            else:
                self._push(item)
        self._left = {step: len(held) for step, held in self._held.items()}
        self._children = {step.id: len(order.children(step.id)) for step in order.steps}

    def run(self) -> list[UndoItem]:
        for step in [step for step, children in self._children.items() if not children]:
            self._release(step)
        ordered: list[UndoItem] = []
        while self._released:
            item = heappop(self._released)[2]
            ordered.append(item)
            step = item.action.step
            if step in self._left:
                self._left[step] -= 1
                for parent in [] if self._left[step] else self._finish(step):
                    self._release(parent)
        return ordered

    def _push(self, item: UndoItem) -> None:
        heappush(self._released, (-item.action.seq, item.action.id, item))

    def _release(self, step: str) -> None:
        """Release a step's actions. A step with nothing to undo is finished at once, and so on up the plan."""
        todo = [step]
        while todo:
            name = todo.pop()
            for item in self._held[name]:
                self._push(item)
            if not self._left[name]:
                todo += self._finish(name)

    def _finish(self, step: str) -> list[str]:
        """The steps before it that wait for no other step any more."""
        parents = self._order.parents(step)
        for parent in parents:
            self._children[parent] -= 1
        return [parent for parent in parents if not self._children[parent]]


# ----------------------------------------------------------------------------------------------------------------------
# References in an undo
#
# `${result.booking.id}` in an undo's arguments refers to a part of the action's recorded result, `${arguments.path}` to
# a part of its arguments. A reference that is the whole text keeps the value's type; inside a text it is written out. A
# reference to nothing, or to something masked or erased, is listed in `missing` and left as it is.

_REFERENCE = re.compile(r"\$\{(result|arguments)((?:\.[^.{}]+)*)\}")
_ABSENT = object()


class FilledUndo(Struct, frozen=True, omit_defaults=True):
    """How to undo one action, ready to be carried out."""

    words: str = ""
    tool: str = ""
    arguments: dict[str, Any] = {}
    missing: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The command to copy into a shell, if it is one and nothing of it is missing; else empty."""
        return "" if self.missing else call_as_command(self.tool, self.arguments)


def fill_references(undo: Undo, *, arguments: Any, result: Any) -> FilledUndo:
    """The undo with its references replaced by recorded values, as far as there are any."""
    sources = {"result": result, "arguments": arguments}
    missing: list[str] = []
    return FilledUndo(
        words=_fill(undo.words, sources, missing) if undo.words else "",
        tool=undo.tool,
        arguments=_fill(undo.arguments, sources, missing),
        missing=tuple(dict.fromkeys(missing)),
    )


def _fill(value: Any, sources: dict[str, Any], missing: list[str]) -> Any:
    if isinstance(value, dict):
        return {name: _fill(item, sources, missing) for name, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, sources, missing) for item in value]
    if not isinstance(value, str):
        return value
    reference = _REFERENCE.fullmatch(value)
    if reference:
        recorded = _look_up(reference, sources, missing)
        return value if recorded is _ABSENT else recorded
    return _REFERENCE.sub(lambda match: _write_out(match, sources, missing), value)


def _write_out(match: re.Match[str], sources: dict[str, Any], missing: list[str]) -> str:
    recorded = _look_up(match, sources, missing)
    return match[0] if recorded is _ABSENT else str(recorded)


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
    if value is None or (isinstance(value, str) and value.startswith("[masked")) or has_cut(value):
        missing.append(match[0])
        return _ABSENT
    return value
