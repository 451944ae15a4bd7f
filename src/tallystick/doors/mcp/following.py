"""The call that an error says to make next, as a call of one of the tools: an agent has no other."""

from typing import Any

from tallystick.operations import Operation

Call = tuple[str, dict[str, Any]]


def as_tool(call: Call) -> Call:
    """The same call by its tool; the name is unchanged where no tool does it."""
    name, arguments = call
    if name == "get_approval":
        return "query_ledger", {"view": "approvals", "filter": f"id:{arguments['approval_id']}"}
    if name == "request_approval":
        return "record_decision", {"decision": "ask_human", **arguments}
    view = _view(name)
    return ("query_ledger", {"view": view, **arguments}) if view else call


def _view(name: str) -> str:
    from tallystick.operations import CATALOGUE  # loads all operations, and few errors need it

    found: Operation[..., Any] | None = CATALOGUE.get(name)
    return found.view if found else ""
