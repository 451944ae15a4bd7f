"""`query_ledger`: every read operation that has a view, behind one tool."""

from functools import cache
from typing import Annotated, Any, get_origin

import msgspec
from msgspec import Meta, Struct

from tallystick import operations
from tallystick.core.errors import InvalidArgument, not_one_of
from tallystick.core.types import Handle
from tallystick.interfaces.mcp.responses import Detail, McpResponse, of_brief, of_view
from tallystick.interfaces.mcp.sessions import Calling
from tallystick.operations import Operation
from tallystick.operations.runtime.argument_errors import explain

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
    ("journal", "action"): ("get_action", "action_id"),
    ("journal", "status"): ("list_actions", "state"),
}
"""A filter that asks for one thing reads that thing whole; with a status, the journal is one of actions."""
_SPELT = {"task": "task_id", "plan": "plan_id", "execution": "execution_id"}
_NO_FILTERS = ("limit", "cursor", "text", "after", "newest_first", "tokens", "wait_seconds")
"""What an operation takes and a filter does not say: it has a place of its own, is fixed, or makes others wait."""
DEFAULT_ITEMS = 20


@cache
def _operations() -> dict[str, Operation[..., Any]]:
    return {each.view: each for each in operations.CATALOGUE.values() if each.view}


class QueryArguments(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `query_ledger` takes."""

    view: str = "brief"
    execution_id: Handle | None = None
    q: Annotated[str, Meta(max_length=400)] = ""
    filter: Annotated[
        str, Meta(max_length=1000, description="e.g. with view=journal: status:failed tool:Bash since:2d")
    ] = ""
    detail: Detail = "concise"
    limit: Annotated[int, Meta(ge=1, le=100)] | None = None
    cursor: Annotated[str, Meta(max_length=200)] = ""


DESCRIPTION = (
    "Read the journal. view=brief (default) tells progress, next step, in-doubt calls, what is owed and approvals. "
    "q searches text. Start here after a resume or compaction."
)


def query(calling: Calling, given: dict[str, Any]) -> McpResponse:
    """Answer one query."""
    try:
        asked = msgspec.convert(given, QueryArguments)
    except msgspec.ValidationError as error:
        mistake = explain(str(error), NAME, QueryArguments)
        raise _no_view(given.get("view")) if mistake.field == "view" else mistake from None
    if asked.view not in VIEWS:
        raise _no_view(asked.view)
    try:
        return _answered(calling, asked)
    except InvalidArgument as error:
        error.next_call = error.next_call or (NAME, {"view": asked.view})
        named = (error.field or "").partition("[")[0]  # a filter has one text, also for what takes several
        error.field = "q" if named == "text" else named or None
        raise


def _no_view(said: Any) -> InvalidArgument:
    mistake = not_one_of(str(said), "view", VIEWS, what="a view")
    mistake.next_call = (NAME, {"view": "brief"})
    return mistake


def _answered(calling: Calling, asked: QueryArguments) -> McpResponse:
    operation, arguments = _meant(asked)
    if asked.view == "brief":
        return of_brief(lambda tokens: calling.call(operation, {**arguments, "tokens": tokens}))
    bounded = "limit" in operation.arguments.__struct_fields__
    many = operation.view or operation.name == "list_actions"
    limit = asked.limit or (DEFAULT_ITEMS if many else None)  # one thing is shown as its operation does it

    def read(most: int | None) -> Struct:
        found: Struct = calling.call(operation, {**arguments, "limit": most} if bounded and most else arguments)
        return found

    in_order = operation.name == "read_entries" and not arguments["newest_first"]
    verb, _, noun = operation.name.partition("_")
    command = f"`tallystick {verb} {noun.replace('_', '-')} --json`"
    return of_view(asked.view, read, asked.detail, limit if bounded else None, in_order=in_order, command=command)


def _meant(asked: QueryArguments) -> tuple[Operation[..., Any], dict[str, Any]]:
    """The operation, and its arguments out of what was said."""
    operation = _operations()[asked.view]
    said = _filters(asked)
    for name in list(said):
        if (asked.view, name) in _ONE:
            other, spelt = _ONE[asked.view, name]
            operation = operations.CATALOGUE[other]
            said[spelt] = said.pop(name)
    _check(asked, operation, said)
    arguments = {name: _valued(operation.hints.get(name, str), value) for name, value in said.items()}
    if asked.q:
        arguments["text"] = asked.q
    if asked.cursor:
        arguments["cursor"] = asked.cursor
    if operation.name == "list_actions":
        arguments["newest_first"] = True
    return operation, _page_of_journal(arguments) if operation.name == "read_entries" else arguments


def _filters(asked: QueryArguments) -> dict[str, str]:
    """`status:failed tool:"my tool"` as names and values, and the execution with them."""
    import shlex  # few queries have a filter

    try:
        parts = shlex.split(asked.filter)
    except ValueError:
        raise InvalidArgument("filter has an open quote.", hint="Close it.", field="filter") from None
    found: dict[str, str] = {"execution_id": asked.execution_id} if asked.execution_id else {}
    for part in parts:
        name, colon, value = part.partition(":")
        if not colon or not value:
            hint = "Write name:value, e.g. tool:Bash; words to find go into q."
            raise InvalidArgument(f'filter "{part}" has no value.', hint=hint, field="filter")
        if found.setdefault(_SPELT.get(name, name), value) != value:
            hint = "Ask once for each value."
            raise InvalidArgument(f"{name} is given twice, with two values.", hint=hint, field="filter")
    return found


def _valued(hint: Any, said: str) -> Any:
    """A filter is text; what its operation takes may be a number, or true and false, or several, between commas."""
    if get_origin(hint) is Annotated and get_origin(hint.__origin__) is tuple:
        return said.split(",")
    try:
        msgspec.convert(said, hint)
    except msgspec.ValidationError:
        try:
            return msgspec.convert(said, hint, strict=False)
        except msgspec.ValidationError:
            pass  # the operation says what is wrong with it
    return said


def _page_of_journal(arguments: dict[str, Any]) -> dict[str, Any]:
    """The newest first, and a place in the journal as the cursor; `order:oldest` turns it around."""
    order = arguments.pop("order", "newest")
    if order not in ("newest", "oldest"):
        raise not_one_of(order, "order", ("newest", "oldest"), what="an order")
    cursor = arguments.pop("cursor", "0")
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 12):
        hint = "Pass next_cursor of the page before."
        raise InvalidArgument(f'"{cursor}" is not a cursor of this view.', hint=hint, field="cursor")
    return {**arguments, "after": int(cursor), "newest_first": order == "newest"}


def filters_of(view: str, operation: Operation[..., Any] | None = None) -> list[str]:
    """What a view can be narrowed by; or the operation that reads one thing of it."""
    known = (operation or _operations()[view]).arguments.__struct_fields__
    is_view = operation is None or bool(operation.view)
    names = [each for each in known if each not in _NO_FILTERS]
    names += ["order"] if "newest_first" in known and is_view else []
    return names + [name for of, name in _ONE if of == view and name not in names and is_view]


def _check(asked: QueryArguments, operation: Operation[..., Any], said: dict[str, str]) -> None:
    """Refuse what a view does not know: an answer that passed over a filter would be a wrong one."""
    known = operation.arguments.__struct_fields__
    names = filters_of(asked.view, operation)
    wrong = [name for name in said if name not in names]
    wrong += ["q"] if asked.q and "text" not in known else []
    wrong += ["cursor"] if asked.cursor and "cursor" not in known and "after" not in known else []
    if wrong:
        hint = f"It takes: {', '.join(names)}." if names else "It takes none."
        message = f"view={asked.view} cannot be narrowed by {wrong[0]}."
        raise InvalidArgument(message, hint=hint, field=wrong[0], allowed=names)
