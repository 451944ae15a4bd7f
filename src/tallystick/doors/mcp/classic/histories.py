"""Reading in the plan-and-ledger family: how far an execution is, and what there was before."""

import shlex
from typing import Any

from msgspec.structs import asdict, replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument
from tallystick.doors.mcp.answers import Answer, of_view
from tallystick.doors.mcp.calling import Calling
from tallystick.doors.mcp.classic.old import Said
from tallystick.doors.mcp.query import DEFAULT_ITEMS, VIEWS, query
from tallystick.operations.entries import EntryView
from tallystick.operations.executions import Status

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


def status(calling: Calling, said: Said) -> Answer:
    """The status of an execution; its steps unless they are not wanted, its newest entries if they are."""
    asked = said.some(("execution_id",))
    steps, events = said.whether("include_step_details", True), said.whether("include_events", False)
    limit, detail = said.count("limit", DEFAULT_ITEMS), said.detail()
    said.nothing_else((*TAKES[:3], "limit", "detail"))
    if steps and not events:
        return query(calling, {"view": "status", "detail": detail, **asked})
    return of_view("status", lambda most: _status(calling, asked, steps, events, most), detail, limit)


def query_history(calling: Calling, said: Said) -> Answer:
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
