"""A journaling MCP proxy between an agent and its other MCP servers; a user of the operations."""
