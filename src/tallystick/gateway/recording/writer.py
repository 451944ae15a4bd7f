"""Writes the gateway's records: all of one turn in one commit, and without blocking on a journal that is locked."""

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
from tallystick.gateway.io.loop import Future, Loop, Timer, describe_unexpected
from tallystick.operations.attribution.conversations import ClientConversation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.session_lifecycle import session_of_key
from tallystick.protocol.meta import clean_name, conversation_in_meta, trace_in_meta
from tallystick.sdk.local import Local, call_together_for
from tallystick.store.interface import Outcome, WouldWait

LOCK_WAIT_SECONDS = 6.0
"""How long a record waits for a locked journal. A little longer than the store waits for programs that do not know its
lock; for a program that does, the store would wait as long as that program lives."""
REPEATED_LOCK_WAIT_SECONDS = 0.25
"""The same after a wait that failed, while the journal is still locked."""
UNAVAILABLE_SECONDS = 1.0
"""How long after a failed wait the journal counts as unavailable, without another wait."""
MAX_COMMIT_RECORDS = 64
"""As many records as the store commits together."""
MAX_CONVERSATIONS = 1000
"""How many conversations of other clients one process remembers."""
SLOW_FAILURE_SECONDS = 0.1
"""A write that fails after this time has waited for a lock. A faster failure, such as a full disk, is tried again each
time."""


QueuedRecord = tuple[Local, str, dict[str, Any], Future[Any]]
"""Who records, which operation, with which arguments, and what gets the receipt."""


def _locked() -> StorageUnavailable:
    return StorageUnavailable(
        "Another process holds the lock of the journal.", hint="See which process writes there, and end it if it hangs."
    )


def _would_wait(outcome: Outcome) -> bool:
    return isinstance(outcome[1], WouldWait)


class JournalAvailability:
    """Whether the journal can be written now; waits for it in a thread while another program holds it.

    Commits run in the loop's thread, because handing each one to a thread would cost more than the rest of a call. So a
    commit does not wait there: if somebody else writes, a thread takes a turn among the store's writers. After that
    turn the journal is busy but not locked, and the waiting records are written. What writes outside of a commit asks
    first whether it could begin at once.
    """

    def __init__(self, loop: Loop, context: OperationContext) -> None:
        self._loop = loop
        self._context = context
        self._callbacks: list[Callable[[], None]] = []
        self._thread_waits = False
        self._is_clear = False
        self._last_wait_failed = False
        self._timer: Timer | None = None
        self._failure: tuple[float, StorageUnavailable] | None = None
        self._is_ending = False

    @property
    def failure(self) -> StorageUnavailable | None:
        """Why the last wait failed, if that was a moment ago and the journal is still locked."""
        if self._failure is None or monotonic() - self._failure[0] >= UNAVAILABLE_SECONDS or self.is_free:
            self._failure = None
            return None
        return self._failure[1]

    @property
    def is_waiting(self) -> bool:
        """Whether the thread still waits: a write in the loop's thread would queue behind it."""
        return self._thread_waits

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is known that a commit would have to wait for."""
        return not (self._thread_waits or self._is_clear or self._is_ending or self._failure)

    @property
    def is_free(self) -> bool:
        """Whether a commit could begin now, without waiting for another program."""
        return not self._thread_waits and self._context.store.is_free()

    async def wait(self) -> None:
        """Wait until the journal can be written, or is known to be unavailable."""
        while True:
            known: Future[None] = Future()
            if self.is_known(lambda: known.resolve(None)):  # noqa: B023
                return
            await known

    def is_known(self, on_known: Callable[[], None] | None = None) -> bool:
        """Whether the journal can be written, or is known to be unavailable. If neither, `on_known` is called later."""
        if self._is_ending or self._is_clear or self.failure:
            return True
        if self.is_free:
            self._is_clear = True
            return True
        if on_known is not None:
            self._callbacks.append(on_known)
        self.wait_in_thread()
        return False

    def wait_in_thread(self) -> None:
        """Wait for somebody else who writes, unless a thread waits already."""
        if self._timer is None:
            seconds = REPEATED_LOCK_WAIT_SECONDS if self._last_wait_failed else LOCK_WAIT_SECONDS
            self._timer = self._loop.later(seconds, self._give_up)
        if not self._thread_waits:
            self._thread_waits = True
            Thread(target=self._take_turn, name="tallystick-journal-wait", daemon=True).start()

    def on_turn_end(self) -> None:
        """All records of this turn are written: the next turn checks the lock again."""
        self._is_clear = False

    def set_failure(self, error: StorageUnavailable) -> None:
        self._failure = monotonic(), error

    def set_locked(self) -> None:
        self.set_failure(_locked())

    def end(self) -> None:
        """The gateway ends: the remaining records are written without waiting in a thread."""
        self._is_ending = True

    def _take_turn(self) -> None:
        """In the thread: queue as a writer, and write nothing."""
        error: Exception | None = None
        try:
            self._context.store.write(self._context.journal, lambda ledger: None)
        except Exception as problem:
            error = problem
        self._loop.post(lambda: self._on_turn_taken(error))

    def _on_turn_taken(self, error: Exception | None) -> None:
        self._thread_waits = self._last_wait_failed = False
        self._is_clear = error is None
        if isinstance(error, StorageUnavailable):
            self.set_failure(error)
        self._call_back()

    def _give_up(self) -> None:
        self._last_wait_failed = True
        self.set_locked()
        self._call_back()

    def _call_back(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()


class JournalWriter:
    """Records what the gateway observed."""

    def __init__(self, loop: Loop, caller: Local, env: Mapping[str, str]) -> None:
        self._caller = caller
        self.availability = JournalAvailability(loop, caller.context)
        self._at_start = ClientConversation(env)
        self._first_conversation = ""
        self._token = os.urandom(8).hex()
        self._sessions: dict[str, str] = {}
        self._queue: list[QueuedRecord] = []
        self._last_local: Local | None = None

    @property
    def context(self) -> OperationContext:
        return self._caller.context

    def local(self, meta: Mapping[str, Any], client: str, client_key: str = "") -> Local:
        """Return the way to the operations for one call: as the gateway, in the conversation of the call.

        A client with a `client_key` shares the gateway with others, and has a session of its own. Its first record
        opens that session under a key of ours, whether it is written at once or spooled.
        """
        name, thread = clean_name(client), conversation_in_meta(meta)
        conversation = f"thread:{thread}" if thread else ""
        other = f"{client_key} {name} {conversation}" if client_key else ""
        if not client_key:
            conversation = self._at_start.current(self._caller.context, name) or conversation
            self._first_conversation = self._first_conversation or conversation
            other = conversation if conversation != self._first_conversation else ""
        session, session_key = self._session_of(other) if other else ("", "")
        principal = Principal(
            actor=Actor(kind="gateway", name=name or "client"),
            witness="observed",
            session=session,
            session_key=session_key,
            conversation=conversation if other else self._first_conversation,
            client=name,
            trace=trace_in_meta(meta),
        )
        if self._last_local is None or self._last_local.context.principal != principal:  # most calls have the same one
            self._last_local = Local(self._caller.context.for_principal(principal))
        return self._last_local

    def record(self, local: Local, operation: str, arguments: dict[str, Any]) -> Future[Any]:
        """Add a record to this turn's commit. The future gives its receipt, or raises its error."""
        recorded: Future[Any] = Future()
        self._queue.append((local, operation, arguments, recorded))
        return recorded

    def commit(self) -> bool:
        """Commit the queue, unless the journal is locked. Returns whether there was anything to commit."""
        if not self._queue:
            self.availability.on_turn_end()
            return False
        waits = not self.availability.is_quiet
        if waits and not self.availability.is_known():
            return False
        group, self._queue = self._queue[:MAX_COMMIT_RECORDS], self._queue[MAX_COMMIT_RECORDS:]
        since = monotonic()
        outcomes = self._commit_together(group, waits=waits)
        made = [(each, *outcome) for each, outcome in zip(group, outcomes, strict=True) if not _would_wait(outcome)]
        if len(made) < len(group):
            left = [each for each, outcome in zip(group, outcomes, strict=True) if _would_wait(outcome)]
            self._queue = left + self._queue
            self.availability.wait_in_thread()
        for (_, _, _, recorded), receipt, problem in made:
            if isinstance(problem, StorageUnavailable):
                self.on_failure(problem, since)
            try:
                recorded.resolve(receipt) if problem is None else recorded.fail(problem)
            except Exception as error:  # the other records of this turn are still delivered
                LOG.log(describe_unexpected(error))
        return bool(made)

    def _commit_together(self, group: list[QueuedRecord], *, waits: bool) -> list[Outcome]:
        try:
            if waits and (failure := self.failure):
                raise failure
            calls = [(local, operations.CATALOGUE[name], arguments) for local, name, arguments, _ in group]
            return call_together_for(calls, waits=waits)
        except Exception as error:  # the commit failed as a whole: every record of it gets the error
            return [(None, error)] * len(group)

    @property
    def failure(self) -> StorageUnavailable | None:
        """Why the journal counts as unavailable now, if it does."""
        return self.availability.failure

    def on_failure(self, error: StorageUnavailable, since: float) -> None:
        if monotonic() - since > SLOW_FAILURE_SECONDS:
            self.availability.set_failure(error)

    def finish(self) -> None:
        """Commit the rest of the queue, but do not wait for a program that holds the journal.

        A client that ends us does not wait so long, and what cannot be written has to be spooled before.
        """
        if self._queue and not self.availability.is_free:
            self.availability.set_locked()
        self.availability.end()
        while self.commit():
            pass

    def call(self, local: Local, operation: str, arguments: dict[str, Any]) -> Any:
        """Call an operation at once, outside this turn's commit."""
        return local.call(operations.CATALOGUE[operation], arguments)

    def _session_of(self, other: str) -> tuple[str, str]:
        """The session of another conversation in this process, if it is open already, and its key."""
        key = f"gateway:{blake2b(f'{self._token} {other}'.encode(), digest_size=16).hexdigest()}"
        if other not in self._sessions:
            if len(self._sessions) >= MAX_CONVERSATIONS:
                self._sessions.clear()
            with suppress(StorageUnavailable):  # without the session, its key is enough
                if session := self._caller.context.read(lambda view: session_of_key(view, key)):
                    self._sessions[other] = session
        return self._sessions.get(other, ""), key
