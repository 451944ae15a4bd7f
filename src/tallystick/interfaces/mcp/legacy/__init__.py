"""The tools of the earlier designs. They can always be called; `--tools=classic` lists them.

`tallystick.sdk.legacy` translates them, and is not loaded before one of them is called.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from tallystick.core.tools import snake_case
from tallystick.interfaces.mcp.responses import McpResponse, record_response, view_response
from tallystick.interfaces.mcp.sessions import RequestCaller
from tallystick.interfaces.mcp.tools import Tool, can_start, first_step

PROFILE = "classic"
_CURRENT_MARKS = {"record_action": "phase", "record_decision": "decision", "query_ledger": "view"}
"""The argument that marks the current form of a tool, whatever the others are."""


def is_legacy_call(tool: Tool, arguments: Mapping[str, Any], *, is_listed: bool) -> bool:
    """Whether a current tool is called with arguments of its earlier design, also with the first that it requires."""
    steps = arguments.get("steps") if tool.name == "record_plan" else None
    for step in [each for each in steps if isinstance(each, dict)] if isinstance(steps, list) else ():
        if type(step.get("cancellable")) is bool or not {"name", "parameters", "compensation"}.isdisjoint(step):
            return True
    unknown = {snake_case(each) for each in arguments if each not in tool.arguments}
    if not unknown or _CURRENT_MARKS.get(tool.name) in arguments or tool.name not in all_tools():
        return False
    schema = all_tools()[tool.name].input_schema
    if tool.name in ("record_action", "record_decision") and not is_listed:
        return schema["required"][0] in unknown
    is_start_with_notes = tool.name == "record_execution_start" and "notes" in arguments  # both forms take notes
    return is_start_with_notes or not unknown.isdisjoint(schema["properties"])


@cache
def all_tools() -> dict[str, Tool]:
    """The legacy tools, by their names in snake_case."""
    from tallystick.sdk.legacy.table import CALLS

    def output(*fields: str) -> dict[str, Any]:
        return {"type": "object", "properties": {each: {"type": "string"} for each in fields}, "required": [*fields]}

    return {
        name: Tool(
            name=name,
            description=call.description,
            input_schema=call.schema,
            output_schema=output("view", "notice") if call.is_read else output("id"),
            is_read_only=call.is_read,
            run=partial(_run, call),
            normalize=call.normalize,
            current_name=call.current_name,
        )
        for name, call in CALLS.items()
    }


def _run(call: Any, caller: RequestCaller, arguments: dict[str, Any]) -> McpResponse:
    is_plan = call.current_name == "record_plan"
    if is_plan and not can_start(caller.listed_tools):
        arguments = {"start": True, **arguments}
    carry_out = partial(call.carry_out, caller, arguments)
    if call.is_read:
        return view_response(call.main, lambda most: carry_out(limit=most or 1), "concise", arguments.get("limit", 20))
    answer = carry_out(request=caller.local.context.principal.request)
    following = answer.pop("next", "")
    if is_plan and "start" in arguments and answer.get("execution_id"):
        # Nothing of an earlier design starts a plan so: the caller goes on with the current tools.
        current = {name: value for name, value in answer.items() if name not in ("plan_id", "status")}
        return record_response(current, first_step(caller, answer.execution_id), arguments)
    return record_response(answer, following)
