"""The names of the earlier designs. They answer when they are called, and `--tools=classic` lists them.

Each is a thin translation into the operations; what the operations do not know is kept in the entry's body. Nothing
of it is loaded before somebody calls by an old name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tallystick.interfaces.mcp.tools import Tool

PROFILE = "classic"
INSTRUCTIONS = """\
This server is the journal of what you do, under the names of its earlier designs. It records; it never runs, retries
or undoes anything for you.
- On start, resume or after compaction call status or get_plan: they tell how far the work is.
- Before work with more than two side effects, save_plan or create_plan; execute_plan opens an execution of a plan.
- Say when a step starts, before you do it, and how it ended, after it: add_log with start_step, then complete_step.
- What has no end is in doubt: look at the real system before you act again.
- On failure record each undo with record_compensation; query_history tells what is left.
- record_decision, control and update_plan take the reason: give it. Put facts that later sessions need into
  set_context. Never record secrets."""

_OLD = {
    "record_plan": frozenset({"name", "description"}),
    "record_execution_start": frozenset({"notes"}),
    "record_action": frozenset({"action_type", "description", "step_id"}),
    "record_decision": frozenset({"action", "reason", "details"}),
    "query_ledger": frozenset({"include_step_details", "include_events", "query_type", "status_filter", "offset"}),
}
"""Arguments by which the old form of a current tool is known."""
_CURRENT = {"record_action": "phase", "record_decision": "decision", "query_ledger": "view"}
"""The argument by which the current form is known, whatever else is said."""
_OLD_STEP = frozenset({"name", "parameters", "depends_on", "compensation", "retry", "timeout", "condition"})


def is_old_form(name: str, given: Mapping[str, Any]) -> bool:
    """Whether a current tool was called as it was in an earlier design."""
    old = _OLD.get(name)
    if old is None or _CURRENT.get(name) in given:
        return False
    steps = given.get("steps") if name == "record_plan" else None
    return not old.isdisjoint(map(snake, given)) or (isinstance(steps, list) and any(map(_is_old_step, steps)))


def snake(name: str) -> str:
    """`planId` as `plan_id`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def camel(name: str) -> str:
    """`plan_id` as `planId`."""
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


def listed() -> list[Tool]:
    """What `--tools=classic` lists: the old names, with their old arguments."""
    return [tool for name, tool in all_tools().items() if name == tool.name]


@cache
def all_tools() -> dict[str, Tool]:
    """The old calls, by their names in snake_case and in camelCase."""
    from tallystick.interfaces.mcp.legacy.tools import LEDGER, LOGS
    from tallystick.interfaces.mcp.legacy.translate import tool_of

    found = {old.name: tool_of(old) for old in (*LEDGER, *LOGS)}
    return found | {camel(name): tool for name, tool in found.items() if name not in _OLD}


def _is_old_step(step: Any) -> bool:
    return isinstance(step, dict) and (
        isinstance(step.get("cancellable"), bool) or not _OLD_STEP.isdisjoint(map(snake, step))
    )
