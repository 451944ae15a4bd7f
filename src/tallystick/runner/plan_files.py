"""Plans as files: YAML or JSON, with the fields of `record_plan`."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tallystick.core.errors import InvalidArgument
from tallystick.core.types import Step, UnwindMode, convert, parse_undo
from tallystick.operations.plans import PlanView
from tallystick.runner.tools.registry import ToolRegistry, read_structured


class PlanFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A plan to be recorded. `parameters` is a JSON Schema, `unwind` what happens when it fails."""

    steps: tuple[Step, ...]
    title: str = ""
    goal: str = ""
    type: str = ""
    task_id: str = ""
    reasoning: str = ""
    parameters: dict[str, Any] = {}
    unwind: UnwindMode | None = None

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
        raise InvalidArgument(
            f"{name} has no list of steps.", hint="Give steps: [{id, tool, arguments}].", field="steps"
        )
    steps = [_complete(step, place, tools) for place, step in enumerate(content["steps"])]
    return convert({**content, "title": content.get("title") or stem, "steps": steps}, PlanFile, name)


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
    if made.get("undo") is None and tool is not None and parse_undo(tool.undo):
        made["undo"] = msgspec.to_builtins(tool.undo)
    if made.get("undo") is None and "cancellable" not in made and made.get("effect") != "read":
        made["cancellable"] = "irreversible"
    return made


def plan_schema() -> dict[str, Any]:
    """The JSON Schema of a plan file, for editors. A step needs less in a file than in a recorded plan."""
    schema = msgspec.json.schema(PlanFile)
    step = schema["$defs"]["Step"]
    step["required"] = []
    schema["title"] = "A plan for tallystick run"
    return schema
