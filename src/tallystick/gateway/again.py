"""A repetition that is meant: the agent has decided to retry since the effect was there."""

import os
from typing import TYPE_CHECKING

from msgspec import json

from tallystick.core.entries import DecisionRecorded
from tallystick.core.errors import Conflict
from tallystick.core.state import Action, Execution
from tallystick.store.port import View

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall


def reason(call: "ToolCall", action_id: str) -> str:
    """Why the call may be made once more; empty when nobody has decided so. A decision counts for what was done before
    it, at the step that it names if it names one, and for one call: the first that asks, with all that equal it."""
    decision, why = call.local.desk.read(lambda view: _decided(view, action_id))
    return why if decision and _is_for(call, decision) else ""


def taken(call: "ToolCall", action_id: str) -> str:
    """The same, for who is about to leave: of those that equal each other, the decision lets one through."""
    decision, why = call.local.desk.read(lambda view: _decided(view, action_id))
    return why if decision and _is_for(call, decision) and _is_first(call, decision) else ""


def _decided(view: View, action_id: str) -> tuple[str, str]:
    """The decision to retry that was made since an action, and its reason."""
    action = view.get(Action, action_id)
    execution = view.get(Execution, action.execution) if action else None
    if action is None or execution is None or execution.decision_seq <= action.seq:
        return "", ""
    entry = view.entry(execution.decision_seq)
    if entry is None or not isinstance(entry.facts, DecisionRecorded) or entry.facts.decision != "retry":
        return "", ""
    if entry.facts.step not in ("", action.step):
        return "", ""
    body = view.bodies([entry.seq]).get(entry.seq, "{}")
    return entry.id, str(json.decode(body).get("why") or "It was decided to retry.")


def _is_for(call: "ToolCall", decision: str) -> bool:
    """Whether the decision is for this call. It is written down for which, under a key of the decision: a call of
    another effect, at this gateway or at another, finds that it is taken."""
    effect = call.local.desk.effect_key(call.name, call.arguments)
    return _notes(call, f"{decision} lets {call.name} be called once more.", effect, f"retry:{decision}")


def _is_first(call: "ToolCall", decision: str) -> bool:
    """Whether no equal call has gone with the decision. The token is of this call alone: whoever comes second finds
    another's under the key."""
    said = f"{call.name} is called once more, as {decision} says."
    return _notes(call, said, os.urandom(8).hex(), f"retry:{decision}:gone")


def _notes(call: "ToolCall", summary: str, told: str, key: str) -> bool:
    said = {"event": "other", "summary": summary, "details": {"tool": call.name, "for": told}, "key": key}
    try:
        call.hub.scribe.call(call.local, "record_note", said)
    except Conflict:
        return False
    return True
