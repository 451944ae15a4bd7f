"""How complete the record is, said by the journal itself: what was seen, and since when nothing was heard."""

from typing import Annotated

from msgspec import Meta, Struct

from tallystick.core import spans
from tallystick.core.state import Action, Execution, Session
from tallystick.operations.desk import Desk
from tallystick.operations.handles import SESSIONS, in_conversation
from tallystick.operations.operation import operation
from tallystick.operations.paging import Cursor, Limit, Page, page
from tallystick.store.port import Select, View

QUIET = 15_000_000
"""Microseconds of silence after which hooks should have been heard, while their agent is known to call tools."""
SHOWN = 3


class Coverage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Calls seen begun and seen ended, calls that fit no step, and since when nothing was heard.

    `observers` are the hooks, gateways and adapters that watch the agent of this execution; `spool_behind` the bytes
    that hooks have seen and that are not in the journal yet.
    """

    begun: int
    ended: int
    open: int
    unplanned: int
    silent_for: str
    observers: tuple["Observer", ...] = ()
    spool_behind: int = 0


class Observer(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Who watches a session, and when it was last heard. `silent` when it should have been heard since, and was not:
    then what the agent does is not seen any more."""

    session: str
    client: str = ""
    conversation: str = ""
    alive: bool = True
    heard: str = ""
    silent_for: str = ""
    silent: bool = False


class Seen(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was seen in one session."""

    observer: Observer
    begun: int = 0
    ended: int = 0
    in_doubt: int = 0
    unplanned: int = 0


class CoveragePage(Page, frozen=True, kw_only=True):
    seen: tuple[Seen, ...]
    spool_behind: int = 0


@operation("read", "GET /v1/coverage", example={})
def get_coverage(
    desk: Desk,
    *,
    client: Annotated[str | None, Meta(description="Only what this client was seen to do, e.g. claude-code")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> CoveragePage:
    """How complete the record is: what hooks and gateway saw begin and end in each session, the newest first."""

    def work(view: View) -> CoveragePage:
        rows, cursor_next = page(view, Session, {}, None, None, limit, cursor)
        shown = [row for row in rows if row.witness == "observed" and client in (None, row.client)]
        return CoveragePage(
            seen=tuple(_seen(view, row, desk.asker.conversation) for row in shown),
            spool_behind=desk.asker.spool_behind,
            next_cursor=cursor_next,
        )

    return desk.read(work)


def coverage_of(view: View, execution: Execution, conversation: str = "", spool_behind: int = 0) -> Coverage:
    """`conversation` is that of who asks: its call should have been seen this very moment."""
    counts = [execution.actions, execution.undos]
    begun = sum(sum(count.values()) for count in counts)
    ended = sum(count.get(word, 0) for count in counts for word in ("ok", "failed", "skipped"))
    return Coverage(
        begun=begun,
        ended=ended,
        open=sum(count.get("open", 0) for count in counts),
        unplanned=execution.unplanned,
        silent_for=spans.age(view.now() - execution.last_at),
        observers=observers_of(view, in_conversation(view, execution.session), conversation),
        spool_behind=spool_behind,
    )


def observers_of(view: View, sessions: tuple[str, ...], conversation: str = "") -> tuple[Observer, ...]:
    """Who watches these sessions, the newest first; of those that are over, only the last."""
    rows = [row for row in (view.get(Session, id) for id in sessions[:SESSIONS]) if row and row.witness == "observed"]
    living = [row for row in rows if not view.over(row)] or rows[:1]
    return tuple(_observer(view, row, conversation) for row in living[:SHOWN])


def _observer(view: View, row: Session, conversation: str) -> Observer:
    alive, heard = not view.over(row), _heard(view, row)
    expected = view.now() if conversation and conversation == row.name else _claimed_at(view, row)
    return Observer(
        session=row.id,
        client=row.client,
        conversation=row.name,
        alive=alive,
        heard=spans.iso(heard),
        silent_for=spans.age(view.now() - heard),
        silent=alive and row.session_kind == "client" and expected - heard > QUIET,
    )


def _heard(view: View, row: Session) -> int:
    """Each word of a hook renews its session, so the lease tells when the last one came. A process renews by itself."""
    lease = view.lease(row.id) if row.session_kind == "client" else None
    if lease:
        return max(row.at, lease.expires - int(lease.seconds * 1_000_000))
    newest = view.find(Action, Select(where={"session": row.id}, limit=1))
    return max([row.at, *(max(action.at, action.ended_at) for action in newest)])


def _claimed_at(view: View, row: Session) -> int:
    """When the agent of the same conversation last said that it calls a tool."""
    others = tuple(id for id in in_conversation(view, row.id) if id != row.id)
    found = view.find(Action, Select(where={"session": others}, limit=SHOWN)) if others else []
    return max((action.at for action in found if not action.call), default=0)


def _seen(view: View, row: Session, conversation: str) -> Seen:
    states = view.count(Action, "state", {"session": row.id})
    over = view.over(row)
    stepless = view.count(Action, "execution", {"session": row.id, "step": ""})
    planned = [view.get(Execution, id) for id in stepless]
    return Seen(
        observer=_observer(view, row, conversation),
        begun=sum(states.values()),
        ended=sum(states.get(word, 0) for word in ("ok", "failed", "skipped")),
        in_doubt=sum(states.get(word, 0) for word in ("doubted", "unknown", *(("open",) if over else ()))),
        unplanned=sum(stepless[row.id] for row in planned if row and row.plan_id),
    )
