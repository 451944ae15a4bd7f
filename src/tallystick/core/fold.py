"""Folds entries into rows: what each kind of entry changes.

`evolve` is total: any entries in any order fold without an exception, because what is in the journal happened and
cannot be refused any more. The rules that refuse stand in `rules`, before an entry is written.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

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
    SessionNoted,
    SessionOpened,
    TaskRecorded,
)
from tallystick.core.fold_actions import (
    MAX_QUESTIONS_REMEMBERED,
    Place,
    action_begun,
    action_doubted,
    action_ended,
    action_observed,
    keep_action,
    move_count,
    own_entry,
    place_action,
    set_step_status,
    unblock,
)
from tallystick.core.state import (
    Approval,
    Context,
    Execution,
    IdempotencyKey,
    Plan,
    Progress,
    Revision,
    Rows,
    Session,
    Task,
    context_id,
    progress_id,
    revision_id,
)
from tallystick.core.types import FINAL_STATUSES


def evolve(rows: Rows, entry: Entry) -> None:
    """Apply one entry to the rows."""
    if entry.key:
        rows.put(IdempotencyKey(id=entry.key, seq=entry.seq, digest=entry.digest))
    handler = _HANDLERS.get(entry.kind)
    if handler:
        handler(rows, entry, entry.facts)
    if entry.witness == "claimed" and entry.kind in _CLAIMS:
        _note_claim(rows, entry)


def _plan_recorded(rows: Rows, entry: Entry, facts: PlanRecorded) -> None:
    before = rows.get(Plan, entry.id)
    if before and entry.execution:  # a revision for one execution alone: others start with the plan as it was
        rows.put(replace(before, last_revision=facts.revision, changed_at=entry.at))
    else:
        rows.put(_plan_of(before, entry, facts))
    rows.put(
        Revision(
            id=revision_id(entry.id, facts.revision),
            plan_id=entry.id,
            revision=facts.revision,
            seq=entry.seq,
            at=entry.at,
            steps=facts.steps,
            previous=before.revision if before else 0,
            execution=entry.execution,
        )
    )
    execution = rows.get(Execution, entry.execution) if entry.execution else None
    if execution and execution.plan_id == entry.id and execution.status not in FINAL_STATUSES:
        execution = _move_to_revision(rows, execution, facts.revision)
        rows.put(replace(execution, **own_entry(rows, execution, entry)))


def _plan_of(before: Plan | None, entry: Entry, facts: PlanRecorded) -> Plan:
    return Plan(
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
        template=facts.template,
        for_tasks=facts.for_tasks,
        last_revision=before.last_revision if before else 0,
    )


def _task_recorded(rows: Rows, entry: Entry, facts: TaskRecorded) -> None:
    before = rows.get(Task, facts.task_id)
    rows.put(
        Task(
            id=facts.task_id,
            seq=entry.seq,
            at=before.at if before else entry.at,
            type=facts.type,
            parent=facts.parent,
            actor=before.actor if before else entry.actor.name,
            plan_id=facts.plan_id or (before.plan_id if before else ""),
            earlier=(*before.earlier, before.seq) if before else (),
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
            witness=entry.witness,
        )
    )


def _session_ended(rows: Rows, entry: Entry, facts: SessionEnded) -> None:
    session = rows.get(Session, entry.id)
    if session:
        rows.put(replace(session, status="ended", ended_at=entry.at, reason=facts.reason))


def _session_noted(rows: Rows, entry: Entry, facts: SessionNoted) -> None:
    execution = rows.get(Execution, entry.execution) if facts.event == "took_up" else None
    if execution:
        rows.put(replace(execution, working_session=entry.session))
    is_prompt = facts.event == "prompt" and not facts.agent and entry.witness == "observed"
    session = rows.get(Session, entry.session) if is_prompt else None
    if session and not session.prompt_seq:
        rows.put(replace(session, prompt_seq=entry.seq))


def _note_claim(rows: Rows, entry: Entry) -> None:
    execution = rows.get(Execution, entry.execution) if entry.execution else None
    if execution and execution.witness == "observed" and not execution.claimed:
        rows.put(replace(execution, claimed=True))


def _execution_started(rows: Rows, entry: Entry, facts: ExecutionStarted) -> None:
    session = rows.get(Session, entry.session) if entry.session else None
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
            witness=entry.witness,
            client=session.client if session else "",
            title_key=facts.title_key,
            actor_kind=entry.actor.kind,
            engine=facts.engine,
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
                **own_entry(rows, execution, entry),
            )
        )


def _action_noted(rows: Rows, entry: Entry, facts: ActionNoted) -> None:
    if facts.call or facts.effect or facts.saw:
        action_observed(rows, entry, facts)
    _touch(rows, entry)


def _decision_recorded(rows: Rows, entry: Entry, facts: DecisionRecorded) -> None:
    execution = rows.get(Execution, entry.execution)
    if execution is None:
        return
    if facts.decision == "keep" or facts.action_id:
        _apply_to_actions(rows, entry, facts)
        return
    if facts.step:
        _decide_on_step(rows, entry, facts)
        execution = rows.get(Execution, entry.execution) or execution
    if facts.decision == "replan" and facts.revision:
        execution = _move_to_revision(rows, execution, facts.revision)
    if facts.approval_id:
        approval = rows.get(Approval, facts.approval_id)
        if approval and not approval.blocks:
            rows.put(replace(approval, blocks=True))
            blocked_by = (*execution.blocked_by, approval.id)[-MAX_QUESTIONS_REMEMBERED:]
            execution = replace(execution, waiting=execution.waiting + 1, blocked_by=blocked_by)
    ended = execution.status in FINAL_STATUSES
    rows.put(
        replace(
            execution,
            status=execution.status if ended else facts.status,
            undecided=execution.undecided if ended else 0,
            unwound=execution.unwound or (facts.decision == "unwind" and not ended),
            decision_seq=entry.seq,
            decided_seq=entry.seq,
            late=execution.late + 1 if ended else execution.late,
            **own_entry(rows, execution, entry),
        )
    )


def _apply_to_actions(rows: Rows, entry: Entry, facts: DecisionRecorded) -> None:
    """Apply a decision to keep actions, or about what an action was: it moves no status, and decides on no failure."""
    for action in facts.kept:
        keep_action(rows, action, entry)
    if facts.action_id:
        place = Place(facts.step, facts.undoes, facts.undoes_too, facts.used, facts.permission)
        place_action(rows, entry, facts.action_id, place)
    _touch(rows, entry)
    execution = rows.get(Execution, entry.execution)
    if execution:
        rows.put(replace(execution, decision_seq=entry.seq))


def _decide_on_step(rows: Rows, entry: Entry, facts: DecisionRecorded) -> None:
    """Note a decision at its step. A skip of a step that is done changes nothing: it was done."""
    id = progress_id(entry.execution, facts.step)
    before = rows.get(Progress, id)
    if facts.decision == "skip":
        if before and before.status == "done":
            return
        set_step_status(rows, entry.execution, facts.step, "skipped", entry)
    progress = rows.get(Progress, id)
    if progress:
        rows.put(replace(progress, decided=facts.decision))


def _move_to_revision(rows: Rows, execution: Execution, revision: int) -> Execution:
    """Move an execution to another revision: progress is kept by step id, and counted anew among the new steps."""
    plan = rows.get(Revision, revision_id(execution.plan_id, revision))
    if plan is None:
        return execution
    before = rows.get(Revision, revision_id(execution.plan_id, execution.revision))
    old_steps = {step.id: True for step in (before.steps if before else ())}
    new_steps = {step.id: False for step in plan.steps}
    counts: dict[str, int] = {}
    undone = 0
    for step, dropped in {**old_steps, **new_steps}.items():
        progress = rows.get(Progress, progress_id(execution.id, step))
        if progress and progress.dropped != dropped:
            rows.put(replace(progress, dropped=dropped))
        if progress and not dropped:
            counts = move_count(counts, "", progress.status)
            undone += progress.undone
    total = len(plan.steps)
    return replace(execution, revision=revision, total_steps=total, steps=counts, undone_steps=undone)


def _context_recorded(rows: Rows, entry: Entry, facts: ContextRecorded) -> None:
    id = context_id(facts.scope, facts.scope_id, facts.key)
    before = rows.get(Context, id)
    rows.put(
        Context(
            id=id,
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
            about=facts.about,
            tool=facts.tool,
            effect_key=facts.effect_key,
            granted=facts.effect_key,
            expires=facts.expires,
        )
    )
    _touch(rows, entry)
    execution = rows.get(Execution, entry.execution) if entry.execution else None
    if execution:
        rows.put(replace(execution, asked=execution.asked + 1, pending=execution.pending + 1))


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
            client=entry.actor.name if facts.channel == "client" else "",
        )
    )
    execution = rows.get(Execution, approval.execution)
    if execution is None:
        return
    answered = approval.status == "pending"
    execution = replace(execution, pending=max(execution.pending - answered, 0))
    rows.put(unblock(execution, [approval.id]) if approval.blocks else execution)


def _touch(rows: Rows, entry: Entry) -> None:
    execution = rows.get(Execution, entry.execution) if entry.execution else None
    if execution:
        late = execution.late + 1 if execution.status in FINAL_STATUSES else execution.late
        rows.put(replace(execution, late=late, **own_entry(rows, execution, entry)))


_CLAIMS = frozenset((DecisionRecorded.KIND, ApprovalRequested.KIND))
"""Kinds of entry with which an agent or a person takes part in an execution, beside the begin of an action."""
_HANDLERS: dict[str, Callable[[Rows, Entry, Any], None]] = {
    PlanRecorded.KIND: _plan_recorded,
    PlanRetired.KIND: _plan_retired,
    TaskRecorded.KIND: _task_recorded,
    SessionOpened.KIND: _session_opened,
    SessionEnded.KIND: _session_ended,
    SessionNoted.KIND: _session_noted,
    ExecutionStarted.KIND: _execution_started,
    ExecutionEnded.KIND: _execution_ended,
    ActionBegun.KIND: action_begun,
    ActionEnded.KIND: action_ended,
    ActionDoubted.KIND: action_doubted,
    ActionNoted.KIND: _action_noted,
    DecisionRecorded.KIND: _decision_recorded,
    ContextRecorded.KIND: _context_recorded,
    ApprovalRequested.KIND: _approval_requested,
    ApprovalDecided.KIND: _approval_decided,
}
