"""The transports of MCP: stdio and streamable HTTP."""
