"""A call that hooks watch too, and that no id of the client's tells: the action that a hook has begun for it."""

from typing import TYPE_CHECKING

from tallystick.core.state import Action, Execution
from tallystick.operations.attaching import execution_seen
from tallystick.operations.desk import Sheet
from tallystick.operations.handles import known
from tallystick.operations.witnesses import begun_by_hook
from tallystick.protocol.meta import call_of

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall


def begun(call: "ToolCall", sheet: Sheet) -> Action | None:
    return None if call_of(call.meta) else begun_by_hook(sheet, call.name, call.arguments)


def execution(call: "ToolCall", sheet: Sheet) -> Execution | None:
    """The execution that a call belongs to: that in which it was seen, else the open one."""
    seen = begun(call, sheet)
    if seen is not None:
        return known(sheet.ledger, Execution, seen.execution, "execution_id")
    return execution_seen(sheet.ledger, sheet.session, sheet.desk.asker.actor)
