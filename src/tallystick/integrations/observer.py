"""What every adapter does with a call that its framework shows it: begun before, ended after, never in the way.

An error of the journal stays out of the user's program, unless it asked to be strict: then a call that cannot be
recorded is not made. What came of a call is told afterwards in any case, even if its beginning could not be.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from weakref import WeakSet

from msgspec.structs import replace

from tallystick.capture.hook import environment
from tallystick.capture.spool import file as spool_file
from tallystick.core.redaction.jsonable import describe_error, to_json
from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.core.redaction.sanitize import mask_and_cut
from tallystick.core.tools import CallRules, effect_of
from tallystick.core.types import Actor, Effect
from tallystick.integrations.observed_call import NAME, SeenCall, call_id_of, waits, within
from tallystick.operations.sessions import record_note
from tallystick.sdk.local import Caller, Local

if TYPE_CHECKING:
    from tallystick.operations import Operation
    from tallystick.sdk.journal import AsyncJournal, Journal

ACTORS = 1000
"""How many agents an observer remembers its way to the journal for; a forgotten one is made anew."""
THREADS = 8
"""How many records of an event loop wait for the disk at once. They share commits, so more would gain nothing."""
_log = logging.getLogger("tallystick.capture")


class Options(TypedDict, total=False):
    """What every adapter takes beside the journal.

    `agent` is who acts, where the framework has no name for it. `strict`: a call that cannot be recorded is not made.
    `effects` says what calls do, by patterns over the names of tools: `{"search*": "read"}`, the first that fits.
    """

    agent: str
    strict: bool
    effects: Mapping[str, Effect]


class Observer:
    """One framework in this process, as the journal knows it.

    `shares_ids`: the ids of its calls are known to others too, to hooks or the gateway, and are the same nowhere else.
    `executes_calls`: it shows the calls that a server carries out, and not those that a client asks for.
    """

    def __init__(
        self,
        journal: Journal | AsyncJournal,
        framework: str,
        *,
        shares_ids: bool = False,
        executes_calls: bool = False,
        **options: Unpack[Options],
    ) -> None:
        self.shares_ids = shares_ids
        self._carries_out = executes_calls
        self.strict = options.get("strict", False)
        self.agent = options.get("agent") or framework
        self._journal = journal
        self._framework = framework
        self._told = CallRules(effects=dict(options.get("effects") or {}))
        self._callers: dict[Actor, Caller] = {}
        self._missed = 0
        self._uncounted = 0
        self.begin_anew()
        _observers.add(self)

    def begin_anew(self) -> None:
        """In a forked child the threads of its parent are no more, and a lock that one of them held stays shut."""
        self._lock = Lock()
        vars(self).pop("_threads", None)

    def call(
        self,
        tool: str,
        arguments: Any,
        *,
        call_id: str = "",
        agent: str = "",
        sub_agent: bool = False,
        effect: Effect | None = None,
        run: str = "",
        known_by_id: bool = False,
    ) -> SeenCall:
        """A call that is about to be made. Use it as a scope, or begin and end it. `effect`: unless told. `run`: where
        the framework makes it, if that has a name which is another one in each run. `known_by_id`: no other call has
        the same id, ever."""
        name, above, given = agent or self.agent, within.get(), _as_arguments(arguments)
        actor = Actor(kind="sub-agent" if sub_agent or above not in ("", name) else "agent", name=_name(name))
        said = {"tool": _name(tool), "arguments": given, "effect": effect_of(tool, given, self._told) or effect}
        seen = SeenCall(self, actor, {key: value for key, value in said.items() if value}, call_id_of(call_id), run)
        seen.known_by_id = known_by_id
        return seen

    def record(self, actor: Actor, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Record in the name of an agent, as one who saw it."""
        caller = self._caller(actor)
        answer = caller.call(operation, arguments)
        if self._missed:
            self._tell_missed(caller)
        return answer

    def waits(self, actor: Actor, key: str) -> str:
        """The id of a call that was put off under this key, maybe by another process; empty when none was, or where
        a server keeps the journal: no operation tells it."""
        caller = self._caller(actor)
        return caller.context.read(lambda view: waits(view, key)) if isinstance(caller, Local) else ""

    def missed(self, problem: Exception) -> None:
        """Something could not be recorded: logged once until the journal records again, and counted where coverage
        looks, at once, for this process may never record again."""
        with self._lock:
            self._missed += 1
            first = self._missed == 1
        if first:
            _log.warning("%s: the journal cannot record: %s", self._framework, describe_error(problem))
        if not self.strict:  # what was refused was not made
            self._count_missed(1)

    def _count_missed(self, more: int) -> None:
        """A journal that cannot even be opened does not know its spool: then they are counted later."""
        with self._lock, suppress(Exception):
            self._uncounted += more
            caller: Any = self._journal.caller
            place = self._place
            while self._uncounted:
                spool_file.add_missed(place)
                self._uncounted -= 1
            count, at = spool_file.read_missed(place)
            caller.context.principal = replace(caller.context.principal, missed=count, missed_at=at)

    def _tell_missed(self, caller: Caller) -> None:
        """The journal records again: say in it how much is not there."""
        with self._lock:
            missed, self._missed = self._missed, 0
        if not missed:
            return
        _log.warning("%s: the journal records again; %d records were missed.", self._framework, missed)
        if not self.strict:
            self._count_missed(0)
            said = f"{self._framework}: the journal could not record for a while; {missed} records are missing."
            with suppress(Exception):  # they are counted all the same
                caller.call(record_note, {"event": "other", "summary": said, "details": {"missed": missed}})

    async def in_thread(self, work: Callable[[], None]) -> None:
        """Wait for a record without holding the event loop up. What was handed over is done, even if this is cancelled.

        On another loop than asyncio's it is done at once: that takes as long as the disk does.
        """
        try:
            asyncio.get_running_loop()
            future = self._threads.submit(copy_context().run, work)
        except RuntimeError:  # there is no such loop, or this program is about to end
            work()
            return
        done = asyncio.wrap_future(future)
        done.add_done_callback(
            lambda each: each.cancelled() or each.exception()
        )  # who was cancelled asks for it no more
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            wait([future])
            raise

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(THREADS, thread_name_prefix="tallystick-observer")

    @cached_property
    def _place(self) -> str:
        """The spool of this journal, beside which hooks count what they could not keep."""
        caller: Any = self._journal.caller
        return spool_file.path(
            environment.spool_folder(environment.for_store(os.environ, caller.context.settings.url)),
            caller.context.journal,
        )

    def _caller(self, actor: Actor) -> Caller:
        found = self._callers.get(actor)
        if found is None:
            caller: Any = self._journal.caller
            found = caller.as_observer(actor, self._framework, executes_calls=self._carries_out)
            if len(self._callers) >= ACTORS:
                self._callers.clear()
            self._callers[actor] = found
        return found


def missing(extra: str, error: ImportError) -> ImportError:
    """What to say when the framework of an adapter is not installed."""
    return ImportError(f"{error}. This adapter needs its framework: pip install 'tallystick[{extra}]'")


def _as_arguments(arguments: Any) -> dict[str, Any]:
    kept = to_json(arguments)
    if isinstance(kept, dict):
        return kept
    return {} if kept in (None, "") else {"input": kept}


def _name(text: str) -> str:
    """A name as a journal takes it."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text) or "?"
    return plain if len(plain) <= NAME else mask_and_cut(plain, NAME, DEFAULT_MASKER)


_observers: WeakSet[Observer] = WeakSet()


def _after_in_child() -> None:
    for observer in list(_observers):
        observer.begin_anew()


os.register_at_fork(after_in_child=_after_in_child)
