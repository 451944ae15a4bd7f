"""`approve_in: client`: the question of an asked call as a form in the client, and what the client answers.

Nobody can check who filled in the form: the client could have answered by itself. So the answer is recorded with its
channel, and only for a rule that permits it (decision 0049).
"""

import hmac
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Raw

from tallystick.core.errors import ApprovalPending, NotPermitted, WrongState
from tallystick.core.formats.visible import escape_block, escape_json, escape_line
from tallystick.core.redaction.sanitize import mask_and_cut
from tallystick.gateway.policy.rulings import Ruling
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.operations.approvals import record_client_answer
from tallystick.protocol.jsonrpc import decode_object, decode_raw

METHOD = "elicitation/create"
INPUT_NAME = "approval"
"""The name of our request among the `inputRequests` of a result."""
STATE_PREFIX = "tallystick1"
MAX_ARGUMENTS_CHARACTERS = 2000
"""How much of the arguments the form shows. The question in the journal has all of them."""
MAX_REASON_CHARACTERS = 2000
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "title": "Your answer", "enum": ["approve", "reject"]},
        "reason": {"type": "string", "title": "Why", "description": "The agent gets to read it."},
    },
    "required": ["verdict"],
}


class ClientAnswer(NamedTuple):
    """What a client answered: a verdict, or "" if the form was closed without one or the answer cannot be read."""

    verdict: Literal["approve", "reject", ""] = ""
    reason: str = ""


class StatedAnswer(NamedTuple):
    """An answer that came with another call, and the approval in the request state beside it."""

    approval: str
    answer: ClientAnswer


def may_answer(ruling: Ruling, capabilities: Any) -> bool:
    """Whether the rule lets the client answer, and the client can show a form. `{}` is a form, as MCP says."""
    modes = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    has_form = isinstance(modes, dict) and ("form" in modes or "url" not in modes)
    return has_form and ruling.policy == "ask" and ruling.approve_in == "client"


def approval_of(pending: ApprovalPending) -> str:
    """The question that a call waits for."""
    name, arguments = pending.next_call or ("", {})
    return str(arguments.get("approval_id", "")) if name == "get_approval" else ""


def form(call: CallRequest, ruling: Ruling, server: str, tool: str, approval: str) -> dict[str, Any]:
    """The parameters of `elicitation/create`. All that others wrote stands in one line each."""
    lines = (
        escape_line(ruling.question) or "May the agent make this call, once and with exactly these arguments?",
        f"Server: {escape_line(server)}",
        f"Tool: {escape_line(tool)}",
        f"Arguments: {_arguments(call, approval)}",
        f"Question: {approval}",
    )
    return {"message": "\n".join(lines), "requestedSchema": SCHEMA}


def _arguments(call: CallRequest, approval: str) -> str:
    text = escape_json(msgspec.json.encode(call.arguments).decode())
    shown = mask_and_cut(text, MAX_ARGUMENTS_CHARACTERS, call.local.context.masker, at_word=False)
    if len(text) <= MAX_ARGUMENTS_CHARACTERS:
        return shown
    return f"{shown} [cut: these are {len(text):,} characters. Read all of them in {approval} before you approve.]"


def read_result(raw: Any) -> ClientAnswer:
    """Read the result of `elicitation/create`. Declining is a no; a form that was closed is no answer."""
    result = decode_object(raw) if isinstance(raw, Raw) else None
    return _read(result or {})


def _read(result: dict[str, Any]) -> ClientAnswer:
    action, content = result.get("action"), result.get("content")
    content = content if isinstance(content, dict) else {}
    reason, verdict = content.get("reason"), content.get("verdict")
    reason = escape_block(reason.strip())[:MAX_REASON_CHARACTERS] if isinstance(reason, str) else ""
    if action == "decline" or (action == "accept" and verdict == "reject"):
        return ClientAnswer("reject", reason)
    return ClientAnswer("approve", reason) if action == "accept" and verdict == "approve" else ClientAnswer()


def record(call: CallRequest, approval: str, answer: ClientAnswer) -> None:
    """Record an answer with its channel. If somebody was faster, or the question has expired, it does not count."""
    if not answer.verdict:
        return
    try:
        record_client_answer(call.local.context, approval_id=approval, verdict=answer.verdict, reason=answer.reason)
    except WrongState:
        return


# ----------------------------------------------------------------------------------------------------------------------
# Clients of the modern era: the answer comes with another call, and the state of the question with it


def input_required(params: dict[str, Any], call: CallRequest, approval: str) -> dict[str, Any]:
    """The result that asks a client of the modern era. The state binds its answer to this question and this call."""
    state = f"{STATE_PREFIX}.{approval}.{_seal(call, approval)}"
    requests = {INPUT_NAME: {"method": METHOD, "params": params}}
    return {"resultType": "input_required", "inputRequests": requests, "requestState": state}


def take_answer(call: CallRequest) -> StatedAnswer | None:
    """Remove the answer to our question from a call, so that its server does not get it. None if there is no state of
    ours: it may be the server's. Raises NotPermitted for a state that this journal has not sealed for this call."""
    state = decode_raw(call.params.get("requestState"))
    if not isinstance(state, str) or not state.startswith(f"{STATE_PREFIX}."):
        return None
    _, _, sealed = state.partition(".")
    approval, _, seal = sealed.rpartition(".")
    if not hmac.compare_digest(seal.encode(), _seal(call, approval).encode()):
        raise _foreign_state()
    call.params.pop("requestState")
    responses = decode_raw(call.params.pop("inputResponses", None))
    response = responses.get(INPUT_NAME) if isinstance(responses, dict) else None
    return StatedAnswer(approval, _read(response if isinstance(response, dict) else {}))


def check_current(stated: StatedAnswer, approval: str) -> None:
    """Raise if an answer was meant for another question than the one that this call waits for now."""
    if stated.approval != approval:
        raise _foreign_state()


def _seal(call: CallRequest, approval: str) -> str:
    """A keyed digest with the key of the journal. No other digest of the journal is over a list with this beginning."""
    return call.local.context.digest(["request state", approval, call.effect_key])


def _foreign_state() -> NotPermitted:
    return NotPermitted(
        "Nothing was done: this requestState is of another question or another call, or was used.",
        hint="Make the call without requestState and inputResponses.",
    )
