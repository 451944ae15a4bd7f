"""The texts for an agent whose call was not made or has an unknown outcome, each with the next thing to do.

A model gets about eighty tokens of such a text, and the next call takes up to half of them. So ids come first, and what
may be truncated comes last.
"""

from collections.abc import Iterable
from difflib import get_close_matches
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
    UnknownHandle,
    WrongState,
)
from tallystick.core.rules import SETTLE_OUTCOMES
from tallystick.gateway.config import fold
from tallystick.protocol.jsonrpc import decode_object, error_object

MAX_COMPARED_CHARACTERS = 200
"""How much of an unknown name is compared with the known ones."""
MAX_NEAR_NAMES = 3
NO_OWN_TOOLS = "none"
"""The profile without any of our own tools."""
ONCE_APPROVED = "Once it is approved, make the same call again."
"""The gateway finds the approval: a call of a server's tool cannot name it."""
_AGAIN = "`again`"
"""An argument of record_action, which a call of a server's tool cannot give."""


def refused(tool: str) -> NotPermitted:
    return NotPermitted(
        f"The gateway's configuration refuses {tool}. Nothing was done.",
        hint="Do without it, or have a person change the policy.",
    )


def not_listed(server: str, tool: str, listed: Iterable[str]) -> UnknownHandle:
    return UnknownHandle(
        f"Nothing was done: the server {_quoted(server)} lists no tool {_quoted(tool)}.{_near(tool, listed)}",
        hint="Call a tool that is listed, or have a person change the gateway's `unlisted`.",
    )


def no_such_tool(tool: str, listed: Iterable[str]) -> UnknownHandle:
    return UnknownHandle(f"There is no tool {_quoted(tool)}.{_near(tool, listed)}", hint="Call one that is listed.")


def no_such_method(method: str) -> str:
    """Why a method is not passed on. A server could take any method for a call."""
    return f"There is no method {_quoted(method)}.{_near(method, protocol.CLIENT_REQUESTS)}"


def _near(name: str, known: Iterable[str]) -> str:
    """A sentence with the known names that a name may stand for, those that look alike first."""
    names, start = list(known), name[:MAX_COMPARED_CHARACTERS]
    alike = [each for each in names if fold(each) == fold(start)]
    near = list(dict.fromkeys((*alike, *get_close_matches(start, names))))[:MAX_NEAR_NAMES]
    return f" Names are compared exactly; near it: {', '.join(map(_quoted, near))}." if near else ""


def _quoted(name: str) -> str:
    return ascii(name[:80]) if not name[:80].isprintable() else f'"{name[:80]}"'


def outcome_unknown(reason: str, action: str) -> InDoubtOpen:
    return InDoubtOpen(
        f"{action or 'The call'} is in doubt: {reason}",
        hint="Look first.",
        next_call=(
            "record_decision",
            {"decision": "settle", "action_id": action, "outcome": SETTLE_OUTCOMES, "evidence": "..."},
        )
        if action
        else None,
    )


def server_unavailable(server: str, problem: str) -> WrongState:
    return WrongState(
        f'The server "{server}" {problem}. The call was not made.',
        hint="Try again in a few seconds, or do without it.",
    )


def server_rejected_call(server: str, problem: str) -> WrongState:
    return WrongState(
        f'The server "{server}" {problem}. Nothing was done.',
        hint="Ask a person to check its address and credentials in the gateway's configuration, or do without it.",
    )


def unrecorded(error: BaseException) -> StorageUnavailable:
    return StorageUnavailable(
        f"The journal cannot be written, so the call was not made: {error}",
        hint="Have the journal repaired, and try again.",
    )


def done_already(error: TallystickError, own_tools: str) -> AlreadyDone:
    """The effect is there, and its result cannot be answered again."""
    hint = f"Its effect is there already. To cause it once more, {how_to_retry(own_tools)}, and call again."
    return AlreadyDone(f"The call was not made. {error.message}", hint=hint, next_call=error.next_call)


def no_open_plan(tool: str, own_tools: str) -> WrongState:
    """No execution of a plan is open. Without our own tools an agent cannot open one: a shell command would be of
    another session."""
    has_own_tools = own_tools != NO_OWN_TOOLS
    return WrongState(
        f"Nothing was done: {tool} is only called as a step of a plan, and no execution of one is open.",
        hint="Record a plan with this call as a step, and start its execution."
        if has_own_tools
        else "Do without it, or have a person change its policy, or the gateway's `tools`.",
        next_call=("record_plan", {}) if has_own_tools else None,
    )


def how_to_retry(own_tools: str, execution: str = "") -> str:
    """How to permit a repetition. Without our own tools, an agent has to ask a person."""
    where = f" on {execution}" if execution else ""
    return (
        f"have a person decide retry{where}" if own_tools == NO_OWN_TOOLS else f"use record_decision with retry{where}"
    )


def for_tool_caller(error: TallystickError, own_tools: str) -> TallystickError:
    """Replace the hint of a journal's refusal by one for an agent that called a server's tool."""
    if isinstance(error, ApprovalPending) and error.next_call and error.next_call[0] == "get_approval":
        return ApprovalPending(error.message, hint=ONCE_APPROVED, next_call=error.next_call)
    if _AGAIN not in error.hint:
        return error
    if isinstance(error, InDoubtOpen):
        hint = "Look at the real system first. Once it is settled as failed, make the same call again."
        id = error.next_call[1].get("action_id", "") if error.next_call else ""
        message = f"{id} is in doubt: it is the same call." if id else error.message
        return InDoubtOpen(message, hint=hint, next_call=error.next_call)
    if isinstance(error, AlreadyDone):
        hint = f"Use its result. To do it once more, {how_to_retry(own_tools)}, and call again."
        return AlreadyDone(error.message, hint=hint, next_call=error.next_call)
    return WrongState(error.message, hint="Wait for it, and use its result.", next_call=error.next_call)


# ----------------------------------------------------------------------------------------------------------------------
# Warnings in an answer whose call could not be recorded


def warn_in_result(result: Raw, warning: str) -> Raw:
    """Append a warning to a server's result. The rest stays byte for byte, also numbers too large for Python.

    A result that is not an object is returned unchanged.
    """
    if not warning:
        return result
    try:
        fields: dict[str, Any] = msgspec.json.decode(result, type=dict[str, Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return result
    try:
        blocks: list[Any] = msgspec.json.decode(fields.get("content", Raw(b"[]")), type=list[Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        blocks = []  # the warning replaces content that is no list
    return Raw(msgspec.json.encode({**fields, "content": [*blocks, _text_block(warning)]}))


def warn_in_reply(result: dict[str, Any], warning: str) -> dict[str, Any]:
    """Append a warning to a result that the gateway made."""
    if not warning:
        return result
    content = result.get("content")
    return {**result, "content": [*(content if isinstance(content, list) else ()), _text_block(warning)]}


def warn_in_error(error: Raw, warning: str) -> Raw | dict[str, Any]:
    """Append a warning to the message of a JSON-RPC error."""
    if not warning:
        return error
    fields = decode_object(error) or error_object(protocol.INTERNAL_ERROR, "The server failed.")
    return {**fields, "message": f"{fields.get('message', '')} Warning: {warning}".strip()}


def _text_block(warning: str) -> dict[str, str]:
    return {"type": "text", "text": f"Warning: {warning}"}
