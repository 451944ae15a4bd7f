"""Repeated calls: finds decisions that permit a retry, and refuses a call in doubt before a person is asked about it.

A decision `retry` permits one call that repeats what was done before the decision, at the decision's step if it names
one. The commit of that call's begin notes the decision as used, under a key of the decision. So a call that a rule
refuses does not use it, and a second call, at this gateway or another, finds it used. The decision stays valid until it
is used, or until a decision in `CANCELS_RETRY` takes it back.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from msgspec import json

from tallystick.core import plans
from tallystick.core.entries import DecisionRecorded, Entry
from tallystick.core.errors import AlreadyDone, StorageUnavailable
from tallystick.core.state import UNSETTLED, Action, Execution, IdempotencyKey
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.operations import CATALOGUE, Operation
from tallystick.operations.attribution.placement import MAX_SAME_EFFECT_SCANNED
from tallystick.operations.attribution.steps import find_step
from tallystick.operations.begin import CallCheck
from tallystick.operations.runtime.correlation import action_of_call
from tallystick.operations.runtime.doubts import REPEATABLE
from tallystick.operations.runtime.progress import progress_of, steps_of, undecided
from tallystick.sdk.local import Local
from tallystick.store.interface import Ledger, Select, View

PAGE_ENTRIES = 64
MAX_ENTRIES_SCANNED = 1024
"""How many entries of an execution are scanned for decisions, from the newest decision back: so a long execution costs
no more than a short one."""
CANCELS_RETRY = ("skip", "unwind", "stop", "fail", "done")
"""Decisions that cancel an earlier decision to retry."""


class RetryDecision(NamedTuple):
    """A decision to retry. `step` is the step that it names, or ""."""

    id: str
    why: str
    step: str


class RetryCaller(Local):
    """Records the begin of a call that a decision permits, and notes the decision as used, in one commit."""

    def __init__(self, call: CallRequest, action_id: str, why: str) -> None:
        super().__init__(call.local.context)
        self.why = why
        self._action_id = action_id
        self._call = call

    def call_in_transaction(self, operation: Operation[..., Any], arguments: dict[str, Any], ledger: Ledger) -> Any:
        repeated = _newest_with_same_effect(ledger, self._action_id)
        decision = find_unused_decision(ledger, repeated)
        if decision is None:
            raise AlreadyDone(
                f"The decision has let a call through already, and this one was done as {self._action_id}.",
                hint="Use its result.",
                next_call=("get_action", {"action_id": self._action_id}),
            )
        step = _step_fields(ledger, repeated, decision, self._call)
        receipt = super().call_in_transaction(operation, {**step, **arguments, "again": decision.why}, ledger)
        if not receipt.repeated:
            tool = self._call.name
            summary = f"{tool} is called once more, as {decision.id} says."
            details = {"tool": tool, "action": receipt.id}
            note = {"event": "other", "summary": summary, "details": details, "key": _used_key(decision.id)}
            CATALOGUE["record_note"](self.context.in_transaction(ledger), note)
        return receipt


def find_retry(call: CallRequest, action_id: str) -> RetryCaller | None:
    """Return the way to record a repetition of an action, if an unused decision permits it."""
    decision = call.local.context.read(lambda view: find_unused_decision(view, action_id))
    return RetryCaller(call, action_id, decision.why) if decision else None


def find_unused_decision(view: View, action_id: str) -> RetryDecision | None:
    """The decision to retry an action that nobody has used. One about its step comes before one about no step."""
    action = view.get(Action, action_id)
    if action is None:
        return None
    entries = [entry for entry in _valid_retries(view, action) if not _is_used(view, entry.id)]
    if not entries:
        return None
    entry = next((each for each in entries if _step_of(each)), entries[0])
    body = view.bodies([entry.seq]).get(entry.seq, "{}")
    return RetryDecision(entry.id, str(json.decode(body).get("why") or "It was decided to retry."), _step_of(entry))


def check_not_in_doubt(call: CallRequest) -> None:
    """Raise InDoubtOpen if the same call is in doubt anywhere, so that nobody is asked about a call that the journal
    would refuse. If the journal cannot be read, the setting for an unavailable journal decides."""
    if call.effect not in REPEATABLE:
        check = CallCheck("", "", call.effect, call.effect_key, "", call.arguments)

        def work(view: View) -> None:
            reported = action_of_call(view, call.client_call_id) if call.client_call_id else None
            check.check_doubts(view, None, None, joins=reported.id if reported else "")

        with suppress(StorageUnavailable):
            call.local.context.read(work)


def _step_fields(view: View, action_id: str, decision: RetryDecision, call: CallRequest) -> dict[str, str]:
    """The begin fields that assign a repetition to the step of the action it repeats.

    That step is done, so the rules would not find it. The fields are empty if the plan no longer has the step, or if
    the same call is another step that is due and the decision names none.
    """
    action = view.get(Action, action_id)
    execution = view.get(Execution, action.execution) if action and action.step else None
    if action is None or execution is None:
        return {}
    steps = steps_of(view, execution)
    if action.step not in [step.id for step in steps]:
        return {}
    due = None if decision.step else find_step(view, call.local.context.masker, execution, call.seen, call.arguments)
    if due and due.id in plans.ready_steps(steps, undecided(progress_of(view, execution.id))):
        return {}
    return {"execution_id": execution.id, "step": action.step}


def _valid_retries(view: View, action: Action) -> Iterator[Entry]:
    """The decisions to retry an action, newest first, back to one that cancels those before it."""
    for entry in _decisions_since(view, action):
        assert isinstance(entry.facts, DecisionRecorded)
        if entry.facts.step not in ("", action.step):
            continue
        if entry.facts.decision in CANCELS_RETRY:
            return
        if entry.facts.decision == "retry":
            yield entry


def _decisions_since(view: View, action: Action) -> Iterator[Entry]:
    """The decisions in an action's execution since the action began, newest first."""
    execution = view.get(Execution, action.execution)
    before = execution.decision_seq + 1 if execution else 0
    for _ in range(MAX_ENTRIES_SCANNED // PAGE_ENTRIES):
        if before <= action.seq + 1:
            return
        page = view.entries(after=before, limit=PAGE_ENTRIES, execution=action.execution, newest_first=True)
        yield from (each for each in page if each.seq > action.seq and isinstance(each.facts, DecisionRecorded))
        before = page[-1].seq if len(page) == PAGE_ENTRIES else 0


def _newest_with_same_effect(view: View, action_id: str) -> str:
    """The newest action with the effect of this one: a repetition meanwhile counts too."""
    action = view.get(Action, action_id)
    if action is None:
        return action_id
    where = Select(
        where={"execution": action.execution, "effect_key": action.effect_key}, limit=MAX_SAME_EFFECT_SCANNED
    )
    rows = (row.id for row in view.find(Action, where) if row.state in ("ok", *UNSETTLED))
    return next(rows, action_id)


def _step_of(entry: Entry) -> str:
    return entry.facts.step if isinstance(entry.facts, DecisionRecorded) else ""


def _is_used(view: View, decision_id: str) -> bool:
    return view.get(IdempotencyKey, _used_key(decision_id)) is not None


def _used_key(decision_id: str) -> str:
    return f"retry:{decision_id}"
