"""Claude Agent SDK: hooks in this process. The payloads are those of Claude Code's own hooks, and are read as those.

A call that is also seen by the hook program, or by the gateway, is the same action: all of them know its `tool_use_id`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from tallystick.capture.clients import observe
from tallystick.capture.frameworks.sightings import SeenCall
from tallystick.capture.frameworks.witnessing import Observer, Options, missing
from tallystick.capture.observed import CallBegun, CallEnded, CallObserved, Observed, Prompted, Stopped
from tallystick.capture.tools import is_ours
from tallystick.recording import described

try:
    from claude_agent_sdk import HookMatcher
except ImportError as error:
    raise missing("claude-agent-sdk", error) from error

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookContext, HookEvent, HookInput, HookJSONOutput

    from tallystick.journal import AsyncJournal, Journal

FRAMEWORK = "claude-agent-sdk"
EVENTS: tuple[HookEvent, ...] = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop")
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
        found.setdefault(event, []).append(HookMatcher(hooks=[seen.told], on_failure="block" if blocks else None))
    return found


class Conversations:
    """What is under way, by conversation and call."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._open: dict[Key, tuple[str, SeenCall]] = {}

    async def told(self, payload: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        """One event, as the SDK calls a hook."""
        fields: Any = payload
        for observed in observe("claude-code", "", fields):
            try:
                await self._take(observed)
            except Exception as problem:  # only a begin that is strict raises
                return _denied(f"The journal cannot record this call: {described(problem)}")
        return {}

    async def _take(self, observed: Observed) -> None:
        if isinstance(observed, CallObserved) and is_ours(observed.tool):
            return
        if isinstance(observed, CallBegun):
            seen = self._seen(observed)
            await seen.abegin()
            self._open[_key(observed)] = (observed.agent, seen)
        elif isinstance(observed, CallEnded):
            _, found = self._open.pop(_key(observed), ("", None))
            await _ended(found or self._seen(observed), observed)
        elif isinstance(observed, Prompted | Stopped):
            await self._no_longer_running(observed.conversation)

    async def _no_longer_running(self, conversation: str) -> None:
        """Nothing that the agent itself had called runs any more: what was told no end was denied, or cut off."""
        for key, (sub_agent, seen) in list(self._open.items()):
            if key[0] == conversation and not sub_agent:
                del self._open[key]
                seen.unknown("the client told no outcome")
                await seen.aend()

    def _seen(self, call: CallObserved) -> SeenCall:
        return self._observer.call(
            call.tool, call.arguments, call_id=call.call_id, agent=call.agent, sub_agent=bool(call.agent)
        )


async def _ended(seen: SeenCall, call: CallEnded) -> None:
    if call.outcome == "ok":
        seen.result = call.result
    elif call.outcome == "unknown":
        seen.unknown(call.error)
    else:
        seen.failed(call.error)
        seen.without_effect = call.without_effect
    seen.duration = call.duration
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
