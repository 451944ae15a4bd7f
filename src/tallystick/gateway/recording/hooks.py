"""A call that hooks watch too: the client's id of it, or else the action that a hook has begun for it."""

from typing import TYPE_CHECKING

from tallystick.core.errors import StorageUnavailable
from tallystick.core.state import Action, Execution
from tallystick.operations.attaching import execution_seen, fits_call
from tallystick.operations.desk import Sheet
from tallystick.operations.handles import known
from tallystick.operations.joining import action_of_call
from tallystick.operations.witnesses import begun_by_hook, may_be
from tallystick.protocol.meta import call_of
from tallystick.store.port import View

if TYPE_CHECKING:
    from tallystick.gateway.requested import Requested


def id_of(call: "Requested") -> str:
    """The client's id of a call, if it can be of this one alone: an id is of one conversation, and of one call there.
    Where that cannot be looked up, it is taken for what it says: hooks tell it too."""
    desk, id = call.local.desk, call_of(call.meta)

    def is_free(view: View) -> bool:
        known = action_of_call(view, id)
        return known is None or may_be(view, known, desk.reads_in(view), call.name, call.shown_as)

    try:
        return id if id and desk.read(is_free) else ""
    except StorageUnavailable:
        return id


def begun(call: "Requested", sheet: Sheet) -> Action | None:
    return None if call.named else begun_by_hook(sheet, call.name, call.shown_as, call.arguments)


def execution(call: "Requested", sheet: Sheet) -> Execution | None:
    """The execution that a call belongs to: that in which it was seen, else the open one."""
    seen = begun(call, sheet)
    if seen is not None:
        return known(sheet.ledger, Execution, seen.execution, "execution_id")
    return placed(call, sheet.ledger, sheet.session)


def placed(call: "Requested", view: View, session: str) -> Execution | None:
    """The open execution that a call fits, or would be recorded in."""
    desk = call.local.desk
    fits = fits_call(view, desk.masker, call.seen, call.arguments)
    return execution_seen(view, session, desk.asker.actor, fits)
