"""The library: journals, scopes, and local and remote calls of operations."""
