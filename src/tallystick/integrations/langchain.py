"""LangChain and LangGraph: a middleware, which stands around each call of an agent's tools, and a callback handler.

The middleware can refuse, and sees a call that is cancelled; it is the one to use where there is an agent made by
`create_agent`, and its two methods fit a bare `ToolNode` too. The handler is for whatever else runs tools. A call that
both see is one action.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Unpack
from uuid import UUID

from tallystick.integrations.observed_call import SeenCall
from tallystick.integrations.observer import Observer, Options, missing

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.callbacks import BaseCallbackHandler
    from langchain_core.messages import ToolMessage
    from langgraph.errors import GraphBubbleUp, GraphInterrupt
    from langgraph.prebuilt.tool_node import (
        INVALID_TOOL_NAME_ERROR_TEMPLATE,
        TOOL_INVOCATION_ERROR_TEMPLATE,
        ToolInvocationError,
    )
    from langgraph.types import Command
    from pydantic import BaseModel, ValidationError
except ImportError as error:
    raise missing("langchain", error) from error

if TYPE_CHECKING:
    from langchain.agents.middleware import ToolCallRequest

    from tallystick.sdk.journal import AsyncJournal, Journal

    Answer = ToolMessage | Command[Any]

FRAMEWORK = "langchain"


class JournalMiddleware(AgentMiddleware[Any, Any]):
    """`create_agent(model, tools, middleware=[JournalMiddleware(journal)])`.

    With `strict` a call that cannot be recorded is not made: the error of the journal ends the run. List it last, so
    that it stands closest to the tool and sees each attempt of one that is tried again.
    """

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[Options]) -> None:
        super().__init__()
        self._observer = Observer(journal, FRAMEWORK, **options)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]) -> Answer:
        with self._seen(request) as seen:
            try:
                answer = handler(request)
            except GraphInterrupt:
                seen.stays_open()
                raise
            except GraphBubbleUp:
                seen.end()
                raise
            except ToolInvocationError as error:
                seen.without_effect = _is_refused(request, error.message)
                raise
            _keep(seen, answer, request)
        return answer

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        async with self._seen(request) as seen:
            try:
                answer = await handler(request)
            except GraphInterrupt:
                await seen.astays_open()
                raise
            except GraphBubbleUp:
                await seen.aend()
                raise
            except ToolInvocationError as error:
                seen.without_effect = _is_refused(request, error.message)
                raise
            _keep(seen, answer, request)
        return answer

    def _seen(self, request: ToolCallRequest) -> SeenCall:
        call = request.tool_call
        metadata = (getattr(request.runtime, "config", None) or {}).get("metadata")
        seen = self._observer.call(
            call["name"], call["args"], call_id=call["id"] or "", agent=_agent(metadata), run=_task(metadata)
        )
        seen.thread = _thread(metadata)
        return seen


class JournalCallbackHandler(BaseCallbackHandler):
    """`agent.invoke(..., config={"callbacks": [JournalCallbackHandler(journal)]})`."""

    run_inline = True  # before the tool and in its context; in a thread it might come after

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[Options]) -> None:
        super().__init__()
        self._observer = Observer(journal, FRAMEWORK, **options)
        self.raise_error = (
            self._observer.strict
        )  # LangChain lets an error of a handler pass only if the handler says so
        self._open: dict[UUID, tuple[UUID | None, SeenCall]] = {}

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
        run = _task(metadata) or str(run_id)
        seen = self._observer.call(tool, arguments, call_id=call_id, agent=_agent(metadata), run=run)
        seen.thread = _thread(metadata)
        seen.begin()
        self._open[run_id] = (parent_run_id, seen)

    def on_tool_end(self, output: Any, *, run_id: UUID, **rest: Any) -> None:
        if found := self._open.pop(run_id, None):
            _keep(found[1], output)
            found[1].end()

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        if found := self._open.pop(run_id, None):
            if isinstance(error, GraphInterrupt):
                found[1].stays_open()
            else:  # the graph's own signals are no errors
                found[1].without_effect = _was_parsing(error)
                found[1].end(None if isinstance(error, GraphBubbleUp) else error)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **rest: Any) -> None:
        """A cancelled tool tells nothing; what called it does."""
        for child, (parent, seen) in list(self._open.items()):
            if parent == run_id:
                del self._open[child]
                seen.end(error)


def _agent(metadata: Mapping[str, Any] | None) -> str:
    return str((metadata or {}).get("lc_agent_name") or "")


def _task(metadata: Mapping[str, Any] | None) -> str:
    """The task of a graph, which is another one in each run, also where agents run at the same time."""
    return str((metadata or {}).get("langgraph_checkpoint_ns") or "")


def _thread(metadata: Mapping[str, Any] | None) -> str:
    """What a graph goes on with after an interrupt: a tool that asks a person is called again with the answer."""
    return str((metadata or {}).get("thread_id") or "")


def _keep(seen: SeenCall, answer: Any, request: ToolCallRequest | None = None) -> None:
    """A tool's message may say that it failed: LangGraph makes one of an exception that it handles, and a command to
    the graph may carry one."""
    if failed := next((message for message in _messages(answer) if message.status == "error"), None):
        seen.failed(failed.text)
        start = INVALID_TOOL_NAME_ERROR_TEMPLATE.partition("{available_tools}")[0]
        unknown = failed.text.startswith(start.format(requested_tool=failed.name))
        seen.without_effect = unknown or (request is not None and _is_refused(request, failed.text))
    else:
        seen.result = answer.content if isinstance(answer, ToolMessage) else answer


def _is_refused(request: ToolCallRequest, words: str) -> bool:
    """Whether the tool was not called, since its arguments do not fit. LangGraph says the same of a tool that raises
    an error of pydantic's itself, after it has done something: so the arguments are looked at once more."""
    call, schema = request.tool_call, getattr(request.tool, "tool_call_schema", None)
    start = TOOL_INVOCATION_ERROR_TEMPLATE.partition("{error}")[0]
    named = words.startswith(start.format(tool_name=call["name"], tool_kwargs=call["args"]))
    if not named or not isinstance(schema, type) or not issubclass(schema, BaseModel):
        return False
    try:
        schema.model_validate(call["args"])
    except ValidationError:
        return True
    except Exception:  # a check of the user's own that breaks proves nothing
        return False
    return False


def _was_parsing(error: BaseException) -> bool:
    """Whether an error came before the tool was called, while LangChain looked at its arguments."""
    names = {frame.f_code.co_name for frame, _ in walk_tb(error.__traceback__)}
    return "_parse_input" in names and not names & {"_run", "_arun"}


def _messages(answer: Any) -> list[ToolMessage]:
    """The messages of a tool in what it answered."""
    if isinstance(answer, Command):
        update = answer.update
        found = update.get("messages") if isinstance(update, dict) else getattr(update, "messages", update)
        return _messages(found)
    if isinstance(answer, list | tuple):
        return [message for each in answer for message in _messages(each)]
    return [answer] if isinstance(answer, ToolMessage) else []
