"""A grant that the agent has asked for itself: a client's call cannot name it, so the gateway finds it."""

from typing import TYPE_CHECKING

from tallystick.core.errors import ApprovalPending, TallystickError
from tallystick.core.rules import is_expired
from tallystick.core.state import Approval
from tallystick.gateway import watched
from tallystick.operations.desk import Sheet
from tallystick.store.port import Select

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall

LOOKED_AT = 100
"""How many answered questions of an execution are looked through, the newest first."""


def added(call: "ToolCall", error: TallystickError) -> bool:
    """Whether the begin, refused for want of an approval, now names one: granted for this call or its step, and not
    used."""
    if error.field != "approval_id" or "approval_id" in call.said:
        return False
    step = _step(error) or call.said.get("step", "")
    effect = call.said.get("effect_key") or call.local.desk.effect_key(call.name, call.arguments)

    def look(sheet: Sheet) -> str:
        execution = call.said.get("execution_id")
        if execution is None:
            seen = watched.execution(call, sheet)
            execution = seen.id if seen else ""
        where = Select(where={"execution": execution, "status": ("approve", "edit")}, limit=LOOKED_AT)
        for row in sheet.ledger.find(Approval, where):
            planned = call.local.desk.effect_key(row.tool, call.arguments) if row.step else ""  # by the plan's own name
            covers = row.granted in (effect, planned) if row.granted else row.step == step != ""
            if covers and row.step in ("", step) and not is_expired(row, sheet.ledger.now()):
                return row.id
        return ""

    found: str = call.local.desk.write(look)
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
