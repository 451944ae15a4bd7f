"""How Claude Code tells that what a call has left running in the background is over: in a prompt that it writes itself.

A person may quote such a text, and a tool may print it. So it is one only if it is the whole prompt, and it has Claude
Code's own form up to the status; the summary behind that holds words of the agent's. It names two ids, that of the call
and that which Claude Code gave to what went on: whoever takes it for an end holds both against what was recorded.
Source: Claude Code 2.1.197.
"""

import re
from typing import Any

_FORM = re.compile(
    r"<task-notification>\n<task-id>(?P<task>[\w-]{1,100})</task-id>\n<tool-use-id>(?P<call_id>[^<>\n]{1,200})</tool-use-id>\n"
    r"(?:<output-file>[^<>\n]*</output-file>\n)?<status>(?P<status>[a-z_]{1,30})</status>\n"
    r"<summary>(?P<summary>.+)</summary>\n(?:<.*>\n)?</task-notification>",
    re.DOTALL,
)
COMMAND = "Background command "
ENDED_WELL = " completed (exit code 0)"


def read(text: str) -> dict[str, Any] | None:
    """What a notification says: its ids and what came of the call; None where a text is none. Of a command, only an
    exit code of 0 is `ok`; what was killed has done nobody knows how much."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        return None
    summary = found["summary"]
    told = {"call_id": found["call_id"], "task": found["task"]}
    if found["status"] == "completed" and (summary.endswith(ENDED_WELL) or not summary.startswith(COMMAND)):
        return {**told, "outcome": "ok", "result": summary}
    return {**told, "outcome": "failed" if found["status"] == "failed" else "unknown", "error": summary}
