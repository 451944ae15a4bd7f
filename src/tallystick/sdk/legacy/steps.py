"""Translates the steps of the earlier designs into current steps, and back.

Fields that a current step does not have (`retry`, `timeout`, ...) are returned apart, to be recorded with the plan.
"""

from collections.abc import Collection, Mapping
from typing import Any

from tallystick.core.types import Step
from tallystick.sdk.legacy.request import pairs

DEFAULT_CANCELLABLE = "partially-reversible"
"""For a step that does not say whether it can be undone: it stays on the undo list, with no undo recorded."""
_RENAMED = pairs(
    "name=title parameters=arguments compensation=undo depends_on=after dependencies=after step=id action=title"
)
_UNDO = pairs("tool=tool parameters=arguments arguments=arguments description=words words=words")
_POLICY = pairs("action=action reason=reason propagate_to=propagate_to")
_FIELDS = {*_RENAMED, *Step.__struct_fields__, "description", "estimated_duration"}


def to_snake_case(arguments: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The arguments with the known names in snake_case; other names stay as they are."""
    snake = {name: "".join(f"_{each.lower()}" if each.isupper() else each for each in name) for name in arguments}
    return {
        snake[name] if snake[name] in known and snake[name] not in arguments else name: value
        for name, value in arguments.items()
    }


def translate(steps: Any, *, numbered: bool) -> tuple[Any, dict[str, Any]]:
    """All steps, and their extra fields by step. A value that is no list of objects is left to the operation."""
    if not isinstance(steps, list | tuple):
        return steps, {}
    extras: list[dict[str, Any]] = [{} for _ in steps]
    translated = [
        _translate(step, number if numbered else 0, extras[number - 1]) if isinstance(step, dict) else step
        for number, step in enumerate(steps, 1)
    ]
    named = zip(translated, extras, strict=True)
    return translated, {str(step.get("id") or step.get("title")): extra for step, extra in named if extra}


def _translate(step: dict[str, Any], number: int, extra: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in to_snake_case(step, _FIELDS).items() if value is not None}
    current: dict[str, Any] = {}
    for name, value in (_from_numbered(given, number) if number else given).items():
        ours = _RENAMED.get(name, name)
        if ours not in Step.__struct_fields__:
            extra[name] = value
        elif ours in ("undo", "failure_policy") and isinstance(value, dict):
            fields = _UNDO if ours == "undo" else _POLICY
            parts = {fields.get(key, key): item for key, item in to_snake_case(value, fields).items()}
            extra |= {f"{name}.{key}": item for key, item in parts.items() if key not in fields.values()}
            current[ours] = {key: _ids(key, item) for key, item in parts.items() if key in fields.values()}
        else:
            current[ours] = _ids(ours, value)
    cancellable = current.get("cancellable", "reversible" if current.get("undo") else DEFAULT_CANCELLABLE)
    words = {True: "reversible", False: "irreversible"}
    return {**current, "cancellable": words[cancellable] if isinstance(cancellable, bool) else cancellable}


def _from_numbered(step: dict[str, Any], number: int) -> dict[str, Any]:
    """A step with its description in its title, and its minutes as seconds."""
    given = {"step": number, **step}
    titles = [given.pop(name) for name in ("action", "description") if name in given]
    if titles:
        given["action"] = ": ".join(titles) if all(isinstance(each, str) for each in titles) else titles[0]
    minutes = given.pop("estimated_duration", None)
    is_number = isinstance(minutes, int | float) and not isinstance(minutes, bool)
    return given | ({} if minutes is None else {"estimate": minutes * 60 if is_number else minutes})


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
    if name == "id" and isinstance(value, int):
        return str(value)
    if name not in ("after", "propagate_to"):
        return value
    listed = [value] if isinstance(value, str | int) and not isinstance(value, bool) else value
    return [str(id) if isinstance(id, int) else id for id in listed] if isinstance(listed, list | tuple) else value
