"""A repetition that is meant: the agent has decided to retry since the effect was there.

A decision counts for what was done before it, at the step that it names if it names one, and for one call: the first
that is let through. That is noted in the commit in which this call begins, under a key of the decision: what a rule
refuses uses nothing, and whoever comes second, at this gateway or at another, finds it used. Until then it stands,
whatever else is decided, unless that takes it back.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import json

from tallystick.core import plans
from tallystick.core.entries import DecisionRecorded, Entry
from tallystick.core.errors import AlreadyDone, InDoubtOpen, StorageUnavailable
from tallystick.core.state import Action, Execution, IdempotencyKey
from tallystick.gateway.recording.hooks import open_execution_for
from tallystick.operations import CATALOGUE, Operation
from tallystick.operations.begin import MAX_SAME_EFFECT_SCANNED, REPEATABLE
from tallystick.operations.runtime.attribution import find_step
from tallystick.operations.runtime.progress import progress_of, steps_of, undecided
from tallystick.operations.runtime.session_lifecycle import UNSETTLED, is_in_doubt
from tallystick.sdk.local import Local
from tallystick.store.interface import Ledger, Select, View

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall

PAGE = 64
MAX_ENTRIES_SCANNED = 1024
"""How many entries of an execution are looked through for its decisions, from the newest decision back: so it costs
the same in a long one."""
TAKES_BACK = ("skip", "unwind", "stop", "fail", "done")
"""Decisions after which one to retry, made before them, is none any more."""


class Meant(NamedTuple):
    """A decision to retry, its reason, and the step that it names, if it names one."""

    decision: str
    why: str
    step: str


class Retry(Local):
    """The way to the operations for a call that a decision lets be made once more: `why` is its reason."""

    def __init__(self, call: "ToolCall", action_id: str, why: str) -> None:
        super().__init__(call.local.context)
        self.why = why
        self._action = action_id
        self._call = call

    def call_in_transaction(self, operation: Operation[..., Any], arguments: dict[str, Any], ledger: Ledger) -> Any:
        last = _newest(ledger, self._action)
        meant = unused(ledger, last)
        if meant is None:
            raise AlreadyDone(
                f"The decision has let a call through already, and this one was done as {self._action}.",
                hint="Use its result.",
                next_call=("get_action", {"action_id": self._action}),
            )
        place = _place(ledger, last, meant, self._call)
        receipt = super().call_in_transaction(operation, {**place, **arguments, "again": meant.why}, ledger)
        if not receipt.repeated:
            tool = self._call.name
            summary = f"{tool} is called once more, as {meant.decision} says."
            details = {"tool": tool, "action": receipt.id}
            noted = {"event": "other", "summary": summary, "details": details, "key": _key(meant.decision)}
            CATALOGUE["record_note"](self.context.in_transaction(ledger), noted)
        return receipt


def _place(view: View, action_id: str, meant: Meant, call: "ToolCall") -> dict[str, str]:
    """Where a repetition belongs: to the step that it repeats, which is done, and so is not found for it. Unless the
    plan has that step no more; or it has the same call as another one, which is due, and the decision names none."""
    action = view.get(Action, action_id)
    execution = view.get(Execution, action.execution) if action and action.step else None
    if action is None or execution is None:
        return {}
    steps = steps_of(view, execution)
    if action.step not in [step.id for step in steps]:
        return {}
    due = None if meant.step else find_step(view, call.local.context.masker, execution, call.seen, call.arguments)
    if due and due.id in plans.ready_steps(steps, undecided(progress_of(view, execution.id))):
        return {}
    return {"execution_id": execution.id, "step": action.step}


def decided(call: "ToolCall", action_id: str) -> Retry | None:
    """The decision by which a call may repeat what an action did, if there is one that nobody has used."""
    meant = call.local.context.read(lambda view: unused(view, action_id))
    return Retry(call, action_id, meant.why) if meant else None


def unused(view: View, action_id: str) -> Meant | None:
    """The decision to retry that was made since an action: one about its step, before one about none."""
    action = view.get(Action, action_id)
    if action is None:
        return None
    found = [entry for entry in _standing(view, action) if not _is_used(view, entry.id)]
    if not found:
        return None
    entry = next((each for each in found if _step(each)), found[0])
    body = view.bodies([entry.seq]).get(entry.seq, "{}")
    return Meant(entry.id, str(json.decode(body).get("why") or "It was decided to retry."), _step(entry))


def _standing(view: View, action: Action) -> Iterator[Entry]:
    """The decisions to repeat what an action did, the newest first, back to one that has taken back what was before."""
    for entry in _decisions(view, action):
        assert isinstance(entry.facts, DecisionRecorded)
        if entry.facts.step not in ("", action.step):
            continue
        if entry.facts.decision in TAKES_BACK:
            return
        if entry.facts.decision == "retry":
            yield entry


def _decisions(view: View, action: Action) -> Iterator[Entry]:
    """What was decided in an action's execution since, the newest first."""
    execution = view.get(Execution, action.execution)
    before = execution.decision_seq + 1 if execution else 0
    for _ in range(MAX_ENTRIES_SCANNED // PAGE):
        if before <= action.seq + 1:
            return
        page = view.entries(after=before, limit=PAGE, execution=action.execution, newest_first=True)
        yield from (each for each in page if each.seq > action.seq and isinstance(each.facts, DecisionRecorded))
        before = page[-1].seq if len(page) == PAGE else 0


def _newest(view: View, action_id: str) -> str:
    """The last action that had the effect of this one, or may have it: what was done meanwhile counts too."""
    action = view.get(Action, action_id)
    if action is None:
        return action_id
    where = Select(
        where={"execution": action.execution, "effect_key": action.effect_key}, limit=MAX_SAME_EFFECT_SCANNED
    )
    there = (row.id for row in view.find(Action, where) if row.state in ("ok", *UNSETTLED))
    return next(there, action_id)


def _step(entry: Entry) -> str:
    return entry.facts.step if isinstance(entry.facts, DecisionRecorded) else ""


def _is_used(view: View, decision: str) -> bool:
    return view.get(IdempotencyKey, _key(decision)) is not None


def _key(decision: str) -> str:
    return f"retry:{decision}"


# ----------------------------------------------------------------------------------------------------------------------
# The same call in doubt, wherever in the journal: it is not made again until somebody has settled it.
#
# In its own execution the journal's rules see to that. But a client that tells no conversation begins a new execution
# when it starts the gateway anew, and what was under way when the last one died is in the old one.


def check(call: "ToolCall") -> None:
    """Refuse a call that is in doubt in another execution, open or ended: that a run is given up settles nothing. Where
    it cannot be looked up, what is done without a journal decides."""
    if call.effect in REPEATABLE:
        return
    with suppress(StorageUnavailable):
        found = call.local.context.read(lambda view: _in_doubt(call, view))
        if found is not None:
            raise InDoubtOpen(
                f"{found.id} of {found.execution} is this call, in doubt.",
                hint="See what it did first.",
                next_call=(
                    "record_action",
                    {"phase": "end", "action_id": found.id, "outcome": "ok or failed", "evidence": "..."},
                ),
            )


def _in_doubt(call: "ToolCall", view: View) -> Action | None:
    context = call.local.context
    effect = context.effect_key(call.name, call.arguments)
    rows = view.find(Action, Select(where={"state": UNSETTLED, "effect_key": effect}, limit=MAX_SAME_EFFECT_SCANNED))
    if not rows:
        return None
    own = open_execution_for(call, view, context.reader_session(view))
    elsewhere = (row for row in rows if row.action_kind == "do" and not (own and row.execution == own.id))
    others = (row for row in elsewhere if not call.named or row.call != call.named)
    return next((row for row in others if is_in_doubt(view, row)), None)
