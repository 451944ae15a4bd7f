"""The six tools, built from the operations so that nothing is written twice, with the suggested next call.

The schema of a tool shows the arguments that a model needs at once. The operation's other arguments are accepted too.
"""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core.errors import InvalidArgument, TallystickError, UnknownHandle, not_one_of
from tallystick.core.types import DUE
from tallystick.interfaces.mcp import query
from tallystick.interfaces.mcp.responses import Detail, McpResponse, format_value, record_response
from tallystick.interfaces.mcp.schemas import Schema, input_schema, output_schema
from tallystick.interfaces.mcp.sessions import RequestCaller
from tallystick.operations import CATALOGUE, Operation
from tallystick.operations.runtime.lookup import OPEN_STATUSES


class ShownArguments(Struct, frozen=True):
    """The arguments of an operation that the tool's schema shows, in this order. For the rest see `input_schema`."""

    arguments: tuple[str, ...]
    nested: dict[str, tuple[str, ...]] = {}
    required: tuple[str, ...] = ()
    undescribed: tuple[str, ...] = ()


_STEP = (
    *("id", "title", "tool", "arguments", "after", "effect", "cancellable", "undo", "needs_approval", "temporary"),
    "undoes",
)
SHOWN_ARGUMENTS: dict[str, ShownArguments] = {
    "record_plan": ShownArguments(
        ("title", "goal", "steps", "start", "plan_id", "reason", "task_id"),
        {"steps": _STEP},
        (),
        ("steps", "id", "tool", "cancellable", "start", "plan_id", "reason", "task_id"),
    ),
    "record_execution_start": ShownArguments(("plan_id", "title", "key"), undescribed=("plan_id", "key")),
    "record_action": ShownArguments(
        (
            *("execution_id", "phase", "action_id", "step", "tool", "arguments", "summary", "outcome", "result"),
            *("error", "kind", "undoes", "cancellable", "undo", "evidence", "again", "approval_id", "before", "after"),
            "key",
        ),
        required=("summary",),
        undescribed=("step", "undoes", "undo", "before", "after", "key"),
    ),
    "record_decision": ShownArguments(
        (
            *("execution_id", "decision", "why", "step", "action_id", "undoes", "outcome", "evidence"),
            *("question", "tool", "arguments"),
        ),
        required=("why",),
        undescribed=("execution_id", "question", "arguments", "action_id", "undoes", "outcome", "evidence"),
    ),
    "record_context": ShownArguments(("key", "value", "type", "scope")),
}
MAX_ACTIONS = 100
"""Finished actions in one call."""
_START = "record_execution_start"
"""The next call of an error that is raised because no execution is open."""
_BEGINS_WORK = ("ask_human", "continue")
"""The decisions that can come before everything else. Any other is about work that there is."""
_ALSO_AFTER_END = ("settle", "keep")
"""The decisions after which something may be left of an execution that has ended."""
_OF_TOOLS = ("detail", "actions", "session_id")
"""Arguments of tools that no operation has."""
_WITH_ACTIONS = ("phase", "summary", "execution_id", "key", "actions")
"""The arguments that go with a list of finished actions; the execution and the summary are those of each."""
PROFILES: dict[str, tuple[str, ...]] = {
    "all": (*SHOWN_ARGUMENTS, query.NAME),
    "minimal": ("record_plan", "record_decision", query.NAME),
}
"""Which tools are listed. A tool can be called even if it is not listed."""


class Tool(Struct, frozen=True, kw_only=True):
    """One tool. None that records is destructive, because everything is appended and nothing is lost; none uses the
    network. One that has plans carried out (`carries_out`) may do anything that their tools do.

    `arguments` are all that a current tool takes. `normalize` gives those of a legacy tool their names in snake_case;
    `current_name` is the tool of the six that it corresponds to.
    """

    name: str
    description: str
    input_schema: Schema
    output_schema: Schema
    is_read_only: bool
    run: Callable[[RequestCaller, dict[str, Any]], McpResponse]
    arguments: frozenset[str] = frozenset()
    normalize: Callable[[dict[str, Any]], dict[str, Any]] = dict
    current_name: str = ""
    carries_out: bool = False

    def describe(self) -> dict[str, Any]:
        """The tool as tools/list returns it. A record is idempotent by its key, its action or its request."""
        return {
            "name": self.name,
            "title": self.name.replace("_", " ").capitalize(),
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": _or_error(self.output_schema),
            "annotations": {
                "readOnlyHint": self.is_read_only,
                "destructiveHint": self.carries_out,
                "idempotentHint": True,
                "openWorldHint": self.carries_out,
            },
        }


@cache
def tools() -> dict[str, Tool]:
    """The six tools by name, in the order in which they are listed."""
    from tallystick.operations import (  # not all operations: the server must start quickly
        actions,
        context,
        decisions,
        executions,
        plans,
    )

    recording: tuple[Operation[..., Any], ...] = (
        plans.record_plan,
        executions.record_execution_start,
        actions.record_action,
        decisions.record_decision,
        context.record_context,
    )
    tools = {each.name: _record_tool(each, SHOWN_ARGUMENTS[each.name]) for each in recording}
    tools[query.NAME] = _query_tool()
    return tools


@cache
def run_tool() -> Tool:
    """The tool by which a server is asked to carry out a plan."""
    from tallystick.operations import runs

    shown = ("plan_id", "template", "parameters", "revision", "key")
    tool = _record_tool(runs.run_plan, ShownArguments(shown, undescribed=("template", "parameters", "key")))
    return replace(tool, carries_out=True)


def _record_tool(operation: Operation[..., Any], shown: ShownArguments) -> Tool:
    result = output_schema(operation.result)
    result["properties"]["next"] = {"type": "string"}
    schema = input_schema(operation.arguments, shown.arguments, shown.nested, shown.required, shown.undescribed)
    if operation.name == "record_action":
        schema["properties"]["actions"] = {
            "type": "array",
            "items": {"type": "object"},
            "description": "With phase=done: several at once",
        }
    return Tool(
        name=operation.name,
        description=" ".join((operation.function.__doc__ or "").split()),
        input_schema=schema,
        output_schema=result,
        is_read_only=False,
        run=lambda caller, arguments: _record(caller, operation, arguments),
        arguments=frozenset((*operation.arguments.__struct_fields__, *_OF_TOOLS)),
    )


def _record(caller: RequestCaller, operation: Operation[..., Any], arguments: dict[str, Any]) -> McpResponse:
    """Call a record operation. A client without a tool to start an execution has it started here when work begins."""
    arguments, detail = _without_detail(arguments)
    if operation.name == "record_action" and "actions" in arguments:
        receipt = _record_finished(caller, arguments)
        return record_response(receipt, _next_after_batch(caller, receipt.receipts), arguments, detail)
    is_startable = can_start(caller.listed_tools)
    is_under_way = operation.name == "record_plan" and _is_under_way(caller, arguments)
    if operation.name == "record_plan" and not is_startable and not is_under_way:
        arguments = {"start": True, **arguments}
    try:
        receipt = caller.call(operation, arguments)
    except UnknownHandle as error:
        is_start = error.next_call is not None and error.next_call[0] == _START
        if is_startable or not is_start or arguments.get("decision") not in _BEGINS_WORK:
            raise
        _start_execution(caller, arguments)
        receipt = caller.call(operation, arguments)
    next_call = _next_call(operation.name, arguments, receipt) or _next_step(caller, operation.name, arguments, receipt)
    next_call = next_call or _settle_call(receipt)
    if is_under_way:
        next_call = f"record_decision(decision=replan, why=...): its execution goes on by revision {receipt.revision}"
    if not _uses_listed_tools(next_call, caller.listed_tools):
        next_call = _next_call_if_observed(operation.name, receipt)
    return record_response(receipt, next_call, arguments, detail)


def _next_after_batch(caller: RequestCaller, receipts: Sequence[Any]) -> str:
    """The next call after several finished actions: about the first failure, else what follows the last."""
    decisive = next((each for each in receipts if each.advice), receipts[-1])
    following = _next_call("record_action", {}, decisive) or _next_step(caller, "record_action", {}, decisive)
    following = following or next(filter(None, map(_settle_call, receipts)), "")
    return following if _uses_listed_tools(following, caller.listed_tools) else ""


def _settle_call(receipt: Any) -> str:
    """How to settle what a record left in doubt; empty if it left nothing in doubt."""
    if getattr(receipt, "state", "") != "in_doubt":
        return ""
    return f"look first, then record_decision(decision=settle, action_id={receipt.id}, outcome=..., evidence=...)"


def _next_step(caller: RequestCaller, name: str, arguments: dict[str, Any], receipt: Any) -> str:
    """The next step of the plan, or the next undo, after one has ended or after a decision that leaves something."""
    if name == "record_action":
        is_wanted = (receipt.step or receipt.undoes) and receipt.state != "open"
    else:
        is_about_ended = arguments.get("decision") in _ALSO_AFTER_END
        is_wanted = name in ("record_plan", _START) or (
            name == "record_decision" and (receipt.status in OPEN_STATUSES or is_about_ended)
        )
    if not is_wanted:
        return ""
    if name in ("record_plan", _START):
        return first_step(caller, receipt.id if name == _START else receipt.execution_id)
    following, _ = query.next_of_brief(caller, receipt.execution_id)
    is_step = following.startswith("Next: ")
    return following.removeprefix("Next: ") if is_step else f"{following[:1].lower()}{following[1:]}"


def first_step(caller: RequestCaller, execution_id: str) -> str:
    """How to carry out what was just started."""
    following, brief = query.next_of_brief(caller, execution_id)
    if "needs approval" in following:
        return f"{execution_id} is open: {following.removeprefix('Next: ')}"
    if "record_action" not in (caller.listed_tools or PROFILES["all"]):
        return f"carry it out: {execution_id} is open for it; then record_decision(decision=done, ...)"
    step = f"step={format_value(brief.next_steps[0])}, " if brief.next_steps else ""
    call = query.with_execution(f"record_action(phase=begin, {step}...)", brief)
    return f"{execution_id} is open: {call} before each side effect"


def _record_finished(caller: RequestCaller, arguments: dict[str, Any]) -> Any:
    """Record a list of finished actions. An error counts them by the argument that the agent gave."""
    try:
        return caller.call(CATALOGUE["record_batch"], _batch_of_finished(arguments))
    except TallystickError as error:
        if place := re.match(r"records(\[\d+\])", error.message):
            error.message = error.message.replace("records", "actions", 1)
            error.field = f"actions{place[1]}.{error.field}" if error.field else None
        raise


def _batch_of_finished(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `record_batch` for a list of finished actions."""
    actions = arguments["actions"]
    extra = [name for name in arguments if name not in _WITH_ACTIONS]
    if extra or arguments.get("phase", "done") != "done":
        name = extra[0] if extra else "phase"
        raise InvalidArgument(
            f"{name} does not go with actions, which are finished.",
            hint="Leave it out here, and say it in each item of `actions`."
            if extra
            else "Give phase=done, or leave it out.",
            field=name,
        )
    if not isinstance(actions, list) or not 1 <= len(actions) <= MAX_ACTIONS or not all(map(_is_object, actions)):
        raise InvalidArgument(
            f"actions is a list of 1 to {MAX_ACTIONS} objects.",
            hint='For example [{"tool": "write", "arguments": {"path": "a"}, "summary": "wrote a"}].',
            field="actions",
        )
    shared = {name: arguments[name] for name in ("summary", "execution_id") if arguments.get(name)}
    records = [{"operation": "record_action", "arguments": {**shared, **each, "phase": "done"}} for each in actions]
    return {"records": records, **({"key": arguments["key"]} if arguments.get("key") else {})}


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _without_detail(arguments: dict[str, Any]) -> tuple[dict[str, Any], Detail]:
    """The arguments of the operation, and how much of the receipt is asked for: `detail` is the tool's own."""
    rest = dict(arguments)
    detail = rest.pop("detail", "concise")
    if detail not in get_args(Detail):
        raise not_one_of(str(detail), "detail", get_args(Detail), what="a detail")
    return rest, detail


def _start_execution(caller: RequestCaller, arguments: dict[str, Any]) -> None:
    """Start an execution for a decision, with its question or reason as the title."""
    title = arguments.get("question") or arguments.get("why")
    request = caller.local.context.principal.request  # the key of the decision itself
    key = {"key": f"{request}.start"} if request else {}
    caller.call(CATALOGUE[_START], {**key, **({"title": title[:200]} if isinstance(title, str) else {})})


def _is_under_way(caller: RequestCaller, arguments: dict[str, Any]) -> bool:
    """Whether the plan that is revised has an open execution."""
    plan = arguments.get("plan_id")
    if not isinstance(plan, str) or not plan:
        return False
    return bool(
        caller.call(
            CATALOGUE["list_executions"], {"plan_id": plan, "status": list(OPEN_STATUSES), "limit": 1}
        ).executions
    )


def can_start(listed: Collection[str]) -> bool:
    """Whether the client lists a tool that starts an execution."""
    return not listed or _START in listed


def _uses_listed_tools(next_call: str, listed: Collection[str]) -> bool:
    """Whether the client lists every tool that is named."""
    return not listed or not any(name in next_call for name in PROFILES["all"] if name not in listed)


def _next_call_if_observed(name: str, receipt: Any) -> str:
    """The next call for an agent whose calls are journaled by hooks or a gateway."""
    if name == "record_plan":
        return "carry it out: your calls are journaled; record_decision at forks, and done at the end"
    if name == "record_decision" and _due(receipt):
        return "undo in the order given: your calls are journaled; query_ledger(view=owed) shows what is left"
    return ""


def _next_call(name: str, arguments: dict[str, Any], receipt: Any) -> str:
    """The call that usually comes next, with its handles filled in, so that an agent need not remember them."""
    if name in ("record_plan", "record_execution_start") and receipt.in_doubt:
        settle = f"record_decision(decision=settle, action_id={receipt.in_doubt[0]}, outcome=..., evidence=...)"
        return f"look at the real system and settle what is in doubt: {settle}"
    if name == "record_plan" and not receipt.execution_id:
        return f"record_execution_start(plan_id={receipt.id})"
    if name == "run_plan":
        return (
            f"nothing: it is carried out for you; query_ledger(view=run, execution_id={receipt.id}) shows how far it is"
        )
    if name == "record_action" and arguments.get("phase") == "begin":
        if receipt.repeated and receipt.state != "open":
            return f"nothing: this was recorded before, and {receipt.id} is {receipt.state}"
        return f"do it, then record_action(phase=end, action_id={receipt.id}, outcome=...)"
    if name == "record_action" and receipt.advice:
        return str(receipt.advice[0].text)
    if name == "record_decision":
        return _next_call_after_decision(arguments, receipt)
    return ""


def _next_call_after_decision(arguments: dict[str, Any], receipt: Any) -> str:
    if receipt.approval_id:
        return f"do other work; query_ledger(view=approvals, filter=id:{receipt.approval_id}) reads the answer"
    due = _due(receipt)
    if not due:
        return "" if not receipt.owed else "nothing of it can be undone: say so with record_decision done or stop"
    if arguments.get("decision") == "unwind" and due[0].state in ("in_doubt", "undoing"):
        return ""  # the brief says what comes before another undo
    undo = f"record_action(phase=begin or done, kind=undo, undoes={due[0].action_id}, ...)"
    if arguments.get("decision") != "unwind":
        return f"what is owed stays owed; to undo it, in the order given: {undo}"
    rest = f"; then query_ledger(view=owed, execution_id={receipt.execution_id}) for the rest of {receipt.due}"
    order = "the order given" if due[0].certain else "the order given, what is still under way after its end"
    return f"undo in {order}, each with {undo}{rest if receipt.due > len(receipt.owed) else ''}"


def _due(receipt: Any) -> list[Any]:
    return [item for item in receipt.owed if item.state in DUE]


def _query_tool() -> Tool:
    shown = [name for name in query.QueryArguments.__struct_fields__ if name != "limit"]
    schema = input_schema(query.QueryArguments, shown, {})
    schema["properties"]["view"] = {"enum": list(query.VIEWS)}
    return Tool(
        name=query.NAME,
        description=query.DESCRIPTION,
        input_schema=schema,
        output_schema={
            "type": "object",
            "properties": {"view": {"type": "string"}, "notice": {"type": "string"}, "next_cursor": {"type": "string"}},
            "required": ["view", "notice"],
        },
        is_read_only=True,
        run=query.query,
        arguments=frozenset((*query.QueryArguments.__struct_fields__, *_OF_TOOLS)),
    )


def _or_error(result: Schema) -> Schema:
    """The schema of a result or an error: many clients validate the structure of errors too."""
    rest = {name: value for name, value in result.items() if name != "required"}
    error: Schema = {"properties": {"error": {"type": "object"}}, "required": ["error"]}
    return {**rest, "anyOf": [{"required": result.get("required", [])}, error]}
