"""The journal's own tools, as hooks see their calls: they are no work in the world."""

from typing import Any, get_args

from tallystick.capture.tools import is_us
from tallystick.core.model import Choice, Phase
from tallystick.operations import CATALOGUE

OURS: dict[str, dict[str, tuple[str, ...]]] = {
    "record_plan": {"title": (), "steps": ()},
    "record_execution_start": {},
    "record_action": {"phase": get_args(Phase)},
    "record_decision": {"decision": get_args(Choice)},
    "record_context": {},
    "query_ledger": {},
}
"""Them, and what each has to be told that no other server's tool of that name is likely to be told, with the values
that it may have. Of those that need nothing of the kind, nobody can tell that they are ours."""
QUERIED = frozenset(("view", "execution_id", "q", "filter", "detail", "limit", "cursor"))
SERVERLESS = "MCP:"
"""How Cursor begins the name of a tool of any server."""


def is_ours(tool: str, arguments: dict[str, Any]) -> bool:
    """Whether it is a tool of the journal itself. Whoever has set up the server may have given it another name: then it
    is ours if it is told what only ours is told. Cursor names no server: there it must not be told anything else."""
    parts = tool.split("__", 2)
    if len(parts) == 3 and parts[0] == "mcp" and is_us(parts[1]):
        return parts[2] in OURS
    if tool.startswith(SERVERLESS):
        name = tool.removeprefix(SERVERLESS)
        return name in OURS and _fits(name, arguments)
    name = parts[-1] if parts[0] == "mcp" else next((each for each in OURS if tool.endswith(f"-{each}")), "")
    needed = OURS.get(name, {})
    return bool(needed) and _fits(name, arguments) and all(_is_told(arguments, *each) for each in needed.items())


def _fits(name: str, arguments: dict[str, Any]) -> bool:
    taken = QUERIED if name not in CATALOGUE else CATALOGUE[name].arguments.__struct_fields__
    return all(each in taken for each in arguments)


def _is_told(arguments: dict[str, Any], name: str, values: tuple[str, ...]) -> bool:
    return name in arguments and (not values or arguments[name] in values)
