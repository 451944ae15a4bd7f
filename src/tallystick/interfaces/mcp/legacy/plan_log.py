"""The plan-log-context family: a plan that is under way at once, what is logged of its steps, and where it stands."""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, UnknownHandle
from tallystick.interfaces.mcp.legacy import steps
from tallystick.interfaces.mcp.legacy.plan_ledger import filtered
from tallystick.interfaces.mcp.legacy.translate import (
    MOST,
    NO_REASON,
    PlanTarget,
    Record,
    Said,
    also,
    as_text,
    newest_of,
    place_of,
    recorded,
    stated,
)
from tallystick.interfaces.mcp.query import DEFAULT_ITEMS, query
from tallystick.interfaces.mcp.responses import McpResponse, of_record, of_view
from tallystick.interfaces.mcp.sessions import Calling
from tallystick.operations.context import ContextPage, ContextView
from tallystick.operations.entries import EntryView
from tallystick.operations.executions import ExecutionView
from tallystick.operations.plans import PlanPage, PlanView
from tallystick.operations.views.execution import StepView

OUTCOMES = {"complete_step": "ok", "fail_step": "failed", "skip_step": "skipped"}
"""What the end of a step was called, and its outcome."""
_AT_BEGIN = ("again", "approval_id", "cancellable", "undo", "undo_until", "effect")
_AT_END = ("evidence", "without_effect", "duration")
"""What can be said in our own words of either, as our errors ask for it."""
_STATE = ("entity_type", "entity_id", "before_state", "after_state")


class PlanLog(Struct, frozen=True, kw_only=True):
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

    def begin(self, place: PlanTarget, *, alone: bool) -> Record:
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

    def act(self, place: PlanTarget) -> Record:
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

    def note(self, place: PlanTarget, about: str) -> Record:
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


def create_plan(calling: Calling, said: Said) -> McpResponse:
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


def add_log(calling: Calling, said: Said) -> McpResponse:
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


def _log(said: Said, kind: str, step: Any) -> PlanLog:
    return PlanLog(
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


# ----------------------------------------------------------------------------------------------------------------------
# Where a plan of the plan-log-context family stands: what `update_plan` says of it, in decisions and steps.

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


def update_plan(calling: Calling, said: Said) -> McpResponse:
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
            place = PlanTarget(execution_id=newest.id, status=newest.status)
    made, notes = _moved(place, step, status, why, evidence)
    if status or (new is None and (why or not made)):
        made = _with_decision(made, place, status, step, why)
    revised = _revised(calling, plan_id, new, why, place) if new is not None else []
    return recorded(calling, [*place.first, *revised, *made], said.key, notes=notes)


def _moved(place: PlanTarget, step: Any, status: str, why: Any, evidence: Any) -> tuple[list[Record], tuple[str, ...]]:
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


def _with_decision(made: list[Record], place: PlanTarget, status: str, step: Any, why: Any) -> list[Record]:
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


def _revised(calling: Calling, plan_id: Any, new: Any, why: Any, place: PlanTarget) -> list[Record]:
    """A new revision of the plan, and the execution moved to it."""
    known = calling.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
    revised = {"plan_id": plan_id, "title": known.title or plan_id, "goal": known.goal, "steps": new}
    made: list[Record] = [("record_plan", {**revised, "reason": why or NO_REASON})]
    if not place.first:
        decided = {"execution_id": place.execution_id, "decision": "replan", "why": why or NO_REASON}
        made.append(("record_decision", decided))
    return made


# ----------------------------------------------------------------------------------------------------------------------
# The plan-log-context family: what is remembered for a task, and reading plans, logs and context back.

DEFAULT_TYPE = "notes"
ENTRIES = {"start_step": "action_begun", "complete_step": "action_ended", "fail_step": "action_ended"}
"""Kinds of entry that a type of log is; any other type is the tool of its entry."""
PAGES = 10
"""How many pages of plans one call looks through for a status; the answer says where to go on."""
_OWN = ("detail", "cursor", "limit")


class WholePlan(PlanView, frozen=True, omit_defaults=True, kw_only=True):
    """A plan with how far it is, and what was logged and remembered for it. `standing` is its status in old words."""

    standing: str
    executions: tuple[ExecutionView, ...] = ()
    entries: tuple[EntryView, ...] = ()
    context: tuple[ContextView, ...] = ()


class PlanStanding(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A plan in a line. `status` is in old words."""

    id: str
    status: str
    at: str
    title: str = ""
    type: str = ""
    task_id: str = ""
    revision: int = 1
    step_count: int = 0
    done_steps: int = 0
    execution_id: str = ""


class StandingPage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    plans: tuple[PlanStanding, ...]
    next_cursor: str = ""


def set_context(calling: Calling, said: Said) -> McpResponse:
    """Remembered for the task, under type and key together: the same key of another type was another context.

    What else is given is kept in `metadata`, and the plan in `derived_from`.
    """
    plan_id = said.take("plan_id")
    where = _scope(calling, as_text(said.take("task_id")), plan_id)
    kind, key = said.take("context_type", DEFAULT_TYPE), said.need_text("context_key")
    ours = {"key": f"{kind}.{key}", "value": said.need("context_value"), "type": kind, **where}
    ours |= {"derived_from": [plan_id] if plan_id else None, **said.some(("derived_from", "expires"))}
    metadata = said.take("metadata", {})
    ours["metadata"] = ({**metadata, **said.rest} or None) if isinstance(metadata, dict) else metadata
    ours["idempotency_key"] = said.key
    given = {"value": None, **stated(ours)}
    return of_record(calling.call(operations.CATALOGUE["record_context"], given), "")


def get_context(calling: Calling, said: Said) -> McpResponse:
    """One value by its key, or all that a task remembers, by type and words. A higher `limit` shows its history."""
    task, plan_id = as_text(said.take("task_id")), said.take("plan_id")
    kind, key = said.take("context_type"), said.take("context_key")
    where = _scope(calling, task, plan_id) if task or plan_id or key else {}
    asked: dict[str, Any] = {"view": "context", **said.some(_OWN)}
    words = said.take("query", said.take("q"))
    said.nothing_else((*CONTEXT, *_OWN))
    if key and kind and not words:
        try:
            return query(calling, {"limit": 1, **asked, "filter": filtered({**where, "key": f"{kind}.{key}"})})
        except UnknownHandle:
            return query(calling, {"limit": 1, **asked, "filter": filtered({**where, "key": key})})
    if words:
        asked["q"] = words
    if not key:
        return query(calling, {**asked, "filter": filtered({**where, "type": kind})})
    given = stated({**where, "type": kind, "text": words, "cursor": asked.get("cursor")})
    return of_view("context", lambda most: _by_key(calling, given, key), "concise", None)


def get_plan(calling: Calling, said: Said) -> McpResponse:
    """A plan at its newest revision with its executions; its entries and what is remembered for it, if wanted."""
    plan_id = said.need("plan_id")
    logs, context = said.whether("include_logs", False), said.whether("include_context", False)
    limit, detail = said.count("limit", DEFAULT_ITEMS), said.detail()
    said.nothing_else(("plan_id", "include_logs", "include_context", "limit", "detail"))
    where = _scope(calling, None, plan_id)

    def read(most: int | None) -> WholePlan:
        plan: PlanView = calling.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
        of_plan = {"plan_id": plan_id, "limit": most}
        entries = calling.call(operations.CATALOGUE["read_entries"], {**of_plan, "newest_first": True}).entries
        remembered = calling.call(operations.CATALOGUE["list_context"], {**where, "limit": most}).values
        return WholePlan(
            **asdict(plan),
            standing=word_for(plan.status, newest_of(calling, plan_id)),
            executions=calling.call(operations.CATALOGUE["list_executions"], of_plan).executions,
            entries=entries if logs else (),
            context=remembered if context else (),
        )

    return of_view("plan", read, detail, limit)


def query_plans(calling: Calling, said: Said) -> McpResponse:
    """Plans, each with the status of its newest execution in old words."""
    status = said.word("status", DECISIONS) if "status" in said else ""
    wanted = stated({"task_id": as_text(said.take("task_id")), "type": said.take("plan_type")})
    wanted |= said.some(("cursor",))
    limit, detail = said.count("limit", DEFAULT_ITEMS), said.detail()
    said.nothing_else(("task_id", "status", "plan_type", *_OWN))
    return of_view("plans", lambda most: _standing(calling, wanted, status, most or 1), detail, limit)


def query_logs(calling: Calling, said: Said) -> McpResponse:
    """Journal entries, the newest first."""
    kind = said.take("action_type")
    of_kind = {"kind": ENTRIES[kind]} if isinstance(kind, str) and kind in ENTRIES else {"tool": kind}
    wanted = {"plan_id": said.take("plan_id"), "task_id": as_text(said.take("task_id")), **of_kind}
    wanted |= {"since": said.take("start_date"), "until": said.take("end_date")}
    asked = {"view": "journal", **said.some(_OWN), "filter": filtered(wanted)}
    said.nothing_else(("plan_id", "task_id", "action_type", "start_date", "end_date", *_OWN))
    return query(calling, asked)


CONTEXT = ("task_id", "plan_id", "context_type", "context_key", "query")


def _scope(calling: Calling, task: Any, plan_id: Any) -> dict[str, Any]:
    """Where a task's context is; a plan without a task is a task of its own."""
    if not task and plan_id:
        plan = calling.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
        task = plan.task_id or plan_id
    return {"scope": "task", "task_id": task} if task else {"scope": "project"}


def _by_key(calling: Calling, given: dict[str, Any], key: Any) -> ContextPage:
    """Those of a page whose key is meant, whatever their type."""
    found: ContextPage = calling.call(operations.CATALOGUE["list_context"], {**given, "limit": MOST})
    kept = tuple(each for each in found.values if each.key in (key, f"{each.type}.{key}"))
    return replace(found, values=kept)


def _standing(calling: Calling, wanted: dict[str, Any], status: str, limit: int) -> StandingPage:
    """So many plans that stand so; each is looked up with its newest execution."""
    found: list[PlanStanding] = []
    cursor = wanted.get("cursor", "")
    for _ in range(PAGES):
        asked = {**wanted, "limit": limit, **({"cursor": cursor} if cursor else {})}
        page: PlanPage = calling.call(operations.CATALOGUE["list_plans"], asked)
        for plan in page.plans:
            cursor = plan.id
            execution = newest_of(calling, plan.id)
            word = word_for(plan.status, execution)
            if not status or word == status:
                found.append(_line(plan, word, execution))
            if len(found) == limit:
                last = plan is page.plans[-1] and not page.next_cursor
                return StandingPage(plans=tuple(found), next_cursor="" if last else cursor)
        if not page.next_cursor:
            return StandingPage(plans=tuple(found))
    return StandingPage(plans=tuple(found), next_cursor=cursor)


def _line(plan: PlanView, word: str, execution: ExecutionView | None) -> PlanStanding:
    return PlanStanding(
        id=plan.id,
        status=word,
        at=plan.at,
        title=plan.title,
        type=plan.type,
        task_id=plan.task_id,
        revision=plan.revision,
        step_count=plan.step_count,
        done_steps=execution.done_steps if execution else 0,
        execution_id=execution.id if execution else "",
    )
