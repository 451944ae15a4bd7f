"""Whether a call that was seen is one that was planned or claimed: by its tool and its arguments."""

from collections.abc import Mapping
from typing import Any


def same_tool(seen: str, stated: str) -> bool:
    """A tool of an MCP server may be stated without its server: `mcp__github__create_issue` is `create_issue`."""
    if seen == stated:
        return True
    return "__" not in stated and seen.rpartition("__")[2] == stated != ""


def same_call(arguments: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Whatever was stated of the arguments is so. What was left open may be anything."""
    return all(name in arguments and arguments[name] == value for name, value in stated.items())
