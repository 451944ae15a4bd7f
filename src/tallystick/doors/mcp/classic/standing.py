"""Where a plan of the plan-log-context family stands: what `update_plan` says of it, in decisions and steps."""

from typing import Any

from tallystick import operations
from tallystick.core.errors import InvalidArgument
from tallystick.doors.mcp.answers import Answer
from tallystick.doors.mcp.calling import Calling
from tallystick.doors.mcp.classic import steps
from tallystick.doors.mcp.classic.old import NO_REASON, Said, also, as_text
from tallystick.doors.mcp.classic.recording import Place, Record, newest_of, place_of, recorded
from tallystick.operations.executions import ExecutionView, StepView

DECISIONS = {
    "pending": "pause",
    "in_progress": "continue",
    "blocked": "pause",
    "completed": "done",
    "failed": "fail",
    "cancelled": "stop",
}
"""What saying a status decides."""
_LAST = ("completed", "failed", "cancelled")
_SHOWN = {"running": "in_progress", "unwinding": "in_progress", "paused": "blocked"}


def word_for(plan_status: str, execution: ExecutionView | None) -> str:
    """The status of a plan in that family's words: that of its newest execution."""
    if plan_status == "cancelled" or (plan_status == "archived" and execution is None):
        return plan_status
    if execution is None:
        return "pending"
    return _SHOWN.get(execution.status, execution.status)


def update_plan(calling: Calling, said: Said) -> Answer:
    """Decisions and step progress, in one commit. What else is given stands behind the reasoning, in `why`.

    Reaching a step ends those under way that it comes after, and begins it if it may begin. New steps are a new
    revision of the plan.
    """
    plan_id = said.need("plan_id")
    status = said.word("status", DECISIONS) if "status" in said else ""
    step = as_text(said.take("current_step"))
    if not status and step is None and not {"agent_reasoning", "steps"} & set(said.rest):
        hint = "Give current_step, status or agent_reasoning."
        raise InvalidArgument("This says nothing new of the plan.", hint=hint, field="status", allowed=DECISIONS)
    new, over = steps.translated(said.take("steps"), steps.of_numbers)
    evidence = said.take("evidence")
    why = also(said.take("agent_reasoning", ""), {**said.rest, **over})
    place = place_of(calling, plan_id)
    if place.first and status in _LAST:
        newest = newest_of(calling, plan_id)
        if newest is None and status == "cancelled":
            retired = {"plan_id": plan_id, "status": "cancelled", "reason": why or NO_REASON}
            return recorded(calling, [("retire_plan", retired)], said.key)
        if newest:
            place = Place(execution_id=newest.id, status=newest.status)
    made, notes = _moved(place, step, status, why, evidence)
    if status or (new is None and (why or not made)):
        made = _with_decision(made, place, status, step, why)
    revised = _revised(calling, plan_id, new, why, place) if new is not None else []
    return recorded(calling, [*place.first, *revised, *made], said.key, notes=notes)


def _moved(place: Place, step: Any, status: str, why: Any, evidence: Any) -> tuple[list[Record], tuple[str, ...]]:
    """What the steps come to: those that ended, and the one that begins; and why it does not, if so."""
    current = place.steps.get(step) if isinstance(step, str) else None
    under_way = [each for each in place.steps.values() if each.actual in ("running", "in_doubt")]
    if status == "completed":
        return [_ended(each, "ok", evidence) for each in under_way], ()
    if status == "failed":
        return [_ended(each, "failed", evidence, why or None) for each in under_way if each is current], ()
    if status not in ("", "in_progress") or current is None:
        return [], ()
    before = [each for each in under_way if each.id in current.after]
    made = [_ended(each, "ok", evidence) for each in before]
    if current.actual not in ("planned", "failed"):
        return made, ()
    settled = {each.id for each in place.steps.values() if each.actual in ("done", "skipped")}
    missing = [name for name in current.after if name not in settled | {each.id for each in before}]
    if missing:
        return made, (f"Step {current.id} was not begun: it comes after {', '.join(missing[:5])}.",)
    begun = {"phase": "begin", "execution_id": place.execution_id, "step": current.id, "summary": current.title}
    return [*made, ("record_action", begun)], ()


def _ended(step: StepView, outcome: str, evidence: Any, error: Any = None) -> Record:
    ended = {"phase": "end", "action_id": step.action_id, "outcome": outcome, "evidence": evidence, "error": error}
    return "record_action", ended


def _with_decision(made: list[Record], place: Place, status: str, step: Any, why: Any) -> list[Record]:
    """What was decided, in its place: going on comes before the steps that it lets begin, an end behind them."""
    on = {"execution_id": place.execution_id, "step": step}
    decision = DECISIONS.get(status, "continue")
    if place.status == "paused" and status in ("", "pending", "blocked"):  # it stays so, and that is no decision
        return [*made, ("record_action", {**on, "phase": "note", "tool": "update_plan", "summary": why or NO_REASON})]
    if place.status == "paused" and status == "in_progress":
        decision = "resume"
    # Nothing left needs no reason; with something left, ours asks for one.
    given = why if decision == "done" else why or NO_REASON
    decided = "record_decision", {**on, "decision": decision, "why": given}
    return [decided, *made] if decision in ("continue", "resume") else [*made, decided]


def _revised(calling: Calling, plan_id: Any, new: Any, why: Any, place: Place) -> list[Record]:
    """A new revision of the plan, and the execution moved to it."""
    known = calling.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
    revised = {"plan_id": plan_id, "title": known.title or plan_id, "goal": known.goal, "steps": new}
    made: list[Record] = [("record_plan", {**revised, "reason": why or NO_REASON})]
    if not place.first:
        decided = {"execution_id": place.execution_id, "decision": "replan", "why": why or NO_REASON}
        made.append(("record_decision", decided))
    return made
