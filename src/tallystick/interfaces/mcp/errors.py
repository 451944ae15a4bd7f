"""What a tool answers that refuses: what was wrong, what is allowed and the next call, in fewer than 80 tokens."""

import re
from collections.abc import Collection
from typing import Any

from tallystick import operations
from tallystick.core.errors import InvalidArgument, Refused, TallystickError
from tallystick.core.formats.tokens import cost, fits, shorten
from tallystick.interfaces.mcp.responses import McpResponse, inert, word
from tallystick.settings import Settings

# ----------------------------------------------------------------------------------------------------------------------
# The next call of an error, as an agent can make it: operations name each other, an agent has six tools or fewer.

SuggestedCall = tuple[str, dict[str, Any]]

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


def remedy(error: TallystickError, tools: Collection[str], called: str = "") -> SuggestedCall | None:
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


def untooled(error: TallystickError, tools: Collection[str]) -> SuggestedCall | None:
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


def _by_tool(name: str, given: dict[str, Any]) -> SuggestedCall:
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


# ----------------------------------------------------------------------------------------------------------------------

ERROR_TOKENS = 79
"""An error is read at a moment when an agent has other things to do."""
HINT_TOKENS = 160
"""As a structure, which programs read, a hint may say more."""
QUOTED_TOKENS = 30
"""What is left of a message that quotes much, however long its hint is: the hint says what to do."""
SAID_TOKENS = 32
"""What is left for message and hint, however much the next call says."""
LEAST_TOKENS = 12
"""The same beside a command, which says by itself what it is about, and is of no use when it is cut."""
ALLOWED = 20
_PERSON = {  # where a command is too long to be told
    "record_action": " Have a person settle it.",
    "record_decision": " Have a person decide that.",
    "request_approval": " Have a person asked.",
}
_TORN = re.compile(r"[\w.:@/+#-]{1,60}$", re.ASCII)


def of_error(
    error: TallystickError, tools: Collection[str], called: str = "", shell: Settings | None = None
) -> McpResponse:
    """The refusal, and the same as a structure. `tools` are the names to call by, `called` the one that refuses. Where
    the journal of these settings can be reached from a `shell`, what no tool does is told as a command."""
    typed = untooled(error, tools) if shell else None
    call = remedy(error, tools, called) if typed is None else None
    hint = advice(error, tools, typed=typed is not None)
    twin = _twin(error, hint)
    following = ""
    room = ERROR_TOKENS - cost(f"{error.code}: ")
    if shell and typed:
        commands = _commands(shell, *typed)
        if commands:
            twin["next"] = {"command": commands[0]}
        texts = (f" In a shell: {each}" for each in commands)
        following = next((text for text in texts if fits(text, room - LEAST_TOKENS)), _PERSON.get(typed[0], ""))
    elif call:
        twin["next"] = {"tool": call[0], "arguments": call[1]}
        following = _following(call, room - SAID_TOKENS)
    room = ERROR_TOKENS - cost(f"{error.code}: {following}")
    least = LEAST_TOKENS if typed else QUOTED_TOKENS
    wrong = _fitted(error.message, max(room - cost(f" {hint}"), min(least, room)))
    advised = _sentences(hint, room - cost(f"{wrong} ")) if typed else hint
    said = _fitted(f"{wrong} {advised}".rstrip(), room)
    return McpResponse(text=f"{error.code}: {said}{following}", content={"error": twin}, failed=True)


def _twin(error: TallystickError, hint: str) -> dict[str, Any]:
    """The structure, but for the next call."""
    twin = {**error.as_dict(), "message": _fitted(error.message, ERROR_TOKENS)}
    for name in ("next", "hint"):
        twin.pop(name, None)
    if hint:
        twin["hint"] = _fitted(hint, HINT_TOKENS)
    if "field" in twin:
        twin["field"] = _fitted(twin["field"], 30)
    if "allowed" in twin:
        twin["allowed"] = [_fitted(each, 30) for each in twin["allowed"][:ALLOWED]]
    return twin


def _commands(shell: Settings, name: str, given: dict[str, Any]) -> list[str]:
    """The next call as a command: whole, and without the call of a step, which the plan knows. What turns the direction
    of a line is not to be copied into a shell."""
    from tallystick.interfaces.fields import shell_command  # most refusals need none

    bare = {key: value for key, value in given.items() if key not in ("tool", "arguments")}
    forms = (given, bare) if "step" in given else (given,)
    return [text for each in forms if (text := shell_command(shell, name, each)).isprintable()]


def _following(call: SuggestedCall, room: float) -> str:
    """The next call in words: whole, or with its longest part left to whoever made the call, or by its first part."""
    name, arguments = call
    pairs = [f"{key}={word(value)}" for key, value in arguments.items()]
    spared = ["arguments=..." if pair.startswith("arguments=") else pair for pair in pairs]
    texts = (f" Next: {name}({', '.join(each)})." for each in (pairs, spared, [*spared[:3], "..."]))
    return next((text for text in texts if fits(text, room)), f" Next: {name}(...).")


def _sentences(text: str, room: float) -> str:
    """As many sentences as fit, or the beginning of the first."""
    kept = text
    while not fits(kept, room) and ". " in kept:
        kept = kept[: kept.rindex(". ") + 1]
    return kept


def _fitted(text: str, room: float) -> str:
    """One line, cut to what costs so many tokens; no word is torn, for it may be a handle."""
    line = inert(" ".join(text.split()))
    cut = shorten(line, room)
    if cut == line or not cut:
        return cut
    kept = cut[:-1]
    behind = line[len(kept) : len(kept) + 1]
    torn = _TORN.search(kept) if behind and _TORN.match(behind) else None
    return (kept[: torn.start()].rstrip() if torn and torn.start() else kept) + "…"
