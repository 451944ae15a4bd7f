"""The clients of the gateway."""
