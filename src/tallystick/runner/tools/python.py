"""`@tool`: a Python function as a tool. Its schema comes from its signature."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar, cast, get_type_hints, overload

import msgspec
from msgspec.structs import asdict

from tallystick.core.errors import InvalidArgument
from tallystick.core.redaction.jsonable import describe_error, to_json
from tallystick.core.types import Effect, Retry, Undo, parse_undo
from tallystick.runner import expressions
from tallystick.runner.tools.tool import CallContext, ProbeFinding, RunnerTool, ToolAnswer, ToolError, check_options
from tallystick.store.forks import process_id

F = TypeVar("F", bound=Callable[..., Any])
KEY_PARAMETER = "idempotency_key"
"""A parameter of this name gets the key of the call, and is not an argument of the tool."""
ATTRIBUTE = "__tallystick_tool__"
MAX_IDLE_THREADS = 64


@overload
def tool(function: F, /) -> F: ...
@overload
def tool(
    function: None = None,
    /,
    *,
    name: str = "",
    effect: Effect = "unsafe",
    probe: Callable[..., Any] | None = None,
    retry: Retry | int | None = None,
    timeout: float | None = None,
    undo: str | Undo | None = None,
    at_most: int | None = None,
    per_second: float | None = None,
    resource: str = "",
    needs_approval: bool = False,
) -> Callable[[F], F]: ...
def tool(function: Any = None, /, **options: Any) -> Any:
    """Make a function a tool that plans can call, bare or with options. The function stays callable as it is.

    `effect`: `read`, `idempotent`, `probeable` or `unsafe`. `probe` takes the same arguments and looks whether the call
    has happened: it returns the result (or True) if it did, None or False if it did not, and raises if it cannot tell.
    A parameter `idempotency_key` gets a text that is the same for every attempt.
    """

    def decorate(function: F) -> F:
        made = make_tool(function, **options)
        try:
            setattr(function, ATTRIBUTE, made)
        except AttributeError:  # a method, or a function of C
            raise InvalidArgument(
                f"{made.name} cannot be marked as a tool.", hint="Write a function that calls it.", field="tools"
            ) from None
        return function

    return decorate(function) if function is not None else decorate


def make_tool(
    function: Callable[..., Any],
    *,
    name: str = "",
    effect: Effect = "unsafe",
    probe: Callable[..., Any] | None = None,
    **options: Any,
) -> RunnerTool:
    """The tool of a function; raises InvalidArgument for options that do not fit."""
    if not callable(function):
        raise InvalidArgument(
            f"{str(function)[:80]!r} is not a function.", hint='Give a name as @tool(name="...").', field="tools"
        )
    called = name or getattr(function, "__name__", "")
    checked = asdict(check_options(called, {"name": name, "effect": effect, **options}))
    if probe is None and effect == "probeable":
        raise InvalidArgument(
            f'The tool "{called}" is probeable but has no probe.', hint="Give probe=, or another effect.", field="probe"
        )
    arguments = _Arguments(function)
    undo, retry = parse_undo(checked.pop("undo")), checked.pop("retry")
    _check_undo(called, undo, arguments)
    return RunnerTool(
        **{**checked, "name": called},
        description=inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0],
        call=lambda given, call: _call(function, arguments, given, call),
        probe=_probe_function(called, probe, arguments) if probe is not None else None,
        retry=Retry(attempts=retry) if isinstance(retry, int) else retry,
        undo=undo,
        input_schema=arguments.schema,
        output_schema=_output_schema(arguments.hints.get("return", Any)),
    )


def tool_of(value: Any) -> RunnerTool:
    """The tool of a decorated function, or of a plain one."""
    if isinstance(value, RunnerTool):
        return value
    found = getattr(value, ATTRIBUTE, None)
    if isinstance(found, RunnerTool):
        return found
    if callable(value):
        return make_tool(value)
    raise InvalidArgument(
        f"{value!r} is not a tool.", hint="Give functions with @tool, or RunnerTool objects.", field="tools"
    )


class _Arguments:
    """The parameters of a function: checks and converts the arguments of a call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.hints = _hints(function)
        self.takes_key = False
        self._open = False
        fields: list[Any] = []
        for parameter in _signature(function).parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                self._open = True
            elif parameter.name == KEY_PARAMETER:
                self.takes_key = True
            elif parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY):
                raise InvalidArgument(
                    f"{getattr(function, '__name__', function)} takes {parameter.name} by position.",
                    hint="A tool gets its arguments by name.",
                    field="tools",
                )
            else:
                hint = self.hints.get(parameter.name, Any)
                has_default = parameter.default is not parameter.empty
                fields.append((parameter.name, hint, msgspec.UNSET) if has_default else (parameter.name, hint))
        self._struct = msgspec.defstruct(
            "Arguments", fields, kw_only=True, forbid_unknown_fields=not self._open, frozen=True
        )
        self.names = [field[0] for field in fields]
        self._required = [field[0] for field in fields if len(field) == 2]

    def has(self, name: str) -> bool:
        return self._open or name in self.names

    def problem_with(self, probe: _Arguments) -> str:
        """Why a probe cannot take every call of this function; empty if it can."""
        if self._open and not probe._open:
            return "does not take **, as the tool does"
        missing = [name for name in self.names if not probe.has(name)]
        if missing:
            return f"does not take {', '.join(missing)}"
        unknown = [name for name in probe._required if name not in self.names]
        if unknown:
            return f"needs {', '.join(unknown)}, which the tool does not take"
        needed = [name for name in probe._required if name not in self._required]
        return f"needs {', '.join(needed)}, for which the tool has a default" if needed else ""

    @property
    def schema(self) -> dict[str, Any] | None:
        try:
            return _inline(msgspec.json.schema(self._struct))
        except TypeError:  # a type that has no JSON Schema
            return None

    def convert(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments in the types of the signature; raises ToolError `not_done` if they do not fit."""
        try:
            values = msgspec.convert(given, self._struct)
        except msgspec.ValidationError as error:
            raise ToolError(f"The arguments do not fit: {error}", "not_done") from None
        found = {name: value for name in self.names if (value := getattr(values, name)) is not msgspec.UNSET}
        extra = {name: value for name, value in given.items() if name not in self.names} if self._open else {}
        return {**found, **extra}


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # a function of C
        raise InvalidArgument(
            f"The parameters of {function!r} are not known.", hint="Write a function that calls it.", field="tools"
        ) from None


def _check_undo(name: str, undo: Undo | None, arguments: _Arguments) -> None:
    """Raise InvalidArgument for an undo with arguments of no tool, or of an argument that the tool does not have."""
    if undo and undo.arguments and not undo.tool:
        raise InvalidArgument(
            f'The tool "{name}": its undo has arguments and no tool.',
            hint='Write Undo(tool="...", arguments=...): words alone stand first.',
            field="undo",
        )
    for expression in expressions.expressions_in(undo.arguments) if undo else ():
        path = expressions.path_of(expression, expressions.UNDO_ROOTS)
        if path and path.root == "arguments" and len(path.parts) > 1 and not arguments.has(path.parts[1]):
            raise InvalidArgument(
                f'The tool "{name}": its undo refers to {path.text}, which is no argument of it.',
                hint=f"It takes: {', '.join(arguments.names) or 'none'}.",
                field="undo",
            )


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except Exception:  # a name that exists for type checkers only
        return {}


def _inline(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of the struct itself, with the definitions that it refers to."""
    definitions = schema.pop("$defs", {})
    reference = schema.get("$ref", "")
    own = definitions.pop(reference.rpartition("/")[2], schema)
    own.pop("title", None)
    return {**own, "$defs": definitions} if definitions else cast("dict[str, Any]", own)


def _output_schema(returned: Any) -> dict[str, Any] | None:
    if returned in (Any, None, type(None), inspect.Signature.empty):
        return None
    try:
        return _inline(msgspec.json.schema(returned))
    except (TypeError, RuntimeError):
        return None


async def _call(
    function: Callable[..., Any], arguments: _Arguments, given: dict[str, Any], call: CallContext
) -> ToolAnswer:
    try:
        values = arguments.convert(given)
        if arguments.takes_key:
            values[KEY_PARAMETER] = call.idempotency_key
        return ToolAnswer(result=to_json(await _run(function, values)))
    except ToolError as error:
        return ToolAnswer(
            error=str(error), category=error.category, retry_after=error.retry_after, result=to_json(error.result)
        )
    except (Exception, SystemExit) as error:  # a tool does not end the program
        return ToolAnswer(error=describe_error(error), category="failed")


async def _run(function: Callable[..., Any], values: dict[str, Any]) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(**values)
    result = await _threads.run(function, values)
    return await result if inspect.isawaitable(result) else result


class CallThreads:
    """Calls functions in threads that are used again. They keep no program from ending: a call that timed out may go
    on for ever."""

    def __init__(self) -> None:
        self._start_anew()

    def _start_anew(self) -> None:
        self._process = process_id()
        self._lock = Lock()
        self._idle = 0
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()

    async def run(self, function: Callable[..., Any], values: dict[str, Any]) -> Any:
        loop = asyncio.get_running_loop()
        result: asyncio.Future[Any] = loop.create_future()
        context = copy_context()

        def job() -> None:
            try:
                value, error = context.run(function, **values), None
            except BaseException as raised:
                value, error = None, raised
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_set_result, result, value, error)

        if self._process != process_id():  # the threads stayed with the parent
            self._start_anew()
        with self._lock:
            is_free = self._idle > 0
            self._idle -= is_free
        if not is_free:
            Thread(target=self._work, name="tallystick-tool", daemon=True).start()
        self._jobs.put(job)
        return await result

    def _work(self) -> None:
        jobs = self._jobs
        while True:
            jobs.get()()
            with self._lock:
                if self._idle >= MAX_IDLE_THREADS:
                    return
                self._idle += 1


def _set_result(result: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if result.done():
        return
    if error is None:
        result.set_result(value)
    elif isinstance(error, StopIteration):  # no future takes it
        result.set_exception(RuntimeError("StopIteration"))
    else:
        result.set_exception(error)


_threads = CallThreads()


def _probe_function(name: str, probe: Callable[..., Any], of_tool: _Arguments) -> Any:
    if not callable(probe):
        raise InvalidArgument(
            f'The tool "{name}": probe is no function, but {str(probe)[:80]!r}.',
            hint="Give a function that takes the same arguments and looks whether the call happened.",
            field="probe",
        )
    arguments = _Arguments(probe)
    if problem := of_tool.problem_with(arguments):
        raise InvalidArgument(
            f'The tool "{name}": its probe {problem}.',
            hint=f"Give it the parameters of the tool, with its defaults: {', '.join(of_tool.names) or 'none'}.",
            field="probe",
        )

    async def look(given: dict[str, Any], call: CallContext) -> ProbeFinding:
        try:
            values = arguments.convert(given)
            if arguments.takes_key:
                values[KEY_PARAMETER] = call.idempotency_key
            found = await _run(probe, values)
        except Exception as error:
            return ProbeFinding(happened=None, evidence=f"the probe failed: {describe_error(error)}")
        return finding_of(found)

    return look


def finding_of(found: Any) -> ProbeFinding:
    """What a probe's return value says: nothing was found, or a result."""
    if isinstance(found, ProbeFinding):
        return found
    if found is None or found is False:
        return ProbeFinding(happened=False, evidence="the probe found that it did not happen")
    result = None if found is True else to_json(found)
    return ProbeFinding(happened=True, result=result, evidence="the probe found that it happened")


def probe_answer(answer: ToolAnswer) -> ProbeFinding:
    """What the answer of a tool that serves as a probe says. A command says yes with exit code 0, and no with 1."""
    code = answer.result.get("exit_code") if isinstance(answer.result, dict) else None
    if code is not None:
        found = {0: True, 1: False}.get(code)
        return ProbeFinding(happened=found, evidence=f"the probe ended with exit code {code}")
    if answer.category is not None:
        return ProbeFinding(happened=None, evidence=f"the probe failed: {answer.error}")
    empty = answer.result in ({}, [], "")
    return finding_of(None if empty else answer.result)
