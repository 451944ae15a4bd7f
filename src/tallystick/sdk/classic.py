"""The calls of the earlier designs as Python methods, and their `execute_plan`, which takes an executor."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from tallystick.core.redaction.jsonable import describe_error
from tallystick.core.tools import snake_case
from tallystick.sdk.legacy.request import Answer
from tallystick.sdk.legacy.table import CALLS

if TYPE_CHECKING:
    from tallystick.core.types import Step
    from tallystick.sdk.journal import AsyncJournal, Journal
    from tallystick.sdk.local import Caller


class Classic:
    """The calls of the earlier designs on one journal, in snake_case and in camelCase."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if snake_case(name) not in CALLS:
            raise AttributeError(f"no earlier design has a call {name!r}")
        return lambda *args, **arguments: self._call(name, args, arguments)


def call_by_name(caller: Caller, name: str, args: Sequence[Any], arguments: Mapping[str, Any]) -> Answer:
    """Carry out a call. Its arguments are given by name, in one mapping, or by position."""
    call = CALLS[snake_case(name)]
    by_position = dict(zip(call.parameters, args, strict=False))
    given = args[0] if len(args) == 1 and isinstance(args[0], Mapping) else by_position
    normalized = call.normalize({**given, **arguments})
    answer = call.carry_out(caller, normalized, limit=normalized.get("limit", 20))
    return Answer(
        {name: Answer(value) if name == "plan_json" else to_builtins(value) for name, value in answer.items()}
    )


async def call_in_thread(caller: Caller, name: str, args: Sequence[Any], arguments: Mapping[str, Any]) -> Answer:
    """The same as `call_by_name`, in a worker thread."""
    return await to_thread(call_by_name, caller, name, args, arguments)


class PlanRun:
    """One call of `execute_plan`: the saved plan, and what is recorded of it before and after its steps."""

    def __init__(self, caller: Caller, arguments: Mapping[str, Any], executor: Callable[..., Any]) -> None:
        self._caller = caller
        self._executor = executor
        key = arguments.get("key")
        self.plan = call_by_name(caller, "create_plan", (), {**arguments, "start": False})
        self.key = f"{key}.run" if key else None
        steps = (str(step["step"]) for step in self.plan.plan_json.steps)
        self._given = dict(zip(steps, arguments["steps"], strict=True))
        if self.plan.status == "blocked":  # an earlier run with the same key failed
            self._update(status="in_progress", agent_reasoning="It is carried out again.")

    def execute(self, step: Step) -> Any:
        """Call the executor with a step as it was given."""
        return self._executor(self._given[str(step.id)], self.plan.id)

    def block(self, error: Exception) -> None:
        """Record that the plan cannot go on."""
        self._update(status="blocked", agent_reasoning=describe_error(error))

    def finish(self) -> Answer:
        """The plan as it is now, with its logs and its context."""
        return call_by_name(self._caller, "get_plan", (self.plan.id, True, True), {})

    def _update(self, **arguments: Any) -> None:
        call_by_name(self._caller, "update_plan", (self.plan.id,), arguments)


def execute_plan(journal: Journal, arguments: Mapping[str, Any], executor: Callable[..., Any]) -> Answer:
    """Carry out a plan with a function."""
    run = PlanRun(journal.caller, arguments, executor)
    try:
        journal.carry_out(run.plan.id, run.execute, key=run.key)
    except Exception as error:
        run.block(error)
        raise
    return run.finish()


async def execute_plan_async(
    journal: AsyncJournal, arguments: Mapping[str, Any], executor: Callable[..., Any]
) -> Answer:
    """Carry out a plan with a function or a coroutine function."""
    run = await to_thread(PlanRun, journal.caller, arguments, executor)
    try:
        await journal.carry_out(run.plan.id, run.execute, key=run.key)
    except Exception as error:
        await to_thread(run.block, error)
        raise
    return await to_thread(run.finish)
