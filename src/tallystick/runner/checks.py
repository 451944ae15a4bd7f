"""Everything that can be known about a plan before its first effect: names, references, types, conditions.

What depends on values that nobody knows yet is checked when the step is due.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from os import PathLike
from typing import Any

from msgspec import Struct, to_builtins

from tallystick.core import plans as core_plans
from tallystick.core.errors import InvalidArgument, TallystickError, quote_words
from tallystick.core.formats import json_schema
from tallystick.core.formats.json_schema import Unknown
from tallystick.core.tools import SECRET, has_mask, texts_in
from tallystick.core.types import Retry, Step, Undo
from tallystick.runner import expressions
from tallystick.runner.expressions import Path
from tallystick.runner.plan_files import PlanFile, default_parameters, load_plan
from tallystick.runner.tools.named_secrets import SECRETS_FOLDER, SECRETS_RULE, find_secret
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.tool import RunnerTool, may_repeat
from tallystick.runner.value_types import (
    TEXT,
    UNKNOWN,
    WHOLE_NUMBER,
    NoSuchMember,
    ValueType,
    list_of,
    type_of_expression,
    type_of_schema,
)

MAX_STEPS = 1_000_000
"""The journal has its own limit: it is checked when the plan is recorded."""
MAX_LIST_STEP_ID = 190
"""Its items have longer ids."""
MAX_PROBLEMS_SHOWN = 5
MAX_NAMES_SHOWN = 10
NOT_REFERRED_TO = "The plan does not refer to it."
"""The problem with a value that a plan neither declares nor refers to."""
NO_TOOL = "There is no tool "
"""How the problem with a tool begins that nobody has registered."""


class PlanProblem(Struct, frozen=True):
    """Something that is wrong with a plan: where, what, and how to mend it."""

    place: str
    message: str
    fix: str = ""

    def __str__(self) -> str:
        place = "" if self.message.startswith(self.place) else f"{self.place}: "
        return f"{place}{self.message} {self.fix}".rstrip()


def check_plan(
    plan: PlanFile, tools: ToolRegistry, parameters: Mapping[str, Any] | None = None, *, with_secrets: bool = True
) -> tuple[PlanProblem, ...]:
    """All problems of a plan. `parameters` None: the values are not known yet. `with_secrets`: the secrets that it
    names have to be there."""
    try:
        steps = core_plans.normalize_steps(plan.steps, MAX_STEPS)
    except InvalidArgument as error:
        return (_problem(error, "steps"),)
    if parameters is not None:
        parameters = {**default_parameters(plan.parameters), **parameters}
    declared, found = plan.parameters, list(_check_schema(plan.parameters))
    if found:
        declared = {}
    elif parameters is not None:
        found += _check_parameters(declared, parameters)
        found += _check_named(declared, parameters, steps)
    names = _Names(steps, tools, declared, parameters)
    for step in steps:
        found += _StepCheck(step, names, tools, with_secrets).problems()
    return (*found, *_check_resources(steps, tools))


def check_open_steps(plan: PlanFile, tools: ToolRegistry, settled: Collection[str]) -> tuple[PlanProblem, ...]:
    """The tools and secrets that are missing for the steps of a run that are not settled. The rest of its plan was
    checked when it was started."""
    names = _Names(plan.steps, tools, {}, None)
    gathers = (step.for_each != "" and not step.tool for step in plan.steps)  # it calls nothing
    open_steps = (
        step
        for step, is_gather in zip(plan.steps, gathers, strict=True)
        if step.by == "runner" and not is_gather and str(step.id) not in settled
    )
    return tuple(found for step in open_steps for found in _StepCheck(step, names, tools, True).missing())


def _check_resources(steps: Sequence[Step], tools: ToolRegistry) -> Iterator[PlanProblem]:
    """Resources whose limit in the policy has another, similar name, which nothing here uses."""
    used = {step.resource: f"steps.{step.id}.resource" for step in steps if step.resource}
    used.update((tool.resource, f"tools.{tool.name}.resource") for tool in tools if tool.resource)
    limited = tools.policy.resources
    for name, place in used.items():
        letters = name.strip("0123456789")  # gpu1 is not a misspelt gpu2
        others = [each for each in limited if each not in used and each.strip("0123456789") != letters]
        if name not in limited and (near := get_close_matches(name, others, 1, 0.7)):
            fix = f"Write one of them like the other, or give [resources.{name}] to the policy."
            yield PlanProblem(place, f'The policy limits the resource "{near[0]}", and not "{name}".', fix)


def check_file(
    source: str | PathLike[str] | Mapping[str, Any],
    tools: ToolRegistry,
    parameters: Mapping[str, Any] | None = None,
    *,
    with_secrets: bool = True,
) -> tuple[PlanProblem, ...]:
    """The same for a plan file, or a mapping with its fields, including that it can be read."""
    try:
        plan = load_plan(source, tools)
    except TallystickError as error:
        return (_problem(error, "the plan"),)
    return check_plan(plan, tools, parameters, with_secrets=with_secrets)


def require_no_problems(problems: Sequence[PlanProblem]) -> None:
    """Raise one InvalidArgument that lists the first problems."""
    if not problems:
        return
    shown = [str(each) for each in problems[:MAX_PROBLEMS_SHOWN]]
    more = len(problems) - len(shown)
    count = "a problem" if len(problems) == 1 else f"{len(problems)} problems"
    lines = [f"The plan has {count}; nothing was done.", *shown, *([f"and {more} more."] if more else [])]
    raise InvalidArgument("\n".join(lines), field=problems[0].place)


def find_masks(plan: PlanFile) -> tuple[PlanProblem, ...]:
    """The calls of a recorded plan that hold something masked: they cannot be made as they were meant."""
    return tuple(
        PlanProblem(
            f"steps.{step.id}.{name}",
            "It holds what looks like a secret, and is masked in the journal.",
            f"Hand secrets over by name: {SECRET}NAME.",
        )
        for step in plan.steps
        if step.by == "runner"
        for name, value in (("arguments", step.arguments), ("for_each", step.for_each))
        if has_mask(value)
    )


def _problem(error: TallystickError, place: str) -> PlanProblem:
    return PlanProblem(error.field or place, error.message, error.hint)


def _check_schema(schema: Mapping[str, Any]) -> Iterator[PlanProblem]:
    try:
        json_schema.check_schema(schema, "parameters")
    except InvalidArgument as error:
        yield _problem(error, "parameters")


def _check_parameters(schema: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[PlanProblem]:
    others = {"additionalProperties": False} if "properties" in schema else {}  # else a misspelt one is not seen
    try:
        json_schema.check_value(dict(values), {"type": "object", **others, **schema}, "parameters")
    except InvalidArgument as error:
        yield _problem(error, "parameters")


def _check_named(schema: Mapping[str, Any], values: Mapping[str, Any], steps: Iterable[Step]) -> Iterator[PlanProblem]:
    """Values that a plan which declares none does not refer to."""
    if not values or "properties" in schema or "additionalProperties" in schema:
        return
    try:
        found = [each for step in steps for each in (*expressions.expressions_in(to_builtins(step)), step.when)]
    except InvalidArgument:  # it is reported with its step
        return
    paths = [path for each in found for path in expressions.paths_in(each) if path.root == "parameters"]
    names = {path.parts[1] for path in paths if len(path.parts) > 1}
    if any(len(path.parts) == 1 for path in paths):
        return
    for name in sorted(values.keys() - names):
        yield PlanProblem(f"parameters.{name}", NOT_REFERRED_TO, _fix(name, names) if names else "Leave it out.")


# ----------------------------------------------------------------------------------------------------------------------
# Names and their types


class _Names:
    """What the expressions of a plan may name, and the types of it."""

    def __init__(
        self,
        steps: Sequence[Step],
        tools: ToolRegistry,
        parameters: Mapping[str, Any],
        values: Mapping[str, Any] | None,
    ) -> None:
        self.steps = {str(step.id): step for step in steps}
        self._tools = tools
        self._types: dict[str, ValueType] = {}
        self._parameters = type_of_schema(parameters)
        self._values = values
        self._items: dict[str, ValueType] = {}

    def type_of(self, path: Path, step: Step) -> ValueType:
        """The type of what a path in an expression of a step names; raises InvalidArgument."""
        if len(path.parts) == 1 and path.root in ("steps", "context"):
            raise InvalidArgument(
                f"{path.text} is used without a plain name.", hint=f"Name it: {path.root}.NAME, or {path.root}['NAME']."
            )
        if path.root == "steps":
            return self._walk(path, self._type_of_step(path, step), 2)
        if path.root == "parameters":
            found = self._walk(path, self._parameters, 1)
            self._require_given(path)
            return found
        if path.root in ("item", "index"):
            return self._walk(path, self._type_of_item(path, step), 1)
        self._tools.require_context(path.text)
        return UNKNOWN

    def _walk(self, path: Path, found: ValueType, start: int) -> ValueType:
        for place in range(start, len(path.parts)):
            try:
                found = found.member(path.parts[place], quoted=place in path.quoted)
            except NoSuchMember as error:
                whole = ".".join(path.parts[:place])
                raise InvalidArgument(
                    f'{path.text}: {whole} has no "{path.parts[place]}".', hint=_fix(path.parts[place], error.names)
                ) from None
        return found

    def _type_of_step(self, path: Path, step: Step) -> ValueType:
        name = path.parts[1]
        if name not in self.steps:
            dashed = [each for each in self.steps if each.startswith(f"{name}-")]
            hint = f"Write steps['{dashed[0]}']: a dash is a minus here." if dashed else _fix(name, self.steps)
            raise InvalidArgument(f"{path.text} names a step that the plan does not have.", hint=hint)
        if not self._comes_before(name, str(step.id)):
            is_after = self._comes_before(str(step.id), name) or name == step.id
            hint = "Refer to a step that comes before it." if is_after else f'Add "{name}" to its `after`.'
            raise InvalidArgument(f'{path.text}: "{name}" does not come before "{step.id}".', hint=hint)
        return self.type_of_step(name)

    def type_of_step(self, name: str) -> ValueType:
        """What a step leaves behind. Only the runner's tools are known to keep to a schema."""
        if name not in self._types:
            step = self.steps[name]
            tool = self._tools.get(step.tool) if step.by == "runner" else None
            result = type_of_schema(tool.output_schema) if tool else UNKNOWN
            if step.for_each != "":
                result = list_of(result)
            fields = {"state": TEXT.schema, "result": result.schema}
            schema = {"type": "object", "properties": fields, "additionalProperties": False}
            self._types[name] = ValueType(schema, result.root)
        return self._types[name]

    def _require_given(self, path: Path) -> None:
        given = self._values
        if given is not None and len(path.parts) > 1 and path.parts[1] not in given:
            raise InvalidArgument(
                f"{path.text} is not given.",
                hint=f"Give the parameter {path.parts[1]}, for example with --set {path.parts[1]}=VALUE.",
            )

    def _type_of_item(self, path: Path, step: Step) -> ValueType:
        if step.for_each == "":
            raise InvalidArgument(
                f"{path.text} is for steps with for_each.", hint="Give for_each, or refer to something else."
            )
        return self.type_of_items(step) if path.root == "item" else WHOLE_NUMBER

    def type_of_items(self, step: Step) -> ValueType:
        """The type of one item of `for_each`; unknown if that is no list."""
        if not isinstance(step.for_each, str):
            return UNKNOWN
        try:
            path = expressions.path_of(whole_reference(step.for_each))
            is_other = path is not None and path.root not in ("item", "index")
            return self.type_of(path, step).items if path and is_other else UNKNOWN
        except InvalidArgument:  # it is reported for for_each itself
            return UNKNOWN

    def _comes_before(self, name: str, step: str) -> bool:
        if name in (self.steps[step].after or ()):
            return True
        return bool(self._behind[name] >> self._places[step] & 1)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.steps)}

    @cached_property
    def _behind(self) -> dict[str, int]:
        """By step: those that come after it, directly or not, as a mask of bits."""
        order = core_plans.StepOrder([core_plans.step_facts(step) for step in self.steps.values()])
        return dict(zip(self.steps, order.all_descendants(), strict=True))


def whole_reference(text: str) -> str:
    """The expression of a text that is one reference and nothing else; else empty."""
    found = list(expressions.references_in(text))
    is_whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(text))
    return found[0].expression if is_whole else ""


def _fix(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, 3, 0.5)
    if near:
        return f"Did you mean {quote_words(near)}?"
    return f"It has: {quote_words(list(known)[:MAX_NAMES_SHOWN])}." if known else "Refer to something that is there."


# ----------------------------------------------------------------------------------------------------------------------
# One step


class _StepCheck:
    """The checks of one step."""

    def __init__(self, step: Step, names: _Names, tools: ToolRegistry, with_secrets: bool) -> None:
        self._step = step
        self._names = names
        self._tools = tools
        self._with_secrets = with_secrets
        self._place = f"steps.{step.id}"
        self._found: list[PlanProblem] = []

    def problems(self) -> list[PlanProblem]:
        step = self._step
        self._check_condition()
        if step.by != "runner":  # an agent or a person has tools of its own
            return self._found
        self._check_list()
        tool = self._tool(step.tool, f"{self._place}.tool")
        if tool is not None:
            self._check_call(tool, step.arguments, f"{self._place}.arguments")
            self._check_retry(tool)
        else:
            self._known(step.arguments, f"{self._place}.arguments", ())
        self._check_other_call(step.undo or (tool.undo if tool else None), f"{self._place}.undo")
        self._check_other_call(step.probe, f"{self._place}.probe")
        return self._found

    def missing(self) -> list[PlanProblem]:
        """Only the tools and secrets that are not there."""
        step = self._step
        tool = self._tool(step.tool, f"{self._place}.tool")
        undo = step.undo or (tool.undo if tool else None)
        calls = {"arguments": step.arguments}
        for name, call in (("undo", undo), ("probe", step.probe)):
            if isinstance(call, Undo) and call.tool:
                self._tool(call.tool, f"{self._place}.{name}.tool")
                calls[f"{name}.arguments"] = call.arguments
        for name, arguments in calls.items():
            for text in texts_in(arguments):
                self._check_secret(text, f"{self._place}.{name}")
        return self._found

    def _add(self, place: str, message: str, fix: str = "") -> None:
        self._found.append(PlanProblem(place, message, fix))

    def _add_error(self, error: TallystickError, place: str) -> None:
        self._add(place, error.message, error.hint)

    def _tool(self, name: str, place: str) -> RunnerTool | None:
        if not name:
            self._add(place, "No tool is named.", "Name a tool, or say who does it: by: agent, or by: person.")
            return None
        try:
            return self._tools.require(name, place)
        except InvalidArgument as error:
            self._add_error(error, place)
            return None

    def _check_call(self, tool: RunnerTool, arguments: Mapping[str, Any], place: str, *roots: str) -> None:
        before = len(self._found)
        known = self._known(arguments, place, roots)
        if len(self._found) > before:  # what is wrong with a reference is not said twice
            return
        try:
            if tool.check is not None:
                tool.check(arguments, place)
            if tool.input_schema is not None:
                json_schema.check_value(known, tool.input_schema, place)
        except InvalidArgument as error:
            self._found.append(_problem(error, place))
        except (KeyError, TypeError, AttributeError):  # a schema of somebody else that is none: the tool checks
            return

    def _check_other_call(self, call: str | Undo | None, place: str) -> None:
        """Check the call of an undo or a probe. One in words is for people."""
        if not isinstance(call, Undo) or not call.tool:
            return
        tool = self._tool(call.tool, f"{place}.tool")
        if tool is not None:
            self._check_call(tool, call.arguments, f"{place}.arguments", *expressions.UNDO_ROOTS)

    def _check_retry(self, tool: RunnerTool) -> None:
        retry, effect = self._step.retry, tool.effect or self._step.effect
        for category in retry.on if isinstance(retry, Retry) else ():
            if not may_repeat(category, effect):
                self._add(
                    f"{self._place}.retry.on",
                    f"{category} is never repeated for a tool whose effect is {effect}.",
                    "Leave it out: transient is always safe; failed, timed_out and lost are for read and idempotent.",
                )

    # Expressions

    def _check_condition(self) -> None:
        if not self._step.when:
            return
        place = f"{self._place}.when"
        found = self._type(self._step.when, expressions.cel_paths_in(self._step.when), place)
        if found.types and found.types != ("boolean",):
            self._add(place, f"It is {found.types[0]}, not true or false.", "Compare it with something.")

    def _check_list(self) -> None:
        step, place = self._step, f"{self._place}.for_each"
        if step.undoes and self._names.steps[step.undoes].for_each != "":
            self._add(f"{self._place}.undoes", "It names a step with for_each.", f"Give {step.undoes} an undo instead.")
        if step.for_each == "":
            return
        if len(str(step.id)) > MAX_LIST_STEP_ID or any(each.startswith(f"{step.id}.") for each in self._names.steps):
            fix = "Give it a short id, and other steps ids that do not begin with it and a dot."
            self._add(place, f"Its items cannot be named {step.id}.1, and so on.", fix)
        if isinstance(step.for_each, str):
            self._check_list_reference(step.for_each, place)
        elif next(expressions.expressions_in(step.for_each), None) is not None:
            fix = "Give one reference to a list, such as ${[parameters.a, 'b']}."
            self._add(place, "The items of a list are taken as they are, and one holds a reference.", fix)

    def _check_list_reference(self, given: str, place: str) -> None:
        try:
            reference = whole_reference(given)
        except InvalidArgument as error:
            self._add_error(error, place)
            return
        if not reference or expressions.roots_of(given) & {"item", "index"}:
            self._add(place, "It is no list.", "Give a list, or one reference to a list such as ${steps.find.result}.")
            return
        found = self._reference(reference, place)
        if found.types and "array" not in found.types:
            self._add(place, f"{given} is {found.types[0]}, not a list.", "Refer to a list.")

    def _known(self, value: Any, place: str, roots: tuple[str, ...]) -> Any:
        """A value with unknowns in the place of its references."""
        if isinstance(value, Mapping):
            return {name: self._known(item, f"{place}.{name}", roots) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._known(item, f"{place}[{number}]", roots) for number, item in enumerate(value)]
        return self._known_text(value, place, roots) if isinstance(value, str) else value

    def _known_text(self, text: str, place: str, roots: tuple[str, ...]) -> Any:
        self._check_secret(text, place)
        try:
            found = list(expressions.references_in(text))
            whole = whole_reference(text)
        except InvalidArgument as error:
            self._add_error(error, place)
            return Unknown()
        types = [self._reference(each.expression, place, roots) for each in found]
        if whole:
            return Unknown(types[0].types)
        return Unknown(("string",)) if found or text.startswith(SECRET) else text.replace("$${", "${")

    def _reference(self, expression: str, place: str, roots: tuple[str, ...] = ()) -> ValueType:
        own = expressions.path_of(expression, roots) if roots else None
        if own is not None:
            return self._own_value(own, place)
        path = expressions.path_of(expression)
        paths = [path] if path else expressions.cel_paths_in(expression)
        return self._type(expression, paths, place, is_path=path is not None)

    def _own_value(self, path: Path, place: str) -> ValueType:
        """The type of `${result.x}` or `${arguments.x}` in an undo."""
        if path.root == "arguments":
            if len(path.parts) > 1 and path.parts[1] not in self._step.arguments:
                fix = _fix(path.parts[1], self._step.arguments)
                self._add(place, f'{path.text}: the step has no argument "{path.parts[1]}".', fix)
            return UNKNOWN
        found = self._names.type_of_step(str(self._step.id)).member("result")
        found = found.items if self._step.for_each != "" else found
        for part in path.parts[1:]:
            try:
                found = found.member(part)
            except NoSuchMember as error:
                self._add(place, f'{path.text}: the result has no "{part}".', _fix(part, error.names))
                return UNKNOWN
        return found

    def _type(self, expression: str, paths: Iterable[Path], place: str, *, is_path: bool = False) -> ValueType:
        """The type of an expression; unknown after a problem with it."""
        named: dict[Path, ValueType] = {}
        found = UNKNOWN
        try:
            for path in paths:
                found = self._names.type_of(path, self._step)
                if len(path.name.parts) > 1 or path.parts == path.name.parts:
                    named[path.name] = self._names.type_of(path.name, self._step)
            return found if is_path else type_of_expression(expression, named)
        except TallystickError as error:
            self._add_error(error, place)
            return UNKNOWN

    def _check_secret(self, text: str, place: str) -> None:
        if SECRET not in text:
            return
        name = text.removeprefix(SECRET)
        if not text.startswith(SECRET) or not name or SECRET in name:
            self._add(place, "A secret is named inside a text.", f"Give {SECRET}NAME alone; the tool gets its value.")
        elif "${" not in name and not self._tools.may_use_secret(name):
            self._add(place, f"The secret {name} is not allowed here.", SECRETS_RULE)
        elif self._with_secrets and "${" not in name and find_secret(name) is None:
            self._add(place, f"There is no secret {name}.", f"Set the variable, or a file in {SECRETS_FOLDER}.")
