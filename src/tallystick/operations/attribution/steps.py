"""Decides which step of a plan a call carries out."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, json

from tallystick.core import plans
from tallystick.core.entries import StepFacts
from tallystick.core.errors import quote_words
from tallystick.core.formats import canonical_json
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Execution, Revision, revision_id
from tallystick.core.tools import SeenTool, has_mask, is_general, same_call
from tallystick.operations.runtime.progress import progress_of, steps_of, undecided
from tallystick.store.interface import View

MAX_STEPS_NAMED = 5
_FAILED = ("failed", "decided")


# ----------------------------------------------------------------------------------------------------------------------
# An observed call


def find_step(
    view: View,
    masker: Masker,
    execution: Execution,
    tool: SeenTool,
    arguments: Any,
    *,
    was_made: bool = False,
) -> StepFacts | None:
    """The step that a call carries out: one that is ready or failed first, then in the plan's order.

    A call `was_made` if it can no longer be held back. A retry carries out its step again. A step in doubt may not be
    retried, but a call that was made did.
    """
    retried = (*_FAILED, "in_doubt") if was_made else _FAILED
    steps = [step for step in steps_of(view, execution) if tool.is_named(step.tool)]
    if not steps:
        return None
    status = undecided(progress_of(view, execution.id))
    due = set(plans.ready_steps(steps_of(view, execution), status))
    due.update(name for name, word in status.items() if word in retried)
    waiting = [step for step in steps if status.get(step.id, "") in ("", "planned", *retried)]
    waiting.sort(key=lambda step: step.id not in due)
    stated = planned_arguments(view, execution)
    seen = masked_arguments(masker, arguments)

    def fits(step: StepFacts) -> bool:
        call = stated.get(step.id, {})
        return same_call(seen, call) if call else _fits_by_name(execution, step, tool, seen, was_made=was_made)

    return next(filter(fits, waiting), None)


def _fits_by_name(
    execution: Execution, step: StepFacts, tool: SeenTool, seen: Mapping[str, Any], *, was_made: bool
) -> bool:
    """Whether a call is a step that states the same tool and no arguments.

    The name of a general tool tells nothing of its call. A call that was made is not taken for a step that cannot be
    undone, or that needs approval: that would hide that the step was not done, or was done unasked. A call that can
    be held back is taken for it, so that the rules hold it back. While an execution is unwound, other calls of a
    planned tool are clean-up work.
    """
    if is_general(tool.name):
        return False
    if not seen:
        return True
    is_guarded = step.needs_approval or step.cancellable == "irreversible"
    return not execution.unwound and not (was_made and is_guarded)


def masked_arguments(masker: Masker, arguments: Any) -> dict[str, Any]:
    """The arguments as a plan stores them."""
    masked = masker.mask(arguments or {})
    return masked if isinstance(masked, dict) else {}


class _StepText(Struct):
    id: str
    arguments: dict[str, Any] = {}


class _PlanText(Struct):
    """The part of a plan's body that is decoded: a plan of 10,000 steps is read for each call."""

    steps: list[_StepText] = []


def planned_arguments(view: View, execution: Execution) -> dict[str, dict[str, Any]]:
    """The arguments of each step as the plan stores them, with secrets masked."""
    revision = view.get(Revision, revision_id(execution.plan_id, execution.revision))
    body = view.bodies([revision.seq]).get(revision.seq) if revision else None
    return {step.id: step.arguments for step in json.decode(body, type=_PlanText).steps} if body else {}


# ----------------------------------------------------------------------------------------------------------------------
# A claimed call that names no step: only the very call counts


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
    same = [step for step in steps if is_same_call(masker, arguments, stated.get(step.id, {}))]
    due = [step for step in same if step.id in ready or status.get(step.id) in _FAILED]
    return due, [step for step in same if step not in due and status.get(step.id, "") in ("", "planned")]


def is_same_call(masker: Masker, arguments: dict[str, Any] | None, stated: Mapping[str, Any]) -> bool:
    return canonical_json.canonical(masker.mask(arguments or {})) == canonical_json.canonical(dict(stated))


def _names(steps: Sequence[StepFacts]) -> str:
    return quote_words([step.id for step in steps[:MAX_STEPS_NAMED]])
