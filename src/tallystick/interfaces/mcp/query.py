"""The tool `query_ledger`: every read operation that has a view, behind one tool."""

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_origin

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.argument_errors import explain
from tallystick.core.errors import InvalidArgument, not_one_of
from tallystick.core.types import FINAL_STATUSES, Handle
from tallystick.interfaces.mcp.responses import (
    MIN_BRIEF_TOKENS,
    Detail,
    McpResponse,
    brief_response,
    format_value,
    view_response,
)
from tallystick.interfaces.mcp.sessions import RequestCaller
from tallystick.operations import Operation

if TYPE_CHECKING:
    from tallystick.operations.views.brief import Brief

NAME = "query_ledger"
VIEWS = (
    "brief",
    "status",
    "journal",
    "owed",
    "undo_list",
    "in_doubt",
    "approvals",
    "context",
    "plans",
    "executions",
    "stats",
    "verify",
)
"""In the order of usefulness to an agent: the schema lists them in this order."""
_FILTER_OPERATIONS = {
    ("context", "key"): ("get_context", "key"),
    ("approvals", "id"): ("get_approval", "approval_id"),
    ("plans", "id"): ("get_plan", "plan_id"),
    ("executions", "id"): ("get_execution", "execution_id"),
    ("journal", "action"): ("get_action", "action_id"),
    ("journal", "status"): ("list_actions", "state"),
    ("journal", "only"): ("list_actions", "only"),
}
"""Filters that select another operation, and its argument: one item in full, or actions by what is known of them."""
_FILTER_ALIASES = {"task": "task_id", "plan": "plan_id", "execution": "execution_id"}
_NOT_FILTERS = ("limit", "cursor", "text", "after", "newest_first", "tokens", "wait_seconds")
"""Arguments of operations that no filter sets: the query has its own argument, sets it itself, or must not wait."""
GRANTS = ("approve", "edit")
ANSWERS = (*GRANTS, "reject", "respond")
DEFAULT_ITEMS = 20
DESCRIPTION = (
    "Read the journal. view=brief (default) tells progress, next step, what is in doubt, owed and asked. "
    "q searches text."
)


@cache
def _operations_by_view() -> dict[str, Operation[..., Any]]:
    return {each.view: each for each in operations.CATALOGUE.values() if each.view}


class QueryArguments(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The arguments of `query_ledger`. Without a view, words or filters ask for the journal, nothing for the brief."""

    view: str = ""
    execution_id: Handle | None = None
    q: Annotated[str, Meta(max_length=400)] = ""
    filter: Annotated[str, Meta(max_length=1000, description="e.g. journal: status:failed tool:Bash since:2d")] = ""
    detail: Detail = "concise"
    limit: Annotated[int, Meta(ge=1, le=100)] | None = None
    cursor: Annotated[str, Meta(max_length=200)] = ""


def query(caller: RequestCaller, arguments: dict[str, Any]) -> McpResponse:
    """Answer one query."""
    try:
        wanted = msgspec.convert(arguments, QueryArguments)
    except msgspec.ValidationError as error:
        explained = explain(str(error), NAME, QueryArguments)
        raise _unknown_view(arguments.get("view")) if explained.field == "view" else explained from None
    wanted = replace(wanted, view=wanted.view or ("journal" if wanted.q or wanted.filter else "brief"))
    if wanted.view not in VIEWS:
        raise _unknown_view(wanted.view)
    try:
        return _read_view(caller, wanted)
    except InvalidArgument as error:
        error.next_call = error.next_call or (NAME, {"view": wanted.view})
        field = (error.field or "").partition("[")[0]  # a filter is one text, even for an argument that is a list
        error.message = error.message.replace(error.field or field, field, 1)
        error.field = "q" if field == "text" else field or None
        raise


def _unknown_view(view: Any) -> InvalidArgument:
    error = not_one_of(str(view), "view", VIEWS, what="a view")
    error.next_call = (NAME, {"view": "brief"})
    return error


def _read_view(caller: RequestCaller, wanted: QueryArguments) -> McpResponse:
    operation, arguments = _operation_for(wanted)
    if wanted.view == "brief":
        return brief_response(lambda tokens: caller.call(operation, {**arguments, "tokens": tokens}))
    has_limit = "limit" in operation.arguments.__struct_fields__
    is_list = operation.view or operation.name == "list_actions"
    limit = wanted.limit or (DEFAULT_ITEMS if is_list else None)  # for one item the operation's own default holds

    def read(limit: int | None) -> Struct:
        result: Struct = caller.call(operation, {**arguments, "limit": limit} if has_limit and limit else arguments)
        return result

    in_order = operation.name == "read_entries" and not arguments["newest_first"]
    verb, _, noun = operation.name.partition("_")
    command = f"`tallystick {verb} {noun.replace('_', '-')} --json`"
    response = view_response(
        wanted.view, read, wanted.detail, limit if has_limit else None, in_order=in_order, command=command
    )
    if operation.name == "get_approval" and response.content["status"] in ANSWERS:
        return _with_call_after_answer(caller, response)
    return response


def next_of_brief(caller: RequestCaller, execution_id: str) -> "tuple[str, Brief]":
    """The next call as the brief has it, and the brief."""
    brief = caller.call(operations.CATALOGUE["get_brief"], {"execution_id": execution_id, "tokens": MIN_BRIEF_TOKENS})
    return with_execution(str(brief.next).removesuffix("."), brief), brief


def with_execution(call: str, brief: "Brief") -> str:
    """The call with the execution named where it is not clear: others are open, or nobody has taken it up."""
    if not (brief.open_executions or brief.interrupted) or "execution_id=" in call:
        return call
    from tallystick.operations.views.outstanding import name_execution  # loaded with the view

    named = name_execution(call, brief.execution_id)
    is_unnamed = named == call and bool(brief.interrupted) and bool(brief.next_steps)
    return f"{call}, in execution_id={brief.execution_id}" if is_unnamed else named


def _with_call_after_answer(caller: RequestCaller, response: McpResponse) -> McpResponse:
    """The response for an answered question, with the call that uses a yes to a call or a step; else what the brief
    says is next."""
    content = response.content
    if content["status"] in GRANTS and (content.get("step") or content.get("tool")):
        return _with_granted_call(response, caller.listed_tools)
    following, brief = next_of_brief(caller, content["execution_id"])
    if not following or brief.status in FINAL_STATUSES:
        return response
    following = following.removeprefix("Next: ")
    return McpResponse(text=f"{response.text}\nNext: {following}", content={**content, "next": following})


def _with_granted_call(response: McpResponse, listed: Collection[str]) -> McpResponse:
    """The response for a granted approval, with the call that uses it; that an observed call will use it; or that
    nothing is to be carried out."""
    content = response.content
    step = f"step={format_value(content['step'])}, " if content.get("step") else ""
    edited = f", arguments={format_value(content['edited'])}" if "edited" in content else ""
    following = f"record_action(phase=begin, execution_id={content['execution_id']}, {step}approval_id={content['id']}"
    following += f"{edited})"
    if content.get("overtaken"):
        following = f"do not carry it out: {content['overtaken']}"
    elif listed and "record_action" not in listed:
        following = "carry it out, exactly as it was granted: your calls are journaled"
    return McpResponse(text=f"{response.text}\nNext: {following}", content={**content, "next": following})


def _operation_for(wanted: QueryArguments) -> tuple[Operation[..., Any], dict[str, Any]]:
    """The operation that answers a query, and its arguments."""
    operation = _operations_by_view()[wanted.view]
    filters = _parse_filter(wanted)
    for name in list(filters):
        if (wanted.view, name) in _FILTER_OPERATIONS:
            other, argument = _FILTER_OPERATIONS[wanted.view, name]
            operation = operations.CATALOGUE[other]
            filters[argument] = filters.pop(name)
    _check_filters(wanted, operation, filters)
    arguments = {name: _parse_value(operation.hints.get(name, str), value) for name, value in filters.items()}
    if wanted.q:
        arguments["text"] = wanted.q
    if wanted.cursor:
        arguments["cursor"] = wanted.cursor
    if operation.name == "list_actions":
        arguments["newest_first"] = True
    return operation, _with_order(arguments) if operation.name == "read_entries" else arguments


def _parse_filter(wanted: QueryArguments) -> dict[str, str]:
    """`status:failed tool:"my tool"` as names and values, together with the execution."""
    import shlex  # few queries have a filter

    try:
        parts = shlex.split(wanted.filter)
    except ValueError:
        raise InvalidArgument("filter has an open quote.", hint="Close it.", field="filter") from None
    filters: dict[str, str] = {"execution_id": wanted.execution_id} if wanted.execution_id else {}
    for part in parts:
        name, colon, value = part.partition(":")
        if not colon or not value:
            hint = "Write name:value, e.g. tool:Bash; words to find go into q."
            raise InvalidArgument(f'filter "{part}" has no value.', hint=hint, field="filter")
        if filters.setdefault(_FILTER_ALIASES.get(name, name), value) != value:
            hint = "Ask once for each value."
            raise InvalidArgument(f"{name} is given twice, with two values.", hint=hint, field="filter")
    return filters


def _parse_value(hint: Any, text: str) -> Any:
    """The text of a filter as the type of its argument: a number, a boolean, or a list separated by commas.

    Text of another form is returned as it is: the operation says what is wrong with it.
    """
    if get_origin(hint) is Annotated and get_origin(hint.__origin__) is tuple:
        return text.split(",")
    try:
        msgspec.convert(text, hint)
    except msgspec.ValidationError:
        try:
            return msgspec.convert(text, hint, strict=False)
        except msgspec.ValidationError:
            pass
    return text


def _with_order(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments for a page of the journal: newest first unless `order:oldest`, with the cursor as `after`."""
    order = arguments.pop("order", "newest")
    if order not in ("newest", "oldest"):
        raise not_one_of(order, "order", ("newest", "oldest"), what="an order")
    cursor = arguments.pop("cursor", "0")
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 12):
        hint = "Pass next_cursor of the page before."
        raise InvalidArgument(f'"{cursor}" is not a cursor of this view.', hint=hint, field="cursor")
    return {**arguments, "after": int(cursor), "newest_first": order == "newest"}


def filter_names(view: str, operation: Operation[..., Any] | None = None) -> list[str]:
    """The filters of a view, or those of an operation that reads one item of it."""
    arguments = (operation or _operations_by_view()[view]).arguments.__struct_fields__
    is_view = operation is None or bool(operation.view)
    names = [each for each in arguments if each not in _NOT_FILTERS]
    names += ["order"] if "newest_first" in arguments and is_view else []
    return names + [name for of, name in _FILTER_OPERATIONS if of == view and name not in names and is_view]


def _check_filters(wanted: QueryArguments, operation: Operation[..., Any], filters: dict[str, str]) -> None:
    """Reject filters that a view does not have: a response that ignored one would be wrong."""
    arguments = operation.arguments.__struct_fields__
    names = filter_names(wanted.view, operation)
    unknown = [name for name in filters if name not in names]
    unknown += ["q"] if wanted.q and "text" not in arguments else []
    unknown += ["cursor"] if wanted.cursor and "cursor" not in arguments and "after" not in arguments else []
    if unknown:
        hint = f"It takes: {', '.join(names)}." if names else "It takes none."
        message = f"view={wanted.view} cannot be narrowed by {unknown[0]}."
        raise InvalidArgument(message, hint=hint, field=unknown[0], allowed=names)
