"""A random plan and a random execution of it, recorded twice: in the model as events, in the product as entries.

One execution has sessions that die without a record, steps begun in and out of order, retries, skips, ends that are
late, repeated or contradict each other, undos of any action by any session, planned steps that undo others, unplanned
work, new revisions, decisions to keep something, decisions about what an action was, and decisions that make the undo
list owed. After each event `differs` compares the two.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from msgspec.structs import replace

from tallystick.core import chain, fold
from tallystick.core.entries import (
    ActionBegun,
    ActionDoubted,
    ActionEnded,
    DecisionRecorded,
    Draft,
    Entry,
    ExecutionEnded,
    ExecutionStarted,
    Facts,
    PlanRecorded,
    SessionEnded,
    SessionOpened,
    StepFacts,
)
from tallystick.core.rules import status_after
from tallystick.core.state import Action, Execution, Progress, Session, count_due, progress_id
from tallystick.core.types import FINAL_STATUSES, Actor, Cancellable, Choice, Effect, Outcome
from tallystick.core.undo import UndoItem
from tallystick.operations.runtime.progress import interruption, owed_of, undo_list_of
from tallystick.store.interface import Select
from tallystick.store.memory import MemoryJournal, MemoryStore
from tests.properties.undo_model import Begun, Decided, Died, Ended, Line, Story, settled

MINUTE = 60_000_000
ACTOR = Actor(name="life")
ENDINGS: tuple[Choice, ...] = ("done", "done", "stop", "fail")
PERSON = Actor(kind="person", name="ann")
CANCELLABLE: tuple[Cancellable, ...] = ("reversible", "reversible", "partially-reversible", "irreversible")
EFFECTS: tuple[Effect, ...] = ("unsafe", "unsafe", "unsafe", "probeable", "idempotent", "read")
OUTCOMES: tuple[Outcome, ...] = ("ok", "ok", "ok", "ok", "failed", "failed", "skipped", "unknown")
DUE = ("not_undone", "undoing", "in_doubt", "failed")


class Rows(MemoryJournal):
    """The product's own rows in memory, with deaths that the test decides on."""

    def __init__(self) -> None:
        super().__init__("law", MemoryStore())
        self.time = MINUTE
        self.dead: set[str] = set()

    def now(self) -> int:
        return self.time

    def is_over(self, session: Session) -> bool:
        return session.status != "open" or session.id in self.dead


class Life:
    """One random execution. `happen` adds one event; the same `Random` gives the same events; `on_entry` gets each
    entry."""

    def __init__(self, chance: Random, on_entry: Callable[[Entry], None] | None = None) -> None:
        self.heard = on_entry
        self.chance = chance
        self.story = Story()
        self.rows = Rows()
        self.head = chain.genesis("law")
        self.seen: Counter[str] = Counter()
        self.begun: dict[str, Begun] = {}
        self.sessions: list[str] = []
        self.steps: tuple[StepFacts, ...] = ()
        self.numbered = 0
        self.plan = self._record_plan("", 1).id
        self.open_session()
        self.desk = self.write(SessionOpened(session_kind="process")).id
        """The session of a person, which outlives all others."""
        self.execution = self._start(self.plan)
        self.other = self._start("")

    def happen(self) -> str:
        """One thing, by weight; returns its name."""
        name, act = self.chance.choice(_EVENTS)
        self.rows.time += self.chance.choice((0, 1, MINUTE, 20 * MINUTE))
        act(self)
        self.seen[name] += 1
        return name

    def differs(self) -> str:
        """The difference between the product and the model; empty if there is none."""
        aside = any(event.execution == self.other for event in self.begun.values())
        for id in (self.execution, self.other) if aside else (self.execution,):
            execution = self.rows.get(Execution, id)
            assert execution is not None
            listed = _lines(undo_list_of(self.rows, execution))
            expected = self.story.undo_list(id, self.rows.time)
            if listed != expected:
                return f"undo list of {id}\n  product: {listed}\n  model:   {expected}"
            owed, expected_owed = _lines(owed_of(self.rows, execution)), self.story.owed(id, self.rows.time)
            if owed != expected_owed:
                return f"owed of {id}\n  product: {owed}\n  model:   {expected_owed}"
            behind = self.chance.randrange(len(listed)) if listed else 0
            after = self.rows.get(Action, listed[behind].action) if listed else None
            if [item.action.id for item in undo_list_of(self.rows, execution, after=after)] != [
                line.action for line in listed[behind + bool(after) :]
            ]:
                return f"of {id}: another page behind {after} than {listed[behind:]}"
            left = interruption(self.rows, execution) is not None
            due, counted = sum(map(self._is_due, expected_owed)), execution.owed(interrupted=left)
            if counted != due:
                return f"of {id}: the product counts {counted} due, the model {due}"
            due, counted = sum(map(self._is_due, expected)), count_due(execution.undo_states)
            if counted != due:
                return f"of {id}: the product counts {counted} that can be undone, the model {due}"
            self.seen.update(line.state for line in expected)
            self.seen["owed"] += bool(expected_owed)
            self.seen["owed though interrupted"] += left and bool(expected_owed)
            only_begun = [line for line in expected_owed if not self.begun[line.action].temporary]
            self.seen["owed for its undo"] += bool(only_begun) and not execution.owes_all
        return ""

    def miscounted(self) -> str:
        """Whether the stored counts of an execution equal those counted from its rows."""
        execution = self.rows.get(Execution, self.execution)
        assert execution is not None
        progress = [self.rows.get(Progress, progress_id(self.execution, step.id)) for step in self.steps]
        steps = Counter(row.status for row in progress if row and row.status)  # one that was not made is to be done
        if execution.steps != steps:
            return f"the steps are counted as {execution.steps} and are {dict(steps)}"
        actions = self.rows.find(Action, Select(where={"execution": execution.id}, limit=1000))
        states = Counter(action.state for action in actions if action.action_kind == "do")
        if execution.actions != states:
            return f"the actions are counted as {execution.actions} and are {dict(states)}"
        unplanned = sum(action.action_kind == "do" and not action.step for action in actions)
        if execution.unplanned != unplanned:
            return f"{execution.unplanned} actions are counted as unplanned, and {unplanned} are"
        return ""

    def _is_due(self, line: Line) -> bool:
        """What is counted without a clock: whether something could still be done about it but for the time."""
        lapsed = line.expired and self.begun[line.action].cancellable != "irreversible"
        return line.state in DUE or (line.state == "not_possible" and lapsed)

    # Possible events

    def open_session(self) -> None:
        entry = self.write(SessionOpened(session_kind="process"))
        self.sessions.append(entry.id)

    def crash(self) -> None:
        """A session dies without a record."""
        session = self.chance.choice(self.sessions)
        if session not in self.rows.dead:
            self.rows.dead.add(session)
            self.story.happenings.append(Died(session))

    def notice(self) -> None:
        """Somebody writes down that a session is over, and what it left open."""
        session = self.rows.get(Session, self.chance.choice(self.sessions))
        if session is None or session.status != "open":
            return
        if session.id not in self.rows.dead:
            self.rows.dead.add(session.id)
            self.story.happenings.append(Died(session.id))
        self.write(SessionEnded(reason="gone"), id=session.id)
        for row in list(self.rows.rows.get(Action, {}).values()):
            if isinstance(row, Action) and row.session == session.id and row.state == "open":
                self.write(ActionDoubted(reason="session gone"), id=row.id, execution=row.execution)

    def begin_step(self) -> None:
        step = self.chance.choice(self.steps)
        facts = ActionBegun(
            step=step.id,
            plan_id=self.plan,
            revision=self.story.revision,
            effect=step.effect,
            cancellable=step.cancellable,
            has_undo=step.has_undo,
            undo_until=step.undo_until,
            temporary=step.temporary,
        )
        if step.undoes:
            targets = self._attempts_to_undo(step)
            facts = replace(facts, undoes=targets[0] if targets else "", undoes_too=tuple(targets[1:]))
        self._begin(facts, self.execution)

    def _attempts_to_undo(self, step: StepFacts) -> list[str]:
        listed = {line.action for line in self.story.undo_list(self.execution, self.rows.time)} if step.undoes else ()
        return [id for id, event in self.begun.items() if event.step == step.undoes and id in listed][::-1]

    def begin_unplanned(self) -> None:
        pick = self.chance.choice
        facts = ActionBegun(
            tool="tool",
            effect=pick(EFFECTS),
            cancellable=pick((*CANCELLABLE, None)),
            undo_until=pick(("", "", "20m")),
            temporary=pick((True, False, False)),
        )
        self._begin(facts, pick((self.execution, self.execution, self.other)))

    def begin_while_unwinding(self) -> None:
        """A call that a hook saw while the execution was unwound, and that fits no undo."""
        row = self.rows.get(Execution, self.execution)
        if row and row.unwound:
            self._begin(ActionBegun(tool="rm", while_unwinding=True), self.execution)

    def say_step(self) -> None:
        """Somebody says later which step an action was."""
        found = [event for event in self._unplaced() if event.execution == self.execution]
        if not found:
            return
        event, step = self.chance.choice(found), self.chance.choice(self.steps)
        undone = self._attempts_to_undo(step)
        was = dataclasses.replace(
            event,
            step=step.id,
            revision=self.story.revision,
            cancellable=event.cancellable or step.cancellable,
            until=event.until or _span(step.undo_until),
            temporary=event.temporary or step.temporary,
            undoes=tuple(undone),
            may_be_undo=False,
        )
        self._say(self.execution, was, step.id, step.cancellable)

    def say_undo(self) -> None:
        """Somebody says later what an action undid."""
        order = list(self.begun)
        pairs = [
            (event, target)
            for event in self._unplaced()
            for target in self.begun.values()
            if not target.undoes and order.index(target.action) < order.index(event.action)
        ]
        if pairs:
            event, target = self.chance.choice(pairs)
            was = dataclasses.replace(event, undoes=(target.action,), may_be_undo=False)
            self._say(target.execution, was, "", None)

    def _unplaced(self) -> list[Begun]:
        """Actions that are neither a step nor an undo, and that nobody tried to undo."""
        undone = {target for event in self.begun.values() for target in event.undoes}
        return [event for id, event in self.begun.items() if not event.step and not event.undoes and id not in undone]

    def _say(self, execution: str, was: Begun, step: str, cancellable: Cancellable | None) -> None:
        row = self.rows.get(Execution, execution)
        assert row is not None
        facts = DecisionRecorded(
            decision="continue",
            status=row.status,
            step=step,
            action_id=was.action,
            undoes=was.undoes[0] if was.undoes else "",
            undoes_too=was.undoes[1:],
            cancellable=cancellable,
        )
        self.write(facts, execution=execution, session=self.desk, actor=PERSON)
        self.begun[was.action] = was
        self.story.happenings.append(Decided(execution, "continue", was=was))

    def begin_undo(self) -> None:
        target = self._some("")
        if target is None:
            return
        execution = target.execution if self.chance.random() < 0.9 else self.other
        self._begin(ActionBegun(action_kind="undo", undoes=target.action, tool="undo"), execution)

    def end_open(self) -> None:
        self._end(self._some("open"))

    def end_any(self) -> None:
        """A late, a second or a contradicting word about something."""
        self._end(self._some("any"))

    def replan(self) -> None:
        self._record_plan(self.plan, self.story.revision + 1)
        self.write(
            DecisionRecorded(decision="replan", status="running", revision=self.story.revision),
            execution=self.execution,
        )

    def decide(self) -> None:
        step = self.chance.choice(self.steps).id
        self._decide("skip", step=step)

    def keep(self) -> None:
        """Some actions of the list, or one that is not on it any more, are kept."""
        listed = [line.action for line in self.story.undo_list(self.execution, self.rows.time)]
        if listed:
            kept = listed if self.chance.random() < 0.2 else [self.chance.choice(listed)]
            self._decide("keep", kept=tuple(kept))

    def unwind(self) -> None:
        self._decide("unwind")

    def end_execution(self) -> None:
        row = self.rows.get(Execution, self.execution)
        assert row is not None
        if row.status not in FINAL_STATUSES:
            decision = self.chance.choice(ENDINGS)
            self._decide(decision)
            status = status_after(row, decision)
            self.write(ExecutionEnded(status=status), id=self.execution, execution=self.execution)

    # How events are recorded

    def _decide(self, decision: Choice, **more: Any) -> None:
        """A decision of a living session, or of a person: that one does not continue the work."""
        row = self.rows.get(Execution, self.execution)
        assert row is not None
        if row.status in FINAL_STATUSES and decision != "keep":
            return
        alive = [session for session in self.sessions if session not in self.rows.dead]
        by_agent = alive and self.chance.random() < 0.7
        session, actor = (self.chance.choice(alive), ACTOR) if by_agent else (self.desk, PERSON)
        facts = DecisionRecorded(decision=decision, status=status_after(row, decision), **more)
        self.write(facts, execution=self.execution, session=session, actor=actor)
        kept: tuple[str, ...] = more.get("kept", ())
        self.story.happenings.append(Decided(self.execution, decision, kept, session if by_agent else ""))

    def write(
        self, facts: Facts, *, id: str = "", execution: str = "", session: str = "", actor: Actor = ACTOR
    ) -> Entry:
        draft = Draft(facts=facts, actor=actor, id=id, execution=execution, session=session)
        entry, _ = chain.seal(self.head, draft, at=self.rows.time, salt=b"")
        self.head = chain.Head(entry.seq, entry.hash, entry.at)
        fold.evolve(self.rows, entry)
        if self.heard:
            self.heard(entry)
        return entry

    def _begin(self, facts: ActionBegun, execution: str) -> None:
        alive = [session for session in self.sessions if session not in self.rows.dead]
        if not alive:
            self.open_session()
            alive = self.sessions[-1:]
        session = self.chance.choice(alive)
        entry = self.write(facts, execution=execution, session=session)
        event = Begun(
            action=entry.id,
            session=session,
            at=entry.at,
            execution=execution,
            undoes=(facts.undoes, *facts.undoes_too) if facts.undoes else (),
            temporary=facts.temporary,
            step=facts.step,
            revision=facts.revision,
            effect=facts.effect,
            cancellable=facts.cancellable or "",
            until=_span(facts.undo_until),
            may_be_undo=facts.while_unwinding,
        )
        self.begun[entry.id] = event
        self.story.happenings.append(event)

    def _end(self, begun: Begun | None) -> None:
        if begun is None:
            return
        outcome = self.chance.choice(OUTCOMES)
        without_effect = outcome == "failed" and self.chance.random() < 0.3
        word = self.story.knowledge()[begun.action].word
        facts = ActionEnded(
            outcome=outcome,
            without_effect=without_effect,
            settles=word == "in doubt",
            contradicts=settled(word) not in ("", outcome),
        )
        alive = [session for session in self.sessions if session not in self.rows.dead]
        session = self.chance.choice(alive) if alive else ""
        entry = self.write(facts, id=begun.action, execution=begun.execution, session=session)
        self.story.happenings.append(Ended(begun.action, outcome, entry.at, without_effect, session))
        self.seen["contradicted"] += facts.contradicts

    def _some(self, which: str) -> Begun | None:
        """A random action: one that is open, any at all, or one that is no undo."""
        if which == "open":
            known = self.story.knowledge()
            found = [event for event in self.begun.values() if known[event.action].word == "open"]
        else:
            found = [event for event in self.begun.values() if which == "any" or not event.undoes]
        return self.chance.choice(found) if found else None

    def _start(self, plan: str) -> str:
        facts = ExecutionStarted(plan_id=plan, revision=1 if plan else 0, steps=len(self.steps) if plan else 0)
        id = self.write(facts, session=self.sessions[0]).id
        self.story.happenings.append(Decided(id, "start", session=self.sessions[0]))
        return id

    def _record_plan(self, id: str, revision: int) -> Entry:
        """A first plan, or one that keeps some of the steps, some of them with another `after`, and adds some."""
        retained = [step for step in self.steps if self.chance.random() < 0.7]
        new = [self._step() for _ in range(self.chance.randint(0 if retained else 1, 6 - len(retained)))]
        steps = [*retained, *new]
        self.chance.shuffle(steps)
        names = [step.id for step in steps]
        placed = [self._placed(step, names[:index]) for index, step in enumerate(steps)]
        self.steps = tuple(self.chance.sample(placed, len(placed)))
        self.story.revision = revision
        self.story.revisions[revision] = {step.id: step.after for step in self.steps}
        return self.write(PlanRecorded(revision=revision, steps=self.steps), id=id)

    def _step(self) -> StepFacts:
        self.numbered += 1
        pick = self.chance.choice
        return StepFacts(
            id=f"s{self.numbered}",
            cancellable=pick(CANCELLABLE),
            effect=pick(EFFECTS),
            has_undo=pick((True, False)),
            undo_until=pick(("", "", "", "20m")),
            temporary=pick((True, False, False)),
            undoes=pick(("", "", "", *(step.id for step in self.steps))),
        )

    def _placed(self, step: StepFacts, earlier: list[str]) -> StepFacts:
        return replace(step, after=tuple(name for name in earlier if self.chance.random() < 0.35))


def _span(until: str) -> int:
    return int(until.rstrip("m") or 0) * MINUTE


def _lines(items: Iterable[UndoItem]) -> list[Line]:
    return [Line(item.action.id, item.state, item.certain, item.expired) for item in items]


_EVENTS = [
    (act.__name__, act)
    for act, weight in (
        (Life.begin_step, 8),
        (Life.begin_unplanned, 3),
        (Life.begin_undo, 6),
        (Life.begin_while_unwinding, 2),
        (Life.say_step, 1),
        (Life.say_undo, 1),
        (Life.end_open, 11),
        (Life.end_any, 3),
        (Life.crash, 2),
        (Life.notice, 1),
        (Life.open_session, 1),
        (Life.replan, 1),
        (Life.decide, 1),
        (Life.keep, 2),
        (Life.unwind, 1),
        (Life.end_execution, 1),
    )
    for _ in range(weight)
]
