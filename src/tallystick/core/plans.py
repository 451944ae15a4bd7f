"""Plans: the order of steps, validation before recording, warnings, and advice after a failure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tallystick.core.entries import ExecutionStarted, StepFacts
from tallystick.core.errors import InvalidArgument, TooLarge
from tallystick.core.formats import times
from tallystick.core.schedule import Schedule
from tallystick.core.state import Execution, Plan
from tallystick.core.types import FailurePolicy, Step, Undo, parse_undo

# ----------------------------------------------------------------------------------------------------------------------
# The order of steps. A set of steps is an integer with one bit per step: 10,000 steps in a row stay cheap.


class StepOrder:
    """The steps of a plan as a graph by `after`. Ids that are no steps of the plan are ignored."""

    def __init__(self, steps: Sequence[StepFacts]) -> None:
        self.steps = steps
        self._index = {step.id: position for position, step in enumerate(steps)}
        self._parents = [
            [self._index[name] for name in dict.fromkeys(step.after) if name in self._index] for step in steps
        ]
        self._children: list[list[int]] = [[] for _ in steps]
        for position, parents in enumerate(self._parents):
            for parent in parents:
                self._children[parent].append(position)

    def parents(self, step: str) -> list[str]:
        """The steps in its `after`."""
        return self.names(self._parents[self._index[step]]) if step in self._index else []

    def children(self, step: str) -> list[str]:
        """The steps that name it in their `after`."""
        return self.names(self._children[self._index[step]]) if step in self._index else []

    def descendants(self, step: str) -> int:
        """All steps that come after it, directly or not, as a mask of bits."""
        mask = 0
        stack = list(self._children[self._index[step]]) if step in self._index else []
        while stack:
            position = stack.pop()
            if not mask >> position & 1:
                mask |= 1 << position
                stack += self._children[position]
        return mask

    def all_descendants(self) -> list[int]:
        """`descendants` of every step, in one pass: children before parents."""
        masks = [0] * len(self.steps)
        left = [len(children) for children in self._children]
        free = [position for position, count in enumerate(left) if not count]
        while free:
            position = free.pop()
            for parent in self._parents[position]:
                masks[parent] |= masks[position] | 1 << position
                left[parent] -= 1
                if not left[parent]:
                    free.append(parent)
        return masks

    def mask(self, names: Iterable[str]) -> int:
        mask = 0
        for name in names:
            if name in self._index:
                mask |= 1 << self._index[name]
        return mask

    def ids_in(self, mask: int) -> Iterator[str]:
        """The steps in a mask, in the plan's order."""
        while mask:
            lowest = mask & -mask
            yield self.steps[lowest.bit_length() - 1].id
            mask ^= lowest

    def names(self, positions: Iterable[int]) -> list[str]:
        return [self.steps[position].id for position in positions]


# ----------------------------------------------------------------------------------------------------------------------

NextCall = tuple[str, dict[str, Any]]
NEW_PLAN: NextCall = ("record_plan", {"title": "...", "steps": "..."})
"""The next call of an error that a new plan resolves."""


def revision_call(plan_id: str) -> NextCall:
    """The call that revises a plan, for an error that a revision resolves."""
    return "record_plan", {"plan_id": plan_id, "title": "...", "steps": "...", "reason": "..."}


_NOT_IN_ID = re.compile(r"[^a-z0-9]+")


def normalize_steps(steps: Sequence[Step], limit: int) -> tuple[Step, ...]:
    """The steps with an id and an explicit `after` each; raises InvalidArgument for the first mistake."""
    if not steps:
        raise InvalidArgument("A plan needs at least one step.", hint="Give steps.", field="steps")
    if len(steps) > limit:
        raise TooLarge(
            f"The plan has {len(steps):,} steps; the limit is {limit:,}.", hint="Split it into plans.", field="steps"
        )
    ordered = _with_order(_with_ids(steps))
    _check_references(ordered)
    _check_cycles(ordered)
    ordered = _with_planned_undos(ordered)
    for step in ordered:
        if step.undo_until:
            times.resolve(step.undo_until, f"steps.{step.id}.undo_until", start=0)
        if step.temporary and parse_undo(step.undo) is None:
            raise temporary_without_undo(f"steps.{step.id}.temporary")
    return ordered


def temporary_without_undo(field: str) -> InvalidArgument:
    """The error for something temporary that nobody could put back."""
    return InvalidArgument(
        "What is temporary needs an undo.",
        hint="Say in `undo` how it is put back, or plan a step with `undoes`; or leave `temporary` out.",
        field=field,
    )


def step_facts(step: Step, effect_key: str = "") -> StepFacts:
    """The facts of a normalized step. `effect_key` is that of the call it plans, if it names one."""
    policy = step.failure_policy
    return StepFacts(
        id=step_id(step),
        cancellable=step.cancellable,
        after=step.after or (),
        tool=step.tool,
        effect=step.effect,
        failure_policy=policy.action if isinstance(policy, FailurePolicy) else policy,
        propagate_to=policy.propagate_to if isinstance(policy, FailurePolicy) else (),
        has_undo=parse_undo(step.undo) is not None,
        undo_until=step.undo_until,
        needs_approval=step.needs_approval,
        guarded=effect_key if step.needs_approval else "",
        has_probe=parse_undo(step.probe) is not None,
        estimate=step.estimate,
        temporary=step.temporary,
        undoes=step.undoes,
    )


def execution_start_facts(
    plan: Plan, steps: Sequence[StepFacts], task_id: str = "", engine: str = ""
) -> ExecutionStarted:
    """The facts of an execution that starts with the current revision of a plan."""
    return ExecutionStarted(
        plan_id=plan.id, revision=plan.revision, steps=len(steps), task_id=task_id or plan.task_id, engine=engine
    )


def item_id(step: str, number: int) -> str:
    """The id of the step for one item of a list, from 1."""
    return f"{step}.{number}"


def with_items(steps: Sequence[StepFacts], counts: Mapping[str, int]) -> tuple[StepFacts, ...]:
    """The steps with a step for each item of a list in front of the step that had the list. That one keeps its id and
    what waits for it, comes after its items, and only gathers their results."""
    found: list[StepFacts] = []
    for step in steps:
        if step.id not in counts:
            found.append(step)
            continue
        items = [replace(step, id=item_id(step.id, number + 1)) for number in range(counts[step.id])]
        after = tuple(item.id for item in items) or step.after
        found += items
        found.append(gathering_step(step, after))
    return tuple(found)


def gathering_step(step: StepFacts, after: tuple[str, ...]) -> StepFacts:
    return StepFacts(
        id=step.id,
        cancellable="reversible",
        after=after,
        effect="read",
        failure_policy=step.failure_policy,
        propagate_to=step.propagate_to,
    )


def step_id(step: Step) -> str:
    assert step.id is not UNSET
    return step.id


def warnings(steps: Sequence[StepFacts], at: int, most: int = 20) -> tuple[str, ...]:
    """Warnings about a plan that is recorded at a time, `most` of them at most. None of them refuses it."""
    order = StepOrder(steps)
    harmless = {step.id for step in steps if step.effect == "read" or step.undoes}
    risky = order.mask(step.id for step in steps if step.cancellable != "irreversible" and step.id not in harmless)
    seconds = sum(step.estimate or 0 for step in steps)
    all_warnings = [
        *_warnings_about_temporary(steps, order),
        *_warnings_about_order(steps, order),
        *(
            warning
            for step, behind, rest in zip(steps, order.all_descendants(), _seconds_left(steps), strict=True)
            if step.id not in harmless
            for warning in _step_warnings(
                step, behind & risky, order, _expiry(step, rest, at, at + int(seconds * times.SECOND))
            )
        ),
    ]
    more = len(all_warnings) - most
    return tuple(all_warnings[:most]) + ((f"and {more} more warnings like these.",) if more > 0 else ())


def _warnings_about_temporary(steps: Sequence[StepFacts], order: StepOrder) -> Iterator[str]:
    put_back = {step.undoes for step in steps}
    for step in steps:
        if step.temporary and step.id not in put_back:
            yield f"{step.id} is temporary and no step undoes it. Add one with undoes={step.id}, or undo it in the end."
        if step.undoes and not order.descendants(step.undoes) & order.mask([step.id]):
            yield f"{step.id} undoes {step.undoes} but does not come after it. Add it to `after`."


def _warnings_about_order(steps: Sequence[StepFacts], order: StepOrder) -> Iterator[str]:
    """Warnings about steps that nothing orders: with one `after` anywhere, the order as written does not count."""
    if not any(step.after for step in steps):
        return
    for position, step in enumerate(steps):
        if step.after or step.effect == "read" or step.undoes:
            continue
        if position and (step.cancellable == "irreversible" or not order.children(step.id)):
            yield f"{step.id} has no `after`, so it may begin at once. Name the steps that it waits for."
        elif not order.children(step.id):
            yield f"No step comes after {step.id}, so others may begin before it. Add it to their `after`."


def _step_warnings(step: StepFacts, risky_behind: int, order: StepOrder, expiry: str) -> Iterator[str]:
    if step.cancellable == "irreversible":
        if risky_behind:
            yield (
                f"{step.id} is irreversible and comes before {_some(list(order.ids_in(risky_behind)))}: "
                f"if one of those fails, {step.id} cannot be undone. Move it last if you can."
            )
        if not step.needs_approval:
            yield f"{step.id} is irreversible and needs no approval. Set needs_approval to ask a person."
    elif not step.has_undo:
        yield f"{step.id} is {step.cancellable} but has no undo. Say how it is undone; or set effect to read."
    if expiry:
        yield f"The undo of {step.id} {expiry}."


def ready_steps(steps: Sequence[StepFacts], status: Mapping[str, str]) -> list[str]:
    """The steps that may begin now: not begun, and all before them done or skipped."""
    settled = {name for name, word in status.items() if word in ("done", "skipped")}
    return [step.id for step in steps if not status.get(step.id) and settled.issuperset(step.after)]


class _Unranked(Struct, frozen=True):
    """A step for a schedule whose ranks nobody asks for."""

    id: str
    after: tuple[str, ...]
    priority: int = 0
    estimate: float | None = None


def schedule_of(execution: Execution, steps: Sequence[StepFacts], status: Mapping[str, str]) -> Schedule:
    """What may begin: in a run what its runner would begin, else what a claim may begin."""
    planned = [_Unranked(step.id, step.after) for step in steps]
    return Schedule(planned, status, only_direct=not execution.engine)


def due_steps(execution: Execution, steps: Sequence[StepFacts], status: Mapping[str, str]) -> list[str]:
    """The steps that may begin now, in the plan's order; see `schedule_of`."""
    if execution.engine:
        return schedule_of(execution, steps, status).first_ready(len(steps))
    return ready_steps(steps, status)  # the same, for a tenth of the time


def _with_ids(steps: Sequence[Step]) -> list[Step]:
    taken = {step.id for step in steps if step.id is not UNSET}
    used: set[str] = set()
    numbers: dict[str, int] = {}
    named: list[Step] = []
    for position, step in enumerate(steps, 1):
        name = step.id
        if name is UNSET:
            made = _NOT_IN_ID.sub("_", step.title.lower()).strip("_")[:40] or f"step_{position}"
            name = _unused(made, taken, numbers)
            taken.add(name)
        if name in used:
            raise InvalidArgument(f'Two steps have the id "{name}".', hint="Give each its own id.", field="steps")
        used.add(name)
        named.append(step if step.id == name else replace(step, id=name))
    return named


def _unused(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """The name, or the name with the next free number; `numbers` are the last ones used, by name."""
    candidate = name
    while candidate in taken:
        numbers[name] = numbers.get(name, 1) + 1
        candidate = f"{name}_{numbers[name]}"
    return candidate


def _with_order(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with `after` filled in. No `after` anywhere means: in the order written."""
    if any(step.after is not UNSET for step in steps):
        return tuple(replace(step, after=()) if step.after is UNSET else step for step in steps)
    first = replace(steps[0], after=())
    return first, *(replace(step, after=(step_id(before),)) for before, step in pairwise(steps))


def _check_references(steps: Sequence[Step]) -> None:
    ids = {step_id(step) for step in steps}
    for step in steps:
        policy = step.failure_policy
        for field, names in (
            ("after", step.after or ()),
            ("failure_policy.propagate_to", policy.propagate_to if isinstance(policy, FailurePolicy) else ()),
            ("undoes", (step.undoes,) if step.undoes else ()),
        ):
            for name in names:
                if name not in ids:
                    raise InvalidArgument(
                        f'steps.{step.id}.{field} names "{name}", which is no step of this plan.',
                        hint=f"Use one of: {_some(sorted(ids))}.",
                        field=f"steps.{step.id}.{field}",
                        allowed=sorted(ids)[:20],
                    )


def _with_planned_undos(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps; one without an undo takes the call, or the title, of the step that undoes it."""
    undoing = {step.undoes: step for step in steps if step.undoes}
    for target, step in undoing.items():
        if target == step.id or any(other.undoes for other in steps if other.id == target):
            raise InvalidArgument(
                f'steps.{step.id}.undoes names "{target}", which is itself, or itself undoes a step.',
                hint="Name a step that does something first.",
                field=f"steps.{step.id}.undoes",
            )
    return tuple(
        replace(step, undo=_planned_undo(undoing[step_id(step)]))
        if step.id in undoing and parse_undo(step.undo) is None
        else step
        for step in steps
    )


def _planned_undo(step: Step) -> Undo:
    return Undo(tool=step.tool, arguments=step.arguments) if step.tool else Undo(words=step.title)


def _check_cycles(steps: Sequence[Step]) -> None:
    left = {step_id(step): len(set(step.after or ())) for step in steps}
    behind: dict[str, list[str]] = {}
    for step in steps:
        for name in set(step.after or ()):
            behind.setdefault(name, []).append(step_id(step))
    free = [name for name, before in left.items() if not before]
    while free:
        done = free.pop()
        del left[done]
        for name in behind.get(done, ()):
            left[name] -= 1
            if not left[name]:
                free.append(name)
    if left:
        raise InvalidArgument(
            f"These steps wait for each other: {_some(sorted(left))}.",
            hint="Remove one `after` from the circle.",
            field="steps",
        )


def _expiry(step: StepFacts, rest: float, start: int, end: int) -> str:
    """The problem with `undo_until`; empty if there is none.

    A span is compared with the estimates of the steps after it, a time with the start and the end of the plan.
    """
    if not step.undo_until:
        return ""
    early = f"expires ({step.undo_until}) before the plan can end"
    span = times.parse_span(step.undo_until)
    if span is not None:
        return early if rest * times.SECOND > span else ""
    try:
        until = times.parse_time(step.undo_until, "undo_until")
    except InvalidArgument:  # an old plan may hold what today's rules would refuse
        return ""
    if until <= start:
        return f"has expired already ({step.undo_until})"
    return early if until < end else ""


def _seconds_left(steps: Sequence[StepFacts]) -> list[float]:
    """The estimated seconds that are left after each step."""
    left = list(accumulate((step.estimate or 0 for step in reversed(steps)), initial=0.0))
    return left[-2::-1]


def _some(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


# ----------------------------------------------------------------------------------------------------------------------
# Advice after a failure, by the plan's failure policy. The journal carries nothing out.


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
    order = StepOrder(steps) if failed else None
    return tuple(_advice_on(step, order, status) for step in failed if order)


def _advice_on(failed: StepFacts, order: StepOrder, status: Mapping[str, str]) -> Advice:
    waiting = [step.id for step in order.steps if status.get(step.id, "") in ("", "running") and step.id != failed.id]
    reached = order.descendants(failed.id) | order.mask(failed.propagate_to)
    for name in failed.propagate_to:
        reached |= order.descendants(name)
    dependent = set(order.ids_in(reached)).intersection(waiting)
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
