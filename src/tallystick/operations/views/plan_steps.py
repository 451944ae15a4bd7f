"""The steps of one execution, as views show them. A process remembers those of large plans, so that the next look at
one costs what was recorded since.

Entries are final: what was computed up to an entry stays right while the journal has that entry, and its hash tells.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from weakref import WeakKeyDictionary

from msgspec import Struct, json

from tallystick.core.entries import BodyErased, Entry, StepFacts, Unreadable
from tallystick.core.plans import Advice, advise, due_steps, schedule_of
from tallystick.core.schedule import Schedule
from tallystick.core.state import Action, Execution, Progress, progress_id
from tallystick.operations.executions import MAX_NEXT_STEPS, statuses_after_answers, steps_to_offer
from tallystick.operations.runtime.lookup import ERASED, erased_among
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import (
    MAX_ROWS,
    as_of_now,
    dropped_of,
    plan_seq,
    status_for_next,
    steps_by_id,
    steps_of,
)
from tallystick.operations.views.timeline import step_titles_by_action
from tallystick.store.interface import Select, Store, View

MIN_STEPS_REMEMBERED = 500
"""A smaller plan is read in about a millisecond."""
MAX_REMEMBERED = 8
"""Executions that a process remembers in one store: the steps of ten thousand take some ten megabytes."""
MAX_ENTRIES_FOLLOWED = 1000
"""Entries since the last look; to read more of them costs as much as to read the steps."""


class StepLabel(Struct, frozen=True):
    """The part of a step's text that views show."""

    id: str
    title: str = ""
    by: str = "runner"


class _PlanLabels(Struct, frozen=True):
    title: str = ""
    steps: tuple[StepLabel, ...] = ()


class PlanSteps:
    """The steps of the plan that an execution follows, with their texts and their progress."""

    def __init__(self, view: View, execution: Execution) -> None:
        self._execution = execution.id
        self._revision = execution.revision
        self._head = view.head()
        self.planned = steps_of(view, execution)
        self.seq = plan_seq(view, execution)
        body = view.bodies([self.seq]).get(self.seq) if self.seq else None
        labels = json.decode(body, type=_PlanLabels) if body else _PlanLabels()
        self.title = labels.title
        self._titles = {label.id: label.title for label in labels.steps}
        self._left_to_others = {label.id: label.by for label in labels.steps if label.by != "runner"}
        self._is_erased = not body and bool(erased_among(view, (self.seq,)))
        select = Select(where={"execution": execution.id}, newest_first=False, limit=MAX_ROWS)
        self._rows = {row.step: row for row in view.find(Progress, select)}
        self._counts = Counter(row.status for row in self._rows.values() if not row.dropped)
        self._schedule: Schedule | None = None
        self._dropped: list[StepFacts] | None = None

    def follow(self, view: View, execution: Execution) -> bool:
        """Take over what was recorded since the last look. False if that cannot be known, or is too much."""
        schedule = self._schedule = self._schedule or self._new_schedule(execution)
        head = view.head()
        if head == self._head and execution.revision == self._revision:
            return True
        since = head.seq - self._head.seq
        if execution.revision != self._revision or not 0 < since <= MAX_ENTRIES_FOLLOWED:
            return False
        last = view.entry(self._head.seq)
        if last is None or last.hash != self._head.hash:
            return False
        entries = view.entries(after=self._head.seq, limit=since)
        if any(isinstance(entry.facts, BodyErased | Unreadable) for entry in entries):
            return False
        for name in self._steps_in(view, entries):
            self._take(view, name, schedule)
        self._head = head
        return {status: count for status, count in self._counts.items() if status and count} == execution.steps

    def _steps_in(self, view: View, entries: Iterable[Entry]) -> set[str]:
        """The steps whose progress these entries may have changed."""
        found: set[str] = set()
        for entry in entries:
            action = view.get(Action, getattr(entry.facts, "action_id", "") or entry.id)
            if entry.execution == self._execution:
                found |= {getattr(entry.facts, "step", ""), action.step if action else ""}
            undone = (view.get(Action, id) for id in (action.undoes, *action.undoes_too) if id) if action else ()
            found |= {row.step for row in undone if row and row.execution == self._execution}
        return found - {""}

    def _take(self, view: View, name: str, schedule: Schedule) -> None:
        before, row = self._rows.get(name), view.get(Progress, progress_id(self._execution, name))
        if row is None:
            return
        self._rows[name] = row
        self._dropped = None if row.dropped else self._dropped
        if before and not before.dropped:
            self._counts[before.status] -= 1
        if not row.dropped:
            self._counts[row.status] += 1
        if name in steps_by_id(self.planned):
            schedule.update(name, status_for_next(row))

    def _new_schedule(self, execution: Execution) -> Schedule:
        states = {name: status_for_next(row) for name, row in self._rows.items()}
        return schedule_of(execution, self.planned, states)

    # ------------------------------------------------------------------------------------------------------------------

    def page(self, view: View, after: str, limit: int) -> tuple[Sequence[StepFacts], bool] | None:
        """The steps behind one of them, those that the plan no longer has last, and whether there are more. None if
        there is no such step."""
        every: Sequence[StepFacts] = self.planned
        if dropped := self.dropped(view):
            every = (*every, *dropped)
        first = next((place for place, step in enumerate(every, 1) if step.id == after), 0) if after else 0
        return None if after and not first else (every[first : first + limit], first + limit < len(every))

    def dropped(self, view: View) -> list[StepFacts]:
        """The steps that were begun or decided on and that the plan no longer has."""
        if self._dropped is None:
            self._dropped = dropped_of(view, self.planned, self._rows)
        return self._dropped

    def progress(self, view: View, name: str) -> Progress | None:
        """The progress of a step as of now."""
        row = self._rows.get(name)
        return as_of_now(view, row) if row else None

    def titles(self, view: View, steps: Sequence[StepFacts]) -> dict[str, str]:
        """The titles of steps; of those that were dropped, as they were when their actions began."""
        dropped = {step.id for step in self.dropped(view)}
        rows = (self._rows[step.id] for step in steps if step.id in dropped)
        actions = [action for row in rows if row.action and (action := view.get(Action, row.action))]
        old = step_titles_by_action(view, actions) if actions else {}
        found = {action.step: old.get(action.id, "") for action in actions}
        default = ERASED if self._is_erased else ""
        return {step.id: found.get(step.id) or self._titles.get(step.id, default) for step in steps}

    def performer(self, name: str) -> str:
        """Who carries out a step when a runner runs the plan: the runner, an agent or a person."""
        return self._left_to_others.get(name, "runner")

    def next_steps(self, view: View, execution: Execution, limit: int = MAX_NEXT_STEPS) -> tuple[str, ...]:
        """The steps that may begin now; see `executions.next_steps`."""
        if execution.status not in ("running", "blocked"):
            return ()
        if execution.steps.get("failed") or execution.asked:
            return steps_to_offer(view, execution, self.planned, self._statuses(view, execution), limit)
        if self._schedule is not None:
            return tuple(self._schedule.first_ready(limit))
        return tuple(due_steps(execution, self.planned, self._statuses(view, execution))[:limit])

    def advice(self, view: View, execution: Execution) -> tuple[Advice, ...]:
        """What the plan says to do about each failed step."""
        return advise(self.planned, self._statuses(view, execution)) if execution.steps.get("failed") else ()

    def _statuses(self, view: View, execution: Execution) -> dict[str, str]:
        progress = {name: as_of_now(view, row) for name, row in self._rows.items()}
        return statuses_after_answers(view, execution, progress)


# ----------------------------------------------------------------------------------------------------------------------
# What a process remembers


class _Slot:
    """The remembered steps of one execution, which one thread at a time brings up to date and uses."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.steps: PlanSteps | None = None


_slots: WeakKeyDictionary[Store, OrderedDict[tuple[str, str], _Slot]] = WeakKeyDictionary()
_slots_lock = Lock()


@contextmanager
def plan_steps(context: OperationContext, view: View, execution: Execution) -> Iterator[PlanSteps]:
    """The steps of an execution; those of a large plan are remembered, except for a caller that may see some tasks."""
    if execution.total_steps < MIN_STEPS_REMEMBERED or context.principal.tasks:
        yield PlanSteps(view, execution)
        return
    slot = _slot(context.store, (context.journal, execution.id))
    with slot.lock:
        steps, slot.steps = slot.steps, None
        if steps is None or not steps.follow(view, execution):
            steps = PlanSteps(view, execution)
        slot.steps = steps
        yield steps


def _slot(store: Store, key: tuple[str, str]) -> _Slot:
    with _slots_lock:
        slots = _slots.setdefault(store, OrderedDict())
        slot = slots.setdefault(key, _Slot())
        slots.move_to_end(key)
        if len(slots) > MAX_REMEMBERED:
            slots.popitem(last=False)
        return slot
