"""The journal's own tools, as hooks see their calls."""

from typing import Any

from tallystick.capture.tools import is_us

OURS: dict[str, tuple[str, ...]] = {
    "record_plan": ("title", "steps"),
    "record_execution_start": (),
    "record_action": ("phase",),
    "record_decision": ("decision",),
    "record_context": ("key", "value"),
    "query_ledger": (),
}
"""The journal's own tools, and what each of them has to be told. A hook sees their calls too; they are no work in the
world."""
SERVERLESS = "MCP:"
"""How Cursor begins the name of a tool of any server."""


def is_ours(tool: str, arguments: dict[str, Any]) -> bool:
    """Whether it is a tool of the journal itself. Whoever has set up the server may call it otherwise, and Cursor does
    not tell whose tool it is: there it is ours if it is called as one of ours, with what that has to be told."""
    parts = tool.split("__", 2)
    if len(parts) == 3 and parts[0] == "mcp" and is_us(parts[1]):
        return parts[2] in OURS
    name = tool.removeprefix(SERVERLESS) if tool.startswith(SERVERLESS) else parts[-1] if parts[0] == "mcp" else ""
    name = name or next((each for each in OURS if tool.endswith(f"-{each}")), "")
    return name in OURS and all(each in arguments for each in OURS[name])
