"""Executors of shell tools of OpenAI Agents, which run a command in this process.

The SDK's hooks are told neither the command nor the id of such a call, and nothing of one that raised. The executor is:
so it is one of ours that calls the user's, for each call that the hooks have announced.
"""

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

    from tallystick.integrations.observed_call import SeenCall

Begin = Callable[[dict[str, Any], str], "SeenCall"]
"""Takes the arguments and the id of a call."""


class Executors:
    """The calls that were announced, by the context of the run and the tool."""

    def __init__(self) -> None:
        self._announced: dict[tuple[int, int], list[tuple[Any, Begin]]] = {}

    def announce(self, context: Any, tool: LocalShellTool | ShellTool, begin: Begin) -> None:
        """The tool is about to be called; its call is to be begun like this."""
        self._announced.setdefault((id(context), id(tool)), []).append((context, begin))
        known: Any = tool.executor
        while isinstance(known, Executor):
            if known.executors is self:
                return
            known = known.own
        tool.executor = Executor(self, tool, tool.executor)

    def announced(self, context: Any, tool: object) -> Begin | None:
        """How to begin the call. None: this run has no hooks of ours."""
        key = (id(context), id(tool))
        waiting = self._announced.get(key, [])
        found = waiting.pop(0)[1] if waiting else None
        if not waiting:
            self._announced.pop(key, None)
        return found


class Executor:
    """Stands in the place of the user's own."""

    def __init__(self, executors: Executors, tool: object, own: Any) -> None:
        self.executors = executors
        self.own = own
        self._tool = tool

    async def __call__(self, request: Any) -> Any:
        begin = self.executors.announced(request.ctx_wrapper, self._tool)
        if begin is None:
            return await self._run(request)
        async with begin(_command(request.data.action), request.data.call_id) as seen:
            result = await self._run(request)
            _came(seen, result)
        return result

    async def _run(self, request: Any) -> Any:
        result = self.own(request)
        return await result if inspect.isawaitable(result) else result


def _command(action: Any) -> dict[str, Any]:
    said = to_json(action)
    if not isinstance(said, dict):
        return {"input": said}
    return {name: value for name, value in said.items() if name not in ("type", "raw") and value not in (None, {})}


def _came(seen: SeenCall, result: Any) -> None:
    """A command is `ok` if each exit code says so. An executor that tells none leaves it in doubt."""
    told = list(result.output) if isinstance(result, ShellResult) else []
    codes = [each.exit_code for each in told]
    failed = next((each for each in told if each.exit_code), None)
    if any(each.status == "timeout" for each in told):
        seen.unknown(f"the command ran into its timeout; it printed: {told[-1].stdout}")
    elif failed:
        seen.failed(f"exit code {failed.exit_code}: {failed.stderr or failed.stdout}")
    elif codes and all(code == 0 for code in codes):
        seen.result = result
    else:
        seen.unknown(f"the executor told no exit code; it returned: {result}")


# ----------------------------------------------------------------------------------------------------------------------
# What came of a function tool of OpenAI Agents, as far as its hooks can see.
#
# The SDK hands the model a text whether the tool returned it, raised, or ran into its timeout. The span of the call
# says
# which, if there is one; else the tool's own words for an error are asked to note that they were said.

CANCELLED = "Tool execution cancelled"
"""What the SDK calls it in a span when a tool was cancelled, and the model is told so."""
_NOTE = "_tallystick_problem"


class Noting:
    """A tool's own words for an error. They are said as before, and it is noted on the call that they were."""

    def __init__(self, words: Any) -> None:
        self._words = words

    def __call__(self, context: Any, error: Exception) -> Any:
        with suppress(Exception):  # whatever the context is, the model is to be told
            setattr(context, _NOTE, error)
        return self._words(context, error)


def watch(tool: Any) -> None:
    """From now on the tool's own words for an error note that they were said."""
    if not isinstance(tool, FunctionTool):
        return
    for name in ("timeout_error_function", "_failure_error_function"):
        words = getattr(tool, name, None)
        # The SDK's own words are known by what they say; put in another function they would open traces to details.
        if words not in (None, default_tool_error_function) and not isinstance(words, Noting):
            setattr(tool, name, Noting(words))


def watch_guardrails(refused: Callable[[], None]) -> None:
    """From now on be told, in the span of the call, when an input guardrail refuses one. The SDK hands the model the
    guardrail's words like a result, and a trace knows no other."""
    own = ToolInputGuardrail.run

    @wraps(own)
    async def run(self: Any, data: Any) -> Any:
        said = await own(self, data)
        if said.behavior["type"] != "allow":
            refused()
        return said

    setattr(ToolInputGuardrail, "run", run)  # noqa: B010  # a method may not be assigned, by its type


def came(seen: SeenCall, context: Any, tool: Any, result: object, span: Span[Any] | None) -> None:
    """Say what came of a call that has ended. Without a span, `ok` only where an error would have been seen."""
    noted = getattr(context, _NOTE, None)
    if noted is not None:
        of_error(seen, noted, tool.name)
    elif span and span.error:
        of_span(seen, span)
    elif is_timeout(tool.name, getattr(tool, "timeout_seconds", None), result):
        seen.unknown(str(result))
    elif result == default_tool_error_function(context, Exception()):
        seen.failed(str(result))
    elif span or _would_note(context, tool):
        seen.result = result
    else:
        seen.unknown("without a trace nobody tells whether this is a result or an error")


def of_error(seen: SeenCall, error: BaseException, tool: str = "") -> None:
    """A tool that ran into its timeout, or was cancelled, may have done its work or not. One whose arguments were
    refused was not called."""
    words = f"{type(error).__name__}: {error}"
    if isinstance(error, ToolTimeoutError) or hasattr(error, "cancelled_error"):
        seen.unknown(words)
    else:
        seen.failed(words)
        seen.without_effect = isinstance(error, ModelBehaviorError) and _is_refusal(str(error), tool)


def of_span(seen: SeenCall, span: Span[Any]) -> None:
    """A span that says that there was an error."""
    said = span.error or {"message": "", "data": None}
    detail = (said["data"] or {}).get("error")
    words = f"{said['message']}: {detail}" if detail else said["message"]
    (seen.unknown if said["message"] == CANCELLED else seen.failed)(words)
    seen.without_effect = said["message"] != CANCELLED and _is_refusal(str(detail), span.span_data.name)


def _is_refusal(words: str, tool: str) -> bool:
    """Whether it is what the SDK says when the arguments do not fit the tool, before it calls it."""
    start = f"Invalid JSON input for tool {tool}"
    return bool(tool) and (words == start or words.startswith(f"{start}: "))


def is_timeout(name: str, seconds: float | None, result: object) -> bool:
    """Whether a text is the SDK's own for a timeout; of how many seconds, a trace does not know."""
    if seconds is not None:
        return result == default_tool_timeout_error_message(tool_name=name, timeout_seconds=seconds)
    start, _, end = default_tool_timeout_error_message(tool_name=name, timeout_seconds=7).partition("7")
    return isinstance(result, str) and result.startswith(start) and result.endswith(end) and len(result) < 400


def _would_note(context: Any, tool: Any) -> bool:
    """Whether an error of the tool would have been seen although there is no span."""
    if not isinstance(tool, FunctionTool) or tool.tool_output_guardrails:  # which may put other words in their place
        return False
    words = getattr(tool, "_failure_error_function", Noting)  # not there: this SDK is another one
    config = getattr(context, "run_config", None)
    changed = words is None and getattr(config, "tool_error_formatter", None) is not None
    return words is not Noting and not changed
