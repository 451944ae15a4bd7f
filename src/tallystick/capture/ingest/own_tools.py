"""Recognises calls of the journal's own tools, as hooks see them, and the execution that such a call is about.

Calls of the journal's own tools are no work in the world: they are not recorded as actions.
"""

import re
from typing import Any, get_args

from tallystick.capture.clients.events import CallEnded
from tallystick.capture.hook.event import is_own_server
from tallystick.core.formats.fast_json import dump
from tallystick.core.types import Choice, Phase
from tallystick.operations import CATALOGUE

OWN_TOOLS: dict[str, dict[str, tuple[str, ...]]] = {
    "record_plan": {"title": (), "steps": ()},
    "record_execution_start": {},
    "record_action": {"phase": get_args(Phase)},
    "record_decision": {"decision": get_args(Choice)},
    "record_context": {},
    "query_ledger": {},
}
"""Our tools, each with the arguments (and their values) that another server's tool of that name is unlikely to have.
A tool without such arguments is recognised by the name of its server only."""
QUERY_ARGUMENTS = frozenset(("view", "execution_id", "q", "filter", "detail", "limit", "cursor"))
CURSOR_PREFIX = "MCP:"
"""Begins the name of every MCP tool in Cursor, which does not name the server."""
READING_TOOL = "query_ledger"
"""A caller that only reads works on no execution."""
MAX_RESULT_CHARACTERS = 20_000
"""Limit of the part of a result that is searched for an execution; our tools return less."""
_EXECUTION_ID = r"ex_[a-z][0-9a-z]{3,15}\b"
_NAMED_IDS = (re.compile(rf"\b(?:execution_)?id\W{{1,8}}({_EXECUTION_ID})"), re.compile(rf"\b{_EXECUTION_ID}"))
"""The execution of a call stands under its name; a start names others that are open too."""


def is_own_tool(tool: str, arguments: dict[str, Any]) -> bool:
    """Whether a call is one of the journal's own tools.

    A user may have given our server another name: then the tool is ours if it has the arguments that only ours have. In
    Cursor, which names no server, it must not have any other arguments either.
    """
    parts = tool.split("__", 2)
    if len(parts) == 3 and parts[0] == "mcp" and is_own_server(parts[1]):
        return parts[2] in OWN_TOOLS
    if tool.startswith(CURSOR_PREFIX):
        name = tool.removeprefix(CURSOR_PREFIX)
        return name in OWN_TOOLS and _takes_all(name, arguments)
    name = parts[-1] if parts[0] == "mcp" else next((each for each in OWN_TOOLS if tool.endswith(f"-{each}")), "")
    needed = OWN_TOOLS.get(name, {})
    return bool(needed) and _takes_all(name, arguments) and all(_has(arguments, *each) for each in needed.items())


def _takes_all(name: str, arguments: dict[str, Any]) -> bool:
    allowed = QUERY_ARGUMENTS if name not in CATALOGUE else CATALOGUE[name].arguments.__struct_fields__
    return all(each in allowed for each in arguments)


def _has(arguments: dict[str, Any], name: str, values: tuple[str, ...]) -> bool:
    return name in arguments and (not values or arguments[name] in values)


def execution_of_own_call(call: CallEnded) -> str:
    """The execution that a call of our tools has opened or moved; empty where it names none, or several."""
    if call.outcome != "ok" or call.tool.endswith(READING_TOOL):
        return ""
    named = call.arguments.get("execution_id")
    return named if isinstance(named, str) else _only_execution_in(call.result)


def action_of_own_call(call: CallEnded) -> str:
    """The action that a call of our tools is about; empty if it names none, or only reads."""
    named = call.arguments.get("action_id")
    return named if isinstance(named, str) and call.outcome == "ok" and not call.tool.endswith(READING_TOOL) else ""


def _only_execution_in(result: Any) -> str:
    try:
        text = dump(result)[:MAX_RESULT_CHARACTERS]
    except (TypeError, ValueError, RecursionError):
        return ""
    found: set[str] = next(filter(None, (set(pattern.findall(text)) for pattern in _NAMED_IDS)), set())
    return found.pop() if len(found) == 1 else ""
