"""The common case in three lines: scopes for executions and actions, and carrying out a plan.

What to call is decided once, in plain values (`Ask`), and driven by a caller that waits or by one that awaits. A
scope that is left by an exception records it and lets it pass; a process that dies leaves its actions open, and they
are in doubt from that moment. Nothing is retried and nothing is undone here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from contextvars import Token
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import ApprovalPending, InvalidArgument, TallystickError
from tallystick.core.redaction.jsonable import describe_error, to_json
from tallystick.operations import Operation
from tallystick.sdk.current import CurrentExecution, current, current_execution, owner_of_call

if TYPE_CHECKING:
    from tallystick.operations.runtime.receipts import ActionReceipt, ExecutionReceipt
    from tallystick.operations.views.execution import Status

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class OperationRequest(Struct, frozen=True):
    """One call to make."""

    operation: Operation[..., Any]
    arguments: dict[str, Any]


class StepRun(Struct, frozen=True):
    """One step of an execution for the user's own function."""

    step: dict[str, Any]
    execution: str


class StepOutcome(Struct, frozen=True):
    """What came of it, as the end of its action says it; and what interrupted it, which is let pass then."""

    end: dict[str, Any]
    interrupted: BaseException | None = None


SyncCall = Callable[[Operation[..., Any], dict[str, Any]], Any]
AsyncCall = Callable[[Operation[..., Any], dict[str, Any]], Awaitable[Any]]


class Scope(Generic[T]):
    """Something that begins and ends, in a `with` block or an `async with` block."""

    def __init__(self, call: SyncCall | AsyncCall) -> None:
        self._call = call

    def begins(self) -> OperationRequest:
        raise AssertionError("each scope says how it begins")

    def began(self, answer: Any) -> T:
        raise AssertionError("each scope says what it gives")

    def ends(self, error: BaseException | None) -> OperationRequest | None:
        raise AssertionError("each scope says how it ends")

    def left(self) -> None:
        """Put back what entering changed."""

    def is_settled(self, problem: TallystickError) -> bool:
        """Whether there was nothing to record at the end, because somebody had done it."""
        return False

    def __enter__(self) -> T:
        ask = self.begins()
        return self.began(self._call(ask.operation, ask.arguments))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.left()
        ask = self.ends(error)
        if ask is None:
            return
        try:
            self._call(ask.operation, ask.arguments)
        except TallystickError as problem:
            if not self.is_settled(problem):
                _keep_first(error, problem)

    async def __aenter__(self) -> T:
        return self.began(await self._awaited(self.begins()))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.left()
        ask = self.ends(error)
        if ask is None:
            return
        try:
            await self._awaited(ask)
        except TallystickError as problem:
            if not self.is_settled(problem):
                _keep_first(error, problem)

    async def _awaited(self, ask: OperationRequest) -> Any:
        """The answer; a journal that waits has it at once, also where somebody awaits."""
        answer = self._call(ask.operation, ask.arguments)
        return await answer if hasattr(answer, "__await__") else answer


def _keep_first(error: BaseException | None, problem: TallystickError) -> None:
    """An error of the user's own is never hidden by one of ours: ours becomes a note on it."""
    if error is None:
        raise problem
    error.add_note(f"tallystick could not record this: {problem}")


class ExecutionScope(Scope["ExecutionScope"]):
    """An execution: done when the block ends well, paused when it is left by an exception.

    What was decided inside stands: an execution that has ended, was paused or waits for a person is left as it is.
    """

    def __init__(self, call: SyncCall | AsyncCall, arguments: dict[str, Any]) -> None:
        super().__init__(call)
        self._arguments = arguments
        self._token: Token[CurrentExecution | None] | None = None
        self._decided = ""
        self.id = ""

    def begins(self) -> OperationRequest:
        return OperationRequest(operations.executions.record_execution_start, self._arguments)

    def began(self, answer: ExecutionReceipt) -> ExecutionScope:
        self.id = answer.id
        self._token = current.set(CurrentExecution(answer.id, owner_of_call(self._call)))
        return self

    def ends(self, error: BaseException | None) -> OperationRequest | None:
        if error is None:
            return None if self._decided in ("pause", "ask_human") else self.deciding("done", "")
        return self.deciding("pause", f"left by {describe_error(error)}")

    def left(self) -> None:
        if self._token is not None:
            current.reset(self._token)

    def is_settled(self, problem: TallystickError) -> bool:
        # It has ended: only then another one is to be started, or what it owes to be looked at.
        return problem.next_call is not None and problem.next_call[0] in ("record_execution_start", "list_owed")

    def deciding(self, decision: str, why: str, **more: Any) -> OperationRequest:
        return OperationRequest(
            operations.decisions.record_decision, {"execution_id": self.id, "decision": decision, "why": why, **more}
        )

    def action(self, summary: str = "", **arguments: Any) -> ActionScope:
        """An action of this execution, as a scope: takes what `record_action` takes at its beginning."""
        return ActionScope(self._call, {"execution_id": self.id, "summary": summary, **arguments})

    def step(self, step: str, summary: str = "", **arguments: Any) -> ActionScope:
        """A planned step of this execution, as a scope."""
        return self.action(summary, step=step, **arguments)

    def decide(self, decision: str, why: str, **more: Any) -> Any:
        """Record a decision, for its receipt; with an asynchronous journal, await what this returns."""
        self._decided = decision
        ask = self.deciding(decision, why, **more)
        return self._call(ask.operation, ask.arguments)

    def remember(self, key: str, value: Any, **more: Any) -> Any:
        """Remember a fact in the scope of this execution; with an asynchronous journal, await what this returns."""
        arguments = {"key": key, "value": value, "scope": "execution", "execution_id": self.id, **more}
        return self._call(operations.context.record_context, arguments)


class ActionScope(Scope["ActionScope"]):
    """An action: ends ok with its `result`, failed with the exception, and stays open when the process dies."""

    def __init__(self, call: SyncCall | AsyncCall, arguments: dict[str, Any]) -> None:
        super().__init__(call)
        self._arguments = arguments
        self.id = ""
        self.result: Any = None
        self.after: Any = None
        self._outcome = "ok"
        self._words = ""

    def begins(self) -> OperationRequest:
        arguments = {"execution_id": current_execution() or None, **self._arguments, "phase": "begin"}
        return OperationRequest(operations.actions.record_action, arguments)

    def began(self, answer: ActionReceipt) -> ActionScope:
        self.id = answer.id
        return self

    def failed(self, error: str) -> None:
        """Say that it failed, without an exception."""
        self._outcome, self._words = "failed", error

    def skipped(self, reason: str) -> None:
        """Say that it was not done after all."""
        self._outcome, self._words = "skipped", reason

    def unknown(self, reason: str) -> None:
        """Say that nobody knows what came of it: it is in doubt."""
        self._outcome, self._words = "unknown", reason

    async def __aenter__(self) -> ActionScope:
        ask = self.begins()
        answer: Any = self._call(ask.operation, ask.arguments)
        if not hasattr(answer, "__await__"):
            return self.began(answer)
        from asyncio import CancelledError, ensure_future, shield  # they are loaded already where this is awaited

        begun = ensure_future(answer)
        try:
            return self.began(await shield(begun))
        except CancelledError:
            await shield(ensure_future(self._never_done(begun)))
            raise

    async def _never_done(self, begun: Awaitable[Any]) -> None:
        """Who was about to do it was cancelled, and its beginning is recorded all the same: nobody else will end it."""
        with suppress(TallystickError):
            self.began(await begun)
            self.skipped("cancelled before it was done")
            ask = self.ends(None)
            assert ask is not None
            await self._awaited(ask)

    def ends(self, error: BaseException | None) -> OperationRequest | None:
        if _interrupts(error):
            self.unknown(f"interrupted by {describe_error(error)}")
        elif error is not None:
            self.failed(describe_error(error))
        arguments: dict[str, Any] = {"phase": "end", "action_id": self.id, "outcome": self._outcome}
        if self._outcome == "ok":
            arguments |= {"result": to_json(self.result), "after": to_json(self.after)}
        elif self._outcome == "skipped":
            arguments["summary"] = self._words
        else:
            arguments["error"] = self._words
        return OperationRequest(operations.actions.record_action, arguments)


def _interrupts(error: BaseException | None) -> bool:
    """Whether a call was broken off, as by a cancelled task: it may or may not have reached the world."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        return True
    return type(error).__name__ == "CancelledError"


def record_calls(call: SyncCall | AsyncCall, given: dict[str, Any]) -> Callable[[F], F]:
    """A decorator that makes each call of a function an action; the function's name is the tool.

    A generator's action lasts from its first item to its last; one that is closed before that is in doubt.
    """

    def decorate(function: F) -> F:
        import inspect  # only who decorates pays for it
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
            return ActionScope(call, {"tool": function.__qualname__, "arguments": arguments, **given})

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
    """Carry out a plan step by step: each is begun, handed to the user's function, and ended with what came of it.

    It stops at the first failure, and at a step that waits for a person, and hands back the status; what to do then is
    for the caller to decide. A step that was interrupted is in doubt, and what interrupted it passes.
    """
    started: ExecutionReceipt = yield OperationRequest(
        operations.executions.record_execution_start, {"plan_id": plan_id, **arguments}
    )
    history = yield OperationRequest(operations.plans.get_plan, {"plan_id": plan_id})
    steps = {step["id"]: step for step in history.revisions[0].steps}
    look = OperationRequest(operations.execution.get_status, {"execution_id": started.id})
    ready = started.next_steps
    called: list[tuple[Any, Any]] = []
    while ready:
        step = steps[ready[0]]
        call = (step.get("tool"), step.get("arguments"))
        again = "the plan has this call in several steps" if call[0] and call in called else ""
        try:
            begun: ActionReceipt = yield OperationRequest(
                operations.actions.record_action, _begins(step, started.id, again)
            )
        except ApprovalPending:
            break
        called.append(call)
        ran: StepOutcome = yield StepRun(step, started.id)
        yield from _ended(begun.id, ran)
        if ran.end["outcome"] != "ok":
            break
        status: Status = yield look
        ready = status.next_steps
    final: Status = yield look
    if final.execution.done_steps < final.execution.total_steps:
        return final
    yield OperationRequest(operations.decisions.record_decision, {"execution_id": started.id, "decision": "done"})
    final = yield look
    return final


def _ended(action: str, ran: StepOutcome) -> Generator[OperationRequest, Any, None]:
    try:
        yield OperationRequest(operations.actions.record_action, {"phase": "end", "action_id": action, **ran.end})
    except TallystickError as problem:
        _keep_first(ran.interrupted, problem)
    if ran.interrupted is not None:
        raise ran.interrupted


def _begins(step: dict[str, Any], execution: str, again: str) -> dict[str, Any]:
    return {
        "phase": "begin",
        "execution_id": execution,
        "step": step["id"],
        "tool": step.get("tool") or None,
        "arguments": step.get("arguments") or None,
        "summary": step.get("title", ""),
        "again": again,
    }


def successful_step(result: Any) -> StepOutcome:
    return StepOutcome({"outcome": "ok", "result": to_json(result)})


def failed_step(error: BaseException) -> StepOutcome:
    passes = None if isinstance(error, Exception) else error
    if _interrupts(error):
        return StepOutcome({"outcome": "unknown", "error": f"interrupted by {describe_error(error)}"}, passes)
    return StepOutcome({"outcome": "failed", "error": describe_error(error)}, passes)
