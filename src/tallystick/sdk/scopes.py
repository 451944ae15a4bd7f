"""Scopes for executions and actions (`with` blocks), the decorator for functions, and carrying out a plan.

Each decides which calls to make as plain values (`OperationRequest`); a journal that waits and one that awaits both
drive them. A scope that is left by an exception records it and lets it pass. A process that dies leaves its actions
open: they are in doubt from then on. Nothing is retried or undone here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from contextvars import Token
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import AlreadyDone, ApprovalPending, InvalidArgument, TallystickError
from tallystick.core.redaction.jsonable import describe_error, to_json
from tallystick.core.types import FINAL_STATUSES
from tallystick.operations import Operation
from tallystick.sdk.current import CurrentExecution, current, current_execution, owner_of_call

if TYPE_CHECKING:
    from tallystick.operations.runtime.receipts import ActionReceipt, ExecutionReceipt
    from tallystick.operations.views.execution_status import Status

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class OperationRequest(Struct, frozen=True):
    """One call to make."""

    operation: Operation[..., Any]
    arguments: dict[str, Any]


class StepRun(Struct, frozen=True):
    """One step of an execution, to be run by the user's function."""

    step: dict[str, Any]
    execution: str


class StepOutcome(Struct, frozen=True):
    """How a step ended, as arguments for the end of its action; and the exception that interrupted it, to be raised
    after that is recorded."""

    end: dict[str, Any]
    interrupted: BaseException | None = None


SyncCall = Callable[[Operation[..., Any], dict[str, Any]], Any]
AsyncCall = Callable[[Operation[..., Any], dict[str, Any]], Awaitable[Any]]


class Scope(ABC, Generic[T]):
    """Something that is recorded when a `with` or `async with` block begins and ends."""

    def __init__(self, call: SyncCall | AsyncCall) -> None:
        self._call = call

    @abstractmethod
    def begin_request(self) -> OperationRequest:
        """The call that records the begin."""

    @abstractmethod
    def on_begun(self, receipt: Any) -> T:
        """Take the receipt of the begin; returns the value of the `with` block."""

    @abstractmethod
    def end_request(self, error: BaseException | None) -> OperationRequest | None:
        """The call that records the end, if there is something to record."""

    def on_exit(self) -> None:
        """Restore what entering changed."""

    def is_already_ended(self, problem: TallystickError) -> bool:
        """Whether recording the end failed because the end was recorded before."""
        return False

    def __enter__(self) -> T:
        request = self.begin_request()
        return self.on_begun(self._call(request.operation, request.arguments))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.on_exit()
        request = self.end_request(error)
        if request is None:
            return
        try:
            self._call(request.operation, request.arguments)
        except TallystickError as problem:
            if not self.is_already_ended(problem):
                _raise_or_note(error, problem)

    async def __aenter__(self) -> T:
        return self.on_begun(await self._awaited(self.begin_request()))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.on_exit()
        request = self.end_request(error)
        if request is None:
            return
        try:
            await self._awaited(request)
        except TallystickError as problem:
            if not self.is_already_ended(problem):
                _raise_or_note(error, problem)

    async def _awaited(self, request: OperationRequest) -> Any:
        """The result of a call; `async with` also works on a journal that does not await."""
        result = self._call(request.operation, request.arguments)
        return await result if hasattr(result, "__await__") else result


def _raise_or_note(error: BaseException | None, problem: TallystickError) -> None:
    """Raise our error, unless the user's code has raised one: then ours becomes a note on that."""
    if error is None:
        raise problem
    error.add_note(f"tallystick could not record this: {problem}")


class ExecutionScope(Scope["ExecutionScope"]):
    """An execution: `done` when the block ends normally, paused when it is left by an exception.

    Decisions made inside the block count: an execution that has ended, is paused or waits for a person stays so.
    """

    def __init__(self, call: SyncCall | AsyncCall, arguments: dict[str, Any]) -> None:
        super().__init__(call)
        self._arguments = arguments
        self._token: Token[CurrentExecution | None] | None = None
        self._decided = ""
        self.id = ""

    def begin_request(self) -> OperationRequest:
        return OperationRequest(operations.executions.record_execution_start, self._arguments)

    def on_begun(self, receipt: ExecutionReceipt) -> ExecutionScope:
        self.id = receipt.id
        self._token = current.set(CurrentExecution(receipt.id, owner_of_call(self._call)))
        return self

    def end_request(self, error: BaseException | None) -> OperationRequest | None:
        if error is None:
            return None if self._decided in ("pause", "ask_human") else self._decision("done", "")
        return self._decision("pause", f"left by {describe_error(error)}")

    def on_exit(self) -> None:
        if self._token is not None:
            current.reset(self._token)

    def is_already_ended(self, problem: TallystickError) -> bool:
        # Only the error for an execution that has ended suggests these calls.
        return problem.next_call is not None and problem.next_call[0] in ("record_execution_start", "list_owed")

    def _decision(self, decision: str, why: str, **more: Any) -> OperationRequest:
        return OperationRequest(
            operations.decisions.record_decision, {"execution_id": self.id, "decision": decision, "why": why, **more}
        )

    def action(self, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for an action of this execution; takes the arguments of `record_action` with phase=begin."""
        return ActionScope(self._call, {"execution_id": self.id, "summary": summary, **arguments})

    def step(self, step: str, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for a planned step of this execution."""
        return self.action(summary, step=step, **arguments)

    def decide(self, decision: str, why: str, **more: Any) -> Any:
        """Record a decision; returns its receipt, which is to be awaited with an asynchronous journal."""
        self._decided = decision
        request = self._decision(decision, why, **more)
        return self._call(request.operation, request.arguments)

    def remember(self, key: str, value: Any, **more: Any) -> Any:
        """Remember a fact in the scope of this execution; returns its receipt, which is to be awaited with an
        asynchronous journal."""
        arguments = {"key": key, "value": value, "scope": "execution", "execution_id": self.id, **more}
        return self._call(operations.context.record_context, arguments)


class ActionScope(Scope["ActionScope"]):
    """An action: it ends `ok` with its `result`, `failed` with the exception, and stays open if the process dies."""

    def __init__(self, call: SyncCall | AsyncCall, arguments: dict[str, Any]) -> None:
        super().__init__(call)
        self._arguments = arguments
        self.id = ""
        self.result: Any = None
        self.after: Any = None
        self._outcome = "ok"
        self._reason = ""
        self._is_done_again = False

    def begin_request(self) -> OperationRequest:
        arguments = {"execution_id": current_execution() or None, **self._arguments, "phase": "begin"}
        return OperationRequest(operations.actions.record_action, arguments)

    def on_begun(self, receipt: ActionReceipt) -> ActionScope:
        if receipt.repeated and receipt.state not in ("open", "in_doubt"):
            raise AlreadyDone(
                f"{receipt.id} has the same key and has ended: {receipt.state}.",
                hint="Use its result; or another key to do it again.",
                field="key",
                next_call=("get_action", {"action_id": receipt.id}),
            )
        self._is_done_again = receipt.state == "in_doubt"  # only what may be repeated comes so far
        self.id = receipt.id
        return self

    def failed(self, error: str) -> None:
        """Record it as failed, without an exception."""
        self._outcome, self._reason = "failed", error

    def skipped(self, reason: str) -> None:
        """Record it as skipped: it was not done after all."""
        self._outcome, self._reason = "skipped", reason

    def unknown(self, reason: str) -> None:
        """Record its outcome as unknown: it is in doubt."""
        self._outcome, self._reason = "unknown", reason

    async def __aenter__(self) -> ActionScope:
        request = self.begin_request()
        result: Any = self._call(request.operation, request.arguments)
        if not hasattr(result, "__await__"):
            return self.on_begun(result)
        from asyncio import CancelledError, ensure_future, shield  # an awaiting program has loaded it already

        begun = ensure_future(result)
        try:
            return self.on_begun(await shield(begun))
        except CancelledError:
            await shield(ensure_future(self._skip_cancelled(begun)))
            raise

    async def _skip_cancelled(self, begun: Awaitable[Any]) -> None:
        """End an action whose task was cancelled during its begin: the begin is recorded, and nobody else ends it."""
        with suppress(TallystickError):
            self.on_begun(await begun)
            self.skipped("cancelled before it was done")
            request = self.end_request(None)
            assert request is not None
            await self._awaited(request)

    def end_request(self, error: BaseException | None) -> OperationRequest | None:
        if _is_interruption(error):
            self.unknown(f"interrupted by {describe_error(error)}")
        elif error is not None:
            self.failed(describe_error(error))
        arguments: dict[str, Any] = {"phase": "end", "action_id": self.id, "outcome": self._outcome}
        if self._outcome == "ok":
            arguments |= {"result": to_json(self.result), "after": to_json(self.after)}
        elif self._outcome == "skipped":
            arguments["summary"] = self._reason
        else:
            arguments["error"] = self._reason
        if self._is_done_again:
            arguments["evidence"] = "it was done again, which its effect allows"
        return OperationRequest(operations.actions.record_action, arguments)


def _is_interruption(error: BaseException | None) -> bool:
    """Whether a call was interrupted, for example by a cancelled task: it may or may not have had its effect."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        return True
    return type(error).__name__ == "CancelledError"


def record_calls(call: SyncCall | AsyncCall, fixed: dict[str, Any]) -> Callable[[F], F]:
    """A decorator that makes each call of a function an action; the function's name is the tool.

    The action of a generator lasts from its first item to its last; it is in doubt if the generator is closed earlier.
    `fixed` are arguments of `record_action` for every call.
    """

    def decorate(function: F) -> F:
        import inspect  # slow to load, and only needed to decorate
        from contextlib import aclosing

        signature = inspect.signature(function)
        awaited = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
        if inspect.iscoroutinefunction(call) and not awaited:
            raise InvalidArgument(
                f"{function.__qualname__} cannot await its record.",
                hint="Decorate it with a Journal, or make it a coroutine function.",
                field="function",
            )

        def scope(args: tuple[Any, ...], kwargs: dict[str, Any]) -> ActionScope:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            arguments = {name: to_json(value) for name, value in bound.arguments.items() if name != "self"}
            return ActionScope(call, {"tool": function.__qualname__, "arguments": arguments, **fixed})

        @wraps(function)
        def waits(*args: Any, **kwargs: Any) -> Any:
            with scope(args, kwargs) as action:
                action.result = function(*args, **kwargs)
            return action.result

        @wraps(function)
        async def awaits(*args: Any, **kwargs: Any) -> Any:
            async with scope(args, kwargs) as action:
                action.result = await function(*args, **kwargs)
            return action.result

        @wraps(function)
        def yields(*args: Any, **kwargs: Any) -> Any:
            with scope(args, kwargs) as action:
                action.result = yield from function(*args, **kwargs)
            return action.result

        @wraps(function)
        async def yields_awaited(*args: Any, **kwargs: Any) -> Any:
            async with scope(args, kwargs), aclosing(function(*args, **kwargs)) as items:
                async for item in items:
                    yield item

        if awaited:
            return cast("F", awaits if inspect.iscoroutinefunction(function) else yields_awaited)
        return cast("F", yields if inspect.isgeneratorfunction(function) else waits)

    return decorate


def carry_out_steps(plan_id: str, arguments: dict[str, Any]) -> Generator[OperationRequest | StepRun, Any, Status]:
    """Carry out a plan step by step: record the begin, yield the step for the user's function, record its outcome.

    It stops at the first failure and at a step that waits for a person, and returns the status: the caller decides what
    to do then. A step that was interrupted is in doubt, and the interrupting exception is raised. With the `key` of an
    execution that was started before, it goes on there: done steps are left out, and one in doubt raises InDoubtOpen
    unless it may be repeated.
    """
    started: ExecutionReceipt = yield OperationRequest(
        operations.executions.record_execution_start, {"plan_id": plan_id, **arguments}
    )
    history = yield OperationRequest(operations.plans.get_plan, {"plan_id": plan_id})
    steps = {step["id"]: step for step in history.revisions[0].steps}
    get_status = OperationRequest(operations.execution_status.get_status, {"execution_id": started.id})
    ready = started.next_steps
    if started.repeated:
        before: Status = yield get_status
        ready = (*(each.id for each in before.steps if each.actual == "in_doubt" and each.id in steps), *ready)
    while ready:
        step = steps[ready[0]]
        try:
            begun: ActionReceipt = yield OperationRequest(
                operations.actions.record_action, _begin_arguments(step, started.id)
            )
        except ApprovalPending:
            break
        outcome: StepOutcome = yield StepRun(step, started.id)
        yield from _end_step(begun.id, outcome)
        if outcome.end["outcome"] != "ok":
            break
        status: Status = yield get_status
        ready = status.next_steps
    final: Status = yield get_status
    if final.execution.done_steps < final.execution.total_steps or final.execution.status in FINAL_STATUSES:
        return final
    yield OperationRequest(operations.decisions.record_decision, {"execution_id": started.id, "decision": "done"})
    final = yield get_status
    return final


def _end_step(action: str, outcome: StepOutcome) -> Generator[OperationRequest, Any, None]:
    try:
        yield OperationRequest(operations.actions.record_action, {"phase": "end", "action_id": action, **outcome.end})
    except TallystickError as problem:
        _raise_or_note(outcome.interrupted, problem)
    if outcome.interrupted is not None:
        raise outcome.interrupted


def _begin_arguments(step: dict[str, Any], execution: str) -> dict[str, Any]:
    return {
        "phase": "begin",
        "execution_id": execution,
        "step": step["id"],
        "tool": step.get("tool") or None,
        "arguments": step.get("arguments") or None,
        "summary": step.get("title", ""),
    }


def successful_step(result: Any) -> StepOutcome:
    return StepOutcome({"outcome": "ok", "result": to_json(result)})


def failed_step(error: BaseException) -> StepOutcome:
    interruption = None if isinstance(error, Exception) else error
    if _is_interruption(error):
        return StepOutcome({"outcome": "unknown", "error": f"interrupted by {describe_error(error)}"}, interruption)
    return StepOutcome({"outcome": "failed", "error": describe_error(error)}, interruption)
