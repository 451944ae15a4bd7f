"""The tools of the workers."""

from tallystick import tool


@tool(effect="read")
def count_words(text: str) -> int:
    return len(text.split())
