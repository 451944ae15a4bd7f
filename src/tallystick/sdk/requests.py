"""Work of the library as a generator of requests, which a journal that waits and one that awaits both carry out.

A generator yields the operations to call (`OperationRequest`) and the user's functions to call (`UserCall`). It gets
the result of an operation, or its error at the `yield`; of a user's function it gets a `CallOutcome`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from types import AsyncGeneratorType, CoroutineType
from typing import Any, TypeVar

from msgspec import Struct

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.operations import Operation
from tallystick.sdk.current import CurrentExecution, execution_scope

T = TypeVar("T")
SyncCall = Callable[[Operation[..., Any], dict[str, Any]], Any]
AsyncCall = Callable[[Operation[..., Any], dict[str, Any]], Awaitable[Any]]


class OperationRequest(Struct, frozen=True):
    """One operation to call."""

    operation: Operation[..., Any]
    arguments: dict[str, Any]


class UserCall(Struct, frozen=True):
    """One call of a function of the user, inside an execution."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    arguments: dict[str, Any]
    here: CurrentExecution


class CallOutcome(Struct, frozen=True):
    """The return value of a user's function, or what it raised."""

    value: Any = None
    error: BaseException | None = None


Work = Generator[OperationRequest | UserCall, Any, T]


def id_of(given: object, noun: str) -> str:
    """The id of a plan or an execution, which is given as such, as a receipt or as a scope."""
    id = given if isinstance(given, str) else getattr(given, "id", None)
    if not isinstance(id, str):
        raise InvalidArgument(
            f"{type(given).__name__} is not {noun}.",
            hint=f"Give the receipt or the id of {noun}.",
            field=noun.split()[-1],
        )
    return id


def require_function(given: object, field: str, hint: str) -> None:
    """Raise InvalidArgument if a function is expected and something else was given."""
    if not callable(given):
        raise InvalidArgument(f"{field} is of type {type(given).__name__}, not a function.", hint=hint, field=field)


USE_ASYNC_JOURNAL = "Use AsyncJournal, which awaits it, or give a function that returns when its work is done."


def refuse_coroutine_function(
    given: object, field: str, hint: str = "Give a plain function: nothing awaits it."
) -> None:
    """Raise InvalidArgument for a function that has to be awaited, where nothing awaits it."""
    from inspect import isasyncgenfunction, iscoroutinefunction  # slow to load, and not needed to record

    function = given if hasattr(given, "__code__") else getattr(given, "__call__", given)  # noqa: B004
    if any(test(each) for test in (iscoroutinefunction, isasyncgenfunction) for each in (given, function)):
        raise InvalidArgument(f"{field} is a coroutine function.", hint=hint, field=field)


class UnfinishedCall(TypeError):
    """A function of the user returned while what it started is under way, and nothing awaits that."""


def require_finished(value: T, fix: str = ": use AsyncJournal") -> T:
    """Return what a function of the user returned; raises TypeError if that would have to be awaited."""
    is_generator = isinstance(value, AsyncGeneratorType)
    if not is_generator and not hasattr(value, "__await__"):
        return value
    text = f"the function returned a value of type {type(value).__name__}, and nothing awaits it{fix}"
    if isinstance(value, CoroutineType):
        value.close()
    elif not is_generator:
        raise UnfinishedCall(text)
    raise TypeError(text)


def drive(work: Work[T], call: SyncCall) -> T:
    """Carry out the requests of a generator, and return its result."""
    try:
        request = next(work)
        while True:
            if isinstance(request, UserCall):
                request = work.send(_call_user(request))
                continue
            try:
                answer = call(request.operation, request.arguments)
            except TallystickError as problem:
                request = work.throw(problem)
            else:
                if isinstance(answer, CoroutineType):
                    answer.close()
                    raise _not_awaited_error()
                request = work.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result


def _not_awaited_error() -> InvalidArgument:
    return InvalidArgument(
        "This block belongs to an AsyncJournal, which awaits its records.",
        hint="Write `async with` instead of `with`; or open a Journal.",
    )


async def drive_async(work: Work[T], call: SyncCall | AsyncCall) -> T:
    """`drive` for a journal that awaits; the functions of the user may be coroutine functions."""
    try:
        request = next(work)
        while True:
            if isinstance(request, UserCall):
                request = work.send(await _await_user(request))
                continue
            try:
                answer = await _awaited(call(request.operation, request.arguments))
            except TallystickError as problem:
                request = work.throw(problem)
            else:
                request = work.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result


def drive_plainly(work: Work[tuple[T, BaseException | None]], call: SyncCall) -> T:
    """The result of work that returns it with an exception of the user's functions; raises that exception."""
    try:
        result, error = drive(work, call)
    except TallystickError as problem:
        raise without_inner_frames(problem)  # noqa: B904  # it is the same error
    if error is not None:
        raise error
    return result


async def drive_async_plainly(work: Work[tuple[T, BaseException | None]], call: SyncCall | AsyncCall) -> T:
    """`drive_plainly` for a journal that awaits."""
    try:
        result, error = await drive_async(work, call)
    except TallystickError as problem:
        raise without_inner_frames(problem)  # noqa: B904
    if error is not None:
        raise error
    return result


def _call_user(request: UserCall) -> CallOutcome:
    with execution_scope(request.here):
        try:
            value = request.function(*request.args, **request.arguments)
            return CallOutcome(require_finished(value))
        except BaseException as error:
            return CallOutcome(error=error)


async def _await_user(request: UserCall) -> CallOutcome:
    with execution_scope(request.here):
        try:
            value = await _awaited(request.function(*request.args, **request.arguments))
            return CallOutcome(require_finished(value, ""))
        except BaseException as error:
            return CallOutcome(error=error)


async def _awaited(result: Any) -> Any:
    return await result if hasattr(result, "__await__") else result


def without_inner_frames(error: TallystickError) -> TallystickError:
    """The error as the user's program gets it: without the frames of this library, and with the next call as a note."""
    if error.__cause__ is None:
        error.__suppress_context__ = True
    if error.next_call and not getattr(error, "__notes__", None):
        operation, arguments = error.next_call
        stated = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        error.add_note(f"next: journal.{operation}({stated})")
    return error.with_traceback(None)
