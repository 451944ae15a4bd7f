"""Records a call that was not sent: refused, cancelled before it left, or to a tool or server that is not there.

Hooks of the same agent may have seen such a call: they see what an agent calls and what it is answered. So the gateway
records that nothing was done, whether the hook reports it before or after.
"""

from typing import Any

from msgspec.structs import replace

from tallystick.core.errors import TallystickError
from tallystick.core.state import Action, IdempotencyKey, Session
from tallystick.core.types import Actor
from tallystick.gateway.calls.client_call import ClientCall
from tallystick.gateway.io.log import LOG
from tallystick.gateway.messages import for_tool_caller
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

CANCELLED = "It was cancelled before it left."


async def record_rejected(call: ClientCall, error: TallystickError) -> None:
    """Record that the call cannot be made: its tool or its server is not there."""
    await _identify(call)
    call.gateway.note_refusal(call, error)
    await record_not_sent(call, f"The gateway could not make it: {error.message}")


async def record_cancelled(call: ClientCall) -> None:
    """Record that the client cancelled the call before its begin was recorded."""
    await _identify(call)
    call.gateway.note(call, "other", f"{call.name} was not called. {CANCELLED}", {"tool": call.name})
    await record_not_sent(call, CANCELLED)


async def refuse(call: ClientCall, error: TallystickError) -> None:
    """Record that a policy or a rule refuses the call, then answer the client."""
    error = for_tool_caller(error, call.gateway.configuration.settings.tools)
    LOG.log_call("refused", tool=call.name, request_id=str(call.id), code=error.code)
    call.gateway.note_refusal(call, error)
    await record_not_sent(call, f"The gateway refused it: {error.message}")
    call.connection.answer(call.id, "tools/call", call.connection.refusal(error))


async def record_not_sent(call: ClientCall, reason: str) -> None:
    """Record that the call was skipped, if hooks watch the same agent."""
    context, id = call.local.context, call.client_call_id
    seen = _find_hook_action(call)
    if not seen and not _may_hooks_report(call, id):
        return
    # Recorded as a hook's observation: a refused call is recorded as seen, without the rules checking it again.
    observer = Local(context.for_principal(replace(context.principal, actor=Actor(kind="hook", name="gateway"))))
    end = {"phase": "end", "outcome": "skipped", "without_effect": True, "error": reason}
    if seen:
        await _record_quietly(call, observer, {**end, "action_id": seen})
        return
    begin = {
        "phase": "begin",
        "tool": call.name,
        "arguments": payloads.stored_arguments(context, call.arguments, 0),
        "effect": call.effect,
        "call_id": id,
        **({"shown_as": call.shown_as} if call.shown_as else {}),
    }
    if await _record_quietly(call, observer, begin):
        await _record_quietly(call, observer, {**end, "call_id": id})


async def _record_quietly(call: ClientCall, local: Local, fields: dict[str, Any]) -> bool:
    """Whether the record was written: the call is answered either way."""
    try:
        await call.gateway.writer.record(local, "record_action", fields)
    except Exception:
        return False
    return True


async def _identify(call: ClientCall) -> None:
    """Look up what hooks have seen of the call: its id, and its arguments."""
    await call.gateway.writer.availability.wait()
    call.find_client_call_id()
    try:
        call.parse_arguments()
    except TallystickError:
        return  # a call that is not sent may have any arguments


def _find_hook_action(call: ClientCall) -> str:
    """The action that a hook has begun for the call. An action that the gateway has sent is not one."""
    context, id = call.local.context, call.client_call_id

    def under_id(view: View) -> Action | None:
        action = action_of_call(view, id)
        return action if action and not action.end_seq and not _was_sent(view, id) else None

    try:
        action = (
            context.read(under_id) if id else context.write(lambda transaction: hooks.begun_action(call, transaction))
        )
    except TallystickError:
        return ""
    return action.id if action else ""


def _may_hooks_report(call: ClientCall, id: str) -> bool:
    """Whether hooks may still report the call, under the same id."""
    context = call.local.context
    try:
        return bool(id) and context.read(lambda view: _is_watched(context, view) and not _was_sent(view, id))
    except TallystickError:
        return False  # a journal that cannot be read cannot be written either; that is logged already


def _was_sent(view: View, call_id: str) -> bool:
    """Whether the gateway has sent the call with this id before."""
    action = action_of_call(view, call_id)
    begun = view.entry(action.seq) if action else None
    is_gateways = begun is not None and begun.actor.kind == "gateway"
    return is_gateways or view.get(IdempotencyKey, call_key(call_id, "gateway")) is not None


def _is_watched(context: OperationContext, view: View) -> bool:
    """Whether hooks watch the agent: in its conversation, else in a session of the process or client beside ours."""
    conversation, session_id = context.principal.conversation, context.reader_session(view)
    if not conversation:
        session = view.get(Session, session_id) if session_id else None
        return session is not None and bool(observers_of_same_agent(view, session))
    rows = view.find(Session, Select(where={"name": conversation}, limit=MAX_SESSIONS_OF_CONVERSATION))
    return any(row.session_kind == "client" and row.witness == "observed" for row in rows)
