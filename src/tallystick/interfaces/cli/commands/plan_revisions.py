"""`run --resume EXECUTION_ID FILE`: an open run goes on with another version of its plan."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tallystick.core import plans as core_plans
from tallystick.core.errors import WrongState
from tallystick.core.types import FINAL_STATUSES
from tallystick.interfaces.cli.commands.same_runs import is_equal
from tallystick.interfaces.cli.invoke import Invocation

if TYPE_CHECKING:
    from tallystick.runner.checks import PlanProblem
    from tallystick.runner.tools.registry import ToolRegistry

OF_FIRST = ("task_id", "template", "for_tasks", "subtasks")
"""The fields that a revision keeps of the plan."""


def take_revision(
    invocation: Invocation, registry: "ToolRegistry", arguments: Mapping[str, Any]
) -> "Sequence[PlanProblem]":
    """Record the plan of a file as the next revision of a run's plan, and move the run to it. Returns the problems of
    the plan: then the run stays as it is."""
    from tallystick.runner.checks import NOT_REFERRED_TO, check_plan, find_masks
    from tallystick.runner.plan_files import load_plan, recorded_plan

    execution, file = arguments["resume"], arguments["plan"]
    state = invocation.call("get_run", {"execution_id": execution})
    plan = load_plan(file, registry)
    found = check_plan(plan, registry, state.parameters)
    if problems := [each for each in found if each.message != NOT_REFERRED_TO]:  # the run has its values already
        return problems
    if state.status in FINAL_STATUSES or not state.plan_id:
        why = f"has ended ({state.status})" if state.plan_id else "follows no plan"
        raise WrongState(
            f"{execution} {why}: it takes no other plan.", hint=f"Start a run: `tallystick run {file} --new`."
        )

    def newest() -> Any:
        revisions = invocation.call("get_plan", {"plan_id": state.plan_id}).revisions
        return next(each for each in revisions if not each.execution_id)

    last = newest()
    if last.template:
        raise WrongState(
            f'The plan of {execution} is the template "{last.template}".',
            hint="Revise that with `tallystick template add`, and then record the decision replan.",
        )
    steps = msgspec.to_builtins(core_plans.normalize_steps(plan.steps, invocation.settings.limits.steps))
    if not is_equal(list(last.steps), steps):
        given = {name: value for name, value in plan.arguments().items() if name not in OF_FIRST}
        reason = f"{file} was changed"
        invocation.call("record_plan", {**given, "plan_id": state.plan_id, "reason": reason})
        last = newest()
    if masked := find_masks(recorded_plan(last)):
        return masked
    if last.revision > state.revision:
        why = f"goes on with {file} as it is now"
        invocation.call("record_decision", {"decision": "replan", "execution_id": execution, "why": why})
    return ()
