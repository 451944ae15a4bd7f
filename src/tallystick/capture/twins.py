"""One event that two of our hook lines were told.

Copilot runs its own hooks and those in a project's `.claude/settings.json`. Where both are ours, each event is told
twice, word for word and with the same time, and no call has an id. So what Copilot tells is known by its content: the
second telling finds the first in the journal, whichever came first, and where only one line was run nothing is missing.

Two calls that are the same in all, begun at once, are told twice by each line: so they are counted, line by line. If a
drain cuts them apart, the second is taken for a twin; it then turns up with its end, which has a time of its own.
"""

from collections import Counter
from hashlib import blake2b

from tallystick.capture.records import Spooled
from tallystick.capture.speaker import whose
from tallystick.core.quickjson import dump


class Twins:
    """The ids of records, within one draining."""

    def __init__(self) -> None:
        self._told: Counter[tuple[str, str]] = Counter()

    def id(self, found: Spooled) -> str:
        """What makes a record one: for most, what the hook has drawn for it."""
        if not isinstance(found.payload, dict) or not found.payload.get("timestamp"):
            return found.id
        if whose(found.client, found.payload) != "copilot":
            return found.id
        content = blake2b(dump(found.payload).encode(), digest_size=16).hexdigest()
        self._told[found.client, content] += 1
        return f"{content}.{self._told[found.client, content]}"
