"""Commands for people, beside the ones that are built from operations."""
