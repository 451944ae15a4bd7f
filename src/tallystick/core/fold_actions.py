"""Folds entries about actions into rows: the action, its step, the action it undoes, and the counts of its execution.

This is the hot part of the fold, so each row is replaced once, not field by field.
"""

from collections.abc import Collection
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core import undo as core_undo
from tallystick.core.entries import (
    ActionBegun,
    ActionDoubted,
    ActionEnded,
    ActionNoted,
    DecisionRecorded,
    Entry,
    StepFacts,
)
from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import times
from tallystick.core.state import (
    PAGE,
    Action,
    Approval,
    Execution,
    Progress,
    Revision,
    Rows,
    Session,
    progress_id,
    revision_id,
)
from tallystick.core.types import FINAL_STATUSES, OUTSTANDING, Cancellable, Permission

SETTLED = ("ok", "failed", "skipped")
STEP_STATUS = {
    "open": "running",
    "ok": "done",
    "failed": "failed",
    "skipped": "skipped",
    "unknown": "in_doubt",
    "doubted": "in_doubt",
}
"""The status of a step by the state of its latest action."""
MAX_SESSIONS_REMEMBERED = 8
"""Sessions that recorded in an execution, beside the one that started it: one that lives shows that it is worked on."""
MAX_QUESTIONS_REMEMBERED = 16
"""Questions that block an execution, the last ones: the end of the step that one is about lets it go on."""
MAX_REPETITIONS = 8
"""Calls that are remembered as repeating an action in doubt, the last ones."""
MAX_UNPERMITTED = 100
"""Actions that are remembered as carried out without an approval."""
MAX_EARLIER_ENDS = 8
"""Earlier ends of an action that are remembered: a later end must not hide a result that was recorded before."""


def action_begun(rows: Rows, entry: Entry, facts: ActionBegun) -> None:
    kind, undoes, effect, cancellable = facts.action_kind, facts.undoes, facts.effect, facts.cancellable
    action = Action(
        id=entry.id,
        state="open",
        seq=entry.seq,
        at=entry.at,
        execution=entry.execution,
        session=entry.session,
        actor=entry.actor.name,
        actor_kind=entry.actor.kind,
        witness=entry.witness,
        action_kind=kind,
        undoes=undoes,
        tool=facts.tool,
        step=facts.step,
        plan_id=facts.plan_id,
        revision=facts.revision,
        effect=effect,
        effect_key=facts.effect_key,
        cancellable=cancellable,
        has_undo=facts.has_undo,
        undo_until=facts.undo_until,
        deadline=_deadline(facts.undo_until, entry.at) if facts.undo_until else 0,
        attempt=facts.attempt,
        out_of_order=facts.out_of_order,
        late=facts.late,
        call=facts.call,
        shown_as=facts.shown_as,
        temporary=facts.temporary,
        undoes_too=facts.undoes_too,
        after_the_fact=facts.after_the_fact,
        permission=facts.permission,
        while_unwinding=facts.while_unwinding,
        repeats=facts.repeats,
        undo_state=core_undo.state_without_undos(kind, undoes, effect, "open", cancellable, without_effect=False),
        **(_reporter(entry) if entry.actor.kind in _REPORTERS else {}),
    )
    rows.put(action)
    if facts.approval_id:
        _use_approval(rows, entry, facts)
    _apply_change(rows, None, action, entry)
    if facts.permission:
        _note_permission(rows, action)
    if facts.repeats:
        _note_repetition(rows, action)


def action_observed(rows: Rows, entry: Entry, facts: ActionNoted) -> None:
    """Mark an action whose call a harness saw: what was claimed is observed from now on."""
    action = rows.get(Action, entry.id)
    if action is None:
        return
    observed = replace(
        action,
        call=action.call or facts.call,
        witness="observed" if entry.witness == "observed" else action.witness,
        hook_saw_end=action.hook_saw_end or facts.saw == "end",
        **_reporter(entry, action),
    )
    if facts.effect:
        call = {"tool": facts.tool, "effect_key": facts.effect_key, "shown_as": facts.shown_as, "permission": ""}
        observed = _with_undo_state(replace(observed, effect=facts.effect, **call))  # the gateway asks people itself
    rows.put(observed)
    _use_approval(rows, entry, facts)
    _move_undo_state(rows, action, observed)
    if facts.effect and facts.step:
        place_action(rows, entry, action.id, Place(step=facts.step))


_REPORTERS = ("hook", "sub-agent", "gateway")
"""The kinds of actors that may report what others do."""


def _reporter(entry: Entry, before: Action | None = None) -> dict[str, Any]:
    """The session of the gateway, or of a hook, that reports an action; the first one of each counts."""
    if entry.actor.is_gateway and not (before and before.gateway_session):
        return {"gateway_session": entry.session}
    if entry.witness == "observed" and entry.actor.is_hook and not (before and before.hook_session):
        return {"hook_session": entry.session}
    return {}


def _use_approval(rows: Rows, entry: Entry, facts: ActionBegun | ActionNoted) -> None:
    approval = rows.get(Approval, facts.approval_id) if facts.approval_id else None
    # An observed call may differ from the one that was granted: then the approval stays unused.
    refused = isinstance(facts, ActionBegun) and facts.out_of_order and facts.permission != "granted"
    covered = approval is not None and (approval.granted == facts.effect_key or not refused)
    if approval and covered and approval.status in ("approve", "edit"):
        rows.put(replace(approval, status="used", used_by=entry.id))


def action_ended(rows: Rows, entry: Entry, facts: ActionEnded) -> None:
    action = rows.get(Action, entry.id)
    if action is None:
        return
    state = "doubted" if facts.contradicts else facts.outcome
    repeated = action.state == state == "failed"  # a second report without `without_effect` does not take it back
    # An action in doubt ended some time before: its deadline stays counted from its begin.
    first = action.state == "open" and not facts.settles
    same = action.state == state and state in SETTLED  # reported again: the first end tells when it was over
    ended = replace(
        action,
        state=state,
        end_seq=entry.seq,
        earlier_ends=(*action.earlier_ends, action.end_seq)[-MAX_EARLIER_ENDS:] if action.end_seq else (),
        ended_by=action.ended_by if same else entry.session,
        undos=core_undo.undos_after_contradiction(action.undos) if facts.contradicts else action.undos,
        kept=0 if facts.contradicts else action.kept,
        without_effect=facts.without_effect or (repeated and action.without_effect),
        deadline=_deadline(action.undo_until, entry.at) if action.undo_until and first else action.deadline,
        late=action.late or facts.late,
        **({} if same else _end_and_duration(action, entry, facts)),
        **(_observed_end(entry, action) if entry.actor.kind in _REPORTERS else {}),
    )
    ended = _with_undo_state(ended)
    rows.put(ended)
    _apply_change(rows, action, ended, entry)
    if ended.repeats:
        _note_repetition(rows, ended)


def _end_and_duration(action: Action, entry: Entry, facts: ActionEnded) -> dict[str, Any]:
    """When an action ended, and how long it took if that is known. An entry that settles or contradicts an outcome says
    later how it ended, not when; one that was recorded when it was over does not say how long it took."""
    is_later = facts.settles or facts.contradicts
    known = action.duration if is_later or action.after_the_fact else max(entry.at - action.at, 0) / 1_000_000
    return {
        "ended_at": (action.ended_at if is_later else 0) or entry.at,
        "duration": known if facts.duration is None else facts.duration,
    }


def _observed_end(entry: Entry, action: Action) -> dict[str, Any]:
    saw_end = action.hook_saw_end or (entry.witness == "observed" and entry.actor.is_hook)
    return {"hook_saw_end": saw_end, **_reporter(entry, action)}


def action_doubted(rows: Rows, entry: Entry, facts: ActionDoubted) -> None:
    action = rows.get(Action, entry.id)
    if action:
        doubted = _with_undo_state(replace(action, state="doubted"))
        rows.put(doubted)
        _apply_change(rows, action, doubted, entry)


def keep_action(rows: Rows, id: str, entry: Entry) -> None:
    """Take an action off the undo list on purpose."""
    action = rows.get(Action, id)
    if action and action.undo_state in OUTSTANDING:
        kept = _with_undo_state(replace(action, kept=entry.seq))
        rows.put(kept)
        _move_undo_state(rows, action, kept)


class Place(Struct, frozen=True):
    """The place of an action: a step, or an undo of others, or both. `used`: its approval. `permission`: whether it had
    one that it needed. `cancellable`: the step's."""

    step: str = ""
    undoes: str = ""
    undoes_too: tuple[str, ...] = ()
    used: str = ""
    permission: Permission = ""
    cancellable: Cancellable | None = None


def place_action(rows: Rows, entry: Entry, id: str, place: Place) -> None:
    """Give an action that was recorded without a step its step, or the actions that it undid."""
    action = rows.get(Action, id)
    execution = rows.get(Execution, action.execution) if action else None
    if action is None or execution is None or action.step or action.undoes or action.action_kind == "undo":
        return
    is_undo = bool(place.undoes and not place.step)
    placed = replace(
        action,
        action_kind="undo" if is_undo else "do",
        undoes=place.undoes,
        undoes_too=place.undoes_too,
        while_unwinding=False,
        permission=place.permission or action.permission,
        **(_step_fields(rows, execution, action, place.step) if place.step else {}),
    )
    placed = _with_undo_state(placed)
    rows.put(placed)
    approval = rows.get(Approval, place.used) if place.used else None
    if approval and approval.status in ("approve", "edit"):
        rows.put(replace(approval, status="used", used_by=placed.id))
    state = placed.state
    rows.put(
        replace(
            execution,
            actions=move_count(execution.actions, state, "") if is_undo else execution.actions,
            undos=move_count(execution.undos, "", state) if is_undo else execution.undos,
            step=place.step or execution.step,
            unplanned=max(execution.unplanned - bool(execution.plan_id), 0),
            **_undo_counts(execution, action, placed),
        )
    )
    for target in filter(None, (placed.undoes, *placed.undoes_too)):
        _apply_undo(rows, target, None, placed)
    if place.step:
        _begin_step_late(rows, entry, placed)
    _note_permission(rows, placed)


def _step_fields(rows: Rows, execution: Execution, action: Action, name: str) -> dict[str, Any]:
    """The fields that an action takes from its step in the revision of its execution. Its effect stays as seen."""
    revision = rows.get(Revision, revision_id(execution.plan_id, execution.revision))
    steps = revision.steps if revision else ()
    step = next((each for each in steps if each.id == name), StepFacts(id=name, cancellable="irreversible"))
    progress = rows.get(Progress, progress_id(execution.id, name))
    return {
        "step": name,
        "plan_id": execution.plan_id,
        "revision": execution.revision,
        "attempt": progress.attempts + 1 if progress else 1,
        "cancellable": action.cancellable or step.cancellable,
        "has_undo": action.has_undo or step.has_undo,
        "undo_until": action.undo_until or step.undo_until,
        # When it was over may not be known, so the time to undo it counts from its begin, unless it has yet to end.
        "deadline": action.deadline or (_deadline(step.undo_until, action.at) if step.undo_until else 0),
        "temporary": action.temporary or step.temporary,
    }


def _begin_step_late(rows: Rows, entry: Entry, action: Action) -> None:
    """Count an action that got its step later as an attempt at it, with its failure, which was counted without one."""
    status = "" if action.state == "skipped" and action.witness == "observed" else STEP_STATUS[action.state]
    set_step_status(rows, action.execution, action.step, status, entry, action.id, begins=True)
    execution, progress = (
        rows.get(Execution, action.execution),
        rows.get(Progress, progress_id(action.execution, action.step)),
    )
    if execution is None or progress is None:
        return
    counted = progress.failures if progress.failed_seq > execution.decided_seq else 0
    if action.state == "ok" and counted:
        rows.put(replace(progress, failures=0))
        rows.put(replace(execution, undecided=max(execution.undecided - counted, 0)))
    elif action.state in ("failed", "skipped") and action.end_seq > execution.decided_seq:
        rows.put(replace(progress, failures=counted + 1, failed_seq=max(progress.failed_seq, action.end_seq)))


def _note_permission(rows: Rows, action: Action) -> None:
    """Remember an action that was carried out without an approval that it needed."""
    execution = rows.get(Execution, action.execution) if action.permission in ("missing", "rejected") else None
    if execution and action.id not in execution.unpermitted:
        rows.put(replace(execution, unpermitted=(*execution.unpermitted, action.id)[-MAX_UNPERMITTED:]))


def _note_repetition(rows: Rows, action: Action) -> None:
    """Remember at an action in doubt which call repeats it; one that was not made after all does not."""
    target = rows.get(Action, action.repeats) if action.repeats else None
    if target is None:
        return
    others = tuple(id for id in target.repeated_by if id != action.id)
    found = others if action.state == "skipped" else (*others, action.id)[-MAX_REPETITIONS:]
    if found != target.repeated_by:
        rows.put(replace(target, repeated_by=found))


def own_entry(rows: Rows, execution: Execution, entry: Entry) -> dict[str, Any]:
    """The fields that an entry of its own changes in an execution: when it was last worked on, and by which session.

    What a person says about an agent's work does not continue it, nor does what is recorded on the page, whoever is
    logged in. Neither does a session that only says what came of that work, or that something of it is kept.
    """
    session = entry.session
    is_person = entry.actor.kind == "person" or bool(getattr(entry.facts, "credential", ""))
    if entry.kind == ActionDoubted.KIND or (is_person and execution.actor_kind != "person"):
        return {}
    fields: dict[str, Any] = {"last_seq": entry.seq, "last_at": entry.at}
    if session and session != execution.session and session not in execution.sessions:
        if session != execution.working_session and _is_about_earlier_work(entry):
            return {}
        opened = rows.get(Session, session)
        if opened and opened.client == PAGE:
            return {}
        fields["sessions"] = (*execution.sessions, session)[-MAX_SESSIONS_REMEMBERED:]
    return fields


def _is_about_earlier_work(entry: Entry) -> bool:
    facts = entry.facts
    return isinstance(facts, ActionEnded) or (isinstance(facts, DecisionRecorded) and facts.decision == "keep")


def _apply_change(rows: Rows, before: Action | None, after: Action, entry: Entry) -> None:
    """Update the execution and the step after an action began, or its state changed."""
    execution = rows.get(Execution, after.execution)
    if execution is None:
        return
    doing = after.action_kind == "do"
    was = before.state if before else ""
    counts = "actions" if doing else "undos"
    changes = own_entry(rows, execution, entry)
    changes[counts] = move_count(getattr(execution, counts), was, after.state)
    if execution.status in FINAL_STATUSES:
        changes["late"] = execution.late + 1
    if before is None:
        _add_begin(changes, execution, after, entry)
    elif doing and was != after.state and (after.state != "ok" or execution.undecided):
        changes["undecided"] = execution.undecided + _undecided_change(rows, execution, after, entry)
    if before is None or _changes_undo(before, after):
        changes.update(_undo_counts(execution, before, after))
    rows.put(replace(execution, **changes))
    if after.undoes:
        for target in (after.undoes, *after.undoes_too):
            _apply_undo(rows, target, before, after)
    if doing and after.step and was != after.state:
        set_step_status(
            rows, execution.id, after.step, _step_status(after, entry), entry, after.id, begins=before is None
        )


def _add_begin(changes: dict[str, Any], execution: Execution, action: Action, entry: Entry) -> None:
    """Add the fields of an execution that only the begin of an action changes."""
    if action.step and action.action_kind == "do":
        changes["step"] = action.step
    if execution.plan_id and action.is_unplanned(execution):
        changes["unplanned"] = execution.unplanned + 1
    if entry.witness == "claimed" and execution.witness == "observed":
        changes["claimed"] = True


def _undecided_change(rows: Rows, execution: Execution, action: Action, entry: Entry) -> int:
    """The change of an execution's undecided failures: a failure adds one, success takes off those of the same step. An
    earlier attempt at a step that is done asks for no decision."""
    is_failure = action.state in ("failed", "skipped") and not _did_not_happen(action, entry)
    if not is_failure and not (action.state == "ok" and execution.undecided):
        return 0
    progress = rows.get(Progress, progress_id(execution.id, action.step)) if action.step else None
    if progress is None:
        return int(is_failure)
    if is_failure and progress.status == "done" and progress.action != action.id:
        return 0
    counted = progress.failures if progress.failed_seq > execution.decided_seq else 0
    rows.put(replace(progress, failures=counted + 1 if is_failure else 0, failed_seq=entry.seq))
    return 1 if is_failure else -counted


def _step_status(action: Action, entry: Entry) -> str:
    """The status of an action's step. A call that was observed as not made leaves the step to be done: it was refused,
    or waits for a person. So does one that did not happen. Only another claim, or a decision, skips a step."""
    was_not_made = action.state == "skipped" and (entry.witness == "observed" or _did_not_happen(action, entry))
    return "" if was_not_made else STEP_STATUS[action.state]


def _did_not_happen(action: Action, entry: Entry) -> bool:
    """Whether an action that was in doubt is settled: it did not happen."""
    return action.state == "skipped" and isinstance(entry.facts, ActionEnded) and entry.facts.settles


def set_step_status(
    rows: Rows, execution_id: str, step: str, status: str, entry: Entry, action: str = "", *, begins: bool = False
) -> None:
    """Write the progress of a step, and count it for its execution."""
    id = progress_id(execution_id, step)
    before = rows.get(Progress, id) or Progress(id=id, execution=execution_id, step=step, status="", seq=entry.seq)
    if action and not begins and _keeps_status(before, action, status):
        return
    after = replace(
        before,
        status=status,
        seq=entry.seq,
        action=action or before.action,
        attempts=before.attempts + begins,
        decided="" if action else before.decided,
        undone=status == "done" and _is_undone(rows, rows.get(Action, action or before.action)),
    )
    rows.put(after)
    _count_step(rows, before, after)
    if after.status in ("done", "skipped"):
        _close_questions(rows, after)


def _close_questions(rows: Rows, settled: Progress) -> None:
    """Unblock an execution from the questions about a step that is settled: nobody waits for their answers."""
    execution = rows.get(Execution, settled.execution)
    asked = (rows.get(Approval, id) for id in (execution.blocked_by if execution else ()))
    closed = [row for row in asked if row and row.status == "pending" and row.step == settled.step]
    for row in closed:
        rows.put(replace(row, blocks=False))
    if execution and closed:
        rows.put(unblock(execution, [row.id for row in closed]))


def unblock(execution: Execution, questions: Collection[str]) -> Execution:
    """The execution without these questions among those that block it."""
    waiting = max(execution.waiting - len(questions), 0)
    return replace(
        execution,
        waiting=waiting,
        blocked_by=tuple(id for id in execution.blocked_by if id not in questions),
        status="running" if execution.status == "blocked" and not waiting else execution.status,
    )


def _count_step(rows: Rows, before: Progress, after: Progress) -> None:
    """Count a step whose progress has changed for its execution."""
    execution = rows.get(Execution, after.execution)
    if execution is None or before.dropped or (before.status, before.undone) == (after.status, after.undone):
        return
    steps = execution.steps
    if before.status != after.status:
        steps = move_count(steps, before.status, after.status)
    rows.put(replace(execution, steps=steps, undone_steps=execution.undone_steps + after.undone - before.undone))


def _is_undone(rows: Rows, action: Action | None) -> bool:
    """Whether somebody undid an action; a planned step that puts it back is the plan going on."""
    if action is None or action.undo_state != "undone":
        return False
    undo = rows.get(Action, action.undone_by)
    return undo is not None and undo.action_kind == "undo"


def _note_undone(rows: Rows, action: Action) -> None:
    """Mark the step of an action that was undone, or whose undo no longer counts."""
    progress = rows.get(Progress, progress_id(action.execution, action.step)) if action.step else None
    if progress is None or progress.action != action.id:
        return
    undone = progress.status == "done" and _is_undone(rows, action)
    if undone != progress.undone:
        after = replace(progress, undone=undone)
        rows.put(after)
        _count_step(rows, progress, after)


def move_count(counts: dict[str, int], before: str, after: str) -> dict[str, int]:
    """Counts by state, after one thing moved from one state to another; an empty state is none."""
    moved = dict(counts)
    if moved.get(before):
        moved[before] -= 1
        if not moved[before]:
            del moved[before]
    if after:
        moved[after] = moved.get(after, 0) + 1
    return moved


def _keeps_status(progress: Progress, action: str, status: str) -> bool:
    """Whether a step keeps its status: for a later attempt, unless this one succeeded; or because it was skipped."""
    if progress.action not in ("", action):
        return status != "done"
    return progress.decided == "skip" and status in ("", "in_doubt")


def _apply_undo(rows: Rows, id: str, before: Action | None, undo: Action) -> None:
    """Update an action that an undo undoes, which may belong to another execution."""
    target = rows.get(Action, id)
    if target is None:
        return
    # A new undo takes back the decision to keep it, and so does evidence against the success of an undo.
    reopens = before is None or before.state == "ok" != undo.state
    kept = 0 if reopens else target.kept
    after = _with_undo_state(replace(target, undos={**target.undos, undo.id: undo.state}, kept=kept))
    rows.put(after)
    _move_undo_state(rows, target, after)
    _note_undone(rows, after)


def _move_undo_state(rows: Rows, before: Action, after: Action) -> None:
    """Count the new undo state of an action for its execution."""
    execution = rows.get(Execution, after.execution)
    counts = _undo_counts(execution, before, after) if execution else {}
    if execution and counts:
        rows.put(replace(execution, **counts))


def _changes_undo(before: Action, after: Action) -> bool:
    """Whether any field is different that `_undo_counts` looks at."""
    return (
        before.undo_state != after.undo_state
        or before.deadline != after.deadline
        or before.while_unwinding != after.while_unwinding
        or before.temporary != after.temporary
    )


def _undo_counts(execution: Execution, before: Action | None, after: Action) -> dict[str, Any]:
    """The counts of undo states that change with an action."""
    was, now = before.listed_as if before else "", after.listed_as
    was_temporary = was if before and before.temporary else ""
    is_temporary = now if after.temporary else ""
    timed = _is_timed(after) - (_is_timed(before) if before else 0)
    counts: dict[str, Any] = {"deadlines": execution.deadlines + timed} if timed else {}
    if was != now:
        counts["undo_states"] = move_count(execution.undo_states, was, now)
    if was_temporary != is_temporary:
        counts["temporary_states"] = move_count(execution.temporary_states, was_temporary, is_temporary)
    return counts


def _is_timed(action: Action) -> int:
    return 1 if action.deadline and action.undo_state == "not_undone" else 0


def _with_undo_state(action: Action) -> Action:
    """The action with the state of its undo."""
    state, by = core_undo.undo_state(action)
    if state == action.undo_state and by == action.undone_by:
        return action
    return replace(action, undo_state=state, undone_by=by)


def _deadline(undo_until: str, start: int) -> int:
    try:
        return times.resolve(undo_until, "undo_until", start=start)
    except InvalidArgument:  # an old entry may hold what today's rules would refuse
        return 0
