"""pydantic-ai: a capability, which stands around each execution of a function tool, of a toolset's or of MCP's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from tallystick.capture.frameworks.witnessing import Observer, Options, missing
from tallystick.core.keepsakes import described

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ModelRetry, SkipToolExecution
except ImportError as error:
    raise missing("pydantic-ai", error) from error

if TYPE_CHECKING:
    from pydantic_ai import RunContext
    from pydantic_ai.capabilities import ValidatedToolArgs, WrapToolExecuteHandler
    from pydantic_ai.messages import ToolCallPart
    from pydantic_ai.tools import ToolDefinition

    from tallystick.journal import AsyncJournal, Journal

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
        own = ctx.agent.name if ctx.agent else None
        seen = self._observer.call(
            call.tool_name, args, call_id=call.tool_call_id, agent=own or "", run=ctx.run_id or ""
        )
        async with seen:
            try:
                seen.result = answer = await handler(args)
            except (ApprovalRequired, CallDeferred, SkipToolExecution) as signal:
                # Deferred: it was not done here, and is called again, or elsewhere, when somebody has decided.
                seen.skipped(type(signal).__name__)
                await seen.aend()
                raise
            except Exception as problem:
                if _ran_into_its_timeout(problem):
                    seen.unknown(described(problem))
                    await seen.aend()
                raise
        return answer


def _ran_into_its_timeout(problem: BaseException | None) -> bool:
    """Whether it is what pydantic-ai makes of a tool that it cut off: nobody knows how far that came."""
    for _ in range(4):  # it may be wrapped
        if isinstance(problem, ModelRetry) and isinstance(problem.__context__, TimeoutError):
            return True
        problem = problem and (problem.__cause__ or problem.__context__)
    return False
