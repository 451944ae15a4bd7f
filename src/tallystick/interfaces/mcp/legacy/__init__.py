"""The tools of the earlier designs. They can always be called; `--tools=classic` lists them.

`tallystick.sdk.legacy` translates them, and is not loaded before one of them is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from tallystick.interfaces.mcp.responses import McpResponse
    from tallystick.interfaces.mcp.sessions import RequestCaller
    from tallystick.interfaces.mcp.tools import Tool
    from tallystick.sdk.legacy.table import Call

PROFILE = "classic"
INSTRUCTIONS = """\
This server is the journal of what you do, under the names of its earlier designs. It records; it never runs, retries
or undoes anything for you.
- On start, resume or after compaction call status or get_plan: they show how far the work is.
- Before work with more than two side effects, save_plan or create_plan. execute_plan starts a plan and begins its first
  step; control(action=complete_step) ends it and begins the next.
- In a plan of create_plan, say when a step starts and how it ended: add_log with start_step, then complete_step.
- A step without an end is in doubt: look at the real system before you act again.
- On failure record each undo with record_compensation; status shows what is left.
- record_decision, control and update_plan take the reason: give it. Put facts that later sessions need into
  set_context. Never record secrets."""
_LEGACY_ARGUMENTS = {
    "record_plan": frozenset({"name", "description"}),
    "record_action": frozenset({"action_type", "description", "step_id"}),
    "record_decision": frozenset({"action", "reason", "details"}),
    "query_ledger": frozenset({"include_step_details", "include_events", "query_type", "status_filter", "offset"}),
}
"""Arguments that mark the legacy form of a tool with a current name."""
_START_ARGUMENTS = frozenset({"plan_id", "title", "task_id", "notes", "key", "session_id"})
"""A start with notes and any other argument has its legacy form: both forms take notes."""
_CURRENT_ARGUMENT = {"record_action": "phase", "record_decision": "decision", "query_ledger": "view"}
"""The argument that marks the current form, whatever the others are."""
_LEGACY_STEP_FIELDS = frozenset({"name", "parameters", "compensation"})


def is_legacy_call(name: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a tool with a current name is called with the arguments of an earlier design."""
    if name == "record_execution_start":
        return "notes" in arguments and not _START_ARGUMENTS.issuperset(arguments)
    legacy = _LEGACY_ARGUMENTS.get(name)
    if legacy is None or _CURRENT_ARGUMENT.get(name) in arguments:
        return False
    steps = arguments.get("steps") if name == "record_plan" else None
    has_legacy_steps = isinstance(steps, list) and any(map(_is_legacy_step, steps))
    return has_legacy_steps or not legacy.isdisjoint(map(_to_snake, arguments))


def _is_legacy_step(step: Any) -> bool:
    return isinstance(step, dict) and (
        isinstance(step.get("cancellable"), bool) or not _LEGACY_STEP_FIELDS.isdisjoint(map(_to_snake, step))
    )


def _to_snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def to_camel(name: str) -> str:
    """`plan_id` as `planId`."""
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


def listed_tools() -> list[Tool]:
    """The tools that `--tools=classic` lists."""
    return [tool for name, tool in all_tools().items() if name == tool.name]


@cache
def all_tools() -> dict[str, Tool]:
    """The legacy tools, by their names in snake_case and in camelCase."""
    from tallystick.sdk.legacy.table import CALLS

    tools = {name: _tool(call) for name, call in CALLS.items()}
    return tools | {to_camel(name): tool for name, tool in tools.items() if name not in _LEGACY_ARGUMENTS}


def _tool(call: Call) -> Tool:
    from tallystick.interfaces.mcp.tools import Tool

    fields = ("view", "notice") if call.is_read else ("id",)
    output = {"type": "object", "properties": {name: {"type": "string"} for name in fields}, "required": list(fields)}
    return Tool(
        name=call.name,
        description=call.description,
        input_schema=call.schema,
        output_schema=output,
        is_read_only=call.is_read,
        run=partial(_run, call),
        normalize=call.normalize,
        current_name=call.current_name,
    )


def _run(call: Call, caller: RequestCaller, arguments: dict[str, Any]) -> McpResponse:
    from tallystick.interfaces.mcp.responses import record_response, view_response

    if call.is_read:
        limit = arguments.get("limit", 20)
        return view_response(
            call.main,
            lambda most: call.carry_out(cast(Any, caller), arguments, limit=most or 1).answer,
            "concise",
            limit,
        )
    reply = call.carry_out(cast(Any, caller), arguments, caller.local.context.principal.request)
    return record_response(reply.answer, reply.next_call)
