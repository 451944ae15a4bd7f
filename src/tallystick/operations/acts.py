"""One action, read back whole."""

from typing import Any

from msgspec import Struct, json

from tallystick.core import spans
from tallystick.core.model import ActorKind, Handle
from tallystick.core.state import Action
from tallystick.operations.desk import Desk
from tallystick.operations.handles import known
from tallystick.operations.operation import operation
from tallystick.operations.presence import is_in_doubt
from tallystick.store.port import View


class ActionView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was begun and what came of it, as it stands now. Text in it was written by some model or tool."""

    id: str
    state: str
    begun: str
    execution_id: str = ""
    session: str = ""
    actor: str = ""
    actor_kind: ActorKind = "agent"
    witness: str = "claimed"
    kind: str = "do"
    undoes: str = ""
    undone_by: str = ""
    owed: str = ""
    tool: str = ""
    step: str = ""
    effect: str = "unsafe"
    attempt: int = 1
    ended: str = ""
    said: dict[str, Any] = {}
    came: dict[str, Any] = {}


@operation("read", "GET /v1/actions/{action_id}", example={"action_id": "ac_a4hx"})
def get_action(desk: Desk, *, action_id: Handle) -> ActionView:
    """One action: what was said at its begin, and what came of it."""
    return desk.read(lambda view: _described(view, known(view, Action, action_id, "action_id")))


def _described(view: View, row: Action) -> ActionView:
    bodies = {seq: json.decode(body) for seq, body in view.bodies({row.seq, row.end_seq} - {0}).items()}
    return ActionView(
        id=row.id,
        state="in_doubt" if is_in_doubt(view, row) else row.state,
        begun=spans.iso(row.at),
        execution_id=row.execution,
        session=row.session,
        actor=row.actor,
        actor_kind=row.actor_kind,
        witness=row.witness,
        kind=row.action_kind,
        undoes=row.undoes,
        undone_by=row.undone_by,
        owed=row.owed,
        tool=row.tool,
        step=row.step,
        effect=row.effect,
        attempt=row.attempt,
        ended=spans.iso(row.ended_at) if row.ended_at else "",
        said=bodies.get(row.seq, {}),
        came=bodies.get(row.end_seq, {}),
    )
