"""When something is owed: what was done, or may have been, and is not yet undone.

The word kept in `Action.owed`, by what is known of the action and of its undos; the first line that holds:

    skipped, or effect read           nothing
    failed                            nothing, unless its effect is unsafe and not recorded as none
    an undo of it ended ok            undone, or partly when it is only partially reversible
    an undo of it is open             undoing
    an undo of it is in doubt         in_doubt
    an undo of it failed              failed
    open, ok, failed or in doubt      owed, or not_possible when it is irreversible

All its undos count, not only the last one: one that failed or was lost sight of takes nothing from one that succeeded.
"""

from tallystick.core.state import Action

OUTSTANDING = ("owed", "undoing", "in_doubt", "failed", "not_possible", "partly")
"""States of what is not, or not wholly, undone: all are listed."""
DUE = frozenset({"owed", "undoing", "in_doubt", "failed"})
"""States in which something can still be done about it: these are counted as owed."""
_BY_UNDO = (("undone", ("ok",)), ("undoing", ("open",)), ("in_doubt", ("unknown", "doubted")), ("failed", ("failed",)))
"""The word for an action by the states of its undos; the first that is met counts."""


def owed(action: Action) -> tuple[str, str]:
    """The word for an action as it stands, and the undo that it is so by. From its begin it may have been done."""
    debt = _debt(action)
    if not debt or not action.undos:
        return debt, ""
    for word, states in _BY_UNDO:
        by = [undo for undo, state in action.undos.items() if state in states]
        if by:
            partly = word == "undone" and action.cancellable == "partially-reversible"
            return "partly" if partly else word, by[-1]
    return debt, ""


def still_counting(undos: dict[str, str]) -> dict[str, str]:
    """What is left of the undos of an action whose outcome is contradicted: what it did may have come after them."""
    return {undo: state for undo, state in undos.items() if state in ("open", "unknown", "doubted")}


def counts(owed: str) -> int:
    return 1 if owed in DUE else 0


def _debt(action: Action) -> str:
    """What would be owed had nobody tried to undo it."""
    if action.action_kind == "undo" or action.effect == "read" or action.state == "skipped":
        return ""
    if action.state == "failed" and (action.effect != "unsafe" or action.without_effect):
        return ""
    return "not_possible" if action.cancellable == "irreversible" else "owed"
