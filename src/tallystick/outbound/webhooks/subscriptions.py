"""Which entries a webhook is for."""

from tallystick.core.entries import (
    ActionBegun,
    ActionDoubted,
    ActionEnded,
    ApprovalRequested,
    Entry,
    ExecutionEnded,
    WebhookTested,
)
from tallystick.core.state import Action, Execution
from tallystick.operations.notifications.documents import Webhook
from tallystick.store.interface import View


def lane_of(entry: Entry) -> str:
    """What an entry is delivered in order with: its execution, or else the thing that it is about."""
    return entry.execution or entry.id


def needs_person(entry: Entry) -> bool:
    """Whether somebody has to act on what an entry says: a question, an unknown outcome, a failed execution.

    A step of a run is held when its outcome is unknown, so its entry is one of these.
    """
    facts = entry.facts
    if isinstance(facts, ActionEnded):
        return facts.outcome == "unknown" or facts.contradicts
    if isinstance(facts, ExecutionEnded):
        return facts.status == "failed"
    return isinstance(facts, ApprovalRequested | ActionDoubted)


def is_wanted(view: View, webhook: Webhook, entry: Entry) -> bool:
    """Whether an entry fits all that the webhook is for. The entry of a test is for the tested one alone."""
    if isinstance(entry.facts, WebhookTested):
        return entry.facts.name == webhook.name and entry.seq > webhook.added
    wanted = webhook.filter
    if wanted.kinds and entry.kind not in wanted.kinds:
        return False
    if wanted.actor and entry.actor.name != wanted.actor:
        return False
    if wanted.execution_id and wanted.execution_id not in (entry.execution, entry.id):
        return False
    if wanted.needs_person and not needs_person(entry):
        return False
    if wanted.tool and wanted.tool != _tool_of(view, entry):
        return False
    return not wanted.task_id or wanted.task_id == _task_of(view, entry)


def _tool_of(view: View, entry: Entry) -> str:
    """The tool that an entry names, or that of the action which it ends or doubts."""
    own: str = getattr(entry.facts, "tool", "")
    if own or isinstance(entry.facts, ActionBegun):
        return own
    action = view.get(Action, entry.id) if entry.id.startswith("ac_") else None
    return action.tool if action else ""


def _task_of(view: View, entry: Entry) -> str:
    """The task that an entry names, or that of its execution."""
    own: str = getattr(entry.facts, "task_id", "")
    if own or not entry.execution:
        return own
    execution = view.get(Execution, entry.execution)
    return execution.task_id if execution else ""
