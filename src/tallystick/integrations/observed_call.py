"""One call that a framework shows: which action it is, and what came of it."""

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

from tallystick.core.errors import UnknownHandle
from tallystick.core.redaction.jsonable import to_line
from tallystick.core.state import Action, IdempotencyKey
from tallystick.integrations.in_flight import Sight, UnderWay
from tallystick.operations.actions import record_action
from tallystick.operations.runtime.session_lifecycle import UNSETTLED
from tallystick.sdk.scopes import ActionScope

if TYPE_CHECKING:
    from tallystick.core.types import Actor
    from tallystick.integrations.observer import Observer
    from tallystick.operations import Operation
    from tallystick.operations.runtime.receipts import ActionReceipt
    from tallystick.store.interface import View


# ----------------------------------------------------------------------------------------------------------------------
# Calls that were put off until a person has answered: another process may take them up, on another day.
#
# The journal is what the two have in common. So it is noted there that a call waits, under a key that both can make.

SAID = "It asked a person, and goes on with the answer."


def key_of(thread: str, run: str, call_id: str) -> str:
    """The key of a call that waits in a thread of a graph; its task there is the same when it is taken up."""
    named = "\n".join((thread, run, call_id)).encode(errors="replace")
    return f"waits:{blake2b(named, digest_size=16).hexdigest()}"


def note(action_id: str, key: str) -> dict[str, Any]:
    """What is recorded of a call that waits; the same however often it asks."""
    return {"phase": "note", "action_id": action_id, "summary": SAID, "key": key}


def waits(view: View, key: str) -> str:
    """The id by which a call that waits is known in the journal; empty when none does, or its end was told."""
    known = view.get(IdempotencyKey, key)
    noted = view.entry(known.seq) if known else None
    action = view.get(Action, noted.id) if noted else None
    return action.call if action and action.state in UNSETTLED else ""


# ----------------------------------------------------------------------------------------------------------------------

NAME = 200
"""How long a name in the journal may be."""
within: ContextVar[str] = ContextVar("tallystick_within", default="")
"""The agent whose call is being carried out here: another agent that acts meanwhile is a sub-agent."""


_UNDER_WAY = UnderWay()
os.register_at_fork(after_in_child=lambda: _UNDER_WAY.begin_anew())


class SeenCall(ActionScope):
    """One call, from before it is made until something has come of it."""

    def __init__(
        self, observer: Observer, actor: Actor, arguments: dict[str, Any], call_id: str, run: str = ""
    ) -> None:
        super().__init__(partial(observer.record, actor), arguments)
        self._observer = observer
        self._actor = actor
        self._call_id = call_id
        self._came_as = call_id
        self._sight = Sight(arguments.get("tool", ""), arguments.get("arguments", {}), run)
        self._started = monotonic()
        self._entered = False
        self._over = False
        self._token: Token[str] | None = None
        self.duration: float | None = None
        self.without_effect = False
        self.known_by_id = False
        self.told_by_another = False
        """Whether somebody else had told its end already."""
        self.thread = ""
        """What the framework goes on with, maybe in another process, if the call is put off."""

    def begin(self) -> None:
        """Record that it is about to be made. Raises only when it is strict: then it must not be made."""
        try:
            self._begin()
        except Exception as problem:
            self._observer.missed(problem)
            if self._observer.strict:
                self._over = True
                _UNDER_WAY.left(self._call_id, self._came_as, self._observer)
                raise
        self._started = monotonic()

    def end(self, error: BaseException | None = None) -> None:
        """Record what came of it; the first word counts."""
        if self._over:
            return
        self._over = True
        if self.duration is None:
            self.duration = monotonic() - self._started
        try:
            if not self.id:
                self._begin()
            ask = self.ends(error)
            assert ask is not None
            said = {**ask.arguments, "duration": self.duration, "without_effect": self.without_effect}
            said |= {name: to_line(said[name]) for name in ("error", "summary") if name in said}
            if self._call_id:  # by which an end that another one has told as well is known to be the same
                said |= {"action_id": None, "call_id": self._call_id}
            self.told_by_another = self._call(ask.operation, said).repeated
        except Exception as problem:
            self._observer.missed(problem)
        finally:
            _UNDER_WAY.left(self._call_id, self._came_as, self._observer)

    def goes_on(self) -> None:
        """Its end was that it goes on in the background: another one is to be told."""
        self._over, self._outcome, self.duration = False, "ok", None

    def stays_open(self) -> None:
        """It was put off and will be taken up again, here or in another process: nothing has come of it yet."""
        self._over = True
        _UNDER_WAY.left(self._call_id, self._came_as, self._observer, put_off=True)
        if self.thread and self.id:
            try:
                self._call(record_action, note(self.id, self._waits_as))
            except Exception as problem:
                self._observer.missed(problem)

    async def abegin(self) -> None:
        """The same, for one that awaits."""
        try:
            await self._observer.in_thread(self.begin)
        except asyncio.CancelledError:
            if self.id:
                self.skipped("cancelled before it was called")
                self.end()
            raise

    async def aend(self, error: BaseException | None = None) -> None:
        """The same, for one that awaits. Who was cancelled may await nothing more, and waits."""
        if error is None or isinstance(error, Exception):
            await self._observer.in_thread(partial(self.end, error))
        else:
            self.end(error)

    async def astays_open(self) -> None:
        """The same, for one that awaits."""
        await self._observer.in_thread(self.stays_open)

    def __enter__(self) -> SeenCall:
        self.begin()
        self._token = within.set(self._actor.name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        self.end(error)

    async def __aenter__(self) -> SeenCall:
        await self.abegin()
        self._token = within.set(self._actor.name)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        await self.aend(error)

    def _leave(self) -> None:
        if self._token is not None:
            with suppress(ValueError):  # a scope that is left in another context leaves nothing there
                within.reset(self._token)
            self._token = None

    def _begin(self) -> None:
        if self._call_id and not self._entered:
            self._entered = True
            self._call_id = _UNDER_WAY.enters(self._came_as, self._observer, self._sight)
            if not self._call_id:
                self._gets_another_id()
        receipt = self._is_begun()
        if receipt.repeated and not self._is_same(receipt):
            _UNDER_WAY.left(self._call_id, self._came_as, self._observer)
            self._gets_another_id()
            receipt = self._is_begun()
        self.began(receipt)

    def _is_begun(self) -> ActionReceipt:
        ask = self.begins()
        said = {**ask.arguments, "call_id": self._call_id or None}
        try:
            return self._call(ask.operation, said)
        except UnknownHandle:  # the execution of this context is in another journal
            return self._call(ask.operation, {**said, "execution_id": None})

    def _is_same(self, known: ActionReceipt) -> bool:
        """Whether an action that has this id already is this call, seen by somebody else too."""
        known_here = self._observer.shares_ids or _UNDER_WAY.is_known(self._call_id, self._observer)
        return self.known_by_id or (known.state == "open" and known_here)

    @property
    def _waits_as(self) -> str:
        return key_of(self.thread, self._sight.run, self._came_as)

    def _gets_another_id(self) -> None:
        """The same id for another call: one that is tried again, or a model that counts its calls from the start. Or
        it is the same call, which another process has put off."""
        waits = self._observer.waits(self._actor, self._waits_as) if self.thread else ""
        self.known_by_id = bool(waits)
        self._call_id = waits or call_id_of(f"{self._came_as}/{uuid4().hex[:8]}")
        _UNDER_WAY.gets(self._call_id, self._came_as, self._observer, self._sight)

    if TYPE_CHECKING:
        _call: Callable[[Operation[..., Any], dict[str, Any]], ActionReceipt]


def call_id_of(id: str) -> str:
    """The framework's own id of a call; one that is too long to keep is named by its digest."""
    return (
        id if len(id) <= NAME and id.isprintable() else blake2b(id.encode(errors="replace"), digest_size=16).hexdigest()
    )
