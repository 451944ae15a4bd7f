"""record_decision: what was decided and why; a decision may change the status of its execution."""

from itertools import islice
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import asdict

from tallystick.core import rules
from tallystick.core.entries import DecisionRecorded, Entry, ExecutionEnded
from tallystick.core.errors import InvalidArgument, UnknownHandle, WrongState
from tallystick.core.state import Action, Execution, Plan, Progress, progress_id
from tallystick.core.types import FINAL_STATUSES, JSON, OUTSTANDING, Choice, ExecutionStatus, Handle, Key, Name, Outcome
from tallystick.operations.actions import ActionArguments, ActionEnd
from tallystick.operations.approvals import Question
from tallystick.operations.executions import next_steps
from tallystick.operations.runtime.attribution import resolve_execution
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.progress import (
    NOT_UNDONE,
    count_doubts,
    describe_undo_list,
    owed_of,
    pending_approvals,
    progress_of,
    statuses,
    step_named,
    steps_of,
)
from tallystick.operations.runtime.receipts import DecisionReceipt, Receipt
from tallystick.store.interface import Select, View

MAX_OWED_SHOWN = 50
APPROVER_DECISIONS = ("settle", "keep", "pause", "resume", "stop", "done", "fail")
"""The decisions that a person with the scope `approve` may record. All others are the agent's."""
MAX_KEPT = 10_000
"""Actions that one decision keeps: more need another one."""


@operation(
    "record",
    "POST /v1/decisions",
    approver={"decision": APPROVER_DECISIONS},
    example={"decision": "retry", "step": "copy", "why": "the network was down"},
)
def record_decision(
    context: OperationContext,
    *,
    decision: Choice,
    why: str = "",
    execution_id: Annotated[Handle | None, Meta(description="Omit to use the one open for this session")] = None,
    step: Name | None = None,
    action_id: Annotated[Handle | None, Meta(description="With settle and keep: which action")] = None,
    outcome: Annotated[Outcome | None, Meta(description="With settle: what really came of it")] = None,
    evidence: Annotated[str, Meta(description="With settle: how you know")] = "",
    without_effect: Annotated[bool, Meta(description="With settle: it failed and changed nothing")] = False,
    question: Annotated[str, Meta(description="With ask_human: what the person is asked")] = "",
    options: Annotated[tuple[str, ...], Meta(max_length=20, description="With ask_human: answers to choose from")] = (),
    tool: Name | None = None,
    arguments: Annotated[dict[str, JSON] | None, Meta(description="Exactly what is to be approved")] = None,
    expires: Annotated[str, Meta(description="With ask_human: when it lapses, such as 2h; never a yes")] = "",
    alternatives: Annotated[tuple[str, ...], Meta(max_length=50, description="What else was considered")] = (),
    rejected: Annotated[str, Meta(description="Why those were not chosen")] = "",
    key: Key | None = None,
) -> DecisionReceipt:
    """Record what you decided and why; it moves the execution.

    ask_human opens an approval; view=approvals has the answer. unwind returns the ordered list of what is owed; keep
    takes an action, step or all off it. settle gives an action in doubt its outcome. done with anything unsettled needs
    why, and shows it for ever.
    """
    asked = {"question": question, "options": options, "expires": expires, "tool": tool, "arguments": arguments}
    end = {"outcome": outcome, "evidence": evidence, "without_effect": without_effect}
    _check_goes_with(decision, **asked, action_id=action_id, **end)
    _check_question(decision, question, tool, arguments)
    if decision == "settle":
        settlement = _settlement(context, action_id, summary=why.strip(), **end)
        return context.record(key, ["settle", why, step, action_id, end], settlement.write, _settle_receipt)
    to_ask = Question(context, question, options, tool, arguments, expires) if decision == "ask_human" else None
    body = context.body(why=why, alternatives=list(alternatives) or None, rejected=rejected)

    def work(transaction: Transaction) -> Entry:
        ledger = transaction.ledger
        action = require_row(ledger, Action, action_id, "action_id") if action_id else None
        named = execution_id or (action.execution if action else None)
        execution = resolve_execution(ledger, named, transaction.session)
        status = _status_after(execution, decision)
        if step:
            _check_step(ledger, execution, decision, step)
        left = _unfinished(ledger, execution) if decision == "done" else {}
        if not why.strip() and (decision != "done" or left):
            raise _reason_missing(decision, left)
        facts = DecisionRecorded(
            decision=decision,
            status=status,
            step=context.masked_name(step),
            revision=_newer_revision(ledger, execution) if decision == "replan" else 0,
            approval_id=_ask(transaction, to_ask, execution, step or "") if to_ask else "",
            credential=context.checked_credential(ledger, "approve", execution.task_id),
            kept=_actions_to_keep(ledger, execution, action, step or "") if decision == "keep" else (),
            late=execution.status in FINAL_STATUSES,
        )
        entry = transaction.write(facts, execution=execution.id, body=body)
        if status in FINAL_STATUSES and not facts.late:
            transaction.write(ExecutionEnded(status=status, left=left), id=execution.id, execution=execution.id)
        return entry

    to_approve = [question, list(options), tool, arguments, expires]
    content = ["decide", decision, why, execution_id, step, *to_approve, list(alternatives), rejected]
    content += [action_id] if action_id else []
    return context.record(key, content, work, _decision_receipt)


_GOES_WITH = {
    **dict.fromkeys(("question", "options", "expires", "tool", "arguments"), ("ask_human",)),
    **dict.fromkeys(("outcome", "evidence", "without_effect"), ("settle",)),
    "action_id": ("settle", "keep"),
}
"""The decisions that an argument goes with."""


def _check_goes_with(decision: Choice, **arguments: Any) -> None:
    """Raise if an argument is given that this decision does not store: a receipt must not hide a dropped argument."""
    for name, value in arguments.items():
        if value and decision not in _GOES_WITH[name]:
            decisions = " or ".join(_GOES_WITH[name])
            raise InvalidArgument(f"{name} goes with decision={decisions}.", hint=f"Leave {name} out.", field=name)


def _check_question(decision: Choice, question: str, tool: str | None, arguments: dict[str, Any] | None) -> None:
    """Raise if ask_human has no question, or a call without a tool."""
    if decision == "ask_human" and not question.strip():
        raise InvalidArgument("question is missing.", hint="Say what the person is to decide.", field="question")
    if arguments and not tool:
        raise InvalidArgument("arguments without a tool are no call.", hint="Name the tool as well.", field="tool")


def _settlement(context: OperationContext, action_id: str | None, **end: Any) -> ActionEnd:
    """The end of an action in doubt; raises InvalidArgument if something is missing."""
    if not action_id:
        raise InvalidArgument(
            "action_id is missing.",
            hint="Name the action in doubt.",
            field="action_id",
            next_call=("list_in_doubt", {}),
        )
    if not end["evidence"].strip():
        raise InvalidArgument(
            "evidence is missing.", hint="Look at the real system, and say how you know.", field="evidence"
        )
    return ActionEnd(context, ActionArguments(phase="end", action_id=action_id, **end))


def _actions_to_keep(view: View, execution: Execution, action: Action | None, step: str) -> tuple[str, ...]:
    """The actions on the undo list that a decision keeps: one, those of a step, or all; raises if there are none."""
    if action is not None:
        if action.execution != execution.id or (step and action.step != step):
            raise InvalidArgument(
                f"{action.id} belongs to {action.execution}{f', step {action.step}' if action.step else ''}.",
                hint="Leave execution_id and step out.",
                field="action_id",
            )
        rows = [action] if action.undo_state in OUTSTANDING else []
    else:
        where = {"execution": execution.id, **NOT_UNDONE, **({"step": step} if step else {})}
        rows = view.find(Action, Select(where=where, limit=MAX_KEPT))
    if not rows:
        about = action.id if action else f'Step "{step}"' if step else execution.id
        found = f"it is {action.undo_state}" if action and action.undo_state else "there is nothing to undo"
        raise WrongState(
            f"{about} is not on the undo list: {found}.",
            hint="Keep what is on the undo list.",
            field="action_id",
            next_call=("get_undo_list", {"execution_id": execution.id}),
        )
    return tuple(row.id for row in rows)


def _status_after(execution: Execution, decision: Choice) -> ExecutionStatus:
    """The status after a decision. An execution that is resumed while a question blocks it is blocked again."""
    status = rules.status_after(execution, decision)
    is_blocked = execution.status == "paused" and status == "running" and execution.waiting
    return "blocked" if is_blocked else status


def _check_step(view: View, execution: Execution, decision: Choice, step: str) -> None:
    """Raise if there is no such step. A step that the plan no longer has can be decided on, but not retried."""
    was_begun = view.get(Progress, progress_id(execution.id, step)) is not None
    planned = step_named(view, execution, step) if decision == "retry" or not was_begun else None
    if planned and decision == "retry":
        rules.check_forward(execution, planned, planned.effect)


def _ask(transaction: Transaction, question: Question, execution: Execution, step: str) -> str:
    """Write the question of a decision; returns its id. The key belongs to the decision."""
    key, digest, transaction.key, transaction.digest = transaction.key, transaction.digest, "", ""
    entry = question.write(transaction, execution, step)
    transaction.key, transaction.digest = key, digest
    return entry.id


def _decision_receipt(view: View, receipt: Receipt) -> DecisionReceipt:
    entry = view.entry(receipt.seq)
    assert entry is not None
    assert isinstance(entry.facts, DecisionRecorded)
    execution = require_row(view, Execution, entry.execution, "execution_id")
    is_owing = entry.facts.decision in ("unwind", "stop", "fail")
    return DecisionReceipt(
        **asdict(receipt),
        execution_id=execution.id,
        status=execution.status,
        approval_id=entry.facts.approval_id,
        unfinished=execution.left,
        next_steps=next_steps(view, execution),
        due=execution.owed() if is_owing else 0,
        kept=len(entry.facts.kept),
        owed=describe_undo_list(view, list(islice(owed_of(view, execution), MAX_OWED_SHOWN))) if is_owing else (),
    )


def _settle_receipt(view: View, receipt: Receipt) -> DecisionReceipt:
    action = require_row(view, Action, receipt.id, "action_id")
    execution = require_row(view, Execution, action.execution, "execution_id")
    return DecisionReceipt(
        **asdict(receipt),
        execution_id=execution.id,
        status=execution.status,
        next_steps=next_steps(view, execution),
        state="in_doubt" if action.state in ("doubted", "unknown") else action.state,
    )


def _unfinished(view: View, execution: Execution) -> dict[str, int]:
    """Counts of everything that is not settled, by name."""
    steps = steps_of(view, execution)
    status = statuses(progress_of(view, execution.id))
    not_done = [step for step in steps if status.get(step.id) not in ("done", "skipped")]
    return rules.unfinished_work(
        execution,
        count_doubts(view, execution),
        steps_not_done=0 if execution.unwound else len(not_done),
        unanswered=len(pending_approvals(view, [execution])),
    )


def _reason_missing(decision: str, left: dict[str, int]) -> WrongState | InvalidArgument:
    if not left:
        return InvalidArgument("why is missing.", hint=f"Say why you decide to {decision}.", field="why")
    what = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in left.items())
    return WrongState(
        f"It is not all done: {what}.",
        hint="Settle that first; or say in `why` why it may end so, and it shows that for ever.",
        field="why",
    )


def _newer_revision(view: View, execution: Execution) -> int:
    plan = view.get(Plan, execution.plan_id) if execution.plan_id else None
    if plan is None:
        raise UnknownHandle(f"{execution.id} follows no plan.", hint="Record a plan and start an execution of it.")
    if plan.revision == execution.revision:
        raise WrongState(
            f"{plan.id} has no revision after {plan.revision}.",
            hint="Revise it first: record_plan with plan_id and reason.",
            next_call=("record_plan", {"plan_id": plan.id, "reason": "..."}),
        )
    return plan.revision
