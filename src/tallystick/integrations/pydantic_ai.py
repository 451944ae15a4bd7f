"""pydantic-ai: a capability that wraps each execution of a tool: function tools, toolsets, MCP and output functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Unpack

from tallystick.core.redaction.jsonable import describe_error
from tallystick.integrations.observed_call import ObservedCall
from tallystick.integrations.observer import CallObserver, ObserverOptions, missing_framework

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ModelRetry, SkipToolExecution
except ImportError as error:
    raise missing_framework("pydantic-ai", error) from error

if TYPE_CHECKING:
    from pydantic_ai import RunContext
    from pydantic_ai.capabilities import ValidatedToolArgs, WrapOutputProcessHandler, WrapToolExecuteHandler
    from pydantic_ai.messages import ToolCallPart
    from pydantic_ai.output import OutputContext
    from pydantic_ai.tools import ToolDefinition

    from tallystick.sdk.journal import AsyncJournal, Journal

FRAMEWORK = "pydantic-ai"
MAX_WRAPPED_ERRORS = 4
"""How deep a timeout may be wrapped in other errors."""


class JournalCapability(AbstractCapability[Any]):
    """`Agent(model, tools=..., capabilities=[JournalCapability(journal)])`.

    With `strict` a call that cannot be recorded or is in doubt is not made: the journal's error ends the run. List it
    last, so that it is closest to the tool.
    """

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[ObserverOptions]) -> None:
        self._observer = CallObserver(journal, FRAMEWORK, **options)

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: ValidatedToolArgs,
        handler: WrapToolExecuteHandler,
    ) -> Any:
        return await self._execute(self._observed(ctx, call.tool_name, args, call.tool_call_id), handler, args)

    async def wrap_output_process(
        self, ctx: RunContext[Any], *, output_context: OutputContext, output: Any, handler: WrapOutputProcessHandler
    ) -> Any:
        """Record an output function of the user, which can have effects as a tool can."""
        if not output_context.has_function:
            return await handler(output)
        call = output_context.tool_call
        name = output_context.function_name or (call.tool_name if call else "output")
        observed = self._observed(ctx, name, output, call.tool_call_id if call else "")
        return await self._execute(observed, handler, output)

    def _observed(self, ctx: RunContext[Any], tool: str, arguments: Any, call_id: str) -> ObservedCall:
        agent = ctx.agent.name if ctx.agent else None
        return self._observer.call(tool, arguments, call_id=call_id, agent=agent or "", run=ctx.run_id or "")

    async def _execute(self, observed: ObservedCall, handler: Callable[[Any], Awaitable[Any]], value: Any) -> Any:
        async with observed:
            try:
                observed.result = result = await handler(value)
            except (ApprovalRequired, CallDeferred, SkipToolExecution) as signal:
                # A deferred call was not made. It is made again, or elsewhere, after a decision.
                observed.skipped(type(signal).__name__)
                await observed.aend()
                raise
            except Exception as problem:
                if _is_timeout(problem):
                    observed.unknown(describe_error(problem))
                    await observed.aend()
                raise
        return result


def _is_timeout(problem: BaseException | None) -> bool:
    """Whether it is the error that pydantic-ai raises for a timed-out tool, which may have done its work or not."""
    for _ in range(MAX_WRAPPED_ERRORS):
        if isinstance(problem, ModelRetry) and isinstance(problem.__context__, TimeoutError):
            return True
        problem = problem and (problem.__cause__ or problem.__context__)
    return False
