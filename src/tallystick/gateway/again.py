"""A repetition that is meant: the agent has decided to retry since the effect was there."""

from typing import TYPE_CHECKING

from msgspec import json

from tallystick.core.entries import DecisionRecorded
from tallystick.core.state import Action, Execution
from tallystick.store.port import View

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall


def reason(call: "ToolCall", action_id: str) -> str:
    """Why the call may be made once more; empty when nobody has decided so. A decision counts for what was done
    before it, so it lets one call through."""

    def look(view: View) -> str:
        action = view.get(Action, action_id)
        execution = view.get(Execution, action.execution) if action else None
        if action is None or execution is None or execution.decision_seq <= action.seq:
            return ""
        entry = view.entry(execution.decision_seq)
        if entry is None or not isinstance(entry.facts, DecisionRecorded) or entry.facts.decision != "retry":
            return ""
        body = view.bodies([entry.seq]).get(entry.seq, "{}")
        return str(json.decode(body).get("why") or "It was decided to retry.")

    found: str = call.local.desk.read(look)
    return found
