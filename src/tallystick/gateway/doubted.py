"""The same call in doubt, wherever in the journal: it is not made again until somebody has settled it.

In its own execution the journal's rules see to that. But a client that tells no conversation begins a new execution
when it starts the gateway anew, and what was under way when the last one died is in the old one.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

from tallystick.core.errors import InDoubtOpen, StorageUnavailable
from tallystick.core.state import Action
from tallystick.gateway.watched import placed
from tallystick.operations.allowing import REPEATABLE, SAME_EFFECT
from tallystick.operations.presence import UNSETTLED, is_in_doubt
from tallystick.store.port import Select, View

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall


def check(call: "ToolCall") -> None:
    """Refuse a call that is in doubt in another execution, open or ended: that a run is given up settles nothing. Where
    it cannot be looked up, what is done without a journal decides."""
    if call.effect in REPEATABLE:
        return
    with suppress(StorageUnavailable):
        found = call.local.desk.read(lambda view: _in_doubt(call, view))
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
    desk = call.local.desk
    effect = desk.effect_key(call.name, call.arguments)
    rows = view.find(Action, Select(where={"state": UNSETTLED, "effect_key": effect}, limit=SAME_EFFECT))
    if not rows:
        return None
    own = placed(call, view, desk.reads_in(view))
    elsewhere = (row for row in rows if row.action_kind == "do" and not (own and row.execution == own.id))
    others = (row for row in elsewhere if not call.named or row.call != call.named)
    return next((row for row in others if is_in_doubt(view, row)), None)
