"""OpenAI Agents SDK: one object that is both the hooks of a run and a trace processor.

Hooks run before a call and can refuse it, but do not run after a call that raised or was cancelled. The trace has that,
afterwards. So use both. A processor alone records each call only when it is over. Hooks alone leave a call that raised
open, and so in doubt once the process is gone.
"""

from __future__ import annotations

import sys
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack

from msgspec import Struct, field

from tallystick.core.formats import canonical_json
from tallystick.integrations.observed_call import ObservedCall
from tallystick.integrations.observer import CallObserver, ObserverOptions, missing_framework

if TYPE_CHECKING:
    from agents import Agent, RunContextWrapper, Span, Tool, Trace

    from tallystick.sdk.journal import AsyncJournal, Journal


# ----------------------------------------------------------------------------------------------------------------------
# The open spans of traces: which agent a call belongs to, and what else is known of it. Every trace processor in this
# process gets each span, also of runs with the hooks of another one. So they share one table.

T = TypeVar("T")


class OpenSpan(Struct, Generic[T]):
    """An open span.

    `hooks` are the hooks that record what happens in it, `call` the call that they began. `is_refused`: a guardrail
    refused the call. `processors` are the trace processors that saw it open.
    """

    kind: str
    name: str
    parent: str
    hooks: T | None = None
    call: tuple[str, str, int] | None = None
    is_refused: bool = False
    processors: set[int] = field(default_factory=set)


class Spans(Generic[T]):
    """All open spans, by their ids."""

    def __init__(self) -> None:
        self._open: dict[str, OpenSpan[T]] = {}

    def open(self, span: Span[Any], processor: T) -> None:
        data = span.span_data
        new: OpenSpan[T] = OpenSpan(data.type, getattr(data, "name", None) or "", span.parent_id or "")
        self._open.setdefault(span.span_id, new).processors.add(id(processor))

    def close(self, span: Span[Any], processor: T) -> None:
        """Remove a processor from a span that ended; the last one removes the span."""
        if open_span := self.find(span):
            open_span.processors.discard(id(processor))
            if not open_span.processors:
                self._open.pop(span.span_id, None)

    def find(self, span: Span[Any] | None) -> OpenSpan[T] | None:
        return self._open.get(span.span_id) if span else None

    def agent_of(self, span: Span[Any] | None) -> OpenSpan[T] | None:
        return next((open_span for open_span in self._ancestors(span) if open_span.kind == "agent"), None)

    def hooks_of(self, span: Span[Any]) -> T | None:
        """The hooks of the run, or of the run around it: an agent that is a tool has a run without hooks."""
        return next((open_span.hooks for open_span in self._ancestors(span) if open_span.hooks), None)

    def is_nested(self, span: Span[Any] | None) -> bool:
        """Whether the agent itself runs inside a call of another agent."""
        kinds = [open_span.kind for open_span in self._ancestors(span)]
        return "agent" in kinds and "function" in kinds[kinds.index("agent") :]

    def _ancestors(self, span: Span[Any] | None) -> list[OpenSpan[T]]:
        """A span and the spans around it, the nearest first."""
        found: list[OpenSpan[T]] = []
        open_span = self.find(span)
        while open_span:
            found.append(open_span)
            open_span = self._open.get(open_span.parent)
        return found


# ----------------------------------------------------------------------------------------------------------------------

try:
    from agents import FunctionTool, LocalShellTool, RunHooks, ShellTool, TracingProcessor, get_current_span
    from agents.exceptions import ToolTimeoutError
    from agents.tool import get_function_tool_origin

    from tallystick.integrations import openai_tools
    from tallystick.integrations.openai_tools import Executors
except ImportError as error:
    raise missing_framework("openai-agents", error) from error


FRAMEWORK = "openai-agents"
HANDOFF = "handoff"
SHELL = ShellTool(executor=lambda _: "").name
Key = tuple[str, str, int]
"""A trace, a call in it, and its context. Call ids alone are not unique: some models count from the start in each run,
and a trace has several runs if an agent is a tool."""


class JournalHooks(RunHooks[Any], TracingProcessor):
    """`add_trace_processor(hooks)` once, and `Runner.run(agent, ..., hooks=hooks)`.

    With `strict` a call that cannot be recorded or is in doubt is not made: the journal's error ends the run.
    """

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[ObserverOptions]) -> None:
        self._observer = CallObserver(journal, FRAMEWORK, **options)
        self._open: dict[Key, ObservedCall] = {}
        self._spans = _SPANS
        self._executors = Executors()
        _watch_guardrails()

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        """From here on, the hooks record the calls of this agent."""
        if open_span := self._spans.agent_of(_current_span()):
            open_span.hooks = self

    async def on_tool_start(self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool) -> None:
        span, key = _current_span(), _key(context, tool)
        begin = partial(self._new_call, _tool_name(tool), agent.name, self._spans.is_nested(span), f"{id(context):x}")
        if isinstance(tool, LocalShellTool | ShellTool) and tool.executor:
            self._executors.announce(context, tool, begin)
            return
        openai_tools.watch_errors(tool)
        observed = begin(_arguments(getattr(context, "tool_arguments", None)), getattr(context, "tool_call_id", ""))
        await observed.abegin()
        self._open[key] = observed
        if (open_span := self._spans.find(span)) and open_span.kind == "function":
            open_span.call, open_span.hooks = key, self

    async def on_tool_end(self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool, result: object) -> None:
        """Record the end before the span ends: the model is about to act on it."""
        if observed := self._pop_open(_key(context, tool)):
            span = _current_span()
            call_span = span if span and span.span_data.type == "function" else None
            openai_tools.set_outcome(observed, context, tool, result, call_span)
            await observed.aend()

    async def on_handoff(self, context: RunContextWrapper[Any], from_agent: Agent[Any], to_agent: Agent[Any]) -> None:
        span = _current_span()
        if open_span := self._spans.find(span):
            open_span.hooks = self
        agents = {"from": from_agent.name, "to": to_agent.name}
        nested = self._spans.is_nested(span)
        await self._observer.call(HANDOFF, agents, agent=from_agent.name, sub_agent=nested, effect="read").aend()

    def on_trace_start(self, trace: Trace) -> None:
        """Nothing to do: a trace is not a call."""

    def on_trace_end(self, trace: Trace) -> None:
        """Nothing to do: open calls were suspended, and go on when the run is resumed."""

    def on_span_start(self, span: Span[Any]) -> None:
        self._spans.open(span, self)

    def on_span_end(self, span: Span[Any]) -> None:
        """Record what the hooks of the run did not, in their name, whichever processor gets the span first."""
        open_span, hooks = self._spans.find(span), self._spans.hooks_of(span) or self
        try:
            if open_span:
                hooks._on_span(open_span, span)
        finally:
            self._spans.close(span, self)

    def shutdown(self) -> None:
        """Nothing to do: each record is on disk when it is made."""

    def force_flush(self) -> None:
        """Nothing to do: nothing is buffered."""

    def _on_span(self, open_span: OpenSpan[JournalHooks], span: Span[Any]) -> None:
        agent, data = self._spans.agent_of(span), span.span_data
        if open_span.call:
            self._end_call(open_span.call, span)
        elif open_span.kind == "function" and not open_span.is_refused and not (agent and agent.hooks):
            observed = self._call_of_span(span, data.name, _arguments(data.input))
            _end_from_trace(observed, span, sys.exception() if data.output is None else None)
        elif open_span.kind == HANDOFF and not open_span.hooks:
            handoff = self._call_of_span(span, HANDOFF, {"from": data.from_agent, "to": data.to_agent})
            _end(handoff, span, sys.exception())

    def _end_call(self, key: Key, span: Span[Any]) -> None:
        """End a call that the hooks began. One with a result that they did not see was suspended: it stays open."""
        is_suspended = getattr(span.span_data, "output", None) is not None and not span.error
        observed = None if is_suspended else self._open.pop(key, None)
        if observed:
            _end(observed, span, sys.exception())

    def _pop_open(self, key: Key) -> ObservedCall | None:
        """Remove an open call and return it. A call that waited for a person has another context afterwards."""
        known = key if key in self._open else next((each for each in self._open if each[:2] == key[:2]), None)
        return self._open.pop(known) if known else None

    def _new_call(self, tool: str, agent: str, nested: bool, run: str, arguments: Any, call_id: str) -> ObservedCall:
        return self._observer.call(tool, arguments, call_id=call_id, agent=agent, sub_agent=nested, run=run)

    def _call_of_span(self, span: Span[Any], tool: str, arguments: Any) -> ObservedCall:
        """A call that only the trace shows, when it is over. All processors of a span use the same id."""
        agent, server = self._spans.agent_of(span), (getattr(span.span_data, "mcp_data", None) or {}).get("server")
        return self._observer.call(
            f"mcp__{server}__{tool}" if server else tool,
            arguments,
            call_id=span.span_id,
            agent=agent.name if agent else "",
            sub_agent=self._spans.is_nested(span),
            effect="read" if tool == HANDOFF else None,
            has_unique_id=True,
        )


_SPANS: Spans[JournalHooks] = Spans()


@cache
def _watch_guardrails() -> None:
    def mark_refused() -> None:
        if open_span := _SPANS.find(_current_span()):
            open_span.is_refused = True

    openai_tools.watch_guardrails(mark_refused)


def _end_from_trace(observed: ObservedCall, span: Span[Any], interrupted_by: BaseException | None) -> None:
    """End a call that only the trace shows. It is in doubt if the trace does not show its result."""
    data = span.span_data
    if span.error or interrupted_by:
        pass
    elif data.output is None:
        observed.unknown("the trace has no result: it waits for an approval, or returned nothing")
    elif openai_tools.is_timeout(data.name, None, data.output):
        observed.unknown(str(data.output))
    elif data.name == SHELL:
        observed.unknown(f"the trace has no exit code; it printed: {data.output}")
    else:
        observed.result = data.output
    _end(observed, span, interrupted_by)


def _end(observed: ObservedCall, span: Span[Any], interrupted_by: BaseException | None) -> None:
    """End a call from its span. `interrupted_by` is the exception that is being handled while the span ends."""
    if isinstance(interrupted_by, ToolTimeoutError):
        openai_tools.set_error(observed, interrupted_by)
        observed.end()
    elif span.error:
        openai_tools.set_span_error(observed, span)
        observed.end()
    else:
        observed.end(interrupted_by)


def _current_span() -> Span[Any] | None:
    span = get_current_span()
    return span if span and span.span_id != "no-op" else None  # the SDK's placeholder when tracing is off


def _key(context: Any, tool: Any) -> Key:
    span = _current_span()
    return span.trace_id if span else "", getattr(context, "tool_call_id", "") or tool.name, id(context)


def _tool_name(tool: Tool) -> str:
    origin = get_function_tool_origin(tool) if isinstance(tool, FunctionTool) else None
    server = origin.mcp_server_name if origin else None
    return f"mcp__{server}__{tool.name}" if server else tool.name


def _arguments(text: str | None) -> Any:
    try:
        return canonical_json.parse_leniently(text) if text else None
    except ValueError:
        return text
