"""The plan-and-ledger family: saving and executing plans, steering, compensating, and what was decided and done."""

import shlex
from typing import Any

from msgspec.structs import asdict, replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, NotPermitted
from tallystick.interfaces.mcp.legacy import steps
from tallystick.interfaces.mcp.legacy.translate import (
    NO_REASON,
    Record,
    Said,
    also,
    as_text,
    made,
    recorded,
    stated,
    steps_of,
)
from tallystick.interfaces.mcp.query import DEFAULT_ITEMS, VIEWS, query
from tallystick.interfaces.mcp.responses import McpResponse, of_record, of_view
from tallystick.interfaces.mcp.sessions import Calling
from tallystick.operations.entries import EntryView
from tallystick.operations.views.execution import Status

CONTROLS = {"start": "continue", "pause": "pause", "resume": "resume", "cancel": "stop"}
ACTIONS = ("stopped", "cleaned_up", "notified", "rolled_back", "other")
_UNDOING = ("rolled_back", "cleaned_up")
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
"""What the status of a compensation says of its outcome; one that is not over has none."""
_NOT_RUN = "nothing was run, this is a journal: carry out the steps yourself, and record each in execution_id={}"


def save_plan(calling: Calling, said: Said) -> McpResponse:
    """What a plan has no place for, and what its steps have none for, is kept in its `reasoning`."""
    named = {"title": said.take("name"), "goal": said.take("description")}
    found, over = steps.translated(said.take("steps"), steps.of_ledger)
    ours = {**named, **said.known("record_plan"), "steps": found, "key": said.key}
    ours["reasoning"] = also(ours.get("reasoning", ""), {**said.rest, **over})
    receipt = calling.call(operations.CATALOGUE["record_plan"], stated(ours))
    return of_record(receipt, f"record_execution_start(plan_id={receipt.id})")


def execute_plan(calling: Calling, said: Said) -> McpResponse:
    """It records the start, runs nothing, and says so. What else is given is kept in `notes`."""
    plan_id = said.need("plan_id")
    return of_record(receipt := _started(calling, said, plan_id, "notes"), _NOT_RUN.format(receipt.id))


def record_execution_start(calling: Calling, said: Said) -> McpResponse:
    """The old form is the current one with `notes`; it also starts work without a plan."""
    return of_record(receipt := _started(calling, said, said.take("plan_id"), "notes"), _NOT_RUN.format(receipt.id))


def control(calling: Calling, said: Said) -> McpResponse:
    """`start` starts an execution of a plan, or goes on with one; the others are decisions.

    What else is given is kept in the `notes` of the execution, or in the `why` of the decision.
    """
    action = said.word("action", CONTROLS)
    execution = said.take("execution_id")
    reason = said.take("reason", "" if action == "start" else NO_REASON)
    if action == "start" and (not execution or str(execution).startswith("pl_")):
        plan_id = said.take("plan_id", execution)
        given = {"plan_id": plan_id, **said.known("record_execution_start")}
        started = ("record_execution_start", {**given, "notes": also(reason, said.rest)})
        return recorded(calling, [started], said.key, lambda found: _NOT_RUN.format(found.execution_id))
    decision = CONTROLS[action]
    if action == "start" and _is_paused(calling, execution):
        decision = "resume"
    ours = _decision(said, {"decision": decision, "why": reason or NO_REASON, "execution_id": execution})
    return recorded(calling, [("record_decision", ours)], said.key)


def record_decision(calling: Calling, said: Said) -> McpResponse:
    """`action` is the decision and `reason` the why; `details`, and what else is given, stand behind the reason."""
    ours = {"decision": said.take("action"), "why": said.take("reason", ""), "step": as_text(said.take("step_id"))}
    given = {**_decision(said, ours), "key": said.key}
    return of_record(calling.call(operations.CATALOGUE["record_decision"], stated(given)), "")


def record_compensation(calling: Calling, said: Said) -> McpResponse:
    """A begun and ended undo of the step's action. What else is given stands behind the `summary`."""
    outcome = OUTCOMES[said.word("status", OUTCOMES, "completed")]
    execution = said.take("execution_id")
    target = said.take("undoes") or _action_of(calling, execution, as_text(said.need("step_id")))
    begun = {"undoes": target, "execution_id": execution, "tool": said.take("tool")}
    begun |= {"arguments": said.take("parameters"), **said.some(("again", "approval_id"))}
    ended = {"outcome": outcome, "result": said.take("result"), **said.some(("error", "evidence"))}
    summary = also(said.take("description", ""), said.rest)
    return recorded(
        calling,
        _undo(calling, begun, ended, summary),
        said.key,
        lambda found: f"query_history(query_type=owed, execution_id={found.execution_id}) tells what is left",
    )


def record_action(calling: Calling, said: Said) -> McpResponse:
    """A note; what rolls back or cleans up after a step that was begun is an undo of it, begun and ended.

    The type of action is the `tool` of the note, and what else is given its `arguments`. Of an undo both stand behind
    the `summary`.
    """
    kind = said.word("action_type", ACTIONS, "other")
    execution, step = said.take("execution_id"), as_text(said.take("step_id"))
    summary = said.take("description", "")
    done = steps_of(calling, execution).get(step) if kind in _UNDOING and isinstance(step, str) else None
    if done is None or not done.action_id:
        ours = {"phase": "note", "step": step, "execution_id": execution, "tool": kind, "summary": summary}
        ours |= {**said.some(("before", "after", "confidence")), "arguments": said.rest or None, "key": said.key}
        return of_record(calling.call(operations.CATALOGUE["record_action"], stated(ours)), "")
    begun = {"undoes": done.action_id, "tool": said.take("tool"), "arguments": said.take("parameters")}
    begun |= said.some(("again", "approval_id"))
    ended = {"outcome": "ok", "result": said.take("result"), **said.some(("evidence",))}
    records = _undo(calling, begun, ended, also(summary, {"action_type": kind, **said.rest}))
    return of_record(made(calling, records, said.key)[-1], "")


def cleanup_history(calling: Calling, said: Said) -> McpResponse:
    raise NotPermitted(
        "An agent deletes nothing from an audit record.",
        hint="Entries are kept for good. A person erases the text of a task or of entries with `tallystick erase` "
        "and a credential; the chain still verifies.",
    )


def _started(calling: Calling, said: Said, plan_id: Any, notes: str) -> Any:
    text = said.take(notes, "")
    ours = {"plan_id": plan_id, **said.known("record_execution_start"), "key": said.key}
    return calling.call(
        operations.CATALOGUE["record_execution_start"], stated({**ours, "notes": also(text, said.rest)})
    )


def _decision(said: Said, ours: dict[str, Any]) -> dict[str, Any]:
    details = said.take("details", "")
    ours = {**ours, **said.known("record_decision")}
    if isinstance(details, str) and isinstance(ours["why"], str):
        return {**ours, "why": also("\n".join(filter(None, (ours["why"], details))), said.rest)}
    return {**ours, "why": also(ours["why"], {"details": details, **said.rest})}


def _undo(calling: Calling, begun: dict[str, Any], ended: dict[str, Any], summary: Any) -> list[Record]:
    """Begin and end of an undo; only its end, when it is under way; only its begin, when it is not over."""
    begins = {**begun, "phase": "begin", "kind": "undo", "summary": summary}
    if not ended["outcome"]:
        left = {name: value for name, value in ended.items() if name != "outcome" and value is not None}
        return [("record_action", {**begins, "summary": also(summary, left)})]
    ends = {**ended, "phase": "end", "action_id": "@0"}
    target = calling.call(operations.CATALOGUE["get_action"], {"action_id": begun["undoes"]})
    if target.owed == "undoing":
        left = stated({"tool": begun["tool"], "parameters": begun["arguments"]})
        return [("record_action", {**ends, "action_id": target.undone_by, "summary": also(summary, left)})]
    return [("record_action", begins), ("record_action", ends)]


def _action_of(calling: Calling, execution: Any, step: Any) -> str:
    """The action that was begun for a step, its newest attempt."""
    found = steps_of(calling, execution)
    begun = [id for id, each in found.items() if each.action_id]
    if not isinstance(step, str) or step not in begun:
        what = "was not begun" if isinstance(step, str) and step in found else "is not there"
        hint = f"Begun were: {', '.join(begun[:10])}." if begun else "No step of this execution was begun."
        raise InvalidArgument(f'Step "{step}" {what}.', hint=hint, field="step_id", allowed=begun[:20])
    return found[step].action_id


def _is_paused(calling: Calling, execution: Any) -> bool:
    found = calling.call(operations.CATALOGUE["get_status"], {"execution_id": execution, "limit": 1})
    paused: bool = found.execution.status == "paused"
    return paused


# ----------------------------------------------------------------------------------------------------------------------
# Reading in the plan-and-ledger family: how far an execution is, and what there was before.

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
    "compensations": "owed",
    "statistics": "stats",
    "summary": "stats",
}
"""What a kind of query was called, and the view that answers it."""
STATUSES = {"in_progress": "running", "active": "running", "success": "completed", "canceled": "cancelled"}
"""Statuses of executions by other names."""
FURTHEST = 10_000
_BEFORE_ALL = "1970-01-02"
TAKES = ("execution_id", "include_step_details", "include_events", "query_type", "status_filter", "limit", "offset")
_OWN = ("q", "filter", "detail", "cursor")


class StatusWithEntries(Status, frozen=True, omit_defaults=True, kw_only=True):
    """One execution whole, with the newest entries of its journal."""

    entries: tuple[EntryView, ...] = ()


def status(calling: Calling, said: Said) -> McpResponse:
    """The status of an execution; its steps unless they are not wanted, its newest entries if they are."""
    asked = said.some(("execution_id",))
    steps, events = said.whether("include_step_details", True), said.whether("include_events", False)
    limit, detail = said.count("limit", DEFAULT_ITEMS), said.detail()
    said.nothing_else((*TAKES[:3], "limit", "detail"))
    if steps and not events:
        return query(calling, {"view": "status", "detail": detail, **asked})
    return of_view("status", lambda most: _status(calling, asked, steps, events, most), detail, limit)


def query_history(calling: Calling, said: Said) -> McpResponse:
    """A view of the journal; with an execution and no kind of query, its status."""
    kind = said.word("query_type", TYPES) if "query_type" in said else ""
    if "execution_id" in said and kind in ("", "status", "execution"):
        return status(calling, said)
    events = said.whether("include_events", False)
    said.whether("include_step_details", False)  # the items of a list have no steps
    asked = {"view": TYPES[kind] if kind else "journal" if events else "executions"}
    asked |= said.some(("execution_id", "limit", "q", "detail", "cursor"))
    status_filter = said.take("status_filter")
    word = STATUSES.get(status_filter, status_filter) if isinstance(status_filter, str) else status_filter
    asked["filter"] = filtered({"status": word}, said.take("filter"))
    offset = said.take("offset", 0)
    said.nothing_else((*TAKES, *_OWN))
    return query(calling, asked if not offset else _skipping(calling, asked, offset))


def filtered(wanted: dict[str, Any], more: Any = None) -> str:
    """Names and values as the `filter` of a query, behind what was said as one."""
    words = [f"{name}:{shlex.quote(str(value))}" for name, value in wanted.items() if value is not None]
    return " ".join([str(more), *words] if more else words)


def _status(calling: Calling, asked: dict[str, Any], steps: bool, events: bool, limit: int | None) -> StatusWithEntries:
    found: Status = calling.call(operations.CATALOGUE["get_status"], asked)
    entries: tuple[EntryView, ...] = ()
    if events:
        newest = {"execution_id": found.execution.id, "newest_first": True, "limit": limit}
        entries = calling.call(operations.CATALOGUE["read_entries"], newest).entries
    return StatusWithEntries(**asdict(found if steps else replace(found, steps=())), entries=entries)


def _skipping(calling: Calling, asked: dict[str, Any], offset: Any) -> dict[str, Any]:
    """The query that begins so many items later. Pages go by a cursor here: those before it are read and left."""
    if not isinstance(offset, int) or isinstance(offset, bool) or not 0 <= offset <= FURTHEST:
        hint = f"Give a number from 0 to {FURTHEST:,}, or next_cursor of the page before as cursor."
        raise InvalidArgument(f"offset {str(offset)[:40]} cannot be used.", hint=hint, field="offset")
    further = dict(asked)
    while offset > 0:
        page = query(calling, {**further, "limit": min(offset, 100)}).content
        items = next((value for value in page.values() if isinstance(value, list)), None)
        if items is None:
            raise InvalidArgument(f"view={asked['view']} is one thing.", hint="Leave offset out.", field="offset")
        offset -= len(items)
        if not page.get("next_cursor"):
            return {**asked, "filter": filtered({"until": _BEFORE_ALL}, asked["filter"])}  # an empty page, as asked for
        further["cursor"] = page["next_cursor"]
    return further
