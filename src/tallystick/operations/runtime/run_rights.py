"""Who may say what a runner does in a run: whoever may run plans, and for some of it a person who may approve.

Others may record in a run: what they did, their own steps, and that it has to halt. A server grants the right with the
scope `run`; in process everybody has it.
"""

from tallystick.core.errors import NotPermitted
from tallystick.core.state import Action, Approval, Execution, Plan, Session
from tallystick.core.types import Choice
from tallystick.operations.runtime.operation_context import OperationContext, Transaction
from tallystick.operations.runtime.progress import plan_text
from tallystick.store.interface import PRESENT, Select, View

FREE_DECISIONS: tuple[Choice, ...] = ("pause", "stop", "fail", "ask_human", "continue")
"""Decisions on a run that make its runner do nothing more than before."""
OF_STEPS: tuple[Choice, ...] = ("retry", "skip")
"""Decisions that the agent or person may make whose step it is."""
OPEN_TO_AGENTS = ("agent", "")
"""Whose steps an agent may carry out: its own, and those that the plan does not have."""


def check_decision(transaction: Transaction, execution: Execution, decision: Choice, step: str) -> None:
    """Raise NotPermitted if the principal may not decide so on a run."""
    if not _is_limited(transaction.context, execution) or decision in FREE_DECISIONS:
        return
    if decision in OF_STEPS and step and _owner(transaction.ledger, execution, step) in OPEN_TO_AGENTS:
        return
    if not _may_approve(transaction, execution):
        raise _not_permitted(f"To decide {decision} on {execution.id}")


def check_end(transaction: Transaction, action: Action) -> None:
    """Raise NotPermitted if the principal may not say what came of an action of a runner."""
    if transaction.context.principal.may_run:
        return
    execution = transaction.ledger.get(Execution, action.execution)
    if execution is None or not execution.engine:
        return
    is_own = action.actor_kind == "runner"
    if not is_own and not (action.step and is_of_runner(transaction.ledger, execution, action.step)):
        return
    if not _may_approve(transaction, execution):
        raise _not_permitted(f"To say what came of {action.id}, which a runner has begun,")


def may_begin(transaction: Transaction, execution: Execution, step: str, *, is_guess: bool) -> bool:
    """Whether the principal may carry out a step: not one that the plan leaves to a runner, nor one of a person without
    the right to approve. Raises NotPermitted if it names that step; of a call that was observed, its step may only be
    guessed."""
    if not _is_limited(transaction.context, execution):
        return True
    owner = _owner(transaction.ledger, execution, step)
    if owner in OPEN_TO_AGENTS:
        return True
    if owner == "person" and _may_approve(transaction, execution):
        return True
    if not is_guess:
        raise _not_permitted(f'To carry out the step "{step}", which is the {owner}\'s,')
    return False


def check_claim(transaction: Transaction, execution: Execution, undone: Action | None, approval_id: str) -> None:
    """Raise NotPermitted if a claimed call would undo what a runner did, or use up an approval of its step."""
    if transaction.context.principal.may_run or not execution.engine or _may_approve(transaction, execution):
        return
    if undone is not None and undone.actor_kind == "runner":
        raise _not_permitted(f"To say that {undone.id} is undone, which a runner did,")
    approval = transaction.ledger.get(Approval, approval_id) if approval_id else None
    if approval is not None and approval.step and is_of_runner(transaction.ledger, execution, approval.step):
        raise _not_permitted(f"To use {approval.id}, which is for a step of the runner,")


def check_question(transaction: Transaction, execution: Execution, step: str, tool: str) -> None:
    """Raise NotPermitted for a question about a step of a runner, or without a step about a call with its tool: the
    answer may let the runner begin the step, and the words of the question are what a person reads."""
    if not _is_limited(transaction.context, execution):
        return
    if step and is_of_runner(transaction.ledger, execution, step):
        raise _not_permitted(f'To ask about the step "{step}", which is the runner\'s,')
    steps = plan_text(transaction.ledger, execution).get("steps", ()) if tool and not step else ()
    for each in steps:
        if each.get("by", "runner") == "runner" and each.get("tool") == tool:
            raise _not_permitted(f'To ask about a call of "{tool}", which the runner makes in step "{each["id"]}",')


def check_revision(transaction: Transaction, plan: Plan) -> None:
    """Raise NotPermitted if the principal may not revise a plan that was run: it is run again by its id or name."""
    if transaction.context.principal.may_run:
        return
    if transaction.ledger.find(Execution, Select(where={"plan_id": plan.id, "engine": PRESENT}, limit=1)):
        raise _not_permitted(f"To revise {plan.id}, of which there is a run,")


def check_template(context: OperationContext) -> None:
    """Raise NotPermitted if a server carries out templates, and the principal may not say what is in one."""
    if not context.principal.may_run and context.server_runs is not None and context.server_runs.has_tools:
        raise _not_permitted("To record a template, where the server carries out plans,")


def check_session(transaction: Transaction, session: Session) -> None:
    """Raise NotPermitted if the principal may not end the session of a runner."""
    if transaction.context.principal.may_run:
        return
    opened = transaction.ledger.entry(session.seq)
    if opened is not None and opened.actor.kind == "runner":
        raise _not_permitted(f"To end {session.id}, which is a runner's,")


def is_of_runner(view: View, execution: Execution, step: str) -> bool:
    """Whether the plan leaves a step to the runner."""
    return _owner(view, execution, step) == "runner"


def _owner(view: View, execution: Execution, step: str) -> str:
    """By whom the plan has a step carried out; empty for a step that it does not have."""
    texts = plan_text(view, execution).get("steps", ())
    return next((str(each.get("by", "runner")) for each in texts if each["id"] == step), "")


def _is_limited(context: OperationContext, execution: Execution) -> bool:
    return bool(execution.engine) and not context.principal.may_run


def _may_approve(transaction: Transaction, execution: Execution) -> bool:
    return bool(transaction.context.checked_credential(transaction.ledger, "approve", execution.task_id))


def _not_permitted(what: str) -> NotPermitted:
    return NotPermitted(
        f"{what} you need a credential with the scope `run`.",
        hint="Ask a person: some of it may be decided with `approve` too. Your own steps, pause and stop need neither.",
    )
