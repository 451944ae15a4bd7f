"""Whether a call may be made: what the plan, the approvals and the actions of its execution say to it.

A call that is about to be recorded is asked about where it is written; one that cannot be recorded, where the journal
can still be read.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from tallystick.core import rules
from tallystick.core.entries import StepFacts
from tallystick.core.model import Effect
from tallystick.core.secrets import Masker
from tallystick.core.state import Action, Approval, Execution
from tallystick.operations.attaching import step_seen
from tallystick.operations.handles import known
from tallystick.operations.presence import is_in_doubt
from tallystick.operations.standing import relevant_progress, step_named, steps_of
from tallystick.store.port import Select, View

SAME_EFFECT = 50
"""How many earlier actions of the same effect are looked at, the newest first."""
REPEATABLE = ("read", "idempotent")


class Wanted(Struct, frozen=True):
    """A call as far as the rules look at it. `step` is the name of the step that was said, if any."""

    step: str
    approval_id: str
    effect: Effect | None
    effect_key: str
    again: str

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
        if step and not joins:  # what it joins has begun the step
            progress = relevant_progress(view, execution, step)
            rules.check_step(step, progress, again=self.again, repeatable=repeatable)
        if self.effect_key and not repeatable and not (is_new and is_new(execution.id, self.effect_key)):
            self._check_effect(view, execution, joins)

    def check_unrecorded(self, view: View, execution: Execution, masker: Masker, tool: str, arguments: Any) -> None:
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
                effect_key=self.effect_key,
                now=view.now(),
            )
            return
        if step is None and self.effect_key:  # the very call that a step plans is that step, whether named so or not
            step = next((each for each in steps_of(view, execution) if each.guarded == self.effect_key), None)
        if step and step.needs_approval:
            raise rules.lacks_approval(step, execution.id)
        if execution.asked:
            asked = view.find(Approval, Select(where={"execution": execution.id}, limit=100))
            rules.check_answer(asked, step=self.step, effect_key=self.effect_key, again=self.again, now=view.now())

    def _check_effect(self, view: View, execution: Execution, joins: str) -> None:
        where = Select(where={"execution": execution.id, "effect_key": self.effect_key}, limit=SAME_EFFECT)
        same = [action for action in view.find(Action, where) if action.action_kind == "do" and action.id != joins]
        if same:
            doubtful = [action.id for action in same if is_in_doubt(view, action)]
            rules.check_effect(same, doubtful, again=self.again)
