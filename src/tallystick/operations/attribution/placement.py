"""The place of an action that begins: its execution, its step, and the actions that it undoes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core import rules
from tallystick.core.entries import ACTION, StepFacts
from tallystick.core.errors import UnknownHandle
from tallystick.core.state import Action, Execution
from tallystick.core.tools import SeenTool
from tallystick.core.types import ActionKind
from tallystick.operations.attribution.conversations import ended_executions, sessions_of_conversation
from tallystick.operations.attribution.executions import (
    executions_to_undo,
    find_execution,
    find_or_open_execution,
    fit_of_call,
    resolve_execution,
)
from tallystick.operations.attribution.known_undos import UndoSearch
from tallystick.operations.attribution.permissions import made_call, permission_of, step_granted_to
from tallystick.operations.attribution.steps import find_step, step_of_call
from tallystick.operations.attribution.undos import (
    attempts_to_undo,
    exact_undo,
    observed_undo,
    undone_step,
)
from tallystick.operations.runtime.correlation import claimed_action_for
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.progress import step_named
from tallystick.store.interface import Select, View

if TYPE_CHECKING:
    from tallystick.operations.actions import ActionArguments

MAX_SAME_EFFECT_SCANNED = 50
"""Earlier actions of the same effect, the newest first."""


class Placement(Struct, frozen=True):
    """The execution and step of an action, and the action that it undoes, with earlier attempts at the same step.
    `begun` is the action that the agent has announced for the same call, if it has."""

    execution: Execution
    kind: ActionKind = "do"
    step: StepFacts | None = None
    undoes: Action | None = None
    begun: Action | None = None
    undoes_too: tuple[str, ...] = ()


class CallToPlace(Struct, frozen=True, kw_only=True):
    """A call that begins: what its caller said of it, and what its place depends on.

    `was_made`: it can no longer be held back.
    """

    context: OperationContext
    said: "ActionArguments"
    tool: SeenTool
    arguments: Any
    effect_key: str
    was_made: bool
    is_observed: bool

    def find_place(self, transaction: Transaction) -> Placement:
        """Its place: the one that its caller named, else the one that the call itself shows."""
        said, ledger = self.said, transaction.ledger
        undoes = named_target(transaction, said.undoes, said.execution_id) if said.undoes else None
        if said.kind == "undo" and undoes is None:
            raise rules.missing_undoes_error()
        is_named = said.execution_id or said.step or said.undoes
        after_end = None if is_named else self._place_after_end(transaction)
        if after_end is not None:
            return after_end
        execution = (
            require_row(ledger, Execution, said.execution_id, "execution_id")
            if said.execution_id
            else self._execution(transaction, undoes)
        )
        step = step_named(ledger, execution, said.step) if said.step else None
        placement = Placement(execution, "undo" if undoes else "do", step, undoes)
        if self.is_observed and self.tool.name:
            placement = self._observed_place(ledger, placement)
        elif self.tool.name and step is None and undoes is None:
            placement = self._claimed_place(ledger, placement)
        step = placement.step
        is_undoing = placement.kind == "do" and step is not None and step.undoes and placement.begun is None
        return _with_undone_step(ledger, placement) if is_undoing else placement

    def _execution(self, transaction: Transaction, undoes: Action | None) -> Execution:
        named = undoes.execution if undoes else None
        if named or not self.is_observed:
            return resolve_execution(transaction.ledger, named, transaction.session)
        if not self.tool.name:
            return find_or_open_execution(transaction)
        fit = fit_of_call(transaction.ledger, self.context.masker, self.tool, self.arguments, was_made=self.was_made)
        return find_or_open_execution(transaction, fit)

    def _observed_place(self, view: View, placement: Placement) -> Placement:
        """Find the announced action, the undone action or the step that an observed call carries out."""
        execution, masker, tool = placement.execution, self.context.masker, self.tool
        if self.said.call_id and not self.said.step:
            begun = claimed_action_for(view, execution, tool, self.arguments)
            if begun is not None:
                return Placement(execution, begun=begun)
        if execution.unwound and placement.kind == "do":
            placement = self._as_observed_undo(view, placement)
        if placement.step is None and placement.undoes is None and execution.plan_id:
            step = find_step(view, masker, execution, tool, self.arguments, was_made=self.was_made)
            if step is None and self.was_made and not execution.unwound:
                step = step_granted_to(view, execution, made_call(masker, tool, self.arguments, self.effect_key))
            placement = Placement(execution, placement.kind, step)
        is_free = placement.kind == "do" and placement.step is None and not execution.unwound
        return self._as_observed_undo(view, placement) if is_free else placement

    def _as_observed_undo(self, view: View, placement: Placement) -> Placement:
        """The placement as an undo, if the call is one of its execution."""
        undone = observed_undo(view, self.context.masker, placement.execution, self.tool, self.arguments)
        return _as_undo(view, placement, undone) if undone else placement

    def _claimed_place(self, view: View, place: Placement) -> Placement:
        """Find the undone action, or the step, that a claimed call carries out although it names none."""
        execution = place.execution
        is_step = execution.plan_id and not execution.owes_all and not self._has_begun_same(view, execution)
        if is_step:  # else it may be a repetition
            call = (view, self.context.masker, execution, self.tool.name, self.said.arguments)
            place = Placement(execution, "do", step_of_call(*call))
        if place.step is not None:
            return place
        masker, is_claimed = self.context.masker, not self.is_observed
        undone = exact_undo(view, masker, execution, self.tool, self._stated, is_claimed=is_claimed)
        return _as_undo(view, place, undone) if undone else place

    @property
    def _stated(self) -> Any:
        return self.arguments if self.is_observed else self.said.arguments

    def _place_after_end(self, transaction: Transaction) -> Placement | None:
        """The place of a call that names none, and that is exactly an undo, or was announced, in an execution that has
        ended. One that an open execution waits for belongs there."""
        said, view = self.said, transaction.ledger
        if not self.tool.name or said.effect == "read":
            return None
        may_run = self.context.principal.may_run  # else only a runner undoes what it did
        sessions = sessions_of_conversation(view, transaction.session)
        ended = [row for row in ended_executions(view, sessions) if may_run or not row.engine]
        begun = self._announced_in(view, ended)
        search = UndoSearch(self.context, view, self.tool, self._stated, is_claimed=not self.is_observed)
        action = begun or search.undone(ended)
        if action is None or self._is_wanted(transaction):
            return None
        execution = require_row(view, Execution, action.execution, "execution_id")
        return Placement(execution, begun=begun) if begun else Placement(execution, "undo", None, action)

    def _announced_in(self, view: View, executions: Sequence[Execution]) -> Action | None:
        """The undo that the agent has announced after the end, and that an observed call carries out."""
        if not self.is_observed or not self.said.call_id:
            return None
        found = (claimed_action_for(view, row, self.tool, self.arguments) for row in executions)
        return next(filter(None, found), None)

    def _is_wanted(self, transaction: Transaction) -> bool:
        """Whether an open execution waits for the call: as a step or an undo, or a person was asked about it there."""
        view, masker = transaction.ledger, self.context.masker
        if self.is_observed:
            fits = fit_of_call(view, masker, self.tool, self.arguments, was_made=self.was_made)
            execution = find_execution(view, transaction.session, self.context.principal.actor, fits)
            return execution is not None and (fits(execution) or self._was_asked_about(view, execution))
        try:
            execution = resolve_execution(view, None, transaction.session)
        except UnknownHandle:
            return False
        place = self._claimed_place(view, Placement(execution))
        is_placed = place.step is not None or place.undoes is not None
        return is_placed or self._has_begun_same(view, execution) or self._was_asked_about(view, execution)

    def _was_asked_about(self, view: View, execution: Execution) -> bool:
        call = made_call(self.context.masker, self.tool, self.arguments, self.effect_key)
        return bool(execution.asked and permission_of(view, execution, None, call)[0])

    def _has_begun_same(self, view: View, execution: Execution) -> bool:
        where = Select(where={"execution": execution.id, "effect_key": self.effect_key}, limit=MAX_SAME_EFFECT_SCANNED)
        return any(action.state not in ("failed", "skipped") for action in view.find(Action, where))


def _as_undo(view: View, placement: Placement, undone: str) -> Placement:
    return replace(placement, kind="undo", undoes=require_row(view, Action, undone, "undoes"))


def _with_undone_step(view: View, placement: Placement) -> Placement:
    """The placement of a step that undoes another one: its target is every attempt at that one that is not undone."""
    assert placement.step is not None
    found = attempts_to_undo(view, placement.execution, placement.step)
    if not found:
        return placement
    return replace(placement, undoes=require_row(view, Action, found[0], "undoes"), undoes_too=found[1:])


def named_target(transaction: Transaction, undoes: str, execution_id: str | None, undo: Action | None = None) -> Action:
    """The action that `undoes` names: by its id; or by a step of the named execution, of the caller's, or of that of
    the `undo`."""
    ledger = transaction.ledger
    if ledger.get(Action, undoes) is None and not undoes.startswith(f"{ACTION}_"):
        own = ledger.get(Execution, undo.execution) if undo else None
        executions = executions_to_undo(ledger, execution_id, transaction.session)
        if executions or own:
            return undone_step(ledger, undoes, [*executions, *([own] if own else [])])
    try:
        return require_row(ledger, Action, undoes, "undoes")
    except UnknownHandle as error:
        error.hint += " Or name a step of the execution."
        raise
