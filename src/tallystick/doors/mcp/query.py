"""`query_ledger`: every read operation that has a view, behind one tool."""

from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tallystick import operations
from tallystick.core.errors import InvalidArgument, one_of
from tallystick.core.model import Handle
from tallystick.doors.mcp.answers import Answer, Detail, of_brief, of_view
from tallystick.doors.mcp.calling import Calling
from tallystick.operations import Operation
from tallystick.operations.mistakes import explain

NAME = "query_ledger"
VIEWS = (
    "brief",
    "status",
    "journal",
    "owed",
    "in_doubt",
    "approvals",
    "context",
    "plans",
    "executions",
    "stats",
    "verify",
)
"""In the order in which an agent should think of them."""
_ONE = {
    ("context", "key"): ("get_context", "key"),
    ("approvals", "id"): ("get_approval", "approval_id"),
    ("plans", "id"): ("get_plan", "plan_id"),
}
"""A filter that asks for one thing reads that thing whole."""
_SPELT = {"task": "task_id", "plan": "plan_id", "execution": "execution_id"}
DEFAULT_ITEMS = 20


@cache
def _operations() -> dict[str, Operation[..., Any]]:
    return {each.view: each for each in operations.CATALOGUE.values() if each.view}


class QueryArguments(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `query_ledger` takes."""

    view: str = "brief"
    execution_id: Handle | None = None
    q: Annotated[str, Meta(max_length=400)] = ""
    filter: Annotated[str, Meta(max_length=1000, description="e.g. status:failed tool:Bash since:2d")] = ""
    detail: Detail = "concise"
    limit: Annotated[int, Meta(ge=1, le=100)] | None = None
    cursor: Annotated[str, Meta(max_length=200)] = ""


DESCRIPTION = (
    "Read the journal. view=brief (default) tells progress, next step, in-doubt calls, what is owed and approvals. "
    "q searches text. Start here after a resume or compaction."
)


def query(calling: Calling, given: dict[str, Any]) -> Answer:
    """Answer one query."""
    try:
        asked = msgspec.convert(given, QueryArguments)
    except msgspec.ValidationError as error:
        raise explain(str(error), NAME, QueryArguments) from None
    if asked.view not in VIEWS:
        mistake = one_of(asked.view, "view", VIEWS, what="a view")
        mistake.next_call = (NAME, {"view": "brief"})
        raise mistake
    operation, arguments = _meant(asked)
    if asked.view == "brief" and asked.detail == "concise":
        return of_brief(lambda tokens: calling.call(operation, {**arguments, "tokens": tokens}))
    bounded = "limit" in operation.arguments.__struct_fields__
    limit = (asked.limit or DEFAULT_ITEMS) if bounded else None

    def read(most: int | None) -> Struct:
        found: Struct = calling.call(operation, {**arguments, "limit": most} if bounded else arguments)
        return found

    return of_view(asked.view, read, asked.detail, limit)


def _meant(asked: QueryArguments) -> tuple[Operation[..., Any], dict[str, Any]]:
    """The operation, and its arguments out of what was said."""
    operation = _operations()[asked.view]
    arguments = _filters(asked.filter)
    for name in list(arguments):
        if (asked.view, name) in _ONE:
            other, spelt = _ONE[asked.view, name]
            operation = operations.CATALOGUE[other]
            arguments[spelt] = arguments.pop(name)
    if asked.execution_id:
        arguments["execution_id"] = asked.execution_id
    if asked.q:
        arguments["text"] = asked.q
    if asked.cursor:
        arguments["cursor"] = asked.cursor
    if operation.name == "read_entries":
        arguments = _page_of_journal(arguments)
    _check(asked.view, operation, arguments)
    return operation, arguments


def _filters(text: str) -> dict[str, Any]:
    """`status:failed tool:"my tool"` as names and values."""
    import shlex  # few queries have a filter

    try:
        parts = shlex.split(text)
    except ValueError:
        raise InvalidArgument("filter has an open quote.", hint="Close it.", field="filter") from None
    found: dict[str, Any] = {}
    for part in parts:
        name, colon, value = part.partition(":")
        if not colon or not value:
            hint = "Write name:value, e.g. status:failed; words to find go into q."
            raise InvalidArgument(f'filter "{part}" has no value.', hint=hint, field="filter")
        found[_SPELT.get(name, name)] = value
    return found


def _page_of_journal(arguments: dict[str, Any]) -> dict[str, Any]:
    """The newest first, and a place in the journal as the cursor; `order:oldest` turns it around."""
    order = arguments.pop("order", "newest")
    if order not in ("newest", "oldest"):
        raise one_of(order, "order", ("newest", "oldest"), what="an order")
    cursor = arguments.pop("cursor", "0")
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 12):
        hint = "Pass next_cursor of the page before."
        raise InvalidArgument(f'"{cursor}" is not a cursor of this view.', hint=hint, field="cursor")
    return {**arguments, "after": int(cursor), "newest_first": order == "newest"}


def _check(view: str, operation: Operation[..., Any], arguments: dict[str, Any]) -> None:
    """Refuse what a view does not know: an answer that passed over a filter would be a wrong one."""
    known = operation.arguments.__struct_fields__
    for name in arguments:
        if name not in known:
            said = {"text": "q"}.get(name, name)
            names = [each for each in known if each not in ("limit", "cursor", "text", "after", "wait_seconds")]
            hint = f"It takes: {', '.join(names)}." if names else "It takes none."
            raise InvalidArgument(f"view={view} cannot be narrowed by {said}.", hint=hint, field=said, allowed=names)
