"""Outcomes of tools of OpenAI Agents: wraps shell executors, and separates results of function tools from errors."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any

from agents import FunctionTool, LocalShellTool, ShellTool, default_tool_error_function
from agents.exceptions import ModelBehaviorError, ToolTimeoutError
from agents.tool import ShellResult, default_tool_timeout_error_message
from agents.tool_guardrails import ToolInputGuardrail

from tallystick.core.redaction.jsonable import to_json

if TYPE_CHECKING:
    from agents import Span

    from tallystick.integrations.observed_call import ObservedCall

# ----------------------------------------------------------------------------------------------------------------------
# Shell tools, which run a command in this process. The SDK gives its hooks neither the command nor the id of such a
# call, and does not call them after one that raised. The executor gets all of that. So ours wraps the user's, for each
# call that the hooks announced.

Begin = Callable[[dict[str, Any], str], "ObservedCall"]
"""Makes a call from its arguments and its id."""


class Executors:
    """The announced calls, by the context of the run and the tool."""

    def __init__(self) -> None:
        self._announced: dict[tuple[int, int], list[tuple[Any, Begin]]] = {}

    def announce(self, context: Any, tool: LocalShellTool | ShellTool, begin: Begin) -> None:
        """Announce that a tool is about to be called, and how to begin the call."""
        self._announced.setdefault((id(context), id(tool)), []).append((context, begin))
        known: Any = tool.executor
        while isinstance(known, Executor):
            if known.executors is self:
                return
            known = known.wrapped
        tool.executor = Executor(self, tool, tool.executor)

    def pop_announced(self, context: Any, tool: object) -> Begin | None:
        """How to begin the call; None if this run has no hooks of ours."""
        key = (id(context), id(tool))
        waiting = self._announced.get(key, [])
        found = waiting.pop(0)[1] if waiting else None
        if not waiting:
            self._announced.pop(key, None)
        return found


class Executor:
    """Wraps the user's executor, and records its calls."""

    def __init__(self, executors: Executors, tool: object, wrapped: Any) -> None:
        self.executors = executors
        self.wrapped = wrapped
        self._tool = tool

    async def __call__(self, request: Any) -> Any:
        begin = self.executors.pop_announced(request.ctx_wrapper, self._tool)
        if begin is None:
            return await self._run(request)
        async with begin(_command(request.data.action), request.data.call_id) as observed:
            result = await self._run(request)
            _set_shell_outcome(observed, result)
        return result

    async def _run(self, request: Any) -> Any:
        result = self.wrapped(request)
        return await result if inspect.isawaitable(result) else result


def _command(action: Any) -> dict[str, Any]:
    fields = to_json(action)
    if not isinstance(fields, dict):
        return {"input": fields}
    return {name: value for name, value in fields.items() if name not in ("type", "raw") and value not in (None, {})}


def _set_shell_outcome(observed: ObservedCall, result: Any) -> None:
    """A command is `ok` if each exit code is 0. Without exit codes it is in doubt."""
    outputs = list(result.output) if isinstance(result, ShellResult) else []
    codes = [each.exit_code for each in outputs]
    failed = next((each for each in outputs if each.exit_code), None)
    if any(each.status == "timeout" for each in outputs):
        observed.unknown(f"the command ran into its timeout; it printed: {outputs[-1].stdout}")
    elif failed:
        observed.failed(f"exit code {failed.exit_code}: {failed.stderr or failed.stdout}")
    elif codes and all(code == 0 for code in codes):
        observed.result = result
    else:
        observed.unknown(f"the executor gave no exit code; it returned: {result}")


# ----------------------------------------------------------------------------------------------------------------------
# Function tools. The SDK gives the model a text whether the tool returned it, raised, or timed out. The span of the
# call shows which, if there is one. Otherwise a wrapper around the tool's error function notes that it was called.

CANCELLED = "Tool execution cancelled"
"""The SDK's error message in the span of a cancelled tool."""
_NOTE = "_tallystick_problem"


class NotingErrorFunction:
    """Wraps a tool's error function, and notes on the context that it was called, and with which error."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, context: Any, error: Exception) -> Any:
        with suppress(Exception):  # whatever the context is, the model gets its text
            setattr(context, _NOTE, error)
        return self._function(context, error)


def watch_errors(tool: Any) -> None:
    """Wrap the tool's error functions, so that calls of them are noted."""
    if not isinstance(tool, FunctionTool):
        return
    for name in ("timeout_error_function", "_failure_error_function"):
        function = getattr(tool, name, None)
        # The SDK's own function is known by its text; wrapped, it would put error details into traces.
        if function not in (None, default_tool_error_function) and not isinstance(function, NotingErrorFunction):
            setattr(tool, name, NotingErrorFunction(function))


def watch_guardrails(on_refused: Callable[[], None]) -> None:
    """Call `on_refused`, in the span of the call, when an input guardrail refuses one.

    The SDK gives the model the guardrail's text like a result, and the trace does not show the difference.
    """
    original = ToolInputGuardrail.run

    @wraps(original)
    async def run(self: Any, data: Any) -> Any:
        output = await original(self, data)
        if output.behavior["type"] != "allow":
            on_refused()
        return output

    setattr(ToolInputGuardrail, "run", run)  # noqa: B010  # mypy forbids assigning to a method


def set_outcome(observed: ObservedCall, context: Any, tool: Any, result: object, span: Span[Any] | None) -> None:
    """Set the outcome of a call that ended. Without a span it is `ok` only if an error would have been noted."""
    noted = getattr(context, _NOTE, None)
    if noted is not None:
        set_error(observed, noted, tool.name)
    elif span and span.error:
        set_span_error(observed, span)
    elif is_timeout(tool.name, getattr(tool, "timeout_seconds", None), result):
        observed.unknown(str(result))
    elif result == default_tool_error_function(context, Exception()):
        observed.failed(str(result))
    elif span or _notes_errors(context, tool):
        observed.result = result
    else:
        observed.unknown("without a trace it is unknown whether this is a result or an error")


def set_error(observed: ObservedCall, error: BaseException, tool: str = "") -> None:
    """Set the outcome of a call that raised.

    A tool that timed out or was cancelled may have done its work or not. A tool with invalid arguments was not called.
    """
    message = f"{type(error).__name__}: {error}"
    if isinstance(error, ToolTimeoutError) or hasattr(error, "cancelled_error"):
        observed.unknown(message)
    else:
        observed.failed(message)
        observed.without_effect = isinstance(error, ModelBehaviorError) and _has_invalid_arguments(str(error), tool)


def set_span_error(observed: ObservedCall, span: Span[Any]) -> None:
    """Set the outcome of a call from the error in its span."""
    failure = span.error or {"message": "", "data": None}
    detail = (failure["data"] or {}).get("error")
    message = f"{failure['message']}: {detail}" if detail else failure["message"]
    (observed.unknown if failure["message"] == CANCELLED else observed.failed)(message)
    observed.without_effect = failure["message"] != CANCELLED and _has_invalid_arguments(
        str(detail), span.span_data.name
    )


def _has_invalid_arguments(message: str, tool: str) -> bool:
    """Whether it is the SDK's message for arguments that do not fit the tool, which is then not called."""
    start = f"Invalid JSON input for tool {tool}"
    return bool(tool) and (message == start or message.startswith(f"{start}: "))


def is_timeout(name: str, seconds: float | None, result: object) -> bool:
    """Whether a text is the SDK's own for a timeout. A trace does not contain the number of seconds."""
    if seconds is not None:
        return result == default_tool_timeout_error_message(tool_name=name, timeout_seconds=seconds)
    start, _, end = default_tool_timeout_error_message(tool_name=name, timeout_seconds=7).partition("7")
    return isinstance(result, str) and result.startswith(start) and result.endswith(end) and len(result) < 400


def _notes_errors(context: Any, tool: Any) -> bool:
    """Whether an error of the tool would have been noted although there is no span."""
    if not isinstance(tool, FunctionTool) or tool.tool_output_guardrails:  # a guardrail may replace the text
        return False
    function = getattr(tool, "_failure_error_function", NotingErrorFunction)  # absent in some versions of the SDK
    config = getattr(context, "run_config", None)
    is_changed = function is None and getattr(config, "tool_error_formatter", None) is not None
    return function is not NotingErrorFunction and not is_changed
