"""Calls without an end when their turn is over: waits briefly for Codex's transcript, then lists those still open.

Codex writes its transcript beside its hooks, so the outcome of a call may be written after the stop. A stop with a
transcript therefore leaves such a call open, and only the next prompt puts it in doubt. But the agent waits for our
answer now. So the transcript is given a moment, and the outcomes that it holds by then are recorded. A call without
one is named to the agent, which can check; in the journal it stays open, since its outcome may still be written.
"""

from collections.abc import Collection
from functools import partial
from time import monotonic, sleep, time_ns
from typing import Any

from msgspec.structs import replace

from tallystick.capture.ingest import transcripts
from tallystick.capture.ingest.recorder import Outcomes
from tallystick.capture.spool import file as spool_file
from tallystick.core.formats import times
from tallystick.core.state import Action
from tallystick.core.types import Actor
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.correlation import unsettled_actions
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.progress import describe_doubts
from tallystick.operations.runtime.receipts import DoubtItem
from tallystick.store.interface import Ledger, View

TRANSCRIPT_SECONDS = 1.0
"""How long to wait for the transcript. Codex writes it within milliseconds, and waits much longer for the hook."""
PAUSE_SECONDS = 0.02
WHY = "its turn is over and no end was seen"


def overdue_calls(
    context: OperationContext, sessions: Collection[str], client: str, transcript: str
) -> tuple[DoubtItem, ...]:
    """The calls that an agent whose turn is over left open in these sessions."""
    find = partial(_open_calls, sessions=sessions, client=client)
    deadline, read_stamp = monotonic() + TRANSCRIPT_SECONDS, None
    while left := context.read(find):
        stamp = spool_file.file_stamp(transcript)
        if stamp == read_stamp and monotonic() >= deadline:
            break
        if stamp == read_stamp:
            sleep(PAUSE_SECONDS)
            continue
        read_stamp = stamp
        if outcomes := transcripts.read_outcomes(transcript, {row.call for row in left if row.call}):
            context.store.write(context.journal, partial(_record_ends, context, left, outcomes))
    items = context.read(lambda view: describe_doubts(view, left))
    return tuple(replace(item, why=WHY) for item in items)


def _open_calls(view: View, *, sessions: Collection[str], client: str) -> list[Action]:
    """Open calls of the agent itself: sub-agents may still work. Reads are left out, since they changed nothing."""
    rows = (row for session in sorted(sessions) for row in unsettled_actions(view, session, client))
    return [row for row in rows if row.state == "open" and row.effect != "read"]


def _record_ends(context: OperationContext, rows: list[Action], outcomes: Outcomes, ledger: Ledger) -> None:
    """End the calls whose outcome is known, unless another process has ended them meanwhile."""
    at = times.iso(time_ns() // 1000)
    for row in rows:
        current, end = ledger.get(Action, row.id), outcomes.get(row.call)
        if end is None or current is None or current.state != "open":
            continue
        principal = Principal(
            actor=Actor(kind="hook", name=row.actor), witness="observed", session=row.session, client=row.actor
        )
        fields: dict[str, Any] = {name: value for name, value in end.items() if value is not None and value != ""}
        arguments = {"phase": "end", "action_id": row.id, "key": f"transcript:{row.id}", "seen_at": at, **fields}
        CATALOGUE["record_action"](context.in_transaction(ledger).for_principal(principal), arguments)
