"""Why a call was not made, or why nobody knows what came of it: in words, with the next thing to do.

A model is told so in about eighty tokens, of which the next call takes up to half. So the ids come first, and what may
be cut off comes last.
"""

from tallystick.core.errors import (
    AlreadyDone,
    InDoubtOpen,
    NotPermitted,
    StorageUnavailable,
    TallystickError,
    WrongState,
)


def refused(tool: str) -> NotPermitted:
    return NotPermitted(
        f"The gateway's configuration refuses {tool}. Nothing was done.",
        hint="Do without it, or have a person change the policy.",
    )


def died(why: str, action: str) -> InDoubtOpen:
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


_AGAIN = "`again`"
"""An argument of record_action: who calls a server's own tool cannot give it."""


def followable(error: TallystickError) -> TallystickError:
    """A refusal of the journal's rules, with a hint that an agent can follow which has called a server's tool."""
    if _AGAIN not in error.hint:
        return error
    if isinstance(error, InDoubtOpen):
        hint = "Look at the real system first. If it was done, and has to be once more, use record_decision with retry."
        id = error.next_call[1].get("action_id", "") if error.next_call else ""
        message = f"{id} is the same call, and in doubt." if id else error.message
        return InDoubtOpen(message, hint=hint, next_call=error.next_call)
    if isinstance(error, AlreadyDone):
        hint = "Use its result. To do it once more, use record_decision with retry and the reason, and call again."
        return AlreadyDone(error.message, hint=hint, next_call=error.next_call)
    return WrongState(error.message, hint="Wait for it, and use its result.", next_call=error.next_call)
