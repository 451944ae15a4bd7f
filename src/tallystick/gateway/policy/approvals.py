"""Policy `ask`: a person grants exactly this call, once. Nothing waits: the agent makes the same call again later."""

from typing import TYPE_CHECKING, Any

from tallystick.core.errors import AlreadyDone, ApprovalPending, Conflict, TallystickError, WrongState
from tallystick.core.rules import is_expired
from tallystick.core.state import Action, Approval, Execution, IdempotencyKey, Session
from tallystick.core.types import FINAL_STATUSES
from tallystick.gateway.messages import ONCE_APPROVED, outcome_unknown
from tallystick.gateway.policy import repeats
from tallystick.gateway.recording import hooks
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.attribution import find_or_open_execution, find_step
from tallystick.operations.runtime.correlation import action_of_call
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation_context import Transaction
from tallystick.store.interface import Select, View

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall


# ----------------------------------------------------------------------------------------------------------------------
# What a person was asked by a gateway that is gone: the next one of the same client goes on with it.
#
# A client that tells no conversation begins a new execution when it starts the gateway anew, and a question belongs to
# its execution. The person who was asked knows nothing of that: they have answered for exactly this call. So the call
# that makes use of it is recorded in the execution in which it was asked, and nothing else is: for all that is known,
# this gateway may serve another agent (decision 0028).

UNUSED = ("pending", "approve", "edit", "reject", "respond")
NO = ("reject", "respond")
MAX_QUESTIONS_SCANNED = 100
"""How many questions about one call, and how many edits, are looked through, the newest first."""


def question(call: "ToolCall") -> Approval | None:
    """The newest question about this call that a gateway of the same client has left and that nobody has made use of.

    A grant is used by one call. A no is told by one gateway, as often as it is called there; the next one may ask anew,
    or what was once refused could never be asked again.
    """
    if call.local.context.principal.conversation:
        return None  # it goes on in the execution of its conversation
    return call.local.context.write(lambda transaction: _left(call, transaction))


def is_ours(call: "ToolCall", approval: str) -> bool:
    """Whether the call that has used a grant went through this gateway, for the same asker."""

    def look(view: View) -> bool:
        row = view.get(Approval, approval)
        action = view.get(Action, row.used_by) if row and row.used_by else None
        return (
            action is not None
            and action.gateway_session != ""
            and action.gateway_session == call.local.context.reader_session(view)
        )

    return call.local.context.read(look)


def _left(call: "ToolCall", transaction: Transaction) -> Approval | None:
    view, mine = transaction.ledger, transaction.ledger.get(Session, transaction.session)
    if mine is None or _has_place(call, transaction):
        return None
    row = next((row for row in _about(call, view) if _is_left(transaction, row, mine)), None)
    if row is None or row.status not in NO:
        return row
    return row if _is_told_here(transaction, row, mine) else None


def _has_place(call: "ToolCall", transaction: Transaction) -> bool:
    """Whether the call belongs elsewhere: a hook has seen it begin, or it is a step of what the agent works on, or an
    undo there. A grant of another execution cannot be used for it then."""
    view, context = transaction.ledger, transaction.context
    if (action_of_call(view, call.named) if call.named else hooks.begun_action(call, transaction)) is not None:
        return True
    own = hooks.execution_of_call(call, transaction)
    if own is None or own.status == "unwinding":
        return own is not None
    return bool(own.plan_id) and find_step(view, context.masker, own, call.seen, call.arguments) is not None


def _about(call: "ToolCall", view: View) -> list[Approval]:
    """The questions about a call that nobody has made use of, and the edits that grant it, the newest first. People
    answer them: there are never many."""
    effect = call.local.context.effect_key(call.name, call.arguments)
    asked = view.find(Approval, Select(where={"status": UNUSED, "effect_key": effect}, limit=MAX_QUESTIONS_SCANNED))
    edits = view.find(Approval, Select(where={"status": "edit"}, limit=MAX_QUESTIONS_SCANNED))
    granted = [row for row in edits if row.granted == effect != row.effect_key]
    return sorted([*asked, *granted], key=lambda row: row.seq, reverse=True)


def _is_left(transaction: Transaction, row: Approval, mine: Session) -> bool:
    """Whether a question still stands, and was asked by a gateway of the same client on this machine that is gone."""
    view = transaction.ledger
    entry, execution = view.entry(row.seq), view.get(Execution, row.execution)
    if entry is None or execution is None or execution.status in FINAL_STATUSES or is_expired(row, view.now()):
        return False
    principal = view.get(Session, entry.session)
    if principal is None or entry.actor != transaction.context.principal.actor:
        return False
    return (principal.name, principal.host) == ("", mine.host) and view.is_over(principal)


def _is_told_here(transaction: Transaction, row: Approval, mine: Session) -> bool:
    """Whether it is for this gateway to tell a no: it is the first, and that is noted under a key of the question."""
    view, key = transaction.ledger, f"told:{row.id}"
    known = view.get(IdempotencyKey, key)
    if known is not None:
        entry = view.entry(known.seq)
        return entry is not None and entry.session == mine.id
    summary = f"What a person has said to {row.id} is told here: the gateway that asked is gone."
    noted = {"event": "other", "summary": summary, "details": {"approval": row.id}, "key": key}
    CATALOGUE["record_note"](transaction.context.in_transaction(view), noted)
    return True


# ----------------------------------------------------------------------------------------------------------------------

MAX_EDITS_SCANNED = 100
"""How many edited grants of an execution are looked through."""
QUESTIONS = 1000
"""How often one call can be asked about: each question is another key."""


def granted(call: "ToolCall") -> dict[str, Any]:
    """What the begin says of the approval that grants this call, or the refusal that says what a person has said, or
    has not said yet."""
    execution: str = call.local.context.write(lambda transaction: _id_of(hooks.execution_of_call(call, transaction)))
    edited = _edited(call, execution) if execution else ""
    if edited:
        return {"execution_id": execution, "approval_id": edited}
    effect = call.local.context.effect_key(call.name, call.arguments)
    first = call.gateway.questions.get((execution, effect), 0)
    for number in range(first, first + QUESTIONS):
        if not execution or not _was_asked(call, _key(execution, effect, number)):
            if found := _inherited(call, effect):
                return found
            execution = execution or call.local.context.write(
                lambda transaction: find_or_open_execution(transaction).id
            )
        call.gateway.questions[execution, effect] = number
        asked = {
            "question": call.ruling.question or f"May the agent call {call.name} with exactly these arguments?",
            "execution_id": execution,
            "tool": call.name,
            "arguments": call.arguments,
            "expires": call.ruling.expires,
            "key": _key(execution, effect, number),
        }
        try:
            receipt = call.gateway.writer.call(call.local, "request_approval", asked)
        except Conflict:
            continue  # it was asked in other words
        if receipt.status in ("approve", "edit") and _has_lapsed(call, receipt.id):
            continue  # a grant that was not used in time is asked for anew
        if receipt.status == "approve":
            return {"execution_id": execution, "approval_id": receipt.id}
        if receipt.status == "pending":
            raise _pending(receipt.id)
        if receipt.status in ("reject", "respond", "edit"):
            raise _answered(call, receipt.id)
        if receipt.status == "used":
            _check_used(call, receipt.id)
    raise WrongState(f"{call.name} was asked about too often.", hint="Ask a person to change the policy.")


def _inherited(call: "ToolCall", effect: str) -> dict[str, Any]:
    """The same of what a gateway has asked that is gone, and nothing where there is no such question: before a person
    is asked anew."""
    taken = call.gateway.inherited.get((call.principal, effect), "")
    if taken and is_ours(call, taken):
        _check_used(call, taken)
    row = question(call)
    if row is None:
        return {}
    if row.status == "approve" or (row.status == "edit" and row.granted == effect):
        for key in (effect, row.effect_key):
            call.gateway.inherited[call.principal, key] = row.id
        return {"execution_id": row.execution, "approval_id": row.id}
    raise _pending(row.id) if row.status == "pending" else _answered(call, row.id)


def _id_of(execution: Execution | None) -> str:
    return execution.id if execution else ""


def _key(execution: str, effect: str, number: int) -> str:
    return f"ask:{execution}:{effect}:{number}"


def _was_asked(call: "ToolCall", key: str) -> bool:
    return call.local.context.read(lambda view: view.get(IdempotencyKey, key)) is not None


def _has_lapsed(call: "ToolCall", approval: str) -> bool:
    def look(view: View) -> bool:
        return is_expired(require_row(view, Approval, approval, "approval_id"), view.now())

    return bool(call.ruling.expires) and call.local.context.read(look)


def spent(call: "ToolCall") -> None:
    """A grant that the journal refuses. One that an equal call has just used is told of as any used one; where it has
    lapsed, or belongs elsewhere, the next call asks anew."""
    approval = call.said["approval_id"]
    row = call.local.context.read(lambda view: require_row(view, Approval, approval, "approval_id"))
    effect = call.local.context.effect_key(call.name, call.arguments)
    if row.status == "used":
        taken_up = call.gateway.inherited.get((call.principal, effect)) == row.id
        if taken_up and not is_ours(call, row.id):
            granted(call)  # another gateway was quicker: what it does is not this agent's, and a person is asked anew
        else:
            _check_used(call, row.id)
    asked = (row.execution, effect)
    call.gateway.questions[asked] = call.gateway.questions.get(asked, 0) + 1


def _check_used(call: "ToolCall", approval: str) -> None:
    """A grant that was used: what it was used for is not done twice, and what came of it is not asked about again;
    unless the agent has decided so since. What a person has changed was done for these arguments, and is not them."""
    row = call.local.context.read(lambda view: require_row(view, Approval, approval, "approval_id"))
    effect = call.local.context.effect_key(call.name, call.arguments)
    if row.granted not in ("", effect):
        raise WrongState(
            f"Nothing was done: a person granted this call with other arguments ({row.id}), and that was done as"
            f" {row.used_by}.",
            hint="Use its result.",
            next_call=("get_action", {"action_id": row.used_by}),
        )
    action = call.gateway.writer.call(call.local, "get_action", {"action_id": row.used_by})
    if call.ruling.effect in ("read", "idempotent") or repeats.decided(call, action.id):
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


def _edited(call: "ToolCall", execution: str) -> str:
    """The grant of an edit that says exactly what this call says, by the key of what was granted: its text is masked.
    One that was used is looked at as any other."""
    effect = call.local.context.effect_key(call.name, call.arguments)
    where = Select(where={"execution": execution, "status": ("edit", "used")}, limit=MAX_EDITS_SCANNED)
    rows = call.local.context.read(lambda view: view.find(Approval, where))
    edits = [row for row in rows if row.granted == effect != row.effect_key]
    for row in edits:
        if row.status == "edit" and not _has_lapsed(call, row.id):
            return row.id
    for row in edits[:1]:
        _check_used(call, row.id)
    return ""


def _pending(approval: str) -> ApprovalPending:
    return ApprovalPending(
        f"Nothing was done: {approval} waits for a person's answer.",
        hint=ONCE_APPROVED,
        next_call=("get_approval", {"approval_id": approval}),
    )


def _answered(call: "ToolCall", approval: str) -> WrongState:
    view = call.gateway.writer.call(call.local, "get_approval", {"approval_id": approval})
    said = " ".join(filter(None, (view.answer, view.reason)))
    if view.status == "edit":
        return WrongState(
            f"Nothing was done: {approval} grants this call with other arguments.",
            hint="Call with exactly those under `edited`.",
            next_call=("get_approval", {"approval_id": approval}),
        )
    word = "rejected" if view.status == "reject" else "answered"
    return WrongState(
        f"Nothing was done: {approval} was {word} by a person{': ' + said if said else '.'}",
        hint="Do not call again; decide what to do instead.",
        next_call=("get_approval", {"approval_id": approval}),
    )


# ----------------------------------------------------------------------------------------------------------------------
# A grant that the agent has asked for itself: a client's call cannot name it, so the gateway finds it.

MAX_GRANTS_SCANNED = 100
"""How many answered questions of an execution are looked through, the newest first."""


def added(call: "ToolCall", error: TallystickError) -> bool:
    """Whether the begin, refused for want of an approval, now names one: granted for this call or its step, and not
    used."""
    if error.field != "approval_id" or "approval_id" in call.said:
        return False
    step = _step(error) or call.said.get("step", "")
    effect = call.said.get("effect_key") or call.local.context.effect_key(call.name, call.arguments)

    def look(transaction: Transaction) -> str:
        execution = call.said.get("execution_id")
        if execution is None:
            seen = hooks.execution_of_call(call, transaction)
            execution = seen.id if seen else ""
        where = Select(where={"execution": execution, "status": ("approve", "edit")}, limit=MAX_GRANTS_SCANNED)
        for row in transaction.ledger.find(Approval, where):
            planned = (
                call.local.context.effect_key(row.tool, call.arguments) if row.step else ""
            )  # by the plan's own name
            covers = row.granted in (effect, planned) if row.granted else row.step == step != ""
            if covers and row.step in ("", step) and not is_expired(row, transaction.ledger.now()):
                return row.id
        return ""

    found: str = call.local.context.write(look)
    if found:
        call.said["approval_id"] = found
    return bool(found)


def advised(call: "ToolCall", error: TallystickError) -> TallystickError:
    """The refusal with what to ask for: the grant is bound to the name that the journal has for the tool."""
    step = _step(error)
    if not isinstance(error, ApprovalPending) or not step or error.next_call is None:
        return error
    asked = {**error.next_call[1], "tool": call.name}
    return ApprovalPending(
        "Nothing was done. Once approved, call again.",  # the next call takes most of the room
        hint="",
        field="approval_id",
        next_call=("request_approval", asked),
    )


def _step(error: TallystickError) -> str:
    return str(error.next_call[1].get("step", "")) if error.next_call else ""
