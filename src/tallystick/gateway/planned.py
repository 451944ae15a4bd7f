"""Policy `plan`: what fits no step of the open execution is not done."""

from typing import TYPE_CHECKING, Any

from tallystick.core import planning
from tallystick.core.errors import WrongState
from tallystick.operations.attaching import execution_seen, step_seen
from tallystick.operations.desk import Sheet
from tallystick.operations.standing import progress_of, steps_of, undecided

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall

SHOWN = 3


def step_for(call: "ToolCall") -> dict[str, Any]:
    """The execution and the step that this call carries out, or the refusal that says what the plan says."""

    def look(sheet: Sheet) -> dict[str, Any]:
        execution = execution_seen(sheet.ledger, sheet.session)
        if execution is None or not execution.plan_id:
            raise WrongState(
                f"Nothing was done: {call.name} is only called as a step of a plan, and no execution of one is open.",
                hint="Record a plan with this call as a step, and start its execution.",
                next_call=("record_plan", {}),
            )
        step = step_seen(sheet, execution, call.name, call.arguments)
        if step is not None:
            return {"execution_id": execution.id, "step": step.id}
        steps = steps_of(sheet.ledger, execution)
        due = set(planning.ready(steps, undecided(progress_of(sheet.ledger, execution.id))))
        shown = [f'"{each.id}" ({each.tool or "no tool named"})' for each in steps if each.id in due][:SHOWN]
        raise WrongState(
            f"Nothing was done: {call.name} with these arguments fits no step of {execution.id} that is still due."
            f" Next by the plan: {', '.join(shown) or 'nothing'}.",
            hint="Do what was planned, or revise the plan and decide replan.",
            next_call=("get_status", {"execution_id": execution.id}),
        )

    return call.local.desk.write(look)
