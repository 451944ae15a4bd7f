"""A journal in which every free field holds a hostile text."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from tallystick import Actor, Journal, Step, Undo
from tallystick.core.types import FailurePolicy
from tests import hostile_text


class Tainted(Struct, frozen=True):
    """The parts of the journal that the pages show."""

    executions: tuple[str, str]
    plan: str
    approval: str


def mark(number: int) -> str:
    """The part of a text by which it is found in a page that shows it as text."""
    return f"mark{number:05d}k"


class _Supply:
    """Hostile texts, one after the other, each used once. A marker is put before or behind each."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._left = iter(
            [mark(number) + text if number % 2 else text + mark(number) for number, text in enumerate(texts)]
        )

    def text(self) -> str:
        return next(self._left)

    def name(self) -> str:
        """Of what a name may hold: what can be shown, and not too much of it."""
        return hostile_text.printable(self.text())

    def values(self) -> dict[str, Any]:
        return {self.text(): ["in a list", {"deep": self.text()}]}

    def rest(self) -> Iterator[str]:
        yield from self._left


def taint(open_journal: Callable[..., Journal], texts: Sequence[str]) -> Tainted:
    """Record hostile texts: one into each field there is, and what is left into arguments and results."""
    supply = _Supply(texts)
    actor = Actor(kind="agent", name=supply.name())
    with open_journal(actor=actor) as journal:
        secret = journal.add_credential(name=supply.name(), scopes=("approve", "admin")).secret
        first, plan = _planned(journal, supply)
        _decided(open_journal(credential=secret, actor=Actor(kind="person", name=supply.name())), journal, supply)
        _remembered(journal, supply)
        second = _watched(open_journal(actor=Actor(kind="sub-agent", name=supply.name()), witness="observed"), supply)
        approval = journal.request_approval(
            execution_id=first,
            question=supply.text(),
            tool=supply.name(),
            arguments=supply.values(),
            options=(supply.text(), supply.text()),
        )
        for text in supply.rest():
            _acted(journal, text)
    return Tainted((first, second), plan, approval.id)


def _planned(journal: Journal, supply: _Supply) -> tuple[str, str]:
    """An execution of a plan that was revised, with a step of each sort."""
    task = supply.name()
    steps = [_step(supply), _step(supply), _step(supply)]
    plan = journal.record_plan(
        title=supply.text(), goal=supply.text(), type=supply.name(), task_id=task, reasoning=supply.text(), steps=steps
    ).id
    started = journal.record_execution_start(plan_id=plan, title=supply.text(), task_id=task, notes=supply.text()).id
    arguments: dict[str, Any] = {"execution_id": started}
    ids = [step.id for step in journal.get_status(execution_id=started).steps]  # what looks like a secret is masked
    done = journal.record_action(
        phase="begin", step=ids[0], tool=supply.name(), summary=supply.text(), arguments=supply.values(),
        entity_type=supply.name(), entity_id=supply.name(), before=supply.values(), **arguments,
    )  # fmt: skip
    journal.record_action(phase="end", action_id=done.id, outcome="ok", result=supply.values(), after=supply.values())
    failed = journal.record_action(phase="begin", step=ids[1], summary=supply.text(), **arguments)
    journal.record_action(phase="end", action_id=failed.id, outcome="failed", error=supply.text())
    unknown = journal.record_action(
        phase="begin",
        tool=supply.name(),
        summary=supply.text(),
        undo=Undo(tool=supply.name(), arguments=supply.values()),
        **arguments,
    )
    journal.record_action(phase="end", action_id=unknown.id, outcome="unknown", error=supply.text())
    journal.record_decision(
        decision="continue",
        why=supply.text(),
        alternatives=(supply.text(), supply.text()),
        rejected=supply.text(),
        **arguments,
    )
    undone = journal.record_action(phase="begin", kind="undo", undoes=done.id, summary=supply.text(), **arguments)
    journal.record_action(phase="note", action_id=undone.id, summary=supply.text())
    journal.record_plan(
        plan_id=plan, title=supply.text(), goal=supply.text(), reason=supply.text(), steps=[steps[0], _step(supply)]
    )
    return started, plan


def _step(supply: _Supply) -> Step:
    return Step(
        id=supply.name(),
        title=supply.text(),
        cancellable="reversible",
        tool=supply.name(),
        arguments=supply.values(),
        undo=supply.text(),
        probe=supply.text(),
        failure_policy=FailurePolicy(action="manual_decision", reason=supply.text()),
    )


def _decided(person: Journal, journal: Journal, supply: _Supply) -> None:
    """A question with each answer."""
    with person:
        for verdict in ("approve", "edit", "reject", "respond"):
            approval = journal.request_approval(question=supply.text(), tool=supply.name(), arguments=supply.values())
            person.decide_approval(
                approval_id=approval.id,
                verdict=verdict,
                reason=supply.text(),
                answer=supply.text() if verdict == "respond" else "",
                arguments=supply.values() if verdict == "edit" else None,
            )


def _remembered(journal: Journal, supply: _Supply) -> None:
    """Context of each scope, twice, so that it has a history."""
    for scope in ("project", "task", "execution"):
        key, task = supply.name(), supply.name() if scope == "task" else None
        for value in (supply.text(), supply.values()):
            journal.record_context(
                key=key, value=value, type=supply.name(), scope=scope, task_id=task, metadata=supply.values()
            )


def _watched(observer: Journal, supply: _Supply) -> str:
    """Records from a hook: unplanned work of a sub-agent, and notes. One action is left open."""
    with observer:
        started = observer.record_execution_start(title=supply.text(), task_id=supply.name(), notes=supply.text()).id
        observer.record_note(event="prompt", summary=supply.text(), details=supply.values(), agent=supply.name())
        observer.record_action(
            phase="begin", execution_id=started, tool=supply.name(), summary=supply.text(), arguments=supply.values()
        )
        return started


def _acted(journal: Journal, text: str) -> None:
    done = journal.record_action(
        phase="begin", tool="shell", summary=text[:100], arguments={"command": text}, effect="read"
    )
    journal.record_action(phase="end", action_id=done.id, outcome="ok", result=text)
