"""The event loop and what it waits for."""
