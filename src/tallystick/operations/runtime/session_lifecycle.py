"""In which session something is recorded, and noticing that other sessions are over.

A process opens its session with its first record, in the same commit. Now and then, whoever writes also looks
whether other sessions are over, ends them in the journal and marks their open actions as in doubt; readers compute
the same at once, so nothing waits for it.
"""

from typing import TYPE_CHECKING

from tallystick.core.entries import ActionDoubted, Draft, Entry, SessionEnded, SessionOpened
from tallystick.core.errors import UnknownHandle, WrongState, journal_closed_error
from tallystick.core.state import Action, IdempotencyKey, Session
from tallystick.core.types import Actor
from tallystick.store.forks import process_id
from tallystick.store.interface import Ledger, Select, View, WhereValue
from tallystick.store.liveness import process_start_ticks

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import Transaction

UNSETTLED = ("open", "doubted", "unknown")
"""The states of an action that nobody has settled, in the order of the index over them."""
LOOK_EVERY_MICROSECONDS = 1_000_000
"""Microseconds between two looks for sessions that are over."""
MAX_SESSIONS_CHECKED = 64
PROCESS_LEASE_SECONDS = 60.0
"""Seconds that a process counts as alive from another machine, which cannot see its lock; a heartbeat renews it."""
RENEW_AFTER_MICROSECONDS = 5_000_000
"""Microseconds after which a word in a session renews its lease, or a hundredth of the lease if that is less. The
lease also gives the time of an observer's last event, so this is well below `coverage.MAX_SILENCE_MICROSECONDS`."""
JOURNAL_ACTOR = Actor(kind="runner", name="tallystick")
"""Who says what the journal itself noticed."""


class OwnSession:
    """The session of this process, if it has one yet."""

    def __init__(self) -> None:
        self.id = ""
        self.lock = 0
        self.process = 0
        self.renewed = 0
        self.looked = 0
        self.looked_seq = 0
        self.looked_at = ""
        self.over = False


def session_for(transaction: "Transaction") -> str:
    """The id of the session to write in: the one the asker names, or the process's own."""
    context, ledger = transaction.context, transaction.ledger
    now, own = ledger.now(), context.own
    # A journal that is shorter than it was: what was noticed then was not kept, since the record was refused.
    if not 0 <= now - own.looked < LOOK_EVERY_MICROSECONDS or ledger.head().seq < own.looked_seq:
        end_dead_sessions(transaction)
    if context.principal.session:
        return _given(transaction, context.principal.session)
    if context.principal.session_key:
        return session_of_key(ledger, context.principal.session_key) or _opened_apart(transaction)
    known = ledger.get(Session, own.id) if own.id and own.process == process_id() else None
    if known is None or known.status != "open" or known.lock != own.lock:  # another's, if ours was refused
        return _opened(transaction)
    if now - own.renewed > PROCESS_LEASE_SECONDS * 250_000:
        own.renewed = now
        ledger.renew(own.id, PROCESS_LEASE_SECONDS)
    return own.id


def session_of_key(view: View, key: str) -> str:
    """The session that was opened under a key; empty when none was."""
    known = view.get(IdempotencyKey, key)
    opened = view.entry(known.seq) if known else None
    return opened.id if opened and isinstance(opened.facts, SessionOpened) else ""


def _opened_apart(transaction: "Transaction") -> str:
    """A session for one of several whom this process serves: it ends with the process."""
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


def _given(transaction: "Transaction", id: str) -> str:
    ledger = transaction.ledger
    session = ledger.get(Session, id)
    if session is None:
        raise UnknownHandle(
            f'There is no session "{id}".', hint="Open one with open_session.", next_call=("open_session", {})
        )
    if ledger.is_over(session):
        if transaction.context.principal.witness == "observed":
            return id  # what was seen did happen, and may be told late
        raise WrongState(
            f"The session {id} is over.",
            hint="Open a new one; what it left open is in doubt.",
            next_call=("open_session", {}),
        )
    if session.session_kind == "client" and session.process and transaction.context.principal.witness == "observed":
        return id  # its process tells that it lives; its lease tells when it was heard, and that is said with it
    lease = ledger.lease(id)
    if lease and lease.expires - ledger.now() < lease.seconds * 1_000_000 - min(
        lease.seconds * 10_000, RENEW_AFTER_MICROSECONDS
    ):
        ledger.renew(id, lease.seconds)  # by every call, but not each second
    return id


def _opened(transaction: "Transaction") -> str:
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
    ledger.renew(entry.id, PROCESS_LEASE_SECONDS)
    transaction.context.store.heartbeat(transaction.context.journal, entry.id, lock, PROCESS_LEASE_SECONDS)
    own.id, own.lock, own.process, own.renewed = entry.id, lock, process_id(), ledger.now()
    return own.id


def end_dead_sessions(transaction: "Transaction") -> None:
    """End the sessions that are over, and doubt what they left open. Once a second at most, a few at a time."""
    own, ledger = transaction.context.own, transaction.ledger
    where = Select(where={"status": "open"}, newest_first=False, after=own.looked_at, limit=MAX_SESSIONS_CHECKED)
    found = ledger.find(Session, where)
    for session in found:
        if session.id != own.id and ledger.is_over(session):
            end_session_in(ledger, session, "lapsed" if session.session_kind == "handle" else "gone", JOURNAL_ACTOR)
    own.looked, own.looked_seq = ledger.now(), ledger.head().seq
    own.looked_at = found[-1].id if len(found) == MAX_SESSIONS_CHECKED else ""  # so that all get their turn


def end_session_in(
    ledger: Ledger, session: Session, reason: str, actor: Actor, *, key: str = "", digest: str = ""
) -> Entry:
    """Write that a session has ended, and that its open actions are in doubt."""
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
    for action in (*open_actions(ledger, session.id), *_left_in(ledger, session)):
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
    return ended


def open_actions(view: View, session: str, limit: int = 10_000) -> list[Action]:
    """The actions that a session has begun and not ended."""
    where: dict[str, WhereValue] = {"state": UNSETTLED, "session": session}
    found = view.find(Action, Select(where=where, newest_first=False, limit=limit))
    return [action for action in found if action.state == "open"]


def _left_in(view: View, session: Session) -> list[Action]:
    """The open calls of others that went through a gateway which is gone."""
    if session.witness != "observed":
        return []
    where: dict[str, WhereValue] = {"state": UNSETTLED}
    found = view.find(Action, Select(where=where, newest_first=False, limit=10_000))
    return [row for row in found if row.state == "open" and row.gateway_session == session.id != row.session]


def is_in_doubt(view: View, action: Action, over: dict[str, bool] | None = None) -> bool:
    """Whether nobody knows what came of it: an unknown outcome, or no end and its session is over, or that of the
    gateway which it went through."""
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
