"""What a process remembers of the steps of a large plan is what it would read anew, at each point of random plans."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from tallystick import Journal, WrongState
from tallystick.core.entries import Entry
from tallystick.core.state import Execution
from tallystick.operations.views import plan_steps
from tallystick.operations.views.plan_steps import PlanSteps
from tests.memory_folders import quick_folder
from tests.properties.random_executions import Life

PLANS = 300
SEED = 2026
ALL = 1000


def shown(steps: PlanSteps, life: Life, execution: Execution) -> Any:
    page = steps.page(life.rows, "", ALL)
    assert page is not None
    return (
        [(step.id, steps.progress(life.rows, step.id)) for step in page[0]],
        steps.titles(life.rows, page[0]),
        steps.next_steps(life.rows, execution, ALL),
        steps.advice(life.rows, execution),
    )


def live(seed: str) -> Counter[str]:
    """One random plan: after each event, the remembered steps are compared with new ones."""
    chance, log = Random(seed), list[Entry]()
    life = Life(chance, log.append)
    life.rows.log = log
    remembered: PlanSteps | None = None
    met: Counter[str] = Counter()
    for _ in range(chance.randint(10, 40)):
        event = life.happen()
        if chance.random() < 0.3:  # nobody looks after this one
            continue
        execution = life.rows.get(Execution, life.execution)
        assert execution is not None
        anew = PlanSteps(life.rows, execution)
        if remembered is None or not remembered.follow(life.rows, execution):
            met["read anew"] += 1
            remembered = anew
            continue
        met["followed"] += 1
        met["offered"] += bool(anew.next_steps(life.rows, execution))
        met["dropped"] += bool(anew.dropped(life.rows))
        assert shown(remembered, life, execution) == shown(anew, life, execution), f"seed {seed}: after {event}"
    return met


def test_remembered_steps_are_those_that_a_new_reader_finds() -> None:
    met: Counter[str] = Counter()
    for plan in range(PLANS):
        met += live(f"{SEED}/{plan}")
    assert met["followed"] > 3 * met["read anew"]
    assert min(met["offered"], met["dropped"]) > PLANS, met


@pytest.fixture
def remember_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_steps, "MIN_STEPS_REMEMBERED", 1)


def begin(journal: Journal, execution: str, step: str) -> str:
    return journal.record_action(phase="begin", execution_id=execution, step=step).id


def next_of(journal: Journal, execution: str) -> tuple[str, ...]:
    return journal.get_status(execution_id=execution).next_steps


@pytest.mark.usefixtures("remember_all")
def test_a_reader_sees_what_another_process_has_recorded_and_erased() -> None:
    with quick_folder() as folder:
        url = f"sqlite://{folder / 'journal.db'}"
        with Journal.open(url, journal="two") as one, Journal.open(url, journal="two") as other:
            steps: Any = [{"id": name, "title": f"do {name}", "undo": "none"} for name in ("a", "b", "c")]
            plan = one.record_plan(title="Three", steps=steps)
            execution = one.record_execution_start(plan_id=plan.id).id
            assert next_of(one, execution) == next_of(one, execution) == ("a",)
            other.record_action(phase="end", action_id=begin(other, execution, "a"), outcome="ok")
            assert next_of(one, execution) == ("b",)
            failed = begin(other, execution, "b")
            assert next_of(one, execution) == ()
            other.record_action(phase="end", action_id=failed, outcome="failed")
            assert [each.step for each in one.get_status(execution_id=execution).advice] == ["b"]
            other.record_decision(execution_id=execution, decision="retry", step="b", why="again")
            assert next_of(one, execution) == ("b",)
            assert one.get_status(execution_id=execution).steps[2].title == "do c"
            secret = other.add_credential(name="ann", scopes=("admin",)).secret
        with Journal.open(url, journal="two", credential=secret) as admin, Journal.open(url, journal="two") as one:
            assert one.get_status(execution_id=execution).execution.title == "Three"
            admin.erase(seqs=(plan.seq,), reason="a name", force=True)
            status = one.get_status(execution_id=execution)
            assert {each.title for each in status.steps} == {status.execution.title} == {"erased"}


@pytest.mark.usefixtures("remember_all")
def test_a_replanned_execution_shows_the_steps_of_its_new_revision() -> None:
    with Journal.open("memory:", journal="revised") as journal:
        steps: Any = [{"id": name, "title": name, "undo": "none"} for name in ("a", "b")]
        plan = journal.record_plan(title="t", steps=steps)
        execution = journal.record_execution_start(plan_id=plan.id).id
        begun = begin(journal, execution, "a")
        journal.record_action(phase="end", action_id=begun, outcome="ok")
        assert next_of(journal, execution) == ("b",)
        changed: Any = [steps[1], {**steps[0], "id": "c"}]
        journal.record_plan(plan_id=plan.id, title="t", steps=changed, reason="no a")
        journal.record_decision(execution_id=execution, decision="replan", why="no a")
        status = journal.get_status(execution_id=execution)
        assert [(each.id, each.actual, each.dropped) for each in status.steps] == [
            ("b", "planned", False),
            ("c", "planned", False),
            ("a", "done", True),
        ]
        with pytest.raises(WrongState):
            journal.record_decision(execution_id=execution, decision="done")
