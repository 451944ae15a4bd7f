"""One call that a framework shows to an adapter: which action it is, its begin, its end, and its suspension."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar, Token
from functools import partial
from hashlib import blake2b
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tallystick.core.errors import InDoubtOpen, UnknownHandle
from tallystick.core.redaction.jsonable import error_line
from tallystick.core.rules import settle_call
from tallystick.core.state import UNSETTLED, Action, IdempotencyKey
from tallystick.integrations.in_flight import CallFeatures, InFlightCalls
from tallystick.operations.actions import get_action, record_action
from tallystick.sdk.current import current_execution
from tallystick.sdk.scopes import ActionScope

if TYPE_CHECKING:
    from tallystick.core.types import Actor
    from tallystick.integrations.observer import CallObserver
    from tallystick.operations import Operation
    from tallystick.operations.runtime.receipts import ActionReceipt
    from tallystick.store.interface import View

NAME_CHARACTERS = 200
"""The longest name that a journal accepts."""
SUSPENSION_SUMMARY = "It asked a person, and goes on with the answer."
current_agent: ContextVar[str] = ContextVar("tallystick_within", default="")
"""The agent whose call is in progress here: another agent that acts meanwhile is a sub-agent."""

_IN_FLIGHT = InFlightCalls()
os.register_at_fork(after_in_child=lambda: _IN_FLIGHT.reset_after_fork())


class ObservedCall(ActionScope):
    """One call, from before it is made until it ended. Use it as a scope, or call `begin` and `end`."""

    def __init__(
        self, observer: CallObserver, actor: Actor, arguments: dict[str, Any], call_id: str, run: str = ""
    ) -> None:
        super().__init__(partial(observer.record, actor), arguments)
        self._observer = observer
        self._actor = actor
        self._call_id = call_id
        self._original_id = call_id
        self._features = CallFeatures(arguments.get("tool", ""), arguments.get("arguments", {}), run)
        self._started = monotonic()
        self._is_entered = False
        self._is_over = False
        self._token: Token[str] | None = None
        self.duration: float | None = None
        self.without_effect = False
        self.has_unique_id = False
        """Whether no other call ever has the same id."""
        self.was_ended_already = False
        """Whether another observer had recorded its end before."""
        self.thread = ""
        """The framework's thread, with which a suspended call is resumed, maybe in another process."""

    def begin(self) -> None:
        """Record the begin. Raises only in strict mode: then the call must not be made."""
        try:
            receipt = self._begin()
            if self._observer.strict and receipt.notes:
                self._refuse_if_in_doubt()
        except Exception as problem:
            if not isinstance(problem, InDoubtOpen):
                self._observer.record_missed(problem)
            if self._observer.strict:
                self._is_over = True
                _IN_FLIGHT.leave(self._call_id, self._original_id, self._observer)
                raise
        self._started = monotonic()

    def end(self, error: BaseException | None = None) -> None:
        """Record the end. Only the first end counts."""
        if self._is_over:
            return
        self._is_over = True
        if self.duration is None:
            self.duration = monotonic() - self._started
        try:
            if not self.id:
                self._begin()
            request = self.end_request(error)
            assert request is not None
            arguments = {**request.arguments, "duration": self.duration, "without_effect": self.without_effect}
            arguments |= {name: error_line(arguments[name]) for name in ("error", "summary") if name in arguments}
            if self._call_id:  # the id shows that an end from another observer is the same end
                arguments |= {"action_id": None, "call_id": self._call_id}
            self.was_ended_already = self._call(request.operation, arguments).repeated
        except Exception as problem:
            self._observer.record_missed(problem)
        finally:
            _IN_FLIGHT.leave(self._call_id, self._original_id, self._observer)

    def _refuse_if_in_doubt(self) -> None:
        """End a call as skipped if it repeats one that is in doubt, and raise InDoubtOpen."""
        doubt: str = self._observer.record(self._actor, get_action, {"action_id": self.id}).repeats
        if doubt:
            self.skipped(f"refused before it was made: {doubt} of the same effect is in doubt")
            self.end()
            raise InDoubtOpen(
                f"The same call is in doubt as {doubt}: it may have happened.",
                hint="Look, then settle it: as ok, or as skipped if it did not happen. Until then it is refused.",
                next_call=settle_call(doubt),
            )

    def reopen(self) -> None:
        """Expect another end: the recorded one was that the call continues in the background."""
        self._is_over, self._outcome, self.duration = False, "ok", None

    def suspend(self) -> None:
        """Leave the call open: it will be resumed, here or in another process."""
        self._is_over = True
        _IN_FLIGHT.leave(self._call_id, self._original_id, self._observer, suspended=True)
        if self.thread and self.id:
            try:
                self._call(record_action, suspension_note(self.id, self._suspension_key))
            except Exception as problem:
                self._observer.record_missed(problem)

    async def abegin(self) -> None:
        """`begin` in a thread."""
        try:
            await self._observer.in_thread(self.begin)
        except asyncio.CancelledError:
            if self.id:
                self.skipped("cancelled before it was called")
                self.end()
            raise

    async def aend(self, error: BaseException | None = None) -> None:
        """`end` in a thread; without one in a cancelled task, which cannot await any more."""
        if error is None or isinstance(error, Exception):
            await self._observer.in_thread(partial(self.end, error))
        else:
            self.end(error)

    async def asuspend(self) -> None:
        """`suspend` in a thread."""
        await self._observer.in_thread(self.suspend)

    def __enter__(self) -> ObservedCall:
        self.begin()
        self._token = current_agent.set(self._actor.name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reset_agent()
        self.end(error)

    async def __aenter__(self) -> ObservedCall:
        await self.abegin()
        self._token = current_agent.set(self._actor.name)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reset_agent()
        await self.aend(error)

    def _reset_agent(self) -> None:
        if self._token is not None:
            with suppress(ValueError):  # a scope may be left in another context than it was entered in
                current_agent.reset(self._token)
            self._token = None

    def _begin(self) -> ActionReceipt:
        if self._call_id and not self._is_entered:
            self._is_entered = True
            self._call_id = _IN_FLIGHT.enter(self._original_id, self._observer, self._features)
            if not self._call_id:
                self._assign_new_id()
        receipt = self._record_begin()
        if receipt.repeated and not self._is_same_call(receipt):
            _IN_FLIGHT.leave(self._call_id, self._original_id, self._observer)
            self._assign_new_id()
            receipt = self._record_begin()
        self.on_begun(receipt)
        if not current_execution():
            self._observer.executions.add(receipt.execution_id)
        return receipt

    def _record_begin(self) -> ActionReceipt:
        request = self.begin_request()
        arguments = {**request.arguments, "call_id": self._call_id or None}
        try:
            return self._call(request.operation, arguments)
        except UnknownHandle:  # the execution of this context is in another journal
            return self._call(request.operation, {**arguments, "execution_id": None})

    def _is_same_call(self, known: ActionReceipt) -> bool:
        """Whether an action that has this id already is this call, seen by another observer too."""
        is_shared = self._observer.shares_ids or _IN_FLIGHT.is_shared(self._call_id, self._observer)
        return self.has_unique_id or (known.state == "open" and is_shared)

    def _assign_new_id(self) -> None:
        """Give the call a new id, because another call has its id: a retry, or a model that counts from the start.

        If it is a call that another process suspended, it gets that call's id.
        """
        suspended = self._observer.find_suspended(self._actor, self._suspension_key) if self.thread else ""
        self.has_unique_id = bool(suspended)
        self._call_id = suspended or bounded_call_id(f"{self._original_id}/{uuid4().hex[:8]}")
        _IN_FLIGHT.assign_id(self._call_id, self._original_id, self._observer, self._features)

    @property
    def _suspension_key(self) -> str:
        return suspension_key(self.thread, self._features.run, self._original_id)

    if TYPE_CHECKING:
        _call: Callable[[Operation[..., Any], dict[str, Any]], ActionReceipt]


def bounded_call_id(id: str) -> str:
    """The framework's id of a call; its digest if it is too long or not printable."""
    if len(id) <= NAME_CHARACTERS and id.isprintable():
        return id
    return blake2b(id.encode(errors="replace"), digest_size=16).hexdigest()


# ----------------------------------------------------------------------------------------------------------------------
# Suspended calls: they wait for a person's answer, and may be resumed by another process. The journal is what both
# processes share, so a note in it says that a call waits, under a key that both can compute.


def suspension_key(thread: str, run: str, call_id: str) -> str:
    """The key of a suspended call in a thread of a graph. `run` is its task there, which is the same when resumed."""
    named = "\n".join((thread, run, call_id)).encode(errors="replace")
    return f"waits:{blake2b(named, digest_size=16).hexdigest()}"


def suspension_note(action_id: str, key: str) -> dict[str, Any]:
    """The arguments that record a suspension. They are the same however often it is recorded."""
    return {"phase": "note", "action_id": action_id, "summary": SUSPENSION_SUMMARY, "key": key}


def find_suspended(view: View, key: str) -> str:
    """The call id of a suspended call in the journal; empty if there is none, or its end is recorded."""
    known = view.get(IdempotencyKey, key)
    noted = view.entry(known.seq) if known else None
    action = view.get(Action, noted.id) if noted else None
    return action.call if action and action.state in UNSETTLED else ""
