"""One action, read back whole."""

from contextlib import suppress
from typing import Any, Literal

from msgspec import Struct, json

from tallystick.core import spans
from tallystick.core.errors import InvalidArgument
from tallystick.core.model import ActorKind, Handle
from tallystick.core.state import Action
from tallystick.operations.desk import Desk
from tallystick.operations.handles import known
from tallystick.operations.operation import operation
from tallystick.operations.presence import UNSETTLED, is_in_doubt
from tallystick.store.port import View

ActionState = Literal["open", "in_doubt", "ok", "failed", "skipped"]


class ActionShown(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is told of an action wherever it is told, as it stands now.

    `begun` and `ended` are when that was seen, where who observed it could record it only later. An entry has its own
    time besides.
    """

    id: str
    state: ActionState
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
    attempt: int = 1
    ended: str = ""


class ActionView(ActionShown, frozen=True, omit_defaults=True, kw_only=True):
    """What was begun and what came of it. Text in it was written by some model or tool."""

    effect: str = "unsafe"
    said: dict[str, Any] = {}
    came: dict[str, Any] = {}


@operation("read", "GET /v1/actions/{action_id}", example={"action_id": "ac_a4hx"})
def get_action(desk: Desk, *, action_id: Handle) -> ActionView:
    """One action: what was said at its begin, and what came of it."""
    return desk.read(lambda view: _described(view, known(view, Action, action_id, "action_id")))


def _described(view: View, row: Action) -> ActionView:
    bodies = {seq: json.decode(body) for seq, body in view.bodies({row.seq, row.end_seq} - {0}).items()}
    return ActionView(
        **shown(row, state_of(view, row), *(bodies.get(seq, {}).get("seen_at", "") for seq in (row.seq, row.end_seq))),
        effect=row.effect,
        said=bodies.get(row.seq, {}),
        came=bodies.get(row.end_seq, {}),
    )


def shown(row: Action, state: ActionState, began: str = "", ended: str = "") -> dict[str, Any]:
    """The fields of `ActionShown`, with when its begin and its end were seen, by what their entries say."""
    return {
        "id": row.id,
        "state": state,
        "begun": _seen(row, began, row.at),
        "execution_id": row.execution,
        "session": row.session,
        "actor": row.actor,
        "actor_kind": row.actor_kind,
        "witness": row.witness,
        "kind": row.action_kind,
        "undoes": row.undoes,
        "undone_by": row.undone_by,
        "owed": row.owed,
        "tool": row.tool,
        "step": row.step,
        "attempt": row.attempt,
        "ended": _seen(row, ended, row.ended_at) if row.ended_at else "",
    }


def _seen(row: Action, said: str, recorded: int) -> str:
    """When something was seen. An agent's own word of that counts for nothing, and nothing is seen after its record."""
    if said and row.witness == "observed":
        with suppress(InvalidArgument):
            return spans.iso(min(spans.parse_time(said, "seen_at"), recorded))
    return spans.iso(recorded)


def state_of(view: View, row: Action, over: dict[str, bool] | None = None) -> ActionState:
    """How an action stands as of now; `over` remembers which sessions are."""
    if row.state in UNSETTLED:
        return "in_doubt" if is_in_doubt(view, row, over) else "open"
    return row.state  # type: ignore[return-value]  # what is not unsettled is an outcome
