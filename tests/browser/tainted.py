"""A journal in which every free field holds a hostile text."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from tallystick import Actor, Journal, Step, Undo
from tallystick.core.model import FailurePolicy
from tests.browser.payloads import payloads

NAME_LENGTH = 200


class Tainted(Struct, frozen=True):
    """What there is to look at, and how many texts it took."""

    executions: tuple[str, str]
    plan: str
    approval: str
    texts: tuple[str, ...]


class _Supply:
    """Hostile texts, one after the other, each used once."""

    def __init__(self, amount: int, seed: str) -> None:
        self.used: list[str] = []
        self._left = payloads(amount, seed)

    def text(self) -> str:
        self.used.append(next(self._left))
        return self.used[-1]

    def name(self) -> str:
        """Of what a name may hold: what can be shown, and not too much of it."""
        text = "".join(letter for letter in self.text() if letter.isprintable())
        return text[:NAME_LENGTH]

    def values(self) -> dict[str, Any]:
        return {self.text(): ["in a list", {"deep": self.text()}]}

    def rest(self) -> Iterator[str]:
        for text in self._left:
            self.used.append(text)
            yield text


def taint(open_journal: Callable[..., Journal], amount: int, seed: str) -> Tainted:
    """Record so many hostile texts: one into each field there is, and what is left into arguments and results."""
    supply = _Supply(amount, seed)
    actor = Actor(kind="agent", name=supply.name())
    with open_journal(actor=actor) as journal:
        secret = journal.add_credential(name=supply.name(), scopes=("approve", "admin")).secret
        first, plan = _planned(journal, supply)
        _decided(open_journal(credential=secret, actor=Actor(kind="person", name=supply.name())), journal, supply)
        _remembered(journal, supply)
        second = _watched(open_journal(actor=Actor(kind="sub-agent", name=supply.name()), witness="observed"), supply)
        asked = journal.request_approval(
            execution_id=first,
            question=supply.text(),
            tool=supply.name(),
            arguments=supply.values(),
            options=(supply.text(), supply.text()),
        )
        for text in supply.rest():
            _acted(journal, text)
    return Tainted((first, second), plan, asked.id, tuple(supply.used))


def _planned(journal: Journal, supply: _Supply) -> tuple[str, str]:
    """An execution of a plan that was revised, with a step of each sort."""
    task = supply.name()
    steps = [_step(supply), _step(supply), _step(supply)]
    plan = journal.record_plan(
        title=supply.text(), goal=supply.text(), type=supply.name(), task_id=task, reasoning=supply.text(), steps=steps
    ).id
    started = journal.record_execution_start(plan_id=plan, title=supply.text(), task_id=task, notes=supply.text()).id
    given: dict[str, Any] = {"execution_id": started}
    done = journal.record_action(
        phase="begin", step=str(steps[0].id), tool=supply.name(), summary=supply.text(), arguments=supply.values(),
        entity_type=supply.name(), entity_id=supply.name(), before=supply.values(), **given,
    )  # fmt: skip
    journal.record_action(phase="end", action_id=done.id, outcome="ok", result=supply.values(), after=supply.values())
    failed = journal.record_action(phase="begin", step=str(steps[1].id), summary=supply.text(), **given)
    journal.record_action(phase="end", action_id=failed.id, outcome="failed", error=supply.text())
    unknown = journal.record_action(
        phase="begin",
        tool=supply.name(),
        summary=supply.text(),
        undo=Undo(tool=supply.name(), arguments=supply.values()),
        **given,
    )
    journal.record_action(phase="end", action_id=unknown.id, outcome="unknown", error=supply.text())
    journal.record_decision(
        decision="continue",
        why=supply.text(),
        alternatives=(supply.text(), supply.text()),
        rejected=supply.text(),
        **given,
    )
    undone = journal.record_action(phase="begin", kind="undo", undoes=done.id, summary=supply.text(), **given)
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
            asked = journal.request_approval(question=supply.text(), tool=supply.name(), arguments=supply.values())
            person.decide_approval(
                approval_id=asked.id,
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
    """What a hook saw: a sub-agent's work, which nobody planned, and its notes. It leaves one action open."""
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
