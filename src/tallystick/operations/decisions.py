"""record_decision: what was decided and why; a decision may change the status of its execution."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

from msgspec import Meta, Struct, json
from msgspec.structs import asdict, replace

from tallystick.core import rules
from tallystick.core.entries import DecisionRecorded, Entry, ExecutionEnded
from tallystick.core.errors import AlreadyDone, InvalidArgument, UnknownHandle, WrongState, quote_words
from tallystick.core.fold_actions import Place
from tallystick.core.plans import due_steps, revision_call
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Action, Approval, Execution, Plan, Progress, Session, progress_id
from tallystick.core.tools import SeenTool
from tallystick.core.types import FINAL_STATUSES, JSON, OUTSTANDING, Choice, ExecutionStatus, Handle, Key, Name, Outcome
from tallystick.operations.actions import CONTRADICTED, PERMISSION_NOTES, ActionArguments
from tallystick.operations.approvals import Question, note_on_question
from tallystick.operations.attribution.conversations import ended_executions, sessions_of_conversation
from tallystick.operations.attribution.executions import ended_in, resolve_execution
from tallystick.operations.attribution.permissions import made_call, permission_of
from tallystick.operations.attribution.placement import named_target
from tallystick.operations.attribution.undos import attempts_to_undo
from tallystick.operations.end import ActionEnd
from tallystick.operations.executions import is_rejected, newest_questions, next_steps, unfinished_of
from tallystick.operations.runtime.lookup import MAX_HANDLES_SHOWN, require_row
from tallystick.operations.runtime.operation import operation_on
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.progress import (
    NOT_UNDONE,
    describe_undo_list,
    owed_of,
    progress_of,
    statuses,
    step_named,
    steps_of,
    undecided,
)
from tallystick.operations.runtime.receipts import DecisionReceipt, Receipt
from tallystick.operations.runtime.run_rights import check_claim, check_decision, may_begin
from tallystick.operations.runtime.session_lifecycle import is_in_doubt
from tallystick.store.interface import Select, View, WhereValue

MAX_OWED_SHOWN = 50
MAX_STEPS_NAMED = 10
APPROVER_DECISIONS = ("settle", "keep", "pause", "resume", "stop", "done", "fail")
"""The decisions that a person with the scope `approve` may record. All others are the agent's."""
MAX_ACTIONS_SCANNED = 100
"""Actions of an execution that are searched for work without a step, the newest first."""
MAX_KEPT = 10_000
"""Actions that one decision keeps: more need another one."""


class DecisionArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    # It has no docstring, since that would become a description in every schema.
    decision: Choice
    why: str = ""
    execution_id: Annotated[Handle | None, Meta(description="Omit to use the one open for this session")] = None
    step: Name | None = None
    action_id: Annotated[
        Handle | None, Meta(description="With settle and keep: which action; with continue: which one was the step")
    ] = None
    undoes: Annotated[Name | None, Meta(description="With continue: the action or step that action_id undid")] = None
    outcome: Annotated[
        Outcome | None, Meta(description="With settle: what really came of it; skipped: it never happened")
    ] = None
    evidence: Annotated[str, Meta(description="With settle: how you know")] = ""
    result: Annotated[JSON, Meta(description="With settle: what it returned")] = None
    without_effect: Annotated[bool, Meta(description="With settle: it failed and changed nothing")] = False
    question: Annotated[str, Meta(description="With ask_human: what the person is asked")] = ""
    options: Annotated[tuple[str, ...], Meta(max_length=20, description="With ask_human: answers to choose from")] = ()
    tool: Name | None = None
    arguments: Annotated[dict[str, JSON] | None, Meta(description="Exactly what is to be approved")] = None
    expires: Annotated[str, Meta(description="With ask_human: when it lapses, such as 2h; never a yes")] = ""
    incomplete: Annotated[bool, Meta(description="With done: end it although something is left; why says why")] = False
    alternatives: Annotated[tuple[str, ...], Meta(max_length=50, description="What else was considered")] = ()
    rejected: Annotated[str, Meta(description="Why those were not chosen")] = ""
    key: Key | None = None


@operation_on(
    DecisionArguments,
    "record",
    "POST /v1/decisions",
    approver={"decision": APPROVER_DECISIONS},
    example={"decision": "retry", "step": "copy", "why": "the network was down"},
)
def record_decision(context: OperationContext, args: DecisionArguments) -> DecisionReceipt:
    """Record what you decided and why; it moves the execution.

    ask_human opens an approval; view=approvals has the answer. unwind returns the ordered list of what is owed; keep
    takes an action, step or all off it. settle ends a doubt: skipped if it never happened.
    """
    _check_goes_with(args)
    if args.decision == "settle":
        settlement = Settlement(context, args)
        return context.record(args.key, settlement.content, settlement.write, _settle_receipt)
    decision = Decision(context, args)

    def describe(view: View, receipt: Receipt) -> DecisionReceipt:
        found = _decision_receipt(view, receipt)
        note = _note_on_step(view, found) if args.decision in _MOVING else ""
        if args.decision == "continue" and found.step and not found.action_id:
            note = _note_on_unattached(view, found)
        if found.approval_id:
            note = note_on_question(view, found.approval_id, is_named=bool(args.step or args.tool))
        return replace(found, notes=(*found.notes, note)) if note else found

    return context.record(args.key, decision.content, decision.write, describe)


_GOES_WITH = {
    **dict.fromkeys(("question", "options", "expires", "tool", "arguments"), ("ask_human",)),
    **dict.fromkeys(("outcome", "evidence", "result", "without_effect"), ("settle",)),
    "action_id": ("settle", "keep", "continue"),
    "undoes": ("continue",),
    "incomplete": ("done",),
}
"""The decisions that an argument goes with."""


def _check_goes_with(args: DecisionArguments) -> None:
    """Raise if an argument is given that this decision does not store: a receipt must not hide a dropped argument."""
    for name, allowed in _GOES_WITH.items():
        given = args.result is not None if name == "result" else getattr(args, name)
        if given and args.decision not in allowed:
            raise InvalidArgument(
                f"{name} goes with decision={' or '.join(allowed)}.", hint=f"Leave {name} out.", field=name
            )


class Settlement:
    """The end that a decision gives to an action in doubt."""

    def __init__(self, context: OperationContext, args: DecisionArguments) -> None:
        if not args.action_id:
            raise InvalidArgument(
                "action_id is missing.",
                hint="Name the action in doubt.",
                field="action_id",
                next_call=("list_in_doubt", {}),
            )
        if not args.evidence.strip():
            raise InvalidArgument(
                "evidence is missing.", hint="Look at the real system, and say how you know.", field="evidence"
            )
        end: dict[str, Any] = {name: getattr(args, name) for name in ("outcome", "evidence", "without_effect")}
        end |= {} if args.result is None else {"result": args.result}
        self.content = ["settle", args.why, args.step, args.action_id, end]
        self._action_id = args.action_id
        self._end = ActionEnd(
            context, ActionArguments(phase="end", action_id=args.action_id, summary=args.why.strip(), **end)
        )

    def write(self, transaction: Transaction) -> Entry:
        action = require_row(transaction.ledger, Action, self._action_id, "action_id")
        if not self._may_settle(transaction, action):
            session = require_row(transaction.ledger, Session, action.session, "session_id")
            raise rules.under_way_error(action, session)
        return self._end.write(transaction)

    def _may_settle(self, transaction: Transaction, action: Action) -> bool:
        """Whether nobody else will report its end: it is in doubt, or was begun in the same session or conversation. A
        gateway reports what it forwards. A person with `approve` may settle a call that hangs."""
        view = transaction.ledger
        if action.state != "open" or action.session == transaction.session or is_in_doubt(view, action):
            return True
        if not action.gateway_session and action.session in sessions_of_conversation(view, transaction.session):
            return True
        return bool(self._end.credential(view, action))


class Decision:
    """A decision about an execution, made from the arguments of its caller."""

    def __init__(self, context: OperationContext, args: DecisionArguments) -> None:
        self._args = args
        self._step = ""
        self._question = _question(context, args) if args.decision == "ask_human" else None
        self._body = context.body(why=args.why, alternatives=list(args.alternatives) or None, rejected=args.rejected)

    @property
    def content(self) -> list[Any]:
        args = self._args
        to_approve = [args.question, list(args.options), args.tool, args.arguments, args.expires]
        about = [args.decision, args.why, args.execution_id, args.step]
        named = [each for each in (args.action_id, args.undoes, args.incomplete) if each]
        return ["decide", *about, *to_approve, list(args.alternatives), args.rejected, *named]

    def write(self, transaction: Transaction) -> Entry:
        """Append the decision, and the end of the execution if it ends it."""
        ledger, args = transaction.ledger, self._args
        action, target = self._named_actions(transaction)
        execution = self._execution(transaction, target or action)
        check_decision(transaction, execution, args.decision, args.step or "")
        if args.decision == "continue":
            action = action or find_unplaced(ledger, execution, args.step, args.undoes)
        placed = self._place(transaction, execution, action, target) if args.decision == "continue" and action else None
        status = execution.status if placed else _status_after(execution, args.decision)
        self._step = args.step or (_step_meant(ledger, execution, args.decision) if args.decision in _MOVING else "")
        if self._step and not placed:
            _check_step(ledger, execution, args.decision, self._step)
        pending = self._question.find_pending(ledger, execution, self._step) if self._question else None
        asked = _entry_that_asked(ledger, execution, pending) if pending and status == execution.status else None
        if asked:
            return transaction.already_recorded(asked)
        left = self._left(ledger, execution)
        facts = self._facts(transaction, execution, status, action, pending)
        if placed and action:
            facts = replace(facts, action_id=action.id, **asdict(placed))
        entry = transaction.write(facts, execution=execution.id, body=self._body)
        if status in FINAL_STATUSES and not facts.late:
            transaction.write(ExecutionEnded(status=status, left=left), id=execution.id, execution=execution.id)
        return entry

    def _named_actions(self, transaction: Transaction) -> tuple[Action | None, Action | None]:
        """The action that the decision names, and the one that this undid."""
        args = self._args
        action = require_row(transaction.ledger, Action, args.action_id, "action_id") if args.action_id else None
        target = named_target(transaction, args.undoes, args.execution_id, action) if args.undoes else None
        return action, target

    def _left(self, view: View, execution: Execution) -> dict[str, int]:
        """What is unfinished when it ends the execution; raises if that keeps it from ending, or has no reason."""
        decision, why = self._args.decision, self._args.why.strip()
        if decision == "done":
            left = unfinished_of(view, execution)
            left.check_done(incomplete=self._args.incomplete, why=why)
            return left.counts
        if not why:
            raise InvalidArgument("why is missing.", hint=f"Say why you decide to {decision}.", field="why")
        return {}

    def _execution(self, transaction: Transaction, about: Action | None) -> Execution:
        ledger, args = transaction.ledger, self._args
        named = args.execution_id or (about.execution if about else None)
        if not named and args.decision in rules.ENDS:
            named = ended_in(ledger, transaction.session)
        try:
            return resolve_execution(ledger, named, transaction.session)
        except UnknownHandle as error:
            if not named and args.decision == "keep":
                error.next_call = self._keep_call(transaction) or error.next_call
            raise

    def _keep_call(self, transaction: Transaction) -> tuple[str, dict[str, Any]] | None:
        """The decision to keep, about the last execution of the conversation that has ended and owes something."""
        sessions = sessions_of_conversation(transaction.ledger, transaction.session)
        owing = next((row for row in ended_executions(transaction.ledger, sessions) if row.owed()), None)
        about = {"step": self._args.step} if self._args.step else {}
        keep = {"decision": "keep", "execution_id": owing.id, **about, "why": "..."} if owing else None
        return ("record_decision", keep) if keep else None

    def _place(self, transaction: Transaction, execution: Execution, action: Action, target: Action | None) -> Place:
        """What the decision says that an action was; `target` is what it undid."""
        args, view = self._args, transaction.ledger
        if bool(args.step) == bool(target):
            raise InvalidArgument(
                f"It is not said what {action.id} was.",
                hint="Give step if it was one, or undoes with the action that it undid.",
                field="step",
            )
        if target:
            check_claim(transaction, execution, target, "")
            return place_of_undo(view, action, target)
        may_begin(transaction, execution, args.step or "", is_guess=False)
        return place_of_step(view, transaction.context.masker, execution, args.step or "", action)

    def _facts(
        self,
        transaction: Transaction,
        execution: Execution,
        status: ExecutionStatus,
        action: Action | None,
        pending: Approval | None,
    ) -> DecisionRecorded:
        ledger, context, decision = transaction.ledger, transaction.context, self._args.decision
        step, question = self._step, self._question
        return DecisionRecorded(
            decision=decision,
            status=status,
            step=context.masked_name(step),
            revision=_newer_revision(ledger, execution) if decision == "replan" else 0,
            approval_id=pending.id if pending else _ask(transaction, question, execution, step) if question else "",
            credential=context.checked_credential(ledger, "approve", execution.task_id),
            kept=_actions_to_keep(ledger, execution, action, step) if decision == "keep" else (),
            late=execution.status in FINAL_STATUSES,
        )


def _question(context: OperationContext, args: DecisionArguments) -> Question:
    """The question of ask_human; raises InvalidArgument if there is none, or a call without a tool."""
    if not args.question.strip():
        raise InvalidArgument("question is missing.", hint="Say what the person is to decide.", field="question")
    if args.arguments and not args.tool:
        raise InvalidArgument("arguments without a tool are no call.", hint="Name the tool as well.", field="tool")
    return Question(context, args.question, args.options, args.tool, args.arguments, args.expires)


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


_MOVING = ("retry", "skip")
"""Decisions that move a step, and are about one."""


def _step_meant(view: View, execution: Execution, decision: Choice) -> str:
    """The only step that a decision without one can be about; raises InvalidArgument if it is not clear which. Empty
    where the work has no plan, only something unplanned has failed, or a call that succeeded is to be repeated."""
    if not execution.plan_id:
        return ""
    groups = _steps_meant(view, execution, decision)
    word, steps = next(((word, steps) for word, steps in groups if steps), ("", []))
    if len(steps) == 1 or (not steps and (execution.undecided or decision == "retry")):
        return steps[0] if steps else ""
    named = quote_words(steps[:MAX_STEPS_NAMED])
    call: dict[str, Any] = {"decision": decision, "execution_id": execution.id, "why": "..."}
    raise InvalidArgument(
        f"{decision} needs a step: {word} {named}." if steps else f"There is no step to {decision} now.",
        hint=f"Name one of them in `step`: {named}." if steps else "Name the step that you mean in `step`.",
        field="step",
        allowed=steps,
        next_call=("record_decision", {**call, "step": steps[0]})
        if steps
        else ("get_brief", {"execution_id": execution.id}),
    )


def _note_on_step(view: View, receipt: DecisionReceipt) -> str:
    """A note on a decision that moves steps and is about none, in work that has some."""
    execution = None if receipt.step else view.get(Execution, receipt.execution_id)
    is_noted = execution is not None and execution.plan_id
    return "No step has failed: it is about none, and only permits a gateway to repeat a call." if is_noted else ""


def _note_on_unattached(view: View, receipt: DecisionReceipt) -> str:
    """A note on a decision to continue that names a step which no action carried out, and no action."""
    progress = view.get(Progress, progress_id(receipt.execution_id, receipt.step))
    if progress and progress.action:
        return ""
    call = f"record_decision(decision=continue, step={receipt.step}, action_id=..., why=...)"
    return f"No action was recorded as step {quote_words([receipt.step])}: {call} says which one it was."


def _steps_meant(view: View, execution: Execution, decision: Choice) -> Iterator[tuple[str, list[str]]]:
    """The steps that a decision may be about, the likeliest ones first, and how they are."""
    planned = {step.id for step in steps_of(view, execution)}
    progress = {step: row for step, row in progress_of(view, execution.id).items() if step in planned}
    yield "failed are", [step for step, word in undecided(progress).items() if word == "failed"]
    status = statuses(progress)
    yield "failed are", [step for step, word in status.items() if word == "failed"]
    yield "in doubt are", [step for step, word in status.items() if word == "in_doubt"]
    if decision == "skip" and not execution.undecided:
        asked = newest_questions(view, execution)
        ready = due_steps(execution, steps_of(view, execution), status)
        yield "rejected are", [step for step in ready if step in asked and is_rejected(view, execution, asked[step])]
        yield "next are", ready


def _check_step(view: View, execution: Execution, decision: Choice, step: str) -> None:
    """Raise if there is no such step, or one to skip is done. A step that the plan no longer has can be decided on, but
    not retried."""
    own = view.get(Progress, progress_id(execution.id, step))
    planned = step_named(view, execution, step) if decision == "retry" or own is None else None
    if decision == "skip" and own and own.status == "done":
        raise AlreadyDone(
            f'Step "{step}" was done by {own.action}: it cannot be skipped.',
            hint="Go on with the next step; or undo it, if it is not wanted.",
            field="step",
            next_call=("get_brief", {"execution_id": execution.id}),
        )
    if planned and decision == "retry":
        rules.check_forward(execution, planned, planned.effect)


def _entry_that_asked(view: View, execution: Execution, pending: Approval) -> Entry | None:
    """The decision that asked a question: it follows the question, or is the last one."""
    entries = (view.entry(seq) for seq in (pending.seq + 1, execution.decision_seq))
    return next(
        (
            each
            for each in entries
            if each and isinstance(each.facts, DecisionRecorded) and each.facts.approval_id == pending.id
        ),
        None,
    )


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
        step=entry.facts.step,
        approval_id=entry.facts.approval_id,
        unfinished=execution.left,
        next_steps=next_steps(view, execution),
        due=execution.owed() if is_owing else 0,
        kept=len(entry.facts.kept),
        action_id=entry.facts.action_id,
        notes=_notes(entry.facts),
        owed=describe_undo_list(view, list(islice(owed_of(view, execution), MAX_OWED_SHOWN))) if is_owing else (),
    )


def _notes(facts: DecisionRecorded) -> tuple[str, ...]:
    said = PERMISSION_NOTES.get(facts.permission, "")
    return (f"It was {said}.",) if said else ()


def _settle_receipt(view: View, receipt: Receipt) -> DecisionReceipt:
    action = require_row(view, Action, receipt.id, "action_id")
    execution = require_row(view, Execution, action.execution, "execution_id")
    return DecisionReceipt(
        **asdict(receipt),
        execution_id=execution.id,
        status=execution.status,
        next_steps=next_steps(view, execution),
        state="in_doubt" if action.state in ("doubted", "unknown") else action.state,
        notes=_settle_notes(action, is_repeated=receipt.repeated),
    )


def _settle_notes(action: Action, *, is_repeated: bool) -> tuple[str, ...]:
    if is_repeated:
        return (f"It had ended before: {action.state}. Nothing was changed.",)
    if action.repeated_by and action.state == "ok":
        return (f"It was repeated as {action.repeated_by[-1]}: it may have happened twice.",)
    return (CONTRADICTED,) if action.state == "doubted" and action.end_seq else ()


def _newer_revision(view: View, execution: Execution) -> int:
    plan = view.get(Plan, execution.plan_id) if execution.plan_id else None
    if plan is None:
        raise UnknownHandle(
            f"{execution.id} follows no plan.",
            hint="Record a plan and start an execution of it.",
            next_call=("record_plan", {"title": "...", "steps": "...", "start": True}),
        )
    if plan.revision <= execution.revision:
        raise WrongState(
            f"{plan.id} has no revision after {execution.revision}.",
            hint="Revise it first: record_plan with plan_id and reason.",
            next_call=revision_call(plan.id),
        )
    return plan.revision


# ----------------------------------------------------------------------------------------------------------------------
# What an action was that found no place by its tool and arguments: a step, or an undo


def place_of_undo(view: View, action: Action, target: Action) -> Place:
    """The place of an action that undid another one; raises if that cannot be."""
    _check_free(action)
    if target.seq >= action.seq:
        raise InvalidArgument(
            f"{action.id} began before {target.id}: it cannot have undone it.",
            hint="Name an action of the undo list that began before it.",
            field="undoes",
            next_call=("get_undo_list", {"execution_id": target.execution}),
        )
    is_open = target.state == "open" and not is_in_doubt(view, target)
    was_tried = target.undo_state != "undone"  # an undo that is open or in doubt takes nothing from one that was made
    rules.check_undo(target, False, is_open, again="it was made" if was_tried else "")
    return Place(undoes=target.id)


def place_of_step(view: View, masker: Masker, execution: Execution, name: str, action: Action) -> Place:
    """The place of an action that was a step; raises if that cannot be."""
    _check_free(action)
    if action.execution != execution.id:
        raise InvalidArgument(
            f"{action.id} belongs to {action.execution}.", hint="Leave execution_id out.", field="action_id"
        )
    step = step_named(view, execution, name)
    progress = view.get(Progress, progress_id(execution.id, name))
    if progress and progress.status in ("done", "running"):
        word = "was done by" if progress.status == "done" else "is under way as"
        raise AlreadyDone(
            f'Step "{name}" {word} {progress.action}.',
            hint=f"If {action.id} was none of the other steps, leave it: it is shown as unplanned.",
            field="step",
            next_call=("get_action", {"action_id": progress.action}),
        )
    body = view.bodies([action.seq]).get(action.seq)
    arguments = json.decode(body).get("arguments") if body else None
    tool = SeenTool(action.tool, action.shown_as, behind_gateway=bool(action.gateway_session))
    permission, used = permission_of(view, execution, step, made_call(masker, tool, arguments, action.effect_key))
    undone = attempts_to_undo(view, execution, step)
    return Place(
        step=name,
        undoes=undone[0] if undone else "",
        undoes_too=undone[1:],
        used=used,
        permission=permission,
        cancellable=step.cancellable,
    )


def _check_free(action: Action) -> None:
    """Raise if an action has its place already, or was undone itself."""
    place = f"step {action.step}" if action.step else f"an undo of {action.undoes}" if action.undoes else ""
    if place or action.undos:
        raise WrongState(
            f"{action.id} {f'is {place}' if place else f'was itself undone by {next(iter(action.undos))}'}.",
            hint="Only an action without a step can be given one, or what it undid.",
            field="action_id",
            next_call=("get_action", {"action_id": action.id}),
        )


def find_unplaced(view: View, execution: Execution, step: str | None, undoes: str | None) -> Action | None:
    """The action that a decision is about which names none: the only work without a step since the step became due, or
    while unwinding. None if it is about no action; raises if it may be about one of several."""
    found = unplanned_since(view, execution, step) if step else done_while_unwinding(view, execution) if undoes else []
    if len(found) == 1 or not (found or undoes):
        return found[0] if found else None
    ids = tuple(row.id for row in found[:MAX_HANDLES_SHOWN])
    raise InvalidArgument(
        f"action_id is missing: it may be one of {len(found)} actions." if ids else "action_id is missing.",
        hint=f"Name the action: {', '.join(ids)}." if ids else "Name the action that undid it.",
        field="action_id",
        allowed=ids,
    )


def done_while_unwinding(view: View, execution: Execution) -> list[Action]:
    """What was seen while an execution was unwound and may be an undo, the newest first."""
    if "may_be_undo" not in execution.undo_states:
        return []
    where: dict[str, WhereValue] = {"execution": execution.id, **NOT_UNDONE}
    rows = view.find(Action, Select(where=where, limit=MAX_ACTIONS_SCANNED))
    return [row for row in rows if row.listed_as == "may_be_undo"]


def unplanned_since(view: View, execution: Execution, step: str) -> list[Action]:
    """Work without a step since a step that was not begun became due, the newest first; none for other steps."""
    planned = next((each for each in steps_of(view, execution) if each.id == step), None)
    if planned is None or not execution.unplanned or execution.unwound:
        return []
    own = view.get(Progress, progress_id(execution.id, step))
    if own is not None and (own.status or own.decided):
        return []
    before = (view.get(Progress, progress_id(execution.id, name)) for name in planned.after)
    since = max((row.seq for row in before if row), default=0)
    rows = view.find(Action, Select(where={"execution": execution.id}, limit=MAX_ACTIONS_SCANNED))
    return [row for row in rows if row.seq > since and is_unplaced_work(row)]


def is_unplaced_work(row: Action) -> bool:
    """Whether an action changed something, or may have, and belongs to no step."""
    has_place = row.step or row.undoes or row.action_kind == "undo"
    return not has_place and row.effect != "read" and row.state != "skipped" and not row.without_effect
