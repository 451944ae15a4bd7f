"""What a person was asked by a gateway that is gone: the next one of the same client goes on with it.

A client that tells no conversation begins a new execution when it starts the gateway anew, and a question belongs to
its execution. The person who was asked knows nothing of that: they have answered for exactly this call. So the call
that makes use of it is recorded in the execution in which it was asked, and nothing else is: for all that is known,
this gateway may serve another agent (decision 0028).
"""

from typing import TYPE_CHECKING

from tallystick.core.model import ENDED
from tallystick.core.rules import is_expired
from tallystick.core.state import Action, Approval, Execution, Keyed, Session
from tallystick.gateway import watched
from tallystick.operations import CATALOGUE
from tallystick.operations.attaching import step_seen
from tallystick.operations.desk import Sheet
from tallystick.operations.joining import action_of_call
from tallystick.store.port import Select, View

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall

UNUSED = ("pending", "approve", "edit", "reject", "respond")
NO = ("reject", "respond")
LOOKED_AT = 100
"""How many questions about one call, and how many edits, are looked through, the newest first."""


def question(call: "ToolCall") -> Approval | None:
    """The newest question about this call that a gateway of the same client has left and that nobody has made use of.

    A grant is used by one call. A no is told by one gateway, as often as it is called there; the next one may ask anew,
    or what was once refused could never be asked again.
    """
    if call.local.desk.asker.conversation:
        return None  # it goes on in the execution of its conversation
    return call.local.desk.write(lambda sheet: _left(call, sheet))


def is_ours(call: "ToolCall", approval: str) -> bool:
    """Whether the call that has used a grant went through this gateway, for the same asker."""

    def look(view: View) -> bool:
        row = view.get(Approval, approval)
        action = view.get(Action, row.used_by) if row and row.used_by else None
        return action is not None and action.through != "" and action.through == call.local.desk.reads_in(view)

    return call.local.desk.read(look)


def _left(call: "ToolCall", sheet: Sheet) -> Approval | None:
    view, mine = sheet.ledger, sheet.ledger.get(Session, sheet.session)
    if mine is None or _has_place(call, sheet):
        return None
    row = next((row for row in _about(call, view) if _is_left(sheet, row, mine)), None)
    if row is None or row.status not in NO:
        return row
    return row if _is_told_here(sheet, row, mine) else None


def _has_place(call: "ToolCall", sheet: Sheet) -> bool:
    """Whether the call belongs elsewhere: a hook has seen it begin, or it is a step of what the agent works on, or an
    undo there. A grant of another execution cannot be used for it then."""
    view, desk = sheet.ledger, sheet.desk
    if (action_of_call(view, call.named) if call.named else watched.begun(call, sheet)) is not None:
        return True
    own = watched.execution(call, sheet)
    if own is None or own.status == "unwinding":
        return own is not None
    return bool(own.plan_id) and step_seen(view, desk.masker, own, call.seen, call.arguments) is not None


def _about(call: "ToolCall", view: View) -> list[Approval]:
    """The questions about a call that nobody has made use of, and the edits that grant it, the newest first. People
    answer them: there are never many."""
    effect = call.local.desk.effect_key(call.name, call.arguments)
    asked = view.find(Approval, Select(where={"status": UNUSED, "effect_key": effect}, limit=LOOKED_AT))
    edits = view.find(Approval, Select(where={"status": "edit"}, limit=LOOKED_AT))
    granted = [row for row in edits if row.granted == effect != row.effect_key]
    return sorted([*asked, *granted], key=lambda row: row.seq, reverse=True)


def _is_left(sheet: Sheet, row: Approval, mine: Session) -> bool:
    """Whether a question still stands, and was asked by a gateway of the same client on this machine that is gone."""
    view = sheet.ledger
    entry, execution = view.entry(row.seq), view.get(Execution, row.execution)
    if entry is None or execution is None or execution.status in ENDED or is_expired(row, view.now()):
        return False
    asker = view.get(Session, entry.session)
    if asker is None or entry.actor != sheet.desk.asker.actor:
        return False
    return (asker.name, asker.host) == ("", mine.host) and view.over(asker)


def _is_told_here(sheet: Sheet, row: Approval, mine: Session) -> bool:
    """Whether it is for this gateway to tell a no: it is the first, and that is noted under a key of the question."""
    view, key = sheet.ledger, f"told:{row.id}"
    known = view.get(Keyed, key)
    if known is not None:
        entry = view.entry(known.seq)
        return entry is not None and entry.session == mine.id
    summary = f"What a person has said to {row.id} is told here: the gateway that asked is gone."
    noted = {"event": "other", "summary": summary, "details": {"approval": row.id}, "key": key}
    CATALOGUE["record_note"](sheet.desk.on(view), noted)
    return True
