"""JSON, times and tokens as text."""
