"""What a tool answers that refuses: what was wrong, what is allowed and the next call, in fewer than 80 tokens."""

import re
from collections.abc import Collection
from typing import Any

from tallystick.core.errors import TallystickError
from tallystick.core.tokens import cost, fits, shortened
from tallystick.doors.mcp.answers import Answer, inert, word
from tallystick.doors.mcp.remedies import Call, advice, remedy, untooled
from tallystick.settings import Settings

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


def of_error(error: TallystickError, tools: Collection[str], called: str = "", shell: Settings | None = None) -> Answer:
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
    return Answer(text=f"{error.code}: {said}{following}", content={"error": twin}, failed=True)


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
    from tallystick.doors.typed import command  # most refusals need none

    bare = {key: value for key, value in given.items() if key not in ("tool", "arguments")}
    forms = (given, bare) if "step" in given else (given,)
    return [text for each in forms if (text := command(shell, name, each)).isprintable()]


def _following(call: Call, room: float) -> str:
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
    cut = shortened(line, room)
    if cut == line or not cut:
        return cut
    kept = cut[:-1]
    behind = line[len(kept) : len(kept) + 1]
    torn = _TORN.search(kept) if behind and _TORN.match(behind) else None
    return (kept[: torn.start()].rstrip() if torn and torn.start() else kept) + "…"
