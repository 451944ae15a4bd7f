"""Legacy tools of the first design (save_plan, execute_plan ...) as operations."""

import shlex
from typing import Any

from msgspec.structs import asdict, replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, NotPermitted
from tallystick.interfaces.mcp.legacy import steps
from tallystick.interfaces.mcp.legacy.translate import (
    NO_REASON,
    LegacyArguments,
    RecordCall,
    append_extra,
    as_text,
    make_records,
    read_steps,
    record_all,
    without_none,
)
from tallystick.interfaces.mcp.query import DEFAULT_ITEMS, VIEWS, query
from tallystick.interfaces.mcp.responses import McpResponse, record_response, view_response
from tallystick.interfaces.mcp.sessions import RequestCaller
from tallystick.operations.entries import EntryView
from tallystick.operations.views.execution_status import Status

# ----------------------------------------------------------------------------------------------------------------------
# Recording

CONTROLS = {"start": "continue", "pause": "pause", "resume": "resume", "cancel": "stop"}
ACTIONS = ("stopped", "cleaned_up", "notified", "rolled_back", "other")
_UNDO_ACTIONS = ("rolled_back", "cleaned_up")
OUTCOMES = {
    "completed": "ok",
    "success": "ok",
    "ok": "ok",
    "failed": "failed",
    "skipped": "skipped",
    "unknown": "unknown",
    "in_progress": "",
    "pending": "",
}
"""The outcome for each status of a compensation; empty if it has not ended."""
_NOT_RUN = "nothing was run, this is a journal: carry out the steps yourself, and record each in execution_id={}"


def save_plan(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Records a plan. Extra arguments, also of its steps, are recorded in its `reasoning`."""
    plan = {"title": arguments.take("name"), "goal": arguments.take("description")}
    plan_steps, extra = steps.translate_steps(arguments.take("steps"), steps.from_ledger_step)
    plan = {**plan, **arguments.take_known("record_plan"), "steps": plan_steps, "key": arguments.key}
    plan["reasoning"] = append_extra(plan.get("reasoning", ""), {**arguments.rest, **extra})
    receipt = caller.call(operations.CATALOGUE["record_plan"], without_none(plan))
    return record_response(receipt, f"record_execution_start(plan_id={receipt.id})")


def execute_plan(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Records the start of an execution, and says that nothing was run. Extra arguments are recorded in `notes`."""
    return _start_execution(caller, arguments, arguments.require("plan_id"))


def record_execution_start(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """The same, but a plan is not required: this was also the name of the current tool, without its `notes`."""
    return _start_execution(caller, arguments, arguments.take("plan_id"))


def _start_execution(caller: RequestCaller, arguments: LegacyArguments, plan_id: Any) -> McpResponse:
    notes = arguments.take("notes", "")
    execution = {"plan_id": plan_id, **arguments.take_known("record_execution_start"), "key": arguments.key}
    execution["notes"] = append_extra(notes, arguments.rest)
    receipt = caller.call(operations.CATALOGUE["record_execution_start"], without_none(execution))
    return record_response(receipt, _NOT_RUN.format(receipt.id))


def control(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """`start` starts an execution of a plan, or continues one; the other actions are decisions.

    Extra arguments are recorded in the `notes` of the execution, or in the `why` of the decision.
    """
    action = arguments.take_word("action", CONTROLS)
    execution = arguments.take("execution_id")
    reason = arguments.take("reason", "" if action == "start" else NO_REASON)
    if action == "start" and (not execution or str(execution).startswith("pl_")):
        plan_id = arguments.take("plan_id", execution)
        start = {"plan_id": plan_id, **arguments.take_known("record_execution_start")}
        start["notes"] = append_extra(reason, arguments.rest)
        return record_all(
            caller,
            [("record_execution_start", start)],
            arguments.key,
            lambda recorded: _NOT_RUN.format(recorded.execution_id),
        )
    decision = CONTROLS[action]
    if action == "start" and _is_paused(caller, execution):
        decision = "resume"
    decided = {"decision": decision, "why": reason or NO_REASON, "execution_id": execution}
    return record_all(caller, [("record_decision", _decision(arguments, decided))], arguments.key)


def record_decision(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """`action` is the decision and `reason` the why. `details` and extra arguments follow the reason."""
    decision = {"decision": arguments.take("action"), "why": arguments.take("reason", "")}
    decision["step"] = as_text(arguments.take("step_id"))
    decision = {**_decision(arguments, decision), "key": arguments.key}
    return record_response(caller.call(operations.CATALOGUE["record_decision"], without_none(decision)), "")


def record_compensation(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Records the begin and the end of an undo of the step's action. Extra arguments follow the `summary`."""
    outcome = OUTCOMES[arguments.take_word("status", OUTCOMES, "completed")]
    execution = arguments.take("execution_id")
    target = arguments.take("undoes") or _find_action(caller, execution, as_text(arguments.require("step_id")))
    begin = {"undoes": target, "execution_id": execution, "tool": arguments.take("tool")}
    begin |= {"arguments": arguments.take("parameters"), **arguments.take_any(("again", "approval_id"))}
    end = {"outcome": outcome, "result": arguments.take("result"), **arguments.take_any(("error", "evidence"))}
    summary = append_extra(arguments.take("description", ""), arguments.rest)
    return record_all(
        caller,
        _undo_records(caller, begin, end, summary),
        arguments.key,
        lambda recorded: f"query_history(query_type=owed, execution_id={recorded.execution_id}) shows what is left",
    )


def record_action(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """Records a note. A rollback or clean-up of a step that was begun is recorded as its undo, begun and ended.

    The type of action is the `tool` of a note, and extra arguments are its `arguments`. In an undo both follow the
    `summary`.
    """
    kind = arguments.take_word("action_type", ACTIONS, "other")
    execution, step = arguments.take("execution_id"), as_text(arguments.take("step_id"))
    summary = arguments.take("description", "")
    undone = read_steps(caller, execution).get(step) if kind in _UNDO_ACTIONS and isinstance(step, str) else None
    if undone is None or not undone.action_id:
        note = {"phase": "note", "step": step, "execution_id": execution, "tool": kind, "summary": summary}
        note |= arguments.take_any(("before", "after", "confidence"))
        note |= {"arguments": arguments.rest or None, "key": arguments.key}
        return record_response(caller.call(operations.CATALOGUE["record_action"], without_none(note)), "")
    begin = {"undoes": undone.action_id, "tool": arguments.take("tool"), "arguments": arguments.take("parameters")}
    begin |= arguments.take_any(("again", "approval_id"))
    end = {"outcome": "ok", "result": arguments.take("result"), **arguments.take_any(("evidence",))}
    summary = append_extra(summary, {"action_type": kind, **arguments.rest})
    records = _undo_records(caller, begin, end, summary)
    return record_response(make_records(caller, records, arguments.key)[-1], "")


def cleanup_history(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    raise NotPermitted(
        "An agent deletes nothing from an audit record.",
        hint="Entries are kept for good. A person erases the text of a task or of entries with `tallystick erase` "
        "and a credential; the chain still verifies.",
    )


def _decision(arguments: LegacyArguments, decision: dict[str, Any]) -> dict[str, Any]:
    """A decision with the details and the extra arguments in its `why`."""
    details = arguments.take("details", "")
    decision = {**decision, **arguments.take_known("record_decision")}
    why = decision["why"]
    if isinstance(details, str) and isinstance(why, str):
        return {**decision, "why": append_extra("\n".join(filter(None, (why, details))), arguments.rest)}
    return {**decision, "why": append_extra(why, {"details": details, **arguments.rest})}


def _undo_records(caller: RequestCaller, begin: dict[str, Any], end: dict[str, Any], summary: Any) -> list[RecordCall]:
    """The begin and the end of an undo; only the end if it was begun before; only the begin if it has not ended."""
    begin = {**begin, "phase": "begin", "kind": "undo", "summary": summary}
    if not end["outcome"]:
        extra = {name: value for name, value in end.items() if name != "outcome" and value is not None}
        return [("record_action", {**begin, "summary": append_extra(summary, extra)})]
    end = {**end, "phase": "end", "action_id": "@0"}
    target = caller.call(operations.CATALOGUE["get_action"], {"action_id": begin["undoes"]})
    if target.undo_state == "undoing":
        extra = without_none({"tool": begin["tool"], "parameters": begin["arguments"]})
        return [("record_action", {**end, "action_id": target.undone_by, "summary": append_extra(summary, extra)})]
    return [("record_action", begin), ("record_action", end)]


def _find_action(caller: RequestCaller, execution: Any, step: Any) -> str:
    """The action of a step, of its newest attempt. Raises InvalidArgument if the step was not begun."""
    all_steps = read_steps(caller, execution)
    begun = [id for id, each in all_steps.items() if each.action_id]
    if not isinstance(step, str) or step not in begun:
        problem = "was not begun" if isinstance(step, str) and step in all_steps else "is not there"
        hint = f"Begun were: {', '.join(begun[:10])}." if begun else "No step of this execution was begun."
        raise InvalidArgument(f'Step "{step}" {problem}.', hint=hint, field="step_id", allowed=begun[:20])
    return all_steps[step].action_id


def _is_paused(caller: RequestCaller, execution: Any) -> bool:
    status = caller.call(operations.CATALOGUE["get_status"], {"execution_id": execution, "limit": 1})
    is_paused: bool = status.execution.status == "paused"
    return is_paused


# ----------------------------------------------------------------------------------------------------------------------
# Reading

TYPES = {
    **{view: view for view in VIEWS},
    "all": "executions",
    "history": "executions",
    "execution": "status",
    "plan": "plans",
    "events": "journal",
    "logs": "journal",
    "actions": "journal",
    "decisions": "journal",
    "compensations": "undo_list",
    "statistics": "stats",
    "summary": "stats",
}
"""The view for each type of query."""
STATUSES = {"in_progress": "running", "active": "running", "success": "completed", "canceled": "cancelled"}
"""Other names for the statuses of executions."""
MAX_OFFSET = 10_000
_BEFORE_ALL = "1970-01-02"
HISTORY_PARAMETERS = (
    *("execution_id", "include_step_details", "include_events", "query_type", "status_filter", "limit", "offset"),
)
_CURRENT_PARAMETERS = ("q", "filter", "detail", "cursor")


class StatusWithEntries(Status, frozen=True, omit_defaults=True, kw_only=True):
    """The status of an execution, with the newest entries of its journal."""

    entries: tuple[EntryView, ...] = ()


def status(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """The status of an execution. Its steps are shown by default, its newest entries only if they are wanted."""
    filters = arguments.take_any(("execution_id",))
    has_steps = arguments.take_bool("include_step_details", True)
    has_events = arguments.take_bool("include_events", False)
    limit, detail = arguments.take_count("limit", DEFAULT_ITEMS), arguments.take_detail()
    arguments.reject_rest((*HISTORY_PARAMETERS[:3], "limit", "detail"))
    if has_steps and not has_events:
        return query(caller, {"view": "status", "detail": detail, **filters})

    def read(limit: int | None) -> StatusWithEntries:
        current: Status = caller.call(operations.CATALOGUE["get_status"], filters)
        entries: tuple[EntryView, ...] = ()
        if has_events:
            newest = {"execution_id": current.execution.id, "newest_first": True, "limit": limit}
            entries = caller.call(operations.CATALOGUE["read_entries"], newest).entries
        return StatusWithEntries(**asdict(current if has_steps else replace(current, steps=())), entries=entries)

    return view_response("status", read, detail, limit)


def query_history(caller: RequestCaller, arguments: LegacyArguments) -> McpResponse:
    """A view of the journal. With an execution and no type of query, its status."""
    kind = arguments.take_word("query_type", TYPES) if "query_type" in arguments else ""
    if "execution_id" in arguments and kind in ("", "status", "execution"):
        return status(caller, arguments)
    has_events = arguments.take_bool("include_events", False)
    arguments.take_bool("include_step_details", False)  # the items of a list have no steps
    request = {"view": TYPES[kind] if kind else "journal" if has_events else "executions"}
    request |= arguments.take_any(("execution_id", "limit", "q", "detail", "cursor"))
    status_filter = arguments.take("status_filter")
    if isinstance(status_filter, str):
        status_filter = STATUSES.get(status_filter, status_filter)
    request["filter"] = format_filter({"status": status_filter}, arguments.take("filter"))
    offset = arguments.take("offset", 0)
    arguments.reject_rest((*HISTORY_PARAMETERS, *_CURRENT_PARAMETERS))
    return query(caller, request if not offset else _skip(caller, request, offset))


def format_filter(filters: dict[str, Any], more: Any = None) -> str:
    """Names and values as the `filter` of a query, after another filter text."""
    words = [f"{name}:{shlex.quote(str(value))}" for name, value in filters.items() if value is not None]
    return " ".join([str(more), *words] if more else words)


def _skip(caller: RequestCaller, request: dict[str, Any], offset: Any) -> dict[str, Any]:
    """The query that begins `offset` items later. There are only cursors, so the pages before it are read."""
    if not isinstance(offset, int) or isinstance(offset, bool) or not 0 <= offset <= MAX_OFFSET:
        hint = f"Give a number from 0 to {MAX_OFFSET:,}, or next_cursor of the page before as cursor."
        raise InvalidArgument(f"offset {str(offset)[:40]} cannot be used.", hint=hint, field="offset")
    following = dict(request)
    while offset > 0:
        page = query(caller, {**following, "limit": min(offset, 100)}).content
        items = next((value for value in page.values() if isinstance(value, list)), None)
        if items is None:
            raise InvalidArgument(f"view={request['view']} is one thing.", hint="Leave offset out.", field="offset")
        offset -= len(items)
        if not page.get("next_cursor"):
            return {**request, "filter": format_filter({"until": _BEFORE_ALL}, request["filter"])}  # an empty page
        following["cursor"] = page["next_cursor"]
    return following
