"""Claude Agent SDK: hooks in this process. Their payloads are those of Claude Code's hooks, and are read by its reader.

A call that the hook program or the gateway sees too is the same action: all of them know its `tool_use_id`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from types import FrameType
from typing import TYPE_CHECKING, Any, Unpack
from weakref import finalize

from tallystick.capture.clients import observe
from tallystick.capture.clients.claude_code import LAUNCHED_STATUSES
from tallystick.capture.clients.events import (
    ARGUMENTS_CHANGED,
    AgentEnded,
    CallBegun,
    CallEnded,
    CallObserved,
    Observed,
    Prompted,
    Stopped,
    TaskEnded,
)
from tallystick.capture.ingest.background import read_outcomes, task_in_result
from tallystick.capture.ingest.own_tools import is_own_tool
from tallystick.core.errors import InvalidArgument
from tallystick.core.redaction.jsonable import describe_error
from tallystick.core.tools import arguments_differ
from tallystick.integrations.observed_call import ObservedCall
from tallystick.integrations.observer import CallObserver, ObserverOptions, missing_framework
from tallystick.store.forks import process_id

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookCallback, HookContext, HookEvent, HookInput, HookJSONOutput

    from tallystick.sdk.journal import AsyncJournal, Journal

try:
    from claude_agent_sdk import HookMatcher

    if "on_failure" not in HookMatcher.__dataclass_fields__:
        raise ImportError("This claude-agent-sdk is too old: its HookMatcher has no on_failure")
except ImportError as error:
    raise missing_framework("claude-agent-sdk", error) from error

FRAMEWORK = "claude-agent-sdk"
EVENTS: tuple[HookEvent, ...] = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "SubagentStop",
    "Stop",
)
MAX_ENDED_CALLS = 1000
"""How many ended calls are remembered, so that an event that is delivered twice counts once."""
CallKey = tuple[str, str]
"""A conversation and a call in it."""


def journal_hooks(
    journal: Journal | AsyncJournal,
    hooks: Mapping[HookEvent, Sequence[HookMatcher]] | None = None,
    **options: Unpack[ObserverOptions],
) -> dict[HookEvent, list[HookMatcher]]:
    """`ClaudeAgentOptions(hooks=journal_hooks(journal))`; `hooks` are the ones that you have already.

    With `strict` a call that cannot be recorded or is in doubt is denied, and so is one whose hook failed.
    """
    conversations = Conversations(CallObserver(journal, FRAMEWORK, shares_ids=True, **options))
    given: object = hooks
    if given is not None and not isinstance(given, Mapping):
        raise InvalidArgument(
            f"hooks is of type {type(given).__name__}.",
            hint='Give the hooks that you have: {"PreToolUse": [HookMatcher(...)]}. A name goes by agent="...".',
            field="hooks",
        )
    matchers: dict[HookEvent, list[HookMatcher]] = {event: list(those) for event, those in (hooks or {}).items()}
    for event in EVENTS:
        can_deny = options.get("strict") and event == "PreToolUse"
        callbacks: list[HookCallback] = [conversations.on_event]
        if event == "PreToolUse":
            callbacks = PerConnection(conversations.on_event, conversations.open_calls, conversations.on_disconnect)
        matchers.setdefault(event, []).append(HookMatcher(hooks=callbacks, on_failure="block" if can_deny else None))
    start_disconnect_thread()
    return matchers


class Conversations:
    """The open calls, by conversation and call."""

    def __init__(self, observer: CallObserver) -> None:
        self._observer = observer
        self._open: dict[CallKey, tuple[CallBegun, ObservedCall]] = {}
        self._background: dict[CallKey, tuple[str, ObservedCall]] = {}
        """Calls that ended with a task that still runs in the background, with the name of the task."""
        self._ended: dict[CallKey, None] = {}
        self._with_background_agents: set[str] = set()

    def open_calls(self) -> set[CallKey]:
        return set(self._open)

    def on_disconnect(self, keys: set[CallKey]) -> None:
        """End calls as unknown: their connection is gone, so no end will arrive."""
        for key in keys:
            _, observed = self._open.pop(key, (None, None))
            if observed is not None:
                observed.unknown("the connection with Claude Code ended first")
                observed.end()

    async def on_event(self, payload: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        """The hook callback for every event."""
        fields: Any = payload
        for event in observe("claude-code", "", fields):
            try:
                await self._handle(event)
            except Exception as problem:  # only the begin of a strict call raises
                return _deny(f"The journal cannot record this call: {describe_error(problem)}")
        return {}

    async def _handle(self, event: Observed) -> None:
        if isinstance(event, CallObserved) and is_own_tool(event.tool, event.arguments):
            return
        if isinstance(event, CallObserved) and _key(event) in self._ended:
            return
        if isinstance(event, CallBegun):
            await self._begin_call(event)
        elif isinstance(event, CallEnded):
            await self._end_call(event)
        elif isinstance(event, TaskEnded):
            await self._end_task(event)
        elif isinstance(event, AgentEnded):
            await self._end_unfinished(event.conversation, lambda agent: agent == event.agent)
        elif isinstance(event, Prompted | Stopped):
            agents_continue = isinstance(event, Stopped) or event.conversation in self._with_background_agents
            await self._end_unfinished(event.conversation, lambda agent: not (agent and agents_continue))
            await self._read_task_ends(event.conversation, event.transcript)

    async def _begin_call(self, call: CallBegun) -> None:
        key = _key(call)
        if call.call_id and key in self._open:
            return
        if call.tool in ("Task", "Agent") and call.arguments.get("run_in_background") is True:
            self._with_background_agents.add(call.conversation)
        observed = self._observed(call)
        await observed.abegin()
        self._open[key] = (call, observed)

    async def _end_call(self, call: CallEnded) -> None:
        key = _key(call)
        begun, observed = self._open.pop(key, (None, None))
        self._remember_ended(key)
        if observed and begun and arguments_differ(begun.arguments, call.arguments):
            observed.skipped(ARGUMENTS_CHANGED)
            observed.without_effect = True
            await observed.aend()
            if observed.was_ended_already:  # by the gateway, which saw the call as it was made
                return
            observed = None
        observed = observed or self._observed(call)
        await _end(observed, call)
        result = call.result if isinstance(call.result, dict) else {}
        if call.call_id and call.outcome == "unknown" and (task := task_in_result(result)):
            self._background[key] = (task, observed)
        if result.get("status") in LAUNCHED_STATUSES:
            self._with_background_agents.add(call.conversation)

    async def _end_task(self, ended: TaskEnded) -> None:
        """End a background task, if the event names both the call and its task."""
        task, observed = self._background.get((ended.conversation, ended.call_id), ("", None))
        if observed and task == ended.task and ended.outcome != "unknown":
            del self._background[ended.conversation, ended.call_id]
            observed.reopen()
            await _end(observed, ended)

    async def _read_task_ends(self, conversation: str, transcript: str) -> None:
        """Read ends of background tasks from the transcript: no hook runs for one that ended while the agent worked."""
        tasks = {call: task for (owner, call), (task, _) in self._background.items() if owner == conversation}
        found: dict[str, dict[str, Any]] = {}
        if tasks and transcript:
            await self._observer.in_thread(lambda: found.update(read_outcomes(transcript, tasks)))
        for call_id, outcome in found.items():
            ended = TaskEnded(conversation=conversation, call_id=call_id, task=tasks[call_id], **outcome)
            await self._end_task(ended)

    def _remember_ended(self, key: CallKey) -> None:
        if key[1]:
            self._ended[key] = None
        while len(self._ended) > MAX_ENDED_CALLS:
            del self._ended[next(iter(self._ended))]

    async def _end_unfinished(self, conversation: str, is_over: Callable[[str], bool]) -> None:
        """End calls without an end event as unknown: they were denied or interrupted.

        A sub-agent may outlive the turn, and one in the background also the next prompt, until it stops by itself.
        """
        for key, (begun, observed) in list(self._open.items()):
            if key[0] == conversation and is_over(begun.agent):
                del self._open[key]
                observed.unknown("the client reported no outcome")
                await observed.aend()

    def _observed(self, call: CallObserved) -> ObservedCall:
        return self._observer.call(
            call.tool, call.arguments, call_id=call.call_id, agent=call.agent, sub_agent=bool(call.agent)
        )


async def _end(observed: ObservedCall, ended: CallEnded | TaskEnded) -> None:
    if ended.outcome == "ok":
        observed.result = ended.result
    elif ended.outcome == "unknown":
        observed.unknown(ended.error)
    else:
        observed.failed(ended.error)
    if isinstance(ended, CallEnded):
        observed.without_effect = ended.outcome == "failed" and ended.without_effect
        observed.duration = ended.duration
    await observed.aend()


def _deny(reason: str) -> HookJSONOutput:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }


def _key(call: CallObserved) -> CallKey:
    return call.conversation, call.call_id


# ----------------------------------------------------------------------------------------------------------------------
# Connections with a Claude Code. One may end without an event, because Claude Code was killed or the listening task was
# cancelled. The SDK calls no hook then. But it takes its callbacks once for each connection, and drops them with it. So
# each connection gets a callback of its own. Its open calls are ended when the task of the SDK that reads it is over.
# If that task cannot be found, they are ended when the callback is collected.


class PerConnection(list["HookCallback"]):
    """The callbacks of one event: a new one for each connection.

    `open_calls` returns what is open. `on_disconnect` gets the calls of a connection that ended.
    """

    def __init__(
        self,
        callback: HookCallback,
        open_calls: Callable[[], set[CallKey]],
        on_disconnect: Callable[[set[CallKey]], None],
    ) -> None:
        super().__init__([callback])
        self._parts = (callback, open_calls, on_disconnect)

    def __iter__(self) -> Iterator[HookCallback]:
        return iter([_Connection(*self._parts).on_event])


class _Connection:
    def __init__(
        self,
        callback: HookCallback,
        open_calls: Callable[[], set[CallKey]],
        on_disconnect: Callable[[set[CallKey]], None],
    ) -> None:
        self._callback = callback
        self._open_calls = open_calls
        self._on_disconnect = on_disconnect
        self._calls: set[CallKey] = set()
        self._reader: Any = None
        # Not at exit: then the whole session is over.
        finalize(self, _queue_disconnect, on_disconnect, self._calls).atexit = False

    async def on_event(self, payload: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        if self._reader is None and (reader := _find_reader(sys._getframe())):
            self._reader, disconnect = reader, partial(_queue_disconnect, self._on_disconnect, self._calls)
            reader.add_done_callback(lambda _: disconnect())
        response = await self._callback(payload, tool_use_id, context)
        fields: Any = payload
        open_now = self._open_calls()
        self._calls &= open_now
        self._calls |= {key for key in open_now if key[1] and key[1] == fields.get("tool_use_id")}
        if self._reader is not None and self._reader.done():  # it ended while the begin was recorded
            _queue_disconnect(self._on_disconnect, self._calls)
        return response


def _find_reader(frame: FrameType | None) -> Any:
    """The task of the SDK that reads the connection on which a hook was called; None if it cannot be found.

    The SDK does not hand it to hooks, but its own dispatch is what awaits them.
    """
    while frame is not None:
        reader = getattr(frame.f_locals.get("self"), "_read_task", None)
        if hasattr(reader, "add_done_callback") and hasattr(reader, "done"):
            return reader
        frame = frame.f_back
    return None


_lock = Lock()
_disconnected: SimpleQueue[tuple[Callable[[set[CallKey]], None], set[CallKey]]] = SimpleQueue()
_thread_process = 0


def start_disconnect_thread() -> None:
    """Start the thread that ends the calls of ended connections, once in each process."""
    global _thread_process
    with _lock:
        if _thread_process != process_id():
            _thread_process = process_id()
            Thread(target=_handle_disconnects, name="tallystick-connections", daemon=True).start()


def _queue_disconnect(on_disconnect: Callable[[set[CallKey]], None], calls: set[CallKey]) -> None:
    """Runs in the garbage collector, in any thread. It must not wait for a lock, so another thread does the work."""
    if calls:
        _disconnected.put((on_disconnect, calls))


def _handle_disconnects() -> None:
    while True:
        on_disconnect, calls = _disconnected.get()
        on_disconnect(calls)
