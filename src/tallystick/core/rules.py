"""The rules that refuse an intention: status moves, order of steps, repeated effects, approvals, ends.

An observed action has happened and is always recorded. Each check raises a `Refused` with the state it found and the
next call to make, or returns.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, get_args

from tallystick.core.entries import StepFacts
from tallystick.core.errors import AlreadyDone, ApprovalPending, InDoubtOpen, InvalidArgument, WrongState
from tallystick.core.state import Action, Approval, Execution, Progress, Session, count_due
from tallystick.core.types import FINAL_STATUSES, Choice, ExecutionStatus, Permission

STATUS_AFTER: dict[Choice, dict[str, ExecutionStatus]] = {
    "continue": {"running": "running", "blocked": "blocked", "unwinding": "unwinding"},
    "retry": {"running": "running", "blocked": "blocked", "unwinding": "unwinding"},
    "skip": {"running": "running", "blocked": "blocked", "paused": "paused", "unwinding": "unwinding"},
    "replan": {"running": "running", "blocked": "blocked", "paused": "paused"},
    "pause": {"running": "paused", "blocked": "paused", "unwinding": "paused"},
    "resume": {"paused": "running", "blocked": "running", "unwinding": "unwinding"},
    "unwind": {"running": "unwinding", "paused": "unwinding", "blocked": "unwinding", "unwinding": "unwinding"},
    "ask_human": {"running": "blocked", "blocked": "blocked", "paused": "paused", "unwinding": "unwinding"},
    "stop": {"running": "cancelled", "paused": "cancelled", "blocked": "cancelled", "unwinding": "cancelled"},
    "fail": {"running": "failed", "paused": "failed", "blocked": "failed", "unwinding": "failed"},
    "done": {"running": "completed", "blocked": "completed", "paused": "completed", "unwinding": "cancelled"},
    "keep": {status: status for status in get_args(ExecutionStatus)},
    "settle": {status: status for status in get_args(ExecutionStatus)},
}
"""The status after each decision, by the status before it. Any other decision is refused."""
SETTLE_OUTCOMES = "ok, failed, or skipped: not done"
"""The outcomes that settle a doubt, in a call that is to be filled in."""
ENDS: tuple[Choice, ...] = ("done", "stop", "fail")
"""The decisions that end an execution."""
STATUS_AFTER_UNWIND: dict[Choice, dict[str, ExecutionStatus]] = {
    "resume": {"paused": "unwinding"},
    "done": {"running": "cancelled", "blocked": "cancelled", "paused": "cancelled"},
}
"""The moves that differ after an unwind was decided: a pause does not take it back."""


def status_after(execution: Execution, decision: Choice) -> ExecutionStatus:
    """The status that a decision moves an execution to."""
    moves = _moves(execution, decision)
    if execution.status in moves:
        return moves[execution.status]
    if execution.status in FINAL_STATUSES:
        raise (_over_already_error if decision in ENDS else execution_ended_error)(execution)
    legal = [choice for choice in STATUS_AFTER if execution.status in _moves(execution, choice)]
    raise WrongState(
        f"{decision} is not possible while {execution.id} is {execution.status}.",
        hint=f"Decide one of: {', '.join(legal)}.",
        field="decision",
        allowed=legal,
        next_call=("record_decision", {"execution_id": execution.id, "decision": "...", "why": "..."}),
    )


def _moves(execution: Execution, decision: Choice) -> dict[str, ExecutionStatus]:
    if not execution.unwound:
        return STATUS_AFTER[decision]
    return {} if decision == "replan" else {**STATUS_AFTER[decision], **STATUS_AFTER_UNWIND.get(decision, {})}


def execution_ended_error(execution: Execution) -> WrongState:
    """The error for a new action or decision in an execution that has ended."""
    return WrongState(
        f"{execution.id} has ended: it is {execution.status}, for good.",
        hint="Start a new execution; undos of what it still owes can be recorded on it.",
        next_call=("list_owed", {"execution_id": execution.id})
        if execution.owed()
        else ("record_execution_start", {"plan_id": execution.plan_id} if execution.plan_id else {"title": "..."}),
    )


def _over_already_error(execution: Execution) -> WrongState:
    """The error for a decision to end an execution that has ended."""
    about = {"execution_id": execution.id}
    rest = "What it owes is still to be undone or kept." if execution.owed() else "Nothing is left to record for it."
    return WrongState(
        f"{execution.id} has ended already: it is {execution.status}.",
        hint=f"{rest} New work needs a new execution.",
        field="decision",
        next_call=("list_owed" if execution.owed() else "get_execution", about),
    )


def check_begin(execution: Execution, *, undo: bool) -> None:
    """Check that something new may begin in this execution."""
    if execution.status in FINAL_STATUSES and not undo:
        raise execution_ended_error(execution)
    if execution.status == "paused":
        raise WrongState(
            f"{execution.id} is paused: nothing new begins until it is resumed.",
            hint='Decide "resume" first. Open actions may still end.',
            next_call=("record_decision", {"execution_id": execution.id, "decision": "resume", "why": "..."}),
        )


def check_revision(execution: Execution, revision: int) -> None:
    """Check that the execution still follows the revision of the plan that the caller has read."""
    if execution.revision != revision:
        raise WrongState(
            f"{execution.id} follows revision {execution.revision} of its plan by now, not {revision}.",
            hint="Read the plan again, and begin what it says.",
            field="revision",
            next_call=("get_plan", {"plan_id": execution.plan_id}),
        )


def check_forward(execution: Execution, step: StepFacts, effect: str) -> None:
    """Check that a planned step may be carried out: while an execution is unwound, only a read or an undo may."""
    if execution.unwound and not step.undoes and effect != "read":
        raise unwinding_error(execution, f'step "{step.id}" does not begin any more')


def unwinding_error(execution: Execution, refused: str) -> WrongState:
    """The error for a part of the plan that was to be carried out while the execution is unwound."""
    return WrongState(
        f"{execution.id} is unwinding: {refused}.",
        hint="Undo what the undo list names, from top to bottom, then decide done. To carry out the plan again, start"
        " another execution of it.",
        field="step",
        next_call=("get_undo_list", {"execution_id": execution.id}),
    )


def check_newest_answer(
    approvals: Iterable[Approval],
    *,
    step: str,
    keys: Collection[str],
    again: str,
    now: int,
    needed: bool = False,
    call: Callable[[], Mapping[str, Any]] = dict,
) -> None:
    """Check an action against the newest answer of a person about it.

    `approvals`: those of the execution, newest first. `keys`: the effect keys of the call. `needed`: the step needs an
    approval. `call`: gives the call itself, for the hint to ask again.
    """
    for approval in approvals:
        same_call = any(key in (approval.effect_key, approval.granted) for key in keys)
        if not same_call and not (step and approval.step == step):
            continue
        covers = same_call or (needed and not approval.granted)
        if approval.status == "pending":
            raise _unanswered(approval, now, call())
        if approval.status == "reject" or (covers and approval.status == "respond"):
            raise WrongState(
                f"A person was asked about this ({approval.id}) and answered with {approval.status}.",
                hint="Read the answer, and do not act against it; ask anew if things have changed.",
                next_call=("get_approval", {"approval_id": approval.id}),
            )
        if covers and approval.status in ("approve", "edit") and not is_expired(approval, now):
            raise _granted(approval, keys, step, call())
        if same_call and again:
            raise WrongState(
                f"{approval.id} was used by {approval.used_by}.",
                hint="Request another approval.",
                next_call=_ask_call(approval.execution, step, call()),
            )
        return


def find_permission(
    approvals: Iterable[Approval],
    *,
    step: str,
    covers: Callable[[Approval], str],
    now: int,
    needed: bool = False,
) -> tuple[Permission, str]:
    """Whether a person permitted a call that was made, by the newest answer about it; and the approval that it uses.

    `approvals`: those of the execution, newest first. `covers` says whether an approval `granted` the call, or `asked`
    about it. `needed`: its step needs an approval.
    """
    for approval in approvals:
        covered = covers(approval)
        if not covered and not (step and approval.step == step):
            continue
        if approval.status == "reject":
            return "rejected", ""
        is_live = approval.status in ("approve", "edit") and not is_expired(approval, now)
        if is_live and covered == "granted":
            return "granted", approval.id
        is_open = approval.status in ("pending", "respond", "edit")
        return ("missing" if needed or (covered and is_open) else ""), ""
    return ("missing" if needed else ""), ""


def _unanswered(approval: Approval, now: int, call: Mapping[str, Any]) -> ApprovalPending:
    if is_expired(approval, now):
        return ApprovalPending(
            f"{approval.id} has expired without an answer: it is not approved.",
            hint=ASK_EXACTLY_HINT,
            field="approval_id",
            next_call=_ask_call(approval.execution, approval.step, call),
        )
    return ApprovalPending(
        f"{approval.id} asks a person about this, and has not been answered.",
        hint="Do other work; once it is approved, begin this with its approval_id. No answer is not a yes.",
        field="approval_id",
        next_call=("get_approval", {"approval_id": approval.id}),
    )


def _granted(approval: Approval, keys: Collection[str], step: str, call: Mapping[str, Any]) -> WrongState:
    """The refusal while an approval is unused: the call has to name it, and to be the one that was granted."""
    message = f"{approval.id} was answered with {approval.status}."
    if approval.granted and approval.granted not in keys:
        return WrongState(
            message,
            hint=f"Begin exactly what was granted, with approval_id={approval.id}: it is used once.",
            field="approval_id",
            next_call=("get_approval", {"approval_id": approval.id}),
        )
    begin = {"phase": "begin", "execution_id": approval.execution, **({"step": step} if step else {}), **call}
    return WrongState(
        message,
        hint="Begin it with that approval_id: it is used once.",
        field="approval_id",
        next_call=("record_action", {**begin, "approval_id": approval.id}),
    )


def _ask_call(execution: str, step: str, call: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    about = {"step": step} if step else {}
    return "request_approval", {"execution_id": execution, **about, "question": "...", **call}


def check_order(execution: str, step: StepFacts, progress: Mapping[str, Progress]) -> None:
    """Check that the steps before a planned step are done or skipped in the execution."""
    for before in step.after:
        state = progress[before].status if before in progress else ""
        if state in ("done", "skipped"):
            continue
        if state == "in_doubt":
            raise InDoubtOpen(
                f'Step "{step.id}" comes after "{before}", which is in doubt ({progress[before].action}).',
                hint="Look at the real system, then record its real outcome.",
                next_call=settle_call(progress[before].action),
            )
        raise WrongState(
            f'Step "{step.id}" comes after "{before}", which is {state or "not begun"}.',
            hint=f'Do "{before}" first, or decide skip for it, or revise the plan and decide replan.',
            field="step",
            next_call=_end_call(progress[before].action)
            if state == "running"
            else ("record_action", {"phase": "begin", "execution_id": execution, "step": before, "summary": "..."}),
        )


def check_step(
    execution: str, step: StepFacts, progress: Mapping[str, Progress], *, again: str, repeatable: bool
) -> None:
    """Check that a planned step may begin: it is due, and not done already.

    `repeatable`: its effect is `read` or `idempotent`.
    """
    check_order(execution, step, progress)
    check_step_is_new(step, progress.get(step.id), again=again, repeatable=repeatable)


def check_step_is_new(step: StepFacts, own: Progress | None, *, again: str, repeatable: bool) -> None:
    """Check that a step is neither under way nor in doubt nor done."""
    if own is None or again:
        return
    if own.status == "running":
        raise WrongState(
            f'Step "{step.id}" is under way as {own.action}.',
            hint="End that action first.",
            field="step",
            next_call=_end_call(own.action),
        )
    if repeatable:
        return
    if own.status == "in_doubt":
        raise InDoubtOpen(
            f'Step "{step.id}" is in doubt as {own.action}: it may have happened.',
            hint="Look, then record its real outcome; or say in `again` why you repeat it.",
            next_call=settle_call(own.action),
        )
    if own.status == "done":
        raise AlreadyDone(
            f'Step "{step.id}" was done by {own.action}.',
            hint="To repeat it, say why in `again`.",
            field="again",
            next_call=("get_action", {"action_id": own.action}),
        )


def check_effect(same: Iterable[Action], in_doubt: Iterable[str], *, again: str) -> None:
    """Check that an effect did not succeed before, and is neither under way nor in doubt."""
    if again:
        return
    doubtful = set(in_doubt)
    for action in same:
        if action.id in doubtful:
            raise in_doubt_error(action)
        if action.state == "ok":
            raise AlreadyDone(
                f"The same call has succeeded as {action.id}.",
                hint="Use its result; or say in `again` why you repeat it.",
                field="again",
                next_call=("get_action", {"action_id": action.id}),
            )
        if action.state == "open":
            raise WrongState(
                f"The same call is under way as {action.id}.",
                hint="Wait for it; or say in `again` why you repeat it.",
                next_call=("get_action", {"action_id": action.id}),
            )


def in_doubt_error(action: Action) -> InDoubtOpen:
    """The error for an effect that may have happened already, in any execution."""
    return InDoubtOpen(
        f"The same call is in doubt as {action.id} of {action.execution}.",
        hint="Look, then record its real outcome; or say in `again` why you repeat it.",
        next_call=settle_call(action.id),
    )


def missing_undoes_error() -> InvalidArgument:
    """The error for an undo that does not say of what."""
    return InvalidArgument(
        "undoes is missing.",
        hint="Name the action that this undoes, or its step.",
        field="undoes",
        next_call=("get_undo_list", {}),
    )


def check_undo(target: Action, undo_in_doubt: bool, target_open: bool, *, again: str) -> None:
    """Check that an undo of `target` may begin."""
    if target.action_kind == "undo":
        raise InvalidArgument(
            f"{target.id} is itself an undo, of {target.undoes}.",
            hint="Name an action of the undo list.",
            field="undoes",
            next_call=("get_undo_list", {"execution_id": target.execution}),
        )
    if target_open:
        raise WrongState(
            f"{target.id} is still under way.",
            hint="End it first; then it can be undone.",
            field="undoes",
            next_call=_end_call(target.id),
        )
    if again:
        return
    if target.undo_state == "undone":
        raise AlreadyDone(
            f"{target.id} was undone by {target.undone_by}.",
            hint="To undo it again, say why in `again`.",
            field="again",
            next_call=("get_action", {"action_id": target.undone_by}),
        )
    if target.undo_state == "in_doubt" or undo_in_doubt:
        raise InDoubtOpen(
            f"An undo of {target.id} is in doubt ({target.undone_by}): it may have happened.",
            hint="Look, then record its real outcome; or say in `again` why you repeat it.",
            next_call=settle_call(target.undone_by),
        )
    if target.undo_state == "undoing":
        raise WrongState(
            f"{target.id} is being undone as {target.undone_by}.",
            hint="Wait for its end, or end it if it is yours.",
            next_call=("get_action", {"action_id": target.undone_by}),
        )


def check_approval(
    approval: Approval, *, execution: str, step: str, keys: Collection[str], same_tool: bool, now: int
) -> None:
    """Check that an approval grants exactly this call, now, and has not been used.

    `keys`: the effect keys of the call. `same_tool`: its tool is the one that was asked about.
    """
    ask_again = _ask_call(execution, step, {} if step else {"tool": "...", "arguments": "..."})
    if approval.status == "pending":
        raise _unanswered(approval, now, {})
    if approval.status == "used":
        raise WrongState(
            f"{approval.id} was used by {approval.used_by}.",
            hint="An approval is used once: request another.",
            next_call=ask_again,
        )
    if approval.status not in ("approve", "edit"):
        raise WrongState(
            f"{approval.id} was answered with {approval.status}.",
            hint="Read the answer and do not act.",
            next_call=("get_approval", {"approval_id": approval.id}),
        )
    if is_expired(approval, now):
        raise WrongState(f"{approval.id} has expired.", hint="Request another approval.", next_call=ask_again)
    if approval.execution != execution or (approval.step and approval.step != step):
        granted = f'step "{approval.step}" of {approval.execution}' if approval.step else approval.execution
        raise WrongState(
            f"{approval.id} grants a call in {granted}.",
            hint="Request another approval for this one.",
            next_call=ask_again,
        )
    if not approval.granted and not approval.step:
        raise WrongState(
            f"{approval.id} names neither a tool call nor a step.",
            hint="Request an approval that names the tool and its arguments, or the step.",
            next_call=ask_again,
        )
    if (approval.granted and approval.granted not in keys) or (approval.tool and not same_tool):
        raise WrongState(
            f"{approval.id} grants another tool or other arguments than these.",
            hint="Call exactly what was approved (an edit changes it), or request approval for this.",
            field="arguments",
            next_call=("get_approval", {"approval_id": approval.id}),
        )


ASK_EXACTLY_HINT = (
    "Ask about exactly this tool and these arguments; once approved, begin the step with its approval_id."
)


def approval_required_error(step: StepFacts, execution: str, call: Mapping[str, Any]) -> ApprovalPending:
    """The error for a planned step that needs an approval and was begun without one."""
    return ApprovalPending(
        f'This is step "{step.id}", which needs a person\'s approval.',
        hint=ASK_EXACTLY_HINT,
        field="approval_id",
        next_call=_ask_call(execution, step.id, call),
    )


def is_expired(approval: Approval, now: int) -> bool:
    return bool(approval.expires) and approval.expires <= now


def check_end(action: Action, *, outcome: str, own: bool, in_doubt: bool, evidence: str) -> bool:
    """Check that an end may be claimed for an action; returns whether it contradicts the recorded outcome."""
    settled = action.state in ("ok", "failed", "skipped")
    if settled and (action.state == outcome or not evidence):
        raise WrongState(
            f"{action.id} has ended: {action.state}.",
            hint="If you know better, say how in `evidence`; it then counts as in doubt until it is settled.",
            field="evidence",
            next_call=("get_action", {"action_id": action.id}),
        )
    if settled:
        return True
    if not own and not evidence:
        end = {"phase": "end", "action_id": action.id, "outcome": SETTLE_OUTCOMES, "evidence": "..."}
        raise InDoubtOpen(
            f"{action.id} {'is in doubt' if in_doubt else 'was begun by another session'}.",
            hint="Look at the real system first, and say in `evidence` how you know.",
            field="evidence",
            next_call=settle_call(action.id) if in_doubt else ("record_action", end),
        )
    return False


def under_way_error(action: Action, session: Session) -> WrongState:
    """The error for a decision to settle an action whose session lives: it may still end by itself."""
    gone = " If its agent is gone, end that session: then the action is in doubt."
    return WrongState(
        f"{action.id} is not in doubt: it is under way, and its session {session.id} lives.",
        hint="Wait for its end, or end it from that session. A person with approve can settle it."
        + (gone if session.session_kind == "handle" else ""),
        field="action_id",
        next_call=("get_action", {"action_id": action.id}),
    )


def unfinished_work(execution: Execution, in_doubt: int, *, steps_not_done: int, unanswered: int) -> dict[str, int]:
    """Counts of what is unfinished when an execution is declared done.

    Each action is counted once: one whose session is over counts as in doubt, even before that is recorded.
    """
    states = ("open", "doubted", "unknown")
    temporary = count_due(execution.temporary_states)
    unsettled = sum(count.get(state, 0) for count in (execution.actions, execution.undos) for state in states)
    counts = {
        "open": unsettled - in_doubt,
        "in_doubt": in_doubt,
        "undecided": 0 if execution.unwound else execution.undecided,  # to unwind is the decision
        "steps_not_done": steps_not_done,
        "unanswered": unanswered,
        "owed": execution.owed() if execution.unwound else 0,
        "temporary": 0 if execution.unwound else temporary,
        "undo_not_finished": 0 if execution.unwound else count_due(execution.to_put_back) - temporary,
    }
    return {name: count for name, count in counts.items() if count}


def _end_call(action_id: str) -> tuple[str, dict[str, str]]:
    return "record_action", {"phase": "end", "action_id": action_id, "outcome": "..."}


def settle_call(action_id: str) -> tuple[str, dict[str, str]]:
    settle = {"decision": "settle", "action_id": action_id, "outcome": SETTLE_OUTCOMES, "evidence": "..."}
    return "record_decision", settle
