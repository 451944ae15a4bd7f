"""The six tools, projected from the operations: nothing is said twice.

A tool shows what a model needs at once; whatever else its operation takes is accepted all the same.
"""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from msgspec import Struct

from tallystick.core.errors import UnknownHandle
from tallystick.core.undo import DUE
from tallystick.interfaces.mcp import query
from tallystick.interfaces.mcp.responses import McpResponse, of_record
from tallystick.interfaces.mcp.schemas import Schema, input_schema, output_schema
from tallystick.interfaces.mcp.sessions import Calling
from tallystick.operations import CATALOGUE, Operation
from tallystick.operations.runtime.lookup import OPEN_STATUSES


class Shown(Struct, frozen=True):
    """What of an operation's arguments stands in the tool's schema, in this order; `bare` with no word about it."""

    arguments: tuple[str, ...]
    within: dict[str, tuple[str, ...]] = {}
    insist: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()


_STEP = ("id", "title", "tool", "arguments", "after", "cancellable", "undo", "needs_approval")
SHOWN: dict[str, Shown] = {
    "record_plan": Shown(
        ("title", "goal", "steps", "plan_id", "reason", "task_id"),
        {"steps": _STEP},
        (),
        ("steps", "id", "plan_id", "reason", "task_id"),
    ),
    "record_execution_start": Shown(("plan_id", "title", "key"), bare=("plan_id",)),
    "record_action": Shown(
        (
            *("execution_id", "phase", "action_id", "step", "tool", "arguments", "summary", "outcome", "result"),
            *("error", "kind", "undoes", "cancellable", "undo", "evidence", "again", "approval_id", "before", "after"),
            *("confidence", "key"),
        ),
        insist=("summary",),
        bare=("step", "undoes", "undo", "key"),
    ),
    "record_decision": Shown(
        (
            *("execution_id", "decision", "why", "step", "question", "options", "tool", "arguments"),
            "alternatives",
        ),
        insist=("why",),
        bare=("execution_id", "question", "options", "alternatives"),
    ),
    "record_context": Shown(("key", "value", "type", "scope")),
}
_START: tuple[str, dict[str, Any]] = ("record_execution_start", {})
"""The call that a refusal names where nothing is open."""
PROFILES: dict[str, tuple[str, ...]] = {
    "all": (*SHOWN, query.NAME),
    "minimal": ("record_plan", "record_decision", query.NAME),
}
"""Which tools are listed. All of them answer, listed or not."""


class Tool(Struct, frozen=True, kw_only=True):
    """One tool. Everything is appended and nothing is lost, so none is destructive; none leaves this machine.

    `spelt` gives the arguments their usual names. `stands_for` is the one of the six that an older name comes to.
    """

    name: str
    description: str
    input_schema: Schema
    output_schema: Schema
    reads: bool
    run: Callable[[Calling, dict[str, Any]], McpResponse]
    spelt: Callable[[dict[str, Any]], dict[str, Any]] = dict
    stands_for: str = ""

    def listed(self) -> dict[str, Any]:
        """As tools/list shows it. A record is idempotent by its key, its action or its request."""
        return {
            "name": self.name,
            "title": self.name.replace("_", " ").capitalize(),
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": _or_refusal(self.output_schema),
            "annotations": {
                "readOnlyHint": self.reads,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": False,
            },
        }


@cache
def tools() -> dict[str, Tool]:
    """All tools by name, in the order in which they are listed."""
    from tallystick.operations import actions, context, decisions, executions, plans  # these, and not all there are

    recording: tuple[Operation[..., Any], ...] = (
        plans.record_plan,
        executions.record_execution_start,
        actions.record_action,
        decisions.record_decision,
        context.record_context,
    )
    found = {each.name: _recording(each, SHOWN[each.name]) for each in recording}
    found[query.NAME] = _querying()
    return found


def _recording(operation: Operation[..., Any], shown: Shown) -> Tool:
    answered = output_schema(operation.result)
    answered["properties"]["next"] = {"type": "string"}
    return Tool(
        name=operation.name,
        description=" ".join((operation.function.__doc__ or "").split()),
        input_schema=input_schema(operation.arguments, shown.arguments, shown.within, shown.insist, shown.bare),
        output_schema=answered,
        reads=False,
        run=lambda calling, given: _recorded(calling, operation, given),
    )


def _recorded(calling: Calling, operation: Operation[..., Any], given: dict[str, Any]) -> McpResponse:
    if operation.name == "record_plan" and not _starts(calling.listed) and not _is_under_way(calling, given):
        given = {"start": True, **given}  # who acts on it next has no tool to say so
    try:
        receipt = calling.call(operation, given)
    except UnknownHandle as refused:
        if _starts(calling.listed) or operation.name != "record_decision" or refused.next_call != _START:
            raise
        _open_for(calling, given)  # who asks before anything is done has no tool to open what it asks about
        receipt = calling.call(operation, given)
    following = _following(operation.name, given, receipt)
    if not _can_be_called(following, calling.listed):
        following = _with_few(operation.name, receipt)
    return of_record(receipt, following)


def _open_for(calling: Calling, given: dict[str, Any]) -> None:
    """Open an execution, named after what is decided."""
    title = given.get("question") or given.get("why")
    calling.call(CATALOGUE[_START[0]], {"title": title[:200]} if isinstance(title, str) else {})


def _is_under_way(calling: Calling, given: dict[str, Any]) -> bool:
    """Whether a plan that is revised has an execution that goes on."""
    plan = given.get("plan_id")
    if not isinstance(plan, str) or not plan:
        return False
    return bool(
        calling.call(
            CATALOGUE["list_executions"], {"plan_id": plan, "status": list(OPEN_STATUSES), "limit": 1}
        ).executions
    )


def _starts(listed: Collection[str]) -> bool:
    """Whether a client sees a tool that starts an execution."""
    return not listed or "record_execution_start" in listed


def _can_be_called(following: str, listed: Collection[str]) -> bool:
    """Whether every tool that is named is one that this client sees."""
    return not listed or not any(name in following for name in PROFILES["all"] if name not in listed)


def _with_few(name: str, receipt: Any) -> str:
    """What comes next for an agent whose calls are recorded by others."""
    if name == "record_plan" and receipt.revision > 1 and not receipt.execution_id:
        return (
            f"record_decision(decision=replan, why=...): then your calls are held against revision {receipt.revision}"
        )
    if name == "record_plan":
        return "carry it out: your calls are journaled; record_decision at forks, and done at the end"
    if name == "record_decision" and _due(receipt):
        return "undo in the order given: your calls are journaled; query_ledger(view=owed) shows what is left"
    return ""


def _following(name: str, given: dict[str, Any], receipt: Any) -> str:
    """The call that usually comes next, with the handles filled in: so that nothing has to be remembered."""
    if name == "record_plan" and receipt.execution_id:
        return f"carry it out: {receipt.execution_id} is open for it; then record_decision(decision=done, ...)"
    if name == "record_plan":
        return f"record_execution_start(plan_id={receipt.id})"
    if name == "record_execution_start":
        return f"record_action(phase=begin, execution_id={receipt.id}, ...) before each side effect"
    if name == "record_action" and given.get("phase") == "begin":
        if receipt.repeated and receipt.state != "open":
            return f"nothing: this was recorded before, and {receipt.id} is {receipt.state}"
        return f"do it, then record_action(phase=end, action_id={receipt.id}, outcome=...)"
    if name == "record_decision":
        return _after_decision(given, receipt)
    return ""


def _after_decision(given: dict[str, Any], receipt: Any) -> str:
    if receipt.approval_id:
        return f"do other work; query_ledger(view=approvals, filter=id:{receipt.approval_id}) reads the answer"
    due = _due(receipt)
    if not due:
        return "" if not receipt.owed else "nothing of it can be undone: say so with record_decision done or stop"
    undo = f"record_action(phase=begin, kind=undo, undoes={due[0].action_id}, ...)"
    if given.get("decision") != "unwind":
        return f"what is owed stays owed; to undo it, in the order given: {undo}"
    rest = f"; then query_ledger(view=owed, execution_id={receipt.execution_id}) for the rest of {receipt.due}"
    return f"undo in the order given, each with {undo}{rest if receipt.due > len(receipt.owed) else ''}"


def _due(receipt: Any) -> list[Any]:
    return [item for item in receipt.owed if item.state in DUE]


def _querying() -> Tool:
    fields = query.QueryArguments.__struct_fields__
    schema = input_schema(query.QueryArguments, fields, {})
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
        reads=True,
        run=query.query,
    )


def _or_refusal(answer: Schema) -> Schema:
    """A refusal fits the schema too: many clients check its structure as they check that of an answer."""
    rest = {name: value for name, value in answer.items() if name != "required"}
    refusal: Schema = {"properties": {"error": {"type": "object"}}, "required": ["error"]}
    return {**rest, "anyOf": [{"required": answer.get("required", [])}, refusal]}
