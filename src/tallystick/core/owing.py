"""When something is owed: what was done, or may have been, and is not yet undone.

The word kept in `Action.owed`, by what is known of the action and of its undo:

    open, ok, unknown, doubted   owed, or not_possible when it is irreversible
    failed                       the same when its effect is unsafe, unless it was recorded as without effect
    skipped, or effect read      nothing
    its undo is open             undoing
    its undo ended ok            undone, or partly when it is only partially reversible
    its undo failed / in doubt   failed / in_doubt
"""

from tallystick.core.state import Action

OUTSTANDING = ("owed", "undoing", "in_doubt", "failed", "not_possible", "partly")
"""States of what is not, or not wholly, undone: all are listed."""
DUE = frozenset({"owed", "undoing", "in_doubt", "failed"})
"""States in which something can still be done about it: these are counted as owed."""
_UNDO_STATES = frozenset({"undoing", "in_doubt", "partly", "undone", "failed"})


def after_begin(action: Action) -> str:
    """From the moment of its intent an action may have been done."""
    return _debt(action)


def after_end(action: Action, state: str, *, without_effect: bool) -> str:
    if state == "doubted":
        return _debt(action)  # a contradicted outcome is back on the list, whatever was undone before
    happened = state in ("ok", "unknown") or (state == "failed" and action.effect == "unsafe" and not without_effect)
    if not happened:
        return ""
    return action.owed if action.owed in _UNDO_STATES else _debt(action)


def after_undo(target: Action, undo_state: str) -> str:
    if undo_state == "open":
        return "undoing"
    if undo_state == "ok":
        return "partly" if target.cancellable == "partially-reversible" else "undone"
    if undo_state == "failed":
        return "failed"
    if undo_state == "skipped":
        return _debt(target)
    return "in_doubt"


def counts(owed: str) -> int:
    return 1 if owed in DUE else 0


def _debt(action: Action) -> str:
    if action.action_kind == "undo" or action.effect == "read":
        return ""
    return "not_possible" if action.cancellable == "irreversible" else "owed"
