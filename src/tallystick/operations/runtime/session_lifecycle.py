"""Opens and ends sessions, and decides which actions are in doubt because their session is over.

A process opens its session with its first record, in the same commit. From time to time a writer also ends sessions
that are over, and marks their open actions as in doubt. Readers compute the same at once, so nothing waits for it.
"""

from typing import TYPE_CHECKING

from msgspec import Struct

from tallystick.core.entries import ActionDoubted, Draft, Entry, ExecutionEnded, SessionEnded, SessionOpened
from tallystick.core.errors import UnknownHandle, WrongState, journal_closed_error
from tallystick.core.formats import times
from tallystick.core.state import UNSETTLED, Action, Execution, IdempotencyKey, Session
from tallystick.core.types import Actor
from tallystick.store.forks import current_process, process_id
from tallystick.store.interface import Ledger, Select, View, WhereValue
from tallystick.store.liveness import process_start_ticks

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import Transaction

LOOK_EVERY_MICROSECONDS = 1_000_000
"""Between two checks for sessions that are over."""
MAX_SESSIONS_CHECKED = 64
MAX_CLOSED_AT_ONCE = 100
"""Sessions of a conversation that ends, and executions that hooks opened in them."""
PROCESS_LEASE_SECONDS = 60.0
"""How long a process counts as alive from another machine, which cannot see its lock; a heartbeat renews it."""
RENEW_AFTER_MICROSECONDS = 5_000_000
"""A record in a session renews its lease after this, or after a hundredth of the lease if that is less. The
lease also gives the time of an observer's last event, so this is well below `coverage.MAX_SILENCE_MICROSECONDS`."""
JOURNAL_ACTOR = Actor(kind="runner", name="tallystick")
"""The actor of entries that the journal itself writes."""


class OwnSession:
    """The session of this process, if it has one yet. Its lease is settled when it is opened.

    `is_draining`: a drain is at work, which ends the sessions that are over when it has read what they spooled.
    """

    def __init__(self) -> None:
        self.id = ""
        self.lease_seconds = PROCESS_LEASE_SECONDS
        self.lock = 0
        self.process = 0
        self.renewed = 0
        self.looked = 0
        self.looked_seq = 0
        self.looked_at = ""
        self.over = False
        self.is_draining = False


def session_for(transaction: "Transaction") -> str:
    """The id of the session to write in: the one that the principal names, or the process's own."""
    context, ledger = transaction.context, transaction.ledger
    now, own = ledger.now(), context.own
    # A journal that is shorter than at the last check: that transaction was rolled back, with the ends that it wrote.
    if not 0 <= now - own.looked < LOOK_EVERY_MICROSECONDS or ledger.head().seq < own.looked_seq:
        end_dead_sessions(transaction)
    if context.principal.session:
        return _named_session(transaction, context.principal.session)
    if context.principal.session_key:
        return session_of_key(ledger, context.principal.session_key) or _open_client_session(transaction)
    known = ledger.get(Session, own.id) if own.id and own.process == current_process.id else None
    if (
        known is None or known.status != "open" or known.lock != own.lock
    ):  # not ours, if its transaction was rolled back
        return _open_own_session(transaction)
    if not 0 <= now - own.renewed <= own.lease_seconds * 250_000:
        own.renewed = now
        ledger.renew(own.id, own.lease_seconds)
    return own.id


def session_of_key(view: View, key: str) -> str:
    """The session that was opened under a key; empty when none was."""
    known = view.get(IdempotencyKey, key)
    opened = view.entry(known.seq) if known else None
    return opened.id if opened and isinstance(opened.facts, SessionOpened) else ""


def _open_client_session(transaction: "Transaction") -> str:
    """Open a session for one of several clients that this process serves: it ends with the process."""
    context, principal = transaction.context, transaction.context.principal
    facts = SessionOpened(
        session_kind="client",
        client=context.masked_name(principal.client),
        name=context.masked_name(principal.conversation),
        host=context.store.claim_process_lock()[0],
        process=process_id(),
        process_started=process_start_ticks(process_id()),
    )
    entry = transaction.ledger.append(Draft(facts=facts, actor=principal.actor, key=principal.session_key))
    transaction.ledger.renew(entry.id, context.settings.lease_seconds)
    return entry.id


def require_session(view: View, id: str) -> Session:
    """The session of a caller that names it."""
    session = view.get(Session, id)
    if session is None:
        raise UnknownHandle(
            f'There is no session "{id}".',
            hint="Open one with open_session.",
            field="session_id",
            next_call=("open_session", {}),
        )
    return session


def _named_session(transaction: "Transaction", id: str) -> str:
    ledger = transaction.ledger
    session = require_session(ledger, id)
    if ledger.is_over(session):
        if transaction.context.principal.witness == "observed":
            return id  # an observed call did happen, and may be reported late
        raise WrongState(
            f"The session {id} is over.",
            hint="Open a new one; what it left open is in doubt.",
            next_call=("open_session", {}),
        )
    if session.session_kind == "client" and session.process and transaction.context.principal.witness == "observed":
        return id  # its process shows that it lives; its lease shows when it was last active
    lease = ledger.lease(id)
    if lease and lease.expires - ledger.now() < lease.seconds * 1_000_000 - min(
        lease.seconds * 10_000, RENEW_AFTER_MICROSECONDS
    ):
        ledger.renew(id, lease.seconds)  # with every call, but not every second
    return id


def _open_own_session(transaction: "Transaction") -> str:
    own, ledger = transaction.context.own, transaction.ledger
    if own.over:
        raise journal_closed_error()
    host, lock = transaction.context.store.claim_process_lock()
    context, principal = transaction.context, transaction.context.principal
    facts = SessionOpened(
        session_kind="process",
        client=context.masked_name(principal.client),
        name=context.masked_name(principal.conversation),
        host=host,
        process=process_id(),
        lock=lock,
    )
    entry = ledger.append(Draft(facts=facts, actor=principal.actor, witness=principal.witness))
    ledger.renew(entry.id, own.lease_seconds)
    transaction.context.store.heartbeat(transaction.context.journal, entry.id, lock, own.lease_seconds)
    own.id, own.lock, own.process, own.renewed = entry.id, lock, process_id(), ledger.now()
    return own.id


def end_dead_sessions(transaction: "Transaction") -> None:
    """End the sessions that are over, and mark their open actions as in doubt; a limited number at a time."""
    own, ledger = transaction.context.own, transaction.ledger
    if own.is_draining:
        return
    where = Select(where={"status": "open"}, newest_first=False, after=own.looked_at, limit=MAX_SESSIONS_CHECKED)
    found = ledger.find(Session, where)
    for session in found:
        if session.id != own.id and ledger.is_over(session):
            end_or_finish_session(ledger, session)
    own.looked, own.looked_seq = ledger.now(), ledger.head().seq
    own.looked_at = found[-1].id if len(found) == MAX_SESSIONS_CHECKED else ""  # the next check continues there


def end_session_in(
    ledger: Ledger, session: Session, reason: str, actor: Actor, *, key: str = "", digest: str = ""
) -> Entry:
    """Append the end of a session and what follows from it: a doubt for each of its open actions, and the end of what
    hooks alone recorded."""
    ended = ledger.append(
        Draft(
            facts=SessionEnded(reason=reason),
            id=session.id,
            session=session.id,
            actor=actor,
            witness="observed",
            key=key,
            digest=digest,
        )
    )
    finish_session(ledger, session, reason)
    return ended


def finish_session(ledger: Ledger, session: Session, reason: str) -> None:
    """Append what follows from the end of a session: also for what was recorded in it after its end."""
    for action in (*open_actions(ledger, session.id), *_open_calls_through_gateway(ledger, session)):
        ledger.append(
            Draft(
                facts=ActionDoubted(reason=f"session {reason}"),
                id=action.id,
                session=session.id,
                execution=action.execution,
                actor=JOURNAL_ACTOR,
                witness="observed",
            )
        )
    if session.session_kind == "client" and session.witness == "observed":
        _close_observed_executions(ledger, session)


def end_or_finish_session(ledger: Ledger, session: Session) -> None:
    """End a session that is over; of one whose end is recorded, finish what was recorded since."""
    if session.status == "open":
        end_session_in(ledger, session, "lapsed" if session.session_kind == "handle" else "gone", JOURNAL_ACTOR)
    else:
        finish_session(ledger, session, session.reason)


def _close_observed_executions(ledger: Ledger, session: Session) -> None:
    """Close the executions that hooks alone recorded in a conversation, unless another session continues it.

    There is no verdict, and doubts stay. An execution in which an agent or a person took part stays as it is.
    """
    same = Select(where={"name": session.name}, limit=MAX_CLOSED_AT_ONCE)
    rows = [row for row in ledger.find(Session, same) if row.witness == "observed"] if session.name else [session]
    if any(row.id != session.id and row.session_kind == "client" and not ledger.is_over(row) for row in rows):
        return
    where: dict[str, WhereValue] = {"session": tuple(row.id for row in rows), "status": ("running",)}
    for execution in ledger.find(Execution, Select(where=where, limit=MAX_CLOSED_AT_ONCE)):
        if execution.witness != "observed" or execution.claimed or execution.pending:
            continue
        counts = (execution.actions, execution.undos)
        left = {
            "open": sum(count.get("open", 0) for count in counts),
            "in_doubt": sum(count.get(state, 0) for count in counts for state in ("doubted", "unknown")),
        }
        ledger.append(
            Draft(
                facts=ExecutionEnded(status="closed", left={name: count for name, count in left.items() if count}),
                id=execution.id,
                session=session.id,
                execution=execution.id,
                actor=JOURNAL_ACTOR,
                witness="observed",
            )
        )


def open_actions(view: View, session: str, limit: int = 10_000) -> list[Action]:
    """The actions that a session has begun and not ended."""
    where: dict[str, WhereValue] = {"state": UNSETTLED, "session": session}
    found = view.find(Action, Select(where=where, newest_first=False, limit=limit))
    return [action for action in found if action.state == "open"]


def _open_calls_through_gateway(view: View, session: Session) -> list[Action]:
    """The open actions of other sessions whose call went through the gateway of this session."""
    if session.witness != "observed":
        return []
    where: dict[str, WhereValue] = {"state": UNSETTLED}
    found = view.find(Action, Select(where=where, newest_first=False, limit=10_000))
    return [row for row in found if row.state == "open" and row.gateway_session == session.id != row.session]


def ended_at(view: View, session: Session) -> int:
    """When a session that is over ended, as far as it is known; 0 if it is not.

    A killed process was last known to live when its lease was renewed; the journal's own entry about it comes later.
    So does the entry about a conversation whose end was seen: its lease was renewed at its last event.
    """
    lease = view.lease(session.id)
    is_seen = lease is not None and session.session_kind == "client" and session.witness == "observed"
    if session.status == "ended" and session.reason not in ("gone", "lapsed") and not is_seen:
        return session.ended_at
    if lease is None:
        return 0
    expired = lease.expires if session.session_kind == "handle" else lease.expires - int(lease.seconds * 1_000_000)
    return min(expired, view.now())


class Silence(Struct, frozen=True):
    """A process that lives and gives no sign of life, and has something under way."""

    name: str
    process: int
    begun: int
    since: int

    @property
    def text(self) -> str:
        since = f"which has given no sign of life since {times.iso(self.since)}"
        return f"under way since {times.iso(self.begun)} in {self.name} (process {self.process}), {since}"


def find_silence(view: View, action: Action) -> Silence | None:
    """The silence about an open action of a runner. Other processes need not give a sign of life: an agent may think,
    or wait, for as long as it likes."""
    is_runner = action.state == "open" and action.actor_kind == "runner"
    session = view.get(Session, action.session) if is_runner else None
    since = view.silent_since(session, action.at) if session else 0
    if not session or not since:
        return None
    return Silence(session.name or session.client or session.id, session.process, action.at, since)


def is_in_doubt(view: View, action: Action, over: dict[str, bool] | None = None) -> bool:
    """Whether its outcome is unknown, or it has no end and its session, or that of its gateway, is over."""
    if action.state in ("doubted", "unknown"):
        return True
    if action.state != "open":
        return False
    cache = {} if over is None else over
    for id in filter(None, (action.session, action.gateway_session)):
        if id not in cache:
            session = view.get(Session, id)
            cache[id] = session is None or view.is_over(session)
    return cache[action.session] or cache.get(action.gateway_session, False)
