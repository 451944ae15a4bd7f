"""The plan-log-context family: what is remembered for a task, and reading plans, logs and context back."""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from tallystick import operations
from tallystick.core.errors import UnknownHandle
from tallystick.doors.mcp.answers import Answer, of_record, of_view
from tallystick.doors.mcp.calling import Calling
from tallystick.doors.mcp.classic.histories import filtered
from tallystick.doors.mcp.classic.old import MOST, Said, as_text
from tallystick.doors.mcp.classic.recording import newest_of, stated
from tallystick.doors.mcp.classic.standing import DECISIONS, word_for
from tallystick.doors.mcp.query import DEFAULT_ITEMS, query
from tallystick.operations.contexts import ContextPage, ContextView
from tallystick.operations.entries import EntryView
from tallystick.operations.executions import ExecutionView
from tallystick.operations.plans import PlanPage, PlanView

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


def set_context(calling: Calling, said: Said) -> Answer:
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


def get_context(calling: Calling, said: Said) -> Answer:
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


def get_plan(calling: Calling, said: Said) -> Answer:
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


def query_plans(calling: Calling, said: Said) -> Answer:
    """Plans, each with the status of its newest execution in old words."""
    status = said.word("status", DECISIONS) if "status" in said else ""
    wanted = stated({"task_id": as_text(said.take("task_id")), "type": said.take("plan_type")})
    wanted |= said.some(("cursor",))
    limit, detail = said.count("limit", DEFAULT_ITEMS), said.detail()
    said.nothing_else(("task_id", "status", "plan_type", *_OWN))
    return of_view("plans", lambda most: _standing(calling, wanted, status, most or 1), detail, limit)


def query_logs(calling: Calling, said: Said) -> Answer:
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
