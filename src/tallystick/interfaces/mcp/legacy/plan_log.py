"""The plan-log-context family: a plan that is under way at once, what is logged of its steps, and where it stands."""

from typing import Any

from msgspec import Struct

from tallystick.doors.mcp.answers import Answer
from tallystick.doors.mcp.calling import Calling
from tallystick.doors.mcp.classic import steps
from tallystick.doors.mcp.classic.old import Said, also, as_text
from tallystick.doors.mcp.classic.recording import Place, Record, place_of, recorded

OUTCOMES = {"complete_step": "ok", "fail_step": "failed", "skip_step": "skipped"}
"""What the end of a step was called, and its outcome."""
_AT_BEGIN = ("again", "approval_id", "cancellable", "undo", "undo_until", "effect")
_AT_END = ("evidence", "without_effect", "duration")
"""What can be said in our own words of either, as our errors ask for it."""
_STATE = ("entity_type", "entity_id", "before_state", "after_state")


class Log(Struct, frozen=True, kw_only=True):
    """What a log says of itself. `rest` is what it has no place for."""

    kind: str
    step: Any
    summary: Any
    entity_type: Any
    entity_id: Any
    before: Any
    after: Any
    confidence: Any
    error: Any
    at_begin: dict[str, Any]
    at_end: dict[str, Any]
    rest: dict[str, Any]

    def begin(self, place: Place, *, alone: bool) -> Record:
        """Begin the step; what a begin does not take goes into its arguments, when no end follows."""
        given: dict[str, Any] = dict(self.rest) if alone else {}
        if alone:
            given |= _said(after_state=self.after, error_message=self.error, **self.at_end)
        return "record_action", {
            "phase": "begin",
            "execution_id": place.execution_id,
            "step": self.step,
            "summary": self.summary,
            "arguments": given or None,
            "before": self.before,
            **self._facts(),
            **self.at_begin,
        }

    def act(self, place: Place) -> Record:
        """Begin something that no step planned: its type is its tool, so that the same effect is known again."""
        operation, begun = self.begin(place, alone=False)
        given = _said(entity_type=self.entity_type, entity_id=self.entity_id, description=self.summary)
        return operation, {**begun, "tool": self.kind, "arguments": given}

    def end(self, action_id: str, *, alone: bool) -> Record:
        """End it. What has no place is its result; of one that was begun before, so is what only a begin takes."""
        result = dict(self.rest)
        if alone:
            result |= _said(entity_type=self.entity_type, entity_id=self.entity_id, **self.at_begin)
        return "record_action", {
            "phase": "end",
            "action_id": action_id,
            "outcome": "failed" if self.error else OUTCOMES.get(self.kind, "ok"),
            "summary": self.summary if alone else None,
            "before": self.before if alone else None,
            "after": self.after,
            "error": self.error,
            "result": result or None,
            "confidence": self.confidence,
            **self.at_end,
        }

    def note(self, place: Place, about: str) -> Record:
        """A remark on the step, or on its action that is under way; what has no place is in its arguments."""
        return "record_action", {
            "phase": "note",
            "execution_id": place.execution_id,
            "action_id": about or None,
            "step": self.step,
            "tool": self.kind,
            "summary": self.summary,
            "before": self.before,
            "after": self.after,
            "error": self.error,
            "arguments": {**self.rest, **self.at_begin, **self.at_end} or None,
            **self._facts(),
        }

    def _facts(self) -> dict[str, Any]:
        return {"entity_type": self.entity_type, "entity_id": self.entity_id, "confidence": self.confidence}


def create_plan(calling: Calling, said: Said) -> Answer:
    """A plan and an execution of it, in one commit. What else is given, of the steps too, is kept in `reasoning`.

    These plans had no title: it is made from the type and the task.
    """
    task, kind = as_text(said.take("task_id")), said.take("plan_type")
    found, over = steps.translated(said.take("steps"), steps.of_numbers)
    title = f"{kind or 'Plan'} for {task}" if task else kind or "Plan"
    ours = {"title": title, "task_id": task, "type": kind, **said.known("record_plan"), "steps": found}
    ours["reasoning"] = also(ours.get("reasoning", ""), {**said.rest, **over})
    records: list[Record] = [("record_plan", ours), ("record_execution_start", {"plan_id": "@0"})]
    return recorded(
        calling,
        records,
        said.key,
        lambda found: f"add_log(plan_id={found.plan_id}, action_type=start_step, step_number=...) before each step",
    )


def add_log(calling: Calling, said: Said) -> Answer:
    """A step that starts is a begin. One that is completed is its end, or begin and end in one when it was not begun.

    Anything else is a note on the step; with no step, and something that it changed, it is an action of its own.
    """
    plan_id, kind = said.need("plan_id"), said.need_text("action_type")
    on_step = kind == "start_step" or kind in OUTCOMES
    step = as_text(said.need("step_number") if on_step else said.take("step_number"))
    changes = any(name in said for name in _STATE)
    log = _log(said, kind, step)
    place = place_of(calling, plan_id)
    seen = place.steps.get(step) if isinstance(step, str) else None
    action = seen.action_id if seen and seen.actual in ("running", "in_doubt") else ""
    begun = f"@{len(place.first)}"
    made: list[Record]
    if kind in OUTCOMES:
        made = [log.end(action, alone=True)] if action else [log.begin(place, alone=False), log.end(begun, alone=False)]
    elif kind == "start_step" and (seen is None or seen.actual != "running"):
        made = [log.begin(place, alone=True)]
    elif step is None and changes:
        made = [log.act(place), log.end(begun, alone=False)]
    else:
        made = [log.note(place, action)]
    return recorded(calling, [*place.first, *made], said.key, lambda found: _following(plan_id, kind, step))


def _log(said: Said, kind: str, step: Any) -> Log:
    return Log(
        kind=kind,
        step=step,
        summary=said.take("description"),
        entity_type=said.take("entity_type"),
        entity_id=as_text(said.take("entity_id")),
        before=said.take("before_state"),
        after=said.take("after_state"),
        confidence=said.take("agent_confidence"),
        error=said.take("error_message"),
        at_begin=said.some(_AT_BEGIN),
        at_end=said.some(_AT_END),
        rest=said.rest,
    )


def _said(**named: Any) -> dict[str, Any]:
    return {name: value for name, value in named.items() if value is not None}


def _following(plan_id: Any, kind: str, step: Any) -> str:
    if kind != "start_step":
        return ""
    return f"do it, then add_log(plan_id={plan_id}, action_type=complete_step, step_number={step})"
