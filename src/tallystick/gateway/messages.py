"""Why a call was not made, or why nobody knows what came of it: in words, with the next thing to do.

A model is told so in about eighty tokens, of which the next call takes up to half. So the ids come first, and what may
be cut off comes last.
"""

from typing import Any

import msgspec
from msgspec import Raw

from tallystick import protocol
from tallystick.core.errors import (
    AlreadyDone,
    ApprovalPending,
    InDoubtOpen,
    NotPermitted,
    StorageUnavailable,
    TallystickError,
    WrongState,
)
from tallystick.protocol.jsonrpc import decode_object, error_object


def refused(tool: str) -> NotPermitted:
    return NotPermitted(
        f"The gateway's configuration refuses {tool}. Nothing was done.",
        hint="Do without it, or have a person change the policy.",
    )


def outcome_unknown(why: str, action: str) -> InDoubtOpen:
    return InDoubtOpen(
        f"{action or 'The call'} is in doubt: {why}",
        hint="See what it did first.",
        next_call=(
            "record_action",
            {"phase": "end", "action_id": action, "outcome": "ok or failed", "evidence": "..."},
        )
        if action
        else None,
    )


def not_now(server: str, problem: str) -> WrongState:
    return WrongState(
        f'The server "{server}" {problem}. The call was not made.',
        hint="It is started again by itself: try again in a moment, or do without it.",
    )


def not_taken(server: str, problem: str) -> WrongState:
    return WrongState(
        f'The server "{server}" {problem}. Nothing was done.',
        hint="Have its address and its credentials in the gateway's configuration looked at, or do without it.",
    )


def unrecorded(error: BaseException) -> StorageUnavailable:
    return StorageUnavailable(
        f"The journal cannot be written, so the call was not made: {error}",
        hint="Have the journal repaired, and try again.",
    )


NONE = "none"
"""The setting of `tools` with which none of ours are there."""
ONCE_APPROVED = "Once it is approved, make the same call again."
"""The gateway finds the grant: who calls a server's own tool cannot name it."""
_AGAIN = "`again`"
"""An argument of record_action: who calls a server's own tool cannot give it."""


def followable(error: TallystickError, tools: str) -> TallystickError:
    """A refusal of the journal's rules, with a hint that an agent can follow which has called a server's tool, and has
    such tools of ours."""
    if isinstance(error, ApprovalPending) and error.next_call and error.next_call[0] == "get_approval":
        return ApprovalPending(error.message, hint=ONCE_APPROVED, next_call=error.next_call)
    if _AGAIN not in error.hint:
        return error
    if isinstance(error, InDoubtOpen):
        hint = f"Look at the real system first. If it was done, and has to be once more, {retrying(tools)}."
        id = error.next_call[1].get("action_id", "") if error.next_call else ""
        message = f"{id} is the same call, and in doubt." if id else error.message
        return InDoubtOpen(message, hint=hint, next_call=error.next_call)
    if isinstance(error, AlreadyDone):
        hint = f"Use its result. To do it once more, {retrying(tools)}, and call again."
        return AlreadyDone(error.message, hint=hint, next_call=error.next_call)
    return WrongState(error.message, hint="Wait for it, and use its result.", next_call=error.next_call)


def done_already(error: TallystickError, tools: str) -> AlreadyDone:
    """The effect is there, and what came of it cannot be answered once more."""
    hint = f"Its effect is there already. To cause it once more, {retrying(tools)}, and call again."
    return AlreadyDone(f"The call was not made. {error.message}", hint=hint, next_call=error.next_call)


def unplanned(tool: str, tools: str) -> WrongState:
    """No execution of a plan is open. Who has none of our tools cannot open one: what is typed in a shell is of another
    session."""
    ours = tools != NONE
    return WrongState(
        f"Nothing was done: {tool} is only called as a step of a plan, and no execution of one is open.",
        hint="Record a plan with this call as a step, and start its execution."
        if ours
        else "Do without it, or have a person change its policy, or the gateway's `tools`.",
        next_call=("record_plan", {}) if ours else None,
    )


def retrying(tools: str, execution: str = "") -> str:
    """How a repetition comes to be decided: without our tools, by somebody who can."""
    where = f" on {execution}" if execution else ""
    return f"have a person decide retry{where}" if tools == NONE else f"use record_decision with retry{where}"


# ----------------------------------------------------------------------------------------------------------------------
# What an answer says besides, where its call could not be recorded: a result, an error or a refusal alike.


def on_result(result: Raw, warning: str) -> Raw:
    """A server's result, with the warning at its end. The rest stays as it came, also numbers that nobody here could
    hold; what is no object has no place for it."""
    if not warning:
        return result
    try:
        found: dict[str, Any] = msgspec.json.decode(result, type=dict[str, Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return result
    try:
        blocks: list[Any] = msgspec.json.decode(found.get("content", Raw(b"[]")), type=list[Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        blocks = []  # a place for it has to be there
    return Raw(msgspec.json.encode({**found, "content": [*blocks, _block(warning)]}))


def on_answer(result: dict[str, Any], warning: str) -> dict[str, Any]:
    """A result that was made here, with the warning at its end."""
    if not warning:
        return result
    content = result.get("content")
    return {**result, "content": [*(content if isinstance(content, list) else ()), _block(warning)]}


def on_error(error: Raw, warning: str) -> Raw | dict[str, Any]:
    """An error of the protocol, which has no other place than its message."""
    if not warning:
        return error
    found = decode_object(error) or error_object(protocol.INTERNAL_ERROR, "The server failed.")
    return {**found, "message": f"{found.get('message', '')} Warning: {warning}".strip()}


def _block(warning: str) -> dict[str, str]:
    return {"type": "text", "text": f"Warning: {warning}"}
