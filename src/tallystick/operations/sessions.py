"""Sessions of agents and observers, and notes on what a harness saw in them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from tallystick.core.entries import Draft, Entry, SessionNoted, SessionOpened
from tallystick.core.errors import InvalidArgument, WrongState
from tallystick.core.formats import times
from tallystick.core.state import UNSETTLED, Action, Execution, Session
from tallystick.core.types import JSON, Handle, Key, Name, SessionEvent, SessionKind
from tallystick.operations.attribution.executions import find_execution
from tallystick.operations.runs import offer_of
from tallystick.operations.runtime.correlation import MAX_SESSIONS_OF_CONVERSATION
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction, receipt_only
from tallystick.operations.runtime.paging import Cursor, Limit, Page, Since, find_page
from tallystick.operations.runtime.receipts import Receipt, SessionReceipt, receipt_of
from tallystick.operations.runtime.run_rights import check_session
from tallystick.operations.runtime.session_lifecycle import end_dead_sessions, end_session_in
from tallystick.store.interface import Select, View
from tallystick.store.liveness import process_start_ticks

Lease = Annotated[float, Meta(gt=0, le=3.2e9, description="How long it counts as alive without a word")]

MAX_UNSETTLED_READ = 1000
"""Unsettled actions of a session, the newest ones, of which the open ones are counted."""


class SessionView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`alive` is as of now. `over_because` is the reason of its end, or `gone` (process) or `lapsed` (lease).
    `silent_since`: a process that lives has given no sign of life since then: it is stopped, or stuck. `queues` and
    `tools` are what a worker serves and can call."""

    id: str
    kind: SessionKind
    alive: bool
    opened: str
    actor: str = ""
    client: str = ""
    name: str = ""
    expires: str = ""
    ended: str = ""
    over_because: str = ""
    open_actions: int = 0
    silent_since: str = ""
    queues: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


class SessionPage(Page, frozen=True, kw_only=True):
    sessions: tuple[SessionView, ...]


@operation("record", "POST /v1/sessions", example={"name": "release-agent", "lease_seconds": 3600})
def open_session(
    context: OperationContext,
    *,
    kind: Annotated[Literal["handle", "client"], Meta(description="client: over when `process` is gone")] = "handle",
    name: Annotated[str, Meta(max_length=200, description="Finds the same session again while it lives")] = "",
    client: Annotated[str, Meta(max_length=200, description="The program, e.g. claude-code")] = "",
    process: Annotated[int, Meta(ge=0, description="With client: the process to watch")] = 0,
    lease_seconds: Lease | None = None,
    seen_at: Annotated[str, Meta(max_length=40, description="With process: when it was seen, if before now")] = "",
    key: Key | None = None,
) -> SessionReceipt:
    """Open a session and get its handle; name it on later calls.

    When it is over, by its end, by the death of its process or because its lease ran out, what it left open is
    in doubt. Opening one by the name of a session that lives renews that one.
    """
    seconds = lease_seconds or context.settings.lease_seconds
    label, program = context.masked_name(name), context.masked_name(client)
    seen = times.parse_time(seen_at, "seen_at") if seen_at and process else 0

    def work(transaction: Transaction) -> Entry:
        ledger = transaction.ledger
        end_dead_sessions(transaction)
        living = _find_by_name(ledger, label, kind, process) if label else None
        if living is not None:
            lease = ledger.lease(living.id)
            if not seen or lease is None or lease.expires < seen + int(seconds * 1_000_000):
                ledger.renew(living.id, seconds, seen)
            opened = ledger.entry(living.seq)
            assert opened is not None
            return transaction.already_recorded(opened)
        host = context.store.claim_process_lock()[0] if kind == "client" else ""
        facts = SessionOpened(
            session_kind=kind,
            client=program,
            name=label,
            host=host,
            process=process,
            process_started=process_start_ticks(process) if process else 0,
        )
        draft = Draft(
            facts=facts,
            actor=context.principal.actor,
            witness=context.principal.witness,
            key=transaction.key,
            digest=transaction.digest,
        )
        entry = ledger.append(draft)
        ledger.renew(entry.id, seconds, seen)
        return entry

    return context.record(key, ["session", kind, name, client, process, seconds], work, _session_receipt)


@operation("record", "POST /v1/sessions/{session_id}/lease", example={"session_id": "se_a1qz"})
def renew_session(
    context: OperationContext, *, session_id: Handle, lease_seconds: Lease | None = None, key: Key | None = None
) -> SessionReceipt:
    """Let a session count as alive for longer. Every record in it does that too; doing it twice does no more."""

    def work(transaction: Transaction) -> SessionReceipt:
        session = require_row(transaction.ledger, Session, session_id, "session_id")
        if transaction.ledger.is_over(session):
            raise _session_over_error(session)
        lease = transaction.ledger.lease(session_id)
        transaction.ledger.renew(
            session_id, lease_seconds or (lease.seconds if lease else context.settings.lease_seconds)
        )
        entry = transaction.ledger.entry(session.seq)
        assert entry is not None
        return _session_receipt(transaction.ledger, receipt_of(entry))

    return context.write(work)


@operation("record", "POST /v1/sessions/{session_id}/end", example={"session_id": "se_a1qz"})
def end_session(
    context: OperationContext,
    *,
    session_id: Annotated[Handle | None, Meta(description="Your own when left out")] = None,
    reason: Annotated[str, Meta(max_length=200)] = "ended",
    key: Key | None = None,
) -> SessionReceipt:
    """End a session. Its open actions are in doubt from now on; the answer says how many there are."""

    def work(transaction: Transaction) -> Entry:
        session = require_row(
            transaction.ledger, Session, session_id or context.principal.session or context.own.id, "session_id"
        )
        if session.status != "open":
            raise _session_over_error(session)
        check_session(transaction, session)
        return end_session_in(
            transaction.ledger,
            session,
            context.masked_name(reason),
            context.principal.actor,
            key=transaction.key,
            digest=transaction.digest,
        )

    def describe(view: View, receipt: Receipt) -> SessionReceipt:
        doubted = view.find(Action, Select(where={"state": UNSETTLED, "session": receipt.id}, limit=1000))
        return SessionReceipt(**asdict(receipt), in_doubt=len(doubted))

    return context.record(key, ["end", session_id, reason], work, describe)


@operation("read", "GET /v1/sessions", example={"status": "open"})
def list_sessions(
    context: OperationContext,
    *,
    status: Literal["open", "ended"] | None = None,
    name: Annotated[Name | None, Meta(description="Only sessions that were opened by this name")] = None,
    actor: Name | None = None,
    since: Since = None,
    until: Since = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> SessionPage:
    """Sessions, the newest first, and whether each is alive."""

    def work(view: View) -> SessionPage:
        rows, cursor_next = find_page(view, Session, {"status": status, "name": name}, since, until, limit, cursor)
        shown = tuple(_session_view(view, row) for row in rows if actor in (None, row.actor))
        return SessionPage(sessions=shown, next_cursor=cursor_next)

    return context.read(work)


def session_named(context: OperationContext, name: str, client: str) -> str:
    """The living session of a name; it is opened if there is none."""

    def find(view: View) -> str:
        rows = view.find(Session, Select(where={"name": name, "status": "open"}, limit=1))
        return rows[0].id if rows and not view.is_over(rows[0]) else ""

    return context.read(find) or open_session(context, {"name": name, "client": client}).id


def _find_by_name(view: View, name: str, kind: SessionKind, process: int) -> Session | None:
    """The living session of a name, of the same kind and process.

    A caller that names a process which has ended means the session of that process: its last events come late.
    """
    for row in view.find(Session, Select(where={"name": name}, limit=MAX_SESSIONS_OF_CONVERSATION)):
        if row.session_kind == kind and process in (0, row.process):
            started = process_start_ticks(process) if process else 0
            has_ended = process and (not started or started != row.process_started)
            return row if has_ended or not view.is_over(row) else None
    return None


def _session_view(view: View, row: Session) -> SessionView:
    lease, over = view.lease(row.id), view.is_over(row)
    unsettled = view.find(Action, Select(where={"state": UNSETTLED, "session": row.id}, limit=MAX_UNSETTLED_READ))
    silent = view.silent_since(row) if not over and _is_runner(view, row, unsettled) else 0
    lapsed = "lapsed" if row.session_kind == "handle" else "gone"
    offer = None if over else offer_of(view, row)
    return SessionView(
        id=row.id,
        kind=row.session_kind,
        alive=not over,
        opened=times.iso(row.at),
        actor=row.actor,
        client=row.client,
        name=row.name,
        expires=times.iso(lease.expires) if lease else "",
        ended=times.iso(row.ended_at) if row.ended_at else "",
        over_because=(row.reason or lapsed) if over else "",
        open_actions=sum(action.state == "open" for action in unsettled),
        silent_since=times.iso(silent) if silent else "",
        queues=offer.queues if offer else (),
        tools=tuple(offer.tools) if offer else (),
    )


def _is_runner(view: View, row: Session, unsettled: list[Action]) -> bool:
    """Whether a process carries out runs, and so gives signs of life."""
    opened = view.entry(row.seq) if row.session_kind == "process" else None
    return opened is not None and "runner" in (opened.actor.kind, *(action.actor_kind for action in unsettled))


def _session_receipt(view: View, receipt: Receipt) -> SessionReceipt:
    lease = view.lease(receipt.id)
    return SessionReceipt(**asdict(receipt), expires=lease.expires if lease else 0)


def _session_over_error(session: Session) -> WrongState:
    return WrongState(f"The session {session.id} is over.", hint="Open a new one.", next_call=("open_session", {}))


@operation("record", "POST /v1/notes", example={"event": "compacted", "summary": "the conversation was shortened"})
def record_note(
    context: OperationContext,
    *,
    event: SessionEvent,
    summary: str = "",
    details: JSON = None,
    agent: Annotated[str, Meta(max_length=200, description="The sub-agent that it is about")] = "",
    call_id: Annotated[Key | None, Meta(description="The client's own id of the call that it is about")] = None,
    execution_id: Annotated[Handle | None, Meta(description="The execution that was taken up")] = None,
    seen_at: Annotated[str, Meta(max_length=40, description="When it was seen, if before now")] = "",
    key: Key | None = None,
) -> Receipt:
    """Record what was seen in a session and is no action: a prompt, a compaction, a sub-agent, a denial."""
    body = context.body(summary=summary, details=details, seen_at=seen_at)
    if (event == "took_up") is not bool(execution_id):
        raise InvalidArgument(
            "execution_id goes with the event took_up, and with no other.",
            hint="Give execution_id with the event took_up; leave it out with any other.",
            field="execution_id",
        )
    facts = SessionNoted(event=event, agent=context.masked_name(agent), call=context.masked_name(call_id))

    def work(transaction: Transaction) -> Entry:
        view = transaction.ledger
        if execution_id:
            execution: Execution | None = require_row(view, Execution, execution_id, "execution_id")
        else:
            execution = find_execution(view, transaction.session, transaction.context.principal.actor)
        return transaction.write(facts, id=transaction.session, execution=execution.id if execution else "", body=body)

    content = ["note", event, summary, details, agent, call_id, seen_at]
    return context.record(key, [*content, execution_id] if execution_id else content, work, receipt_only)
