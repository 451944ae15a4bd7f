"""From what a caller wrote to the thing that is meant, or an error that names what exists."""

from typing import TypeVar

from tallystick.core import entries
from tallystick.core.errors import AmbiguousExecution, UnknownHandle
from tallystick.core.state import Action, Approval, Execution, Plan, Row, Session
from tallystick.store.interface import Select, View, WhereValue
from tallystick.store.liveness import process_name, process_start_ticks

R = TypeVar("R", bound=Row)

OPEN_STATUSES = ("running", "paused", "blocked", "unwinding")
"""The statuses of an execution that has not ended."""
MAX_HANDLES_SHOWN = 5
MAX_EXECUTIONS_SCANNED = 20
"""How many open executions are looked at, the newest first."""
MAX_SESSIONS_OF_CONVERSATION = 20
"""How many sessions of a conversation are looked at, the newest first."""
OBSERVER_SESSIONS: dict[str, WhereValue] = {"witness": ("observed",)}
"""The sessions of those who watch: hooks, gateways and adapters."""
MAX_OBSERVERS_SCANNED = 64
"""How many of them are looked at to find whom they watch."""
_BEGIN: dict[str, type[Row]] = {
    entries.PLAN: Plan,
    entries.EXECUTION: Execution,
    entries.ACTION: Action,
    entries.APPROVAL: Approval,
    entries.SESSION: Session,
}
_NOUNS: dict[type[Row], str] = {
    Plan: "plan",
    Execution: "execution",
    Action: "action",
    Approval: "approval",
    Session: "session",
}
_LISTS: dict[type[Row], str] = {
    Plan: "list_plans",
    Execution: "list_executions",
    Action: "read_entries",
    Approval: "list_approvals",
}
"""Where those are to be found that there are."""


def require_row(view: View, table: type[R], id: str, field: str) -> R:
    """The row of a handle, or UnknownHandle with up to five that exist, the newest first."""
    found = view.get(table, id)
    if found is not None:
        return found
    noun = _NOUNS[table]
    exist = [row.id for row in view.find(table, Select(limit=MAX_HANDLES_SHOWN))]
    hint = f"The newest are: {', '.join(exist)}." if exist else f"There is no {noun} in this journal yet."
    error = UnknownHandle(f'There is no {noun} "{id}".', hint=hint, field=field, allowed=exist)
    error.next_call = (_LISTS[table], {}) if table in _LISTS else None
    raise error


def check_handle_exists(view: View, id: str, field: str) -> None:
    """Refuse a handle of nothing that is, as its first letters tell what it should be of."""
    table = next((table for prefix, table in _BEGIN.items() if id.startswith(f"{prefix}_")), None)
    if table is not None:
        require_row(view, table, id, field)


def resolve_execution(view: View, execution_id: str | None, session: str) -> Execution:
    """The execution that is named, or the one that is open in the session, or else what its conversation has opened or
    taken up; what hooks have opened for it, only where there is nothing else."""
    if execution_id:
        return require_row(view, Execution, execution_id, "execution_id")
    own = _own(view, session) if session else []
    if len(own) == 1 and not _may_be_anothers(view, own[0], session):
        return own[0]
    choices = own or view.find(Execution, Select(where={"status": OPEN_STATUSES}, limit=MAX_HANDLES_SHOWN + 1))
    raise _unclear(own, choices)


def _own(view: View, session: str) -> list[Execution]:
    found = _opened_in(view, (session,))
    if found:
        return found
    together = sessions_of_conversation(view, session)
    rows = [row for row in _opened_in(view, together) if not row.working_session or row.working_session in together]
    return [row for row in rows if row.witness == "claimed"] or adopted_executions(view, together) or rows


def _may_be_anothers(view: View, execution: Execution, session: str) -> bool:
    """Whether a session may speak for another conversation than that which works on an execution: it is told none, and
    several are open where it was seen; or that which it was told at its start is over, and its client goes on with
    another one (`/clear`, `/resume`)."""
    mine = view.get(Session, session)
    if mine is None:
        return False
    if mine.name:
        seen = view.find(Session, Select(where={**OBSERVER_SESSIONS, "name": mine.name}, limit=1))
        went_on = _others_there(view, seen[0]) if seen and view.is_over(seen[0]) else []
        return any(execution.working_session not in sessions_of_conversation(view, row.id) for row in went_on)
    taker = view.get(Session, execution.working_session) if execution.working_session else None
    return taker is not None and bool(_others_there(view, taker))


def _others_there(view: View, seen: Session) -> list[Session]:
    """The other conversations that are open in the process in which one was seen."""
    near = (
        row
        for row in open_observer_sessions(view, MAX_OBSERVERS_SCANNED)
        if (row.host, row.process) == (seen.host, seen.process)
    )
    return [row for row in near if row.process and row.name != seen.name and not view.is_over(row)]


def open_observer_sessions(view: View, limit: int) -> list[Session]:
    """The open sessions of those who watch, the newest first, found among any number of others."""
    return view.find(Session, Select(where={**OBSERVER_SESSIONS, "status": "open"}, limit=limit))


def observers_of_process(view: View, processes: tuple[int, ...], kind: str = "") -> list[Session]:
    """Those who watch the client, maybe of one kind, that has started a process of this machine, by all that stand
    above it, the nearest first. Where a nearer one runs the same program, the one that is watched has started another,
    which nobody watches."""
    near = (
        row
        for row in open_observer_sessions(view, MAX_OBSERVERS_SCANNED)
        if row.process in processes and row.name.startswith(kind)
    )
    living = (row for row in near if row.process and row.process_started == process_start_ticks(row.process))
    rows = [row for row in living if not view.is_over(row)]
    client = min((row.process for row in rows), key=processes.index, default=0)
    nearer = processes[: processes.index(client)] if client else ()
    return [row for row in rows if row.process == client and process_name(client) not in map(process_name, nearer)]


def conversation_in_process(view: View, processes: tuple[int, ...], kind: str) -> str:
    """The one conversation of a kind of client that hooks see open in the client above; empty where they see none
    there, or several."""
    names = {row.name for row in observers_of_process(view, processes, f"{kind}:")}
    return names.pop() if len(names) == 1 else ""


def execution_to_read(view: View, execution_id: str | None, session: str, conversation: str = "") -> Execution | None:
    """For reading: the one named, else the open one of the session, else what its conversation has taken up or opened,
    else the last one of that, else the newest open one, else the newest. Who only reads has no session yet, but may be
    known to go on with a conversation. A session without a name may be of several: what ended there is nobody's own."""
    if execution_id:
        return require_row(view, Execution, execution_id, "execution_id")
    together = sessions_of_conversation(view, session, conversation)
    choices: tuple[dict[str, WhereValue], ...] = (
        {"session": together, "status": OPEN_STATUSES},
        {"session": together if has_conversation(view, session, conversation) else ()},
        {"status": OPEN_STATUSES},
        {},
    )
    own = _first(view, {"session": session, "status": OPEN_STATUSES}) or next(
        iter(adopted_executions(view, together)), None
    )
    return own or next(filter(None, (_first(view, where) for where in choices)), None)


def _first(view: View, where: dict[str, WhereValue]) -> Execution | None:
    """The newest such; none, where it is asked for no session."""
    found = [] if where.get("session") in ("", ()) else view.find(Execution, Select(where=where, limit=1))
    return found[0] if found else None


def adopted_executions(view: View, sessions: tuple[str, ...]) -> list[Execution]:
    """What others have opened and a conversation goes on with: it was seen to work on it, or has decided on it last."""
    rows = (
        view.find(Execution, Select(where={"status": OPEN_STATUSES}, limit=MAX_EXECUTIONS_SCANNED)) if sessions else []
    )
    others = (row for row in rows if row.witness == "claimed" and row.session not in sessions)
    return [row for row in others if row.working_session in sessions or _decided_in(view, row, sessions)]


def _decided_in(view: View, execution: Execution, sessions: tuple[str, ...]) -> bool:
    """Whether the last decision on an execution was made in one of some sessions."""
    decided = view.entry(execution.decision_seq) if execution.decision_seq else None
    return decided is not None and decided.session in sessions


def has_conversation(view: View, session: str, conversation: str) -> bool:
    """Whether it is known in which conversation somebody asks."""
    known = view.get(Session, session) if session else None
    return bool(known.name if known else conversation)


def _opened_in(view: View, sessions: tuple[str, ...]) -> list[Execution]:
    where: dict[str, WhereValue] = {"session": sessions, "status": OPEN_STATUSES}
    return view.find(Execution, Select(where=where, limit=MAX_HANDLES_SHOWN + 1)) if sessions else []


def sessions_of_conversation(view: View, session: str, name: str = "") -> tuple[str, ...]:
    """The sessions by the same name: an agent that was cut off goes on in a new session of the same conversation."""
    known = view.get(Session, session) if session else None
    name = known.name if known else name
    if not name:
        return (session,) if session else ()
    return tuple(row.id for row in view.find(Session, Select(where={"name": name}, limit=MAX_SESSIONS_OF_CONVERSATION)))


def _unclear(own: list[Execution], choices: list[Execution]) -> AmbiguousExecution | UnknownHandle:
    names = [execution.id for execution in choices[:MAX_HANDLES_SHOWN]]
    listed = ", ".join(names) + (" and more" if len(choices) > MAX_HANDLES_SHOWN else "")
    if own:
        return AmbiguousExecution(
            f"Several conversations or executions are open in this session: {listed}.",
            hint="Make the same call with the execution_id that you mean.",
            field="execution_id",
            allowed=names,
            next_call=("list_executions", {}),
        )
    if names:  # what is open is to be taken up, not begun again
        return UnknownHandle(
            "This session has no open execution, and none was named.",
            hint=f"Make the same call with execution_id: open are {listed}.",
            field="execution_id",
            allowed=names,
            next_call=("get_brief", {"execution_id": names[0]}),
        )
    return UnknownHandle(
        "There is no open execution.",
        hint="Start one.",
        field="execution_id",
        next_call=("record_execution_start", {}),
    )
