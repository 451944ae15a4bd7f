"""LangChain and LangGraph: a middleware that wraps each call of an agent's tools, and a callback handler.

The middleware can refuse a call, and sees a cancelled one. Use it for agents made by `create_agent`; its methods fit
a bare `ToolNode` too. The handler is for everything else that runs tools. A call that both see is one action.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Unpack
from uuid import UUID

from tallystick.integrations.observed_call import ObservedCall
from tallystick.integrations.observer import CallObserver, ObserverOptions, missing_framework

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.callbacks import BaseCallbackHandler
    from langchain_core.messages import ToolMessage
    from langgraph.errors import GraphBubbleUp, GraphInterrupt
    from langgraph.prebuilt.tool_node import INVALID_TOOL_NAME_ERROR_TEMPLATE, ToolInvocationError
    from langgraph.types import Command
    from pydantic import BaseModel, ValidationError
except ImportError as error:
    raise missing_framework("langchain", error) from error

if TYPE_CHECKING:
    from langchain.agents.middleware import ToolCallRequest

    from tallystick.sdk.journal import AsyncJournal, Journal

    Answer = ToolMessage | Command[Any]

FRAMEWORK = "langchain"


class JournalMiddleware(AgentMiddleware[Any, Any]):
    """`create_agent(model, tools, middleware=[JournalMiddleware(journal)])`.

    With `strict` a call that cannot be recorded or is in doubt is not made: the journal's error ends the run. List it
    last, so that it is closest to the tool and sees each retry.
    """

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[ObserverOptions]) -> None:
        super().__init__()
        self._observer = CallObserver(journal, FRAMEWORK, **options)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]) -> Answer:
        with self._observed(request) as observed:
            try:
                answer = handler(request)
            except GraphInterrupt:
                observed.suspend()
                raise
            except GraphBubbleUp:
                observed.end()
                raise
            except ToolInvocationError:
                observed.without_effect = _has_invalid_arguments(request)
                raise
            _set_outcome(observed, answer, request)
        return answer

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        async with self._observed(request) as observed:
            try:
                answer = await handler(request)
            except GraphInterrupt:
                await observed.asuspend()
                raise
            except GraphBubbleUp:
                await observed.aend()
                raise
            except ToolInvocationError:
                observed.without_effect = _has_invalid_arguments(request)
                raise
            _set_outcome(observed, answer, request)
        return answer

    def _observed(self, request: ToolCallRequest) -> ObservedCall:
        call = request.tool_call
        metadata = (getattr(request.runtime, "config", None) or {}).get("metadata")
        observed = self._observer.call(
            call["name"], call["args"], call_id=call["id"] or "", agent=_agent(metadata), run=_run_name(metadata)
        )
        observed.thread = _thread(metadata)
        return observed


class JournalCallbackHandler(BaseCallbackHandler):
    """`agent.invoke(..., config={"callbacks": [JournalCallbackHandler(journal)]})`."""

    run_inline = True  # in a thread it might run after the tool

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[ObserverOptions]) -> None:
        super().__init__()
        self._observer = CallObserver(journal, FRAMEWORK, **options)
        self.raise_error = self._observer.strict  # else LangChain swallows errors of a handler
        self._open: dict[UUID, tuple[UUID | None, ObservedCall]] = {}

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        inputs: dict[str, Any] | None = None,
        **rest: Any,
    ) -> None:
        tool = (serialized or {}).get("name") or rest.get("name") or "tool"
        call_id = rest.get("tool_call_id") or str(run_id)
        arguments = input_str if inputs is None else inputs
        run = _run_name(metadata) or str(run_id)
        observed = self._observer.call(tool, arguments, call_id=call_id, agent=_agent(metadata), run=run)
        observed.thread = _thread(metadata)
        observed.begin()
        self._open[run_id] = (parent_run_id, observed)

    def on_tool_end(self, output: Any, *, run_id: UUID, **rest: Any) -> None:
        if found := self._open.pop(run_id, None):
            _set_outcome(found[1], output)
            found[1].end()

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        if found := self._open.pop(run_id, None):
            if isinstance(error, GraphInterrupt):
                found[1].suspend()
            else:  # the graph's own signals are not errors
                found[1].without_effect = _is_parse_error(error)
                found[1].end(None if isinstance(error, GraphBubbleUp) else error)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        """End the calls below a cancelled chain: a cancelled tool itself calls no handler."""
        for child, (parent, observed) in list(self._open.items()):
            if parent == run_id:
                del self._open[child]
                observed.end(error)


def _agent(metadata: Mapping[str, Any] | None) -> str:
    return str((metadata or {}).get("lc_agent_name") or "")


def _run_name(metadata: Mapping[str, Any] | None) -> str:
    """The task of a graph: different in each run, also for agents that run at the same time."""
    return str((metadata or {}).get("langgraph_checkpoint_ns") or "")


def _thread(metadata: Mapping[str, Any] | None) -> str:
    """The thread that a graph resumes after an interrupt: a tool that asks a person is called again with the answer."""
    return str((metadata or {}).get("thread_id") or "")


def _set_outcome(observed: ObservedCall, answer: Any, request: ToolCallRequest | None = None) -> None:
    """Set the outcome of a call from its answer.

    A tool's message may say that it failed: LangGraph turns an exception into one, and a command may contain one.
    """
    if failed := next((message for message in _messages(answer) if message.status == "error"), None):
        observed.failed(failed.text)
        start = INVALID_TOOL_NAME_ERROR_TEMPLATE.partition("{available_tools}")[0]
        is_unknown_tool = failed.text.startswith(start.format(requested_tool=failed.name))
        observed.without_effect = is_unknown_tool or (request is not None and _has_invalid_arguments(request))
    else:
        observed.result = answer.content if isinstance(answer, ToolMessage) else answer


def _has_invalid_arguments(request: ToolCallRequest) -> bool:
    """Whether the tool of a failed call was not called, because its arguments are invalid.

    The message does not show it: `handle_tool_errors` may write any, and LangGraph gives the same one for a tool that
    raises a pydantic error itself, after it did something. So the arguments are validated again.
    """
    schema = getattr(request.tool, "tool_call_schema", None)
    if not isinstance(schema, type) or not issubclass(schema, BaseModel):
        return False
    try:
        schema.model_validate(request.tool_call["args"])
    except ValidationError:
        return True
    except Exception:  # a failing validator of the user proves nothing
        return False
    return False


def _is_parse_error(error: BaseException) -> bool:
    """Whether an error was raised before the tool was called, while LangChain parsed its arguments."""
    names = {frame.f_code.co_name for frame, _ in walk_tb(error.__traceback__)}
    return "_parse_input" in names and not names & {"_run", "_arun"}


def _messages(answer: Any) -> list[ToolMessage]:
    """The tool messages in an answer."""
    if isinstance(answer, Command):
        update = answer.update
        found = update.get("messages") if isinstance(update, dict) else getattr(update, "messages", update)
        return _messages(found)
    if isinstance(answer, list | tuple):
        return [message for each in answer for message in _messages(each)]
    return [answer] if isinstance(answer, ToolMessage) else []
