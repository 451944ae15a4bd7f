"""The legacy calls that read, in the words of their family. Each returns at most `limit` items."""

from typing import Any

from msgspec import to_builtins

from tallystick import operations
from tallystick.core.errors import InvalidArgument, NotPermitted, UnknownHandle
from tallystick.sdk.legacy import steps
from tallystick.sdk.legacy.recording import scope_of
from tallystick.sdk.legacy.request import MAX_ITEMS, Answer, Request, pairs

VIEWS = pairs(
    "status=status journal=journal owed=owed undo_list=undo_list in_doubt=in_doubt approvals=approvals "
    "context=context plans=plans executions=executions stats=stats verify=verify all=executions history=executions "
    "execution=status plan=plans events=journal logs=journal compensations=undo_list summary=stats"
)
"""The view for each type of query."""
EXECUTION_STATUSES = pairs("in_progress=running active=running success=completed canceled=cancelled")
PLAN_STATUSES = pairs("running=in_progress unwinding=in_progress paused=blocked closed=completed")
LOG_TYPES = pairs("ok=complete_step failed=fail_step skipped=skip_step unknown=unknown_step")
UNDO_TYPES = pairs("ok=rolled_back failed=rollback_failed")
MAX_PAGES = 10
"""How many pages one call reads for a filter of its own; the answer has the cursor to go on."""


def status(request: Request, limit: int) -> dict[str, Any]:
    found: dict[str, Any] = to_builtins(request.ask("get_status", execution_id=request.take("execution_id")))
    if not request.take("include_step_details", True):
        found.pop("steps", None)
    if request.take("include_events", False):
        newest = request.ask("read_entries", execution_id=found["execution"]["id"], newest_first=True, limit=limit)
        found["entries"] = to_builtins(newest.entries)
    return found


def query_history(request: Request, limit: int) -> dict[str, Any]:
    """A view of the journal. With an execution and no type of query, its status."""
    view = VIEWS.get(request.take("query_type"), "")
    if "execution_id" in request.rest and view in ("", "status"):
        return {"view": "status", **status(request, limit)}
    view = view or ("journal" if request.take("include_events") else "executions")
    operation = next(each for each in operations.CATALOGUE.values() if each.view == view)
    fields = operation.arguments.__struct_fields__
    word, offset, cursor = request.take("status_filter"), request.take("offset", 0), request.take("cursor")
    filters: dict[str, Any] = {"execution_id": request.take("execution_id"), "cursor": cursor}
    filters |= {"status": [EXECUTION_STATUSES.get(word, word)] if word else None}
    filters |= {"limit": min(limit + offset, MAX_ITEMS)} if "limit" in fields else {"offset": offset or None}
    if view == "journal":
        filters |= {"after": int(filters.pop("cursor") or 0), "newest_first": True}
    for name in [name for name, value in filters.items() if value and name not in fields]:
        raise InvalidArgument(f"{name} does not go with query_type={view}.", hint="Leave it out.", field=name)
    found: dict[str, Any] = to_builtins(request.ask(operation.name, **filters))
    items = {name: value[offset:] for name, value in found.items() if isinstance(value, list | tuple)}
    return {"view": view, **found, **items}


def cleanup_history(request: Request, limit: int) -> dict[str, Any]:
    raise NotPermitted(
        "An agent deletes nothing from an audit record.",
        hint="Entries are kept for good. A person erases the text of a task or of entries with `tallystick erase` "
        "and a credential; the chain still verifies.",
    )


def with_plan(request: Request, answer: Answer) -> Answer:
    """The answer with the plan as it is now, in the words of its family."""
    plan_id = answer.get("plan_id") or answer.id
    plan, execution = request.ask("get_plan", plan_id=plan_id).revisions[0], request.newest_execution(plan_id)
    actual = {step.id: step.actual for step in request.steps_of(execution.id).steps.values()} if execution else {}
    left = [step["id"] for step in plan.steps if actual.get(step["id"]) not in ("done", "skipped")]
    shown = [steps.as_numbered(step, actual.get(step["id"], "planned")) for step in plan.steps]
    more = {"current_step": steps.number_of(left[0]) if left else len(shown) + 1, "plan_json": Answer(steps=shown)}
    return Answer({**answer, **_plan_line(plan, execution), **more, "agent_reasoning": plan.reasoning})


def _plan_line(plan: Any, execution: Any) -> dict[str, Any]:
    word = "pending" if execution is None else PLAN_STATUSES.get(execution.status, execution.status)
    is_retired = plan.status == "cancelled" or (plan.status == "archived" and execution is None)
    line = {"id": plan.id, "plan_id": plan.id, "status": plan.status if is_retired else word, "title": plan.title}
    line |= {"task_id": plan.task_id, "plan_type": plan.type, "total_steps": plan.step_count, "created_at": plan.at}
    done, execution_id = (execution.done_steps, execution.id) if execution else (0, "")
    return line | {"current_step": done + 1, "execution_id": execution_id}


def get_plan(request: Request, limit: int) -> dict[str, Any]:
    plan_id = request.take("plan_id")
    answer = with_plan(request, Answer(id=plan_id))
    if request.take("include_logs", False):
        answer |= {"logs": _logs(request, {"plan_id": plan_id}, None, limit, 0)["logs"]}
    if request.take("include_context", False):
        answer |= {"context": _context(request, scope_of(request, answer.task_id, plan_id), limit)["context"]}
    return answer


def query_plans(request: Request, limit: int) -> dict[str, Any]:
    status, cursor = request.take("status"), request.take("cursor")
    filters = {"task_id": request.id("task_id"), "type": request.take("plan_type")}
    lines: list[dict[str, Any]] = []
    for _ in range(MAX_PAGES):
        page = request.ask("list_plans", **filters, limit=limit, cursor=cursor)
        for plan in page.plans:
            line = _plan_line(plan, request.newest_execution(plan.id))
            lines += [line] if status in (None, line["status"]) else []
            cursor = plan.id
            if len(lines) == limit and (page.next_cursor or plan is not page.plans[-1]):
                return {"plans": lines, "next_cursor": cursor}
        if not page.next_cursor:
            return {"plans": lines}
    return {"plans": lines, "next_cursor": cursor}


def query_logs(request: Request, limit: int) -> dict[str, Any]:
    kind, cursor = request.take("action_type"), request.take("cursor", "")
    filters = {"plan_id": request.take("plan_id"), "task_id": request.id("task_id")}
    filters |= {"since": request.take("start_date"), "until": request.take("end_date")}
    return _logs(request, filters, kind, limit, int(cursor) if cursor.isascii() and cursor.isdigit() else 0)


def _logs(request: Request, filters: dict[str, Any], kind: Any, limit: int, after: int) -> dict[str, Any]:
    """Logs of a type, the newest first. A begin that was recorded together with its end is one log with it."""
    logs: list[dict[str, Any]] = []
    ended: tuple[str, int] = ("", 0)
    for _ in range(MAX_PAGES):
        page = request.ask("read_entries", **filters, newest_first=True, after=after, limit=MAX_ITEMS)
        for entry in page.entries:
            if entry.kind == "action_begun" and (entry.id, entry.seq + 1) == ended:
                if logs and logs[-1]["id"] == str(ended[1]):
                    logs[-1] |= {
                        name: entry.facts[name] for name in ("entity_type", "entity_id") if name in entry.facts
                    }
            elif len(logs) == limit:
                return {"logs": logs, "next_cursor": str(after)}
            else:
                log = _log(request, entry)
                logs += [log] if log and kind in (None, log["action_type"]) else []
            after, ended = entry.seq, (entry.id, entry.seq) if entry.kind == "action_ended" else ended
        if not page.more:
            return {"logs": logs}
    return {"logs": logs, "next_cursor": str(after)}


def _log(request: Request, entry: Any) -> dict[str, Any] | None:
    """An entry in the words of this family; None for what is no log."""
    facts, body, kind = dict(entry.facts), dict(entry.body or {}), ""
    if entry.kind == "action_ended":
        action = request.ask("get_action", action_id=entry.id)
        body, facts = {**action.begin_body, **body}, {"step": action.step, "tool": action.tool, **facts}
        kind = (UNDO_TYPES if action.kind == "undo" else LOG_TYPES if action.step else {}).get(facts["outcome"], "")
    elif entry.kind == "action_begun":
        kind = "start_rollback" if facts.get("action_kind") == "undo" else "start_step" if facts.get("step") else ""
    elif entry.kind not in ("action_noted", "decision_recorded"):
        return None
    row = {"id": str(entry.seq), "action_type": kind or facts.get("tool") or facts.get("decision") or "note"}
    row |= {"step_number": steps.number_of(facts["step"]) if facts.get("step") else None, "actor": entry.actor}
    row |= {"description": body.get("summary") or body.get("why") or ("erased" if entry.erased else None)}
    row |= {"entity_type": facts.get("entity_type"), "entity_id": facts.get("entity_id"), "at": entry.at}
    row |= {"before_state": body.get("before"), "after_state": body.get("after", body.get("result"))}
    row |= {"agent_confidence": facts.get("confidence"), "error_message": body.get("error")}
    return {name: value for name, value in row.items() if value not in ("", None)}


def get_context(request: Request, limit: int) -> dict[str, Any]:
    """One value by its key, or all values of a task, by type and words."""
    task, plan_id, cursor = request.id("task_id"), request.take("plan_id"), request.take("cursor")
    kind, key, words = request.take("context_type"), request.take("context_key"), request.take("query")
    scope = scope_of(request, task, plan_id) if task or plan_id or key else {}
    if key and kind and not words:
        try:
            values = request.ask("get_context", **scope, key=f"{kind}.{key}").values
        except UnknownHandle:  # as current tools record it
            values = request.ask("get_context", **scope, key=key).values
        return {"context": [_remembered(value) for value in values]}
    found = _context(request, {**scope, "type": kind, "text": words, "cursor": cursor}, MAX_ITEMS if key else limit)
    return {**found, "context": [each for each in found["context"] if key in (None, each["context_key"])]}


def _context(request: Request, filters: dict[str, Any], limit: int) -> dict[str, Any]:
    page = request.ask("list_context", **filters, limit=limit)
    more = {"next_cursor": page.next_cursor} if page.next_cursor else {}
    return {"context": [_remembered(value) for value in page.values], **more}


def _remembered(value: Any) -> dict[str, Any]:
    """A value under the key that was given."""
    row = {"context_key": value.key.removeprefix(f"{value.type}."), "context_type": value.type, "at": value.at}
    row |= {"context_value": value.value, "task_id": value.scope_id}
    row |= {"metadata": value.metadata} if value.metadata else {}
    return row | ({"erased": True} if value.erased else {})
