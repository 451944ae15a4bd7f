"""Clocks that were wrong: what they recorded stays, and changes nothing for anybody else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tallystick import WrongState
from tallystick.operations.runtime import paging
from tallystick.operations.runtime.access import find_access
from tests.behaviour.scenarios import begin, do, end, entries, start
from tests.matrix import Cell
from tests.promises import promise

YEAR = 365 * 86_400


@contextmanager
def fast_clock(cell: Cell, seconds: float = YEAR) -> Iterator[None]:
    cell.clock.advance(seconds)
    yield
    cell.clock.advance(-seconds)


@promise("a-fast-clock-poisons-nothing")
def test_tokens_leases_and_questions_are_judged_by_the_clock_of_now(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    before = person.add_credential(name="bob", scopes=("read",), expires="30d")
    start(journal)
    with fast_clock(cell):
        start(cell.another("fast"), "in the future")
    after = person.add_credential(name="eve", scopes=("read",), expires="30d")
    mortal = cell.mortal(lease_seconds=2)
    execution = start(mortal, "now")
    action = begin(mortal, "pay", execution_id=execution)
    question = journal.request_approval(question="Pay?", execution_id=execution, expires="1h").id
    assert find_access(cell.store, before.secret)
    cell.clock.advance(3)
    assert [doubt.action_id for doubt in journal.list_in_doubt().in_doubt] == [action]
    cell.clock.advance(3600)
    with pytest.raises(WrongState, match="expired"):
        person.decide_approval(approval_id=question, verdict="approve")
    cell.clock.advance(30 * 86_400)
    assert find_access(cell.store, before.secret) is find_access(cell.store, after.secret) is None


@promise("a-fast-clock-poisons-nothing")
def test_an_entry_repeats_the_time_before_it_or_is_marked_as_behind(cell: Cell) -> None:
    journal = cell.journal
    execution = start(journal)
    with fast_clock(cell, 300):
        first = do(journal, "touch", execution_id=execution)
    second = do(journal, "touch", execution_id=execution, effect="read")
    with fast_clock(cell):
        third = begin(journal, "touch", execution_id=execution, effect="read")
    end(journal, third, evidence="it is there")
    last = {entry.id: entry for entry in entries(journal)}
    assert last[first].at == last[second].at
    assert [entry.behind for entry in entries(journal) if entry.behind] == [YEAR]
    assert journal.get_stats().durations.p95 == 0
    assert journal.verify().ok


@promise("a-fast-clock-poisons-nothing")
@pytest.mark.parametrize("most_steps", [0, 32])
def test_lists_by_time_and_daily_figures_are_right(
    cell: Cell, monkeypatch: pytest.MonkeyPatch, most_steps: int
) -> None:
    monkeypatch.setattr(paging, "MAX_CLOCK_STEPS", most_steps)
    journal = cell.journal
    found: dict[str, list[str]] = {"old": [], "fast": [], "slow": [], "new": []}
    for name, ahead in (("old", 0), ("fast", YEAR), ("old", 0), ("slow", -YEAR), ("old", 0), ("fast", YEAR)):
        with fast_clock(cell, ahead):
            found[name] += [start(journal, name) for _ in range(3)]
    cell.clock.advance(7200)
    found["new"] = [start(journal, "new") for _ in range(2)]
    cell.clock.advance(60)

    def listed(**times: Any) -> set[str]:
        return {each.id for each in journal.list_executions(**times, limit=100).executions}

    assert listed(since="1h") == {*found["new"], *found["fast"]}
    assert listed(until="1h") == {*found["old"], *found["slow"]}
    assert listed(since="1d", until="1h") == set(found["old"])
    assert listed(since="1h", until="0s") == set(found["new"])
    assert sum(day.started for day in journal.get_series(days=3).days) == 11
    assert journal.get_stats(since="1d").actions_counted == 0
