"""Where something belongs that was seen and that nobody placed: in which execution, at which step."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import json

from tallystick.core import plans
from tallystick.core.entries import ExecutionStarted, StepFacts
from tallystick.core.errors import TallystickError
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Execution, Revision, Session, revision_id
from tallystick.core.tools import SeenTool, same_call
from tallystick.core.types import Actor
from tallystick.operations.runtime.correlation import claimed_action_for, counterpart_sessions, observers_of_same_agent
from tallystick.operations.runtime.lookup import (
    MAX_EXECUTIONS_SCANNED,
    OPEN_STATUSES,
    adopted_executions,
    conversation_in_process,
    sessions_of_conversation,
)
from tallystick.operations.runtime.progress import describe_owed, owed_of, progress_of, steps_of, undecided
from tallystick.protocol.meta import conversation_in_environment, is_not_claude_code
from tallystick.store.interface import Select, View, WhereValue
from tallystick.store.liveness import process_ancestors

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext, Transaction

Fits = Callable[[Execution], bool]


def find_execution(view: View, session: str, actor: Actor, fits: Fits | None = None) -> Execution | None:
    """The execution that work seen in a session belongs to: of those that it may belong to, the first that it fits, and
    the first of all where it fits none."""
    first: Execution | None = None
    for execution in _candidates(view, session, actor):
        if fits is None or fits(execution):
            return execution
        first = first or execution
    return first


def _candidates(view: View, session: str, actor: Actor) -> Iterator[Execution]:
    """First what the agent itself has opened in the same conversation; then what it has taken up there: what it was
    seen to work on, or has decided on after another one had left it. Then what was opened by somebody beside, where
    nobody else is watched there; then what was opened for what is seen, by a hook or the gateway. Not every client
    tells its conversation: what a session without one has opened is taken at last, if there is only one such.
    """
    sessions = sessions_of_conversation(view, session)
    own = [row for row in _open_in(view, sessions) if not row.working_session or row.working_session in sessions]
    yield from (row for row in own if row.witness == "claimed")
    adopted = adopted_executions(view, sessions)
    yield from adopted
    rows = view.find(Execution, Select(where={"status": OPEN_STATUSES}, limit=MAX_EXECUTIONS_SCANNED))
    free = [row for row in rows if row.witness == "claimed" and not row.working_session and _is_nameless(view, row)]
    near = _open_in(view, counterpart_sessions(view, session, actor)) if free or not own else []
    yield from (row for row in near if row in free)
    yield from (row for row in (*own, *near) if row.witness == "observed")
    if (
        len(free) == 1
        and len(rows) < MAX_EXECUTIONS_SCANNED
        and not (own or adopted or near)
        and not _is_watched(view, free[0])
    ):
        yield free[0]


def _is_watched(view: View, execution: Execution) -> bool:
    """Whether hooks watch who has opened an execution: then it is not that of somebody whom they do not see there."""
    opener = view.get(Session, execution.session)
    return opener is not None and bool(observers_of_same_agent(view, opener))


def fit_of_call(view: View, masker: Masker, tool: SeenTool, arguments: Any) -> Fits:
    """Whether a call is at home in an execution: one of its steps, an undo that it owes, or what the agent has said
    that it would do there."""

    def fits(execution: Execution) -> bool:
        return bool(
            (execution.plan_id and find_step(view, masker, execution, tool, arguments))
            or (execution.status == "unwinding" and find_undone_action(view, masker, execution, tool, arguments))
            or claimed_action_for(view, execution, tool, arguments)
        )

    return fits


def is_newly_adopted(view: View, session: str, execution_id: str) -> bool:
    """Whether it is news that a conversation works on an execution, which somebody has opened who did not say in which
    conversation."""
    execution, sessions = view.get(Execution, execution_id), sessions_of_conversation(view, session)
    if execution is None or execution.status not in OPEN_STATUSES or execution.witness != "claimed":
        return False
    return (execution.working_session or execution.session) not in sessions


def _open_in(view: View, sessions: tuple[str, ...]) -> list[Execution]:
    where: dict[str, WhereValue] = {"session": sessions, "status": OPEN_STATUSES}
    return view.find(Execution, Select(where=where, limit=MAX_EXECUTIONS_SCANNED)) if sessions else []


def find_or_open_execution(transaction: "Transaction", fits: Fits | None = None) -> Execution:
    """The same, and one that is opened now when there is none."""
    principal = transaction.context.principal
    found = find_execution(transaction.ledger, transaction.session, principal.actor, fits)
    if found is not None:
        return found
    title = transaction.context.body(
        title=f"Observed: {principal.client or principal.actor.name or principal.actor.kind}"
    )
    entry = transaction.write_ahead(ExecutionStarted(), title)
    opened = transaction.ledger.get(Execution, entry.id)
    assert opened is not None
    return opened


def find_step(view: View, masker: Masker, execution: Execution, tool: SeenTool, arguments: Any) -> StepFacts | None:
    """The step that a call carries out: one that may begin, by tool and arguments, the first in the plan's order."""
    steps = [step for step in steps_of(view, execution) if tool.is_named(step.tool)]
    if not steps:
        return None
    status = undecided(progress_of(view, execution.id))
    ready = set(plans.ready_steps(steps_of(view, execution), status))
    steps = [step for step in steps if status.get(step.id, "") in ("", "planned")]
    steps.sort(key=lambda step: step.id not in ready)
    stated = planned_arguments(view, execution)
    masked = masker.mask(arguments or {})  # as the plan was when it was kept
    given = masked if isinstance(masked, dict) else {}
    return next((step for step in steps if same_call(given, stated.get(step.id, {}))), None)


def find_undone_action(view: View, masker: Masker, execution: Execution, tool: SeenTool, arguments: Any) -> str:
    """The action that a call undoes, while an execution is unwound: the first that is owed whose undo is this call."""
    masked = masker.mask(arguments or {})
    given = masked if isinstance(masked, dict) else {}
    for item in describe_owed(view, owed_of(view, execution)):
        undo = item.undo if item.state == "owed" else None
        if undo and tool.is_named(undo.tool) and _is_call(given, undo.arguments):
            return item.action_id
    return ""


def _is_call(given: dict[str, Any], stated: dict[str, Any] | None) -> bool:
    """Whether arguments are those that an undo states. One that states none is a call without any: else every command
    of a shell would undo something."""
    return same_call(given, stated) if stated else not given


def planned_arguments(view: View, execution: Execution) -> dict[str, dict[str, Any]]:
    """What the plan says of the arguments of each step, as it was kept: with its secrets masked."""
    revision = view.get(Revision, revision_id(execution.plan_id, execution.revision))
    texts = json.decode(view.bodies([revision.seq]).get(revision.seq, "{}")) if revision else {}
    return {step["id"]: step.get("arguments") or {} for step in texts.get("steps", ())}


def _is_nameless(view: View, execution: Execution) -> bool:
    session = view.get(Session, execution.session)
    return session is not None and not session.name and not view.is_over(session)


# ----------------------------------------------------------------------------------------------------------------------
# The conversation that a process speaks for, where its client has told it one at its start.


class ClientConversation:
    """What Claude Code has told a server in its environment, and what has become of that.

    It goes on with other conversations in the same process (`/clear`, `/resume`), or has told one that is none
    (`--continue` with `-p`). So hooks count for more: the one that they see open in the process that has started this
    one.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self.told = conversation_in_environment(env)
        self._kind = self.told.partition(":")[0]
        self._above = process_ancestors(os.getpid()) if self.told else ()
        self._known = self.told

    def current(self, context: "OperationContext", client: str = "") -> str:
        """The conversation as of now; empty where none was told, or it was told to whoever has started the client. As
        long as the journal cannot be read, the one that was known last: what is spooled meanwhile belongs there."""
        if is_not_claude_code(client):
            return ""
        if self.told:
            with suppress(TallystickError):  # a store that cannot be used says so when it is asked
                self._known = (
                    context.read(lambda view: conversation_in_process(view, self._above, self._kind)) or self.told
                )
        return self._known
