"""Asks the client of a call for a person's answer, while the call waits, if its rule says `approve_in: client`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import ApprovalPending
from tallystick.gateway.io.loop import Future
from tallystick.gateway.policy import client_answers
from tallystick.gateway.policy.client_answers import ClientAnswer, StatedAnswer
from tallystick.protocol import CAPABILITIES_KEY

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall


async def permit(call: "ToolCall", check_policy: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what the policy returns, after the client was asked if it has to be.

    Returns {} if the call is over: cancelled meanwhile, or answered with the question. Raises the refusal of the
    policy: that of a question which is still pending, or of what was answered.
    """
    stated, call.stated_answer = call.stated_answer, None
    try:
        return check_policy()
    except ApprovalPending as pending:
        approval = client_answers.approval_of(pending)
        if not approval or not client_answers.may_answer(call.ruling, _capabilities(call)):
            raise
        if not await _ask(call, approval, stated):
            return {}
    return check_policy()  # as the journal has it now: somebody else may have answered first


async def _ask(call: "ToolCall", approval: str, stated: StatedAnswer | None) -> bool:
    """Get and record the client's answer, if it gives one. Returns whether the call goes on."""
    form = client_answers.form(call, call.ruling, call.upstream.name, call.tool, approval)
    if stated is not None:
        client_answers.check_current(stated, approval)
        answer = stated.answer
    elif call.connection.is_modern:
        call.state = "over"
        call.connection.answer(call.id, "tools/call", client_answers.input_required(form, call, approval))
        return False
    else:
        answer = await _answer_in_form(call, approval, form)
        if call.state != "waiting":
            return False  # `cancel` has recorded it
    await call.gateway.writer.availability.wait()
    if call.state != "waiting":
        return False
    client_answers.record(call, approval, answer)
    return True


async def _answer_in_form(call: "ToolCall", approval: str, form: dict[str, Any]) -> ClientAnswer:
    """Show the form in a client of the handshake era, and wait. A question that it shows already is not shown again."""
    shown = call.gateway.approvals.shown_in_clients
    if approval in shown:
        return ClientAnswer()
    answered: Future[Any] = Future()
    withdraw = call.connection.ask_person(client_answers.METHOD, form, call.id, answered.resolve)
    seconds = call.ruling.timeout
    timer = call.gateway.loop.later(seconds, lambda: answered.resolve(None)) if seconds > 0 else None
    call.stop_asking = lambda: answered.resolve(None)
    shown.add(approval)
    try:
        result = await answered
    finally:
        shown.discard(approval)
        call.stop_asking = None
        if timer is not None:
            timer.cancel()
        withdraw()
    return client_answers.read_result(result)


def _capabilities(call: "ToolCall") -> Any:
    """The client's capabilities. In the modern era each call states them: several clients share a connection."""
    return call.meta.get(CAPABILITIES_KEY) if call.connection.is_modern else call.connection.capabilities
