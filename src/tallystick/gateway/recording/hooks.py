"""Asks, for a call at the gateway, what hooks have recorded of the same call."""

from tallystick.core.errors import StorageUnavailable
from tallystick.core.state import Action, Execution
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.operations.attribution.executions import find_execution, fit_of_call
from tallystick.operations.runtime.correlation import action_begun_by_hook, action_of_call, may_be_same_call
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation_context import Transaction
from tallystick.protocol.meta import call_id_in_meta
from tallystick.store.interface import View


def usable_call_id(call: CallRequest) -> str:
    """The client's id of a call; empty if it already names another call.

    If that cannot be looked up, the id is used as it is: hooks report it too.
    """
    context, id = call.local.context, call_id_in_meta(call.meta)

    def is_free(view: View) -> bool:
        action = action_of_call(view, id)
        if action is None:
            return True
        return may_be_same_call(view, action, context.reader_session(view), call.name, call.shown_as)

    try:
        return id if id and context.read(is_free) else ""
    except StorageUnavailable:
        return id


def begun_action(call: CallRequest, transaction: Transaction) -> Action | None:
    """The action that a hook has begun for a call without an id."""
    return None if call.client_call_id else action_begun_by_hook(transaction, call.name, call.shown_as, call.arguments)


def execution_of_call(call: CallRequest, transaction: Transaction) -> Execution | None:
    """The execution in which a hook saw the call, else the open one that it fits."""
    seen = begun_action(call, transaction)
    if seen is not None:
        return require_row(transaction.ledger, Execution, seen.execution, "execution_id")
    return open_execution_for(call, transaction.ledger, transaction.session)


def open_execution_for(call: CallRequest, view: View, session: str) -> Execution | None:
    """The open execution that a call fits, or would be recorded in."""
    context = call.local.context
    fits = fit_of_call(view, context.masker, call.seen, call.arguments)
    return find_execution(view, session, context.principal.actor, fits)
