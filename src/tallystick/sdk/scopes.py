"""Scopes for executions and actions (`with` blocks), and the decorator for functions.

Each decides which calls to make as plain values (`sdk/requests.py`); a journal that waits and one that awaits both
drive them. A scope that is left by an exception records it and lets it pass. A process that dies leaves its actions
open: they are in doubt from then on. Nothing is retried or undone here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack, suppress
from contextvars import Token
from functools import partial, wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from tallystick import operations
from tallystick.core.errors import AlreadyDone, InvalidArgument, TallystickError, WrongState
from tallystick.core.redaction.jsonable import describe_error, to_json
from tallystick.sdk.current import CurrentExecution, current, current_execution, owner_of_call
from tallystick.sdk.earlier_calls import enter_execution, take_earlier
from tallystick.sdk.requests import (
    AsyncCall,
    OperationRequest,
    SyncCall,
    UnfinishedCall,
    Work,
    drive,
    drive_async,
    require_finished,
    require_function,
    without_inner_frames,
)

if TYPE_CHECKING:
    from tallystick.operations.runtime.receipts import ActionReceipt, ExecutionReceipt

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
LEFT_BY = "left by "
"""How the reason begins with which a scope pauses its execution."""
ASKS_FOR_REASON = ("why", "incomplete")
"""The fields of a refusal of `done` because something is left."""


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

    def begin_work(self) -> Work[T]:
        """The requests that record the begin; returns the value of the `with` block."""
        request = self.begin_request()
        return self.on_begun((yield request))

    def end_work(self, error: BaseException | None) -> Work[None]:
        """The requests that record the end."""
        request = self.end_request(error)
        if request is not None:
            yield request

    def __enter__(self) -> T:
        try:
            return drive(self.begin_work(), self._call)
        except TallystickError as problem:
            raise without_inner_frames(problem)  # noqa: B904  # it is the same error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.on_exit()
        try:
            drive(self.end_work(error), self._call)
        except TallystickError as problem:
            if not self.is_already_ended(problem):
                raise_or_note(error, problem)

    async def __aenter__(self) -> T:
        try:
            return await drive_async(self.begin_work(), self._call)
        except TallystickError as problem:
            raise without_inner_frames(problem)  # noqa: B904

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.on_exit()
        try:
            await drive_async(self.end_work(error), self._call)
        except TallystickError as problem:
            if not self.is_already_ended(problem):
                raise_or_note(error, problem)


def raise_or_note(error: BaseException | None, problem: TallystickError) -> None:
    """Raise our error, unless the user's code has raised one: then ours becomes a note on that."""
    if error is None:
        raise without_inner_frames(problem)
    error.add_note(f"tallystick could not record this: {problem}")


def check_not_undone(started: ExecutionReceipt) -> None:
    """Raise if a key leads to an execution whose work is being undone, or was: going on would do it again."""
    if started.repeated and started.status in ("unwinding", "cancelled"):
        state = "being undone" if started.status == "unwinding" else "cancelled"
        raise WrongState(
            f"{started.id}, which was started with this key, is {state}.",
            hint="Finish it with journal.unwind; to do the work anew, use another key.",
            field="key",
        )


class ExecutionScope(Scope["ExecutionScope"]):
    """An execution: `done` when the block ends normally, paused when it is left by an exception. Without a key, and
    with no action recorded in it, it is cancelled then.

    Decisions made inside the block count: an execution that has ended, is paused or waits for a person stays so.
    Something unsettled does not keep it from ending, and is shown; with `strict`, leaving the block raises instead.
    """

    def __init__(self, call: SyncCall | AsyncCall, arguments: dict[str, Any], *, strict: bool = False) -> None:
        super().__init__(call)
        self._strict = strict
        self._arguments = arguments
        self._here: CurrentExecution | None = None
        self._token: Token[CurrentExecution | None] | None = None
        self._decided = ""
        self.id = ""

    def begin_request(self) -> OperationRequest:
        return OperationRequest(operations.executions.record_execution_start, self._arguments)

    def begin_work(self) -> Work[ExecutionScope]:
        receipt: ExecutionReceipt = yield self.begin_request()
        self.id = receipt.id
        check_not_undone(receipt)
        if receipt.repeated and receipt.status == "paused":
            last = (yield self._get_status()).last_decision
            if last["decision"] == "pause" and last["why"].startswith(
                LEFT_BY
            ):  # paused by such a scope, by nobody else
                yield self._decision("resume", "started again with the same key")
        self._here = yield from enter_execution(receipt, owner_of_call(self._call))
        return self.on_begun(receipt)

    def on_begun(self, receipt: ExecutionReceipt) -> ExecutionScope:
        self._token = current.set(self._here)
        return self

    def end_request(self, error: BaseException | None) -> OperationRequest | None:
        if error is None:
            return None if self._decided in ("pause", "ask_human") else self._decision("done", "")
        return self._decision("pause", f"{LEFT_BY}{describe_error(error)}")

    def end_work(self, error: BaseException | None) -> Work[None]:
        is_final = error is not None and not self._decided and not self._arguments.get("key")
        if is_final and (yield from end_unused(self.id, f"{LEFT_BY}{describe_error(error)}")):
            return
        if error is not None and (yield from self._is_worked_on()):
            return
        try:
            yield from super().end_work(error)
        except WrongState as refusal:
            if self._strict or error is not None or refusal.field not in ASKS_FOR_REASON:
                raise
            yield from end_unsettled(self.id, refusal)

    def _is_worked_on(self) -> Work[bool]:
        """Whether another program that started it under the same key may be at work in it: a pause would stop that one.
        A rerun that has begun nothing leaves it as it is."""
        here = self._here
        if here is None or not here.is_resumed:
            return False
        if not here.begun:
            return True
        arguments = {"execution_id": self.id, "state": "open"}
        page = yield OperationRequest(operations.timeline.list_actions, arguments)
        return any(action.id not in here.begun for action in page.actions)

    def on_exit(self) -> None:
        if self._token is not None:
            current.reset(self._token)

    def is_already_ended(self, problem: TallystickError) -> bool:
        if problem.field == "decision" and not problem.allowed:  # no other decision is possible
            return isinstance(problem, WrongState)
        # Only the error for an execution that has ended suggests these calls.
        return problem.next_call is not None and problem.next_call[0] in (
            "record_execution_start",
            "list_owed",
        )

    def _get_status(self) -> OperationRequest:
        return OperationRequest(operations.execution_status.get_status, {"execution_id": self.id})

    def _decision(self, decision: str, why: str, **more: Any) -> OperationRequest:
        return OperationRequest(
            operations.decisions.record_decision, {"execution_id": self.id, "decision": decision, "why": why, **more}
        )

    def action(self, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for an action of this execution; takes the arguments of `record_action` with phase=begin."""
        return ActionScope(self._call, {"execution_id": self.id, "summary": summary, **arguments})

    def step(self, step: str, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for a planned step of this execution: its tool, arguments and undo are those of the plan."""
        return self.action(summary, step=step, **arguments)

    def decide(self, decision: str, why: str, **more: Any) -> Any:
        """Record a decision; returns its receipt, which is to be awaited with an asynchronous journal."""
        self._decided = decision
        return self._call_now(self._decision(decision, why, **more))

    def remember(self, key: str, value: Any, **more: Any) -> Any:
        """Remember a fact in the scope of this execution; returns its receipt, which is to be awaited with an
        asynchronous journal."""
        arguments = {"key": key, "value": value, "scope": "execution", "execution_id": self.id, **more}
        return self._call_now(OperationRequest(operations.context.record_context, arguments))

    def _call_now(self, request: OperationRequest) -> Any:
        try:
            return self._call(request.operation, request.arguments)
        except TallystickError as problem:
            raise without_inner_frames(problem)  # noqa: B904


def end_unused(execution: str, why: str) -> Work[bool]:
    """The requests that cancel an execution in which no action was recorded; returns whether it was so. Nothing in it
    could be resumed, and the next start makes a new one."""
    shown = yield OperationRequest(operations.executions.get_execution, {"execution_id": execution})
    is_unused = shown.status == "running" and not (shown.actions or shown.undos or shown.waiting)
    if is_unused:
        arguments = {"execution_id": execution, "decision": "stop", "why": why}
        yield OperationRequest(operations.decisions.record_decision, arguments)
    return is_unused


def end_unsettled(execution: str, refusal: WrongState) -> Work[None]:
    """The requests that end an execution in which something is unsettled; one that waits for a person stays open."""
    status = yield OperationRequest(operations.execution_status.get_status, {"execution_id": execution})
    if not status.approvals:
        why = f"The program went on to its end. {refusal.message}"
        arguments = {"execution_id": execution, "decision": "done", "why": why, "incomplete": True}
        yield OperationRequest(operations.decisions.record_decision, arguments)


class ActionScope(Scope["ActionScope"]):
    """An action: it ends `ok` with its `result`, `failed` with the exception, and stays open if the process dies.

    An effect that has succeeded before raises AlreadyDone with its recorded `result`.
    """

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

    def begin_work(self) -> Work[ActionScope]:
        request = self.begin_request()
        try:
            if earlier := take_earlier(current.get(), request.arguments):
                raise AlreadyDone(
                    f"An earlier run has done this as {earlier}.",
                    hint="Use its result; or say in `again` why you repeat it.",
                    field="again",
                    next_call=("get_action", {"action_id": earlier}),
                )
            return self.on_begun((yield request))
        except AlreadyDone as done:
            yield from look_up_result(done)
            raise

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
        here = current.get()
        if here and here.begun is not None:
            here.begun.add(receipt.id)
        return self

    def failed(self, error: str | BaseException) -> None:
        """Record it as failed, without an exception."""
        self._set_outcome("failed", error, "error")

    def skipped(self, reason: str) -> None:
        """Record it as skipped: it was not done after all."""
        self._set_outcome("skipped", reason, "reason")

    def unknown(self, reason: str) -> None:
        """Record its outcome as unknown: it is in doubt."""
        self._set_outcome("unknown", reason, "reason")

    def _set_outcome(self, outcome: str, text: object, field: str) -> None:
        """Raises where it is called: at the end of the block, a wrong text would leave the action open."""
        if isinstance(text, BaseException):
            text = describe_error(text)
        if not isinstance(text, str):
            raise InvalidArgument(f"{field} is of type {type(text).__name__}.", hint="Give text.", field=field)
        self._outcome, self._reason = outcome, text

    async def __aenter__(self) -> ActionScope:
        from inspect import iscoroutinefunction  # an awaiting program has loaded it already

        if not iscoroutinefunction(self._call):
            return self.__enter__()
        from asyncio import CancelledError, ensure_future, shield

        begun = ensure_future(drive_async(self.begin_work(), self._call))
        try:
            return await shield(begun)
        except CancelledError:
            await shield(ensure_future(self._skip_cancelled(begun)))
            raise
        except TallystickError as problem:
            raise without_inner_frames(problem)  # noqa: B904

    async def _skip_cancelled(self, begun: Awaitable[Any]) -> None:
        """End an action whose task was cancelled during its begin: the begin is recorded, and nobody else ends it."""
        with suppress(TallystickError):
            await begun
            self.skipped("cancelled before it was done")
            await drive_async(self.end_work(None), self._call)

    def end_request(self, error: BaseException | None) -> OperationRequest | None:
        if error is not None and is_interruption(error):
            self.unknown(describe_interruption(error))
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


def is_interruption(error: BaseException) -> bool:
    """Whether a call was left before its end, for example by a cancelled task: it may or may not have had its
    effect."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit | UnfinishedCall):
        return True
    return type(error).__name__ == "CancelledError"


def describe_interruption(error: BaseException) -> str:
    """Why the outcome of such a call is unknown."""
    return str(error) if isinstance(error, UnfinishedCall) else f"interrupted by {describe_error(error)}"


def look_up_result(done: AlreadyDone) -> Work[None]:
    """The requests that give the error the result that was recorded of what is done."""
    if done.next_call and done.next_call[0] == "get_action":
        with suppress(TallystickError):  # the error itself says more
            filters = {"id": done.next_call[1]["action_id"], "kind": "action_ended", "newest_first": True}
            page = yield OperationRequest(operations.entries.read_entries, filters)
            results = (entry.body["result"] for entry in page.entries if entry.body and "result" in entry.body)
            done.result = next(results, None)


def _recorded_result(done: AlreadyDone) -> Any:
    """The recorded result of what an earlier run of a resumed execution has done; otherwise raises the error."""
    here = current.get()
    action = done.next_call[1].get("action_id") if done.next_call else None
    if here is None or not here.is_resumed or here.begun is None or action in here.begun:
        raise without_inner_frames(_hint_at_block(done))
    return done.result


AGAIN = "`again`"
_NEEDS_BLOCK = (AGAIN, "approval_id")


def _hint_at_block(problem: TallystickError) -> TallystickError:
    """The refusal of a decorated call. If its hint names an argument that only a block takes, it says so."""
    if any(name in problem.hint for name in _NEEDS_BLOCK):
        problem.hint += " A decorated call takes neither: make it in `with journal.action(...)`, with that argument."
    return problem


def _run(action: ActionScope, call: Callable[[], Any]) -> Any:
    """Make a call in its scope, and return its result; of one that an earlier run made, the recorded result."""
    with ExitStack() as stack:
        try:
            stack.enter_context(action)
        except AlreadyDone as done:
            return _recorded_result(done)
        except TallystickError as problem:
            raise without_inner_frames(_hint_at_block(problem))  # noqa: B904
        action.result = require_finished(call())
    return action.result


async def _run_async(action: ActionScope, call: Callable[[], Awaitable[Any]]) -> Any:
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(action)
        except AlreadyDone as done:
            return _recorded_result(done)
        except TallystickError as problem:
            raise without_inner_frames(_hint_at_block(problem))  # noqa: B904
        action.result = await call()
    return action.result


def _check_begin(arguments: dict[str, Any]) -> None:
    """Raise InvalidArgument if an action cannot begin with these arguments."""
    try:
        operations.actions.record_action.validate({"phase": "begin", **arguments})
    except TallystickError as problem:
        raise without_inner_frames(problem)  # noqa: B904  # it is the same error


def record_calls(call: SyncCall | AsyncCall, fixed: dict[str, Any]) -> Callable[[F], F]:
    """A decorator that makes each call of a function an action; the function's name is the tool.

    In an execution that was started before, a call that succeeded then is not made: its recorded result is returned.
    The action of a generator lasts from its first item to its last; it is in doubt if the generator is closed earlier.
    `fixed` are arguments of `record_action` for every call, and are checked at once.
    """
    _check_begin(fixed)

    def decorate(function: F) -> F:
        require_function(function, "function", "Decorate a function; other arguments of `recorded` go by name.")
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
            return _run(scope(args, kwargs), partial(function, *args, **kwargs))

        @wraps(function)
        async def awaits(*args: Any, **kwargs: Any) -> Any:
            return await _run_async(scope(args, kwargs), partial(function, *args, **kwargs))

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
