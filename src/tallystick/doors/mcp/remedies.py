"""The next call of an error, as an agent can make it: operations name each other, an agent has six tools."""

from collections.abc import Collection
from typing import Any

from tallystick import operations

Call = tuple[str, dict[str, Any]]

HINTS = {"open_session": "Leave the session out: the connection has its own."}
"""What to do instead, where an operation's own hint names something that no tool does."""


def remedy(call: Call | None, tools: Collection[str]) -> Call | None:
    """The same call by a tool, or none when no tool can make it."""
    if call is None:
        return None
    name, given = _by_tool(*call)
    return (name, given) if name in tools else None


def _by_tool(name: str, given: dict[str, Any]) -> Call:
    if name == "request_approval":
        return "record_decision", {**given, "decision": "ask_human", "why": "..."}
    if name == "get_approval":
        return "query_ledger", {"view": "approvals", "filter": f"id:{given['approval_id']}"}
    if name == "open_session":
        return "query_ledger", {"view": "brief"}  # what the session left behind
    view = operations.CATALOGUE[name].view if name in operations.CATALOGUE else ""
    return ("query_ledger", {"view": view, **given}) if view else (name, given)
