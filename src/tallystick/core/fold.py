"""From entries to rows. Everything that decides what an entry changes lives here.

`evolve` is total: any entries in any order fold without an exception, because what is in the journal happened and
cannot be refused any more. The rules that refuse stand in `rules`, before an entry is written.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from tallystick.core import owing, spans
from tallystick.core.entries import (
    ActionBegun,
    ActionDoubted,
    ActionEnded,
    ActionNoted,
    ApprovalDecided,
    ApprovalRequested,
    ContextRecorded,
    DecisionRecorded,
    Entry,
    ExecutionEnded,
    ExecutionStarted,
    PlanRecorded,
    PlanRetired,
    SessionEnded,
    SessionOpened,
)
from tallystick.core.errors import InvalidArgument
from tallystick.core.model import ENDED
from tallystick.core.state import (
    Action,
    Approval,
    Context,
    Execution,
    Keyed,
    Plan,
    Progress,
    Revision,
    Row,
    Session,
    context_id,
    progress_id,
    revision_id,
)

R = TypeVar("R", bound=Row)

STEP_STATUS = {
    "open": "running",
    "ok": "done",
    "failed": "failed",
    "skipped": "skipped",
    "unknown": "in_doubt",
    "doubted": "in_doubt",
}
"""What the state of a step's latest action makes of the step."""


class Rows(Protocol):
    """Where the fold keeps what it knows."""

    def get(self, table: type[R], id: str) -> R | None: ...
    def put(self, row: Row) -> None: ...


def evolve(rows: Rows, entry: Entry) -> None:
    """Change the rows by what one entry states."""
    if entry.key:
        rows.put(Keyed(id=entry.key, seq=entry.seq, digest=entry.digest))
    handler = _HANDLERS.get(entry.kind)
    if handler:
        handler(rows, entry, entry.facts)


def _plan_recorded(rows: Rows, entry: Entry, facts: PlanRecorded) -> None:
    before = rows.get(Plan, entry.id)
    rows.put(
        Plan(
            id=entry.id,
            status=before.status if before else "active",
            revision=facts.revision,
            seq=entry.seq,
            first_seq=before.first_seq if before else entry.seq,
            at=before.at if before else entry.at,
            changed_at=entry.at,
            task_id=facts.task_id,
            type=facts.type,
            actor=before.actor if before else entry.actor.name,
            session=entry.session,
        )
    )
    rows.put(
        Revision(
            id=revision_id(entry.id, facts.revision),
            plan_id=entry.id,
            revision=facts.revision,
            seq=entry.seq,
            at=entry.at,
            steps=facts.steps,
        )
    )


def _plan_retired(rows: Rows, entry: Entry, facts: PlanRetired) -> None:
    plan = rows.get(Plan, entry.id)
    if plan:
        rows.put(replace(plan, status=facts.status, changed_at=entry.at, retired_seq=entry.seq))


def _session_opened(rows: Rows, entry: Entry, facts: SessionOpened) -> None:
    rows.put(
        Session(
            id=entry.id,
            status="open",
            session_kind=facts.session_kind,
            seq=entry.seq,
            at=entry.at,
            actor=entry.actor.name,
            client=facts.client,
            name=facts.name,
            host=facts.host,
            process=facts.process,
            process_started=facts.process_started,
            lock=facts.lock,
        )
    )


def _session_ended(rows: Rows, entry: Entry, facts: SessionEnded) -> None:
    session = rows.get(Session, entry.id)
    if session:
        rows.put(replace(session, status="ended", ended_at=entry.at, reason=facts.reason))


def _execution_started(rows: Rows, entry: Entry, facts: ExecutionStarted) -> None:
    rows.put(
        Execution(
            id=entry.id,
            status="running",
            seq=entry.seq,
            at=entry.at,
            last_seq=entry.seq,
            last_at=entry.at,
            plan_id=facts.plan_id,
            revision=facts.revision,
            task_id=facts.task_id,
            actor=entry.actor.name,
            session=entry.session,
            total_steps=facts.steps,
        )
    )


def _execution_ended(rows: Rows, entry: Entry, facts: ExecutionEnded) -> None:
    execution = rows.get(Execution, entry.id)
    if execution:
        rows.put(
            replace(
                execution,
                status=facts.status,
                ended_at=entry.at,
                left=facts.left,
                last_seq=entry.seq,
                last_at=entry.at,
            )
        )


def _action_begun(rows: Rows, entry: Entry, facts: ActionBegun) -> None:
    action = Action(
        id=entry.id,
        state="open",
        seq=entry.seq,
        at=entry.at,
        execution=entry.execution,
        session=entry.session,
        actor=entry.actor.name,
        witness=entry.witness,
        action_kind=facts.action_kind,
        undoes=facts.undoes,
        tool=facts.tool,
        step=facts.step,
        plan_id=facts.plan_id,
        revision=facts.revision,
        effect=facts.effect,
        effect_key=facts.effect_key,
        cancellable=facts.cancellable,
        has_undo=facts.has_undo,
        undo_until=facts.undo_until,
        deadline=_deadline(facts.undo_until, entry.at),
        attempt=facts.attempt,
        out_of_order=facts.out_of_order,
        late=facts.late,
    )
    action = replace(action, owed=owing.after_begin(action))
    rows.put(action)
    approval = rows.get(Approval, facts.approval_id) if facts.approval_id else None
    if approval:
        rows.put(replace(approval, status="used", used_by=entry.id))
    execution = rows.get(Execution, entry.execution)
    if execution is None:
        return
    planned = facts.step or facts.action_kind == "undo" or not execution.plan_id
    execution = replace(
        execution,
        step=facts.step if facts.step and facts.action_kind == "do" else execution.step,
        unplanned=execution.unplanned + (0 if planned else 1),
        owed=execution.owed + owing.counts(action.owed),
    )
    execution = _moved(rows, execution, action, "", entry)
    if action.undoes:
        execution = _undo_moved(rows, execution, action)
    rows.put(execution)


def _action_ended(rows: Rows, entry: Entry, facts: ActionEnded) -> None:
    action = rows.get(Action, entry.id)
    if action is None:
        return
    state = "doubted" if facts.contradicts else facts.outcome
    owed = owing.after_end(action, state, without_effect=facts.without_effect)
    ended = replace(
        action,
        state=state,
        end_seq=entry.seq,
        ended_at=entry.at,
        ended_by=entry.session,
        owed=owed,
        deadline=_deadline(action.undo_until, entry.at),
        duration=facts.duration if facts.duration is not None else (entry.at - action.at) / 1_000_000,
        late=action.late or facts.late,
    )
    _settle(rows, action, ended, entry)


def _action_doubted(rows: Rows, entry: Entry, facts: ActionDoubted) -> None:
    action = rows.get(Action, entry.id)
    if action:
        _settle(rows, action, replace(action, state="doubted"), entry)


def _settle(rows: Rows, before: Action, after: Action, entry: Entry) -> None:
    """Put an action whose state changed, and all that follows from it."""
    rows.put(after)
    execution = rows.get(Execution, after.execution)
    if execution is None:
        return
    execution = replace(execution, owed=execution.owed + owing.counts(after.owed) - owing.counts(before.owed))
    if after.state in ("failed", "skipped") and after.action_kind == "do":
        execution = replace(execution, undecided=execution.undecided + 1)
    execution = _moved(rows, execution, after, before.state, entry)
    if after.undoes:
        execution = _undo_moved(rows, execution, after)
    rows.put(execution)


def _moved(rows: Rows, execution: Execution, action: Action, before: str, entry: Entry) -> Execution:
    """Count an action that went from state `before` to the one it has, for the execution and its step."""
    late = execution.status in ENDED
    execution = replace(
        execution, last_seq=entry.seq, last_at=entry.at, late=execution.late + 1 if late else execution.late
    )
    if action.action_kind == "undo":
        return replace(execution, undos=_counted(execution.undos, before, action.state))
    execution = replace(execution, actions=_counted(execution.actions, before, action.state))
    if not action.step:
        return execution
    return _step_moved(
        rows, execution, action.step, STEP_STATUS[action.state], entry, action=action.id, begins=not before
    )


def _step_moved(
    rows: Rows,
    execution: Execution,
    step: str,
    status: str,
    entry: Entry,
    *,
    action: str = "",
    begins: bool = False,
) -> Execution:
    place = progress_id(execution.id, step)
    before = rows.get(Progress, place) or Progress(
        id=place, execution=execution.id, step=step, status="", seq=entry.seq
    )
    rows.put(
        replace(
            before,
            status=status,
            seq=entry.seq,
            action=action or before.action,
            attempts=before.attempts + (1 if begins else 0),
            decided="" if action else before.decided,
        )
    )
    return replace(execution, steps=_counted(execution.steps, before.status, status))


def _undo_moved(rows: Rows, execution: Execution, undo: Action) -> Execution:
    """Carry the state of an undo over to what it undoes."""
    target = rows.get(Action, undo.undoes)
    if target is None:
        return execution
    after = replace(target, owed=owing.after_undo(target, undo.state), undone_by=undo.id)
    rows.put(after)
    return replace(execution, owed=execution.owed + owing.counts(after.owed) - owing.counts(target.owed))


def _action_noted(rows: Rows, entry: Entry, facts: ActionNoted) -> None:
    _touch(rows, entry)


def _decision_recorded(rows: Rows, entry: Entry, facts: DecisionRecorded) -> None:
    execution = rows.get(Execution, entry.execution)
    if execution is None:
        return
    if facts.step and facts.decision == "skip":
        execution = _step_moved(rows, execution, facts.step, "skipped", entry)
    if facts.step:
        _decided(rows, execution.id, facts)
    if facts.decision == "replan" and facts.revision:
        execution = _replanned(rows, execution, facts.revision)
    if facts.approval_id:
        approval = rows.get(Approval, facts.approval_id)
        if approval:
            rows.put(replace(approval, blocks=True))
            execution = replace(execution, waiting=execution.waiting + 1)
    ended = execution.status in ENDED
    rows.put(
        replace(
            execution,
            status=execution.status if ended else facts.status,
            undecided=execution.undecided if ended else 0,
            decision_seq=entry.seq,
            last_seq=entry.seq,
            last_at=entry.at,
            late=execution.late + 1 if ended else execution.late,
        )
    )


def _decided(rows: Rows, execution: str, facts: DecisionRecorded) -> None:
    progress = rows.get(Progress, progress_id(execution, facts.step))
    if progress:
        rows.put(replace(progress, decided=facts.decision))


def _replanned(rows: Rows, execution: Execution, revision: int) -> Execution:
    """Move to another revision: what was done is kept by step id, and counted anew among its steps."""
    plan = rows.get(Revision, revision_id(execution.plan_id, revision))
    if plan is None:
        return execution
    counts: dict[str, int] = {}
    for step in plan.steps:
        progress = rows.get(Progress, progress_id(execution.id, step.id))
        if progress and progress.status:
            counts[progress.status] = counts.get(progress.status, 0) + 1
    return replace(execution, revision=revision, total_steps=len(plan.steps), steps=counts)


def _context_recorded(rows: Rows, entry: Entry, facts: ContextRecorded) -> None:
    place = context_id(facts.scope, facts.scope_id, facts.key)
    before = rows.get(Context, place)
    rows.put(
        Context(
            id=place,
            scope=facts.scope,
            key=facts.key,
            seq=entry.seq,
            at=entry.at,
            handle=entry.id,
            scope_id=facts.scope_id,
            type=facts.type,
            actor=entry.actor.name,
            expires=facts.expires,
            versions=before.versions + 1 if before else 1,
        )
    )
    _touch(rows, entry)


def _approval_requested(rows: Rows, entry: Entry, facts: ApprovalRequested) -> None:
    rows.put(
        Approval(
            id=entry.id,
            status="pending",
            seq=entry.seq,
            at=entry.at,
            execution=entry.execution,
            step=facts.step,
            tool=facts.tool,
            effect_key=facts.effect_key,
            granted=facts.effect_key,
            expires=facts.expires,
        )
    )
    _touch(rows, entry)


def _approval_decided(rows: Rows, entry: Entry, facts: ApprovalDecided) -> None:
    approval = rows.get(Approval, entry.id)
    if approval is None:
        return
    rows.put(
        replace(
            approval,
            status=facts.verdict,
            granted=facts.effect_key or approval.granted,
            decided_seq=entry.seq,
            decided_at=entry.at,
            credential=facts.credential,
        )
    )
    execution = rows.get(Execution, approval.execution)
    if execution is None:
        return
    waiting = max(execution.waiting - 1, 0) if approval.blocks else execution.waiting
    freed = execution.status == "blocked" and not waiting
    rows.put(
        replace(
            execution,
            waiting=waiting,
            status="running" if freed else execution.status,
            last_seq=entry.seq,
            last_at=entry.at,
        )
    )


def _touch(rows: Rows, entry: Entry) -> None:
    execution = rows.get(Execution, entry.execution) if entry.execution else None
    if execution:
        late = execution.late + 1 if execution.status in ENDED else execution.late
        rows.put(replace(execution, last_seq=entry.seq, last_at=entry.at, late=late))


def _counted(counts: dict[str, int], before: str, after: str) -> dict[str, int]:
    moved = dict(counts)
    if moved.get(before):
        moved[before] -= 1
        if not moved[before]:
            del moved[before]
    if after:
        moved[after] = moved.get(after, 0) + 1
    return moved


def _deadline(undo_until: str, start: int) -> int:
    if not undo_until:
        return 0
    try:
        return spans.resolve(undo_until, "undo_until", start=start)
    except InvalidArgument:  # an old entry may hold what today's rules would refuse
        return 0


_HANDLERS: dict[str, Callable[[Rows, Entry, Any], None]] = {
    PlanRecorded.KIND: _plan_recorded,
    PlanRetired.KIND: _plan_retired,
    SessionOpened.KIND: _session_opened,
    SessionEnded.KIND: _session_ended,
    ExecutionStarted.KIND: _execution_started,
    ExecutionEnded.KIND: _execution_ended,
    ActionBegun.KIND: _action_begun,
    ActionEnded.KIND: _action_ended,
    ActionDoubted.KIND: _action_doubted,
    ActionNoted.KIND: _action_noted,
    DecisionRecorded.KIND: _decision_recorded,
    ContextRecorded.KIND: _context_recorded,
    ApprovalRequested.KIND: _approval_requested,
    ApprovalDecided.KIND: _approval_decided,
}
