"""Decides whether an action may begin, and writes its begin."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from tallystick.core import rules
from tallystick.core.entries import ActionBegun, ActionNoted, Entry, StepFacts
from tallystick.core.errors import AlreadyDone, InDoubtOpen, InvalidArgument, Refused, WrongState
from tallystick.core.formats import times
from tallystick.core.plans import temporary_without_undo
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Action, Approval, Execution, IdempotencyKey, Progress, Session, progress_id
from tallystick.core.tools import SeenTool, has_mask, may_be_gateway_tool
from tallystick.core.types import FINAL_STATUSES, ActionKind, Cancellable, Effect, Permission, parse_undo
from tallystick.operations.attribution.permissions import (
    MAX_APPROVALS_SCANNED,
    CallDetails,
    MadeCall,
    made_call,
    permission_of,
)
from tallystick.operations.attribution.placement import MAX_SAME_EFFECT_SCANNED, CallToPlace, Placement
from tallystick.operations.attribution.steps import find_step, planned_arguments
from tallystick.operations.attribution.undos import observed_undo
from tallystick.operations.runtime import doubts
from tallystick.operations.runtime.correlation import (
    action_of_call,
    action_of_other_observer,
    begun_by,
    call_key,
    is_id_in_use,
    observers_of_same_agent,
)
from tallystick.operations.runtime.doubts import REPEATABLE
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation_context import Transaction
from tallystick.operations.runtime.progress import is_before_others, relevant_progress, step_named, steps_of
from tallystick.operations.runtime.run_rights import check_claim, may_begin
from tallystick.operations.runtime.session_lifecycle import is_in_doubt
from tallystick.store.interface import Ledger, Select, View

if TYPE_CHECKING:
    from tallystick.operations.actions import ActionArguments
    from tallystick.operations.runtime.operation_context import OperationContext


# ----------------------------------------------------------------------------------------------------------------------
# Whether a call may be made: what the plan, the approvals and the actions of its execution say. A call that is about to
# be recorded is checked where it is written; one that cannot be recorded, where the journal can still be read.


class CallCheck(Struct, frozen=True):
    """A call as far as the rules look at it. `step` is the step that was named, if any; `call` is given where the call
    is about to be recorded."""

    step: str
    approval_id: str
    effect: Effect | None
    effect_key: str
    again: str
    arguments: Any
    """None if none were recorded: then the summary tells which call it is."""
    summary: str = ""
    call: CallDetails | None = None
    is_permitted: bool = False
    """A person granted this call: then no approval has to be named."""

    def check(
        self, view: View, execution: Execution, step: StepFacts | None, joins: str = "", ledger: Ledger | None = None
    ) -> None:
        """Raise if a rule refuses the call. `joins` is the action that another observer has begun for the same call.
        A `ledger` shows quickly that an effect is new."""
        if step:
            rules.check_forward(execution, step, self.effect or step.effect)
        if step or self.approval_id or execution.asked or execution.plan_id:
            self._check_approvals(view, execution, step, joins)
        is_repeatable = self._is_repeatable(step)
        if step:
            progress = relevant_progress(view, execution, step)
            if not execution.unwound:  # the order of undoing is another one
                _check_order(view, execution, step, progress)
            if not joins:  # else that action has begun the step; a hook records a begin even before the step is due
                rules.check_step_is_new(step, progress.get(step.id), again=self.again, repeatable=is_repeatable)
        if is_repeatable or self.again:
            return
        has_step = step is not None and self.arguments is None
        if ledger is None or ledger.may_be_unsettled(None if has_step else self.effect_key):
            self.check_doubts(view, execution, step, joins)
        if self.effect_key and not (ledger and ledger.effect_is_new(execution.id, self.effect_key)):
            self._check_effect(view, execution, joins)

    def check_repetition(self, view: View, execution: Execution, step: StepFacts | None) -> None:
        """Raise if the call is in doubt, or was done in this execution."""
        if self._is_repeatable(step) or self.again:
            return
        if step:
            own = relevant_progress(view, execution, step).get(step.id)
            rules.check_step_is_new(step, own, again="", repeatable=False)
        elif self.effect_key:
            self._check_effect(view, execution, "")

    def _is_repeatable(self, step: StepFacts | None) -> bool:
        return (self.effect or (step.effect if step else "unsafe")) in REPEATABLE

    def check_doubts(self, view: View, execution: Execution | None, step: StepFacts | None, joins: str = "") -> None:
        """Raise if the same effect is in doubt."""
        doubt = self.find_doubt(view, execution, step, joins)
        if doubt is not None:
            raise rules.in_doubt_error(doubt)

    def repeated_doubt(self, ledger: Ledger, execution: Execution, step: StepFacts | None) -> str:
        """The action in doubt that a call repeats which was made, and gives no reason; empty if there is none."""
        has_step = step is not None and self.arguments is None
        is_new = not ledger.may_be_unsettled(None if has_step else self.effect_key)
        if is_new or self.again or self._is_repeatable(step):
            return ""
        doubt = self.find_doubt(ledger, execution, step)
        return doubt.id if doubt else ""

    def find_doubt(
        self, view: View, execution: Execution | None, step: StepFacts | None, joins: str = ""
    ) -> Action | None:
        """The same effect in doubt, in any execution; without arguments, in one of the same work."""
        found: Iterator[Action] = iter(())
        if self.arguments is None and execution is not None:
            found = doubts.same_work_in_doubt(
                view, execution, self.effect_key, step.id if step else "", self._masked_summary()
            )
        elif self.effect_key:
            found = doubts.same_call_in_doubt(view, self.effect_key, self.arguments)
        return next((action for action in found if action.id != joins), None)

    def check_unrecorded(
        self, view: View, execution: Execution | None, masker: Masker, tool: SeenTool, arguments: Any
    ) -> None:
        """The same for a call that cannot be recorded now, in an open execution if there is one."""
        if execution is None:
            if self.effect not in REPEATABLE and not self.again:
                self.check_doubts(view, None, None)
            return
        rules.check_begin(execution, undo=False)
        if execution.unwound and observed_undo(view, masker, execution, tool, arguments):
            return
        step = step_named(view, execution, self.step) if self.step else None
        if step is None and execution.plan_id:
            step = find_step(view, masker, execution, tool, arguments)
        self.check(view, execution, step)

    def _check_approvals(self, view: View, execution: Execution, step: StepFacts | None, joins: str) -> None:
        if self.approval_id:
            self._check_named_approval(view, execution, step, joins)
        if self.approval_id or self.is_permitted:
            return
        if step is None and self.effect_key and execution.plan_id:
            # The very call that a step plans is that step, also when not named so.
            step = next((each for each in steps_of(view, execution) if each.guarded == self.effect_key), None)
        is_needed = step is not None and step.needs_approval
        is_planned = step is not None and step.guarded != "" and step.guarded == self.effect_key
        next_call = self.call.as_next_call if self.call and not is_planned else dict  # the plan knows its own call
        if execution.asked:
            rules.check_newest_answer(
                view.find(Approval, Select(where={"execution": execution.id}, limit=MAX_APPROVALS_SCANNED)),
                step=step.id if step else self.step,
                keys=self._effect_keys(),
                again=self.again,
                now=view.now(),
                needed=is_needed,
                call=next_call,
            )
        if step and is_needed:
            raise rules.approval_required_error(step, execution.id, next_call())

    def _check_named_approval(self, view: View, execution: Execution, step: StepFacts | None, joins: str) -> None:
        approval = require_row(view, Approval, self.approval_id, "approval_id")
        if joins and approval.used_by == joins:
            return
        rules.check_approval(
            approval,
            execution=execution.id,
            step=step.id if step else self.step,
            keys=self._effect_keys(approval),
            same_tool=self.call is None or self.call.has_tool_of(approval),
            now=view.now(),
        )

    def _effect_keys(self, approval: Approval | None = None) -> set[str]:
        return {self.effect_key, self.call.effect_key_for(approval) if self.call and approval else ""} - {""}

    def _check_effect(self, view: View, execution: Execution, joins: str) -> None:
        where = Select(where={"execution": execution.id, "effect_key": self.effect_key}, limit=MAX_SAME_EFFECT_SCANNED)
        same = [action for action in view.find(Action, where) if action.action_kind == "do" and action.id != joins]
        if same and self.arguments is None:
            summary = self._masked_summary()
            same = [each for each in same if doubts.is_same_work(view, each, self.effect_key, self.step, summary)]
        elif self.step:  # the plan may have one call in several steps: what another step does is not repeated
            same = [each for each in same if each.step in ("", self.step) or is_in_doubt(view, each)]
        if same:
            doubtful = [action.id for action in same if is_in_doubt(view, action)]
            rules.check_effect(same, doubtful, again=self.again)

    def _masked_summary(self) -> str:
        return self.call.context.masker.mask_text(self.summary) if self.call and self.summary else self.summary


def _check_order(view: View, execution: Execution, step: StepFacts, progress: Mapping[str, Progress]) -> None:
    """Check that the steps before a planned step are settled. The refusal names the call for the first one of all."""
    try:
        rules.check_order(execution.id, step, progress)
    except WrongState as refusal:
        while refusal.next_call and refusal.next_call[1].get("phase") == "begin":
            before = step_named(view, execution, refusal.next_call[1]["step"])
            try:
                rules.check_order(execution.id, before, relevant_progress(view, execution, before))
                break
            except Refused as earlier:
                refusal.next_call = earlier.next_call
        raise


# ----------------------------------------------------------------------------------------------------------------------
# Writing the begin


class PlanDefaults(Struct, frozen=True):
    """The values that an action takes from its planned step by default; the field defaults are for unplanned ones."""

    tool: str = ""
    effect: Effect = "unsafe"
    cancellable: Cancellable | None = None
    has_undo: bool = False
    undo_until: str = ""
    temporary: bool = False


_UNPLANNED = PlanDefaults()
_NO_ENTITY = ("", "")


class ActionBegin:
    """The begin of one action, made from the arguments of its caller."""

    __slots__ = (
        "_args",
        "_arguments",
        "_body",
        "_context",
        "_effect_key",
        "_entity",
        "_has_undo",
        "_is_observed",
        "_seen_at",
        "_seen_tool",
        "_shown_as",
        "_tool",
        "_was_made",
    )

    def __init__(self, context: "OperationContext", args: "ActionArguments") -> None:
        if args.undo_until:
            times.resolve(args.undo_until, "undo_until", start=0)
        self._context = context
        self._is_observed = context.principal.witness == "observed"
        self._was_made = args.phase == "done" or not context.principal.is_intention  # it can no longer be held back
        self._seen_at = times.time_or_zero(args.seen_at) if args.seen_at else 0
        self._prepare(args)

    def _prepare(self, args: "ActionArguments") -> None:
        """Encode and mask the arguments of the caller, and take the effect key."""
        context = self._context
        undo = None if args.undo is None else parse_undo(args.undo)
        self._args = args
        self._has_undo = undo is not None
        self._tool = context.masked_name(args.tool)
        self._shown_as = context.masked_name(args.shown_as) if args.shown_as else ""
        # The tool, by all the names that a plan may have for it.
        self._seen_tool = SeenTool(self._tool, self._shown_as, behind_gateway=context.principal.actor.is_gateway)
        observed = _observed_key(context, args) if args.effect_key else ""
        self._entity = _NO_ENTITY
        if args.entity_type or args.entity_id:
            self._entity = (context.masked_name(args.entity_type), context.masked_name(args.entity_id))
        self._body, self._effect_key = context.body_and_effect_key(
            "" if observed else args.tool,
            summary=args.summary,
            arguments=args.arguments,
            before=args.before,
            again=args.again,
            undo=to_builtins(undo) if undo else None,
            seen_at=args.seen_at,
            process_lock=args.process_lock,
        )
        self._effect_key = observed or self._effect_key
        self._arguments = args.arguments if (seen := context.principal.all_arguments) is None else seen

    def write(self, transaction: Transaction) -> Entry:
        """Append the begin. If the action of this call has begun already, append a note on it instead, or nothing.

        Raises Refused if a rule refuses an intention. An observed call has happened: it is recorded and marked.
        """
        ledger, call_id = transaction.ledger, self._args.call_id
        by_id = action_of_call(ledger, call_id) if call_id else None
        if by_id is not None and is_id_in_use(transaction, by_id, self._tool, self._shown_as):
            return transaction.recorded_at(by_id.seq)
        action = by_id or (self._action_of_other_observer(transaction) if self._is_observed else None)
        if action is not None:
            return self._join(transaction, action, by_id)
        call = CallToPlace(
            context=self._context,
            said=self._args,
            tool=self._seen_tool,
            arguments=self._arguments,
            effect_key=self._effect_key,
            was_made=self._was_made,
            is_observed=self._is_observed,
        )
        placement = call.find_place(transaction)
        if placement.begun is not None:
            return self._join(transaction, placement.begun, by_id)
        named = placement.step if placement.kind == "do" else None
        is_guess = self._is_observed and not self._args.step
        if named and not may_begin(transaction, placement.execution, named.id, is_guess=is_guess):
            placement, named = Placement(placement.execution), None
        if not self._is_observed:
            check_claim(transaction, placement.execution, placement.undoes, self._args.approval_id or "")
            if named:
                self._take_from_plan(ledger, placement.execution, named)
        return self._append(transaction, placement)

    def check_repeated(self, view: View, action_id: str) -> None:
        """Raise if a begin that is sent again, under its key or call id, is in doubt by now."""
        is_joined = self._is_observed and self._args.call_id  # another observer may have reported the call
        action = None if is_joined else view.get(Action, action_id)
        if action is None or action.effect in REPEATABLE or not self._context.principal.is_intention:
            return
        if is_in_doubt(view, action):
            refusal = rules.in_doubt_error(action)
            hint = "Look, then record its real outcome. To repeat it, give `again`, and another key or call id."
            raise InDoubtOpen(refusal.message, hint=hint, next_call=refusal.next_call)

    def check_conflict(self, view: View) -> None:
        """Raise InDoubtOpen if the key was used for the same call, in another execution say, and that is in doubt."""
        used = view.get(IdempotencyKey, self._args.key) if self._args.key else None
        entry = view.entry(used.seq) if used else None
        action = view.get(Action, entry.id) if entry else None
        if action is not None and action.effect_key and action.effect_key == self._effect_key:
            self.check_repeated(view, action.id)

    def _take_from_plan(self, view: View, execution: Execution, step: StepFacts) -> None:
        """Take the call that the plan states, unless the caller states another. Masked arguments are not the call's."""
        args = self._args
        if not step.tool or args.tool not in (None, step.tool) or args.arguments == {}:
            return
        planned = args.arguments or planned_arguments(view, execution).get(step.id)
        if planned and (args.arguments or not has_mask(planned)):
            self._prepare(replace(args, tool=step.tool, arguments=planned))

    def _action_of_other_observer(self, transaction: Transaction) -> Action | None:
        args = self._args
        if args.kind != "do":
            return None
        return action_of_other_observer(
            transaction, args.call_id or "", self._tool, self._shown_as, self._arguments, self._seen_at
        )

    def _append(self, transaction: Transaction, placement: Placement) -> Entry:
        is_repeated = is_out_of_order = False
        permission: Permission = ""
        used = repeats = ""
        if self._was_made and placement.kind == "do":
            permission, used = self._permission(transaction, placement)
            check = self._call_check(placement)
            repeats = check.repeated_doubt(transaction.ledger, placement.execution, placement.step)
        try:
            self._check(transaction, placement, is_permitted=permission == "granted")
        except Refused as refusal:
            if not self._was_made:
                raise
            is_repeated = isinstance(refusal, AlreadyDone)
            is_out_of_order = not is_repeated and not _is_doubt_about(refusal, repeats)
        if placement.kind == "undo" and placement.undoes and not is_out_of_order:
            is_out_of_order = is_before_others(transaction.ledger, placement.undoes)
        facts = self._facts(transaction.ledger, placement, is_repeated=is_repeated, is_out_of_order=is_out_of_order)
        if permission or repeats:
            facts = replace(facts, permission=permission, approval_id=used or facts.approval_id, repeats=repeats)
        if self._args.call_id:
            transaction.key, transaction.digest = call_key(self._args.call_id), ""
        return transaction.write(facts, execution=placement.execution.id, body=self._body)

    @property
    def _call(self) -> MadeCall:
        return made_call(self._context.masker, self._seen_tool, self._arguments, self._effect_key)

    def _permission(self, transaction: Transaction, placement: Placement) -> tuple[Permission, str]:
        """Whether a person permitted a call that was made, and the approval that it uses, if it names none itself.

        What a hook sees on its way to a gateway was not made yet: the gateway looks for the approval.
        """
        execution, step, view = placement.execution, placement.step, transaction.ledger
        is_of_interest = execution.asked or (step and step.needs_approval)
        if self._args.approval_id or not is_of_interest:
            return "", ""
        if self._context.principal.actor.is_hook and may_be_gateway_tool(self._tool):
            own = view.get(Session, transaction.session)
            if own and observers_of_same_agent(view, own):
                return "", ""
        return permission_of(view, execution, step, self._call)

    def _join(self, transaction: Transaction, action: Action, by_id: Action | None) -> Entry:
        """Record, as a note on the action that has begun, that this caller reports the same call. An intention can
        still be refused, so it is checked first. `by_id` is the action under the id of the call."""
        ledger, principal, args = transaction.ledger, self._context.principal, self._args
        is_intention, by = principal.is_intention, principal.actor.kind
        step: StepFacts | None = None
        recorded = self._recorded_before(transaction, action) if by_id is not None else 0
        if recorded:
            return transaction.recorded_at(recorded)
        if is_intention:
            execution = require_row(ledger, Execution, action.execution, "execution_id")
            step = self._step_to_join(transaction, execution, action)
            is_permitted = action.permission == "granted" and not args.approval_id
            placement = Placement(execution, args.kind, step)
            if action.action_kind != "undo" or execution.status not in FINAL_STATUSES:  # else checked as it was begun
                self._check(transaction, placement, joins=action.id, is_permitted=is_permitted)
        note = ActionNoted(
            about=action.id,
            step=action.step or (step.id if step else ""),
            tool=self._tool,
            call=self._context.masked_name(args.call_id) if by_id or not action.hook_session else "",
            saw="begin" if principal.actor.is_hook else "",
            effect=(args.effect or "unsafe") if is_intention else None,
            effect_key=self._effect_key,
            approval_id=args.approval_id or "",
            shown_as=self._shown_as,
        )
        if args.call_id:
            transaction.key, transaction.digest = call_key(args.call_id, by if by_id else ""), ""
        return transaction.write(note, id=action.id, execution=action.execution, body=self._body)

    def _step_to_join(self, transaction: Transaction, execution: Execution, action: Action) -> StepFacts | None:
        """The step of an action that this caller joins. A hook leaves a step open that the tool's name alone tells, if
        it is guarded: the gateway holds the call back for it."""
        if action.action_kind == "undo" or action.undoes:
            return None
        view = transaction.ledger
        if action.step:
            return step_named(view, execution, action.step)
        if not self._is_observed or not execution.plan_id or execution.unwound:
            return None
        step = find_step(view, self._context.masker, execution, self._seen_tool, self._arguments)
        return step if step and may_begin(transaction, execution, step.id, is_guess=True) else None

    def _recorded_before(self, transaction: Transaction, action: Action) -> int:
        """The entry by which this kind of caller has recorded the call already, or 0. A caller that cannot add anything
        counts as having done so."""
        ledger, principal = transaction.ledger, self._context.principal
        keyed = ledger.get(IdempotencyKey, call_key(self._args.call_id or "", principal.actor.kind))
        if keyed is not None:
            return keyed.seq
        is_first_hook = principal.actor.is_hook and action.gateway_session and not action.hook_session
        adds_something = principal.is_intention or is_first_hook
        if adds_something and begun_by(ledger, action) != principal.actor.kind:
            return 0
        return action.seq

    def _check(
        self, transaction: Transaction, placement: Placement, joins: str = "", *, is_permitted: bool = False
    ) -> None:
        args, ledger = self._args, transaction.ledger
        if args.revision:
            rules.check_revision(placement.execution, args.revision)
        execution, has_ended = placement.execution, placement.execution.status in FINAL_STATUSES
        if placement.undoes or not has_ended:
            rules.check_begin(execution, undo=placement.kind == "undo")
        if placement.undoes and placement.kind == "undo":
            self._check_undo(ledger, placement.undoes)
            return
        check = self._call_check(placement, is_permitted=is_permitted)
        if has_ended:
            # Most helpful first: what was done there already, then that nothing new begins there.
            check.check_repetition(ledger, execution, placement.step)
            raise rules.execution_ended_error(execution)
        check.check(ledger, execution, placement.step, joins, ledger)

    def _call_check(self, placement: Placement, *, is_permitted: bool = False) -> CallCheck:
        args, planned_tool = self._args, placement.step.tool if placement.step else ""
        return CallCheck(
            args.step or "",
            args.approval_id or "",
            args.effect,
            self._effect_key,
            args.again,
            (args.arguments or {}) if args.effect_key else args.arguments,
            args.summary,
            CallDetails(self._context, self._tool, self._arguments, planned_tool),
            is_permitted,
        )

    def _check_undo(self, view: View, undone: Action) -> None:
        undo = view.get(Action, undone.undone_by) if undone.undone_by else None
        rules.check_undo(
            undone,
            undo is not None and is_in_doubt(view, undo),
            undone.state == "open" and not is_in_doubt(view, undone),
            again=self._args.again,
        )

    def _facts(self, view: View, placement: Placement, *, is_repeated: bool, is_out_of_order: bool) -> ActionBegun:
        args, context, execution, step = self._args, self._context, placement.execution, placement.step
        plan: StepFacts | PlanDefaults = step if step and placement.kind != "undo" else _UNPLANNED
        return ActionBegun(
            action_kind=placement.kind,
            undoes=placement.undoes.id if placement.undoes else "",
            tool=self._tool or plan.tool,
            step=step.id if step else "",
            plan_id=execution.plan_id if step else "",
            revision=execution.revision if step else 0,
            effect=args.effect or plan.effect,
            effect_key=self._effect_key,
            cancellable=args.cancellable or plan.cancellable or ("reversible" if self._has_undo else None),
            has_undo=self._has_undo or plan.has_undo,
            undo_until=args.undo_until or plan.undo_until,
            attempt=_attempt(view, placement) if step else 1,
            approval_id=args.approval_id or "",
            entity_type=self._entity[0],
            entity_id=self._entity[1],
            again=is_repeated or bool(args.again),
            out_of_order=is_out_of_order,
            late=execution.status in FINAL_STATUSES,
            confidence=args.confidence,
            call=context.masked_name(args.call_id) if args.call_id else "",
            shown_as=self._shown_as,
            temporary=(args.temporary or plan.temporary) and self._is_temporary(plan, placement.kind),
            undoes_too=placement.undoes_too,
            after_the_fact=args.phase == "done",
            while_unwinding=execution.owes_all and self._may_be_undo(placement),
        )

    def _may_be_undo(self, placement: Placement) -> bool:
        """Whether it is done while its execution is unwound, and may be an undo in other words than the recorded one. A
        claim may be one after a stop or failure too; an observer may report late what was done before."""
        is_plain = placement.kind == "do" and placement.step is None and not (self._has_undo or self._args.cancellable)
        execution = placement.execution
        return is_plain and (execution.unwound if self._is_observed else execution.owes_all)

    def _is_temporary(self, plan: StepFacts | PlanDefaults, kind: ActionKind) -> bool:
        """Whether it is to be put back in the end; raises InvalidArgument if nobody could."""
        if kind == "undo":
            return False
        if not (self._has_undo or plan.has_undo):
            raise temporary_without_undo("temporary")
        return True


def _is_doubt_about(refusal: Refused, action: str) -> bool:
    """Whether a call is refused because this action is in doubt; not if a step before its own is."""
    call = refusal.next_call if isinstance(refusal, InDoubtOpen) else None
    return bool(action and call and call[1].get("action_id") == action)


def _attempt(view: View, placement: Placement) -> int:
    """Which attempt at its step this is, from 1."""
    if placement.step is None or placement.kind == "undo":
        return 1
    progress = view.get(Progress, progress_id(placement.execution.id, placement.step.id))
    return progress.attempts + 1 if progress else 1


def _observed_key(context: "OperationContext", args: "ActionArguments") -> str:
    """The effect key that a hook or the gateway computed from the raw arguments. An agent may not pass one: it could
    hide a repetition."""
    if args.effect_key and context.principal.witness == "claimed":
        raise InvalidArgument("effect_key is for hooks and the gateway.", hint="Leave it out.", field="effect_key")
    return args.effect_key or ""
