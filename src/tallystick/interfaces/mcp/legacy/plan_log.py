"""Legacy tools of the second design (create_plan, add_log ...) as operations."""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, UnknownHandle
from tallystick.interfaces.mcp.legacy import steps
from tallystick.interfaces.mcp.legacy.plan_ledger import format_filter
from tallystick.interfaces.mcp.legacy.translate import (
    MAX_ITEMS,
    NO_REASON,
    LegacyArguments,
    PlanTarget,
    RecordCall,
    append_extra,
    as_text,
    find_target,
    newest_execution,
    record_all,
    without_none,
)
from tallystick.interfaces.mcp.query import DEFAULT_ITEMS, query
from tallystick.interfaces.mcp.responses import McpResponse, record_response, view_response
from tallystick.interfaces.mcp.sessions import RequestCaller
from tallystick.operations.context import ContextPage, ContextView
from tallystick.operations.entries import EntryView
from tallystick.operations.executions import ExecutionView
from tallystick.operations.plans import PlanPage, PlanView
from tallystick.operations.views.execution_status import StepView

# ----------------------------------------------------------------------------------------------------------------------
# create_plan and add_log

OUTCOMES = {"complete_step": "ok", "fail_step": "failed", "skip_step": "skipped"}
"""The types of log that end a step, and the outcome of each."""
_BEGIN_ARGUMENTS = ("again", "approval_id", "cancellable", "undo", "undo_until", "effect")
_END_ARGUMENTS = ("evidence", "without_effect", "duration")
"""Arguments of begin and end under their current names, as our errors ask for them."""
_STATE_ARGUMENTS = ("entity_type", "entity_id", "before_state", "after_state")


class PlanLog(Struct, frozen=True, kw_only=True):
    """The arguments of a log. `rest` are those without a field."""

    kind: str
    step: Any
    summary: Any
    entity_type: Any
    entity_id: Any
    before: Any
    after: Any
    confidence: Any
    error: Any
    begin_arguments: dict[str, Any]
    end_arguments: dict[str, Any]
    rest: dict[str, Any]

    def begin(self, target: PlanTarget, *, is_alone: bool) -> RecordCall:
        """The begin of a step. With no end after it, what a begin does not take is recorded in its arguments."""
        arguments: dict[str, Any] = dict(self.rest) if is_alone else {}
        if is_alone:
            arguments |= without_none(
                {"after_state": self.after, "error_message": self.error, **self.end_arguments},
            )
        return "record_action", {
            "phase": "begin",
            "execution_id": target.execution_id,
            "step": self.step,
            "summary": self.summary,
            "arguments": arguments or None,
            "before": self.before,
            **self._entity(),
            **self.begin_arguments,
        }

    def begin_unplanned(self, target: PlanTarget) -> RecordCall:
        """The begin of an action of no step. Its type is its tool, so that a repeated effect is recognized."""
        operation, arguments = self.begin(target, is_alone=False)
        effect = {"entity_type": self.entity_type, "entity_id": self.entity_id, "description": self.summary}
        return operation, {**arguments, "tool": self.kind, "arguments": without_none(effect)}

    def end(self, action_id: str, *, is_alone: bool) -> RecordCall:
        """The end of an action. Fields that an end does not take are recorded in its result.

        With `is_alone` the action was begun by an earlier call: then fields that only a begin takes are too.
        """
        result = dict(self.rest)
        if is_alone:
            entity = {"entity_type": self.entity_type, "entity_id": self.entity_id}
            result |= without_none({**entity, **self.begin_arguments})
        return "record_action", {
            "phase": "end",
            "action_id": action_id,
            "outcome": "failed" if self.error else OUTCOMES.get(self.kind, "ok"),
            "summary": self.summary if is_alone else None,
            "before": self.before if is_alone else None,
            "after": self.after,
            "error": self.error,
            "result": result or None,
            "confidence": self.confidence,
            **self.end_arguments,
        }

    def note(self, target: PlanTarget, action_id: str) -> RecordCall:
        """A note on the step, or on its open action. Fields that a note does not take are recorded in its arguments."""
        return "record_action", {
            "phase": "note",
            "execution_id": target.execution_id,
            "action_id": action_id or None,
            "step": self.step,
            "tool": self.kind,
            "summary": self.summary,
            "before": self.before,
            "after": self.after,
            "error": self.error,
            "arguments": {**self.rest, **self.begin_arguments, **self.end_arguments} or None,
            **self._entity(),
        }

    def _entity(self) -> dict[str, Any]:
        return {"entity_type": self.entity_type, "entity_id": self.entity_id, "confidence": self.confidence}


def create_plan(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Records a plan and starts an execution of it, in one commit. Extra arguments are recorded in `reasoning`.

    These plans have no title: it is made from the type and the task.
    """
    task, kind = as_text(arguments.take("task_id")), arguments.take("plan_type")
    plan_steps, extra = steps.translate_steps(arguments.take("steps"), steps.from_numbered_step)
    title = f"{kind or 'Plan'} for {task}" if task else kind or "Plan"
    plan = {"title": title, "task_id": task, "type": kind, **arguments.take_known("record_plan"), "steps": plan_steps}
    plan["reasoning"] = append_extra(plan.get("reasoning", ""), {**arguments.rest, **extra})
    return record_all(
        caller,
        [("record_plan", plan), ("record_execution_start", {"plan_id": "@0"})],
        arguments.key,
        lambda done: f"add_log(plan_id={done.plan_id}, action_type=start_step, step_number=...) before each step",
    )


def add_log(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Records the begin of a step that starts, and the end of one that is completed; both if it was not begun.

    Any other log is a note on the step. Without a step, a log that changed something is an action of its own.
    """
    plan_id, kind = arguments.require("plan_id"), arguments.require_text("action_type")
    is_on_step = kind == "start_step" or kind in OUTCOMES
    step = as_text(arguments.require("step_number") if is_on_step else arguments.take("step_number"))
    has_state = any(name in arguments for name in _STATE_ARGUMENTS)
    log = _plan_log(arguments, kind, step)
    target = find_target(caller, plan_id)
    records = _log_records(log, target, has_state=has_state)
    return record_all(
        caller, [*target.first, *records], arguments.key, lambda done: _next_log_call(plan_id, kind, step)
    )


def _log_records(log: PlanLog, target: PlanTarget, *, has_state: bool) -> list[RecordCall]:
    step = target.steps.get(log.step) if isinstance(log.step, str) else None
    action = step.action_id if step and step.actual in ("running", "in_doubt") else ""
    begun = f"@{len(target.first)}"
    if log.kind in OUTCOMES:
        if action:
            return [log.end(action, is_alone=True)]
        return [log.begin(target, is_alone=False), log.end(begun, is_alone=False)]
    if log.kind == "start_step" and (step is None or step.actual != "running"):
        return [log.begin(target, is_alone=True)]
    if log.step is None and has_state:
        return [log.begin_unplanned(target), log.end(begun, is_alone=False)]
    return [log.note(target, action)]


def _plan_log(arguments: LegacyArguments, kind: str, step: Any) -> PlanLog:
    return PlanLog(
        kind=kind,
        step=step,
        summary=arguments.take("description"),
        entity_type=arguments.take("entity_type"),
        entity_id=as_text(arguments.take("entity_id")),
        before=arguments.take("before_state"),
        after=arguments.take("after_state"),
        confidence=arguments.take("agent_confidence"),
        error=arguments.take("error_message"),
        begin_arguments=arguments.take_any(_BEGIN_ARGUMENTS),
        end_arguments=arguments.take_any(_END_ARGUMENTS),
        rest=arguments.rest,
    )


def _next_log_call(plan_id: Any, kind: str, step: Any) -> str:
    if kind != "start_step":
        return ""
    return f"do it, then add_log(plan_id={plan_id}, action_type=complete_step, step_number={step})"


# ----------------------------------------------------------------------------------------------------------------------
# update_plan: a status as decisions, a step reached as begins and ends

DECISIONS = {
    "pending": "pause",
    "in_progress": "continue",
    "blocked": "pause",
    "completed": "done",
    "failed": "fail",
    "cancelled": "stop",
}
"""The decision that each status stands for."""
_FINAL_STATUSES = ("completed", "failed", "cancelled")
_LEGACY_STATUSES = {"running": "in_progress", "unwinding": "in_progress", "paused": "blocked"}


class PlanUpdate(Struct, frozen=True, kw_only=True):
    """The arguments of `update_plan`. `steps` is None unless the plan is revised."""

    plan_id: Any
    status: str
    step: Any
    why: Any
    evidence: Any
    steps: Any


def update_plan(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Records decisions and the progress of steps, in one commit. Extra arguments are recorded in `why`.

    Reaching a step ends the open steps that come before it, and begins it if it may begin. New steps are a new
    revision of the plan.
    """
    update = _plan_update(arguments)
    target = find_target(caller, update.plan_id)
    if target.first and update.status in _FINAL_STATUSES:
        newest = newest_execution(caller, update.plan_id)
        if newest is None and update.status == "cancelled":
            retired = {"plan_id": update.plan_id, "status": "cancelled", "reason": update.why or NO_REASON}
            return record_all(caller, [("retire_plan", retired)], arguments.key)
        if newest:
            target = PlanTarget(execution_id=newest.id, status=newest.status)
    records, notes = _step_records(target, update)
    if update.status or (update.steps is None and (update.why or not records)):
        records = _with_decision(records, target, update)
    revision = _revision_records(caller, update, target) if update.steps is not None else []
    return record_all(caller, [*target.first, *revision, *records], arguments.key, notes=notes)


def _plan_update(arguments: LegacyArguments) -> PlanUpdate:
    plan_id = arguments.require("plan_id")
    status = arguments.take_word("status", DECISIONS) if "status" in arguments else ""
    step = as_text(arguments.take("current_step"))
    if not status and step is None and not {"agent_reasoning", "steps"} & set(arguments.rest):
        hint = "Give current_step, status or agent_reasoning."
        raise InvalidArgument("This says nothing new of the plan.", hint=hint, field="status", allowed=DECISIONS)
    new_steps, extra = steps.translate_steps(arguments.take("steps"), steps.from_numbered_step)
    evidence = arguments.take("evidence")
    why = append_extra(arguments.take("agent_reasoning", ""), {**arguments.rest, **extra})
    return PlanUpdate(plan_id=plan_id, status=status, step=step, why=why, evidence=evidence, steps=new_steps)


def _step_records(target: PlanTarget, update: PlanUpdate) -> tuple[list[RecordCall], tuple[str, ...]]:
    """The ends of open steps and the begin of the step that is reached; a note if it cannot begin."""
    current = target.steps.get(update.step) if isinstance(update.step, str) else None
    open_steps = [each for each in target.steps.values() if each.actual in ("running", "in_doubt")]
    if update.status == "completed":
        return [_end_step(each, "ok", update) for each in open_steps], ()
    if update.status == "failed":
        return [_end_step(each, "failed", update, update.why or None) for each in open_steps if each is current], ()
    if update.status not in ("", "in_progress") or current is None:
        return [], ()
    earlier = [each for each in open_steps if each.id in current.after]
    ends = [_end_step(each, "ok", update) for each in earlier]
    if current.actual not in ("planned", "failed"):
        return ends, ()
    finished = {each.id for each in target.steps.values() if each.actual in ("done", "skipped")}
    finished |= {each.id for each in earlier}
    missing = [id for id in current.after if id not in finished]
    if missing:
        return ends, (f"Step {current.id} was not begun: it comes after {', '.join(missing[:5])}.",)
    begin = {"phase": "begin", "execution_id": target.execution_id, "step": current.id, "summary": current.title}
    return [*ends, ("record_action", begin)], ()


def _end_step(step: StepView, outcome: str, update: PlanUpdate, error: Any = None) -> RecordCall:
    end = {"phase": "end", "action_id": step.action_id, "outcome": outcome, "evidence": update.evidence}
    return "record_action", {**end, "error": error}


def _with_decision(records: list[RecordCall], target: PlanTarget, update: PlanUpdate) -> list[RecordCall]:
    """The records with the decision: before them if it lets steps begin, after them if it ends the execution."""
    common = {"execution_id": target.execution_id, "step": update.step}
    decision = DECISIONS.get(update.status, "continue")
    if target.status == "paused" and update.status in ("", "pending", "blocked"):  # it stays paused: only a note
        note = {**common, "phase": "note", "tool": "update_plan", "summary": update.why or NO_REASON}
        return [*records, ("record_action", note)]
    if target.status == "paused" and update.status == "in_progress":
        decision = "resume"
    # `done` needs a reason only if something is left open. So no reason is made up: the operation asks for one.
    why = update.why if decision == "done" else update.why or NO_REASON
    decided = "record_decision", {**common, "decision": decision, "why": why}
    return [decided, *records] if decision in ("continue", "resume") else [*records, decided]


def _revision_records(caller: RequestCaller, update: PlanUpdate, target: PlanTarget) -> list[RecordCall]:
    """A new revision of the plan, and the decision that moves the execution to it."""
    plan = caller.call(operations.CATALOGUE["get_plan"], {"plan_id": update.plan_id}).revisions[0]
    why = update.why or NO_REASON
    revision = {"plan_id": update.plan_id, "title": plan.title or update.plan_id, "goal": plan.goal}
    records: list[RecordCall] = [("record_plan", {**revision, "steps": update.steps, "reason": why})]
    if not target.first:
        replan = {"execution_id": target.execution_id, "decision": "replan", "why": why}
        records.append(("record_decision", replan))
    return records


def legacy_status(plan_status: str, execution: ExecutionView | None) -> str:
    """The status of a plan in the words of this family: that of its newest execution."""
    if plan_status == "cancelled" or (plan_status == "archived" and execution is None):
        return plan_status
    if execution is None:
        return "pending"
    return _LEGACY_STATUSES.get(execution.status, execution.status)


# ----------------------------------------------------------------------------------------------------------------------
# Context, and reading plans, logs and context

DEFAULT_TYPE = "notes"
ENTRY_KINDS = {"start_step": "action_begun", "complete_step": "action_ended", "fail_step": "action_ended"}
"""The kind of entry of each type of log. Any other type is the tool of its entry."""
MAX_PAGES = 10
"""How many pages of plans one call searches for a status; the response has the cursor to go on."""
_PAGE_PARAMETERS = ("detail", "cursor", "limit")
CONTEXT_PARAMETERS = ("task_id", "plan_id", "context_type", "context_key", "query")


class WholePlan(PlanView, frozen=True, omit_defaults=True, kw_only=True):
    """A plan with its executions, entries and context. `standing` is its status in the words of this family."""

    standing: str
    executions: tuple[ExecutionView, ...] = ()
    entries: tuple[EntryView, ...] = ()
    context: tuple[ContextView, ...] = ()


class PlanWithStatus(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A plan in a list. `status` is in the words of this family."""

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


class PlanStatusPage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    plans: tuple[PlanWithStatus, ...]
    next_cursor: str = ""


def set_context(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Records a value for the task. The key includes the type: the same key of another type is another value.

    Extra arguments are recorded in `metadata`, and the plan in `derived_from`.
    """
    plan_id = arguments.take("plan_id")
    scope = _scope(caller, as_text(arguments.take("task_id")), plan_id)
    kind, key = arguments.take("context_type", DEFAULT_TYPE), arguments.require_text("context_key")
    context = {"key": f"{kind}.{key}", "value": arguments.require("context_value"), "type": kind, **scope}
    context |= {"derived_from": [plan_id] if plan_id else None, **arguments.take_any(("derived_from", "expires"))}
    metadata = arguments.take("metadata", {})
    context["metadata"] = ({**metadata, **arguments.rest} or None) if isinstance(metadata, dict) else metadata
    context["idempotency_key"] = arguments.key
    receipt = caller.call(operations.CATALOGUE["record_context"], {"value": None, **without_none(context)})
    return record_response(receipt, "")


def get_context(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """One value by its key, or all values of a task, by type and words. A higher `limit` shows its history."""
    task, plan_id = as_text(arguments.take("task_id")), arguments.take("plan_id")
    kind, key = arguments.take("context_type"), arguments.take("context_key")
    scope = _scope(caller, task, plan_id) if task or plan_id or key else {}
    request: dict[str, Any] = {"view": "context", **arguments.take_any(_PAGE_PARAMETERS)}
    words = arguments.take("query", arguments.take("q"))
    arguments.reject_rest((*CONTEXT_PARAMETERS, *_PAGE_PARAMETERS))
    if key and kind and not words:
        return _one_value(caller, {"limit": 1, **request}, scope, kind, key)
    if words:
        request["q"] = words
    if not key:
        return query(caller, {**request, "filter": format_filter({**scope, "type": kind})})
    filters = without_none({**scope, "type": kind, "text": words, "cursor": request.get("cursor")})
    return view_response("context", lambda limit: _values_of_key(caller, filters, key), "concise", None)


def _one_value(
    caller: RequestCaller, request: dict[str, Any], scope: dict[str, Any], kind: Any, key: Any
) -> McpResponse:
    """The value of a key with its type; else of the key alone, as current tools record it."""
    try:
        return query(caller, {**request, "filter": format_filter({**scope, "key": f"{kind}.{key}"})})
    except UnknownHandle:
        return query(caller, {**request, "filter": format_filter({**scope, "key": key})})


def get_plan(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """A plan at its newest revision with its executions, and its entries and context if they are wanted."""
    plan_id = arguments.require("plan_id")
    has_logs = arguments.take_bool("include_logs", False)
    has_context = arguments.take_bool("include_context", False)
    limit, detail = arguments.take_count("limit", DEFAULT_ITEMS), arguments.take_detail()
    arguments.reject_rest(("plan_id", "include_logs", "include_context", "limit", "detail"))
    scope = _scope(caller, None, plan_id)

    def read(limit: int | None) -> WholePlan:
        plan: PlanView = caller.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
        of_plan = {"plan_id": plan_id, "limit": limit}
        entries = caller.call(operations.CATALOGUE["read_entries"], {**of_plan, "newest_first": True}).entries
        values = caller.call(operations.CATALOGUE["list_context"], {**scope, "limit": limit}).values
        return WholePlan(
            **asdict(plan),
            standing=legacy_status(plan.status, newest_execution(caller, plan_id)),
            executions=caller.call(operations.CATALOGUE["list_executions"], of_plan).executions,
            entries=entries if has_logs else (),
            context=values if has_context else (),
        )

    return view_response("plan", read, detail, limit)


def query_plans(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Plans, each with the status of its newest execution in the words of this family."""
    status = arguments.take_word("status", DECISIONS) if "status" in arguments else ""
    filters = without_none({"task_id": as_text(arguments.take("task_id")), "type": arguments.take("plan_type")})
    filters |= arguments.take_any(("cursor",))
    limit, detail = arguments.take_count("limit", DEFAULT_ITEMS), arguments.take_detail()
    arguments.reject_rest(("task_id", "status", "plan_type", *_PAGE_PARAMETERS))
    return view_response("plans", lambda limit: _plans_with_status(caller, filters, status, limit or 1), detail, limit)


def query_logs(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Entries of the journal, newest first."""
    kind = arguments.take("action_type")
    of_kind = {"kind": ENTRY_KINDS[kind]} if isinstance(kind, str) and kind in ENTRY_KINDS else {"tool": kind}
    filters = {"plan_id": arguments.take("plan_id"), "task_id": as_text(arguments.take("task_id")), **of_kind}
    filters |= {"since": arguments.take("start_date"), "until": arguments.take("end_date")}
    request = {"view": "journal", **arguments.take_any(_PAGE_PARAMETERS), "filter": format_filter(filters)}
    arguments.reject_rest(("plan_id", "task_id", "action_type", "start_date", "end_date", *_PAGE_PARAMETERS))
    return query(caller, request)


def _scope(caller: RequestCaller, task: Any, plan_id: Any) -> dict[str, Any]:
    """The scope of a task's context. A plan without a task is a task of its own."""
    if not task and plan_id:
        plan = caller.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
        task = plan.task_id or plan_id
    return {"scope": "task", "task_id": task} if task else {"scope": "project"}


def _values_of_key(caller: RequestCaller, filters: dict[str, Any], key: Any) -> ContextPage:
    """The values of a page that have this key, of any type."""
    page: ContextPage = caller.call(operations.CATALOGUE["list_context"], {**filters, "limit": MAX_ITEMS})
    return replace(page, values=tuple(each for each in page.values if each.key in (key, f"{each.type}.{key}")))


def _plans_with_status(caller: RequestCaller, filters: dict[str, Any], status: str, limit: int) -> PlanStatusPage:
    """Up to `limit` plans with a status. Each plan is looked up with its newest execution."""
    lines: list[PlanWithStatus] = []
    cursor = filters.get("cursor", "")
    for _ in range(MAX_PAGES):
        page_filters = {**filters, "limit": limit, **({"cursor": cursor} if cursor else {})}
        page: PlanPage = caller.call(operations.CATALOGUE["list_plans"], page_filters)
        for plan in page.plans:
            cursor = plan.id
            execution = newest_execution(caller, plan.id)
            word = legacy_status(plan.status, execution)
            if not status or word == status:
                lines.append(_plan_line(plan, word, execution))
            if len(lines) == limit:
                is_last = plan is page.plans[-1] and not page.next_cursor
                return PlanStatusPage(plans=tuple(lines), next_cursor="" if is_last else cursor)
        if not page.next_cursor:
            return PlanStatusPage(plans=tuple(lines))
    return PlanStatusPage(plans=tuple(lines), next_cursor=cursor)


def _plan_line(plan: PlanView, status: str, execution: ExecutionView | None) -> PlanWithStatus:
    return PlanWithStatus(
        id=plan.id,
        status=status,
        at=plan.at,
        title=plan.title,
        type=plan.type,
        task_id=plan.task_id,
        revision=plan.revision,
        step_count=plan.step_count,
        done_steps=execution.done_steps if execution else 0,
        execution_id=execution.id if execution else "",
    )
