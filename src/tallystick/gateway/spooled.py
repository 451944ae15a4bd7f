"""Calls that were made while the journal could not be written: kept in the spool, and not made again meanwhile.

Once the journal has taken them in, its own rules know them: all that is left to say then is in which execution they
are, where the gateway had none to name.
"""

from collections import OrderedDict
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from tallystick.core import canonical
from tallystick.core.errors import AlreadyDone, StorageUnavailable, TallystickError
from tallystick.core.model import Outcome
from tallystick.core.state import Execution
from tallystick.operations.allowing import Wanted
from tallystick.operations.attaching import execution_seen
from tallystick.operations.desk import Desk
from tallystick.operations.joining import action_of_call
from tallystick.store.port import View

if TYPE_CHECKING:
    from tallystick.gateway.hub import Hub
    from tallystick.gateway.toolcall import ToolCall

REMEMBERED = 10_000
_OURS = ("effect_key", "execution_id", "approval_id", "call_id")
"""What is made by us, or a name of the client's: it holds no secret, and has to be found again."""


class Spooled:
    """What one gateway has in the spool, by what each call is."""

    def __init__(self, hub: "Hub") -> None:
        self._hub = hub
        self._waiting: OrderedDict[str, str] = OrderedDict()
        """Ids of calls that the journal does not know yet."""
        self._executions: OrderedDict[str, str] = OrderedDict()
        """Where those are that it has taken in."""
        if hub.parts.waiting:  # by a gateway before this one
            with suppress(OSError):
                for action in hub.parts.waiting(hub.caller):
                    self._remember(str(action.get("effect_key", "")), str(action.get("call_id", "")))

    def begin(self, call: "ToolCall") -> bool:
        """Keep the begin of a call. Whether it is kept."""
        if any(key in self._waiting for key in _keys(call)):
            return False
        effect = _effect(call)
        said = {"execution_id": _execution(call), **call.said, **({"effect_key": effect} if effect else {})}
        kept = self._put("begin", call, said)
        if kept and call.ruling.effect not in ("read", "idempotent"):
            for key in _keys(call):
                self._remember(key, said["call_id"])
        return kept

    def look_up(self, call: "ToolCall") -> None:
        """Refuse what the journal would refuse, as far as it can still be read."""
        desk, said = call.local.desk, call.said
        wanted = Wanted(said.get("step", ""), "", call.ruling.effect, _effect(call), said.get("again", ""))

        def look(view: View) -> None:
            named = said.get("execution_id", "")
            execution = view.get(Execution, named) if named else _seen(desk, view)
            if execution:
                wanted.check_unrecorded(view, execution, desk.masker, call.name, call.arguments)

        with suppress(StorageUnavailable):
            desk.read(look)

    def end(self, call: "ToolCall", outcome: Outcome, said: dict[str, Any]) -> None:
        if outcome in ("failed", "skipped"):  # that may be tried again, as it may when the journal knows of it
            for key in _keys(call):
                self._waiting.pop(key, None)
        end = {"phase": "end", "tool": call.name, "call_id": call.said["call_id"], "outcome": outcome, **said}
        self._put("end", call, end)

    def check(self, call: "ToolCall") -> dict[str, str]:
        """Where the same call is in the journal, if it was spooled; while it waits there, it is not made again."""
        keys = _keys(call) if self._waiting or self._executions else []
        if any(key in self._waiting for key in keys):
            self._hub.drain()
        for key in keys:
            if key in self._waiting:
                why = "The same call was made while the journal could not be written, and waits in the spool."
                raise AlreadyDone(why, hint="Look at the real system, or wait until the journal has taken it in.")
            if key in self._executions:
                return {"execution_id": self._executions[key]}
        return {}

    def taken_in(self) -> None:
        """The spool is empty: the journal knows all of them."""
        if not self._waiting:
            return

        def look(view: View) -> dict[str, str]:
            found = ((key, action_of_call(view, id)) for key, id in self._waiting.items())
            return {key: action.execution for key, action in found if action}

        self._executions.update(self._hub.caller.desk.read(look))
        self._waiting.clear()
        while len(self._executions) > REMEMBERED:
            self._executions.popitem(last=False)

    def _remember(self, key: str, id: str) -> None:
        if key:
            self._waiting[key] = id
            while len(self._waiting) > REMEMBERED:
                self._waiting.popitem(last=False)

    def _put(self, event: str, call: "ToolCall", said: dict[str, Any]) -> bool:
        if self._hub.parts.spool is None:
            return False
        desk, asker = call.local.desk, call.local.desk.asker
        try:
            masked = cast(dict[str, Any], desk.masker.mask(said))
            payload = {
                "conversation": asker.conversation,
                "client": asker.client,
                "action": {**masked, **{name: said[name] for name in _OURS if name in said}},
            }
            self._hub.parts.spool(call.local, event, payload)
        except (OSError, TallystickError) as error:
            self._hub.say(f"{call.name} could not be spooled either: {error}")
            return False
        return True


def _keys(call: "ToolCall") -> list[str]:
    """What the call is: to the journal, whose secret may not be known yet, and to this process."""
    effect = _effect(call)
    try:
        told = canonical.canonical([call.name, call.arguments])
    except (TypeError, ValueError, RecursionError):
        return [effect] if effect else []
    return [*([effect] if effect else []), blake2b(told, digest_size=16).hexdigest()]


def _effect(call: "ToolCall") -> str:
    try:
        return call.local.desk.effect_key(call.name, call.arguments)
    except StorageUnavailable:
        return ""


def _execution(call: "ToolCall") -> str:
    """The execution that a call belongs to, as far as the journal can still be read."""
    desk = call.local.desk
    with suppress(TallystickError):
        found = desk.read(lambda view: _seen(desk, view))
        return found.id if found else ""
    return ""


def _seen(desk: Desk, view: View) -> Execution | None:
    return execution_seen(view, desk.reads_in(view), desk.asker.actor)
