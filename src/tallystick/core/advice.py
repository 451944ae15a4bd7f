"""What the plan says to do about a failure. The journal says it and carries nothing out."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tallystick.core.entries import StepFacts
from tallystick.core.order import Order


class Advice(Struct, frozen=True):
    """For one failed step: the policy, which steps it would cancel, and which may go on."""

    step: str
    policy: str
    cancels: tuple[str, ...]
    goes_on: tuple[str, ...]
    text: str


def advise(steps: Sequence[StepFacts], status: Mapping[str, str]) -> tuple[Advice, ...]:
    """Advice for each step that has failed, in the plan's order."""
    failed = [step for step in steps if status.get(step.id) == "failed"]
    order = Order(steps) if failed else None
    return tuple(_about(step, order, status) for step in failed if order)


def _about(failed: StepFacts, order: Order, status: Mapping[str, str]) -> Advice:
    waiting = [step.id for step in order.steps if status.get(step.id, "") in ("", "running") and step.id != failed.id]
    reached = order.behind(failed.id) | order.mask(failed.propagate_to)
    for name in failed.propagate_to:
        reached |= order.behind(name)
    dependent = set(order.of(reached)).intersection(waiting)
    if failed.failure_policy == "cancel_all":
        cancelled = set(waiting)
        text = "the plan says to cancel everything: decide unwind or stop"
    elif failed.failure_policy == "cancel_dependent":
        cancelled = dependent
        text = "the plan says to cancel what depends on it and to go on with the rest"
    elif failed.failure_policy == "continue_others":
        cancelled = dependent
        text = "the plan says to go on with the others; what depends on it cannot begin"
    else:
        cancelled = set()
        text = "the plan leaves it to you: decide retry, skip, replan, unwind, ask_human or stop"
    return Advice(
        step=failed.id,
        policy=failed.failure_policy,
        cancels=tuple(name for name in waiting if name in cancelled),
        goes_on=tuple(name for name in waiting if name not in cancelled and name not in dependent),
        text=text,
    )
