"""Claude Agent SDK: hooks in this process. The payloads are those of Claude Code's own hooks, and are read as those.

A call that is also seen by the hook program, or by the gateway, is the same action: all of them know its `tool_use_id`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
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
from tallystick.core.redaction.jsonable import describe_error
from tallystick.core.tools import arguments_differ
from tallystick.integrations.observed_call import SeenCall
from tallystick.integrations.observer import Observer, Options, missing
from tallystick.store.forks import process_id

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookCallback, HookContext, HookEvent, HookInput, HookJSONOutput

    from tallystick.sdk.journal import AsyncJournal, Journal


# ----------------------------------------------------------------------------------------------------------------------
# Connections with a Claude Code, which may end without a word: it was killed, or who listened was cancelled.
#
# The SDK tells hooks nothing of that. It takes its callbacks once for each connection, though, and lets go of them with
# it. So each connection gets a callback of its own, and when that is gone, so is what was under way there.

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookCallback, HookContext, HookInput, HookJSONOutput

    CallKey = tuple[str, str]
    Told = Callable[[HookInput, str | None, HookContext], Awaitable[HookJSONOutput]]


class PerConnection(list["HookCallback"]):
    """The hooks of one event. `under_way` tells what is, by conversation and call; `cut_off` takes what was when a
    connection ended."""

    def __init__(
        self, told: Told, under_way: Callable[[], set[CallKey]], cut_off: Callable[[set[CallKey]], None]
    ) -> None:
        super().__init__([told])
        self._parts = (told, under_way, cut_off)

    def __iter__(self) -> Iterator[HookCallback]:
        return iter([_Connection(*self._parts).told])


class _Connection:
    def __init__(
        self, told: Told, under_way: Callable[[], set[CallKey]], cut_off: Callable[[set[CallKey]], None]
    ) -> None:
        self._told = told
        self._under_way = under_way
        self._mine: set[CallKey] = set()
        finalize(self, _hand_over, cut_off, self._mine).atexit = False  # then the whole session is over

    async def told(self, payload: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        answer = await self._told(payload, tool_use_id, context)
        fields: Any = payload
        open_now = self._under_way()
        self._mine &= open_now
        self._mine |= {key for key in open_now if key[1] and key[1] == fields.get("tool_use_id")}
        return answer


_lock = Lock()
_gone: SimpleQueue[tuple[Callable[[set[CallKey]], None], set[CallKey]]] = SimpleQueue()
_watched_in = 0


def watch() -> None:
    """Let what is handed over be worked on, by a thread of this process."""
    global _watched_in
    with _lock:
        if _watched_in != process_id():
            _watched_in = process_id()
            Thread(target=_work, name="tallystick-connections", daemon=True).start()


def _hand_over(cut_off: Callable[[set[CallKey]], None], mine: set[CallKey]) -> None:
    """Called by the collector of garbage, wherever that runs: it may wait for no lock, so another thread goes on."""
    if mine:
        _gone.put((cut_off, mine))


def _work() -> None:
    while True:
        cut_off, mine = _gone.get()
        cut_off(mine)


# ----------------------------------------------------------------------------------------------------------------------

try:
    from claude_agent_sdk import HookMatcher

    if "on_failure" not in HookMatcher.__dataclass_fields__:
        raise ImportError("This claude-agent-sdk is too old: its HookMatcher has no on_failure")
except ImportError as error:
    raise missing("claude-agent-sdk", error) from error


FRAMEWORK = "claude-agent-sdk"
EVENTS: tuple[HookEvent, ...] = (
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "SubagentStop",
    "Stop",
)
ENDED = 1000
"""How many calls that have ended are remembered: an event that is delivered twice is one."""
Key = tuple[str, str]
"""A conversation and a call in it."""


def journal_hooks(
    journal: Journal | AsyncJournal,
    hooks: Mapping[HookEvent, Sequence[HookMatcher]] | None = None,
    **options: Unpack[Options],
) -> dict[HookEvent, list[HookMatcher]]:
    """`ClaudeAgentOptions(hooks=journal_hooks(journal))`; `hooks` are those that you have already.

    With `strict` a call that cannot be recorded is denied, and so is one whose hook failed.
    """
    seen = Conversations(Observer(journal, FRAMEWORK, shares_ids=True, **options))
    found: dict[HookEvent, list[HookMatcher]] = {event: list(those) for event, those in (hooks or {}).items()}
    for event in EVENTS:
        blocks = options.get("strict") and event == "PreToolUse"
        told: list[HookCallback] = [seen.told]
        if event == "PreToolUse":
            told = PerConnection(seen.told, seen.under_way, seen.cut_off)
        found.setdefault(event, []).append(HookMatcher(hooks=told, on_failure="block" if blocks else None))
    watch()
    return found


class Conversations:
    """What is under way, by conversation and call."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._open: dict[Key, tuple[CallBegun, SeenCall]] = {}
        self._left: dict[Key, tuple[str, SeenCall]] = {}
        self._ended: dict[Key, None] = {}
        self._with_background: set[str] = set()

    def under_way(self) -> set[Key]:
        return set(self._open)

    def cut_off(self, keys: set[Key]) -> None:
        """The connection over which these were told is gone: nobody will tell their ends."""
        for key in keys:
            _, seen = self._open.pop(key, (None, None))
            if seen is not None:
                seen.unknown("the connection with Claude Code ended first")
                seen.end()

    async def told(self, payload: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        """One event, as the SDK calls a hook."""
        fields: Any = payload
        for observed in observe("claude-code", "", fields):
            try:
                await self._take(observed)
            except Exception as problem:  # only a begin that is strict raises
                return _denied(f"The journal cannot record this call: {describe_error(problem)}")
        return {}

    async def _take(self, observed: Observed) -> None:
        if isinstance(observed, CallObserved) and is_own_tool(observed.tool, observed.arguments):
            return
        if isinstance(observed, CallObserved) and _key(observed) in self._ended:
            return
        if isinstance(observed, CallBegun):
            await self._begun(observed)
        elif isinstance(observed, CallEnded):
            await self._is_ended(observed)
        elif isinstance(observed, TaskEnded):
            await self._task_ended(observed)
        elif isinstance(observed, AgentEnded):
            await self._no_longer_running(observed.conversation, lambda agent: agent == observed.agent)
        elif isinstance(observed, Prompted | Stopped):
            goes_on = isinstance(observed, Stopped) or observed.conversation in self._with_background
            await self._no_longer_running(observed.conversation, lambda agent: not (agent and goes_on))
            await self._reads_ends(observed.conversation, observed.transcript)

    async def _begun(self, call: CallBegun) -> None:
        key = _key(call)
        if call.call_id and key in self._open:
            return
        if call.tool in ("Task", "Agent") and call.arguments.get("run_in_background") is True:
            self._with_background.add(call.conversation)
        seen = self._seen(call)
        await seen.abegin()
        self._open[key] = (call, seen)

    async def _is_ended(self, call: CallEnded) -> None:
        key = _key(call)
        begun, found = self._open.pop(key, (None, None))
        self._is_over(key)
        if found and begun and arguments_differ(begun.arguments, call.arguments):
            found.skipped(ARGUMENTS_CHANGED)
            found.without_effect = True
            await found.aend()
            if found.told_by_another:  # by the gateway, which saw it as it was made
                return
            found = None
        seen = found or self._seen(call)
        await _ended(seen, call)
        result = call.result if isinstance(call.result, dict) else {}
        if call.call_id and call.outcome == "unknown" and (task := task_in_result(result)):
            self._left[key] = (task, seen)
        if result.get("status") in LAUNCHED_STATUSES:
            self._with_background.add(call.conversation)

    async def _task_ended(self, said: TaskEnded) -> None:
        """The last word on what a call has left running, if it names both the call and what that has left."""
        task, seen = self._left.get((said.conversation, said.call_id), ("", None))
        if seen and task == said.task and said.outcome != "unknown":
            del self._left[said.conversation, said.call_id]
            seen.goes_on()
            await _ended(seen, said)

    async def _reads_ends(self, conversation: str, transcript: str) -> None:
        """What ended while the agent worked is told to the model alone: then the transcript has it."""
        left = {call_id: task for (whose, call_id), (task, _) in self._left.items() if whose == conversation}
        found: dict[str, dict[str, Any]] = {}
        if left and transcript:
            await self._observer.in_thread(lambda: found.update(read_outcomes(transcript, left)))
        for call_id, came in found.items():
            await self._task_ended(TaskEnded(conversation=conversation, call_id=call_id, task=left[call_id], **came))

    def _is_over(self, key: Key) -> None:
        if key[1]:
            self._ended[key] = None
        while len(self._ended) > ENDED:
            del self._ended[next(iter(self._ended))]

    async def _no_longer_running(self, conversation: str, whose: Callable[[str], bool]) -> None:
        """What was told no end was denied, or cut off. A sub-agent may outlive the turn, and one in the background the
        next prompt too, until it stops by itself."""
        for key, (begun, seen) in list(self._open.items()):
            if key[0] == conversation and whose(begun.agent):
                del self._open[key]
                seen.unknown("the client told no outcome")
                await seen.aend()

    def _seen(self, call: CallObserved) -> SeenCall:
        return self._observer.call(
            call.tool, call.arguments, call_id=call.call_id, agent=call.agent, sub_agent=bool(call.agent)
        )


async def _ended(seen: SeenCall, came: CallEnded | TaskEnded) -> None:
    if came.outcome == "ok":
        seen.result = came.result
    elif came.outcome == "unknown":
        seen.unknown(came.error)
    else:
        seen.failed(came.error)
    if isinstance(came, CallEnded):
        seen.without_effect = came.outcome == "failed" and came.without_effect
        seen.duration = came.duration
    await seen.aend()


def _denied(reason: str) -> HookJSONOutput:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }


def _key(call: CallObserved) -> Key:
    return call.conversation, call.call_id
