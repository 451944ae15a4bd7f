"""What came of a shell command, by how it ended.

`ok` is said only where that was seen: an exit code of 0, or a client that tells failures under another event and told
none (Claude Code). An end of which nobody saw the outcome is `unknown`: an `ok` that is wrong hides work that was not
done, a doubt costs one look.
"""

from typing import Any

from tallystick.capture import exits
from tallystick.capture.payloads import Payload

UNSEEN = "How it ended was not told."
STILL = "It was still running when its call was over."


def came(told: Payload, result: Any) -> dict[str, Any]:
    """The outcome of a command, by what its client wrote behind the output. One that was to run in the background has
    been started, and no more is known of it."""
    how = exits.seen(told.fields)
    if how == "0":
        return {"outcome": "ok", "result": result}
    if not how:
        return {"outcome": "unknown", "result": result, "error": UNSEEN}
    if how == exits.RUNNING:
        return {"outcome": "unknown", "result": result, "error": STILL}
    if how == exits.CANCELLED:
        return {"outcome": "unknown", "result": result, "error": "It was cancelled."}
    return {"outcome": "failed", "result": result, "error": ended(how)}


def ended(how: str | int) -> str:
    """In words how a command failed."""
    return f"It ended with {how}." if isinstance(how, str) and not how.lstrip("-").isdigit() else f"Exit code {how}"
