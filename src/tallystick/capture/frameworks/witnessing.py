"""What every adapter does with a call that its framework shows it: begun before, ended after, never in the way.

An error of the journal stays out of the user's program, unless it asked to be strict: then a call that cannot be
recorded is not made. What came of a call is told afterwards in any case, even if its beginning could not be.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import ContextVar, Token, copy_context
from functools import cached_property, partial
from hashlib import blake2b
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from uuid import uuid4

from msgspec.structs import replace

from tallystick.calls import Local
from tallystick.core.effects import CallRules, effect_of
from tallystick.core.errors import UnknownHandle, Unsupported
from tallystick.core.model import Actor, Effect
from tallystick.recording import ActionScope, as_json, as_text, described

if TYPE_CHECKING:
    from tallystick.journal import AsyncJournal, Journal
    from tallystick.operations import Operation
    from tallystick.operations.receipts import ActionReceipt

NAME = 200
"""How long a name in the journal may be."""
ACTORS = 1000
"""How many agents an observer remembers its way to the journal for; a forgotten one is made anew."""
THREADS = 8
"""How many records of an event loop wait for the disk at once. They share commits, so more would gain nothing."""
_log = logging.getLogger("tallystick.capture")
_within: ContextVar[str] = ContextVar("tallystick_within", default="")
"""The agent whose call is being carried out here: another agent that acts meanwhile is a sub-agent."""


class Options(TypedDict, total=False):
    """What every adapter takes beside the journal.

    `agent` is who acts, where the framework has no name for it. `strict`: a call that cannot be recorded is not made.
    `effects` says what calls do, by patterns over the names of tools: `{"search*": "read"}`, the first that fits.
    """

    agent: str
    strict: bool
    effects: Mapping[str, Effect]


class Observer:
    """One framework in this process, as the journal knows it."""

    def __init__(
        self,
        journal: Journal | AsyncJournal,
        framework: str,
        **options: Unpack[Options],
    ) -> None:
        self.strict = options.get("strict", False)
        self.agent = options.get("agent") or framework
        self._journal = journal
        self._framework = framework
        self._told = CallRules(effects=dict(options.get("effects") or {}))
        self._locals: dict[Actor, Local] = {}
        self._missed = 0
        self._lock = Lock()

    def call(
        self,
        tool: str,
        arguments: Any,
        *,
        call_id: str = "",
        agent: str = "",
        sub_agent: bool = False,
        effect: Effect | None = None,
    ) -> SeenCall:
        """A call that is about to be made. Use it as a scope, or begin and end it. `effect`: unless told."""
        name, above, given = agent or self.agent, _within.get(), _as_arguments(arguments)
        actor = Actor(kind="sub-agent" if sub_agent or above not in ("", name) else "agent", name=_name(name))
        said = {"tool": _name(tool), "arguments": given, "effect": effect_of(tool, given, self._told) or effect}
        return SeenCall(self, actor, {key: value for key, value in said.items() if value}, _call_id(call_id))

    def record(self, actor: Actor, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Record in the name of an agent, as one who saw it."""
        answer = self._local(actor).call(operation, arguments)
        if self._missed:
            with self._lock:
                missed, self._missed = self._missed, 0
            _log.warning("%s: the journal records again; %d records were missed.", self._framework, missed)
        return answer

    def missed(self, problem: Exception) -> None:
        """Something could not be recorded: said once, until the journal records again."""
        with self._lock:
            self._missed += 1
            first = self._missed == 1
        if first:
            _log.warning("%s: the journal cannot record: %s", self._framework, described(problem))

    async def in_thread(self, work: Callable[[], None]) -> None:
        """Wait for a record without holding the event loop up. What was handed over is done, even if this is cancelled.

        On another loop than asyncio's it is done at once: that takes as long as the disk does.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            work()
            return
        future = self._threads.submit(copy_context().run, work)
        try:
            await asyncio.shield(asyncio.wrap_future(future))
        except asyncio.CancelledError:
            wait([future])
            raise

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(THREADS, thread_name_prefix="tallystick-observer")

    def _local(self, actor: Actor) -> Local:
        found = self._locals.get(actor)
        if found is None:
            caller: Any = self._journal.caller
            if not isinstance(caller, Local):
                raise Unsupported("This journal is not in this process.", hint="Open one with Journal.open.")
            asker = replace(caller.desk.asker, actor=actor, witness="observed", client=self._framework)
            found = Local(caller.desk.for_asker(asker))
            if len(self._locals) >= ACTORS:
                self._locals.clear()
            self._locals[actor] = found
        return found


class SeenCall(ActionScope):
    """One call, from before it is made until something has come of it."""

    def __init__(self, observer: Observer, actor: Actor, arguments: dict[str, Any], call_id: str) -> None:
        super().__init__(partial(observer.record, actor), arguments)
        self._observer = observer
        self._actor = actor
        self._call_id = call_id
        self._started = monotonic()
        self._over = False
        self._token: Token[str] | None = None
        self.duration: float | None = None
        self.without_effect = False

    def begin(self) -> None:
        """Record that it is about to be made. Raises only when it is strict: then it must not be made."""
        try:
            self._begin()
        except Exception as problem:
            self._observer.missed(problem)
            if self._observer.strict:
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
            said |= {name: as_text(said[name]) for name in ("error", "summary") if name in said}
            if self._call_id:  # by which an end that another one has told as well is known to be the same
                said |= {"action_id": None, "call_id": self._call_id}
            self._call(ask.operation, said)
        except Exception as problem:
            self._observer.missed(problem)

    def stays_open(self) -> None:
        """It was put off and will be taken up again: nothing has come of it yet."""
        self._over = True

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

    def __enter__(self) -> SeenCall:
        self.begin()
        self._token = _within.set(self._actor.name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        self.end(error)

    async def __aenter__(self) -> SeenCall:
        await self.abegin()
        self._token = _within.set(self._actor.name)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        await self.aend(error)

    def _leave(self) -> None:
        if self._token is not None:
            _within.reset(self._token)
            self._token = None

    def _begin(self) -> None:
        ask = self.begins()
        said = {**ask.arguments, "call_id": self._call_id or None}
        try:
            receipt = self._call(ask.operation, said)
        except UnknownHandle:  # the execution of this context is in another journal
            said["execution_id"] = None
            receipt = self._call(ask.operation, said)
        if receipt.repeated and receipt.state != "open":
            # The same id for another call: one that is tried again, or a model that counts its calls from the start.
            self._call_id = said["call_id"] = _call_id(f"{self._call_id}/{uuid4().hex[:8]}")
            receipt = self._call(ask.operation, said)
        self.began(receipt)

    if TYPE_CHECKING:
        _call: Callable[[Operation[..., Any], dict[str, Any]], ActionReceipt]


def missing(extra: str, error: ImportError) -> ImportError:
    """What to say when the framework of an adapter is not installed."""
    return ImportError(f"{error}. This adapter needs its framework: pip install 'tallystick[{extra}]'")


def _as_arguments(arguments: Any) -> dict[str, Any]:
    kept = as_json(arguments)
    if isinstance(kept, dict):
        return kept
    return {} if kept in (None, "") else {"input": kept}


def _name(text: str) -> str:
    """A name as a journal takes it."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text)[:NAME]
    return plain or "?"


def _call_id(id: str) -> str:
    """The framework's own id of a call; one that is too long to keep is named by its digest."""
    return (
        id if len(id) <= NAME and id.isprintable() else blake2b(id.encode(errors="replace"), digest_size=16).hexdigest()
    )
