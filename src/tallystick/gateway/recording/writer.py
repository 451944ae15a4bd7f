"""The gateway's hand in the journal: who it writes for, and that what came in one turn is one commit."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from time import monotonic
from typing import Any

from tallystick import operations
from tallystick.calls import Local, together
from tallystick.core.errors import StorageUnavailable
from tallystick.core.model import Actor
from tallystick.gateway.log import LOG
from tallystick.gateway.loop import Loop, trouble
from tallystick.gateway.patience import HELD, Patience
from tallystick.operations.conversations import AtStart
from tallystick.operations.desk import Asker
from tallystick.operations.presence import session_of_key
from tallystick.protocol.meta import plain, thread_of, trace_of

AT_ONCE = 64
"""As many as the store commits together."""
OTHERS = 1000
"""How many conversations one process is remembered to serve."""
WAITED_SECONDS = 0.1
"""From when on a try that failed has waited; a full disk says so at once, and may be tried each time."""

Done = Callable[[Any, BaseException | None], None]


class Scribe:
    """Writes down what the gateway saw."""

    def __init__(self, loop: Loop, caller: Local, env: Mapping[str, str]) -> None:
        self._caller = caller
        self.patience = Patience(loop, caller.desk)
        self._at_start = AtStart(env)
        self._first = ""
        self._token = os.urandom(8).hex()
        self._others: dict[str, str] = {}
        self._waiting: list[tuple[Local, str, dict[str, Any], Done]] = []
        self._last: Local | None = None

    @property
    def desk(self) -> Any:
        return self._caller.desk

    def local(self, meta: Mapping[str, Any], client: str, apart: str = "") -> Local:
        """The way to the operations for one call: as the gateway, in the conversation that the call belongs to.

        `apart` names a client where several share the gateway: it is in a session of its own. That is opened under a
        key of ours with its first record, whether that is made here or was spooled.
        """
        name, told = plain(client), thread_of(meta)
        conversation = f"thread:{told}" if told else ""
        other = f"{apart} {name} {conversation}" if apart else ""
        if not apart:
            conversation = self._at_start.now(self._caller.desk, name) or conversation
            self._first = self._first or conversation
            other = conversation if conversation != self._first else ""
        session, key = self._of_other(other) if other else ("", "")
        asker = Asker(
            actor=Actor(kind="gateway", name=name or "client"),
            witness="observed",
            session=session,
            session_key=key,
            conversation=conversation if other else self._first,
            client=name,
            trace=trace_of(meta),
        )
        if self._last is None or self._last.desk.asker != asker:
            self._last = Local(self._caller.desk.for_asker(asker))  # mostly it is the same one
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
            outcomes = together([(local, operations.CATALOGUE[name], said) for local, name, said, _ in group])
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
                if found := self._caller.desk.read(lambda view: session_of_key(view, key)):
                    self._others[other] = found
        return self._others.get(other, ""), key
