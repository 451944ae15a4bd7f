"""One name for a tool, whoever saw its call: MCP tools are `mcp__<server>__<tool>`, others are as shown."""

OURS = frozenset(
    {
        "record_plan",
        "record_execution_start",
        "record_action",
        "record_decision",
        "record_context",
        "query_ledger",
    }
)
"""The journal's own tools. A hook sees their calls too; they are no work in the world."""
UNKNOWN = "unknown"
"""The name of a tool that a client did not name."""
DASHED = "tallystick-"
"""How Copilot begins the name of a tool of ours: `<server>-<tool>`. Of another server's tool nobody can tell where the
server's name ends, since both may hold dashes: such a name stays as it is shown."""
SERVERLESS = "MCP:"
"""How Cursor begins the name of a tool of any server."""
LENGTH = 200
"""How long a name may be in the journal."""


def mcp(server: str, tool: str) -> str:
    """The name of an MCP tool. What went through our gateway has the name of its upstream."""
    if is_us(server) and "__" in tool:
        return f"mcp__{tool}"
    return f"mcp__{server}__{tool}"


def named(tool: str) -> str:
    """A name as the client shows it, fit for the journal."""
    parts = tool.split("__", 2)
    name = mcp(parts[1], parts[2]) if len(parts) == 3 and parts[0] == "mcp" else tool
    if tool.startswith(DASHED):
        name = mcp("tallystick", tool.removeprefix(DASHED))
    return "".join(letter for letter in name if letter.isprintable()).strip()[:LENGTH] or UNKNOWN


def is_ours(tool: str) -> bool:
    """Whether it is a tool of the journal itself. Cursor does not tell whose tool it is: there the name has to do."""
    if tool.startswith(SERVERLESS):
        return tool.removeprefix(SERVERLESS) in OURS
    parts = tool.split("__", 2)
    return len(parts) == 3 and parts[0] == "mcp" and is_us(parts[1]) and parts[2] in OURS


def is_us(server: str) -> bool:
    """Whether a server's name is ours, alone or as a plugin's: `plugin_tallystick_tallystick`."""
    return server == "tallystick" or (server.startswith("plugin_") and server.endswith("_tallystick"))
