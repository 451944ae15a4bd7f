"""From entries to log records: one for each entry, as it happens. So open work is seen before its span can be sent."""

from typing import Any

from tallystick.core.entries import (
    ActionBegun,
    ActionDoubted,
    ActionEnded,
    ApprovalDecided,
    Entry,
    ExecutionEnded,
    Unreadable,
)
from tallystick.outbound.otel import names
from tallystick.outbound.otel.records import AttributeValue, EventRecord, SpanPlace
from tallystick.outbound.otel.spans import outcome_of

_FACTS: dict[str, str] = {
    "tool": names.TOOL_NAME,
    "call": names.TOOL_CALL_ID,
    "step": names.STEP_ID,
    "decision": names.DECISION,
    "status": names.EXECUTION_STATUS,
    "verdict": names.VERDICT,
    "reason": names.REASON,
    "action_kind": names.ACTION_KIND,
    "undoes": names.UNDOES,
    "plan_id": names.PLAN_ID,
    "task_id": names.TASK_ID,
    "approval_id": names.APPROVAL_ID,
    "permission": names.PERMISSION,
    "credential": names.CREDENTIAL,
    "settles": names.SETTLES,
    "contradicts": names.CONTRADICTS,
    "late": names.LATE,
}
"""The facts that are sent, by the attribute of each. Facts hold ids and words of closed lists, never free text."""
_IN_TEXT = (names.TOOL_NAME, names.STEP_ID, names.DECISION, names.EXECUTION_STATUS, names.VERDICT, names.OUTCOME)


def event_of(entry: Entry, place: SpanPlace | None, journal: str, body: str) -> EventRecord:
    """The log record of an entry. `body` is recorded text, or empty."""
    found: dict[str, Any] = {
        attribute: value for fact, attribute in _FACTS.items() if (value := getattr(entry.facts, fact, ""))
    }
    if isinstance(entry.facts, ActionEnded | ActionDoubted):
        found[names.OUTCOME] = outcome_of(entry.facts)
    attributes: dict[str, AttributeValue] = {
        names.LOG_UID: f"{journal}/{entry.seq}",
        names.JOURNAL: journal,
        names.SEQ: entry.seq,
        names.ENTRY_ID: entry.id,
        names.WITNESS: entry.witness,
        names.ACTOR_KIND: entry.actor.kind,
        **found,
    }
    optional = {
        names.ACTOR_NAME: entry.actor.name,
        names.EXECUTION_ID: entry.execution,
        names.SESSION_ID: entry.session,
        names.BODY: body,
    }
    attributes.update({name: value for name, value in optional.items() if value})
    details = ", ".join(str(found[name]) for name in _IN_TEXT if name in found)
    text = entry.kind.replace("_", " ") + (f": {details}" if details else "")
    return EventRecord(
        name=names.PREFIX + entry.kind,
        at=entry.at,
        text=text,
        attributes=attributes,
        place=place,
        is_warning=_is_warning(entry),
    )


def _is_warning(entry: Entry) -> bool:
    """Whether somebody should look at it: a doubt, a failure, a rejection, a call without the approval it needed."""
    facts = entry.facts
    if isinstance(facts, ActionEnded):
        return outcome_of(facts) in ("failed", names.IN_DOUBT)
    if isinstance(facts, ActionBegun):
        return facts.permission in ("missing", "rejected")
    if isinstance(facts, ExecutionEnded):
        return facts.status == "failed"
    if isinstance(facts, ApprovalDecided):
        return facts.verdict == "reject"
    return isinstance(facts, ActionDoubted | Unreadable)
