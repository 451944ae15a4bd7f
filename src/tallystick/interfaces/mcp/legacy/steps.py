"""Translates the steps of the earlier designs into current steps.

Fields that a current step does not have (`retry`, `timeout`, `condition`, ...) are returned apart, to be recorded with
the plan.
"""

from collections.abc import Callable, Collection
from typing import Any

from tallystick.core.types import Step
from tallystick.interfaces.mcp.legacy.translate import as_text, to_snake_case
from tallystick.interfaces.mcp.schemas import Schema

DEFAULT_CANCELLABLE = "partially-reversible"
"""For a step that does not say whether it can be undone: it stays on the owed list, with no undo recorded."""
_STEP_FIELDS = frozenset(Step.__struct_fields__)
_POLICY_FIELDS = ("action", "reason", "propagate_to")
_TEXT: Schema = {"type": "string"}

LEDGER: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "id": _TEXT,
            "name": _TEXT,
            "tool": _TEXT,
            "parameters": {"type": "object"},
            "cancellable": {"enum": ["reversible", "partially-reversible", "irreversible", True, False]},
            "depends_on": {"type": "array", "items": _TEXT},
            "compensation": {"description": "How to undo it: words, or {tool, parameters}"},
            "failure_policy": {
                "type": "object",
                "properties": {
                    "action": {"enum": ["cancel_all", "cancel_dependent", "continue_others", "manual_decision"]},
                    "propagate_to": {"type": "array", "items": _TEXT},
                    "reason": _TEXT,
                },
            },
            "retry": {},
            "timeout": {},
            "condition": {},
        },
        "required": ["name"],
    },
}
"""The steps of the plan-and-ledger family."""
NUMBERED: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "step": {"type": "integer"},
            "action": _TEXT,
            "description": _TEXT,
            "estimated_duration": {"type": "number", "description": "Minutes"},
        },
        "required": ["action"],
    },
}
"""The steps of the plan-log-context family."""
LEDGER_NAMES: Collection[str] = LEDGER["items"]["properties"]
NUMBERED_NAMES: Collection[str] = NUMBERED["items"]["properties"]

StepAndExtra = tuple[dict[str, Any], dict[str, Any]]
"""A current step, and the fields that it does not have."""


def translate_steps(steps: Any, translate: Callable[[dict[str, Any], int], StepAndExtra]) -> tuple[Any, dict[str, Any]]:
    """All steps, and their extra fields by step. A value that is no list of objects is left to the operation."""
    if not isinstance(steps, list):
        return steps, {}
    translated: list[Any] = []
    extras: dict[str, Any] = {}
    for number, step in enumerate(steps, 1):
        current, extra = translate(step, number) if isinstance(step, dict) else (step, {})
        translated.append(current)
        if extra:
            extras[str(current.get("id", number))] = extra
    return translated, {"steps": extras} if extras else {}


def from_ledger_step(step: dict[str, Any], number: int) -> StepAndExtra:
    """`name` is the title, `parameters` the arguments, `depends_on` is after, `compensation` the undo."""
    rest = {name: value for name, value in step.items() if value is not None}
    current: dict[str, Any] = {"title": rest.pop("name", None), "arguments": rest.pop("parameters", None)}
    extra: dict[str, Any] = {}
    if "depends_on" in rest:
        current["after"] = _step_ids(rest.pop("depends_on"))
    if "compensation" in rest:
        current["undo"] = _undo(rest.pop("compensation"), extra)
    if isinstance(rest.get("failure_policy"), dict):
        rest["failure_policy"] = _failure_policy(rest["failure_policy"], extra)
    return _complete(current, rest, extra)


def from_numbered_step(step: dict[str, Any], number: int) -> StepAndExtra:
    """`step` is the id, `action` with its `description` the title, `estimated_duration` an estimate in seconds."""
    rest = {name: value for name, value in step.items() if value is not None}
    titles = [rest.pop(name) for name in ("action", "description") if name in rest]
    current: dict[str, Any] = {"id": rest.pop("step", number)}
    if titles:
        current["title"] = ": ".join(titles) if all(isinstance(each, str) for each in titles) else titles[0]
    minutes = rest.pop("estimated_duration", None)
    is_number = isinstance(minutes, int | float) and not isinstance(minutes, bool)
    current["estimate"] = minutes * 60 if is_number else minutes
    return _complete(current, rest, {})


def _complete(current: dict[str, Any], rest: dict[str, Any], extra: dict[str, Any]) -> StepAndExtra:
    """The step with its fields that have current names already, and its `cancellable`. Other fields are extra."""
    for name, value in rest.items():
        if name not in _STEP_FIELDS:
            extra[name] = value
        elif current.get(name) is None:
            current[name] = value
    step = {name: value for name, value in current.items() if value is not None}
    if "id" in step:
        step["id"] = as_text(step["id"])
    cancellable = step.get("cancellable")
    if isinstance(cancellable, bool):
        step["cancellable"] = "reversible" if cancellable else "irreversible"
    elif cancellable is None:
        step["cancellable"] = "reversible" if step.get("undo") else DEFAULT_CANCELLABLE
    return step, extra


def _undo(compensation: Any, extra: dict[str, Any]) -> Any:
    if not isinstance(compensation, dict):
        return compensation
    rest = dict(compensation)
    names = (("tool", "tool"), ("arguments", "parameters"), ("arguments", "arguments"), ("words", "description"))
    undo = {current: rest.pop(legacy) for current, legacy in names if rest.get(legacy) is not None}
    if rest:
        extra["compensation"] = rest
    return undo


def _failure_policy(policy: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    rest = to_snake_case(policy, _POLICY_FIELDS)
    current = {name: rest.pop(name) for name in _POLICY_FIELDS if rest.get(name) is not None}
    if "propagate_to" in current:
        current["propagate_to"] = _step_ids(current["propagate_to"])
    if rest:
        extra["failure_policy"] = rest
    return current


def _step_ids(value: Any) -> Any:
    """A list of step ids as text: numbers are ids too, and one id is a list of one."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        value = [value]
    return [as_text(id) for id in value] if isinstance(value, list) else value
