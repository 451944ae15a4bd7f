"""What a tool answers that refuses: what was wrong, what is allowed and the next call, in fewer than 80 tokens."""

import re
from collections.abc import Collection

from tallystick.core.errors import TallystickError
from tallystick.core.tokens import cost, fits, shortened
from tallystick.doors.mcp.answers import Answer, inert, word
from tallystick.doors.mcp.remedies import Call, advice, remedy

ERROR_TOKENS = 79
"""An error is read at a moment when an agent has other things to do."""
HINT_TOKENS = 160
"""As a structure, which programs read, a hint may say more."""
QUOTED_TOKENS = 30
"""What is left of a message that quotes much, however long its hint is: the hint says what to do."""
SAID_TOKENS = 32
"""What is left for message and hint, however much the next call says."""
ALLOWED = 20
_TORN = re.compile(r"[\w.:@/+#-]{1,60}$", re.ASCII)


def of_error(error: TallystickError, tools: Collection[str], called: str = "") -> Answer:
    """The refusal, and the same as a structure. `tools` are the names to call by, `called` the one that refuses."""
    hint = advice(error, tools)
    twin = {**error.as_dict(), "message": _fitted(error.message, ERROR_TOKENS)}
    for name in ("next", "hint"):
        twin.pop(name, None)
    if hint:
        twin["hint"] = _fitted(hint, HINT_TOKENS)
    if "field" in twin:
        twin["field"] = _fitted(twin["field"], 30)
    if "allowed" in twin:
        twin["allowed"] = [_fitted(each, 30) for each in twin["allowed"][:ALLOWED]]
    call = remedy(error, tools, called)
    if call:
        twin["next"] = {"tool": call[0], "arguments": call[1]}
    following = _following(call, ERROR_TOKENS - cost(f"{error.code}: ") - SAID_TOKENS) if call else ""
    room = ERROR_TOKENS - cost(f"{error.code}: {following}")
    wrong = _fitted(error.message, max(room - cost(f" {hint}"), min(QUOTED_TOKENS, room)))
    said = _fitted(f"{wrong} {hint}".rstrip(), room)
    return Answer(text=f"{error.code}: {said}{following}", content={"error": twin}, failed=True)


def _following(call: Call, room: float) -> str:
    """The next call in words: whole, or with its longest part left to whoever made the call, or by its first part."""
    name, arguments = call
    pairs = [f"{key}={word(value)}" for key, value in arguments.items()]
    spared = ["arguments=..." if pair.startswith("arguments=") else pair for pair in pairs]
    texts = (f" Next: {name}({', '.join(each)})." for each in (pairs, spared, [*spared[:3], "..."]))
    return next((text for text in texts if fits(text, room)), f" Next: {name}(...).")


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
