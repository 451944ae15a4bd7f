"""How MCP messages are carried."""
