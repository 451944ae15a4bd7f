"""Translates the steps of the earlier designs into current steps, and back."""

from collections.abc import Collection, Mapping
from typing import Any

from tallystick.core.tools import snake_case
from tallystick.core.types import ALIASES, Step
from tallystick.sdk.legacy.request import pairs

DESCRIPTION = (
    "[{id, name, tool, parameters, cancellable: reversible | partially-reversible | irreversible, depends_on, "
    "compensation: words or {tool, parameters}, failure_policy: {action: cancel_all | cancel_dependent | "
    "continue_others | manual_decision, propagate_to, reason}}]"
)
NUMBERED_DESCRIPTION = "[{step, action, description, estimated_duration in minutes}]"
LEGACY_NAMES = {
    "steps": pairs("title=name arguments=parameters undo=compensation after=depends_on"),
    "numbered": pairs("title=action id=step estimate=estimated_duration"),
}
"""The name that each family has for a current field, for its errors."""
_CURRENT = pairs("name=title action=title parameters=arguments compensation=undo step=id") | ALIASES
_PARTS = {
    "undo": pairs("tool=tool parameters=arguments arguments=arguments description=words words=words"),
    "failure_policy": pairs("action=action reason=reason propagate_to=propagate_to"),
    "retry": pairs("attempts=attempts max_attempts=attempts backoff=backoff longest=longest on=on"),
}
"""The fields of the parts of a step, and their current names."""
_FIELDS = {*_CURRENT, *Step.__struct_fields__, "description", "estimated_duration"}


def legacy_names(family: str, given: Any) -> dict[str, str]:
    """The names of a family for current fields, without the fields that the caller gave by their current names."""
    used = {name for step in given if isinstance(step, dict) for name in step} if isinstance(given, list) else set()
    return {ours: name for ours, name in LEGACY_NAMES.get(family, {}).items() if ours not in used}


def to_snake_case(arguments: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The arguments with the known names in snake_case; other names stay as they are."""
    free = {name for name in known if name not in arguments}
    return {snake_case(name) if snake_case(name) in free else name: value for name, value in arguments.items()}


def translate(steps: Any, *, numbered: bool) -> tuple[Any, dict[str, Any]]:
    """All steps, and by step the fields that no current step has. What is no list is left to the operation."""
    if not isinstance(steps, list | tuple):
        return steps, {}
    extras: list[dict[str, Any]] = [{} for _ in steps]
    translated = [
        _translate(step, number * numbered, extra) if isinstance(step, dict) else step
        for number, (step, extra) in enumerate(zip(steps, extras, strict=True), 1)
    ]
    named = zip(translated, extras, strict=True)
    return translated, {str(step.get("id") or step.get("title")): extra for step, extra in named if extra}


def _translate(step: dict[str, Any], number: int, extra: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in to_snake_case(step, _FIELDS).items() if value is not None}
    current: dict[str, Any] = {}
    for name, value in (_from_numbered(given, number) if number else given).items():
        ours = _CURRENT.get(name, name)
        if ours not in Step.__struct_fields__ or ours in current:
            extra[name] = value
        elif ours in _PARTS and isinstance(value, dict):
            fields = _PARTS[ours]
            parts = {fields.get(key, key): item for key, item in to_snake_case(value, fields).items()}
            extra |= {f"{name}.{key}": item for key, item in parts.items() if key not in fields.values()}
            current[ours] = {key: _ids(key, item) for key, item in parts.items() if key in fields.values()}
        else:
            current[ours] = _ids(ours, value)
    # a step that does not say whether it can be undone stays on the undo list, with no undo recorded
    said = current.get("cancellable", "reversible" if current.get("undo") else "partially-reversible")
    return {**current, "cancellable": ("irreversible", "reversible")[said] if isinstance(said, bool) else said}


def _from_numbered(step: dict[str, Any], number: int) -> dict[str, Any]:
    """A step with its description in its title, and its minutes as seconds."""
    given = {"step": number, **step}
    titles = [given.pop(name) for name in ("action", "description") if name in given]
    if titles:
        given["action"] = ": ".join(titles) if all(isinstance(each, str) for each in titles) else titles[0]
    if "estimated_duration" in given:
        minutes = given.pop("estimated_duration")
        given["estimate"] = minutes * 60 if type(minutes) in (int, float) else minutes
    return given


def as_numbered(step: Mapping[str, Any], actual: str) -> dict[str, Any]:
    """A recorded step in the words of the plan-log-context family."""
    action, _, description = str(step.get("title") or "erased").partition(": ")
    minutes = step["estimate"] / 60 if step.get("estimate") is not None else None
    fields = {"step": number_of(step["id"]), "action": action, "description": description}
    fields |= {"estimated_duration": minutes, "status": actual}
    return {name: value for name, value in fields.items() if value not in ("", None)}


def number_of(id: str) -> Any:
    """A step's id as a number, if it is one."""
    return int(id) if id.isascii() and id.isdigit() else id


def _ids(name: str, value: Any) -> Any:
    """Ids of steps as text: numbers are ids too, and one id is a list of one. Other values stay as they are."""
    if name not in ("after", "propagate_to"):
        return str(value) if name == "id" and isinstance(value, int) else value
    listed = [value] if type(value) in (str, int) else value
    return [str(id) if isinstance(id, int) else id for id in listed] if isinstance(listed, list | tuple) else value
