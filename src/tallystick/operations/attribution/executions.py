"""Decides to which execution a record, a read or an observed call belongs."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import json

from tallystick.core.entries import ExecutionStarted
from tallystick.core.errors import AmbiguousExecution, UnknownHandle
from tallystick.core.formats.visible import escape_line
from tallystick.core.redaction.masker import Masker
from tallystick.core.redaction.sanitize import cut_at_word
from tallystick.core.state import Execution, Plan, Session
from tallystick.core.tools import SeenTool
from tallystick.core.types import FINAL_STATUSES, Actor
from tallystick.operations.attribution.conversations import (
    MAX_EXECUTIONS_SCANNED,
    adopted_executions,
    ended_executions,
    has_conversation,
    sessions_of_conversation,
)
from tallystick.operations.attribution.steps import find_step
from tallystick.operations.attribution.undos import observed_undo
from tallystick.operations.runtime.correlation import (
    MAX_OBSERVERS_SCANNED,
    MAX_SESSIONS_OF_CONVERSATION,
    OBSERVER_SESSIONS,
    claimed_action_for,
    counterpart_sessions,
    observers_of_same_agent,
    open_observer_sessions,
)
from tallystick.operations.runtime.lookup import MAX_HANDLES_SHOWN, OPEN_STATUSES, require_row
from tallystick.store.interface import Select, View, WhereValue

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext, Transaction

ExecutionFilter = Callable[[Execution], bool]

MAX_ENTRIES_SCANNED = 50
"""Entries, the newest first, among which the last one of an execution is looked for."""
TITLE_CHARACTERS = 80
"""The length of a title that is taken from a prompt."""
_CUT_MASK = re.compile(r"\S*\[masked:[a-z0-9_]*$")


# ----------------------------------------------------------------------------------------------------------------------
# The execution of a record or a read that names none


def resolve_execution(view: View, execution_id: str | None, session: str) -> Execution:
    """The named execution, else the open one of the session, else the one that its conversation opened or adopted.

    An execution that hooks opened for it counts only where there is no other. Raises AmbiguousExecution or
    UnknownHandle where the execution is not clear.
    """
    if execution_id:
        return require_row(view, Execution, execution_id, "execution_id")
    own = _own_executions(view, session) if session else []
    if len(own) == 1 and not _may_be_of_other_conversation(view, own[0], session):
        return own[0]
    choices = own or view.find(Execution, Select(where={"status": OPEN_STATUSES}, limit=MAX_HANDLES_SHOWN + 1))
    raise _unresolved(view, session, own, choices)


def ended_in(view: View, session: str) -> str | None:
    """The newest execution of a session, if that has ended and the session has no open one."""
    last = _newest_execution(view, {"session": session})
    return last.id if last and last.status in FINAL_STATUSES and not _own_executions(view, session) else None


def executions_to_undo(view: View, execution_id: str | None, session: str) -> list[Execution]:
    """The executions in which a step that was undone is looked for: the named one; else the open one of the session,
    and those of its conversation that have ended."""
    if execution_id:
        return [resolve_execution(view, execution_id, session)]
    ended = ended_executions(view, sessions_of_conversation(view, session))
    try:
        return [resolve_execution(view, None, session), *ended]
    except UnknownHandle:
        return ended


def execution_to_read(view: View, execution_id: str | None, session: str, conversation: str = "") -> Execution | None:
    """For reads, the first of: the named execution; the open one of the session; one that its conversation adopted; an
    open one of the conversation; the conversation's last one; the newest open one; the one with the newest entry.

    A reader has no session yet, but may be known by its conversation. A session without a name may serve several
    conversations: an execution that ended there is not taken for the reader's own.
    """
    if execution_id:
        return require_row(view, Execution, execution_id, "execution_id")
    sessions = sessions_of_conversation(view, session, conversation)
    own = _newest_execution(view, {"session": session, "status": OPEN_STATUSES})
    own = own or next(iter(adopted_executions(view, sessions)), None)
    own = own or _newest_execution(view, {"session": sessions, "status": OPEN_STATUSES})
    if not own and has_conversation(view, session, conversation):
        own = _last_of_conversation(view, sessions)
    open_one = own or _newest_execution(view, {"status": OPEN_STATUSES})
    return open_one or _last_recorded(view) or _newest_execution(view, {})


def require_execution_to_read(context: "OperationContext", view: View, execution_id: str | None) -> Execution:
    """The same for a reader that shows one execution; raises UnknownHandle if there is none at all."""
    found = execution_to_read(view, execution_id, context.reader_session(view), context.principal.conversation)
    if found is None:
        raise UnknownHandle(
            "There is no execution in this journal yet.",
            hint="Start one with record_execution_start.",
            next_call=("record_execution_start", {"title": "..."}),
        )
    return found


def _newest_execution(view: View, where: dict[str, WhereValue]) -> Execution | None:
    """The newest that fits; None where `where` asks for no session."""
    found = [] if where.get("session") in ("", ()) else view.find(Execution, Select(where=where, limit=1))
    return found[0] if found else None


def _last_of_conversation(view: View, sessions: tuple[str, ...]) -> Execution | None:
    """The execution of a conversation that was worked on last."""
    rows = view.find(Execution, Select(where={"session": sessions}, limit=MAX_EXECUTIONS_SCANNED)) if sessions else []
    return max(rows, key=lambda row: row.last_seq, default=None)


def _last_recorded(view: View) -> Execution | None:
    """The execution of the newest entry that belongs to one; None if the last entries belong to none."""
    entries = view.entries(limit=MAX_ENTRIES_SCANNED, newest_first=True)
    rows = (view.get(Execution, entry.execution or entry.id) for entry in entries)
    return next(filter(None, rows), None)


def _own_executions(view: View, session: str) -> list[Execution]:
    found = _open_executions(view, (session,), MAX_HANDLES_SHOWN + 1)
    if found:
        return found
    sessions = sessions_of_conversation(view, session)
    rows = _open_executions(view, sessions, MAX_HANDLES_SHOWN + 1)
    free = [row for row in rows if not row.working_session or row.working_session in sessions]
    return [row for row in free if row.witness == "claimed"] or adopted_executions(view, sessions) or free


def _may_be_of_other_conversation(view: View, execution: Execution, session: str) -> bool:
    """Whether a session may serve another conversation than the one that works on an execution.

    Either the session received no conversation, and several are open where it was seen. Or the conversation that it
    received at its start is over, and its client continues with another one (`/clear`, `/resume`).
    """
    own = view.get(Session, session)
    if own is None:
        return False
    if own.name:
        seen = view.find(Session, Select(where={**OBSERVER_SESSIONS, "name": own.name}, limit=1))
        continued = _other_conversations_in_process(view, seen[0]) if seen and view.is_over(seen[0]) else []
        return any(execution.working_session not in sessions_of_conversation(view, row.id) for row in continued)
    adopter = view.get(Session, execution.working_session) if execution.working_session else None
    return adopter is not None and bool(_other_conversations_in_process(view, adopter))


def _other_conversations_in_process(view: View, seen: Session) -> list[Session]:
    """The other conversations that are open in the process in which one was seen."""
    observers = open_observer_sessions(view, MAX_OBSERVERS_SCANNED)
    near = (row for row in observers if (row.host, row.process) == (seen.host, seen.process))
    return [row for row in near if row.process and row.name != seen.name and not view.is_over(row)]


def _unresolved(
    view: View, session: str, own: list[Execution], choices: list[Execution]
) -> AmbiguousExecution | UnknownHandle:
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
    if names:  # an open execution is to be continued, not started again
        return UnknownHandle(
            "This session has no open execution, and none was named.",
            hint=f"Make the same call with execution_id: open are {listed}.",
            field="execution_id",
            allowed=names,
            next_call=("get_brief", {"execution_id": names[0]}),
        )
    last = _newest_execution(view, {"session": session})
    return UnknownHandle(
        f"There is no open execution: {last.id} is {last.status}." if last else "There is no open execution.",
        hint="New work needs a new one; to keep or undo something, name its execution_id." if last else "Start one.",
        field="execution_id",
        next_call=("record_execution_start", _plan_of_session(view, session) or {"title": "..."}),
    )


def _plan_of_session(view: View, session: str) -> dict[str, str]:
    """The newest plan, as an argument, if the session recorded it and it was not completed."""
    newest = view.find(Plan, Select(limit=1))
    if not newest or not session or newest[0].session != session or newest[0].status != "active":
        return {}
    completed: dict[str, WhereValue] = {"plan_id": newest[0].id, "status": "completed"}
    return {} if view.find(Execution, Select(where=completed, limit=1)) else {"plan_id": newest[0].id}


# ----------------------------------------------------------------------------------------------------------------------
# The execution of an observed call


def find_execution(view: View, session: str, actor: Actor, fits: ExecutionFilter | None = None) -> Execution | None:
    """The execution of work that was observed in a session: the first candidate that fits, else the first candidate."""
    first: Execution | None = None
    for execution in _candidates(view, session, actor):
        if fits is None or fits(execution):
            return execution
        first = first or execution
    return first


def _candidates(view: View, session: str, actor: Actor) -> Iterator[Execution]:
    """Executions that an observed call may belong to, in this order:

    1. those that the agent opened in the same conversation,
    2. those that it adopted there: it was seen to work on them, or decided on them after their opener had left,
    3. those of a counterpart observer, where it observes nobody else,
    4. those that a hook or the gateway opened for what it saw,
    5. the only one of a session without a conversation, since not every client sends its conversation.
    """
    sessions = sessions_of_conversation(view, session)
    rows = _open_executions(view, sessions, MAX_EXECUTIONS_SCANNED)
    own = [row for row in rows if not row.working_session or row.working_session in sessions]
    yield from _with_witness(own, "claimed")
    adopted = adopted_executions(view, sessions)
    yield from adopted
    newest = view.find(Execution, Select(where={"status": OPEN_STATUSES}, limit=MAX_EXECUTIONS_SCANNED))
    free = [row for row in newest if not row.working_session and _is_of_unnamed_session(view, row)]
    near: list[Execution] = []
    if free or not own:
        near = _open_executions(view, counterpart_sessions(view, session, actor), MAX_EXECUTIONS_SCANNED)
    yield from (row for row in near if row in free)
    yield from _with_witness([*own, *near], "observed")
    only = len(free) == 1 and len(newest) < MAX_EXECUTIONS_SCANNED and not (own or adopted or near)
    if only and not _is_opener_observed(view, free[0]):
        yield free[0]


def _with_witness(rows: list[Execution], witness: str) -> list[Execution]:
    return [row for row in rows if row.witness == witness]


def _is_of_unnamed_session(view: View, execution: Execution) -> bool:
    """Whether an agent opened it in a living session that has no conversation."""
    session = view.get(Session, execution.session) if execution.witness == "claimed" else None
    return session is not None and not session.name and not view.is_over(session)


def _is_opener_observed(view: View, execution: Execution) -> bool:
    """Whether hooks observe the session that opened an execution: then the unobserved work is somebody else's."""
    opener = view.get(Session, execution.session)
    return opener is not None and bool(observers_of_same_agent(view, opener))


def find_or_open_execution(transaction: "Transaction", fits: ExecutionFilter | None = None) -> Execution:
    """The same, or a new execution when there is none. What comes after the end of a session belongs to the execution
    that was closed with it."""
    principal, view = transaction.context.principal, transaction.ledger
    found = find_execution(view, transaction.session, principal.actor, fits) or _closed_with(view, transaction.session)
    if found is not None:
        return found
    fallback = f"Observed: {principal.client or principal.actor.name or principal.actor.kind}"
    title = transaction.context.body(title=_title_by_prompt(view, transaction.session) or fallback)
    entry = transaction.write_ahead(ExecutionStarted(), title)
    opened = transaction.ledger.get(Execution, entry.id)
    assert opened is not None
    return opened


def _closed_with(view: View, session: str) -> Execution | None:
    row = view.get(Session, session)
    return (
        _newest_execution(view, {"session": session, "status": ("closed",)}) if row and row.status == "ended" else None
    )


def _title_by_prompt(view: View, session: str) -> str:
    """The first prompt of a person in a conversation, in one line; empty if none was seen, or it was erased.

    The text is cut after it was masked: nobody recognizes half a secret as one.
    """
    row = view.get(Session, session)
    same = Select(where={"name": row.name}, newest_first=False, limit=MAX_SESSIONS_OF_CONVERSATION) if row else None
    rows = view.find(Session, same) if row and same and row.name else filter(None, [row])
    seq = next((each.prompt_seq for each in rows if each.prompt_seq), 0)
    body = view.bodies([seq]).get(seq) if seq else None
    line = escape_line(json.decode(body).get("summary", "")) if body else ""
    if len(line) <= TITLE_CHARACTERS:
        return line
    return _CUT_MASK.sub("", cut_at_word(line, TITLE_CHARACTERS)).rstrip() + "…"


def fit_of_call(
    view: View, masker: Masker, tool: SeenTool, arguments: Any, *, was_made: bool = False
) -> ExecutionFilter:
    """A filter for executions in which a call is a planned step, an undo, or an announced action."""

    def fits(execution: Execution) -> bool:
        return bool(
            (execution.plan_id and find_step(view, masker, execution, tool, arguments, was_made=was_made))
            or observed_undo(view, masker, execution, tool, arguments)
            or claimed_action_for(view, execution, tool, arguments)
        )

    return fits


def _open_executions(view: View, sessions: tuple[str, ...], limit: int) -> list[Execution]:
    where: dict[str, WhereValue] = {"session": sessions, "status": OPEN_STATUSES}
    return view.find(Execution, Select(where=where, limit=limit)) if sessions else []
