"""What a server's result says came of a call. The rest of a result, which may be long, is not read."""

from typing import Any, Literal

import msgspec
from msgspec import Raw

from tallystick.gateway.upstream import Era

Came = Literal["ok", "failed", "asks", "accepted", "no result"]
_TOLD = ("isError", "resultType", "task", "taskId", "status")


def of_result(result: Raw, era: Era) -> tuple[Came, dict[str, Any]]:
    """What came, and the task that the server has made of it, if it has. What is no result of a tool says nothing of
    what has happened. `resultType` is a word of the modern era; before it, a result may have a field of that name."""
    try:
        found = msgspec.json.decode(result, type=dict[str, Raw])
        facts = {name: msgspec.json.decode(found[name]) for name in _TOLD if name in found}
    except RecursionError:  # too deep to be looked into: it says none of these words anywhere, or nobody knows
        return ("no result" if _may_say(bytes(result)) else "ok"), {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "no result", {}
    task = facts["task"] if isinstance(facts.get("task"), dict) else {}
    kind = facts.get("resultType", "complete") if era == "modern" else "complete"
    if "taskId" in task or kind == "task":
        return "accepted", task or facts
    if kind == "input_required":
        return "asks", {}
    content = memoryview(found["content"])[:1] if "content" in found else b"["  # some leave it out: it is empty
    if kind != "complete" or content != b"[" or type(facts.get("isError")) not in (bool, type(None)):
        return "no result", {}
    return ("failed" if facts.get("isError") is True else "ok"), {}


def _may_say(result: bytes) -> bool:
    """Whether a word that tells what came may stand in it, also in other letters."""
    return b"\\u00" in result or any(f'"{word}"'.encode() in result for word in _TOLD)
