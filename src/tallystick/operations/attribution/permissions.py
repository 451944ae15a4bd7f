"""The approval of a call: whether it is the one that was asked about."""

from typing import Any

from msgspec import Struct, json

from tallystick.core import rules
from tallystick.core.entries import StepFacts
from tallystick.core.formats import canonical_json
from tallystick.core.redaction.masker import Masker
from tallystick.core.state import Approval, Execution
from tallystick.core.tools import SeenTool, is_exactly, same_tool
from tallystick.core.types import Permission
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import steps_of
from tallystick.store.interface import Select, View

MAX_REPEATED_ARGUMENTS_CHARACTERS = 300
"""How long the arguments of a call may be, for an error to repeat them."""
MAX_APPROVALS_SCANNED = 100
"""Approvals of an execution that are compared with a call, the newest first."""


class CallDetails(Struct, frozen=True):
    """The call itself: its tool and arguments, as the agent gave them or an observer saw them, and its step's tool."""

    context: OperationContext
    tool: str
    arguments: Any
    planned_tool: str = ""

    @property
    def is_observed(self) -> bool:
        return self.context.principal.witness == "observed"

    def has_tool_of(self, approval: Approval) -> bool:
        """Whether its tool is the one in the question. An observer also knows the tool by the name of its server, and
        has found out itself which step the call is."""
        if not approval.tool or (self.tool or self.planned_tool) == approval.tool:
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
