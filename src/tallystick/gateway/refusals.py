"""Why a call was not made, or why nobody knows what came of it: in words, with the next thing to do."""

from tallystick.core.errors import InDoubtOpen, NotPermitted, StorageUnavailable, WrongState


def refused(tool: str) -> NotPermitted:
    return NotPermitted(
        f"The gateway's configuration refuses {tool}. Nothing was done.",
        hint="Do without it, or have a person change the policy.",
    )


def died(why: str, action: str) -> InDoubtOpen:
    return InDoubtOpen(
        f"{why} It may have happened: {action or 'it'} is in doubt.",
        hint="Look at the real system, then end it with the truth.",
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


def unrecorded(error: BaseException) -> StorageUnavailable:
    return StorageUnavailable(
        f"The journal cannot be written, so the call was not made: {error}",
        hint="Have the journal repaired, and try again.",
    )
