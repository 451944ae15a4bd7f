"""`tallystick setup`: hooks and the MCP server in the configuration of each client, and out of it again."""
