"""The values that the expressions of a step refer to: recorded results, parameters, context, and items of lists.

A step with `for_each` is expanded when its list is known: each item becomes a step `NAME.1`, `NAME.2`, ..., in a
revision of the plan for this execution alone. The step itself comes after them and gathers their results.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tallystick import operations
from tallystick.core.errors import InvalidArgument, TooLarge, UnknownHandle, WrongState
from tallystick.core.types import Step, Undo, parse_undo
from tallystick.runner import expressions

if TYPE_CHECKING:
    from tallystick.runner.runner import KnownRun
    from tallystick.runner.stepper import AsyncCall
    from tallystick.runner.tools.registry import ToolRegistry

MAX_ITEMS = 100_000
"""More than any plan may have steps: the journal has its own limit."""


class PlanLists:
    """The steps of a plan with `for_each`.

    `unexpanded`: those whose items are not steps yet. `gathers`: by step that gathers, its items. `items`: by step of
    one item, the values of `item` and `index`.
    """

    def __init__(self, steps: Mapping[str, Step]) -> None:
        listed = {name: step for name, step in steps.items() if step.for_each != ""}
        self.gathers: dict[str, tuple[str, ...]] = {}
        self.items: dict[str, dict[str, Any]] = {}
        for name, step in listed.items():
            if step.by == "runner" and not step.tool:
                self.gathers[name] = tuple(each for each in step.after or () if each.startswith(f"{name}."))
        for names in self.gathers.values():
            for index, item in enumerate(names):
                values = listed[item].for_each if item in listed else ()
                if isinstance(values, tuple) and len(values) == 1:
                    self.items[item] = {"item": values[0], "index": index}
        self.unexpanded = listed.keys() - self.gathers.keys() - self.items.keys()


class RecordedValues:
    """Reads values from the journal, and expands lists."""

    def __init__(self, call: AsyncCall, tools: ToolRegistry) -> None:
        self._call = call
        self._tools = tools

    async def variables(self, run: KnownRun, step: Step) -> dict[str, Any]:
        """The values that the expressions of a step refer to, as they were recorded."""
        steps, keys = _names_in(run, step)
        return {
            "parameters": run.state.parameters,
            "steps": {name: await self._of_step(run, name) for name in sorted(steps)},
            "context": {key: await self._of_context(run, key) for key in sorted(keys)},
            **run.lists.items.get(str(step.id), {}),
        }

    def known(self, run: KnownRun, step: Step) -> dict[str, Any] | None:
        """The same without reading the journal; None if it has to be read."""
        steps, keys = _names_in(run, step)
        if keys or not steps <= run.results.keys():
            return None
        return {
            "parameters": run.state.parameters,
            "steps": {
                name: {"state": run.schedule.states.get(name, ""), "result": run.results[name]} for name in steps
            },
            "context": {},
            **run.lists.items.get(str(step.id), {}),
        }

    async def _of_step(self, run: KnownRun, name: str) -> dict[str, Any]:
        state = run.schedule.states.get(name, "")
        value: dict[str, Any] = {"state": state}
        if state == "done" and name not in run.results and run.actions.get(name):
            run.results[name] = await self._result(run, name)
        if name in run.results:
            value["result"] = run.results[name]
        return value

    async def _result(self, run: KnownRun, name: str) -> Any:
        action = await self._call(operations.actions.get_action, {"action_id": run.actions[name]})
        result = action.end_body.get("result")
        is_left_out = name in run.lists.gathers and result is None
        return await self._results_of_items(run, name) if is_left_out else result

    async def _results_of_items(self, run: KnownRun, name: str) -> list[Any]:
        """The results of the items of a list, in its order; None for an item that was skipped."""
        return [(await self._of_step(run, item)).get("result") for item in run.lists.gathers[name]]

    async def _of_context(self, run: KnownRun, key: str) -> Any:
        """The newest value under a key, of the execution, else of its task, else of the project."""
        self._tools.require_context(f"context.{key}")
        for scope in ({"scope": "execution", "execution_id": run.id}, {"scope": "task", "task_id": run.state.task_id}):
            if scope["scope"] == "task" and not run.state.task_id:
                continue
            try:
                return (await self._call(operations.context.get_context, {"key": key, **scope})).values[0].value
            except UnknownHandle:
                continue
        try:
            return (await self._call(operations.context.get_context, {"key": key})).values[0].value
        except UnknownHandle as error:
            raise InvalidArgument(error.message, hint=error.hint, field=f"context.{key}") from None

    # ------------------------------------------------------------------------------------------------------------------
    # Lists

    async def expand_known(self, run: KnownRun) -> bool:
        """Expand the lists that are known before any step is done; returns whether there were any."""
        items: dict[str, list[Any]] = {}
        for name in sorted(run.lists.unexpanded):
            given = run.steps[name].for_each
            if not isinstance(given, str) or expressions.roots_of(given) <= {"parameters"}:
                try:
                    items[name] = list_of(run.steps[name], {"parameters": run.state.parameters})
                except InvalidArgument:  # the step fails with it when it is due
                    continue
        try:
            if items:
                await self._record_items(run, items, "")
        except (InvalidArgument, WrongState):  # the steps fail with it when they are due
            return False
        return bool(items)

    async def expand(self, run: KnownRun, name: str, variables: Mapping[str, Any]) -> None:
        """Expand the list of a step that is due; raises InvalidArgument if it is no list, or too long."""
        items = {name: list_of(run.steps[name], variables)}
        try:
            await self._record_items(run, items, name)
        except WrongState as refusal:  # another worker has expanded it, or the execution does not go on now
            state = await self._call(operations.runs.get_run, {"execution_id": run.id, "steps": (name,)})
            if state.revision == run.revision and state.status in ("running", "blocked") and not state.steps[0].state:
                raise InvalidArgument(refusal.message, hint=refusal.hint, field=f"steps.{name}.for_each") from None

    async def _record_items(self, run: KnownRun, items: dict[str, list[Any]], name: str) -> None:
        key = f"items:{run.id}:{run.revision}:{name}"
        await self._call(operations.runs.record_items, {"execution_id": run.id, "items": items, "key": key})

    async def gather(self, run: KnownRun, name: str) -> str:
        """Record the results of the items of a list as the result of its step; returns the action."""
        step = run.steps[name]
        results = await self._results_of_items(run, name)
        done = {
            "phase": "done",
            "outcome": "ok",
            "effect": "read",
            "execution_id": run.id,
            "step": name,
            "summary": step.title,
            "key": f"run:{run.id}:{name}:1",
        }
        try:
            receipt = await self._call(operations.actions.record_action, {**done, "result": results})
        except TooLarge:  # each item has its own
            receipt = await self._call(operations.actions.record_action, done)
        run.results[name] = results
        return str(receipt.id)


def _names_in(run: KnownRun, step: Step) -> tuple[set[str], set[str]]:
    """The steps and the keys of the context that the expressions of a step refer to."""
    calls = [parse_undo(step.undo), step.probe]
    texts = [step.arguments, step.for_each, *(each.arguments for each in calls if isinstance(each, Undo))]
    found = [*expressions.expressions_in(texts), step.when]
    steps = {name for each in found for name in expressions.steps_named(each) if name in run.steps}
    return steps, {key for each in found for key in expressions.context_keys_named(each)}


def list_of(step: Step, variables: Mapping[str, Any]) -> list[Any]:
    """The list of a step with `for_each`; raises InvalidArgument if it is none."""
    field, given = f"steps.{step.id}.for_each", step.for_each
    found = expressions.fill(given, variables, field) if isinstance(given, str) else list(given)
    if isinstance(found, list) and len(found) <= MAX_ITEMS:
        return found
    raise InvalidArgument(
        f"{field} is {'too long' if isinstance(found, list) else 'no list'}.",
        hint="Refer to a list such as ${steps.find.result}.",
        field=field,
    )
