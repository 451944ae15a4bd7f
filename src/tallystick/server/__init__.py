"""The web server: REST, MCP over HTTP and the dashboard in one application, with authentication and limits."""
