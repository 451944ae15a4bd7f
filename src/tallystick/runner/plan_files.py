"""Plans as files: YAML or JSON, with the fields of `record_plan`."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tallystick.core.errors import InvalidArgument
from tallystick.core.types import Step, UnwindMode, convert, parse_undo, read_aliases
from tallystick.operations.plans import PlanView
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.structured_files import kind_of, read_structured

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"
EDITOR_FIELD = "$schema"
"""Where a JSON file names its schema for an editor. It is no part of the plan."""


class PlanFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A plan to be recorded."""

    steps: tuple[Step, ...]
    title: Annotated[str, Meta(description="What it does; the file's name when left out")] = ""
    goal: str = ""
    type: str = ""
    task_id: str = ""
    reasoning: Annotated[str, Meta(description="Why it is done in this way")] = ""
    parameters: Annotated[dict[str, Any], Meta(description="A JSON Schema of the values of a run")] = {}
    unwind: Annotated[UnwindMode | None, Meta(description="Whether what was done is undone after a failure")] = None

    def arguments(self) -> dict[str, Any]:
        """The arguments of `record_plan`."""
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in given.items() if value or name == "steps"}


def load_plan(source: str | PathLike[str] | Mapping[str, Any], tools: ToolRegistry) -> PlanFile:
    """The plan of a file, or of a mapping with the same fields; raises InvalidArgument with the place of a mistake.

    A step without a title is titled by its id or tool. One without `undo` takes that of its tool; without any, it is
    reversible if it only reads, else irreversible.
    """
    if isinstance(source, str | PathLike):
        content, name, stem = read_structured(source), str(source), Path(source).stem
    else:
        content, name, stem = dict(source), "the plan", ""
    if not isinstance(content, dict) or not isinstance(content.get("steps"), list):
        problem = "has no list of steps" if isinstance(content, dict) else kind_of(content)
        raise InvalidArgument(
            f"{name} {problem}.", hint="Give steps: [{id, tool, arguments}], and a title.", field="steps"
        )
    content.pop(EDITOR_FIELD, None)
    try:
        return _read_plan(content, name, stem, tools)
    except InvalidArgument as error:
        if not stem:
            raise
        message = f"{name}: {error.message}"
        located = InvalidArgument(message, hint=error.hint, field=error.field, allowed=error.allowed)
        located.is_in_file = True
        raise located from None


def _read_plan(content: dict[str, Any], name: str, stem: str, tools: ToolRegistry) -> PlanFile:
    steps = [_complete(step, place, tools) for place, step in enumerate(read_aliases(content["steps"]))]
    try:
        return convert({**content, "title": content.get("title") or stem, "steps": steps}, PlanFile, name)
    except InvalidArgument as error:
        raise _with_place(error, steps) from None


def _with_place(error: InvalidArgument, steps: list[Any]) -> InvalidArgument:
    """The error with its whole place: a step that checks itself does not know its own."""
    field = error.field or ""
    for place, step in enumerate(steps if field and not field.startswith("steps") else ()):
        try:
            convert(step, Step, "")
        except InvalidArgument as found:
            if found.field == field:
                whole = f"steps[{place}].{field}"
                message = error.message.replace(field, whole, 1)
                return InvalidArgument(message, hint=error.hint, field=whole, allowed=error.allowed)
    return error


def recorded_plan(revision: PlanView) -> PlanFile:
    """The plan of a recorded revision; raises InvalidArgument if its text is gone."""
    if revision.erased or revision.altered:
        what = "erased" if revision.erased else "altered"
        raise InvalidArgument(
            f"The steps of {revision.id} were {what}: they cannot be carried out.", hint="Record a new plan."
        )
    given = {name: getattr(revision, name) for name in PlanFile.__struct_fields__}
    return convert({**given, "unwind": revision.unwind or None}, PlanFile, revision.id)


def default_parameters(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a plan's schema of parameters gives to those that are left out."""
    properties = schema.get("properties")
    parts = properties.items() if isinstance(properties, Mapping) else ()
    return {name: part["default"] for name, part in parts if isinstance(part, Mapping) and "default" in part}


def _complete(step: Any, place: int, tools: ToolRegistry) -> Any:
    """A step with what follows from its tool."""
    if not isinstance(step, dict):
        raise InvalidArgument(f"steps[{place}] is not an object.", hint="Give {id, tool, arguments}.", field="steps")
    made = dict(step)
    made.setdefault("title", str(made.get("id") or made.get("tool") or f"step {place + 1}"))
    tool = tools.get(str(made.get("tool", "")))
    if tool is not None and tool.effect is not None:
        made.setdefault("effect", tool.effect)
    if made.get("undo") in _NO_UNDO and tool is not None and parse_undo(tool.undo):
        made["undo"] = msgspec.to_builtins(tool.undo)
    can_be_left_out = made.get("effect") == "read" or made.get("undoes")
    if made.get("undo") in _NO_UNDO and "cancellable" not in made and not can_be_left_out:
        made["cancellable"] = "irreversible"
    return made


_NO_UNDO: tuple[Any, ...] = (None, "", {})


def plan_schema() -> dict[str, Any]:
    """The JSON Schema of a plan file, for editors. A step needs less in a file than in a recorded plan."""
    schema = msgspec.json.schema(PlanFile)
    definitions = schema["$defs"]
    plan, step = definitions.pop("PlanFile"), definitions["Step"]
    plan["properties"][EDITOR_FIELD] = {"description": "This schema, for editors", "type": "string"}
    plan["properties"]["steps"]["minItems"] = 1
    step["required"] = []
    for name, meaning in _MEANINGS.items():
        step["properties"][name]["description"] = meaning
    for each in definitions.values():
        each["description"] = " ".join(each["description"].split())
    return {"$schema": SCHEMA_DIALECT, **plan, "title": "A plan for `tallystick run`", "$defs": definitions}


_MEANINGS = {
    "title": "What it does, for people; its id or tool when left out",
    "arguments": "What the tool is called with; ${...} is a value of a parameter, a step or the context",
    "needs_approval": "A person is asked when it is due",
    "failure_policy": "What goes on when it fails",
    "effect": "Whether it can be repeated, or looked for; the tool's own word counts over it",
}
"""Fields whose meaning the schema of `record_plan` leaves to its text."""
