"""Whether a call may be made: what the plan, the approvals and the actions of its execution say to it.

A call that is about to be recorded is asked about where it is written; one that cannot be recorded, where the journal
can still be read.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick.core import canonical, rules
from tallystick.core.entries import StepFacts
from tallystick.core.model import Effect
from tallystick.core.secrets import Masker
from tallystick.core.state import Action, Approval, Execution
from tallystick.core.toolnames import SeenTool, same_tool
from tallystick.operations.attaching import step_seen
from tallystick.operations.handles import known
from tallystick.operations.presence import is_in_doubt
from tallystick.operations.standing import relevant_progress, step_named, steps_of
from tallystick.store.port import Select, View

if TYPE_CHECKING:
    from tallystick.operations.desk import Desk

SAME_EFFECT = 50
"""How many earlier actions of the same effect are looked at, the newest first."""
REPEATABLE = ("read", "idempotent")
TOLD = 300
"""How long the arguments of a call may be, for an error to say them again."""


class Call(Struct, frozen=True):
    """The call itself: its tool and its arguments, as the agent gave them or an observer saw them."""

    desk: "Desk"
    tool: str
    arguments: Any

    @property
    def seen(self) -> bool:
        return self.desk.asker.witness == "observed"

    def is_of(self, approval: Approval) -> bool:
        """Whether its tool is the one that was asked about. Who sees a call knows it by the name of its server too, and
        has itself found out which step it is."""
        if not approval.tool or self.tool == approval.tool:
            return True
        return self.seen and (bool(approval.step) or same_tool(self.tool, approval.tool))

    def key_for(self, approval: Approval) -> str:
        return self.desk.effect_key(approval.tool, self.arguments) if self.seen and self.is_of(approval) else ""

    def told(self) -> dict[str, Any]:
        """As an error may say it again: what is long, or holds a secret, the caller has to repeat by itself."""
        if not self.tool:
            return {}
        text = canonical.encode(self.arguments or {}, self.desk.settings.limits)
        clean = len(text) <= TOLD and self.desk.masker.looks_clean(text)
        return {"tool": self.tool, **({"arguments": self.arguments} if self.arguments and clean else {})}


class Wanted(Struct, frozen=True):
    """A call as far as the rules look at it. `step` is the name of the step that was said, if any; the `call` is known
    where it is about to be recorded."""

    step: str
    approval_id: str
    effect: Effect | None
    effect_key: str
    again: str
    call: Call | None = None

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
            step = step_seen(view, masker, execution, tool, arguments)
        self.check(view, execution, step)

    def _check_approvals(self, view: View, execution: Execution, step: StepFacts | None) -> None:
        if self.approval_id:
            approval = known(view, Approval, self.approval_id, "approval_id")
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
            rules.check_answer(
                view.find(Approval, Select(where={"execution": execution.id}, limit=100)),
                step=step.id if step else self.step,
                keys=self._keys(),
                again=self.again,
                now=view.now(),
                needed=needed,
                call=told,
            )
        if step and needed:
            raise rules.lacks_approval(step, execution.id, told())

    def _keys(self, approval: Approval | None = None) -> set[str]:
        """What the call is known by."""
        return {self.effect_key, self.call.key_for(approval) if self.call and approval else ""} - {""}

    def _check_effect(self, view: View, execution: Execution, joins: str) -> None:
        where = Select(where={"execution": execution.id, "effect_key": self.effect_key}, limit=SAME_EFFECT)
        same = [action for action in view.find(Action, where) if action.action_kind == "do" and action.id != joins]
        if same:
            doubtful = [action.id for action in same if is_in_doubt(view, action)]
            rules.check_effect(same, doubtful, again=self.again)
