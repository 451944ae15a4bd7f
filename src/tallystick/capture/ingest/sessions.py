"""The session of a conversation that hooks see, in the journal: found by its name, or opened."""

import os
from functools import cache
from typing import Any

from tallystick.capture.clients.payload import Payload
from tallystick.capture.hook.event import conversation_name
from tallystick.capture.spool.records import SpoolRecord
from tallystick.core.formats import times
from tallystick.core.state import Session
from tallystick.core.types import Actor
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.session_lifecycle import session_of_key
from tallystick.protocol.meta import clean_name
from tallystick.store.interface import View
from tallystick.store.liveness import process_start_ticks

GONE_LEASE = 1.0
"""Seconds that a session lives whose process is gone, and whose number another one has by now."""
HEARD_EVERY = 1_000_000
"""Microseconds after which it is written down again that a session was heard."""
CLOCKS_DIFFER = 2_000_000
"""Microseconds by which the start of a process may seem later than it was."""


class ObservedSessions:
    """Those that are known by now, within one commit: the commit may be done again, so nothing is kept beyond it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], str] = {}
        self._heard: dict[tuple[str, int], int] = {}

    def of(
        self, context: OperationContext, spooled: SpoolRecord, id: str, client: str, key: str = ""
    ) -> tuple[str, bool]:
        """The session, and whether it was opened just now; then under this key."""
        apart = Payload(spooled.payload).text("session") if client == "gateway" else ""
        if apart:
            return self._apart(context, spooled, apart, conversation_name(client, id))
        name = conversation_name(client, id) or f"{client or 'unknown'}:{spooled.process or 'unnamed'}"
        place = (name, spooled.process)
        known = self._known.get(place, "")
        is_news = spooled.at > self._heard.get(place, 0) + HEARD_EVERY
        if known and not is_news and (spooled.process or not _is_over(context, known)):
            return known, False
        self._heard[place] = spooled.at
        before = context.read(lambda view: view.head().seq)
        opened = CATALOGUE["open_session"](
            context.for_principal(Principal(actor=Actor(kind="hook", name=client), witness="observed", client=client)),
            {
                "kind": "client",
                "name": name,
                "client": client,
                **({"key": key} if key else {}),
                **_process(spooled),
            },
        )
        self._known[place] = opened.id
        return opened.id, opened.seq > before

    def _apart(self, context: OperationContext, spooled: SpoolRecord, key: str, name: str) -> tuple[str, bool]:
        """The session of one of several whom a gateway served: that which the gateway opens under the same key, now or
        later. It is its client's, as it is there, and no hook's."""
        known = context.read(lambda view: session_of_key(view, key))
        if known:
            return known, False
        client = clean_name(Payload(spooled.payload).text("client"))
        opening = {"kind": "client", "name": name, "client": client, "key": key, **_process(spooled)}
        principal = Principal(actor=Actor(kind="gateway", name=client or "client"), client=client)
        return CATALOGUE["open_session"](context.for_principal(principal), opening).id, True

    def forget(self, session: str) -> None:
        """It has ended: what comes now opens another one."""
        self._known = {place: id for place, id in self._known.items() if id != session}


def _process(spooled: SpoolRecord) -> dict[str, Any]:
    """Whose life a session lasts for, and when that was seen."""
    reused = bool(spooled.process) and _is_another(spooled.process, spooled.at)
    return {
        "process": 0 if reused else spooled.process,
        **({"lease_seconds": GONE_LEASE} if reused else {}),
        **({"seen_at": times.iso(spooled.at)} if spooled.at else {}),
    }


def _is_over(context: OperationContext, id: str) -> bool:
    def work(view: View) -> bool:
        row = view.get(Session, id)
        return row is None or view.is_over(row)

    return context.read(work)


def _is_another(process: int, seen_at: int) -> bool:
    """Whether a process began after it was seen: then it is another one with the same number."""
    ticks = process_start_ticks(process)
    if not ticks or not seen_at:
        return False
    booted = _booted()
    return bool(booted) and booted + ticks * 1_000_000 // os.sysconf("SC_CLK_TCK") > seen_at + CLOCKS_DIFFER


@cache
def _booted() -> int:
    """When the system started, in microseconds; 0 where it does not tell."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            for line in file:
                if line.startswith("btime "):
                    return int(line.split()[1]) * 1_000_000
    except (OSError, ValueError):
        pass
    return 0
