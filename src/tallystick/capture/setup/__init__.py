"""`tallystick setup`: adds hooks and the MCP server to the configuration of each client, and removes them again."""
