"""The place of a call that was made: the approval that it used, the step that it was, the action that it undid.

An observer finds it when the call is recorded. Where tool and arguments do not tell, the agent says it in a decision.
"""

from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct, json

from tallystick.core import rules
from tallystick.core.entries import StepFacts
from tallystick.core.errors import AlreadyDone, InvalidArgument, WrongState
from tallystick.core.fold_actions import Place
from tallystick.core.formats import canonical_json
from tallystick.core.plans import StepOrder
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Action, Approval, Execution, Progress, progress_id
from tallystick.core.tools import SeenTool, is_exactly, same_tool
from tallystick.core.types import OUTSTANDING, Permission
from tallystick.operations.runtime.lookup import MAX_HANDLES_SHOWN, require_row
from tallystick.operations.runtime.progress import NOT_UNDONE, step_named, steps_of, undo_list_of
from tallystick.operations.runtime.session_lifecycle import is_in_doubt
from tallystick.store.interface import Select, View, WhereValue

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext

MAX_REPEATED_ARGUMENTS_CHARACTERS = 300
"""How long the arguments of a call may be, for an error to repeat them."""
MAX_APPROVALS_SCANNED = 100
MAX_ACTIONS_SCANNED = 100
"""Actions of an execution that are searched for work without a step, the newest first."""
MAX_ITEMS_BEFORE = 100
"""Items at the start of an undo list that are compared with the action that is undone."""
MAX_ATTEMPTS_UNDONE = 100
"""Attempts at a step that a planned step undoes, the newest first."""


# ----------------------------------------------------------------------------------------------------------------------
# The approval of a call that was made


class CallDetails(Struct, frozen=True):
    """The call itself: its tool and its arguments, as the agent gave them or an observer saw them."""

    context: "OperationContext"
    tool: str
    arguments: Any

    @property
    def is_observed(self) -> bool:
        return self.context.principal.witness == "observed"

    def has_tool_of(self, approval: Approval) -> bool:
        """Whether its tool is the one in the question. An observer also knows the tool by the name of its server, and
        has found out itself which step the call is."""
        if not approval.tool or self.tool == approval.tool:
            return True
        return self.is_observed and (bool(approval.step) or same_tool(self.tool, approval.tool))

    def effect_key_for(self, approval: Approval) -> str:
        """The effect key of an observed call under the tool's name in the question."""
        if not self.is_observed or not self.has_tool_of(approval):
            return ""
        return self.context.effect_key(approval.tool, self.arguments)

    def as_next_call(self) -> dict[str, Any]:
        """The call as an error may repeat it; the caller itself has to repeat long arguments and secrets."""
        if not self.tool:
            return {}
        text = canonical_json.encode(self.arguments or {}, self.context.settings.limits)
        clean = len(text) <= MAX_REPEATED_ARGUMENTS_CHARACTERS and self.context.masker.looks_clean(text)
        return {"tool": self.tool, **({"arguments": self.arguments} if self.arguments and clean else {})}


class MadeCall(Struct, frozen=True):
    """A call that was made, with its arguments as they are stored."""

    tool: SeenTool
    arguments: dict[str, Any]
    effect_key: str

    def covered_by(self, view: View, approval: Approval, step: str) -> str:
        """Whether an approval `granted` this call, or `asked` about it. A client may add a description to a call: then
        the effect keys differ."""
        if not approval.granted:
            is_step = bool(step) and approval.step == step
            return "granted" if is_step and (not approval.tool or self.tool.is_named(approval.tool)) else ""
        if approval.granted == self.effect_key:
            return "granted"
        if not self.tool.is_named(approval.tool):
            return ""
        bodies = {seq: json.decode(body) for seq, body in view.bodies({approval.seq, approval.decided_seq}).items()}
        asked, edited = (bodies.get(seq, {}).get("arguments") for seq in (approval.seq, approval.decided_seq))
        granted = edited if approval.status == "edit" else asked
        if granted and is_exactly(self.arguments, granted):
            return "granted"
        is_asked = approval.effect_key == self.effect_key or (asked and is_exactly(self.arguments, asked))
        return "asked" if is_asked else ""


def made_call(masker: Masker, tool: SeenTool, arguments: Any, effect_key: str) -> MadeCall:
    masked = masker.mask(arguments or {})
    return MadeCall(tool, masked if isinstance(masked, dict) else {}, effect_key)


def permission_of(view: View, execution: Execution, step: StepFacts | None, call: MadeCall) -> tuple[Permission, str]:
    """Whether a person permitted a call, and the approval that it uses."""
    name, needed = (step.id, step.needs_approval) if step else ("", False)
    return rules.find_permission(
        _approvals(view, execution),
        step=name,
        covers=lambda approval: call.covered_by(view, approval, name),
        now=view.now(),
        needed=needed,
    )


def step_granted_to(view: View, execution: Execution, call: MadeCall) -> StepFacts | None:
    """The step for which a person granted exactly this call: an edit grants another one than the plan states."""
    steps = {step.id: step for step in steps_of(view, execution)}
    for approval in _approvals(view, execution):
        is_live = approval.status in ("approve", "edit") and not rules.is_expired(approval, view.now())
        is_bound = is_live and approval.granted and approval.step in steps
        if is_bound and call.covered_by(view, approval, approval.step) == "granted":
            return steps[approval.step]
    return None


def _approvals(view: View, execution: Execution) -> list[Approval]:
    select = Select(where={"execution": execution.id}, limit=MAX_APPROVALS_SCANNED)
    return view.find(Approval, select) if execution.asked else []


# ----------------------------------------------------------------------------------------------------------------------
# What an agent says about a call that found no place


def place_of_undo(view: View, action: Action, undoes: str) -> Place:
    """The place of an action that undid another one; raises if that cannot be."""
    _check_free(action)
    target = require_row(view, Action, undoes, "undoes")
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


def attempts_to_undo(view: View, execution: Execution, step: StepFacts) -> tuple[str, ...]:
    """The attempts, the newest first, at the step that a step undoes, as far as they are not undone."""
    if not step.undoes:
        return ()
    where: dict[str, WhereValue] = {"execution": execution.id, **NOT_UNDONE, "step": step.undoes}
    return tuple(row.id for row in view.find(Action, Select(where=where, limit=MAX_ATTEMPTS_UNDONE)))


def is_before_others(view: View, target: Action) -> bool:
    """Whether an action is undone before others that come first: while all is to be undone, those before it on the undo
    list; else those of steps that depend on its step."""
    execution = view.get(Execution, target.execution)
    if execution is None or target.undo_state not in OUTSTANDING or not (execution.owes_all or target.step):
        return False
    order = StepOrder(steps_of(view, execution))
    dependants = order.descendants(target.step)
    for item in islice(undo_list_of(view, execution), MAX_ITEMS_BEFORE):
        if item.action.id == target.id:
            return False
        is_first = execution.owes_all or bool(order.mask([item.action.step]) & dependants)
        if is_first and item.state in ("not_undone", "failed", "in_doubt"):
            return True
    return False


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
