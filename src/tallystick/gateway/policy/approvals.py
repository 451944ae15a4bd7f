"""Policy `ask`: a person grants exactly this call, once. Nothing waits: the agent makes the same call again later."""

from typing import TYPE_CHECKING, Any

from tallystick.core.errors import AlreadyDone, ApprovalPending, Conflict, WrongState
from tallystick.core.rules import is_expired
from tallystick.core.state import Approval, Execution, Keyed
from tallystick.gateway import again, inherited, watched
from tallystick.gateway.refusals import ONCE_APPROVED, died
from tallystick.operations.attaching import execution_for
from tallystick.operations.handles import known
from tallystick.store.port import Select, View

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall

LOOKED_AT = 100
"""How many edited grants of an execution are looked through."""
QUESTIONS = 1000
"""How often one call can be asked about: each question is another key."""


def granted(call: "ToolCall") -> dict[str, Any]:
    """What the begin says of the approval that grants this call, or the refusal that says what a person has said, or
    has not said yet."""
    execution: str = call.local.desk.write(lambda sheet: _id_of(watched.execution(call, sheet)))
    edited = _edited(call, execution) if execution else ""
    if edited:
        return {"execution_id": execution, "approval_id": edited}
    effect = call.local.desk.effect_key(call.name, call.arguments)
    first = call.hub.questions.get((execution, effect), 0)
    for number in range(first, first + QUESTIONS):
        if not execution or not _was_asked(call, _key(execution, effect, number)):
            if found := _inherited(call, effect):
                return found
            execution = execution or call.local.desk.write(lambda sheet: execution_for(sheet).id)
        call.hub.questions[execution, effect] = number
        asked = {
            "question": call.ruling.question or f"May the agent call {call.name} with exactly these arguments?",
            "execution_id": execution,
            "tool": call.name,
            "arguments": call.arguments,
            "expires": call.ruling.expires,
            "key": _key(execution, effect, number),
        }
        try:
            receipt = call.hub.scribe.call(call.local, "request_approval", asked)
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
    taken = call.hub.inherited.get((call.asker, effect), "")
    if taken and inherited.is_ours(call, taken):
        _check_used(call, taken)
    row = inherited.question(call)
    if row is None:
        return {}
    if row.status == "approve" or (row.status == "edit" and row.granted == effect):
        for key in (effect, row.effect_key):
            call.hub.inherited[call.asker, key] = row.id
        return {"execution_id": row.execution, "approval_id": row.id}
    raise _pending(row.id) if row.status == "pending" else _answered(call, row.id)


def _id_of(execution: Execution | None) -> str:
    return execution.id if execution else ""


def _key(execution: str, effect: str, number: int) -> str:
    return f"ask:{execution}:{effect}:{number}"


def _was_asked(call: "ToolCall", key: str) -> bool:
    return call.local.desk.read(lambda view: view.get(Keyed, key)) is not None


def _has_lapsed(call: "ToolCall", approval: str) -> bool:
    def look(view: View) -> bool:
        return is_expired(known(view, Approval, approval, "approval_id"), view.now())

    return bool(call.ruling.expires) and call.local.desk.read(look)


def spent(call: "ToolCall") -> None:
    """A grant that the journal refuses. One that an equal call has just used is told of as any used one; where it has
    lapsed, or belongs elsewhere, the next call asks anew."""
    approval = call.said["approval_id"]
    row = call.local.desk.read(lambda view: known(view, Approval, approval, "approval_id"))
    effect = call.local.desk.effect_key(call.name, call.arguments)
    if row.status == "used":
        taken_up = call.hub.inherited.get((call.asker, effect)) == row.id
        if taken_up and not inherited.is_ours(call, row.id):
            granted(call)  # another gateway was quicker: what it does is not this agent's, and a person is asked anew
        else:
            _check_used(call, row.id)
    asked = (row.execution, effect)
    call.hub.questions[asked] = call.hub.questions.get(asked, 0) + 1


def _check_used(call: "ToolCall", approval: str) -> None:
    """A grant that was used: what it was used for is not done twice, and what came of it is not asked about again;
    unless the agent has decided so since. What a person has changed was done for these arguments, and is not them."""
    row = call.local.desk.read(lambda view: known(view, Approval, approval, "approval_id"))
    effect = call.local.desk.effect_key(call.name, call.arguments)
    if row.granted not in ("", effect):
        raise WrongState(
            f"Nothing was done: a person granted this call with other arguments ({row.id}), and that was done as"
            f" {row.used_by}.",
            hint="Use its result.",
            next_call=("get_action", {"action_id": row.used_by}),
        )
    action = call.hub.scribe.call(call.local, "get_action", {"action_id": row.used_by})
    if call.ruling.effect in ("read", "idempotent") or again.decided(call, action.id):
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
        raise died("The same call was granted, and made.", action.id)


def _edited(call: "ToolCall", execution: str) -> str:
    """The grant of an edit that says exactly what this call says, by the key of what was granted: its text is masked.
    One that was used is looked at as any other."""
    effect = call.local.desk.effect_key(call.name, call.arguments)
    where = Select(where={"execution": execution, "status": ("edit", "used")}, limit=LOOKED_AT)
    rows = call.local.desk.read(lambda view: view.find(Approval, where))
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
    view = call.hub.scribe.call(call.local, "get_approval", {"approval_id": approval})
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
