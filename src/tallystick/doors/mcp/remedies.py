"""The next call of an error, as an agent can make it: operations name each other, an agent has six tools or fewer."""

import re
from collections.abc import Collection
from typing import Any

from tallystick import operations
from tallystick.core.errors import InvalidArgument, Refused, TallystickError

Call = tuple[str, dict[str, Any]]

SIX = (
    *("record_plan", "record_execution_start", "record_action", "record_decision", "record_context"),
    "query_ledger",
)
_INSTEAD = {
    "record_execution_start": "Carry out what was planned: your calls are journaled.",
    "record_action": "Look at the real system, and say what you found in the `why` of a decision.",
}
"""What an agent does whose client lists no such tool."""
_NO_TOOL = {"open_session": "Leave the session out: the connection has its own."}
"""What to do instead, where an operation's own hint names something that no tool does."""
_OF_THE_SESSION = ("open_session", "record_execution_start", "record_plan")
"""What is the agent's because it is of its session: typed in a shell, it would be of another one."""
_SENTENCE = re.compile(r"(?<=[.;:]) ")


def remedy(error: TallystickError, tools: Collection[str], called: str = "") -> Call | None:
    """The next call by a tool that the client lists, or none when no tool helps. `called` is the one that was refused.

    Of a value that is wrong it is the same call with another one; of a rule that refuses, a look at how things stand.
    """
    if error.next_call is not None:
        name, given = _by_tool(*error.next_call)
        if name in tools:
            return name, given
    if isinstance(error, InvalidArgument) and called in tools:
        field = re.split(r"[.\[]", error.field or "")[0]
        return called, {field: "..."} if _takes(called, field) else {}
    if isinstance(error, Refused) and "query_ledger" in tools:
        return "query_ledger", {"view": "status"}
    return None


def untooled(error: TallystickError, tools: Collection[str]) -> Call | None:
    """The next call that no tool makes which the client lists: it can be typed in a shell, by the operation's name."""
    if error.next_call is None or error.next_call[0] in _OF_THE_SESSION:
        return None
    return error.next_call if _by_tool(*error.next_call)[0] not in tools else None


def _takes(tool: str, field: str) -> bool:
    known = operations.CATALOGUE.get(tool)
    return known is not None and field in known.arguments.__struct_fields__


def advice(error: TallystickError, tools: Collection[str], *, typed: bool = False) -> str:
    """The hint of an error, which names no tool that the client does not list. Where the next call can be `typed`,
    nothing has to be done instead."""
    following = error.next_call[0] if error.next_call else ""
    if following in _NO_TOOL:
        return _NO_TOOL[following]
    hidden = [name for name in SIX if name not in tools] if set(tools) < set(SIX) else []
    if following in hidden and following in _INSTEAD and not typed:
        return _INSTEAD[following]
    kept = [each for each in _SENTENCE.split(error.hint) if not any(name in each for name in hidden)]
    return " ".join(kept)


def _by_tool(name: str, given: dict[str, Any]) -> Call:
    if name == "request_approval":
        return "record_decision", {"decision": "ask_human", **given, "why": "..."}
    if name in _ONE:
        view, filter, argument = _ONE[name]
        return "query_ledger", {"view": view, "filter": f"{filter}:{given[argument]}"}
    if name == "open_session":
        return "query_ledger", {"view": "brief"}  # what the session left behind
    view = operations.CATALOGUE[name].view if name in operations.CATALOGUE else ""
    return ("query_ledger", {"view": view, **_narrowed(given)}) if view else (name, given)


_ONE = {
    "get_approval": ("approvals", "id", "approval_id"),
    "get_action": ("journal", "action", "action_id"),
    "get_plan": ("plans", "id", "plan_id"),
}


def _narrowed(given: dict[str, Any]) -> dict[str, Any]:
    """What an operation takes, as a query says it: a place in the journal is its cursor, the rest is a filter."""
    said = dict(given)
    found: dict[str, Any] = {name: said.pop(name) for name in ("execution_id", "limit") if name in said}
    if "after" in said:
        found["cursor"] = str(said.pop("after"))
        said["order"] = "oldest"
    if said:
        found["filter"] = " ".join(f"{name}:{value}" for name, value in said.items())
    return found
