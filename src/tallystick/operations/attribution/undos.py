"""Decides which action a call undoes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from tallystick.core.entries import StepFacts
from tallystick.core.errors import InvalidArgument, UnknownHandle
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Action, Execution, Progress, progress_id
from tallystick.core.tools import SeenTool, has_mask, is_exactly, same_call
from tallystick.core.types import DUE, FINAL_STATUSES, OUTSTANDING
from tallystick.core.undo import FilledUndo, UndoItem
from tallystick.operations.attribution.steps import is_same_call, masked_arguments
from tallystick.operations.runtime.lookup import MAX_HANDLES_SHOWN
from tallystick.operations.runtime.progress import (
    NOT_UNDONE,
    TO_PUT_BACK,
    describe_undo_list,
    owed_of,
    steps_by_id,
    steps_of,
    undo_list_of,
)
from tallystick.store.interface import Select, View, WhereValue

UndoFilter = Callable[[FilledUndo], bool]
"""Whether a call is this undo."""

MAX_UNDOS_COMPARED = 1000
"""Actions whose undo is compared with a call, from the start of the undo list."""
UNDOS_PER_READ = 50
MAX_ATTEMPTS_UNDONE = 100
"""Attempts at a step that a planned step undoes, the newest first."""


# ----------------------------------------------------------------------------------------------------------------------
# Whether a call is a recorded undo


def is_like_undo(masker: Masker, tool: SeenTool, arguments: Any) -> UndoFilter:
    """Whether an observed call is an undo: it has every stated argument. One without arguments is a call without any:
    else every command of a shell would fit."""
    seen = masked_arguments(masker, arguments)

    def fits(undo: FilledUndo) -> bool:
        return tool.is_named(undo.tool) and (same_call(seen, undo.arguments) if undo.arguments else not seen)

    return fits


def is_exactly_undo(masker: Masker, tool: SeenTool, arguments: Any, *, is_claimed: bool) -> UndoFilter:
    """Whether a call is exactly an undo. An observed one may have other names of the tool, and arguments that clients
    add to any call. A masked value cannot be compared."""
    seen = masked_arguments(masker, arguments)

    def fits(undo: FilledUndo) -> bool:
        if undo.missing or has_mask(undo.arguments):
            return False
        if is_claimed:
            return undo.tool == tool.name and is_same_call(masker, arguments, undo.arguments)
        return tool.is_named(undo.tool) and is_exactly(seen, undo.arguments)

    return fits


def _fitting(view: View, items: Iterable[UndoItem], fits: UndoFilter) -> Iterator[str]:
    """The actions whose undo is a call, in the order of the items."""
    left = (item for item in items if item.action.has_undo and item.state in ("not_undone", "failed"))
    while part := list(islice(left, UNDOS_PER_READ)):
        yield from (item.action_id for item in describe_undo_list(view, part) if item.undo and fits(item.undo))


# ----------------------------------------------------------------------------------------------------------------------
# The action that a call undoes


def undone_in(view: View, execution: Execution, fits: UndoFilter) -> str:
    """The first action on the undo list of an execution whose undo a call is; empty if there is none."""
    return next(_fitting(view, islice(undo_list_of(view, execution), MAX_UNDOS_COMPARED), fits), "")


def observed_undo(view: View, masker: Masker, execution: Execution, tool: SeenTool, arguments: Any) -> str:
    """The action of an execution that an observed call undoes: while it is unwound, a call like its undo; else only the
    exact one."""
    if execution.unwound:
        return undone_in(view, execution, is_like_undo(masker, tool, arguments))
    return exact_undo(view, masker, execution, tool, arguments, is_claimed=False)


def exact_undo(
    view: View, masker: Masker, execution: Execution, tool: SeenTool, arguments: Any, *, is_claimed: bool
) -> str:
    """The action of an execution that an exact undo undoes. While it goes on and is not unwound, only what is temporary
    is put back; the same call may be new work there."""
    is_owing = execution.owes_all or execution.status in FINAL_STATUSES
    if not is_owing and not execution.temporary_states:
        return ""  # before the arguments are masked: each begin comes here
    fits = is_exactly_undo(masker, tool, arguments, is_claimed=is_claimed)
    if is_owing:
        return undone_in(view, execution, fits)
    items = (item for item in undo_list_of(view, execution, where=TO_PUT_BACK) if item.action.temporary)
    return next(_fitting(view, islice(items, MAX_UNDOS_COMPARED), fits), "")


def note_on_undo(view: View, execution: Execution, action: Action) -> str:
    """What to say of an action that may be an undo; empty if nothing is left to undo. What it undid is filled in if
    only one action is left: a guess would be copied."""
    items = (item for item in islice(owed_of(view, execution), MAX_UNDOS_COMPARED) if item.state in DUE)
    left = [item.action.id for item in islice(items, 2)]
    call = f"record_decision(decision=continue, action_id={action.id}, undoes={left[0] if len(left) == 1 else '...'}"
    return f"If it undoes something: {call}, why=...)." if left else ""


def undone_step(view: View, name: str, executions: Sequence[Execution]) -> Action:
    """The attempt at a step of one of these executions that an undo means: the last one that is not undone, else the
    last one. Raises an error that names both forms of `undoes`: an action and a step."""
    for execution in executions:
        for undo_states in (OUTSTANDING, ("undone", "kept")):
            where: dict[str, WhereValue] = {"execution": execution.id, "undo_state": undo_states, "step": name}
            attempts = view.find(Action, Select(where=where, limit=1))
            if attempts:
                return attempts[0]
    raise _nothing_to_undo(view, name, executions[0])


def _nothing_to_undo(view: View, name: str, execution: Execution) -> InvalidArgument | UnknownHandle:
    """The error for a name under which an execution has no action to undo."""
    rows = [item.action for item in islice(undo_list_of(view, execution), MAX_HANDLES_SHOWN)]
    shown = ", ".join(f"{row.id} ({row.step})" if row.step else row.id for row in rows)
    how: dict[str, Any] = {
        "hint": f"Name an action of the undo list, or its step: {shown}." if rows else "Its undo list is empty.",
        "field": "undoes",
        "allowed": [*(row.id for row in rows), *dict.fromkeys(row.step for row in rows if row.step)],
        "next_call": ("get_undo_list", {"execution_id": execution.id}),
    }
    if name not in steps_by_id(steps_of(view, execution)):
        return UnknownHandle(f'"{name}" is neither an action nor a step of {execution.id}.', **how)
    progress = view.get(Progress, progress_id(execution.id, name))
    why = "left nothing to undo" if progress and progress.action else "was not begun"
    return InvalidArgument(f'Step "{name}" of {execution.id} {why}.', **how)


def attempts_to_undo(view: View, execution: Execution, step: StepFacts) -> tuple[str, ...]:
    """The attempts, the newest first, at the step that a step undoes, as far as they are not undone."""
    if not step.undoes:
        return ()
    where: dict[str, WhereValue] = {"execution": execution.id, **NOT_UNDONE, "step": step.undoes}
    return tuple(row.id for row in view.find(Action, Select(where=where, limit=MAX_ATTEMPTS_UNDONE)))
