"""Whether a call that was seen is one that was planned or claimed: by its tool and its arguments."""

import re
from collections.abc import Mapping
from typing import Any

_MCP, _BETWEEN, _NO_SERVER = "mcp__", "__", "MCP:"
_SERVERLESS = re.compile(r"MCP:|mcp__(?:plugin_\w+_)?tallystick__")


def same_tool(seen: str, stated: str) -> bool:
    """A tool of an MCP server may be stated without `mcp__`, and without its server: `mcp__github__create_issue` is
    `github__create_issue` and `create_issue`. A part of a tool's own name is another tool. Where a client shows no
    server (Cursor), the tool's own name has to do."""
    if seen == stated:
        return True
    if seen.startswith(_NO_SERVER):
        return bool(stated) and seen[len(_NO_SERVER) :] == _own_name(stated)
    if not stated or not seen.startswith(_MCP):
        return False
    named = seen[len(_MCP) :]
    return stated in (named, named.partition(_BETWEEN)[2])


def _own_name(tool: str) -> str:
    """A tool without its server; `fs__write` may be a server's tool, or a tool of that name."""
    return tool.removeprefix(_MCP).partition(_BETWEEN)[2] or tool


def through_us(shown: str, called: str) -> bool:
    """Whether a tool that a client shows may be one behind the gateway; which one is `called` there, if it is said. A
    client puts our name before it, no server's (Cursor), or that of the server behind us. A tool of another server, or
    of the client's own, is another tool."""
    if not (_SERVERLESS.match(shown) or shown.startswith(_MCP)):
        return False
    return not called or same_tool(called, _SERVERLESS.sub("", shown))


def same_call(arguments: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Whatever was stated of the arguments is so. What was left open may be anything."""
    return all(name in arguments and _same(arguments[name], value) for name, value in stated.items())


def _same(one: Any, other: Any) -> bool:
    """As JSON has it: `true` is not 1, which Python takes for the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)
