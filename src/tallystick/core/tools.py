"""The names of a tool: what clients, servers, the gateway, plans and agents call one and the same."""

import re

from msgspec import Struct

from tallystick.core.effects import SHELLS

_MCP, _BETWEEN, _NO_SERVER, _DASH, _GEMINI = "mcp__", "__", "MCP:", "-", "mcp_"
_OURS = re.compile(r"MCP:|mcp__(?:plugin_\w+_)?tallystick__|tallystick-")
_ODD = re.compile(r"[^A-Za-z0-9_-]")
_SYNONYMS = (
    SHELLS,
    frozenset(("Write", "create", "create_file", "createFile", "write_file")),
    frozenset(("Edit", "edit", "edit_file", "editFiles", "str_replace", "replace", "search_replace")),
)
"""Tools of clients that do the same: Codex's model calls `exec_command`, and its hooks are told of `Bash`."""


def same_tool(seen: str, stated: str) -> bool:
    """A tool of an MCP server may be stated without `mcp__`, and without its server: `mcp__github__create_issue` is
    `github__create_issue` and `create_issue`. A part of a tool's own name is another tool. Where a client shows no
    server (Cursor), the tool's own name has to do. A client may show its model one name and tell its hooks another: a
    shell is a shell."""
    if seen == stated or any(seen in each and stated in each for each in _SYNONYMS):
        return True
    if seen.startswith(_NO_SERVER):
        return bool(stated) and seen[len(_NO_SERVER) :] == own_name(stated)
    if not stated or not seen.startswith(_MCP):
        return False
    named = seen[len(_MCP) :]
    return stated in (named, named.partition(_BETWEEN)[2], _GEMINI + named.replace(_BETWEEN, "_", 1))


def own_name(tool: str) -> str:
    """A tool without its server; `fs__write` may be a server's tool, or a tool of that name."""
    return tool.removeprefix(_MCP).partition(_BETWEEN)[2] or tool


def may_be_behind(seen: str) -> bool:
    """Whether a tool that a client shows may be one behind the gateway, and not the client's own."""
    return seen.startswith((_MCP, _NO_SERVER)) or _DASH in seen


def is_behind(seen: str, tool: str, shown_as: str = "") -> bool:
    """Whether a tool that a client shows is this one behind the gateway, which shows it under this name, or as it is.

    Before that, a client puts the name by which it knows the gateway (`mcp__ours__`, or `ours-` in Copilot), which is
    for its user to choose; or nothing but `MCP:` (Cursor). Ours is left out where it is known, see `capture.tools`.
    Characters that a client does not allow in a name are replaced by it.
    """
    name, seen = _plain(shown_as or own_name(tool)), _plain(seen)
    if seen.startswith(_plain(_NO_SERVER)):
        return seen == _plain(_NO_SERVER) + name
    if seen.startswith(_MCP):
        shown = seen[len(_MCP) :]
        return name in (shown, shown.partition(_BETWEEN)[2])
    return seen.endswith(_DASH + name)


def by_our_name(seen: str, shown_as: str) -> bool:
    """Whether a client knows the gateway by our name, or by none. Under another name it may also be another server."""
    return bool(_OURS.match(seen)) or seen == _MCP + shown_as


def _plain(name: str) -> str:
    return _ODD.sub("_", name)


class SeenTool(Struct, frozen=True):
    """A tool whose call was seen. `behind` the gateway it may be `shown_as` another one, and agents know it by that."""

    name: str
    shown_as: str = ""
    behind: bool = False

    def is_stated(self, stated: str) -> bool:
        """Whether it is the tool that a plan or an agent names so."""
        if same_tool(self.name, stated) or not self.behind:
            return same_tool(self.name, stated)
        return bool(stated) and (stated == self.shown_as or is_behind(stated, self.name, self.shown_as))
