"""The life of one tools/call."""
