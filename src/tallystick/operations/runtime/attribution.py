"""Decides to which execution, step and conversation a record or an observed call belongs.

It also finds the observers of a process, and the conversation of the client that started it (`ClientConversation`).
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct, json

from tallystick.core import plans
from tallystick.core.entries import ExecutionStarted, StepFacts
from tallystick.core.errors import AmbiguousExecution, TallystickError, UnknownHandle, quote_words
from tallystick.core.formats import canonical_json
from tallystick.core.formats.visible import escape_line
from tallystick.core.redaction.masker import Masker
from tallystick.core.redaction.sanitize import cut_at_word
from tallystick.core.state import Action, Execution, Plan, Revision, Session, revision_id
from tallystick.core.tools import SeenTool, has_mask, is_general, same_call
from tallystick.core.types import FINAL_STATUSES, Actor
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
from tallystick.operations.runtime.progress import (
    NOT_UNDONE,
    describe_undo_list,
    progress_of,
    steps_of,
    undecided,
    undo_list_of,
)
from tallystick.protocol.meta import conversation_in_environment, is_not_claude_code
from tallystick.store.interface import Select, View, WhereValue
from tallystick.store.liveness import process_ancestors, process_name, process_start_ticks

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext, Transaction

ExecutionFilter = Callable[[Execution], bool]

MAX_EXECUTIONS_SCANNED = 20
"""Executions, the newest first."""
MAX_ENTRIES_SCANNED = 50
"""Entries, the newest first, among which the last one of an execution is looked for."""
MAX_UNDOS_COMPARED = 1000
"""Actions whose undo is compared with an observed call, from the start of the undo list."""
MAX_STEPS_NAMED = 5
MAX_ATTEMPTS_UNDONE = 100
"""Attempts at a step that a planned step undoes, the newest first."""
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
            or (execution.unwound and find_undone_action(view, masker, execution, tool, arguments))
            or claimed_action_for(view, execution, tool, arguments)
        )

    return fits


# ----------------------------------------------------------------------------------------------------------------------
# The step of an observed call, or the action that it undoes


_FAILED = ("failed", "decided")


def find_step(
    view: View,
    masker: Masker,
    execution: Execution,
    tool: SeenTool,
    arguments: Any,
    *,
    was_made: bool = False,
) -> StepFacts | None:
    """The step that a call carries out: one that is ready or failed first, then in the plan's order.

    A call `was_made` if it can no longer be held back. A retry carries out its step again. A step in doubt may not be
    retried, but a call that was made did.
    """
    retried = (*_FAILED, "in_doubt") if was_made else _FAILED
    steps = [step for step in steps_of(view, execution) if tool.is_named(step.tool)]
    if not steps:
        return None
    status = undecided(progress_of(view, execution.id))
    due = set(plans.ready_steps(steps_of(view, execution), status))
    due.update(name for name, word in status.items() if word in retried)
    waiting = [step for step in steps if status.get(step.id, "") in ("", "planned", *retried)]
    waiting.sort(key=lambda step: step.id not in due)
    stated = planned_arguments(view, execution)
    seen = _masked_arguments(masker, arguments)

    def fits(step: StepFacts) -> bool:
        call = stated.get(step.id, {})
        return same_call(seen, call) if call else _fits_by_name(execution, step, tool, seen, was_made=was_made)

    return next(filter(fits, waiting), None)


def _fits_by_name(
    execution: Execution, step: StepFacts, tool: SeenTool, seen: Mapping[str, Any], *, was_made: bool
) -> bool:
    """Whether a call is a step that states the same tool and no arguments.

    The name of a general tool tells nothing of its call. A call that was made is not taken for a step that cannot be
    undone, or that needs approval: that would hide that the step was not done, or was done unasked. A call that can
    be held back is taken for it, so that the rules hold it back. While an execution is unwound, other calls of a
    planned tool are clean-up work.
    """
    if is_general(tool.name):
        return False
    if not seen:
        return True
    is_guarded = step.needs_approval or step.cancellable == "irreversible"
    return not execution.unwound and not (was_made and is_guarded)


def find_undone_action(view: View, masker: Masker, execution: Execution, tool: SeenTool, arguments: Any) -> str:
    """The action that a call undoes, while an execution is unwound: the first one whose undo is this call."""
    seen = _masked_arguments(masker, arguments)
    for item in describe_undo_list(view, list(islice(undo_list_of(view, execution), MAX_UNDOS_COMPARED))):
        undo = item.undo if item.state in ("not_undone", "failed") else None
        if undo and tool.is_named(undo.tool) and _is_stated_call(seen, undo.arguments):
            return item.action_id
    return ""


def attempts_to_undo(view: View, execution: Execution, step: StepFacts) -> tuple[str, ...]:
    """The attempts, the newest first, at the step that a step undoes, as far as they are not undone."""
    if not step.undoes:
        return ()
    where: dict[str, WhereValue] = {"execution": execution.id, **NOT_UNDONE, "step": step.undoes}
    return tuple(row.id for row in view.find(Action, Select(where=where, limit=MAX_ATTEMPTS_UNDONE)))


def _masked_arguments(masker: Masker, arguments: Any) -> dict[str, Any]:
    """The arguments as a plan stores them."""
    masked = masker.mask(arguments or {})
    return masked if isinstance(masked, dict) else {}


def _is_stated_call(seen: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Whether the arguments are those of an undo, or of a step while it is unwound. One without arguments is a call
    without any: else every command of a shell would fit."""
    return same_call(seen, stated) if stated else not seen


class _StepText(Struct):
    id: str
    arguments: dict[str, Any] = {}


class _PlanText(Struct):
    """The part of a plan's body that is decoded: a plan of 10,000 steps is read for each call."""

    steps: list[_StepText] = []


def planned_arguments(view: View, execution: Execution) -> dict[str, dict[str, Any]]:
    """The arguments of each step as the plan stores them, with secrets masked."""
    revision = view.get(Revision, revision_id(execution.plan_id, execution.revision))
    body = view.bodies([revision.seq]).get(revision.seq) if revision else None
    return {step.id: step.arguments for step in json.decode(body, type=_PlanText).steps} if body else {}


# ----------------------------------------------------------------------------------------------------------------------
# The step of a claimed call that names none, or the action that it undoes: only the very call counts


def step_of_call(
    view: View, masker: Masker, execution: Execution, tool: str, arguments: dict[str, Any] | None
) -> StepFacts | None:
    """The only step that is due and plans exactly this call. A call without recorded arguments may be any."""
    due, _ = _steps_with_call(view, masker, execution, tool, arguments)
    is_exact = arguments is not None and not has_mask(masker.mask(arguments))
    return due[0] if is_exact and len(due) == 1 else None


def note_on_steps(view: View, masker: Masker, execution: Execution, tool: str, arguments: dict[str, Any] | None) -> str:
    """What to say of an unplanned call that may be a step; empty if it is none."""
    due, later = _steps_with_call(view, masker, execution, tool, arguments)
    if due:
        return f"It counts as unplanned. If it is step {_names(due)}, name that in `step`."
    return f"It is the call of step {_names(later)}, which is not due: it counts as unplanned." if later else ""


def undone_by_call(
    view: View, masker: Masker, execution: Execution, tool: str, arguments: dict[str, Any] | None
) -> str:
    """The first action on the undo list whose undo is exactly this call; empty if there is none."""
    items = describe_undo_list(view, list(islice(undo_list_of(view, execution), MAX_UNDOS_COMPARED)))
    for item in items:
        undo = item.undo if item.state in ("not_undone", "failed") else None
        if undo and undo.tool == tool and not undo.missing and _is_same(masker, arguments, undo.arguments):
            return item.action_id
    return ""


def _steps_with_call(
    view: View, masker: Masker, execution: Execution, tool: str, arguments: dict[str, Any] | None
) -> tuple[list[StepFacts], list[StepFacts]]:
    """The steps that plan this call and are due, and those that wait for others."""
    planned = () if execution.unwound else steps_of(view, execution)
    steps = [step for step in planned if step.tool == tool]
    if not steps:
        return [], []
    status, stated = undecided(progress_of(view, execution.id)), planned_arguments(view, execution)
    ready = set(plans.ready_steps(planned, status))
    same = [step for step in steps if _is_same(masker, arguments, stated.get(step.id, {}))]
    due = [step for step in same if step.id in ready or status.get(step.id) in _FAILED]
    return due, [step for step in same if step not in due and status.get(step.id, "") in ("", "planned")]


def _is_same(masker: Masker, arguments: dict[str, Any] | None, stated: Mapping[str, Any]) -> bool:
    return canonical_json.canonical(masker.mask(arguments or {})) == canonical_json.canonical(dict(stated))


def _names(steps: Sequence[StepFacts]) -> str:
    return quote_words([step.id for step in steps[:MAX_STEPS_NAMED]])


# ----------------------------------------------------------------------------------------------------------------------
# Conversations


def sessions_of_conversation(view: View, session: str, name: str = "") -> tuple[str, ...]:
    """The sessions with the same name: an agent that was cut off continues its conversation in a new session."""
    row = view.get(Session, session) if session else None
    name = row.name if row else name
    if not name:
        return (session,) if session else ()
    rows = view.find(Session, Select(where={"name": name}, limit=MAX_SESSIONS_OF_CONVERSATION))
    return tuple(row.id for row in rows)


def has_conversation(view: View, session: str, conversation: str) -> bool:
    """Whether the conversation of a caller is known."""
    row = view.get(Session, session) if session else None
    return bool(row.name if row else conversation)


def adopted_executions(view: View, sessions: tuple[str, ...]) -> list[Execution]:
    """Executions that others opened and a conversation continues: it was seen to work on them, recorded in them, or
    made the last decision on them."""
    if not sessions:
        return []
    rows = view.find(Execution, Select(where={"status": OPEN_STATUSES}, limit=MAX_EXECUTIONS_SCANNED))
    others = (row for row in rows if row.witness == "claimed" and row.session not in sessions)
    return [
        row
        for row in others
        if row.working_session in sessions
        or not set(sessions).isdisjoint(row.sessions)
        or _was_decided_in(view, row, sessions)
    ]


def is_newly_adopted(view: View, session: str, execution_id: str) -> bool:
    """Whether a conversation works on an open execution of another conversation, and that is not recorded yet."""
    execution, sessions = view.get(Execution, execution_id), sessions_of_conversation(view, session)
    if execution is None or execution.status not in OPEN_STATUSES or execution.witness != "claimed":
        return False
    return (execution.working_session or execution.session) not in sessions


def _was_decided_in(view: View, execution: Execution, sessions: tuple[str, ...]) -> bool:
    """Whether the last decision on an execution was made in one of these sessions."""
    decided = view.entry(execution.decision_seq) if execution.decision_seq else None
    return decided is not None and decided.session in sessions


def _open_executions(view: View, sessions: tuple[str, ...], limit: int) -> list[Execution]:
    where: dict[str, WhereValue] = {"session": sessions, "status": OPEN_STATUSES}
    return view.find(Execution, Select(where=where, limit=limit)) if sessions else []


def observers_of_process(view: View, processes: tuple[int, ...], kind: str = "") -> list[Session]:
    """The observers of the client, maybe of one kind, that started a process of this machine.

    `processes` are the ancestors of that process, the nearest first. If a nearer ancestor runs the same program as
    the observed client, the client has started another one, which nobody observes: then there are none.
    """
    observers = open_observer_sessions(view, MAX_OBSERVERS_SCANNED)
    near = (row for row in observers if row.process in processes and row.name.startswith(kind))
    living = (row for row in near if row.process and row.process_started == process_start_ticks(row.process))
    rows = [row for row in living if not view.is_over(row)]
    client = min((row.process for row in rows), key=processes.index, default=0)
    nearer = processes[: processes.index(client)] if client else ()
    return [row for row in rows if row.process == client and process_name(client) not in map(process_name, nearer)]


def conversation_in_process(view: View, processes: tuple[int, ...], kind: str) -> str:
    """The only conversation of a kind of client that hooks see open in an ancestor process; else empty."""
    names = {row.name for row in observers_of_process(view, processes, f"{kind}:")}
    return names.pop() if len(names) == 1 else ""


class ClientConversation:
    """The conversation of the client that started this process.

    Claude Code puts it into the environment of the servers that it starts. It can continue with other conversations in
    the same process (`/clear`, `/resume`), or pass one that does not exist (`--continue` with `-p`). So the
    conversation that hooks see open in the client's process takes precedence.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._at_start = conversation_in_environment(env)
        self._kind = self._at_start.partition(":")[0]
        self._ancestors = process_ancestors(os.getpid()) if self._at_start else ()
        self._last_known = self._at_start

    def current(self, context: "OperationContext", client: str = "") -> str:
        """The conversation as of now; empty where none was passed, or it was passed to the parent of another client.

        While the journal cannot be read, it is the last known one: calls that are spooled meanwhile belong there.
        """
        if is_not_claude_code(client):
            return ""
        if self._at_start:
            with suppress(TallystickError):  # a store that is unusable says so when it is called
                seen = context.read(lambda view: conversation_in_process(view, self._ancestors, self._kind))
                self._last_known = seen or self._at_start
        return self._last_known
