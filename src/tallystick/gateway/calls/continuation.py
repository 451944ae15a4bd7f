"""Calls whose server has asked for more, and that the client makes again with it: each stays one action.

Nobody can tell whether the client ever will. Until then the action is open, and after the call's time it is in doubt;
what the client brings then settles it all the same.
"""

from collections import OrderedDict
from typing import TYPE_CHECKING

from tallystick.core.state import Action
from tallystick.operations.begin import REPEATABLE
from tallystick.operations.runtime.session_lifecycle import UNSETTLED

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall
    from tallystick.gateway.client.connection import ClientConnection

MOST = 1000
"""How many calls may wait so. The oldest is put in doubt then, and forgotten."""
Key = tuple[str, str, str, str]
"""Who has called, and what: all that such a call has in common with the one before it."""


class Unfinished:
    """The calls of one gateway that wait for their client."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Key, list[ToolCall]] = OrderedDict()

    def put(self, call: "ToolCall") -> None:
        self._waiting.setdefault(_key(call), []).append(call)
        call.wait_for_client()
        if len(self._waiting) > MOST:
            for old in self._waiting.popitem(last=False)[1]:
                old.abandon("Too many calls wait for their clients")

    def take(self, call: "ToolCall") -> "ToolCall | None":
        """The call that this one goes on with. One that brings what was asked for does; so does one that begins anew,
        as long as the first is not in doubt, and unless it may be made twice at once: the server has said that it is
        not done."""
        brings = "requestState" in call.params or "inputResponses" in call.params
        if not self._waiting or (not brings and call.ruling.effect in REPEATABLE):
            return None
        calls = self._waiting.get(_key(call), [])
        for each in list(calls):
            state = _state(each)
            if state in UNSETTLED and (brings or state == "open"):
                self._forget(each)
                return each
            if state not in UNSETTLED:  # somebody has said what came of it
                self._forget(each)
                each.stop_waiting()
        return None

    def _forget(self, call: "ToolCall") -> None:
        key = _key(call)
        self._waiting[key].remove(call)
        if not self._waiting[key]:
            del self._waiting[key]

    def leave(self, connection: "ClientConnection") -> None:
        """A client is gone: what waits for it will not be brought."""
        for call in [each for calls in self._waiting.values() for each in calls if each.connection is connection]:
            self._forget(call)
            call.abandon("The client is gone")


def _key(call: "ToolCall") -> Key:
    return call.principal, call.upstream.name, call.tool, call.local.context.effect_key(call.name, call.arguments)


def _state(call: "ToolCall") -> str:
    """The state of its action. One that could not be recorded is in nobody's hands."""
    row = call.local.context.read(lambda view: view.get(Action, call.action)) if call.action else None
    return row.state if row else "open"
