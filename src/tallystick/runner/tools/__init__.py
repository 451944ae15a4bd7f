"""Tools that a runner can call: Python functions, commands, HTTP, MCP servers."""
