"""Reads what our own gateway spooled: the arguments of the records that it could not write."""

from typing import Any, get_args

from tallystick.capture.clients.events import CallBegun, CallEnded, Observed
from tallystick.capture.clients.payload import Payload
from tallystick.core.types import Effect

EFFECTS = get_args(Effect)


def read(payload: Payload) -> tuple[Observed, ...]:
    """The begin or the end of a call; nothing if the payload has no action."""
    action = payload.fields.get("action")
    if not isinstance(action, dict):
        return ()
    fields: dict[str, Any] = {name: _text(action, name) for name in ("call_id", "tool")}
    fields["conversation"] = payload.text("conversation")
    if payload.event == "begin":
        names = ("execution_id", "step", "approval_id", "effect_key", "shown_as")
        fields |= {name: _text(action, name) for name in names}
        effect, arguments = action.get("effect"), action.get("arguments")
        fields["effect"] = effect if effect in EFFECTS else None
        return (CallBegun(**fields, arguments=arguments if isinstance(arguments, dict) else {}),)
    outcome = action.get("outcome")
    return (
        CallEnded(
            **fields,
            outcome=outcome if outcome in ("ok", "failed", "skipped") else "unknown",
            result=action.get("result"),
            error=_text(action, "error"),
            without_effect=action.get("without_effect") is True,
        ),
    )


def _text(action: dict[str, Any], name: str) -> str:
    value = action.get(name)
    return value if isinstance(value, str) else ""
