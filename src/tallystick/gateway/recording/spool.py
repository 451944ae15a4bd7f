"""The gateway's side of the spool: stores calls made while the journal cannot be written, and blocks their repetition.

Once the journal has ingested a spooled call, its own rules know it. Only the execution of a call that named none is
still remembered here.
"""

import os
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from typing import Any, TypeVar, cast

from tallystick.core.errors import AlreadyDone, StorageUnavailable, TallystickError
from tallystick.core.formats import canonical_json
from tallystick.core.state import Execution
from tallystick.core.types import Outcome
from tallystick.gateway.dependencies import Dependencies, PendingBegin
from tallystick.gateway.io.log import LOG
from tallystick.gateway.recording.call_request import PROCESS_PREFIX, CallRequest, process_caller_id
from tallystick.gateway.recording.hooks import open_execution_for
from tallystick.gateway.recording.outcomes import CallEnd
from tallystick.gateway.recording.writer import JournalWriter
from tallystick.operations.begin import CallCheck
from tallystick.operations.runtime.correlation import action_of_call
from tallystick.operations.runtime.doubts import REPEATABLE
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.sdk.local import Local
from tallystick.store.interface import View

MAX_REMEMBERED = 10_000
DRAIN_WAIT_SECONDS = 5.0
"""How long a drain waits for another process that drains the same spool."""
SPOOLED_WARNING = (
    "The journal cannot be written now. This call was made, and is kept in the spool until the journal takes it in: "
    "it need not be made again."
)
K = TypeVar("K")
Key = tuple[str, str]
"""A caller id, and a key of the call."""
_UNMASKED = ("effect_key", "execution_id", "approval_id", "call_id", "asker")
"""Fields that hold no secret, because the gateway made or checked them. They must stay findable."""


class CallSpool:
    """The calls of one gateway in the spool, by caller and by call."""

    def __init__(self, dependencies: Dependencies, caller: Local, writer: JournalWriter) -> None:
        self._dependencies = dependencies
        self._caller = caller
        self._writer = writer
        self._waiting: OrderedDict[Key, str] = OrderedDict()
        """Call ids that the journal does not know yet."""
        self._executions: OrderedDict[Key, str] = OrderedDict()
        """Executions of ingested calls that named none."""
        self._newest: dict[str, str] = {}
        """The newest spooled call id of each caller, reads included."""
        self._caller_executions: OrderedDict[str, str] = OrderedDict()
        """The execution of that newest call once ingested: a caller with no other execution continues there."""
        self._may_hold_calls = True
        """Whether calls may wait in the spool, of this gateway or another."""
        if dependencies.spooled_begins:  # calls of a gateway before this one
            with suppress(OSError):
                for begin in dependencies.spooled_begins(caller):
                    effect, caller_id, id = (str(begin.get(name, "")) for name in ("effect_key", "asker", "call_id"))
                    if effect and begin.get("effect") not in REPEATABLE:
                        self._remember((_current_owner(caller_id), effect), id)

    def drain(self, wait_seconds: float = DRAIN_WAIT_SECONDS) -> None:
        """Ingest the spool, if the journal can be written: also what hooks have seen, before a call is recorded."""
        self._may_hold_calls = True
        if self._writer.failure:
            return
        with suppress(Exception):  # the spool stays as it is, and the next drain tries again
            drain = self._dependencies.drain_spool
            if drain is None or drain(self._caller, wait_seconds):
                self._may_hold_calls = False
                self._on_ingested()

    def store_begin(self, call: CallRequest) -> bool:
        """Store the begin of a call. Returns whether it is stored.

        Raises the refusal if the same call is in the spool, or if the journal, as far as it can be read, would refuse
        it. The spool is checked first: a spooled call reaches the journal before it leaves the spool.
        """
        if self._dependencies.lock_spool is None:
            return False
        try:
            with self._dependencies.lock_spool(call.local) as waiting:
                self._refuse_spooled(call, waiting)
                self._check_journal_rules(call)
                id = call.begin["call_id"]
                if not _is_unmasked(call.local, id) or any(begin.get("call_id") == id for begin in waiting):
                    # Masking would change the id, or ingestion would take the call for the one with the same id.
                    call.begin["call_id"] = call.new_call_id()
                return self._store_new(call)
        except OSError as error:
            LOG.log(f"{call.name} could not be spooled either: {error}")
            return False

    def store_own_end(self, call: CallRequest, outcome: Outcome, fields: dict[str, Any]) -> None:
        """Store the end of a call whose begin is in the spool."""
        if outcome in ("failed", "skipped"):  # it may be tried again, as after an end in the journal
            for key in _keys(call):
                self._waiting.pop(key, None)
        end = {"phase": "end", "tool": call.name, "call_id": call.begin["call_id"], "outcome": outcome, **fields}
        self._store("end", call.local, end)

    def store_end(self, end: CallEnd) -> bool:
        """Store the end of a call whose begin is in the journal. Returns whether it is stored."""
        if not _is_unmasked(end.local, end.call_id):  # the journal would not find the call under the masked id
            return False
        fields = {name: value for name, value in end.fields.items() if name != "action_id"}
        return self._store("end", end.local, {**fields, "tool": end.tool, "call_id": end.call_id})

    def check(self, call: CallRequest) -> dict[str, str]:
        """Refuse a call that is in the spool. Returns the execution in which its caller's spooled calls are."""
        keys = _keys(call) if self._waiting or self._executions else []
        if any(key in self._waiting for key in keys):
            self.drain()
        if any(key in self._waiting for key in keys):
            raise _already_spooled()
        if self._may_hold_calls and self._dependencies.spooled_begins:
            with suppress(OSError):
                self._refuse_spooled(call, self._dependencies.spooled_begins(call.local))
        execution = next((self._executions[key] for key in keys if key in self._executions), "")
        if not execution and _stored_caller_id(call) in self._caller_executions and not _execution_of(call):
            execution = self._caller_executions[_stored_caller_id(call)]
        return {"execution_id": execution} if execution and _is_open(call, execution) else {}

    def _store_new(self, call: CallRequest) -> bool:
        effect_key, execution, caller_id = _effect_key(call), _execution_of(call), _stored_caller_id(call)
        found = {"execution_id": execution, "asker": caller_id, **({"effect_key": effect_key} if effect_key else {})}
        is_stored = self._store("begin", call.local, {**found, **call.begin})
        if is_stored:
            self._newest[caller_id] = call.begin["call_id"]
        if is_stored and call.effect not in REPEATABLE:
            for key in _keys(call):
                self._remember(key, call.begin["call_id"])
        return is_stored

    def _check_journal_rules(self, call: CallRequest) -> None:
        context, begin = call.local.context, call.begin
        wanted = CallCheck(
            begin.get("step", ""), "", call.effect, _effect_key(call), begin.get("again", ""), call.arguments
        )

        def check(view: View) -> None:
            named = begin.get("execution_id", "")
            execution = (
                view.get(Execution, named) if named else open_execution_for(call, view, context.reader_session(view))
            )
            wanted.check_unrecorded(view, execution, context.masker, call.seen, call.arguments)

        with suppress(StorageUnavailable):
            context.read(check)

    def _refuse_spooled(self, call: CallRequest, waiting: list[PendingBegin]) -> None:
        """Refuse a call that is in the spool, stored by any gateway for the same caller or the same execution.

        In one execution a step is carried out once, whatever its arguments were.
        """
        if call.effect in REPEATABLE:
            return
        if any(key in self._waiting for key in _keys(call)):
            raise _already_spooled()
        effect_key, caller_id, execution = _effect_key(call), _stored_caller_id(call), _execution_of(call)
        for begin in waiting:
            if begin.get("effect") in REPEATABLE:
                continue
            is_same_execution = execution and begin.get("execution_id") == execution
            if is_same_execution and call.begin.get("step") and begin.get("step") == call.begin["step"]:
                raise _already_spooled("A call of the same step")
            if not effect_key or begin.get("effect_key") != effect_key:
                continue
            if is_same_execution or _current_owner(str(begin.get("asker", caller_id))) == caller_id:
                raise _already_spooled()

    def _on_ingested(self) -> None:
        """The spool is empty: the journal knows all calls. Remember in which executions they are."""
        if not self._waiting and not self._newest:
            return

        def executions(view: View, ids: Mapping[K, str]) -> dict[K, str]:
            actions = ((key, action_of_call(view, id)) for key, id in ids.items())
            return {key: action.execution for key, action in actions if action}

        context = self._caller.context
        self._executions.update(context.read(lambda view: executions(view, self._waiting)))
        self._caller_executions.update(context.read(lambda view: executions(view, self._newest)))
        self._waiting.clear()
        self._newest.clear()
        _forget_oldest(self._executions)
        _forget_oldest(self._caller_executions)

    def _remember(self, key: Key, id: str) -> None:
        self._waiting[key] = id
        _forget_oldest(self._waiting)

    def _store(self, event: str, local: Local, fields: dict[str, Any]) -> bool:
        if self._dependencies.spool_call is None:
            return False
        context, principal = local.context, local.context.principal
        try:
            masked = cast(dict[str, Any], context.recording_masker.mask(fields))
            payload = {
                "conversation": context.masker.mask_text(principal.conversation),
                "client": context.masker.mask_text(principal.client),
                "session": principal.session_key,
                "action": {**masked, **{name: fields[name] for name in _UNMASKED if name in fields}},
            }
            self._dependencies.spool_call(local, event, payload)
        except (OSError, TallystickError) as error:
            LOG.log(f"{fields['tool']} could not be spooled either: {error}")
            return False
        return True


def _forget_oldest(memory: OrderedDict[K, str]) -> None:
    while len(memory) > MAX_REMEMBERED:
        memory.popitem(last=False)


def _current_owner(caller_id: str) -> str:
    """Return the caller; if its process has ended, the current process."""
    pid = caller_id.removeprefix(PROCESS_PREFIX) if caller_id.startswith(PROCESS_PREFIX) else ""
    return process_caller_id() if pid.isdigit() and not _is_alive(int(pid)) else caller_id


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    with suppress(OSError, IndexError), open(f"/proc/{pid}/stat", "rb") as stat:
        return stat.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")  # a zombie is dead
    return True


def _is_unmasked(local: Local, text: str) -> bool:
    return bool(local.context.masker.mask_text(text) == text)


def _stored_caller_id(call: CallRequest) -> str:
    """The caller id as it may be stored: a client may name a conversation by a secret."""
    context, caller_id = call.local.context, call.caller_id
    if _is_unmasked(call.local, caller_id):
        return caller_id
    masked = context.masker.mask_text(caller_id)
    with suppress(StorageUnavailable):
        return f"{masked} {context.digest(caller_id)}"
    return masked


def _already_spooled(what: str = "The same call") -> AlreadyDone:
    message = f"{what} was made while the journal could not be written, and waits in the spool."
    return AlreadyDone(message, hint="Look at the real system, or wait until the journal has taken it in.")


def _keys(call: CallRequest) -> list[Key]:
    """The keys of a call: the journal's effect key, if its secret can be read, and a digest that needs no journal."""
    effect_key, caller_id = _effect_key(call), _stored_caller_id(call)
    keys = [(caller_id, effect_key)] if effect_key else []
    try:
        canonical = canonical_json.canonical([call.name, call.arguments])
    except (TypeError, ValueError, RecursionError):
        return keys
    return [*keys, (caller_id, blake2b(canonical, digest_size=16).hexdigest())]


def _effect_key(call: CallRequest) -> str:
    try:
        return call.effect_key
    except StorageUnavailable:
        return ""


def _execution_of(call: CallRequest) -> str:
    """The execution that a call belongs to, as far as the journal can be read."""
    context = call.local.context
    with suppress(TallystickError):
        execution = context.read(lambda view: open_execution_for(call, view, context.reader_session(view)))
        return execution.id if execution else ""
    return ""


def _is_open(call: CallRequest, id: str) -> bool:
    execution = call.local.context.read(lambda view: view.get(Execution, id))
    return execution is not None and execution.status in OPEN_STATUSES
