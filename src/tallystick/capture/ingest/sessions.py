"""Finds or opens the journal's session for a conversation that hooks observe."""

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

GONE_LEASE_SECONDS = 1.0
"""The lease of a session whose process is gone, and whose process id another process has by now."""
ACTIVITY_RECORD_MICROSECONDS = 1_000_000
"""How often it is recorded that a session is active."""
CLOCK_MARGIN_MICROSECONDS = 2_000_000
"""By how much the start of a process may seem later than it was."""


class ObservedSessions:
    """The sessions known within one commit. The store may run a commit again, so nothing is kept beyond it."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, int], str] = {}
        self._recorded_active_at: dict[tuple[str, int], int] = {}

    def find_or_open(
        self, context: OperationContext, record: SpoolRecord, conversation: str, client: str, key: str = ""
    ) -> tuple[str, bool]:
        """The session of a conversation, and whether it was opened just now (under `key`, if there is one)."""
        gateway_key = Payload(record.payload).text("session") if client == "gateway" else ""
        if gateway_key:
            return self._gateway_session(context, record, gateway_key, conversation_name(client, conversation))
        name = conversation_name(client, conversation) or f"{client or 'unknown'}:{record.process or 'unnamed'}"
        session = (name, record.process)
        known = self._ids.get(session, "")
        is_recent = record.at <= self._recorded_active_at.get(session, 0) + ACTIVITY_RECORD_MICROSECONDS
        if known and is_recent and (record.process or not _is_over(context, known)):
            return known, False
        self._recorded_active_at[session] = record.at
        last_seq = context.read(lambda view: view.head().seq)
        principal = Principal(actor=Actor(kind="hook", name=client), witness="observed", client=client)
        arguments = {"kind": "client", "name": name, "client": client, **({"key": key} if key else {})}
        opened = CATALOGUE["open_session"](context.for_principal(principal), {**arguments, **_lifetime(record)})
        self._ids[session] = opened.id
        return opened.id, opened.seq > last_seq

    def _gateway_session(self, context: OperationContext, record: SpoolRecord, key: str, name: str) -> tuple[str, bool]:
        """The session of one of a gateway's clients: the one that the gateway opens under the same key, now or later.

        It belongs to that client, as it does when the gateway opens it, and to no hook.
        """
        known = context.read(lambda view: session_of_key(view, key))
        if known:
            return known, False
        client = clean_name(Payload(record.payload).text("client"))
        arguments = {"kind": "client", "name": name, "client": client, "key": key, **_lifetime(record)}
        principal = Principal(actor=Actor(kind="gateway", name=client or "client"), client=client)
        return CATALOGUE["open_session"](context.for_principal(principal), arguments).id, True

    def forget(self, session: str) -> None:
        """Drop a session that has ended: the next event of its conversation opens another one."""
        self._ids = {name: id for name, id in self._ids.items() if id != session}


def _lifetime(record: SpoolRecord) -> dict[str, Any]:
    """The process that a session lives with, and when it was seen."""
    is_reused = bool(record.process) and _started_after(record.process, record.at)
    return {
        "process": 0 if is_reused else record.process,
        **({"lease_seconds": GONE_LEASE_SECONDS} if is_reused else {}),
        **({"seen_at": times.iso(record.at)} if record.at else {}),
    }


def _is_over(context: OperationContext, id: str) -> bool:
    def work(view: View) -> bool:
        session = view.get(Session, id)
        return session is None or view.is_over(session)

    return context.read(work)


def _started_after(process: int, seen_at: int) -> bool:
    """Whether the process with this id started after the record was made: then it is another process."""
    ticks = process_start_ticks(process)
    if not ticks or not seen_at:
        return False
    booted_at = _boot_time()
    if not booted_at:
        return False
    return booted_at + ticks * 1_000_000 // os.sysconf("SC_CLK_TCK") > seen_at + CLOCK_MARGIN_MICROSECONDS


@cache
def _boot_time() -> int:
    """When the system started, in microseconds; 0 where that is not known."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            for line in file:
                if line.startswith("btime "):
                    return int(line.split()[1]) * 1_000_000
    except (OSError, ValueError):
        pass
    return 0
