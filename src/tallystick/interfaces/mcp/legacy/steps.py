"""The steps of plans as the earlier designs wrote them, as steps of ours.

What of a step has no place in ours (`retry`, `timeout`, `condition`, ...) is handed back, to be kept with the plan.
"""

from collections.abc import Callable, Collection
from typing import Any

from tallystick.core.types import Step
from tallystick.interfaces.mcp.legacy.translate import as_text, snaked
from tallystick.interfaces.mcp.schemas import Schema

UNSAID = "partially-reversible"
"""What a step is that does not say whether it can be undone: it stays on the owed list, with its way unknown."""
_OURS = frozenset(Step.__struct_fields__)
_POLICY = ("action", "reason", "propagate_to")
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
"""Of the plan-and-ledger family."""
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
"""Of the plan-log-context family."""
LEDGER_NAMES: Collection[str] = LEDGER["items"]["properties"]
NUMBERED_NAMES: Collection[str] = NUMBERED["items"]["properties"]

Translated = tuple[dict[str, Any], dict[str, Any]]
"""A step of ours, and what it has no place for."""


def translated(steps: Any, translate: Callable[[dict[str, Any], int], Translated]) -> tuple[Any, dict[str, Any]]:
    """All steps, and what is left over by step. What is no list of objects is left for the operation to refuse."""
    if not isinstance(steps, list):
        return steps, {}
    found: list[Any] = []
    left: dict[str, Any] = {}
    for number, step in enumerate(steps, 1):
        ours, over = translate(step, number) if isinstance(step, dict) else (step, {})
        found.append(ours)
        if over:
            left[str(ours.get("id", number))] = over
    return found, {"steps": left} if left else {}


def of_ledger(step: dict[str, Any], number: int) -> Translated:
    """`name` is the title, `parameters` the arguments, `depends_on` is after, `compensation` the undo."""
    rest = {name: value for name, value in step.items() if value is not None}
    ours: dict[str, Any] = {"title": rest.pop("name", None), "arguments": rest.pop("parameters", None)}
    over: dict[str, Any] = {}
    if "depends_on" in rest:
        ours["after"] = _names(rest.pop("depends_on"))
    if "compensation" in rest:
        ours["undo"] = _undo(rest.pop("compensation"), over)
    if isinstance(rest.get("failure_policy"), dict):
        rest["failure_policy"] = _policy(rest["failure_policy"], over)
    return _settled(ours, rest, over)


def of_numbers(step: dict[str, Any], number: int) -> Translated:
    """`step` is the id, `action` with its `description` the title, `estimated_duration` an estimate in seconds."""
    rest = {name: value for name, value in step.items() if value is not None}
    told = [rest.pop(name) for name in ("action", "description") if name in rest]
    ours: dict[str, Any] = {"id": rest.pop("step", number)}
    if told:
        ours["title"] = ": ".join(told) if all(isinstance(each, str) for each in told) else told[0]
    minutes = rest.pop("estimated_duration", None)
    ours["estimate"] = minutes * 60 if isinstance(minutes, int | float) and not isinstance(minutes, bool) else minutes
    return _settled(ours, rest, {})


def _settled(ours: dict[str, Any], rest: dict[str, Any], over: dict[str, Any]) -> Translated:
    """With what was said in our own words already, and the rest apart."""
    for name, value in rest.items():
        if name in _OURS:
            ours.setdefault(name, value)
            if ours[name] is None:
                ours[name] = value
        else:
            over[name] = value
    known = {name: value for name, value in ours.items() if value is not None}
    if "id" in known:
        known["id"] = as_text(known["id"])
    said = known.get("cancellable")
    if isinstance(said, bool):
        known["cancellable"] = "reversible" if said else "irreversible"
    elif said is None:
        known["cancellable"] = "reversible" if known.get("undo") else UNSAID
    return known, over


def _undo(said: Any, over: dict[str, Any]) -> Any:
    if not isinstance(said, dict):
        return said
    rest = dict(said)
    names = (("tool", "tool"), ("arguments", "parameters"), ("arguments", "arguments"), ("words", "description"))
    ours = {own: rest.pop(old) for own, old in names if rest.get(old) is not None}
    if rest:
        over["compensation"] = rest
    return ours


def _policy(said: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    rest = snaked(said, _POLICY)
    ours = {name: rest.pop(name) for name in _POLICY if rest.get(name) is not None}
    if "propagate_to" in ours:
        ours["propagate_to"] = _names(ours["propagate_to"])
    if rest:
        over["failure_policy"] = rest
    return ours


def _names(said: Any) -> Any:
    """Step ids: numbers are names too, and one alone is a list of one."""
    if isinstance(said, str | int) and not isinstance(said, bool):
        said = [said]
    return [as_text(name) for name in said] if isinstance(said, list) else said
