"""How complete the record is, said by the journal itself: what was seen, and since when nothing was heard."""

from typing import Annotated

from msgspec import Meta, Struct

from tallystick.core.entries import Entry, SessionEnded, SessionOpened
from tallystick.core.formats import times
from tallystick.core.state import Action, Execution, Session
from tallystick.operations.runtime.correlation import is_session_of_client, observers_of_same_agent
from tallystick.operations.runtime.lookup import (
    MAX_SESSIONS_OF_CONVERSATION,
    OBSERVER_SESSIONS,
    observers_of_process,
    open_observer_sessions,
    sessions_of_conversation,
)
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.paging import Cursor, Limit, Page, find_page
from tallystick.store.forks import process_id
from tallystick.store.interface import Select, View
from tallystick.store.liveness import process_ancestors

QUIET = 15_000_000
"""Microseconds of silence after which hooks should have been heard, while their agent is known to call tools."""
BEFORE = 3_600_000_000
"""Microseconds before an execution's first entry in which events may have been missed that belong to it: what hooks
see goes into the journal later, and a full disk holds that up too."""
SHOWN = 3
JOINED = 1000
"""How many calls of other witnesses are looked at for those that were seen in a session too, the newest first."""
NEWEST = 32
"""How many entries of a journal are looked at for what an agent told last."""
MAX_OBSERVERS_SCANNED = 20
"""How many of those who watch in a journal are looked at, the newest first."""


class Coverage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Calls seen begun and seen ended, calls that fit no step, and since when nothing was heard.

    `observers` are the hooks, gateways and adapters that watch the agent of this execution. `unwatched` is the client
    of who asks, when it was watched before and nothing was heard in this conversation. `spool_behind` are the bytes
    that hooks have seen and that are not in the journal yet. `missed` are the events that were seen and could not be
    kept, as on a full disk, if the last of them came since the execution began, or shortly before. `torn` are those of
    which only a torn record is left, `spool_problem` is why hooks can keep nothing now.
    """

    begun: int
    ended: int
    open: int
    unplanned: int
    silent_for: str
    observers: tuple["Observer", ...] = ()
    unwatched: str = ""
    spool_behind: int = 0
    missed: int = 0
    torn: int = 0
    spool_problem: str = ""


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
    """What was seen in one session. `joined` are calls that another witness has seen begin before, and that are
    counted there."""

    observer: Observer
    begun: int = 0
    ended: int = 0
    joined: int = 0
    in_doubt: int = 0
    unplanned: int = 0


class CoveragePage(Page, frozen=True, kw_only=True):
    seen: tuple[Seen, ...]
    spool_behind: int = 0
    missed: int = 0
    missed_at: str = ""
    torn: int = 0
    spool_problem: str = ""


@operation("read", "GET /v1/coverage", example={})
def get_coverage(
    context: OperationContext,
    *,
    client: Annotated[str | None, Meta(description="Only what this client was seen to do, e.g. claude-code")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> CoveragePage:
    """How complete the record is: what hooks and gateway saw begin and end in each session, the newest first."""

    def work(view: View) -> CoveragePage:
        rows, cursor_next = find_page(view, Session, {**OBSERVER_SESSIONS, "client": client}, None, None, limit, cursor)
        return CoveragePage(
            seen=tuple(_seen(view, row, context.principal) for row in rows),
            spool_behind=context.principal.spool_behind,
            missed=context.principal.missed,
            missed_at=times.iso(context.principal.missed_at) if context.principal.missed_at else "",
            torn=context.principal.torn,
            spool_problem=context.principal.spool_problem,
            next_cursor=cursor_next,
        )

    return context.read(work)


def coverage_of(view: View, execution: Execution, principal: Principal) -> Coverage:
    """The call of who asks should have been seen this very moment, if it is watched."""
    sessions = sessions_of_conversation(view, execution.session)
    own = view.get(Session, execution.session)
    if len(sessions) == 1 and not (own and own.witness == "observed"):  # who opened it is who watched it
        sessions += _there(view, execution, own.client.lower() if own else "")
    if execution.working_session:
        sessions += sessions_of_conversation(view, execution.working_session)
    counts = [execution.actions, execution.undos]
    begun = sum(sum(count.values()) for count in counts)
    ended = sum(count.get(word, 0) for count in counts for word in ("ok", "failed", "skipped"))
    return Coverage(
        begun=begun,
        ended=ended,
        open=begun - ended,
        unplanned=execution.unplanned,
        silent_for=times.age(view.now() - execution.last_at),
        observers=_observers(view, tuple(dict.fromkeys(sessions)), principal),
        unwatched=unwatched(view, principal.conversation),
        spool_behind=principal.spool_behind,
        missed=principal.missed if principal.missed_at >= execution.at - BEFORE else 0,
        torn=principal.torn,
        spool_problem=principal.spool_problem,
    )


def _there(view: View, execution: Execution, client: str) -> tuple[str, ...]:
    """Where a client does not tell its conversation, who watches it is known by being there: of the same client, and
    while the execution went on. A session that is a handle only, as everybody's over REST, is of nobody's client."""
    watching = (row for row in _living(view) if row.session_kind != "handle" and is_session_of_client(row, client))
    return tuple(row.id for row in watching if row.at <= execution.last_at)


def _living(view: View) -> list[Session]:
    return [row for row in open_observer_sessions(view, MAX_OBSERVERS_SCANNED) if not view.is_over(row)]


def unwatched(view: View, conversation: str) -> str:
    """The client of a conversation in which no hook was heard, though hooks of its kind were heard in others."""
    kind = conversation.partition(":")[0]
    if not kind or not conversation:
        return ""
    here = view.find(
        Session, Select(where={**OBSERVER_SESSIONS, "name": conversation}, limit=MAX_SESSIONS_OF_CONVERSATION)
    )
    if any(row.process for row in here):
        return ""
    above = process_ancestors(
        process_id()
    )  # a client that goes on with an older conversation tells its server another name
    if observers_of_process(view, above):
        return ""
    named = view.find(Session, Select(where={**OBSERVER_SESSIONS, "client": kind}, limit=MAX_OBSERVERS_SCANNED))
    newest = view.find(
        Session, Select(where=OBSERVER_SESSIONS, limit=MAX_OBSERVERS_SCANNED)
    )  # where a name begins otherwise
    others = (row for row in (*named, *newest) if row.process and row.name.partition(":")[0] == kind)
    return next((row.client for row in others), "")


def _observers(view: View, sessions: tuple[str, ...], principal: Principal) -> tuple[Observer, ...]:
    """Who watches these sessions; of those that are over, only the first."""
    rows = [
        row
        for row in (view.get(Session, id) for id in sessions[:MAX_SESSIONS_OF_CONVERSATION])
        if row and row.witness == "observed"
    ]
    living = [row for row in rows if not view.is_over(row)] or rows[:1]
    return tuple(observer(view, row, principal) for row in living[:SHOWN])


def observer(view: View, row: Session, principal: Principal) -> Observer:
    """Who watches in a session, as it stands now."""
    alive, heard = not view.is_over(row), _heard(view, row)
    asks = row.name == principal.conversation if principal.conversation else is_session_of_client(row, principal.client)
    expected = view.now() if asks else _acted_at(view, row) if view.now() - heard > QUIET else heard
    return Observer(
        session=row.id,
        client=row.client,
        conversation=row.name,
        alive=alive,
        heard=times.iso(heard),
        silent_for=times.age(view.now() - heard),
        silent=alive and row.session_kind == "client" and expected - heard > QUIET,
    )


def _heard(view: View, row: Session) -> int:
    """Each word of a hook renews its session, so the lease tells when the last one came. A process renews by itself."""
    lease = view.lease(row.id) if row.session_kind == "client" else None
    if lease:
        return lease.expires - int(lease.seconds * 1_000_000)
    newest = view.find(Action, Select(where={"session": row.id}, limit=1))
    return max([row.at, *(max(action.at, action.ended_at) for action in newest)])


def _acted_at(view: View, row: Session) -> int:
    """When the agent of the same conversation last said that it calls a tool, or was seen to by its gateway alone; or
    when it last told the journal anything, which it does by a call."""
    others = tuple(
        id for id in (*sessions_of_conversation(view, row.id), *observers_of_same_agent(view, row)) if id != row.id
    )
    found = view.find(Action, Select(where={"session": others}, limit=SHOWN)) if others else []
    alone = (action for action in found if not action.call or (action.gateway_session and not action.hook_session))
    newest = view.entries(limit=NEWEST, newest_first=True) if others else []
    told = (entry.at for entry in newest if entry.session in others and entry.witness == "claimed" and _is_said(entry))
    return max((*(action.at for action in alone), *told), default=0)


def _is_said(entry: Entry) -> bool:
    """Whether it is an agent's word: a session begins and ends by itself."""
    return entry.actor.kind == "agent" and not isinstance(entry.facts, SessionOpened | SessionEnded)


def _seen(view: View, row: Session, principal: Principal) -> Seen:
    begun, ended, in_doubt = counted(view, row)
    stepless = view.count(Action, "execution", {"session": row.id, "step": ""})
    planned = [view.get(Execution, id) for id in stepless]
    return Seen(
        observer=observer(view, row, principal),
        begun=begun,
        ended=ended,
        joined=_joined(view, row),
        in_doubt=in_doubt,
        unplanned=sum(stepless[row.id] for row in planned if row and row.plan_id),
    )


def _joined(view: View, row: Session) -> int:
    """How many of the newest calls of other witnesses were seen in a session too."""
    others = tuple(
        id for id in (*sessions_of_conversation(view, row.id), *observers_of_same_agent(view, row)) if id != row.id
    )
    found = view.find(Action, Select(where={"session": others}, limit=JOINED)) if others else []
    return sum(row.id in (action.gateway_session, action.hook_session) for action in found)


def counted(view: View, row: Session) -> tuple[int, int, int]:
    """How many calls of a session were seen begun, seen ended, and are in doubt."""
    states = view.count(Action, "state", {"session": row.id})
    doubtful = ("doubted", "unknown", "open") if view.is_over(row) else ("doubted", "unknown")
    ended = sum(states.get(word, 0) for word in ("ok", "failed", "skipped"))
    return sum(states.values()), ended, sum(states.get(word, 0) for word in doubtful)
