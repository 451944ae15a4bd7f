"""Finds the planned step, or the undo, that an agent's call is, where the agent has not named it.

Only the very call counts: the same tool with the same arguments. Observed calls are matched in `attribution`.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from tallystick.core import plans
from tallystick.core.entries import StepFacts
from tallystick.core.errors import quote_words
from tallystick.core.formats import canonical_json
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Execution
from tallystick.core.tools import has_mask
from tallystick.operations.runtime.attribution import MAX_UNDOS_COMPARED, planned_arguments
from tallystick.operations.runtime.progress import describe_undo_list, progress_of, steps_of, undecided, undo_list_of
from tallystick.store.interface import View

_FAILED = ("failed", "decided")
MAX_STEPS_NAMED = 5


def step_of_call(
    view: View, masker: Masker, execution: Execution, tool: str, arguments: dict[str, Any] | None
) -> StepFacts | None:
    """The only step that is due and plans exactly this call. A call without recorded arguments may be any."""
    due, _ = _steps_with_call(view, masker, execution, tool, arguments)
    is_exact = arguments is not None and not has_mask(masker.mask(arguments))
    return due[0] if is_exact and len(due) == 1 else None


def note_on_steps(view: View, masker: Masker, execution: Execution, tool: str, arguments: dict[str, Any] | None) -> str:
    """What to say of an unplanned call that may be a step; empty if it is none."""
    due, later = _steps_with_call(view, masker, execution, tool, arguments)
    if due:
        return f"It counts as unplanned. If it is step {_names(due)}, name that in `step`."
    return f"It is the call of step {_names(later)}, which is not due: it counts as unplanned." if later else ""


def undone_by_call(
    view: View, masker: Masker, execution: Execution, tool: str, arguments: dict[str, Any] | None
) -> str:
    """The first action on the undo list whose undo is exactly this call; empty if there is none."""
    items = describe_undo_list(view, list(islice(undo_list_of(view, execution), MAX_UNDOS_COMPARED)))
    for item in items:
        undo = item.undo if item.state in ("not_undone", "failed") else None
        if undo and undo.tool == tool and not undo.missing and _is_same(masker, arguments, undo.arguments):
            return item.action_id
    return ""


def _steps_with_call(
    view: View, masker: Masker, execution: Execution, tool: str, arguments: dict[str, Any] | None
) -> tuple[list[StepFacts], list[StepFacts]]:
    """The steps that plan this call and are due, and those that wait for others."""
    planned = () if execution.unwound else steps_of(view, execution)
    steps = [step for step in planned if step.tool == tool]
    if not steps:
        return [], []
    status, stated = undecided(progress_of(view, execution.id)), planned_arguments(view, execution)
    ready = set(plans.ready_steps(planned, status))
    same = [step for step in steps if _is_same(masker, arguments, stated.get(step.id, {}))]
    due = [step for step in same if step.id in ready or status.get(step.id) in _FAILED]
    return due, [step for step in same if step not in due and status.get(step.id, "") in ("", "planned")]


def _is_same(masker: Masker, arguments: dict[str, Any] | None, stated: Mapping[str, Any]) -> bool:
    return canonical_json.canonical(masker.mask(arguments or {})) == canonical_json.canonical(dict(stated))


def _names(steps: Sequence[StepFacts]) -> str:
    return quote_words([step.id for step in steps[:MAX_STEPS_NAMED]])
