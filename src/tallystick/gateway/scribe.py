"""The gateway's hand in the journal: who it writes for, and that what came in one turn is one commit."""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from tallystick import operations
from tallystick.calls import Local, together
from tallystick.core.errors import StorageUnavailable, TallystickError
from tallystick.core.model import Actor
from tallystick.gateway.loop import trouble
from tallystick.operations.desk import Asker
from tallystick.protocol.meta import conversation_of, plain, thread_of, trace_of

AT_ONCE = 64
"""As many as the store commits together."""
OTHERS = 1000
"""How many conversations one process is remembered to serve."""
OWED_ENDS = 10_000
FAILING_SECONDS = 1.0
"""For so long after the journal was waited for in vain, what can do without it does: while one waits for a lock,
nobody else is answered."""
WAITED_SECONDS = 0.1
"""From when on a try that failed has waited; a full disk says so at once, and may be tried each time."""

Done = Callable[[Any, BaseException | None], None]


class Scribe:
    """Writes down what the gateway saw."""

    def __init__(self, caller: Local, env: Mapping[str, str]) -> None:
        self._caller = caller
        self._conversation = conversation_of(env)
        self._fixed = bool(self._conversation)
        self._others: dict[str, str] = {}
        self._waiting: list[tuple[Local, str, dict[str, Any], Done]] = []
        self._unwritten: list[tuple[Local, dict[str, Any]]] = []
        self._last: Local | None = None
        self._failed: tuple[float, StorageUnavailable] | None = None

    @property
    def desk(self) -> Any:
        return self._caller.desk

    def local(self, meta: Mapping[str, Any], client: str, apart: str = "") -> Local:
        """The way to the operations for one call: as the gateway, in the conversation that the call belongs to.

        `apart` names a client where several share the gateway: it is in a session of its own.
        """
        name, told = plain(client), thread_of(meta)
        thread = f"thread:{told}" if told else ""
        session = ""
        if apart:
            session = self._other(f"{apart} {name} {thread}", thread, name)
        else:
            self._conversation = self._conversation or thread
            if thread and thread != self._conversation and not self._fixed:
                session = self._other(thread, thread, name)
        asker = Asker(
            actor=Actor(kind="gateway", name=name or "client"),
            witness="observed",
            session=session,
            conversation=thread if session else self._conversation,
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
        """Commit what waits. Whether there was anything."""
        if not self._waiting:
            return False
        group, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        since = monotonic()
        try:
            outcomes = together([(local, operations.CATALOGUE[name], said) for local, name, said, _ in group])
        except Exception as error:  # of the store as a whole: nobody may be left waiting
            outcomes = [(None, error)] * len(group)
        for (_, _, _, done), (result, problem) in zip(group, outcomes, strict=True):
            if isinstance(problem, StorageUnavailable):
                self.failed(problem, since)
            try:
                done(result, problem)
            except Exception as error:  # the others of this turn are told all the same
                print(f"tallystick gateway: {trouble(error)}", file=sys.stderr, flush=True)
        return True

    @property
    def failing(self) -> StorageUnavailable | None:
        """Why the journal was waited for in vain a moment ago, if so."""
        recent = self._failed is not None and monotonic() - self._failed[0] < FAILING_SECONDS
        return self._failed[1] if self._failed and recent else None

    def failed(self, why: StorageUnavailable, since: float) -> None:
        if monotonic() - since > WAITED_SECONDS:
            self._failed = monotonic(), why

    def call(self, local: Local, operation: str, arguments: dict[str, Any]) -> Any:
        """Ask for something at once."""
        return local.call(operations.CATALOGUE[operation], arguments)

    def owe(self, local: Local, end: dict[str, Any]) -> None:
        """Keep an outcome that could not be written; until it is, the action stays open, and so in doubt."""
        if len(self._unwritten) < OWED_ENDS:
            self._unwritten.append((local, end))

    def catch_up(self) -> bool:
        """Try again what could not be written. Whether nothing is left."""
        while self._unwritten:
            try:
                self.call(self._unwritten[0][0], "record_action", self._unwritten[0][1])
            except TallystickError as error:
                if error.code == "storage_unavailable":
                    return False
            except Exception:
                return False
            self._unwritten.pop(0)
        return True

    def _other(self, other: str, conversation: str, client: str) -> str:
        """The session of another conversation through this process; it ends with the process too."""
        if other not in self._others and not self.failing:
            if len(self._others) >= OTHERS:
                self._others.clear()
            opening = {"kind": "client", "process": os.getpid(), "client": client, "name": conversation}
            with suppress(TallystickError):  # then it is recorded in the process's own
                self._others[other] = self.call(self._caller, "open_session", opening).id
        return self._others.get(other, "")
