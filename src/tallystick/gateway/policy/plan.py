"""Policy `plan`: what fits no step of the open execution is not done."""

from typing import TYPE_CHECKING, Any

from msgspec import json

from tallystick.core import plans, rules
from tallystick.core.entries import StepFacts
from tallystick.core.errors import WrongState
from tallystick.core.state import Action, Execution
from tallystick.core.tools import same_call
from tallystick.gateway.messages import outcome_unknown, unplanned
from tallystick.gateway.policy import repeats
from tallystick.gateway.recording import hooks
from tallystick.operations.begin import MAX_SAME_EFFECT_SCANNED, REPEATABLE
from tallystick.operations.runtime.attribution import planned_arguments
from tallystick.operations.runtime.correlation import action_of_call, claimed_action_for
from tallystick.operations.runtime.operation_context import Transaction
from tallystick.operations.runtime.progress import progress_of, relevant_progress, steps_of, undecided
from tallystick.operations.runtime.session_lifecycle import UNSETTLED, is_in_doubt
from tallystick.store.interface import Select, View

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall

SHOWN = 3
"""How many steps a refusal names: what it says has to fit into few words, or its end is lost."""


def step_for(call: "ToolCall") -> dict[str, Any]:
    """The execution and the step that this call carries out, or the refusal that says what the plan says."""

    def look(transaction: Transaction) -> dict[str, Any]:
        view, execution = transaction.ledger, hooks.execution_of_call(call, transaction)
        if execution is None or not execution.plan_id:
            raise unplanned(call.name, call.gateway.configuration.ours.tools)
        steps, stated = steps_of(view, execution), planned_arguments(view, execution)
        fitting = [step for step in steps if step.tool and _fits(call, step, stated.get(step.id, {}))]
        begun = _begun(call, transaction, execution)
        if begun is not None and begun.step in [step.id for step in fitting]:
            return {"execution_id": execution.id}  # it is joined, and has its step
        status = undecided(progress_of(view, execution.id))
        ready = plans.ready_steps(steps, status)
        due = [step for step in fitting if status.get(step.id, "") in ("", "planned")]
        if not due:
            once_more = _repeats(call, view, execution, fitting)
            if once_more:
                return {"execution_id": execution.id, "step": once_more}
            raise _departs(call, execution, [step for step in steps if step.id in set(ready)])
        step = min(due, key=lambda each: each.id not in ready)
        if begun is not None:  # a hook has seen it without knowing its step: the order is checked here
            rules.check_step(step, relevant_progress(view, execution, step), again="", repeatable=False)
        return {"execution_id": execution.id, "step": step.id}

    return call.local.context.write(look)


def _fits(call: "ToolCall", step: StepFacts, stated: dict[str, Any]) -> bool:
    """Whether the step plans this call, under any name that the agent may know the tool by. A value that is masked in
    the plan is not known, so it fits nothing; unless the step has kept the key of its whole call, as one has that
    needs approval."""
    if not call.seen.is_named(step.tool):
        return False
    if step.guarded and step.guarded == call.local.context.effect_key(step.tool, call.arguments):
        return True
    return same_call(call.arguments, stated) and b"[masked:" not in json.encode(stated)


def _begun(call: "ToolCall", transaction: Transaction, execution: Execution) -> Action | None:
    """The action of this call that somebody else has begun: a hook that saw it, or the agent that said so."""
    found = action_of_call(transaction.ledger, call.named) if call.named else hooks.begun_action(call, transaction)
    if found is None:
        found = claimed_action_for(transaction.ledger, execution, call.seen, call.arguments)
    return found if found is not None and found.execution == execution.id else None


def _repeats(call: "ToolCall", view: View, execution: Execution, fitting: list[StepFacts]) -> str:
    """What a call that fits no step which is due repeats: that is refused as any repetition is, or answered with what
    came of it. The step, where a decision lets it be done once more, or it may be anyway; nothing, where it repeats
    nothing."""
    effect = call.local.context.effect_key(call.name, call.arguments)
    rows = view.find(
        Action, Select(where={"execution": execution.id, "effect_key": effect}, limit=MAX_SAME_EFFECT_SCANNED)
    )
    same = [row for row in rows if row.action_kind == "do"]
    planned = {step.id for step in fitting}  # the plan may have a step no more
    if call.effect in REPEATABLE:  # it is made however often
        return next((row.step for row in same if row.step in planned and row.state in ("ok", *UNSETTLED)), "")
    doubtful = [row.id for row in same if is_in_doubt(view, row)]
    done = next((row for row in same if row.state == "ok"), None)
    if done and not doubtful and repeats.unused(view, done.id):
        return done.step if done.step in planned else ""
    rules.check_effect(same, doubtful, again="")
    for step in fitting:  # with other arguments, which the plan left open
        own = relevant_progress(view, execution, step).get(step.id)
        if own is not None and own.status == "in_doubt":
            raise outcome_unknown(f'step "{step.id}" was begun.', own.action)
    return ""


def _departs(call: "ToolCall", execution: Execution, due: list[StepFacts]) -> WrongState:
    shown = [f'"{each.id}"' for each in due][:SHOWN]
    return WrongState(
        f"Nothing was done: this fits no step that is due. Due: {', '.join(shown) or 'nothing'}.",
        hint="Do that, or revise the plan and decide replan.",
        next_call=("get_status", {"execution_id": execution.id}),
    )
