"""Policy `plan`: refuses a call that is not a due step of the open execution."""

from typing import Any

from msgspec import json

from tallystick.core import plans, rules
from tallystick.core.entries import StepFacts
from tallystick.core.errors import WrongState
from tallystick.core.state import UNSETTLED, Action, Execution
from tallystick.core.tools import has_mask, same_call
from tallystick.gateway.messages import no_open_plan, outcome_unknown
from tallystick.gateway.policy import repeats
from tallystick.gateway.recording import hooks
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.operations.attribution.conversations import ended_executions, sessions_of_conversation
from tallystick.operations.attribution.known_undos import UndoSearch
from tallystick.operations.attribution.placement import MAX_SAME_EFFECT_SCANNED
from tallystick.operations.attribution.steps import planned_arguments
from tallystick.operations.attribution.undos import observed_undo
from tallystick.operations.runtime.correlation import action_of_call, claimed_action_for
from tallystick.operations.runtime.doubts import REPEATABLE
from tallystick.operations.runtime.operation_context import Transaction
from tallystick.operations.runtime.progress import progress_of, relevant_progress, steps_of, undecided
from tallystick.operations.runtime.session_lifecycle import is_in_doubt
from tallystick.store.interface import Select, View

MAX_STEPS_SHOWN = 3
"""How many due steps a refusal names: a longer text would lose its end."""


def find_step(call: CallRequest, own_tools: str) -> dict[str, Any]:
    """Return the begin fields for the execution and step that this call carries out, or raise the refusal.

    `own_tools` is the profile of our own tools: without them an agent cannot record a plan.
    """

    def look_up(transaction: Transaction) -> dict[str, Any]:
        view, execution = transaction.ledger, hooks.execution_of_call(call, transaction)
        if execution is None or not execution.plan_id:
            return _undo_after_end(call, transaction, no_open_plan(call.name, own_tools))
        if execution.unwound and _is_undo(call, view, execution):
            return {"execution_id": execution.id}
        steps, stated = steps_of(view, execution), planned_arguments(view, execution)
        fitting = [step for step in steps if step.tool and _is_planned(call, step, stated.get(step.id, {}))]
        begun = _find_begun(call, transaction, execution)
        if begun is not None and begun.step in [step.id for step in fitting]:
            return {"execution_id": execution.id}  # the call joins that action, which has its step
        status = undecided(progress_of(view, execution.id))
        ready = plans.ready_steps(steps, status)
        due = [step for step in fitting if status.get(step.id, "") in ("", "planned")]
        if not due:
            repeated_step = _repeated_step(call, view, execution, fitting)
            if repeated_step:
                return {"execution_id": execution.id, "step": repeated_step}
            refusal = _not_due(execution, [step for step in steps if step.id in set(ready)])
            return _undo_after_end(call, transaction, refusal)
        step = min(due, key=lambda each: each.id not in ready)
        if begun is not None:  # a hook recorded it without its step, so the order of steps is checked here
            progress = relevant_progress(view, execution, step)
            rules.check_step(execution.id, step, progress, again="", repeatable=False)
        return {"execution_id": execution.id, "step": step.id}

    return call.local.context.write(look_up)


def _is_undo(call: CallRequest, view: View, execution: Execution) -> bool:
    """Whether the call is the undo of an action on the undo list. A masked value is unknown and fits nothing."""
    masker = call.local.context.masker
    if has_mask(masker.mask(call.arguments)):
        return False
    return bool(observed_undo(view, masker, execution, call.seen, call.arguments))


def _undo_after_end(call: CallRequest, transaction: Transaction, refusal: WrongState) -> dict[str, Any]:
    """Return the begin fields for a call that is exactly an undo of an execution that has ended, or raise the
    refusal."""
    view = transaction.ledger
    ended = ended_executions(view, sessions_of_conversation(view, transaction.session))
    undone = UndoSearch(call.local.context, view, call.seen, call.arguments).undone(ended)
    if undone is None:
        raise refusal
    return {"undoes": undone.id}


def _is_planned(call: CallRequest, step: StepFacts, stated: dict[str, Any]) -> bool:
    """Whether the step plans this call, under any name that the agent may use for the tool.

    A masked value in the plan is unknown and fits nothing, unless the step has the key of its whole call. A step that
    needs approval has it.
    """
    if not call.seen.is_named(step.tool):
        return False
    if step.guarded and step.guarded == call.local.context.effect_key(step.tool, call.arguments):
        return True
    return same_call(call.arguments, stated) and b"[masked:" not in json.encode(stated)


def _find_begun(call: CallRequest, transaction: Transaction, execution: Execution) -> Action | None:
    """The action of this call that a hook or the agent has begun in the execution."""
    view = transaction.ledger
    action = action_of_call(view, call.client_call_id) if call.client_call_id else hooks.begun_action(call, transaction)
    if action is None:
        action = claimed_action_for(view, execution, call.seen, call.arguments)
    return action if action is not None and action.execution == execution.id else None


def _repeated_step(call: CallRequest, view: View, execution: Execution, fitting: list[StepFacts]) -> str:
    """Return the step that a call with no due step may repeat, or "" if it repeats nothing.

    A step may be repeated if its effect is repeatable or a decision says retry. Raises the refusal of any other
    repetition.
    """
    rows = view.find(
        Action, Select(where={"execution": execution.id, "effect_key": call.effect_key}, limit=MAX_SAME_EFFECT_SCANNED)
    )
    same = [row for row in rows if row.action_kind == "do"]
    planned = {step.id for step in fitting}  # a revision may have removed the step
    if call.effect in REPEATABLE:
        return next((row.step for row in same if row.step in planned and row.state in ("ok", *UNSETTLED)), "")
    doubtful = [row.id for row in same if is_in_doubt(view, row)]
    done = next((row for row in same if row.state == "ok"), None)
    if done and not doubtful and repeats.find_unused_decision(view, done.id):
        return done.step if done.step in planned else ""
    rules.check_effect(same, doubtful, again="")
    for step in fitting:  # done with other arguments, which the plan left open
        progress = relevant_progress(view, execution, step).get(step.id)
        if progress is not None and progress.status == "in_doubt":
            raise outcome_unknown(f'step "{step.id}" was begun.', progress.action)
    return ""


def _not_due(execution: Execution, due: list[StepFacts]) -> WrongState:
    if execution.unwound:
        return rules.unwinding_error(execution, "nothing was done, since this is no undo of its undo list")
    shown = ", ".join(f'"{each.id}"' for each in due[:MAX_STEPS_SHOWN])
    return WrongState(
        f"Nothing was done: this fits no step{f' that is due. Due: {shown}' if shown else '. No step is due'}.",
        hint="Do that, or revise the plan and decide replan." if shown else "Revise the plan and decide replan.",
        next_call=("get_status", {"execution_id": execution.id}),
    )
