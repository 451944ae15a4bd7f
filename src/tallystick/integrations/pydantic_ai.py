"""pydantic-ai: a capability, which stands around each execution of a function tool, of a toolset's or of MCP's, and of
a function that takes the output."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Unpack

from tallystick.core.redaction.jsonable import describe_error
from tallystick.integrations.observed_call import SeenCall
from tallystick.integrations.observer import Observer, Options, missing

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ModelRetry, SkipToolExecution
except ImportError as error:
    raise missing("pydantic-ai", error) from error

if TYPE_CHECKING:
    from pydantic_ai import RunContext
    from pydantic_ai.capabilities import ValidatedToolArgs, WrapOutputProcessHandler, WrapToolExecuteHandler
    from pydantic_ai.messages import ToolCallPart
    from pydantic_ai.output import OutputContext
    from pydantic_ai.tools import ToolDefinition

    from tallystick.sdk.journal import AsyncJournal, Journal

FRAMEWORK = "pydantic-ai"


class JournalCapability(AbstractCapability[Any]):
    """`Agent(model, tools=..., capabilities=[JournalCapability(journal)])`.

    With `strict` a call that cannot be recorded is not made: the error of the journal ends the run. List it last, so
    that it stands closest to the tool.
    """

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[Options]) -> None:
        self._observer = Observer(journal, FRAMEWORK, **options)

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: ValidatedToolArgs,
        handler: WrapToolExecuteHandler,
    ) -> Any:
        return await self._carried_out(self._call(ctx, call.tool_name, args, call.tool_call_id), handler, args)

    async def wrap_output_process(
        self, ctx: RunContext[Any], *, output_context: OutputContext, output: Any, handler: WrapOutputProcessHandler
    ) -> Any:
        """The output may be handed to a function of the user's, which may do something as well as a tool can."""
        if not output_context.has_function:
            return await handler(output)
        call = output_context.tool_call
        name = output_context.function_name or (call.tool_name if call else "output")
        seen = self._call(ctx, name, output, call.tool_call_id if call else "")
        return await self._carried_out(seen, handler, output)

    def _call(self, ctx: RunContext[Any], tool: str, arguments: Any, call_id: str) -> SeenCall:
        own = ctx.agent.name if ctx.agent else None
        return self._observer.call(tool, arguments, call_id=call_id, agent=own or "", run=ctx.run_id or "")

    async def _carried_out(self, seen: SeenCall, handler: Callable[[Any], Awaitable[Any]], given: Any) -> Any:
        async with seen:
            try:
                seen.result = result = await handler(given)
            except (ApprovalRequired, CallDeferred, SkipToolExecution) as signal:
                # Deferred: it was not done here, and is called again, or elsewhere, when somebody has decided.
                seen.skipped(type(signal).__name__)
                await seen.aend()
                raise
            except Exception as problem:
                if _ran_into_its_timeout(problem):
                    seen.unknown(describe_error(problem))
                    await seen.aend()
                raise
        return result


def _ran_into_its_timeout(problem: BaseException | None) -> bool:
    """Whether it is what pydantic-ai makes of a tool that it cut off: nobody knows how far that came."""
    for _ in range(4):  # it may be wrapped
        if isinstance(problem, ModelRetry) and isinstance(problem.__context__, TimeoutError):
            return True
        problem = problem and (problem.__cause__ or problem.__context__)
    return False
