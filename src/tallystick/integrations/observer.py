"""The base of every adapter: records each call of its framework, before and after, without disturbing the program.

An error of the journal does not reach the user's program, unless it asked for strict mode: then a call that cannot be
recorded is not made. The end of a call is recorded in any case, even if its begin could not be.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from difflib import get_close_matches
from functools import cached_property, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, get_args
from weakref import WeakKeyDictionary, WeakSet

from msgspec.structs import replace

from tallystick.capture.hook import environment
from tallystick.capture.spool import file as spool_file
from tallystick.core.errors import InvalidArgument, not_one_of
from tallystick.core.redaction.jsonable import describe_error, to_json
from tallystick.core.redaction.masker import DEFAULT_MASKER
from tallystick.core.redaction.sanitize import mask_and_cut
from tallystick.core.tools import CallRules, effect_of
from tallystick.core.types import Actor, Effect
from tallystick.integrations.observed_call import (
    NAME_CHARACTERS,
    ObservedCall,
    bounded_call_id,
    current_agent,
    find_suspended,
)
from tallystick.operations.decisions import record_decision
from tallystick.operations.sessions import record_note
from tallystick.operations.views.entries import read_entries
from tallystick.operations.views.execution_status import get_status
from tallystick.sdk.journal import AsyncJournal, Journal
from tallystick.sdk.local import Caller, Local

if TYPE_CHECKING:
    from tallystick.operations import Operation

MAX_CALLERS = 1000
"""How many agents' callers an observer caches."""
THREADS = 8
"""How many records of an event loop wait for the disk at once. They share commits, so more would gain nothing."""
_log = logging.getLogger("tallystick.capture")


class ObserverOptions(TypedDict, total=False):
    """The options of every adapter, beside the journal.

    - `agent`: the name of the agent, where the framework has none.
    - `strict`: a call that cannot be recorded, or whose effect is in doubt, is not made.
    - `effects`: the effects of calls, by patterns over tool names: `{"search*": "read"}`. The first match counts.
    """

    agent: str
    strict: bool
    effects: Mapping[str, Effect]


class CallObserver:
    """Records the calls of one framework in this process.

    `shares_ids`: hooks or the gateway know the same ids of calls, and an id is never used for another call.
    `executes_calls`: the framework is a server that carries calls out, not a client that requests them.
    """

    def __init__(
        self,
        journal: Journal | AsyncJournal,
        framework: str,
        *,
        shares_ids: bool = False,
        executes_calls: bool = False,
        **options: Unpack[ObserverOptions],
    ) -> None:
        _check_options(journal, options)
        self.shares_ids = shares_ids
        self._executes_calls = executes_calls
        self.strict = options.get("strict", False)
        self.agent = options.get("agent") or framework
        self._journal = journal
        self._framework = framework
        self._rules = CallRules(effects=dict(options.get("effects") or {}))
        self._callers: dict[Actor, Caller] = {}
        self._missed = 0
        self._uncounted = 0
        self.executions = _executions_of(journal)
        """Executions of calls that were made outside of any; those that were opened for them end with the journal."""
        self.reset_after_fork()
        _observers.add(self)

    def reset_after_fork(self) -> None:
        """Drop threads and locks: a forked child has no threads of its parent, and their locks stay locked."""
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
        has_unique_id: bool = False,
    ) -> ObservedCall:
        """A call that is about to be made. Use it as a scope, or begin and end it.

        `effect` is the default; the options take precedence. `run` is the framework's name for the place of the call,
        different in each run. `has_unique_id`: no other call ever has the same id.
        """
        name, outer_agent, cleaned = agent or self.agent, current_agent.get(), _arguments(arguments)
        is_sub_agent = sub_agent or outer_agent not in ("", name)
        actor = Actor(kind="sub-agent" if is_sub_agent else "agent", name=_clean_name(name))
        fields = {
            "tool": _clean_name(tool),
            "arguments": cleaned,
            "effect": effect_of(tool, cleaned, self._rules) or effect,
        }
        recorded = {key: value for key, value in fields.items() if value}
        observed = ObservedCall(self, actor, recorded, bounded_call_id(call_id), run)
        observed.has_unique_id = has_unique_id
        return observed

    def record(self, actor: Actor, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Record something that an agent did, as its observer."""
        caller = self._caller(actor)
        receipt = caller.call(operation, arguments)
        if self._missed:
            self._report_missed(caller)
        return receipt

    def find_suspended(self, actor: Actor, key: str) -> str:
        """The id of a call that was suspended under this key, maybe by another process; empty if there is none.

        It is empty too if the journal is on a server, which has no operation for it.
        """
        caller = self._caller(actor)
        return caller.context.read(lambda view: find_suspended(view, key)) if isinstance(caller, Local) else ""

    def record_missed(self, problem: Exception) -> None:
        """Count something that could not be recorded, and log the first one until the journal records again.

        It is counted at once where coverage looks, since this process may never record again.
        """
        with self._lock:
            self._missed += 1
            is_first = self._missed == 1
        if is_first:
            _log.warning("%s: the journal cannot record: %s", self._framework, describe_error(problem))
        if not self.strict:  # a refused call was not made, so nothing is missing
            self._count_missed(1)

    def _count_missed(self, more: int) -> None:
        """Add to the count beside the spool. If the journal cannot be opened, its spool is unknown: count later."""
        with self._lock, suppress(Exception):
            self._uncounted += more
            caller: Any = self._journal.caller
            path = self._spool_path
            while self._uncounted:
                spool_file.add_missed(path)
                self._uncounted -= 1
            count, at = spool_file.read_missed(path)
            caller.context.principal = replace(caller.context.principal, missed=count, missed_at=at)

    def _report_missed(self, caller: Caller) -> None:
        """Record how much is missing, now that the journal records again."""
        with self._lock:
            missed, self._missed = self._missed, 0
        if not missed:
            return
        _log.warning("%s: the journal records again; %d records were missed.", self._framework, missed)
        if not self.strict:
            self._count_missed(0)
            summary = f"{self._framework}: the journal could not record for a while; {missed} records are missing."
            with suppress(Exception):  # they are counted all the same
                caller.call(record_note, {"event": "other", "summary": summary, "details": {"missed": missed}})

    async def in_thread(self, work: Callable[[], None]) -> None:
        """Wait for a record without blocking the event loop. Submitted work is done even if this is cancelled.

        On another loop than asyncio's it is done at once, which takes as long as the disk does.
        """
        try:
            asyncio.get_running_loop()
            future = self._threads.submit(copy_context().run, work)
        except RuntimeError:  # there is no such loop, or the program is about to end
            work()
            return
        done = asyncio.wrap_future(future)
        done.add_done_callback(lambda each: each.cancelled() or each.exception())  # a cancelled task does not read it
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            wait([future])
            raise

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(THREADS, thread_name_prefix="tallystick-observer")

    @cached_property
    def _spool_path(self) -> str:
        """The spool of this journal, beside which hooks count what they could not store."""
        caller: Any = self._journal.caller
        env = environment.for_store(os.environ, caller.context.settings.url)
        return spool_file.path(environment.spool_folder(env), caller.context.journal)

    def _caller(self, actor: Actor) -> Caller:
        found = self._callers.get(actor)
        if found is None:
            caller: Any = self._journal.caller
            found = caller.as_observer(actor, self._framework, executes_calls=self._executes_calls)
            if len(self._callers) >= MAX_CALLERS:
                self._callers.clear()
            self._callers[actor] = found
        return found


_executions: WeakKeyDictionary[Journal | AsyncJournal, set[str]] = WeakKeyDictionary()


def _executions_of(journal: Journal | AsyncJournal) -> set[str]:
    """The set that all adapters of a journal share."""
    found = _executions.get(journal)
    if found is None:
        found = _executions[journal] = set()
        journal.before_close(partial(_end_executions, journal.caller, found))
    return found


def _end_executions(caller: Caller, executions: set[str]) -> None:
    """End the executions that were opened for observed calls. A call that waits for a person keeps its own open."""
    while executions:
        id = executions.pop()
        named = {"execution_id": id}
        with suppress(Exception):  # it was ended before, or the journal cannot be reached
            started = caller.call(read_entries, {"id": id, "kind": "execution_started", "limit": 1}).entries
            status = caller.call(get_status, {**named, "limit": 1}).execution
            if started and started[0].witness == "observed" and "open" not in {**status.actions, **status.undos}:
                done = {"decision": "done", "why": "The journal was closed.", "incomplete": True}
                caller.call(record_decision, {**named, **done})


def _check_options(journal: object, options: Mapping[str, Any]) -> None:
    """Raise for an option that an adapter would otherwise ignore, or fail on at the first call."""
    if not isinstance(journal, Journal | AsyncJournal):
        raise InvalidArgument(
            f"The journal of an adapter is {type(journal).__name__}, not a Journal.",
            hint="Give what Journal.open() or AsyncJournal.open() returns.",
            field="journal",
        )
    known = tuple(ObserverOptions.__annotations__)
    for name in options.keys() - known:
        near = get_close_matches(name, known, 1, 0.5)
        raise InvalidArgument(
            f'There is no option "{name}".',
            hint=f"Did you mean {near[0]}?" if near else f"Use one of: {', '.join(known)}.",
            field=name,
            allowed=known,
        )
    if not isinstance(options.get("strict", False), bool):
        raise InvalidArgument(f"strict is {options['strict']!r}.", hint="Use True or False.", field="strict")
    if not isinstance(options.get("agent") or "", str):
        raise InvalidArgument(f"agent is {options['agent']!r}.", hint="Give a name.", field="agent")
    _check_effects(options.get("effects") or {})


def _check_effects(effects: object) -> None:
    if not isinstance(effects, Mapping):
        raise InvalidArgument(
            f"effects is {effects!r}.", hint='Give patterns with their effects: {"search*": "read"}.', field="effects"
        )
    allowed = get_args(Effect)
    for pattern, effect in effects.items():
        if effect not in allowed or not isinstance(pattern, str):
            raise not_one_of(str(effect), f'effects["{pattern}"]', allowed, what="an effect")


def missing_framework(extra: str, error: ImportError) -> ImportError:
    """The error if the framework of an adapter is not installed."""
    return ImportError(f"{error}. This adapter needs its framework: pip install 'tallystick[{extra}]'")


def _arguments(arguments: Any) -> dict[str, Any]:
    """The arguments as an object; any other value under the key `input`."""
    value = to_json(arguments)
    if isinstance(value, dict):
        return value
    return {} if value in (None, "") else {"input": value}


def _clean_name(text: str) -> str:
    """A name that the journal accepts."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text) or "?"
    return plain if len(plain) <= NAME_CHARACTERS else mask_and_cut(plain, NAME_CHARACTERS, DEFAULT_MASKER)


_observers: WeakSet[CallObserver] = WeakSet()


def _after_in_child() -> None:
    for observer in list(_observers):
        observer.reset_after_fork()


os.register_at_fork(after_in_child=_after_in_child)
