"""Which calls may be made."""
