"""The servers behind the gateway."""
