"""A call that never left, and that hooks may have seen all the same: they see what an agent asks for, and what it is
told. It is said that nothing was done, before or after they tell of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tallystick.core.errors import TallystickError
from tallystick.core.state import Action, IdempotencyKey, Session
from tallystick.core.types import Actor
from tallystick.gateway.recording import hooks, payloads
from tallystick.operations.runtime.correlation import (
    MAX_SESSIONS_OF_CONVERSATION,
    action_of_call,
    call_key,
    observers_of_same_agent,
)
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.sdk.local import Local
from tallystick.store.interface import Select, View

if TYPE_CHECKING:
    from tallystick.gateway.calls.request import Requested


def record_not_sent(call: "Requested", why: str, then: Callable[[], None]) -> None:
    """Record that a call was not made, where hooks watch the same agent; and only then go on."""
    context, id = call.local.context, call.named
    seen = _seen(call)
    if not seen and not _is_to_be_told(call, id):
        then()
        return
    # As one who only saw it: what was refused is recorded as seen, and not asked about again.
    observer = Local(context.for_principal(replace(context.principal, actor=Actor(kind="hook", name="gateway"))))
    end = {"phase": "end", "outcome": "skipped", "without_effect": True, "error": why}
    if seen:
        call.gateway.writer.put(observer, "record_action", {**end, "action_id": seen}, lambda receipt, error: then())
        return
    begin = {
        "phase": "begin",
        "tool": call.name,
        "arguments": payloads.stored_arguments(context, call.arguments, 0),
        "effect": call.effect,
        "call_id": id,
        **({"shown_as": call.shown_as} if call.shown_as else {}),
    }
    end["call_id"] = id

    def begun(receipt: Any, error: BaseException | None) -> None:
        if error is None:
            call.gateway.writer.put(observer, "record_action", end, lambda receipt, error: then())
        else:
            then()

    call.gateway.writer.put(observer, "record_action", begin, begun)


def _seen(call: "Requested") -> str:
    """The action that a hook has begun for a call: under its id, where it has one. One that has left is not meant."""
    context, id = call.local.context, call.named

    def under_id(view: View) -> Action | None:
        found = action_of_call(view, id)
        return found if found and not found.end_seq and not _has_left(view, id) else None

    try:
        found = (
            context.read(under_id) if id else context.write(lambda transaction: hooks.begun_action(call, transaction))
        )
    except TallystickError:
        return ""
    return found.id if found else ""


def _is_to_be_told(call: "Requested", id: str) -> bool:
    """Whether hooks may tell of the call yet, under the same id."""
    context = call.local.context
    try:
        return bool(id) and context.read(lambda view: _is_watched(context, view) and not _has_left(view, id))
    except TallystickError:
        return False  # who cannot read the journal cannot write there either; it was said already


def _has_left(view: View, call_id: str) -> bool:
    """Whether the same call was let through before: then it is one that was sent again."""
    action = action_of_call(view, call_id)
    begun = view.entry(action.seq) if action else None
    by_us = begun is not None and begun.actor.kind == "gateway"
    return by_us or view.get(IdempotencyKey, call_key(call_id, "gateway")) is not None


def _is_watched(context: OperationContext, view: View) -> bool:
    """By the conversation; where none is told, by who has started us, or is the same kind of client."""
    conversation, session = context.principal.conversation, context.reader_session(view)
    if not conversation:
        mine = view.get(Session, session) if session else None
        return mine is not None and bool(observers_of_same_agent(view, mine))
    rows = view.find(Session, Select(where={"name": conversation}, limit=MAX_SESSIONS_OF_CONVERSATION))
    return any(row.session_kind == "client" and row.witness == "observed" for row in rows)
