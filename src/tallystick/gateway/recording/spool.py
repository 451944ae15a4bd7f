"""Calls that were made while the journal could not be written: kept in the spool, and not made again meanwhile.

Once the journal has taken them in, its own rules know them: all that is left to say then is in which execution they
are, where the gateway had none to name.
"""

import os
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tallystick.core.errors import AlreadyDone, StorageUnavailable, TallystickError
from tallystick.core.formats import canonical_json
from tallystick.core.state import Execution
from tallystick.core.types import Outcome
from tallystick.gateway.recording.hooks import open_execution_for
from tallystick.gateway.recording.outcomes import End
from tallystick.operations.begin import REPEATABLE, CallCheck
from tallystick.operations.runtime.correlation import action_of_call
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.sdk.local import Local
from tallystick.store.interface import View

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall
    from tallystick.gateway.gateway import Gateway

REMEMBERED = 10_000
PROCESS = "process "
KEPT = (
    "The journal cannot be written now. This call was made, and is kept in the spool until the journal takes it in: "
    "it need not be made again."
)
K = TypeVar("K")
Key = tuple[str, str]
"""Who has called, and what."""
_OURS = ("effect_key", "execution_id", "approval_id", "call_id", "asker")
"""What is made by us, or a name of the client's that was looked at: it holds no secret, and has to be found again."""


class CallSpool:
    """What one gateway has in the spool, by who has called, and by what each call is."""

    def __init__(self, gateway: "Gateway") -> None:
        self._gateway = gateway
        self._waiting: OrderedDict[Key, str] = OrderedDict()
        """Ids of calls that the journal does not know yet."""
        self._executions: OrderedDict[Key, str] = OrderedDict()
        """Where those are that it has taken in, and that named no execution."""
        self._newest: dict[str, str] = {}
        """The newest of these ids by who has called, reads too."""
        self._taken_in: OrderedDict[str, str] = OrderedDict()
        """The execution of that one, once it is known: where its asker goes on that has no other."""
        self.left = True
        """Whether something may wait in the spool, by this gateway or another."""
        if gateway.parts.waiting:  # by a gateway before this one
            with suppress(OSError):
                for action in gateway.parts.waiting(gateway.caller):
                    effect, principal, id = (str(action.get(name, "")) for name in ("effect_key", "asker", "call_id"))
                    if effect and action.get("effect") not in REPEATABLE:
                        self._remember((_current_owner(principal), effect), id)

    def begin(self, call: "ToolCall") -> bool:
        """Keep the begin of a call, unless the same call waits or the journal, as far as it can still be read, would
        refuse it. Whether it is kept. What waits goes into the journal before it leaves the spool, so it is looked for
        in this order."""
        if self._gateway.parts.alone is None:
            return False
        try:
            with self._gateway.parts.alone(call.local) as waiting:
                self._refuse_waiting(call, waiting)
                self._look_up(call)
                id = call.said["call_id"]
                if not _is_plain(call.local, id) or any(action.get("call_id") == id for action in waiting):
                    call.said["call_id"] = call.connection.call_id()  # it holds a secret, or would be lost behind that
                return self._begun(call)
        except OSError as error:
            self._gateway.say(f"{call.name} could not be spooled either: {error}")
            return False

    def _begun(self, call: "ToolCall") -> bool:
        effect, execution = _effect(call), _execution(call)
        named = {"execution_id": execution, "asker": _principal(call), **({"effect_key": effect} if effect else {})}
        kept = self._put("begin", call.local, {**named, **call.said})
        if kept:
            self._newest[_principal(call)] = call.said["call_id"]
        if kept and call.ruling.effect not in REPEATABLE:
            for key in _keys(call):
                self._remember(key, call.said["call_id"])
        return kept

    def _look_up(self, call: "ToolCall") -> None:
        context, said = call.local.context, call.said
        wanted = CallCheck(said.get("step", ""), "", call.ruling.effect, _effect(call), said.get("again", ""))

        def look(view: View) -> None:
            named = said.get("execution_id", "")
            execution = (
                view.get(Execution, named) if named else open_execution_for(call, view, context.reader_session(view))
            )
            if execution:
                wanted.check_unrecorded(view, execution, context.masker, call.seen, call.arguments)

        with suppress(StorageUnavailable):
            context.read(look)

    def end(self, call: "ToolCall", outcome: Outcome, said: dict[str, Any]) -> None:
        if outcome in ("failed", "skipped"):  # that may be tried again, as it may when the journal knows of it
            for key in _keys(call):
                self._waiting.pop(key, None)
        end = {"phase": "end", "tool": call.name, "call_id": call.said["call_id"], "outcome": outcome, **said}
        self._put("end", call.local, end)

    def keep(self, end: End) -> bool:
        """Keep the end of a call whose begin the journal knows. Whether it is kept."""
        if not _is_plain(end.local, end.call_id):  # by another id it would not be found
            return False
        said = {name: value for name, value in end.said.items() if name != "action_id"}
        return self._put("end", end.local, {**said, "tool": end.tool, "call_id": end.call_id})

    def check(self, call: "ToolCall") -> dict[str, str]:
        """Where the same call is in the journal, if it was spooled; while it waits there, it is not made again."""
        keys = _keys(call) if self._waiting or self._executions else []
        if any(key in self._waiting for key in keys):
            self._gateway.drain()
        if any(key in self._waiting for key in keys):
            raise _waits()
        if self.left and self._gateway.parts.waiting:
            with suppress(OSError):
                self._refuse_waiting(call, self._gateway.parts.waiting(call.local))
        found = next((self._executions[key] for key in keys if key in self._executions), "")
        if not found and _principal(call) in self._taken_in and not _execution(call):
            found = self._taken_in[_principal(call)]
        return {"execution_id": found} if found and _is_open(call, found) else {}

    def _refuse_waiting(self, call: "ToolCall", waiting: list[dict[str, Any]]) -> None:
        """Refuse a call that waits in the spool already, by this gateway or another: of the same asker, or of the same
        execution. There a step is carried out once, whatever its arguments were."""
        if call.ruling.effect in REPEATABLE:
            return
        if any(key in self._waiting for key in _keys(call)):
            raise _waits()
        effect, principal, execution = _effect(call), _principal(call), _execution(call)
        for action in waiting:
            if action.get("effect") in REPEATABLE:
                continue
            same_execution = execution and action.get("execution_id") == execution
            if same_execution and call.said.get("step") and action.get("step") == call.said["step"]:
                raise _waits("A call of the same step")
            if not effect or action.get("effect_key") != effect:
                continue
            if same_execution or _current_owner(str(action.get("asker", principal))) == principal:
                raise _waits()

    def taken_in(self) -> None:
        """The spool is empty: the journal knows all of them."""
        if not self._waiting and not self._newest:
            return

        def look(view: View, ids: Mapping[K, str]) -> dict[K, str]:
            found = ((key, action_of_call(view, id)) for key, id in ids.items())
            return {key: action.execution for key, action in found if action}

        context = self._gateway.caller.context
        self._executions.update(context.read(lambda view: look(view, self._waiting)))
        self._taken_in.update(context.read(lambda view: look(view, self._newest)))
        self._waiting.clear()
        self._newest.clear()
        _shorten(self._executions)
        _shorten(self._taken_in)

    def _remember(self, key: Key, id: str) -> None:
        self._waiting[key] = id
        _shorten(self._waiting)

    def _put(self, event: str, local: Local, said: dict[str, Any]) -> bool:
        if self._gateway.parts.spool is None:
            return False
        context, principal = local.context, local.context.principal
        try:
            masked = cast(dict[str, Any], context.masker.mask(said))
            payload = {
                "conversation": context.masker.mask_text(principal.conversation),
                "client": context.masker.mask_text(principal.client),
                "session": principal.session_key,
                "action": {**masked, **{name: said[name] for name in _OURS if name in said}},
            }
            self._gateway.parts.spool(local, event, payload)
        except (OSError, TallystickError) as error:
            self._gateway.say(f"{said['tool']} could not be spooled either: {error}")
            return False
        return True


def _shorten(memory: OrderedDict[K, str]) -> None:
    while len(memory) > REMEMBERED:
        memory.popitem(last=False)


def this_process() -> str:
    """Who calls, where no conversation is told: whoever this gateway serves."""
    return f"{PROCESS}{os.getpid()}"


def _current_owner(principal: str) -> str:
    """Who answers for what an asker has spooled: where that was a process that is gone, the next one that looks."""
    pid = principal.removeprefix(PROCESS) if principal.startswith(PROCESS) else ""
    return this_process() if pid.isdigit() and not _lives(int(pid)) else principal


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    with suppress(OSError, IndexError), open(f"/proc/{pid}/stat", "rb") as stat:
        return stat.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")  # dead, and not yet asked after
    return True


def _is_plain(local: Local, text: str) -> bool:
    return bool(local.context.masker.mask_text(text) == text)


def _principal(call: "ToolCall") -> str:
    """Who calls, as it may be written down: a client can name a conversation as it likes, also by a secret."""
    context, principal = call.local.context, call.principal
    if _is_plain(call.local, principal):
        return principal
    masked = context.masker.mask_text(principal)
    with suppress(StorageUnavailable):
        return f"{masked} {context.digest(principal)}"
    return masked


def _waits(what: str = "The same call") -> AlreadyDone:
    why = f"{what} was made while the journal could not be written, and waits in the spool."
    return AlreadyDone(why, hint="Look at the real system, or wait until the journal has taken it in.")


def _keys(call: "ToolCall") -> list[Key]:
    """What the call is, and whose: to the journal, whose secret may not be known yet, and to this process."""
    effect, principal = _effect(call), _principal(call)
    known = [(principal, effect)] if effect else []
    try:
        told = canonical_json.canonical([call.name, call.arguments])
    except (TypeError, ValueError, RecursionError):
        return known
    return [*known, (principal, blake2b(told, digest_size=16).hexdigest())]


def _effect(call: "ToolCall") -> str:
    try:
        return call.local.context.effect_key(call.name, call.arguments)
    except StorageUnavailable:
        return ""


def _execution(call: "ToolCall") -> str:
    """The execution that a call belongs to, as far as the journal can still be read."""
    context = call.local.context
    with suppress(TallystickError):
        found = context.read(lambda view: open_execution_for(call, view, context.reader_session(view)))
        return found.id if found else ""
    return ""


def _is_open(call: "ToolCall", id: str) -> bool:
    execution = call.local.context.read(lambda view: view.get(Execution, id))
    return execution is not None and execution.status in OPEN_STATUSES
