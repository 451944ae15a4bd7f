"""The fold is total: any entries in any order fold without an exception. And some of what it must get right."""

from random import Random
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json
from msgspec.structs import fields

from tallystick.core import chain, fold
from tallystick.core.entries import (
    KINDS,
    ActionBegun,
    ActionDoubted,
    ActionEnded,
    DecisionRecorded,
    Draft,
    Entry,
    ExecutionStarted,
    Facts,
    PlanRecorded,
    StepFacts,
    Unreadable,
)
from tallystick.core.state import TABLES, Action, Execution, Progress, Row, progress_id
from tallystick.core.types import Actor, Outcome
from tallystick.operations.runtime.progress import owed_of
from tests.properties.random_executions import Life, Rows

IDS = ("", "pl_a1", "ex_a2", "ex_a3", "ac_a4", "ac_a5", "ac_a6", "ap_a7", "se_a8", "one", "two", "pl_a1@1")
"""Few ids, so that entries meet; of the wrong kind as often as of the right one."""
ids = st.sampled_from(IDS)
steps = st.builds(
    StepFacts,
    id=st.sampled_from(["one", "two"]),
    cancellable=st.sampled_from(["reversible", "irreversible"]),
    after=st.lists(st.sampled_from(["one", "two", "none"]), max_size=2).map(tuple),
)


def _strategy(kind: type[Facts]) -> st.SearchStrategy[Facts]:
    """Facts of a kind, each field anything that its type allows."""
    hints = get_type_hints(kind)
    given_fields: dict[str, st.SearchStrategy[Any]] = {}
    for field in fields(kind):
        hint = hints[field.name]
        if field.name == "steps" and kind is PlanRecorded:
            given_fields[field.name] = st.lists(steps, max_size=3).map(tuple)
        elif hint is str:
            given_fields[field.name] = ids | st.sampled_from(["30m", "never", "2026-01-01"])
        elif hint is int:
            given_fields[field.name] = st.integers(-1, 3)
        else:
            given_fields[field.name] = st.from_type(hint)
    return st.builds(kind, **given_fields)


facts = st.one_of([_strategy(kind) for kind in KINDS.values() if kind is not Unreadable])
drafts = st.builds(
    Draft,
    facts=facts,
    actor=st.just(Actor(name="anybody")),
    id=ids,
    session=ids,
    execution=ids,
    key=st.sampled_from(["", "k"]),
)


def folded(entries: list[Entry]) -> Rows:
    rows = Rows()
    for entry in entries:
        fold.evolve(rows, entry)
    return rows


def sealed(given_drafts: list[Draft]) -> list[Entry]:
    head = chain.genesis("law")
    entries = []
    for at, draft in enumerate(given_drafts, 1):
        entry, _ = chain.seal(head, draft, at=at, salt=b"")
        head = chain.Head(entry.seq, entry.hash, entry.at)
        entries.append(entry)
    return entries


def rows_of(rows: Rows) -> dict[str, dict[str, Row]]:
    return {table.TABLE: rows.rows.get(table, {}) for table in TABLES}


@settings(max_examples=200)
@given(st.lists(drafts, max_size=25), st.randoms(use_true_random=False))
def test_any_entries_in_any_order_fold_and_can_be_unwound(given_drafts: list[Draft], chance: Random) -> None:
    entries = sealed(given_drafts)
    chance.shuffle(entries)
    rows = folded(entries)
    for execution in rows.rows.get(Execution, {}).values():
        assert isinstance(execution, Execution)
        owed_of(rows, execution)


@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_the_entries_of_a_real_execution_fold_in_any_order(seed: int, chance: Random) -> None:
    entries = history(seed)
    chance.shuffle(entries)
    begun = {entry.id for entry in entries if isinstance(entry.facts, ExecutionStarted)}
    assert folded(entries).rows.get(Execution, {}).keys() >= begun


@given(st.integers(0, 10**6))
def test_folding_the_same_entries_again_gives_the_same_rows(seed: int) -> None:
    entries = history(seed)
    assert rows_of(folded(entries)) == rows_of(folded(entries))


@given(st.integers(0, 10**6))
def test_rows_hold_json_and_nothing_else(seed: int) -> None:
    for table in rows_of(folded(history(seed))).values():
        for row in table.values():
            assert json.decode(json.encode(row), type=type(row)) == row


def history(seed: int) -> list[Entry]:
    """The entries of a random life."""
    entries: list[Entry] = []
    life = Life(Random(seed), on_entry=entries.append)
    for _ in range(20):
        life.happen()
    return entries


class Story:
    """Entries about one execution of a plan with two steps, written as briefly as can be."""

    def __init__(self) -> None:
        self.rows = Rows()
        self.head = chain.genesis("law")
        plan = tuple(StepFacts(id=name, cancellable="reversible") for name in ("one", "two"))
        self.plan = self.write(PlanRecorded(revision=1, steps=plan)).id
        self.execution = self.write(ExecutionStarted(plan_id=self.plan, revision=1, steps=2)).id

    def write(self, facts: Facts, id: str = "", execution: str = "") -> Entry:
        draft = Draft(facts=facts, actor=Actor(), id=id, execution=execution or getattr(self, "execution", ""))
        entry, _ = chain.seal(self.head, draft, at=self.head.at + 1, salt=b"")
        self.head = chain.Head(entry.seq, entry.hash, entry.at)
        fold.evolve(self.rows, entry)
        return entry

    def begin(self, step: str = "one", **arguments: Any) -> str:
        return self.write(ActionBegun(step=step, plan_id=self.plan, revision=1, **arguments)).id

    def end(self, action: str, outcome: Outcome = "ok", **arguments: Any) -> None:
        self.write(ActionEnded(outcome=outcome, **arguments), id=action)

    def step(self, name: str = "one") -> str:
        found = self.rows.get(Progress, progress_id(self.execution, name))
        return found.status if found else ""

    def action(self, id: str) -> Action:
        found = self.rows.get(Action, id)
        assert found is not None
        return found


@pytest.fixture
def story() -> Story:
    return Story()


def test_a_step_has_the_status_of_its_latest_attempt(story: Story) -> None:
    first = story.begin()
    second = story.begin(again=True)
    story.end(second)
    story.write(ActionDoubted(reason="session gone"), id=first)
    assert story.step() == "done"
    story.end(first, "failed", settles=True)
    assert story.step() == "done"


def test_an_earlier_attempt_that_succeeded_after_all_makes_its_step_done(story: Story) -> None:
    first = story.begin()
    second = story.begin(again=True)
    story.end(second, "failed")
    story.end(first, "ok", settles=True)
    assert story.step() == "done"


def test_a_step_that_was_decided_to_be_skipped_is_not_put_back_in_doubt(story: Story) -> None:
    action = story.begin()
    story.write(DecisionRecorded(decision="skip", status="running", step="one"))
    story.write(ActionDoubted(reason="session gone"), id=action)
    assert story.step() == "skipped"


def test_an_undo_that_succeeded_counts_after_any_outcome_of_another_one(story: Story) -> None:
    action = story.begin()
    story.end(action)
    lost = story.begin("", action_kind="undo", undoes=action)
    done = story.begin("", action_kind="undo", undoes=action)
    story.end(done)
    story.write(ActionDoubted(reason="session gone"), id=lost)
    assert story.action(action).undo_state == "undone"
    assert story.action(action).undone_by == done
    story.end(done, "failed", contradicts=True)
    assert story.action(action).undo_state == "in_doubt"


def test_an_undo_in_another_execution_counts_for_the_owing_one(story: Story) -> None:
    action = story.begin()
    story.end(action)
    other = story.write(ExecutionStarted()).id
    undo = story.write(ActionBegun(action_kind="undo", undoes=action), execution=other).id
    story.write(ActionEnded(outcome="ok"), id=undo, execution=other)
    owing, helping = (story.rows.get(Execution, id) for id in (story.execution, other))
    assert owing is not None
    assert helping is not None
    assert (owing.undo_states, helping.undo_states) == ({"undone": 1}, {})


def test_a_second_failure_keeps_the_known_absence_of_an_effect(story: Story) -> None:
    action = story.begin()
    story.end(action, "failed", without_effect=True)
    story.end(action, "failed")
    assert story.action(action).undo_state == ""


def test_a_deadline_counts_from_the_end_or_from_the_begin_if_the_end_is_unknown(story: Story) -> None:
    seen, lost = story.begin(undo_until="1m"), story.begin(undo_until="1m", again=True)
    story.end(seen)
    story.write(ActionDoubted(reason="session gone"), id=lost)
    story.end(lost, settles=True)
    story.end(seen)
    minute = 60_000_000
    assert story.action(seen).deadline == story.action(seen).at + 2 + minute
    assert story.action(lost).deadline == story.action(lost).at + minute
