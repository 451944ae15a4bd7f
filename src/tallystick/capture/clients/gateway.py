"""What our own gateway saw and could not record: it spools the arguments of the records that it would have made."""

from typing import Any, get_args

from tallystick.capture.clients.events import CallBegun, CallEnded, Observed
from tallystick.capture.clients.payload import Payload
from tallystick.core.types import Effect

EFFECTS = get_args(Effect)


def read(told: Payload) -> tuple[Observed, ...]:
    action = told.fields.get("action")
    if not isinstance(action, dict):
        return ()
    of: dict[str, Any] = {name: _text(action, name) for name in ("call_id", "tool")}
    of["conversation"] = told.text("conversation")
    if told.event == "begin":
        arguments = action.get("arguments")
        of |= {name: _text(action, name) for name in ("execution_id", "step", "approval_id", "effect_key", "shown_as")}
        effect = action.get("effect")
        of["effect"] = effect if effect in EFFECTS else None
        return (CallBegun(**of, arguments=arguments if isinstance(arguments, dict) else {}),)
    outcome = action.get("outcome")
    return (
        CallEnded(
            **of,
            outcome=outcome if outcome in ("ok", "failed", "skipped") else "unknown",
            result=action.get("result"),
            error=_text(action, "error"),
            without_effect=action.get("without_effect") is True,
        ),
    )


def _text(action: dict[str, Any], name: str) -> str:
    found = action.get(name)
    return found if isinstance(found, str) else ""
