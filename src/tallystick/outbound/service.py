"""The background service of `serve` and `notify`: a list of parts, each in a thread of its own.

A part that fails is logged, without recorded text, and started again after a while. It never stops the others, the
server or the journal.
"""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Protocol

from msgspec import Struct

from tallystick.core.errors import InvalidArgument
from tallystick.logs import log_event
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings

log = logging.getLogger("tallystick.outbound")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+|[0-9a-f:]+)(:\d{1,5})?")
FIRST_WAIT_SECONDS = 1.0
MAX_WAIT_SECONDS = 60.0
"""Between the failure of a part and its next start. A part that has run for longer than this is no longer failing."""


class OutboundOptions(Struct, frozen=True, kw_only=True):
    """What an operator allows: hosts that may be told although they are not public, where the page is, and the
    addresses that get alerts."""

    deliver_to: tuple[str, ...] = ()
    public_url: str = ""
    alerts: tuple[str, ...] = ()


def outbound_options(
    settings: Settings, deliver_to: Sequence[str] = (), public_url: str = "", alerts: Sequence[str] = ()
) -> OutboundOptions:
    """The options of a process: those of its settings, and those that it was started with."""
    hosts = tuple(each.strip().lower() for each in (*settings.deliver_to, *deliver_to))
    for host in hosts:
        if not _HOST.fullmatch(host):
            hint = "Give the host as it stands in the address, with or without its port: hooks.example:8080."
            raise InvalidArgument(f'"{host}" is not a host.', hint=hint, field="deliver_to")
    url = public_url or settings.public_url
    if url and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", url):
        hint = "Give the whole address, such as https://tallystick.example.org."
        raise InvalidArgument(f'"{url}" is not an address of a page.', hint=hint, field="public_url")
    return OutboundOptions(deliver_to=hosts, public_url=url, alerts=(*settings.alerts, *alerts))


class Part(Protocol):
    """Something that the service does until it is stopped."""

    name: str

    def run(self, stop: Event) -> None:
        """Work until `stop` is set, then return soon."""


class FollowedJournals:
    """The journals of a store that parts look at: all of them, or one."""

    def __init__(self, context: OperationContext, *, only: bool = False) -> None:
        self.main = context.for_journal(context.journal, Principal())
        self._only = only
        self._contexts = {context.journal: self.main}

    def contexts(self) -> list[OperationContext]:
        """A context for each journal; the main one is the first, even before its first entry."""
        names = [] if self._only else self.main.store.journals()
        for name in names:
            if name not in self._contexts:
                self._contexts[name] = self.main.for_journal(name, Principal())
        return list(self._contexts.values())


class OutboundService:
    """Runs its parts while it is open."""

    def __init__(self, parts: Sequence[Part], clock: Callable[[], float] = monotonic) -> None:
        self._parts = parts
        self._clock = clock

    @contextmanager
    def running(self) -> Iterator[None]:
        stop = Event()
        threads = [
            Thread(target=self.keep_running, args=(part, stop), name=f"outbound {part.name}", daemon=True)
            for part in self._parts
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def keep_running(self, part: Part, stop: Event) -> None:
        """Run a part until it is stopped, again after each failure."""
        wait = FIRST_WAIT_SECONDS
        while not stop.is_set():
            started = self._clock()
            try:
                part.run(stop)
            except Exception as error:
                if self._clock() - started > MAX_WAIT_SECONDS:
                    wait = FIRST_WAIT_SECONDS
                fields = {"part": part.name, "error": type(error).__name__, "again_seconds": wait}
                log_event(log, logging.ERROR, "part failed", **fields)
                log.debug("part failed", exc_info=True)
                stop.wait(wait)
                wait = min(2 * wait, MAX_WAIT_SECONDS)
            else:
                return
