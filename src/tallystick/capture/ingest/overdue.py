"""Calls whose end is overdue: the turn in which they were made is over, and nobody has told what came of them.

Codex writes its transcript beside its hooks, so what it tells of a call may come behind the stop: a stop with a
transcript leaves such a call open, and only the next prompt puts it in doubt. But the agent is there now, and waits for
our answer. So the transcript is given a moment, and what it tells by then is written down. What it does not tell is
named to the agent, which can look; in the journal it stays open, since it may be told yet.
"""

from collections.abc import Collection
from functools import partial
from time import monotonic, sleep, time_ns
from typing import Any

from msgspec.structs import replace

from tallystick.capture.ingest import transcripts
from tallystick.capture.ingest.matching import unsettled_actions
from tallystick.capture.ingest.recorder import Outcomes
from tallystick.capture.spool import file as spool_file
from tallystick.core.formats import times
from tallystick.core.state import Action
from tallystick.core.types import Actor
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.progress import DoubtItem, describe_doubts
from tallystick.store.interface import Ledger, View

PATIENCE = 1.0
"""Seconds that a transcript is given. Codex writes it within milliseconds, and waits for the hook much longer."""
PAUSE = 0.02
WHY = "its turn is over and no end was seen"


def overdue(
    context: OperationContext, sessions: Collection[str], client: str, transcript: str
) -> tuple[DoubtItem, ...]:
    """What an agent whose turn is over has left open in these sessions, when its transcript has had its moment."""
    find = partial(_left_open, sessions=sessions, client=client)
    until, read = monotonic() + PATIENCE, None
    while left := context.read(find):
        written = spool_file.file_stamp(transcript)
        if written == read and monotonic() >= until:
            break
        if written == read:
            sleep(PAUSE)
            continue
        read = written
        if told := transcripts.read_outcomes(transcript, {row.call for row in left if row.call}):
            context.store.write(context.journal, partial(_write, context, left, told))
    items = context.read(lambda view: describe_doubts(view, left))
    return tuple(replace(item, why=WHY) for item in items)


def _left_open(view: View, *, sessions: Collection[str], client: str) -> list[Action]:
    """Sub-agents may still be at work, and what came of a read nobody needs to know."""
    rows = (row for session in sorted(sessions) for row in unsettled_actions(view, session, client))
    return [row for row in rows if row.state == "open" and row.effect != "read"]


def _write(context: OperationContext, rows: list[Action], told: Outcomes, ledger: Ledger) -> None:
    """End what is told of, unless somebody has meanwhile."""
    at = times.iso(time_ns() // 1000)
    for row in rows:
        now, came = ledger.get(Action, row.id), told.get(row.call)
        if came is None or now is None or now.state != "open":
            continue
        principal = Principal(
            actor=Actor(kind="hook", name=row.actor), witness="observed", session=row.session, client=row.actor
        )
        given: dict[str, Any] = {name: value for name, value in came.items() if value is not None and value != ""}
        end = {"phase": "end", "action_id": row.id, "key": f"transcript:{row.id}", "seen_at": at, **given}
        CATALOGUE["record_action"](context.in_transaction(ledger).for_principal(principal), end)
