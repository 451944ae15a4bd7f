"""An action that is about to begin: whether it may, and what its begin states."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core import rules
from tallystick.core.entries import ActionBegun, ActionNoted, Entry, StepFacts
from tallystick.core.errors import AlreadyDone, InvalidArgument, Refused
from tallystick.core.formats import canonical_json
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Action, Approval, Execution, IdempotencyKey, Progress, progress_id
from tallystick.core.tools import SeenTool, same_tool
from tallystick.core.types import FINAL_STATUSES, ActionKind, Cancellable, Effect
from tallystick.operations.runtime.attribution import (
    find_or_open_execution,
    find_step,
    find_undone_action,
    fit_of_call,
    resolve_execution,
)
from tallystick.operations.runtime.correlation import (
    action_begun_by_gateway,
    action_begun_by_hook,
    action_of_call,
    call_key,
    claimed_action_for,
    is_client_id,
    may_be_same_call,
)
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation_context import Transaction
from tallystick.operations.runtime.progress import relevant_progress, step_named, steps_of
from tallystick.operations.runtime.session_lifecycle import is_in_doubt
from tallystick.store.interface import Select, View

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext


# ----------------------------------------------------------------------------------------------------------------------
# Whether a call may be made: what the plan, the approvals and the actions of its execution say to it.
#
# A call that is about to be recorded is asked about where it is written; one that cannot be recorded, where the journal
# can still be read.

MAX_SAME_EFFECT_SCANNED = 50
"""How many earlier actions of the same effect are looked at, the newest first."""
REPEATABLE = ("read", "idempotent")
MAX_REPEATED_ARGUMENTS_CHARACTERS = 300
"""How long the arguments of a call may be, for an error to say them again."""


class CallDetails(Struct, frozen=True):
    """The call itself: its tool and its arguments, as the agent gave them or an observer saw them."""

    context: "OperationContext"
    tool: str
    arguments: Any

    @property
    def seen(self) -> bool:
        return self.context.principal.witness == "observed"

    def is_of(self, approval: Approval) -> bool:
        """Whether its tool is the one that was asked about. Who sees a call knows it by the name of its server too, and
        has itself found out which step it is."""
        if not approval.tool or self.tool == approval.tool:
            return True
        return self.seen and (bool(approval.step) or same_tool(self.tool, approval.tool))

    def key_for(self, approval: Approval) -> str:
        return self.context.effect_key(approval.tool, self.arguments) if self.seen and self.is_of(approval) else ""

    def told(self) -> dict[str, Any]:
        """As an error may say it again: what is long, or holds a secret, the caller has to repeat by itself."""
        if not self.tool:
            return {}
        text = canonical_json.encode(self.arguments or {}, self.context.settings.limits)
        clean = len(text) <= MAX_REPEATED_ARGUMENTS_CHARACTERS and self.context.masker.looks_clean(text)
        return {"tool": self.tool, **({"arguments": self.arguments} if self.arguments and clean else {})}


class CallCheck(Struct, frozen=True):
    """A call as far as the rules look at it. `step` is the name of the step that was said, if any; the `call` is known
    where it is about to be recorded."""

    step: str
    approval_id: str
    effect: Effect | None
    effect_key: str
    again: str
    call: CallDetails | None = None

    def check(
        self,
        view: View,
        execution: Execution,
        step: StepFacts | None,
        joins: str = "",
        is_new: Callable[[str, str], bool] | None = None,
    ) -> None:
        """Refuse it if a rule does. `joins` is the action that has begun already, where this is another's word of it;
        `is_new` can tell that an effect was never begun in an execution, without a look at its actions."""
        self._check_approvals(view, execution, step)
        repeatable = (self.effect or (step.effect if step else "unsafe")) in REPEATABLE
        if step:
            progress = relevant_progress(view, execution, step)
            if joins:  # that has begun the step; a hook sees one begin also before it is due
                rules.check_order(step, progress)
            else:
                rules.check_step(step, progress, again=self.again, repeatable=repeatable)
        if self.effect_key and not repeatable and not (is_new and is_new(execution.id, self.effect_key)):
            self._check_effect(view, execution, joins)

    def check_unrecorded(
        self, view: View, execution: Execution, masker: Masker, tool: SeenTool, arguments: Any
    ) -> None:
        """The same of a call that nobody can record: it is what it would have been."""
        rules.check_begin(execution, undo=False)
        step = step_named(view, execution, self.step) if self.step else None
        if step is None and execution.plan_id:
            step = find_step(view, masker, execution, tool, arguments)
        self.check(view, execution, step)

    def _check_approvals(self, view: View, execution: Execution, step: StepFacts | None) -> None:
        if self.approval_id:
            approval = require_row(view, Approval, self.approval_id, "approval_id")
            rules.check_approval(
                approval,
                execution=execution.id,
                step=step.id if step else self.step,
                keys=self._keys(approval),
                same_tool=self.call is None or self.call.is_of(approval),
                now=view.now(),
            )
            return
        if step is None and self.effect_key:  # the very call that a step plans is that step, whether named so or not
            step = next((each for each in steps_of(view, execution) if each.guarded == self.effect_key), None)
        needed = step is not None and step.needs_approval
        told = self.call.told if self.call else dict
        if execution.asked:
            rules.check_newest_answer(
                view.find(Approval, Select(where={"execution": execution.id}, limit=100)),
                step=step.id if step else self.step,
                keys=self._keys(),
                again=self.again,
                now=view.now(),
                needed=needed,
                call=told,
            )
        if step and needed:
            raise rules.approval_required_error(step, execution.id, told())

    def _keys(self, approval: Approval | None = None) -> set[str]:
        """What the call is known by."""
        return {self.effect_key, self.call.key_for(approval) if self.call and approval else ""} - {""}

    def _check_effect(self, view: View, execution: Execution, joins: str) -> None:
        where = Select(where={"execution": execution.id, "effect_key": self.effect_key}, limit=MAX_SAME_EFFECT_SCANNED)
        same = [action for action in view.find(Action, where) if action.action_kind == "do" and action.id != joins]
        if same:
            doubtful = [action.id for action in same if is_in_doubt(view, action)]
            rules.check_effect(same, doubtful, again=self.again)


# ----------------------------------------------------------------------------------------------------------------------


class Intent(Struct, frozen=True, kw_only=True):
    """One action as the caller put it, before it begins."""

    execution_id: str | None
    step: str
    kind: ActionKind
    undoes: str
    again: str
    approval_id: str
    tool: str
    effect_key: str
    effect: Effect | None
    cancellable: Cancellable | None
    has_undo: bool
    undo_until: str
    entity_type: str
    entity_id: str
    confidence: float | None
    body: str | None
    arguments: Any = None
    call_id: str = ""
    shown_as: str = ""
    seen_at: int = 0

    def write(self, transaction: Transaction) -> Entry:
        """Begin it. An intention that a rule refuses does not begin; what was observed did, and is marked."""
        ledger, observed = transaction.ledger, transaction.context.principal.witness == "observed"
        known_call = action_of_call(ledger, self.call_id) if self.call_id else None
        if known_call is not None and self._is_anothers(transaction, known_call):
            begun = ledger.entry(known_call.seq)
            assert begun is not None
            return transaction.already_recorded(begun)
        if known_call is None and observed and self.kind == "do":
            known_call = self._seen_by_another(transaction)
        if known_call is not None:
            return self._joined(transaction, known_call)
        target = require_row(ledger, Action, self.undoes, "undoes") if self.undoes else None
        if self.kind == "undo" and target is None:
            raise InvalidArgument("undoes is missing.", hint="Name the action that this undoes.", field="undoes")
        named = self.execution_id or (target.execution if target else None)
        execution = (
            self._placed(transaction)
            if observed and not named
            else resolve_execution(ledger, named, transaction.session)
        )
        if observed and self.call_id and not self.step and self.tool:
            twin = claimed_action_for(ledger, execution, self._seen(transaction), self.arguments)
            if twin is not None:
                return self._joined(transaction, twin)
        if observed and self.kind == "do" and self.tool and execution.status == "unwinding":
            undone = find_undone_action(
                ledger, transaction.context.masker, execution, self._seen(transaction), self.arguments
            )
            if undone:
                return replace(self, kind="undo", undoes=undone, execution_id=execution.id).write(transaction)
        step = step_named(ledger, execution, self.step) if self.step else None
        if observed and step is None and self.tool and target is None and execution.plan_id:
            step = find_step(ledger, transaction.context.masker, execution, self._seen(transaction), self.arguments)
        repeated = out_of_order = False
        try:
            self._check(transaction, execution, step, target)
        except Refused as refused:
            if _is_intention(transaction):
                raise
            repeated, out_of_order = isinstance(refused, AlreadyDone), not isinstance(refused, AlreadyDone)
        facts = self._facts(transaction, execution, step, repeated=repeated, out_of_order=out_of_order)
        self._sign(transaction)
        return transaction.write(facts, execution=execution.id, body=self.body)

    def _placed(self, transaction: Transaction) -> Execution:
        """The execution in which a call was seen."""
        if self.kind == "undo" or not self.tool:
            return find_or_open_execution(transaction)
        return find_or_open_execution(
            transaction,
            fit_of_call(transaction.ledger, transaction.context.masker, self._seen(transaction), self.arguments),
        )

    def _seen(self, transaction: Transaction) -> SeenTool:
        """The tool, by all the names that a plan may have for it."""
        return SeenTool(self.tool, self.shown_as, behind_gateway=transaction.context.principal.actor.is_gateway)

    def _seen_by_another(self, transaction: Transaction) -> Action | None:
        """The action of this call that a hook, or the gateway, has begun under another name or none."""
        actor = transaction.context.principal.actor
        if actor.kind == "gateway" and self.call_id and not is_client_id(self.call_id):
            return action_begun_by_hook(transaction, self.tool, self.shown_as, self.arguments)
        if actor.is_hook and self.seen_at:
            return action_begun_by_gateway(transaction, self.tool, self.arguments, self.seen_at)
        return None

    def _is_anothers(self, transaction: Transaction, action: Action) -> bool:
        """Whether the id names another call. The gateway, which can still draw an id of its own, is told so."""
        by_gateway = transaction.context.principal.actor.kind == "gateway"
        return by_gateway and not may_be_same_call(
            transaction.ledger, action, transaction.session, self.tool, self.shown_as
        )

    def _joined(self, transaction: Transaction, action: Action) -> Entry:
        """Somebody else has seen or said that it begins. Whoever could still hold it back is asked once more."""
        ledger, by = transaction.ledger, transaction.context.principal.actor.kind
        seen = action_of_call(ledger, self.call_id) if self.call_id else None
        again = ledger.get(IdempotencyKey, call_key(self.call_id, by)) if seen else None
        news = _is_intention(transaction) or (
            transaction.context.principal.actor.is_hook and action.gateway_session and not action.hook_session
        )
        if again is not None or (seen is not None and (not news or _begun_by(ledger, seen) == by)):
            begun = ledger.entry(again.seq if again else action.seq)
            assert begun is not None
            return transaction.already_recorded(begun)
        if _is_intention(transaction):
            execution = require_row(ledger, Execution, action.execution, "execution_id")
            step = step_named(ledger, execution, action.step) if action.step else None
            self._check(transaction, execution, step, None, joins=action.id)
        note = ActionNoted(
            about=action.id,
            step=action.step,
            tool=self.tool,
            call=transaction.context.masked_name(self.call_id) if seen or not action.hook_session else "",
            saw="begin" if transaction.context.principal.actor.is_hook else "",
            effect=(self.effect or "unsafe") if _is_intention(transaction) else None,
            effect_key=self.effect_key,
            approval_id=self.approval_id,
            shown_as=self.shown_as,
        )
        self._sign(transaction, by if seen else "")
        return transaction.write(note, id=action.id, execution=action.execution, body=self.body)

    def _sign(self, transaction: Transaction, by: str = "") -> None:
        if self.call_id:
            transaction.key, transaction.digest = call_key(self.call_id, by), ""

    def _check(
        self,
        transaction: Transaction,
        execution: Execution,
        step: StepFacts | None,
        target: Action | None,
        joins: str = "",
    ) -> None:
        rules.check_begin(execution, undo=self.kind == "undo")
        if target:
            self._check_undo(transaction.ledger, target)
            return
        call = CallDetails(transaction.context, self.tool, self.arguments)
        wanted = CallCheck(self.step, self.approval_id, self.effect, self.effect_key, self.again, call)
        wanted.check(transaction.ledger, execution, step, joins, transaction.ledger.effect_is_new)

    def _check_undo(self, view: View, target: Action) -> None:
        undo = view.get(Action, target.undone_by) if target.undone_by else None
        rules.check_undo(
            target,
            undo is not None and is_in_doubt(view, undo),
            target.state == "open" and not is_in_doubt(view, target),
            again=self.again,
        )

    def _facts(
        self,
        transaction: Transaction,
        execution: Execution,
        step: StepFacts | None,
        *,
        repeated: bool,
        out_of_order: bool,
    ) -> ActionBegun:
        view, undoing = transaction.ledger, self.kind == "undo"
        planned = step if not undoing else None
        progress = view.get(Progress, progress_id(execution.id, planned.id)) if planned else None
        return ActionBegun(
            action_kind=self.kind,
            undoes=self.undoes,
            tool=self.tool or (planned.tool if planned else ""),
            step=step.id if step else "",
            plan_id=execution.plan_id if step else "",
            revision=execution.revision if step else 0,
            effect=self.effect or (planned.effect if planned else "unsafe"),
            effect_key=self.effect_key,
            cancellable=self.cancellable or (planned.cancellable if planned else None),
            has_undo=self.has_undo or (planned is not None and planned.has_undo),
            undo_until=self.undo_until or (planned.undo_until if planned else ""),
            attempt=progress.attempts + 1 if progress else 1,
            approval_id=self.approval_id,
            entity_type=self.entity_type,
            entity_id=self.entity_id,
            again=repeated or bool(self.again),
            out_of_order=out_of_order,
            late=execution.status in FINAL_STATUSES,
            confidence=self.confidence,
            call=transaction.context.masked_name(self.call_id) if self.call_id else "",
            shown_as=self.shown_as,
        )


def _is_intention(transaction: Transaction) -> bool:
    """Whether it can still be held back: an agent says what it will do, the gateway and the runner have not done it."""
    principal = transaction.context.principal
    return principal.witness == "claimed" or principal.actor.kind in ("gateway", "runner")


def _begun_by(view: View, action: Action) -> str:
    entry = view.entry(action.seq)
    return entry.actor.kind if entry else ""
