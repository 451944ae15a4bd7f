"""The gateway's hand in the journal: who it writes for, and that what came in one turn is one commit."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from threading import Thread
from time import monotonic
from typing import Any

from tallystick import operations
from tallystick.core.errors import StorageUnavailable
from tallystick.core.types import Actor
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop, Timer, trouble
from tallystick.operations.runtime.attribution import ClientConversation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.session_lifecycle import session_of_key
from tallystick.protocol.meta import clean_name, conversation_in_meta, trace_in_meta
from tallystick.sdk.local import Local, call_together_for

# ----------------------------------------------------------------------------------------------------------------------
# Waiting for a journal that another program holds: in a thread beside the loop, so that nobody else is held up.
#
# Commits are made in the loop, since handing each of them to a thread would cost more than the rest of a call. Whoever
# is about to write asks first whether that can begin at once. Where it cannot, a thread waits for its turn among the
# writers; when it has had that, the journal is not held but busy, and what waited writes as anybody does.

LONGEST = 6.0
"""Seconds after which a wait is in vain: a little more than the store waits for programs that do not know its lock. One
of ours, which does, it would wait for as long as that lives."""
STILL = 0.25
"""The same where that was in vain, and goes on."""
FAILING_SECONDS = 1.0
"""For so long after the journal was waited for in vain, what can do without it does."""

HELD = "Another process holds the journal, and has not let go of it."

Then = Callable[[], None]


class JournalAvailability:
    """Whether the journal can be written, and who waits until it can."""

    def __init__(self, loop: Loop, context: OperationContext) -> None:
        self._loop = loop
        self._context = context
        self._then: list[Then] = []
        self._away = False
        self._is_clear = False
        self._in_vain = False
        self._timer: Timer | None = None
        self._failed: tuple[float, StorageUnavailable] | None = None
        self._ending = False

    @property
    def failing(self) -> StorageUnavailable | None:
        """Why the journal was waited for in vain a moment ago, if it still cannot be written."""
        if self._failed is None or monotonic() - self._failed[0] >= FAILING_SECONDS or self.is_free:
            self._failed = None
            return None
        return self._failed[1]

    @property
    def held(self) -> bool:
        """Whether somebody still waits: who writes now stands in line behind that."""
        return self._away

    def ready(self, then: Then | None = None) -> bool:
        """Whether the journal can be written now, or it is known that it cannot. Else `then` is done when either is."""
        if self._ending or self._is_clear or self.failing:
            return True
        if self.is_free:
            self._is_clear = True
            return True
        if then is not None:
            self._then.append(then)
        if self._timer is None:
            self._timer = self._loop.later(STILL if self._in_vain else LONGEST, self._give_up)
        if not self._away:
            self._away = True
            Thread(target=self._wait, name="tallystick-patience", daemon=True).start()
        return False

    def turn_ends(self) -> None:
        """All that came in this turn is written: it is looked at anew in the next."""
        self._is_clear = False

    def failed(self, why: StorageUnavailable) -> None:
        self._failed = monotonic(), why

    def end(self) -> None:
        """The gateway ends: what is left to write is waited for here."""
        self._ending = True

    @property
    def is_free(self) -> bool:
        """Whether the journal could be written now, without a wait for somebody else."""
        return not self._away and self._context.store.is_free()

    def _wait(self) -> None:
        """In a thread of its own: take a turn, and write nothing."""
        problem: Exception | None = None
        try:
            self._context.store.write(self._context.journal, lambda ledger: None)
        except Exception as error:
            problem = error
        self._loop.post(lambda: self._waited(problem))

    def _waited(self, problem: Exception | None) -> None:
        self._away = self._in_vain = False
        self._is_clear = problem is None
        if isinstance(problem, StorageUnavailable):
            self.failed(problem)
        self._go_on()

    def _give_up(self) -> None:
        self._in_vain = True
        self.failed(StorageUnavailable(HELD, hint="See what writes there, and end it if it hangs."))
        self._go_on()

    def _go_on(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        then, self._then = self._then, []
        for each in then:
            each()


# ----------------------------------------------------------------------------------------------------------------------

AT_ONCE = 64
"""As many as the store commits together."""
OTHERS = 1000
"""How many conversations one process is remembered to serve."""
WAITED_SECONDS = 0.1
"""From when on a try that failed has waited; a full disk says so at once, and may be tried each time."""

Done = Callable[[Any, BaseException | None], None]


class JournalWriter:
    """Writes down what the gateway saw."""

    def __init__(self, loop: Loop, caller: Local, env: Mapping[str, str]) -> None:
        self._caller = caller
        self.patience = JournalAvailability(loop, caller.context)
        self._at_start = ClientConversation(env)
        self._first = ""
        self._token = os.urandom(8).hex()
        self._others: dict[str, str] = {}
        self._waiting: list[tuple[Local, str, dict[str, Any], Done]] = []
        self._last: Local | None = None

    @property
    def context(self) -> Any:
        return self._caller.context

    def local(self, meta: Mapping[str, Any], client: str, apart: str = "") -> Local:
        """The way to the operations for one call: as the gateway, in the conversation that the call belongs to.

        `apart` names a client where several share the gateway: it is in a session of its own. That is opened under a
        key of ours with its first record, whether that is made here or was spooled.
        """
        name, told = clean_name(client), conversation_in_meta(meta)
        conversation = f"thread:{told}" if told else ""
        other = f"{apart} {name} {conversation}" if apart else ""
        if not apart:
            conversation = self._at_start.current(self._caller.context, name) or conversation
            self._first = self._first or conversation
            other = conversation if conversation != self._first else ""
        session, key = self._of_other(other) if other else ("", "")
        principal = Principal(
            actor=Actor(kind="gateway", name=name or "client"),
            witness="observed",
            session=session,
            session_key=key,
            conversation=conversation if other else self._first,
            client=name,
            trace=trace_in_meta(meta),
        )
        if self._last is None or self._last.context.principal != principal:
            self._last = Local(self._caller.context.for_principal(principal))  # mostly it is the same one
        return self._last

    def put(self, local: Local, operation: str, arguments: dict[str, Any], done: Done) -> None:
        """Record something with the others of this turn; `done` is told what came of it."""
        self._waiting.append((local, operation, arguments, done))

    def write(self) -> bool:
        """Commit what waits, unless the journal has to be waited for. Whether there was anything."""
        if not self._waiting:
            self.patience.turn_ends()
            return False
        if not self.patience.ready():
            return False
        group, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        since = monotonic()
        failing = self.failing
        try:
            if failing:
                raise failing
            outcomes = call_together_for([(local, operations.CATALOGUE[name], said) for local, name, said, _ in group])
        except Exception as error:  # of the store as a whole: nobody may be left waiting
            outcomes = [(None, error)] * len(group)
        for (_, _, _, done), (result, problem) in zip(group, outcomes, strict=True):
            if isinstance(problem, StorageUnavailable):
                self.failed(problem, since)
            try:
                done(result, problem)
            except Exception as error:  # the others of this turn are told all the same
                LOG.say(trouble(error))
        return True

    @property
    def failing(self) -> StorageUnavailable | None:
        """Why the journal was waited for in vain a moment ago, if so."""
        return self.patience.failing

    def failed(self, why: StorageUnavailable, since: float) -> None:
        if monotonic() - since > WAITED_SECONDS:
            self.patience.failed(why)

    def finish(self) -> None:
        """Write what is left, and wait for that; but not for another program that holds the journal: whoever ends us
        does not wait so long, and what is left is to be spooled before that."""
        if self._waiting and not self.patience.is_free:
            self.patience.failed(StorageUnavailable(HELD, hint="See what writes there, and end it if it hangs."))
        self.patience.end()
        while self.write():
            pass

    def call(self, local: Local, operation: str, arguments: dict[str, Any]) -> Any:
        """Ask for something at once."""
        return local.call(operations.CATALOGUE[operation], arguments)

    def _of_other(self, other: str) -> tuple[str, str]:
        """The session of another conversation through this process, if it is open by now, and its key."""
        key = f"gateway:{blake2b(f'{self._token} {other}'.encode(), digest_size=16).hexdigest()}"
        if other not in self._others:
            if len(self._others) >= OTHERS:
                self._others.clear()
            with suppress(StorageUnavailable):  # then its key will do
                if found := self._caller.context.read(lambda view: session_of_key(view, key)):
                    self._others[other] = found
        return self._others.get(other, ""), key
