"""OpenAI Agents SDK: one object that is both the hooks of a run and a processor of traces.

Hooks come before a call and can refuse it, but are told nothing of one that raised or was cancelled; the trace tells
that, afterwards. So give both. A processor alone records each call when it is over, with no intent before it; hooks
alone leave a call that raised open, and so in doubt once the process is gone.
"""

from __future__ import annotations

import json
import sys
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack

from msgspec import Struct, field

from tallystick.integrations.observed_call import SeenCall
from tallystick.integrations.observer import Observer, Options, missing

if TYPE_CHECKING:
    from agents import Agent, RunContextWrapper, Span, Tool, Trace

    from tallystick.sdk.journal import AsyncJournal, Journal


# ----------------------------------------------------------------------------------------------------------------------
# The spans of OpenAI Agents traces that are open: which agent a call belongs to, and what else is known of it.
#
# All who process traces in this process are told of each span, also of runs that have the hooks of another one. So they
# share what they know.

T = TypeVar("T")


class OpenSpan(Struct, Generic[T]):
    """An open span. `told_by` are the hooks that tell of what happens there; `call` is the call that they have begun.
    `processors` are those who were told that it is open; `refused` says that a guardrail lets the call not be made."""

    kind: str
    name: str
    parent: str
    told_by: T | None = None
    call: tuple[str, str, int] | None = None
    refused: bool = False
    processors: set[int] = field(default_factory=set)


class Spans(Generic[T]):
    """All that are open, by their ids."""

    def __init__(self) -> None:
        self._places: dict[str, OpenSpan[T]] = {}

    def open(self, span: Span[Any], processor: T) -> None:
        data = span.span_data
        new: OpenSpan[T] = OpenSpan(data.type, getattr(data, "name", None) or "", span.parent_id or "")
        self._places.setdefault(span.span_id, new).processors.add(id(processor))

    def close(self, span: Span[Any], processor: T) -> None:
        """One of them knows that it is over; the last one forgets it."""
        if place := self.at(span):
            place.processors.discard(id(processor))
            if not place.processors:
                self._places.pop(span.span_id, None)

    def at(self, span: Span[Any] | None) -> OpenSpan[T] | None:
        return self._places.get(span.span_id) if span else None

    def agent_of(self, span: Span[Any] | None) -> OpenSpan[T] | None:
        return next((place for place in self._upwards(span) if place.kind == "agent"), None)

    def hooks_over(self, span: Span[Any]) -> T | None:
        """The hooks of the run, or of the one around it: an agent that is a tool has a run of its own, without any."""
        return next((place.told_by for place in self._upwards(span) if place.told_by), None)

    def is_nested(self, span: Span[Any] | None) -> bool:
        """Whether the agent itself runs inside a call of another one."""
        kinds = [place.kind for place in self._upwards(span)]
        return "agent" in kinds and "function" in kinds[kinds.index("agent") :]

    def _upwards(self, span: Span[Any] | None) -> list[OpenSpan[T]]:
        """A span and those that it stands in, the nearest first."""
        found: list[OpenSpan[T]] = []
        place = self.at(span)
        while place:
            found.append(place)
            place = self._places.get(place.parent)
        return found


# ----------------------------------------------------------------------------------------------------------------------

try:
    from agents import FunctionTool, LocalShellTool, RunHooks, ShellTool, TracingProcessor, get_current_span
    from agents.exceptions import ToolTimeoutError
    from agents.tool import get_function_tool_origin

    from tallystick.integrations import openai_tools
    from tallystick.integrations.openai_tools import Executors
except ImportError as error:
    raise missing("openai-agents", error) from error


FRAMEWORK = "openai-agents"
HANDOFF = "handoff"
SHELL = ShellTool(executor=lambda _: "").name
Key = tuple[str, str, int]
"""A trace, a call in it, and its context: models that count their calls begin anew with each run, and with an agent
that is a tool there are several in one trace."""


class JournalHooks(RunHooks[Any], TracingProcessor):
    """`add_trace_processor(hooks)` once, and `Runner.run(agent, ..., hooks=hooks)`.

    With `strict` a call that cannot be recorded is not made: the error of the journal ends the run.
    """

    def __init__(self, journal: Journal | AsyncJournal, **options: Unpack[Options]) -> None:
        self._observer = Observer(journal, FRAMEWORK, **options)
        self._open: dict[Key, SeenCall] = {}
        self._spans = _SPANS
        self._executors = Executors()
        _watch_guardrails()

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        """From here on the calls of this agent are told by the hooks."""
        if place := self._spans.agent_of(_current_span()):
            place.told_by = self

    async def on_tool_start(self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool) -> None:
        span, key = _current_span(), _key(context, tool)
        begin = partial(self._begun, _named(tool), agent.name, self._spans.is_nested(span), f"{id(context):x}")
        if isinstance(tool, LocalShellTool | ShellTool) and tool.executor:
            self._executors.announce(context, tool, begin)
            return
        openai_tools.watch(tool)
        seen = begin(_arguments(getattr(context, "tool_arguments", None)), getattr(context, "tool_call_id", ""))
        await seen.abegin()
        self._open[key] = seen
        if (place := self._spans.at(span)) and place.kind == "function":
            place.call, place.told_by = key, self

    async def on_tool_end(self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool, result: object) -> None:
        """What came of it is told before the span is over: the model is about to act on it."""
        if seen := self._goes_on(_key(context, tool)):
            span = _current_span()
            own = span if span and span.span_data.type == "function" else None
            openai_tools.came(seen, context, tool, result, own)
            await seen.aend()

    async def on_handoff(self, context: RunContextWrapper[Any], from_agent: Agent[Any], to_agent: Agent[Any]) -> None:
        span = _current_span()
        if place := self._spans.at(span):
            place.told_by = self
        handed = {"from": from_agent.name, "to": to_agent.name}
        nested = self._spans.is_nested(span)
        await self._observer.call(HANDOFF, handed, agent=from_agent.name, sub_agent=nested, effect="read").aend()

    def on_trace_start(self, trace: Trace) -> None:
        """A trace is no call."""

    def on_trace_end(self, trace: Trace) -> None:
        """What is still open was put off: it goes on when the run is resumed."""

    def on_span_start(self, span: Span[Any]) -> None:
        self._spans.open(span, self)

    def on_span_end(self, span: Span[Any]) -> None:
        """What the hooks of a run have not told is theirs to record too, whichever processor hears of it."""
        place, hooks = self._spans.at(span), self._spans.hooks_over(span) or self
        try:
            if place:
                hooks._heard(place, span)
        finally:
            self._spans.close(span, self)

    def shutdown(self) -> None:
        """Nothing waits here: each record is on disk when it is made."""

    def force_flush(self) -> None:
        """Nothing waits here."""

    def _heard(self, place: OpenSpan[JournalHooks], span: Span[Any]) -> None:
        agent, data = self._spans.agent_of(span), span.span_data
        if place.call:
            self._closed(place.call, span)
        elif place.kind == "function" and not place.refused and not (agent and agent.told_by):
            seen = self._seen_in(span, data.name, _arguments(data.input))
            _told(seen, span, sys.exception() if data.output is None else None)
        elif place.kind == HANDOFF and not place.told_by:
            handed = self._seen_in(span, HANDOFF, {"from": data.from_agent, "to": data.to_agent})
            _ended(handed, span, sys.exception())

    def _closed(self, key: Key, span: Span[Any]) -> None:
        """The end of a call that the hooks began. One with a result that they were not told of was put off."""
        put_off = getattr(span.span_data, "output", None) is not None and not span.error
        seen = None if put_off else self._open.pop(key, None)
        if seen:
            _ended(seen, span, sys.exception())

    def _goes_on(self, key: Key) -> SeenCall | None:
        """The call that has begun there. One that a person was asked about has another context afterwards."""
        known = key if key in self._open else next((each for each in self._open if each[:2] == key[:2]), None)
        return self._open.pop(known) if known else None

    def _begun(self, tool: str, agent: str, nested: bool, run: str, arguments: Any, call_id: str) -> SeenCall:
        return self._observer.call(tool, arguments, call_id=call_id, agent=agent, sub_agent=nested, run=run)

    def _seen_in(self, span: Span[Any], tool: str, arguments: Any) -> SeenCall:
        """A call that only the trace tells of, when it is over. All who are told of a span know it by the same id."""
        agent, server = self._spans.agent_of(span), (getattr(span.span_data, "mcp_data", None) or {}).get("server")
        return self._observer.call(
            f"mcp__{server}__{tool}" if server else tool,
            arguments,
            call_id=span.span_id,
            agent=agent.name if agent else "",
            sub_agent=self._spans.is_nested(span),
            effect="read" if tool == HANDOFF else None,
            known_by_id=True,
        )


_SPANS: Spans[JournalHooks] = Spans()


@cache
def _watch_guardrails() -> None:
    def refused() -> None:
        if place := _SPANS.at(_current_span()):
            place.refused = True

    openai_tools.watch_guardrails(refused)


def _told(seen: SeenCall, span: Span[Any], cut: BaseException | None) -> None:
    """A call that only the trace tells of. What it cannot tell from a result that was seen is in doubt."""
    data = span.span_data
    if span.error or cut:
        pass
    elif data.output is None:
        seen.unknown("the trace tells no result: it waits for an approval, or returned nothing")
    elif openai_tools.is_timeout(data.name, None, data.output):
        seen.unknown(str(data.output))
    elif data.name == SHELL:
        seen.unknown(f"the trace tells no exit code; it printed: {data.output}")
    else:
        seen.result = data.output
    _ended(seen, span, cut)


def _ended(seen: SeenCall, span: Span[Any], cut: BaseException | None) -> None:
    """What a trace tells of the end. An exception that cuts a span short is the one that is being handled right now."""
    if isinstance(cut, ToolTimeoutError):
        openai_tools.of_error(seen, cut)
        seen.end()
    elif span.error:
        openai_tools.of_span(seen, span)
        seen.end()
    else:
        seen.end(cut)


def _current_span() -> Span[Any] | None:
    span = get_current_span()
    return span if span and span.span_id != "no-op" else None  # what stands there when tracing is off


def _key(context: Any, tool: Any) -> Key:
    span = _current_span()
    return span.trace_id if span else "", getattr(context, "tool_call_id", "") or tool.name, id(context)


def _named(tool: Tool) -> str:
    origin = get_function_tool_origin(tool) if isinstance(tool, FunctionTool) else None
    server = origin.mcp_server_name if origin else None
    return f"mcp__{server}__{tool.name}" if server else tool.name


def _arguments(text: str | None) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text
