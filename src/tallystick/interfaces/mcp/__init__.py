"""MCP: the journal for any agent, in six small tools, over standard input and output or over HTTP."""
