"""The operation get_coverage: how many calls hooks, gateways and adapters saw, and the time of their last event."""

from typing import Annotated

from msgspec import Meta, Struct

from tallystick.core.entries import Entry, SessionEnded, SessionOpened
from tallystick.core.formats import times
from tallystick.core.state import UNSETTLED, Action, Execution, Session
from tallystick.operations.attribution.conversations import observers_of_process, sessions_of_conversation
from tallystick.operations.runtime.correlation import (
    MAX_SESSIONS_OF_CONVERSATION,
    OBSERVER_SESSIONS,
    is_session_of_client,
    observers_of_same_agent,
    open_observer_sessions,
)
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.paging import Cursor, Limit, Page, find_merged, find_page
from tallystick.store.forks import process_id
from tallystick.store.interface import Select, View, WhereValue
from tallystick.store.liveness import process_ancestors

MAX_SILENCE_MICROSECONDS = 15_000_000
"""An observer that sent nothing for longer is silent, if its agent is known to call tools."""
MISSED_BEFORE_MICROSECONDS = 3_600_000_000
"""Events missed this long before the first entry of an execution may belong to it: hook events reach the journal later,
and a full disk delays them too."""
MAX_OBSERVERS = 3
MAX_SESSIONS_SCANNED = 100
"""Sessions of the conversations that took part in an execution, the newest first."""
MAX_CALLS_COUNTED = 10_000
MAX_CALLS_SCANNED = 1000
"""How many calls are read to see whether they were planned, or seen by others too, the newest first."""
MAX_ENTRIES_SCANNED = 32
"""How many entries are read to find the last one that an agent wrote."""
MAX_OBSERVERS_SCANNED = 20
"""How many observers of a journal are read, the newest first."""


class Coverage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Counts of the actions of one execution, and who observed them.

    - `silent_for`: the time since it was last worked on: what a person records about an agent's work does not count
    - `observers`: the hooks, gateways and adapters that observe the agent of this execution
    - `unobserved_client`: the caller's client, if hooks should observe this conversation and do not
    - `spool_behind`: bytes of hook events that are not in the journal yet
    - `missed`: events that were lost, for example on a full disk, since shortly before the execution began
    - `torn`: events of which only an incomplete record is left
    - `spool_problem`: why hooks cannot store events now
    """

    begun: int
    ended: int
    open: int
    unplanned: int
    silent_for: str
    observers: tuple["SessionObserver", ...] = ()
    unobserved_client: str = ""
    spool_behind: int = 0
    missed: int = 0
    torn: int = 0
    spool_problem: str = ""


class SessionObserver(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The observer of a session, and the time of its last event. `silent`: newer events were expected, so calls of the
    agent are no longer recorded."""

    session: str
    client: str = ""
    conversation: str = ""
    alive: bool = True
    last_event: str = ""
    silent_for: str = ""
    silent: bool = False


class SessionCoverage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The calls seen in one session. `joined` are calls that another witness saw first; they are counted there.

    Calls are counted up to 10,000, and `more` says that there are more. `joined`, `in_doubt` and `unplanned` count the
    newest 1000.
    """

    observer: SessionObserver
    begun: int = 0
    ended: int = 0
    joined: int = 0
    in_doubt: int = 0
    unplanned: int = 0
    more: bool = False


class CoveragePage(Page, frozen=True, kw_only=True):
    seen: tuple[SessionCoverage, ...]
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
            seen=tuple(_session_coverage(view, row, context.principal) for row in rows),
            spool_behind=context.principal.spool_behind,
            missed=context.principal.missed,
            missed_at=times.iso(context.principal.missed_at) if context.principal.missed_at else "",
            torn=context.principal.torn,
            spool_problem=context.principal.spool_problem,
            next_cursor=cursor_next,
        )

    return context.read(work)


def coverage_of(view: View, execution: Execution, principal: Principal) -> Coverage:
    """Return the coverage of one execution. The caller's own call counts as an event that hooks should have seen."""
    sessions = sessions_of_conversation(view, execution.session)
    own = view.get(Session, execution.session)
    if len(sessions) == 1 and not (own and own.witness == "observed"):  # an observed session's opener is its observer
        sessions += _observers_by_client(view, execution, own.client.lower() if own else "")
    for other in (*execution.sessions, execution.working_session):
        sessions += sessions_of_conversation(view, other) if other and other not in sessions else ()
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
        unobserved_client=unobserved_client(view, principal),
        spool_behind=principal.spool_behind,
        missed=principal.missed if principal.missed_at >= execution.at - MISSED_BEFORE_MICROSECONDS else 0,
        torn=principal.torn,
        spool_problem=principal.spool_problem,
    )


def _observers_by_client(view: View, execution: Execution, client: str) -> tuple[str, ...]:
    """Return living observers of the same client that were there during the execution.

    This is for clients that do not send their conversation. A `handle` session, as over REST, belongs to no client.
    """
    living = (row for row in open_observer_sessions(view, MAX_OBSERVERS_SCANNED) if not view.is_over(row))
    same_client = (row for row in living if row.session_kind != "handle" and is_session_of_client(row, client))
    return tuple(row.id for row in same_client if row.seq <= execution.last_seq)


def unobserved_client(view: View, principal: Principal) -> str:
    """Return the caller's client if hooks should report its conversation and do not: they were set up for it, or hooks
    of the client are known from other conversations."""
    conversation, expected = principal.conversation, principal.client if principal.expects_hooks else ""
    kind = conversation.partition(":")[0]
    where: dict[str, WhereValue] = {**OBSERVER_SESSIONS, "name": conversation}
    here = view.find(Session, Select(where=where, limit=MAX_SESSIONS_OF_CONVERSATION)) if kind else []
    if not (kind or expected) or any(row.process or expected for row in here):
        return ""
    # A client that continues an older conversation gives its server another name, so its process counts too.
    if observers_of_process(view, process_ancestors(process_id())):
        return ""
    if expected:
        living = (row for row in open_observer_sessions(view, MAX_OBSERVERS_SCANNED) if not view.is_over(row))
        return "" if any(is_session_of_client(row, expected.lower()) for row in living) else expected
    named = view.find(Session, Select(where={**OBSERVER_SESSIONS, "client": kind}, limit=MAX_OBSERVERS_SCANNED))
    # The part of a name before the colon may differ from the client, so the newest sessions are read too.
    newest = view.find(Session, Select(where=OBSERVER_SESSIONS, limit=MAX_OBSERVERS_SCANNED))
    others = (row for row in (*named, *newest) if row.process and row.name.partition(":")[0] == kind)
    return next((row.client for row in others), "")


def _observers(view: View, sessions: tuple[str, ...], principal: Principal) -> tuple[SessionObserver, ...]:
    """Return the observers of these sessions that live, the newest first; if all are over, only the newest."""
    found = (view.get(Session, id) for id in sorted(sessions, reverse=True)[:MAX_SESSIONS_SCANNED])
    rows = [row for row in found if row and row.witness == "observed"]
    living = [row for row in rows if not view.is_over(row)] or rows[:1]
    return tuple(describe_observer(view, row, principal) for row in living[:MAX_OBSERVERS])


def describe_observer(view: View, row: Session, principal: Principal) -> SessionObserver:
    """Return the observer of a session, with its state now."""
    alive, last_event = not view.is_over(row), _last_event_at(view, row)
    is_callers = (
        row.name == principal.conversation if principal.conversation else is_session_of_client(row, principal.client)
    )
    expected = view.now() if is_callers else last_event
    if not is_callers and view.now() - last_event > MAX_SILENCE_MICROSECONDS:
        expected = _last_call_at(view, row)
    return SessionObserver(
        session=row.id,
        client=row.client,
        conversation=row.name,
        alive=alive,
        last_event=times.iso(last_event),
        silent_for=times.age(view.now() - last_event),
        silent=alive and row.session_kind == "client" and expected - last_event > MAX_SILENCE_MICROSECONDS,
    )


def _last_event_at(view: View, row: Session) -> int:
    """Every hook event renews the session, so the lease gives the time of the last one. A process renews by itself."""
    lease = view.lease(row.id) if row.session_kind == "client" else None
    if lease:
        return lease.expires - int(lease.seconds * 1_000_000)
    newest = view.find(Action, Select(where={"session": row.id}, limit=1))
    return newest[0].ended_at or newest[0].at if newest else row.at


def _last_call_at(view: View, row: Session) -> int:
    """Return when the agent of this conversation last called a tool without being seen by this observer.

    Known from its own records, from its gateway alone, or from its calls to the journal.
    """
    others = _other_sessions(view, row)
    found = find_merged(view, Action, Select(where={"session": others}, limit=MAX_OBSERVERS)) if others else []
    unseen = (action for action in found if not action.call or (action.gateway_session and not action.hook_session))
    newest = view.entries(limit=MAX_ENTRIES_SCANNED, newest_first=True) if others else []
    claimed = (entry for entry in newest if entry.session in others and entry.witness == "claimed")
    written = (entry.at for entry in claimed if _is_by_agent(entry))
    return max((*(action.at for action in unseen), *written), default=0)


def _other_sessions(view: View, row: Session) -> tuple[str, ...]:
    """Return the other sessions of the same conversation, and the other observers of the same agent."""
    found = (*sessions_of_conversation(view, row.id), *observers_of_same_agent(view, row))
    return tuple(dict.fromkeys(id for id in found if id != row.id))


def _is_by_agent(entry: Entry) -> bool:
    """Whether the agent itself caused it: sessions open and end without a call of the agent."""
    return entry.actor.kind == "agent" and not isinstance(entry.facts, SessionOpened | SessionEnded)


def _session_coverage(view: View, row: Session, principal: Principal) -> SessionCoverage:
    begun = view.count(Action, {"session": row.id}, MAX_CALLS_COUNTED + 1)
    unsettled = view.find(Action, Select(where={"state": UNSETTLED, "session": row.id}, limit=MAX_CALLS_SCANNED))
    is_over = view.is_over(row)
    newest = view.find(Action, Select(where={"session": row.id}, limit=MAX_CALLS_SCANNED))
    executions = {id: view.get(Execution, id) for id in {action.execution for action in newest}}
    return SessionCoverage(
        observer=describe_observer(view, row, principal),
        begun=min(begun, MAX_CALLS_COUNTED),
        ended=min(begun, MAX_CALLS_COUNTED) - len(unsettled),
        joined=_count_joined(view, row),
        in_doubt=sum(is_over or action.state != "open" for action in unsettled),
        unplanned=sum(action.is_unplanned(executions[action.execution]) for action in newest),
        more=begun > MAX_CALLS_COUNTED,
    )


def _count_joined(view: View, row: Session) -> int:
    """Count the newest calls of other witnesses that this session saw too."""
    others = _other_sessions(view, row)
    found = find_merged(view, Action, Select(where={"session": others}, limit=MAX_CALLS_SCANNED)) if others else []
    return sum(row.id in (action.gateway_session, action.hook_session) for action in found)
