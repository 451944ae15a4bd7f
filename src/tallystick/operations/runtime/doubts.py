"""Earlier work of the same kind: effects in doubt that must not be repeated, and executions that a start may repeat.

Executions are of the same work if they have the same plan, or the same title and task.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, json

from tallystick.core.state import UNSETTLED, Action, Execution
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import interruption
from tallystick.operations.runtime.session_lifecycle import is_in_doubt
from tallystick.store.interface import Select, View, WhereValue

MAX_SCANNED = 50
"""Unsettled actions of the same effect, and executions of the same work, the newest first."""
REPEATABLE = ("read", "idempotent")
MAX_NAMED = 5
"""Actions and executions that a receipt names."""


class EarlierWork(Struct, frozen=True):
    """Other executions of the same work, for a receipt: actions in doubt, open ones, and what to do about them."""

    in_doubt: tuple[str, ...] = ()
    open_executions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def title_key(context: OperationContext, title: str, task_id: str) -> str:
    """The digest by which executions with the same title and task are found; empty when there is neither."""
    return context.digest([context.masker.mask_text(title), task_id]) if title or task_id else ""


def earlier_work(view: View, execution: Execution) -> EarlierWork:
    """The doubts and the open executions of the same work, without this execution's own."""
    unsettled = [row for row in _of_same_work(view, execution, {"unsettled": ("yes",)}) if row.id != execution.id]
    doubts = _newest(action for action in _unsettled_in(view, unsettled) if is_in_doubt(view, action))
    still_open = _of_same_work(view, execution, {"status": OPEN_STATUSES}, limit=MAX_NAMED + 1)
    open_now = _newest(row for row in still_open if row != execution)
    notes = [
        f"{row.id} of the same work is {'interrupted' if interruption(view, row) else row.status}: continue it unless "
        "this is meant to be another."
        for row in open_now
    ]
    notes += [
        f"{each.id}{f' ({each.tool})' if each.tool else ''} of {each.execution} is in doubt: look at the real system,"
        " then decide settle with its real outcome and your evidence."
        for each in doubts
    ]
    return EarlierWork(tuple(row.id for row in doubts), tuple(row.id for row in open_now), tuple(notes))


def steps_in_doubt(view: View, execution: Execution) -> set[str]:
    """The steps that are in doubt in another execution of the same plan: no step that is told to be done next."""
    if not execution.plan_id:
        return set()
    actions = _unsettled_in(view, _of_same_work(view, execution, {"unsettled": ("yes",)}))
    same_plan = (action for action in actions if action.plan_id == execution.plan_id and action.action_kind == "do")
    return {action.step for action in same_plan if action.effect not in REPEATABLE and is_in_doubt(view, action)}


def same_call_in_doubt(view: View, effect_key: str, arguments: Any) -> Iterator[Action]:
    """Actions in doubt with this effect key, in any execution; `arguments` are those of the call."""
    where: dict[str, WhereValue] = {"state": UNSETTLED, "effect_key": effect_key}
    for action in view.find(Action, Select(where=where, limit=MAX_SCANNED)):
        # An action without recorded arguments has the key of a call with none.
        if action.action_kind == "do" and is_in_doubt(view, action) and (arguments or _has_arguments(view, action)):
            yield action


def same_work_in_doubt(view: View, execution: Execution, effect_key: str, step: str, summary: str) -> Iterator[Action]:
    """Actions in doubt, in this execution or another of the same work, that may be what a call without recorded
    arguments is about to repeat: the same step, or the same tool and summary."""
    for action in _unsettled_in(view, _of_same_work(view, execution, {"unsettled": ("yes",)})):
        is_same = action.action_kind == "do" and is_same_work(view, action, effect_key, step, summary)
        if is_same and is_in_doubt(view, action):
            yield action


def is_same_work(view: View, action: Action, effect_key: str, step: str, summary: str) -> bool:
    """Whether an action is the same step; or, where one of them is no step, has the same tool and summary."""
    if step and action.step:
        return step == action.step
    return (
        action.effect_key == effect_key
        and bool(effect_key or summary)
        and _begun(view, action).get("summary", "") == summary
    )


def _has_arguments(view: View, action: Action) -> bool:
    return action.witness == "observed" or bool(action.gateway_session) or "arguments" in _begun(view, action)


def _begun(view: View, action: Action) -> dict[str, Any]:
    body = view.bodies([action.seq]).get(action.seq)
    found: dict[str, Any] = json.decode(body) if body else {}
    return found


def _of_same_work(
    view: View, execution: Execution, where: dict[str, WhereValue], limit: int = MAX_SCANNED
) -> list[Execution]:
    """Executions of the same work, this one included, the newest first."""
    found: dict[str, Execution] = {}
    for column, value in (("plan_id", execution.plan_id), ("title_key", execution.title_key)):
        if value:
            rows = view.find(Execution, Select(where={column: value, **where}, limit=limit))
            found.update((row.id, row) for row in rows)
    return [found[id] for id in sorted(found, reverse=True)] or [execution]


def _unsettled_in(view: View, executions: list[Execution]) -> list[Action]:
    """The newest unsettled actions of each execution, read one by one: for several, no index bounds the work."""
    found: list[Action] = []
    for execution in executions:
        where: dict[str, WhereValue] = {"execution": execution.id, "state": UNSETTLED}
        found += view.find(Action, Select(where=where, limit=MAX_SCANNED - len(found)))
        if len(found) >= MAX_SCANNED:
            break
    return found


def _newest(rows: Iterable[Any]) -> list[Any]:
    return [row for row, _ in zip(rows, range(MAX_NAMED), strict=False)]
