"""Where something belongs that was seen and that nobody placed: in which execution, at which step."""

from typing import TYPE_CHECKING, Any

from msgspec import json

from tallystick.core import planning
from tallystick.core.entries import ExecutionStarted, StepFacts
from tallystick.core.fitting import same_call, same_tool
from tallystick.core.model import Actor
from tallystick.core.secrets import Masker
from tallystick.core.state import Execution, Revision, Session, revision_id
from tallystick.operations.handles import OPEN, in_conversation
from tallystick.operations.standing import describe_owed, owed_of, progress_of, steps_of, undecided
from tallystick.operations.witnesses import around
from tallystick.store.port import Select, View, Wanted

if TYPE_CHECKING:
    from tallystick.operations.desk import Sheet

LOOKED_AT = 20
"""How many open executions are looked at, the newest first."""


def execution_seen(view: View, session: str, actor: Actor) -> Execution | None:
    """The execution that work seen in a session belongs to.

    First what the agent itself has opened in the same conversation; then what it has taken up there, by a decision on
    what another one has left; then what was opened for what is seen there, by a hook or the gateway. Not every client
    tells its conversation: what a session without one has opened is taken if there is only one such.
    """
    sessions = in_conversation(view, session)
    own = _open_in(view, sessions) or _open_in(view, around(view, session, actor))
    claimed = [row for row in own if row.witness == "claimed"]
    if claimed:
        return claimed[0]
    others = view.find(Execution, Select(where={"status": OPEN}, limit=LOOKED_AT))
    taken_up = [row for row in others if row.witness == "claimed" and _decided_in(view, row, sessions)]
    if taken_up or own:
        return (taken_up or own)[0]
    nameless = [row for row in others if row.witness == "claimed" and _is_nameless(view, row)]
    return nameless[0] if len(nameless) == 1 and len(others) < LOOKED_AT else None


def _decided_in(view: View, execution: Execution, sessions: tuple[str, ...]) -> bool:
    """Whether the last decision on an execution was made in one of some sessions."""
    decided = view.entry(execution.decision_seq) if execution.decision_seq else None
    return decided is not None and decided.session in sessions


def _open_in(view: View, sessions: tuple[str, ...]) -> list[Execution]:
    where: dict[str, Wanted] = {"session": sessions, "status": OPEN}
    return view.find(Execution, Select(where=where, limit=LOOKED_AT)) if sessions else []


def execution_for(sheet: "Sheet") -> Execution:
    """The same, and one that is opened now when there is none."""
    asker = sheet.desk.asker
    found = execution_seen(sheet.ledger, sheet.session, asker.actor)
    if found is not None:
        return found
    title = sheet.desk.body(title=f"Observed: {asker.client or asker.actor.name or asker.actor.kind}")
    entry = sheet.write_ahead(ExecutionStarted(), title)
    opened = sheet.ledger.get(Execution, entry.id)
    assert opened is not None
    return opened


def step_seen(view: View, masker: Masker, execution: Execution, tool: str, arguments: Any) -> StepFacts | None:
    """The step that a call carries out: one that may begin, by tool and arguments, the first in the plan's order."""
    steps = [step for step in steps_of(view, execution) if step.tool and same_tool(tool, step.tool)]
    if not steps:
        return None
    status = undecided(progress_of(view, execution.id))
    ready = set(planning.ready(steps_of(view, execution), status))
    steps = [step for step in steps if status.get(step.id, "") in ("", "planned")]
    steps.sort(key=lambda step: step.id not in ready)
    stated = stated_arguments(view, execution)
    masked = masker.mask(arguments or {})  # as the plan was when it was kept
    given = masked if isinstance(masked, dict) else {}
    return next((step for step in steps if same_call(given, stated.get(step.id, {}))), None)


def undo_seen(view: View, masker: Masker, execution: Execution, tool: str, arguments: Any) -> str:
    """The action that a call undoes, while an execution is unwound: the first that is owed whose undo is this call."""
    masked = masker.mask(arguments or {})
    given = masked if isinstance(masked, dict) else {}
    for item in describe_owed(view, owed_of(view, execution)):
        undo = item.undo if item.state == "owed" else None
        if undo and undo.tool and same_tool(tool, undo.tool) and _is_call(given, undo.arguments):
            return item.action_id
    return ""


def _is_call(given: dict[str, Any], stated: dict[str, Any] | None) -> bool:
    """Whether arguments are those that an undo states. One that states none is a call without any: else every command
    of a shell would undo something."""
    return same_call(given, stated) if stated else not given


def stated_arguments(view: View, execution: Execution) -> dict[str, dict[str, Any]]:
    """What the plan says of the arguments of each step, as it was kept: with its secrets masked."""
    revision = view.get(Revision, revision_id(execution.plan_id, execution.revision))
    texts = json.decode(view.bodies([revision.seq]).get(revision.seq, "{}")) if revision else {}
    return {step["id"]: step.get("arguments") or {} for step in texts.get("steps", ())}


def _is_nameless(view: View, execution: Execution) -> bool:
    session = view.get(Session, execution.session)
    return session is not None and not session.name and not view.over(session)
