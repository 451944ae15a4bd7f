"""Sessions: one agent's process or conversation, with a lease."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from tallystick.core import spans
from tallystick.core.entries import Draft, Entry, SessionOpened
from tallystick.core.errors import WrongState
from tallystick.core.model import Handle, Key, Name, SessionKind
from tallystick.core.state import Action, Session
from tallystick.operations.desk import Desk, Sheet
from tallystick.operations.handles import SESSIONS, known
from tallystick.operations.operation import operation
from tallystick.operations.paging import Cursor, Limit, Page, Since, page
from tallystick.operations.presence import UNSETTLED, end_session_in, look_around, open_actions
from tallystick.operations.receipts import Receipt, SessionReceipt, receipt_of
from tallystick.store.port import Select, View
from tallystick.store.presence import process_started

Lease = Annotated[float, Meta(gt=0, le=3.2e9, description="How long it counts as alive without a word")]


class SessionView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`alive` is as of now. `over_because` is ended, gone or lapsed."""

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


class SessionPage(Page, frozen=True, kw_only=True):
    sessions: tuple[SessionView, ...]


@operation("record", "POST /v1/sessions", example={"name": "release-agent", "lease_seconds": 3600})
def open_session(
    desk: Desk,
    *,
    kind: Annotated[Literal["handle", "client"], Meta(description="client: over when `process` is gone")] = "handle",
    name: Annotated[str, Meta(max_length=200, description="Finds the same session again while it lives")] = "",
    client: Annotated[str, Meta(max_length=200, description="The program, e.g. claude-code")] = "",
    process: Annotated[int, Meta(ge=0, description="With client: the process to watch")] = 0,
    lease_seconds: Lease | None = None,
    seen_at: Annotated[str, Meta(max_length=40, description="With process: when it was heard, if before now")] = "",
    key: Key | None = None,
) -> SessionReceipt:
    """Open a session and get its handle; name it on later calls.

    When it is over, by its end, by the death of its process or because its lease ran out, what it left open is
    in doubt. Opening one by the name of a session that lives renews that one.
    """
    seconds = lease_seconds or desk.settings.lease_seconds
    label, program = desk.name(name), desk.name(client)
    heard = spans.parse_time(seen_at, "seen_at") if seen_at and process else 0

    def work(sheet: Sheet) -> Entry:
        ledger = sheet.ledger
        look_around(sheet)
        known_one = _named(ledger, label, kind, process) if label else None
        if known_one is not None:
            lease = ledger.lease(known_one.id)
            if not heard or lease is None or lease.expires < heard + int(seconds * 1_000_000):
                ledger.renew(known_one.id, seconds, heard)
            found = ledger.entry(known_one.seq)
            assert found is not None
            return found
        host = desk.store.claim()[0] if kind == "client" else ""
        facts = SessionOpened(
            session_kind=kind,
            client=program,
            name=label,
            host=host,
            process=process,
            process_started=process_started(process) if process else 0,
        )
        draft = Draft(
            facts=facts, actor=desk.asker.actor, witness=desk.asker.witness, key=sheet.key, digest=sheet.digest
        )
        entry = ledger.append(draft)
        ledger.renew(entry.id, seconds, heard)
        return entry

    return desk.record(key, ["session", kind, name, client, process, seconds], work, _described)


@operation("record", "POST /v1/sessions/{session_id}/lease", example={"session_id": "se_a1qz"})
def renew_session(
    desk: Desk, *, session_id: Handle, lease_seconds: Lease | None = None, key: Key | None = None
) -> SessionReceipt:
    """Let a session count as alive for longer. Every record in it does that too; doing it twice does no more."""

    def work(sheet: Sheet) -> SessionReceipt:
        session = known(sheet.ledger, Session, session_id, "session_id")
        if sheet.ledger.over(session):
            raise _over(session)
        lease = sheet.ledger.lease(session_id)
        sheet.ledger.renew(session_id, lease_seconds or (lease.seconds if lease else desk.settings.lease_seconds))
        entry = sheet.ledger.entry(session.seq)
        assert entry is not None
        return _described(sheet.ledger, receipt_of(entry))

    return desk.write(work)


@operation("record", "POST /v1/sessions/{session_id}/end", example={"session_id": "se_a1qz"})
def end_session(
    desk: Desk,
    *,
    session_id: Annotated[Handle | None, Meta(description="Your own when left out")] = None,
    reason: Annotated[str, Meta(max_length=200)] = "ended",
    key: Key | None = None,
) -> SessionReceipt:
    """End a session. What it left open is in doubt from now on; the answer says how many that are."""

    def work(sheet: Sheet) -> Entry:
        session = known(sheet.ledger, Session, session_id or desk.asker.session or desk.own.id, "session_id")
        if session.status != "open":
            raise _over(session)
        return end_session_in(
            sheet.ledger, session, desk.name(reason), desk.asker.actor, key=sheet.key, digest=sheet.digest
        )

    def describe(view: View, receipt: Receipt) -> SessionReceipt:
        doubted = view.find(Action, Select(where={"state": UNSETTLED, "session": receipt.id}, limit=1000))
        return SessionReceipt(**asdict(receipt), in_doubt=len(doubted))

    return desk.record(key, ["end", session_id, reason], work, describe)


@operation("read", "GET /v1/sessions", example={"status": "open"})
def list_sessions(
    desk: Desk,
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
        rows, cursor_next = page(view, Session, {"status": status, "name": name}, since, until, limit, cursor)
        shown = tuple(_view(view, row) for row in rows if actor in (None, row.actor))
        return SessionPage(sessions=shown, next_cursor=cursor_next)

    return desk.read(work)


def _named(view: View, name: str, kind: SessionKind, process: int) -> Session | None:
    """The session by a name that lives, of the same kind and process.

    One whose process is gone is meant as well by who names that process: then its last words come late.
    """
    for row in view.find(Session, Select(where={"name": name}, limit=SESSIONS)):
        if row.session_kind == kind and process in (0, row.process):
            started = process_started(process) if process else 0
            gone = process and (not started or started != row.process_started)
            return row if gone or not view.over(row) else None
    return None


def _view(view: View, row: Session) -> SessionView:
    lease, over = view.lease(row.id), view.over(row)
    lapsed = "lapsed" if row.session_kind == "handle" else "gone"
    return SessionView(
        id=row.id,
        kind=row.session_kind,
        alive=not over,
        opened=spans.iso(row.at),
        actor=row.actor,
        client=row.client,
        name=row.name,
        expires=spans.iso(lease.expires) if lease else "",
        ended=spans.iso(row.ended_at) if row.ended_at else "",
        over_because=(row.reason or lapsed) if over else "",
        open_actions=len(open_actions(view, row.id)),
    )


def _described(view: View, receipt: Receipt) -> SessionReceipt:
    lease = view.lease(receipt.id)
    return SessionReceipt(**asdict(receipt), expires=lease.expires if lease else 0)


def _over(session: Session) -> WrongState:
    return WrongState(f"The session {session.id} is over.", hint="Open a new one.", next_call=("open_session", {}))
