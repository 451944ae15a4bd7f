"""Which execution a call of the journal's own tools is about, as a hook sees it: its arguments tell, or its result."""

import re
from typing import Any

from tallystick.capture.observed import CallEnded
from tallystick.core.quickjson import dump

READING = "query_ledger"
"""Who only reads works on nothing."""
_EXECUTION = re.compile(r"\bex_[a-z][0-9a-z]{3,15}\b")
_LOOKED_AT = 20_000
"""Characters of a result: what our tools answer is shorter."""


def execution_named(fact: CallEnded) -> str:
    """The execution that a call has opened or moved; empty where none, or more than one, is named."""
    if fact.outcome != "ok" or fact.tool.endswith(READING):
        return ""
    said = fact.arguments.get("execution_id")
    return said if isinstance(said, str) else _only(fact.result)


def _only(result: Any) -> str:
    try:
        found = set(_EXECUTION.findall(dump(result)[:_LOOKED_AT]))
    except (TypeError, ValueError, RecursionError):
        return ""
    return found.pop() if len(found) == 1 else ""
