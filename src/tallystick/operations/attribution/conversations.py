"""Conversations: their sessions, the executions that they continue, and the one of a process's client."""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from tallystick.core.errors import TallystickError
from tallystick.core.state import Execution, Session
from tallystick.core.types import FINAL_STATUSES
from tallystick.operations.runtime.correlation import (
    MAX_OBSERVERS_SCANNED,
    MAX_SESSIONS_OF_CONVERSATION,
    open_observer_sessions,
)
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.protocol.meta import conversation_in_environment, is_not_claude_code, kind_in_one_conversation
from tallystick.store.interface import Select, View
from tallystick.store.liveness import lives_since, process_ancestors, process_name

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext

MAX_EXECUTIONS_SCANNED = 20
"""Executions, the newest first."""
_ENDED = tuple(sorted(FINAL_STATUSES))


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


def ended_executions(view: View, sessions: tuple[str, ...]) -> list[Execution]:
    """The executions that a conversation opened, or recorded in, and that have ended: the last one first."""
    if not sessions:
        return []
    select = Select(where={"status": _ENDED}, limit=MAX_EXECUTIONS_SCANNED)
    own = view.find(Execution, Select(where={"status": _ENDED, "session": sessions}, limit=MAX_EXECUTIONS_SCANNED))
    took_part = (row for row in view.find(Execution, select) if {row.working_session, *row.sessions} & {*sessions})
    found = {row.id: row for row in (*own, *took_part)}
    return sorted(found.values(), key=lambda row: -row.last_seq)


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


def observers_of_process(view: View, processes: tuple[int, ...], kind: str = "") -> list[Session]:
    """The observers of the client, maybe of one kind, that started a process of this machine.

    `processes` are the ancestors of that process, the nearest first. If a nearer ancestor runs the same program as
    the observed client, the client has started another one, which nobody observes: then there are none.
    """
    observers = open_observer_sessions(view, MAX_OBSERVERS_SCANNED)
    near = (row for row in observers if row.process in processes and row.name.startswith(kind))
    living = (row for row in near if row.process and lives_since(row.process, row.process_started))
    rows = [row for row in living if not view.is_over(row)]
    client = min((row.process for row in rows), key=processes.index, default=0)
    nearer = processes[: processes.index(client)] if client else ()
    if nearer and process_name(client) in map(process_name, nearer):
        return []
    return [row for row in rows if row.process == client]


def conversation_in_process(view: View, processes: tuple[int, ...], kind: str) -> str:
    """The only conversation of a kind of client that hooks see open in an ancestor process; else empty."""
    names = {row.name for row in observers_of_process(view, processes, f"{kind}:")}
    return names.pop() if len(names) == 1 else ""


class ClientConversation:
    """The conversation of the client that started this process.

    Claude Code puts it into the environment of the servers that it starts. It can continue with other conversations in
    the same process (`/clear`, `/resume`), or pass one that does not exist (`--continue` with `-p`). So the
    conversation that hooks see open in the client's process takes precedence.

    Gemini CLI names none: then it is the one that hooks see, or unknown if they see none, or several.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._at_start = conversation_in_environment(env)
        self._kind = self._at_start.partition(":")[0]
        self._ancestors = process_ancestors(os.getpid())
        self._last_known = self._at_start
        self._last_seen = ""

    def current(self, context: "OperationContext", client: str = "") -> str:
        """The conversation as of now; empty where none was passed, or it was passed to the parent of another client.

        While the journal cannot be read, it is the last known one: calls that are spooled meanwhile belong there.
        """
        if is_not_claude_code(client):
            if kind := kind_in_one_conversation(client):
                with suppress(TallystickError):
                    self._last_seen = context.read(lambda view: conversation_in_process(view, self._ancestors, kind))
            return self._last_seen
        if self._at_start:
            with suppress(TallystickError):  # a store that is unusable says so when it is called
                seen = context.read(lambda view: conversation_in_process(view, self._ancestors, self._kind))
                self._last_known = seen or self._at_start
        return self._last_known
