"""Policy `ask`: a person approves exactly this call, once. The call is refused until then, and made again by the agent.

A question belongs to its execution. A client that names no conversation begins a new execution when it restarts the
gateway, but the person's answer is still meant for exactly this call. So the new gateway uses the answer, and records
that one call in the execution of the question. Nothing else is recorded there, because the new gateway may serve
another agent (decision 0028).
"""

from typing import Any

from tallystick.core.errors import AlreadyDone, ApprovalPending, Conflict, TallystickError, WrongState
from tallystick.core.rules import is_expired
from tallystick.core.state import Action, Approval, Execution, IdempotencyKey, Session
from tallystick.core.types import FINAL_STATUSES
from tallystick.gateway.messages import ONCE_APPROVED, outcome_unknown
from tallystick.gateway.policy import repeats
from tallystick.gateway.policy.rulings import Ruling
from tallystick.gateway.recording import hooks
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.operations import CATALOGUE
from tallystick.operations.attribution.executions import find_or_open_execution
from tallystick.operations.attribution.steps import find_step
from tallystick.operations.runtime.correlation import action_of_call
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation_context import Transaction
from tallystick.store.interface import Select, View

UNUSED = ("pending", "approve", "edit", "reject", "respond")
NEGATIVE = ("reject", "respond")
MAX_QUESTIONS_SCANNED = 100
"""How many questions about one call are scanned, newest first."""
MAX_EDITS_SCANNED = 100
"""How many edited approvals are scanned, newest first."""
MAX_GRANTS_SCANNED = 100
"""How many answered questions of an execution are scanned, newest first."""
MAX_QUESTIONS_PER_CALL = 1000
"""How often one call can be asked about: each question has a key of its own."""


class Approvals:
    """Finds or requests the approvals of one gateway's calls."""

    def __init__(self) -> None:
        self._question_numbers: dict[tuple[str, str], int] = {}
        """How many questions about a call are used up, by execution and effect key."""
        self._adopted: dict[tuple[str, str], str] = {}
        """Approvals of earlier gateways that this one used, by caller id and effect key."""
        self.shown_in_clients: set[str] = set()
        """Questions that a client shows now."""

    def require(self, call: CallRequest, ruling: Ruling) -> dict[str, Any]:
        """Return the begin fields that name the approval of this call.

        Raises ApprovalPending, or the refusal that reports what a person answered.
        """
        execution: str = call.local.context.write(
            lambda transaction: _id_of(hooks.execution_of_call(call, transaction))
        )
        edited = _find_edited(call, ruling, execution) if execution else ""
        if edited:
            return {"execution_id": execution, "approval_id": edited}
        effect_key = call.effect_key
        first = self._question_numbers.get((execution, effect_key), 0)
        for number in range(first, first + MAX_QUESTIONS_PER_CALL):
            if not execution or not _was_asked(call, _question_key(execution, effect_key, number)):
                if adopted := self._adopt_orphaned(call, effect_key):
                    return adopted
                execution = execution or call.local.context.write(
                    lambda transaction: find_or_open_execution(transaction).id
                )
            self._question_numbers[execution, effect_key] = number
            if approval := _ask(call, ruling, execution, _question_key(execution, effect_key, number)):
                return {"execution_id": execution, "approval_id": approval}
        raise WrongState(f"{call.name} was asked about too often.", hint="Ask a person to change the policy.")

    def on_approval_rejected(self, call: CallRequest, ruling: Ruling) -> None:
        """The journal rejected the approval that the begin names: raise why, or let the next call ask again.

        An equal call may just have used it: then the refusal is that of any used approval. If it has expired, or
        belongs to another execution, nothing is raised.
        """
        approval = call.begin["approval_id"]
        row = _approval(call, approval)
        effect_key = call.effect_key
        if row.status == "used":
            is_adopted = self._adopted.get((call.caller_id, effect_key)) == row.id
            if is_adopted and not _was_used_here(call, row.id):
                self.require(call, ruling)  # another gateway was faster, for another agent: a person is asked again
            else:
                _check_used(call, row.id)
        question = (row.execution, effect_key)
        self._question_numbers[question] = self._question_numbers.get(question, 0) + 1

    def _adopt_orphaned(self, call: CallRequest, effect_key: str) -> dict[str, Any]:
        """Return the begin fields of an approval that an earlier gateway requested, or {} if there is no question.

        Raises the refusal of a question that is pending or was denied. Runs before a person is asked again.
        """
        taken = self._adopted.get((call.caller_id, effect_key), "")
        if taken and _was_used_here(call, taken):
            _check_used(call, taken)
        row = _find_orphaned_question(call)
        if row is None:
            return {}
        if row.status == "approve" or (row.status == "edit" and row.granted == effect_key):
            for key in (effect_key, row.effect_key):
                self._adopted[call.caller_id, key] = row.id
            return {"execution_id": row.execution, "approval_id": row.id}
        raise _pending(row.id) if row.status == "pending" else _answered(call, row.id)


# ----------------------------------------------------------------------------------------------------------------------
# Questions of this execution


def _ask(call: CallRequest, ruling: Ruling, execution: str, key: str) -> str:
    """Ask a person, or read the answer if this question was asked before.

    Returns the approval, or "" if another question has to be asked. Raises the refusal if there is no approval.
    """
    question = {
        "question": ruling.question or f"May the agent call {call.name} with exactly these arguments?",
        "execution_id": execution,
        "tool": call.name,
        "arguments": call.arguments,
        "expires": ruling.expires,
        "key": key,
    }
    try:
        receipt = call.local.call(CATALOGUE["request_approval"], question)
    except Conflict:
        return ""  # the same key has a question with another text
    if receipt.status in ("approve", "edit") and _is_expired(call, ruling, receipt.id):
        return ""  # an approval that was not used in time is requested again
    if receipt.status == "approve":
        return str(receipt.id)
    if receipt.status == "pending":
        raise _pending(receipt.id)
    if receipt.status in ("reject", "respond", "edit"):
        raise _answered(call, receipt.id)
    if receipt.status == "used":
        _check_used(call, receipt.id)
    return ""


def _find_edited(call: CallRequest, ruling: Ruling, execution: str) -> str:
    """Return the approval with edited arguments that are exactly this call's, or "".

    It is found by the key of what was granted, since its text is masked. Raises if it was used already.
    """
    effect_key = call.effect_key
    where = Select(where={"execution": execution, "status": ("edit", "used")}, limit=MAX_EDITS_SCANNED)
    rows = call.local.context.read(lambda view: view.find(Approval, where))
    edits = [row for row in rows if row.granted == effect_key != row.effect_key]
    for row in edits:
        if row.status == "edit" and not _is_expired(call, ruling, row.id):
            return row.id
    for row in edits[:1]:
        _check_used(call, row.id)
    return ""


def _check_used(call: CallRequest, approval: str) -> None:
    """Raise unless the call of a used approval may be repeated: it failed, is repeatable, or a decision says retry.

    If a person edited the arguments, the approval was used for those, not for this call.
    """
    row = _approval(call, approval)
    if row.granted not in ("", call.effect_key):
        raise WrongState(
            f"Nothing was done: a person approved this call with edited arguments ({row.id}), and it was made as"
            f" {row.used_by}.",
            hint="Use its result.",
            next_call=("get_action", {"action_id": row.used_by}),
        )
    action = call.local.call(CATALOGUE["get_action"], {"action_id": row.used_by})
    if call.effect in ("read", "idempotent") or repeats.find_retry(call, action.id):
        return
    if action.state == "ok":
        raise AlreadyDone(
            f"The same call has succeeded as {action.id}.",
            hint="Use its result.",
            next_call=("get_action", {"action_id": action.id}),
        )
    if action.state == "open":
        raise WrongState(
            f"Nothing was done: the same call was granted, and is under way as {action.id}.",
            hint="Wait for it, and use its result.",
            next_call=("get_action", {"action_id": action.id}),
        )
    if action.state == "in_doubt":
        raise outcome_unknown("The same call was granted, and made.", action.id)


def _pending(approval: str) -> ApprovalPending:
    return ApprovalPending(
        f"Nothing was done: {approval} waits for a person's answer.",
        hint=ONCE_APPROVED,
        next_call=("get_approval", {"approval_id": approval}),
    )


def _answered(call: CallRequest, approval: str) -> WrongState:
    view = call.local.call(CATALOGUE["get_approval"], {"approval_id": approval})
    answer = " ".join(filter(None, (view.answer, view.reason)))
    if view.status == "edit":
        return WrongState(
            f"Nothing was done: {approval} grants this call with other arguments.",
            hint="Call with exactly those under `edited`.",
            next_call=("get_approval", {"approval_id": approval}),
        )
    verb = "rejected" if view.status == "reject" else "answered"
    who = "in the client" if view.answered_in else "by a person"
    return WrongState(
        f"Nothing was done: {approval} was {verb} {who}{': ' + answer if answer else '.'}",
        hint="Do not call again; decide what to do instead.",
        next_call=("get_approval", {"approval_id": approval}),
    )


def _approval(call: CallRequest, id: str) -> Approval:
    return call.local.context.read(lambda view: require_row(view, Approval, id, "approval_id"))


def _is_expired(call: CallRequest, ruling: Ruling, approval: str) -> bool:
    def look_up(view: View) -> bool:
        return is_expired(require_row(view, Approval, approval, "approval_id"), view.now())

    return bool(ruling.expires) and call.local.context.read(look_up)


def _was_asked(call: CallRequest, key: str) -> bool:
    return call.local.context.read(lambda view: view.get(IdempotencyKey, key)) is not None


def _question_key(execution: str, effect_key: str, number: int) -> str:
    return f"ask:{execution}:{effect_key}:{number}"


def _id_of(execution: Execution | None) -> str:
    return execution.id if execution else ""


# ----------------------------------------------------------------------------------------------------------------------
# Questions that an earlier gateway of the same client left


def _find_orphaned_question(call: CallRequest) -> Approval | None:
    """The newest unused question about this call that an earlier gateway of the same client left.

    An approval is used by one call. A denial is reported by one gateway, for every call there. The gateway after that
    may ask again, or a call that was denied once could never be asked about again.
    """
    if call.local.context.principal.conversation:
        return None  # the call is in the execution of its conversation, where its questions are
    return call.local.context.write(lambda transaction: _scan_orphaned(call, transaction))


def _scan_orphaned(call: CallRequest, transaction: Transaction) -> Approval | None:
    view, session = transaction.ledger, transaction.ledger.get(Session, transaction.session)
    if session is None or _belongs_elsewhere(call, transaction):
        return None
    row = next((row for row in _questions_about(call, view) if _is_orphaned(transaction, row, session)), None)
    if row is None or row.status not in NEGATIVE:
        return row
    return row if _claim_denial(transaction, row, session) else None


def _belongs_elsewhere(call: CallRequest, transaction: Transaction) -> bool:
    """Whether the call belongs to an execution of its own, so that an approval of another cannot be used.

    A hook has seen it begin, or it is a step of the agent's current execution, or an undo there.
    """
    view, context = transaction.ledger, transaction.context
    begun = action_of_call(view, call.client_call_id) if call.client_call_id else hooks.begun_action(call, transaction)
    if begun is not None:
        return True
    execution = hooks.execution_of_call(call, transaction)
    if execution is None:
        return False
    if execution.unwound:
        return True
    return bool(execution.plan_id) and find_step(view, context.masker, execution, call.seen, call.arguments) is not None


def _questions_about(call: CallRequest, view: View) -> list[Approval]:
    """The unused questions about a call, and the edits that grant it, newest first. People answer them, so they are
    few."""
    effect_key = call.effect_key
    asked = view.find(Approval, Select(where={"status": UNUSED, "effect_key": effect_key}, limit=MAX_QUESTIONS_SCANNED))
    edits = view.find(Approval, Select(where={"status": "edit"}, limit=MAX_EDITS_SCANNED))
    granted = [row for row in edits if row.granted == effect_key != row.effect_key]
    return sorted([*asked, *granted], key=lambda row: row.seq, reverse=True)


def _is_orphaned(transaction: Transaction, row: Approval, session: Session) -> bool:
    """Whether a question is still valid, and its gateway served the same client on this machine and is gone."""
    view = transaction.ledger
    entry, execution = view.entry(row.seq), view.get(Execution, row.execution)
    if entry is None or execution is None or execution.status in FINAL_STATUSES or is_expired(row, view.now()):
        return False
    asking_session = view.get(Session, entry.session)
    if asking_session is None or entry.actor != transaction.context.principal.actor:
        return False
    return (asking_session.name, asking_session.host) == ("", session.host) and view.is_over(asking_session)


def _claim_denial(transaction: Transaction, row: Approval, session: Session) -> bool:
    """Whether this gateway reports a denial: the first gateway that notes it under a key of the question does."""
    view, key = transaction.ledger, f"told:{row.id}"
    keyed = view.get(IdempotencyKey, key)
    if keyed is not None:
        entry = view.entry(keyed.seq)
        return entry is not None and entry.session == session.id
    summary = f"This gateway reports the answer to {row.id}, because the gateway that asked has ended."
    note = {"event": "other", "summary": summary, "details": {"approval": row.id}, "key": key}
    CATALOGUE["record_note"](transaction.context.in_transaction(view), note)
    return True


def _was_used_here(call: CallRequest, approval: str) -> bool:
    """Whether the call that used an approval went through this gateway, for the same caller."""

    def look_up(view: View) -> bool:
        row = view.get(Approval, approval)
        action = view.get(Action, row.used_by) if row and row.used_by else None
        return (
            action is not None
            and action.gateway_session != ""
            and action.gateway_session == call.local.context.reader_session(view)
        )

    return call.local.context.read(look_up)


# ----------------------------------------------------------------------------------------------------------------------
# Approvals that the agent requested itself: a tools/call cannot name one, so the gateway finds it


def add_requested_approval(call: CallRequest, error: TallystickError) -> bool:
    """Add an unused approval for this call or its step to a begin that was refused for lack of one.

    Returns whether one was found.
    """
    if error.field != "approval_id" or "approval_id" in call.begin:
        return False
    step = _step_of(error) or call.begin.get("step", "")
    effect_key = call.begin.get("effect_key") or call.effect_key

    def look_up(transaction: Transaction) -> str:
        execution = call.begin.get("execution_id")
        if execution is None:
            execution = _id_of(hooks.execution_of_call(call, transaction))
        where = Select(where={"execution": execution, "status": ("approve", "edit")}, limit=MAX_GRANTS_SCANNED)
        rows = transaction.ledger.find(Approval, where)
        now = transaction.ledger.now()
        return next(
            (row.id for row in rows if _covers(call, row, step, effect_key) and not is_expired(row, now)),
            "",
        )

    approval: str = call.local.context.write(look_up)
    if approval:
        call.begin["approval_id"] = approval
    return bool(approval)


def _covers(call: CallRequest, row: Approval, step: str, effect_key: str) -> bool:
    """Whether an approval is for this call. That of a step names the tool as the plan does."""
    planned = call.local.context.effect_key(row.tool, call.arguments) if row.step else ""
    is_granted = row.granted in (effect_key, planned) if row.granted else row.step == step != ""
    return is_granted and row.step in ("", step)


def with_journal_tool_name(call: CallRequest, error: TallystickError) -> TallystickError:
    """Let a refusal of a step name the tool as the journal does: an approval is bound to that name."""
    step = _step_of(error)
    if not isinstance(error, ApprovalPending) or not step or error.next_call is None:
        return error
    return ApprovalPending(
        "Nothing was done. Once approved, call again.",  # short, because the next call takes most of the room
        hint="",
        field="approval_id",
        next_call=("request_approval", {**error.next_call[1], "tool": call.name}),
    )


def _step_of(error: TallystickError) -> str:
    return str(error.next_call[1].get("step", "")) if error.next_call else ""
