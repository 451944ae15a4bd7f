"""A repetition that is meant: the agent has decided to retry since the effect was there.

A decision counts for what was done before it, at the step that it names if it names one, and for one call: the first
that is let through. That is noted in the commit in which this call begins, under a key of the decision: what a rule
refuses uses nothing, and whoever comes second, at this gateway or at another, finds it used.
"""

from typing import TYPE_CHECKING, Any

from msgspec import json

from tallystick.calls import Local
from tallystick.core.entries import DecisionRecorded
from tallystick.core.errors import AlreadyDone
from tallystick.core.state import Action, Execution, Keyed
from tallystick.operations import CATALOGUE, Operation
from tallystick.store.port import Ledger, View

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall


class Retry(Local):
    """The way to the operations for a call that a decision lets be made once more: `why` is its reason."""

    def __init__(self, call: "ToolCall", action_id: str, decision: str, why: str) -> None:
        super().__init__(call.local.desk)
        self.why = why
        self._action = action_id
        self._decision = decision
        self._tool = call.name

    def call_on(self, operation: Operation[..., Any], arguments: dict[str, Any], ledger: Ledger) -> Any:
        if _is_used(ledger, self._decision):
            raise AlreadyDone(
                f"{self._decision} has let a call through already, and this one was done as {self._action}.",
                hint="Use its result.",
                next_call=("get_action", {"action_id": self._action}),
            )
        receipt = super().call_on(operation, arguments, ledger)
        if not receipt.repeated:
            summary = f"{self._tool} is called once more, as {self._decision} says."
            details = {"tool": self._tool, "action": receipt.id}
            noted = {"event": "other", "summary": summary, "details": details, "key": _key(self._decision)}
            CATALOGUE["record_note"](self.desk.on(ledger), noted)
        return receipt


def decided(call: "ToolCall", action_id: str) -> Retry | None:
    """The decision by which a call may repeat what an action did, if there is one that nobody has used."""
    decision, why = call.local.desk.read(lambda view: unused(view, action_id))
    return Retry(call, action_id, decision, why) if decision else None


def unused(view: View, action_id: str) -> tuple[str, str]:
    """The decision to retry that was made since an action, and its reason."""
    action = view.get(Action, action_id)
    execution = view.get(Execution, action.execution) if action else None
    if action is None or execution is None or execution.decision_seq <= action.seq:
        return "", ""
    entry = view.entry(execution.decision_seq)
    if entry is None or not isinstance(entry.facts, DecisionRecorded) or entry.facts.decision != "retry":
        return "", ""
    if entry.facts.step not in ("", action.step) or _is_used(view, entry.id):
        return "", ""
    body = view.bodies([entry.seq]).get(entry.seq, "{}")
    return entry.id, str(json.decode(body).get("why") or "It was decided to retry.")


def _is_used(view: View, decision: str) -> bool:
    return view.get(Keyed, _key(decision)) is not None


def _key(decision: str) -> str:
    return f"retry:{decision}"
