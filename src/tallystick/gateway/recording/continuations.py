"""Calls whose server asked for more input: the client's next call continues the same action.

The gateway cannot know whether the client will continue. Until then the action is open; after the call's timeout it is
in doubt. A continuation that arrives later still settles it.
"""

from collections import OrderedDict
from typing import Any

from msgspec import Struct

from tallystick.core.state import UNSETTLED, Action
from tallystick.gateway.io.loop import Future, Loop, Timer
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.operations.runtime.doubts import REPEATABLE
from tallystick.sdk.local import Local

MAX_WAITING = 1000
"""How many calls may wait for input. Beyond that, the oldest is put in doubt and forgotten."""
Key = tuple[str, str, str]
"""The caller id, the tool's name in the journal, and the effect key: what a continuation shares with its first call."""


class Continuation(Struct, kw_only=True, eq=False):
    """The state that the next call takes over."""

    key: Key
    action: str
    local: Local
    begin: dict[str, Any]
    warning: str
    action_key: str
    """The key that the server got under `_meta` to identify the action."""
    client: object
    """The connection of the client that has to continue."""
    ended: Future[str]
    """The reason why nobody continues the call, or "" once it was continued."""
    timer: Timer | None = None


class Continuations:
    """The calls of one gateway that wait for input of their client."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._waiting: OrderedDict[Key, list[Continuation]] = OrderedDict()

    def add(self, continuation: Continuation, timeout_seconds: float, on_timeout: str) -> None:
        """Wait for the client. After the timeout (0: none) the reason `on_timeout` ends the wait."""
        self._waiting.setdefault(continuation.key, []).append(continuation)
        if timeout_seconds > 0:  # it stays in the list: a late continuation settles the action
            continuation.timer = self._loop.later(timeout_seconds, lambda: continuation.ended.resolve(on_timeout))
        if len(self._waiting) > MAX_WAITING:
            for oldest in self._waiting.popitem(last=False)[1]:
                _end(oldest, "Too many calls wait for their clients")

    def take(self, call: CallRequest) -> Continuation | None:
        """Remove and return the waiting call that this call continues, if there is one.

        A call with the requested input continues it. A call without continues it only if the first is not in doubt and
        the effect is not repeatable: the server has said that it has not carried out the call yet.
        """
        has_input = "requestState" in call.params or "inputResponses" in call.params
        if not self._waiting or (not has_input and call.effect in REPEATABLE):
            return None
        for each in list(self._waiting.get(key_of(call), ())):
            state = _action_state(each)
            if state not in UNSETTLED:  # its outcome was recorded meanwhile
                self._remove(each, "")
            elif has_input or state == "open":
                self._remove(each, "")
                return each
        return None

    def on_client_gone(self, client: object) -> None:
        """End the waits for a client that has disconnected."""
        for each in [each for waiting in self._waiting.values() for each in waiting if each.client is client]:
            self._remove(each, "The client is gone")

    def _remove(self, continuation: Continuation, reason: str) -> None:
        waiting = self._waiting[continuation.key]
        waiting.remove(continuation)
        if not waiting:
            del self._waiting[continuation.key]
        _end(continuation, reason)


def key_of(call: CallRequest) -> Key:
    return call.caller_id, call.name, call.effect_key


def _end(continuation: Continuation, reason: str) -> None:
    if continuation.timer is not None:
        continuation.timer.cancel()
    continuation.ended.resolve(reason)


def _action_state(continuation: Continuation) -> str:
    """The state of the action. An unrecorded call counts as open."""
    context, action = continuation.local.context, continuation.action
    row = context.read(lambda view: view.get(Action, action)) if action else None
    return row.state if row else "open"
