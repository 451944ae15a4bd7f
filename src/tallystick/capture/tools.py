"""One name for a tool, whoever saw its call: MCP tools are `mcp__<server>__<tool>`, others are as shown."""

UNKNOWN = "unknown"
"""The name of a tool that a client did not name."""
DASHED = "tallystick-"
"""How Copilot begins the name of a tool of ours: `<server>-<tool>`. Of another server's tool nobody can tell where the
server's name ends, since both may hold dashes: such a name stays as it is shown."""
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


def is_us(server: str) -> bool:
    """Whether a server's name is ours, alone or as a plugin's: `plugin_tallystick_tallystick`."""
    return server == "tallystick" or (server.startswith("plugin_") and server.endswith("_tallystick"))
