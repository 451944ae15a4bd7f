"""Figures day by day, and where they end."""

import pytest

from tallystick import Actor
from tallystick.operations.views import stats
from tests.behaviour.scenarios import begin, do, end, fail, planned, start, step, undo
from tests.matrix import Cell
from tests.promises import promise

DAY = 86_400


@promise("figures-are-told-day-by-day")
def test_each_day_counts_the_executions_that_started_on_it(cell: Cell) -> None:
    journal = cell.journal
    done, failed = start(journal), start(journal)
    cell.clock.advance(10)
    journal.record_decision(execution_id=done, decision="done")
    cell.clock.advance(20)
    journal.record_decision(execution_id=failed, decision="fail", why="broken")
    cell.clock.advance(DAY)
    stopped = start(journal)
    start(journal)
    journal.record_decision(execution_id=stopped, decision="stop", why="enough")
    before, yesterday, today = journal.get_series(days=3).days
    assert (before.started, before.date < yesterday.date < today.date) == (0, True)
    assert (yesterday.started, yesterday.completed, yesterday.failed, yesterday.cancelled) == (2, 1, 1, 0)
    assert (yesterday.p50, yesterday.p95) == (30.0, 30.0)
    assert (today.started, today.completed, today.failed, today.cancelled) == (2, 0, 0, 1)
    assert [day.started for day in journal.get_series(days=1).days] == [2]


@promise("figures-are-told-day-by-day")
def test_a_day_counts_failures_retries_undos_doubts_and_estimates(cell: Cell) -> None:
    journal, mortal = cell.journal, cell.mortal()
    execution = planned(journal, step("copy", tool="cp", estimate=5), "move")
    fail(journal, "cp", execution_id=execution, step="copy")
    journal.record_decision(execution_id=execution, decision="retry", why="again", step="copy")
    copy = begin(journal, "cp", execution_id=execution, step="copy")
    cell.clock.advance(8)
    end(journal, copy)
    fail(journal, "mv", execution_id=execution, step="move", effect="read")
    undo(journal, copy, execution_id=execution)
    begin(mortal, "pay", execution_id=execution)
    cell.kill(mortal)
    series = journal.get_series(days=1)
    (day,) = series.days
    assert (day.actions, day.failures, day.retries, day.undos, day.unwound) == (4, 2, 1, 1, 1)
    assert (day.estimated, day.actual, day.in_doubt) == (5.0, 8.0, 1)
    assert series.failures == {"cp": 1, "mv": 1}
    assert (series.executions, series.actions, series.whole_from, series.detail_from) == (1, 5, "", "")


@promise("figures-are-told-day-by-day")
def test_a_day_counts_what_was_interrupted(cell: Cell) -> None:
    agent = cell.mortal(lease_seconds=DAY)
    start(agent)
    paused = start(agent)
    agent.record_decision(execution_id=paused, decision="pause", why="it is late")
    start(cell.journal)
    assert [day.interrupted for day in cell.journal.get_series(days=2).days] == [0, 0]
    cell.kill(agent)
    yesterday, today = cell.journal.get_series(days=2).days
    assert (yesterday.started, yesterday.interrupted, today.interrupted) == (3, 1, 0)


@promise("figures-are-told-day-by-day")
def test_a_day_shows_how_long_work_waited_for_people(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = start(journal)
    answered = journal.request_approval(question="?", execution_id=execution).id
    journal.request_approval(question="?", execution_id=execution, expires="20s")
    cell.clock.advance(60)
    person.decide_approval(approval_id=answered, verdict="approve")
    cell.clock.advance(40)
    (day,) = journal.get_series(days=1).days
    assert (day.asked, day.waited) == (2, 80.0)


@promise("figures-are-told-day-by-day")
def test_coverage_is_counted_by_client_and_filters_narrow_all_of_it(cell: Cell) -> None:
    session = cell.journal.open_session(client="codex").id
    hook = cell.another(Actor(kind="hook", name="codex"), witness="observed", session=session)
    theirs, ours = start(hook, task_id="T-1"), start(cell.journal, task_id="T-2")
    do(hook, "cp", execution_id=theirs)
    begin(hook, "mv", execution_id=theirs)
    fail(cell.journal, "rm", execution_id=ours)
    series = cell.journal.get_series(days=1)
    assert (series.coverage["codex"].observed, series.coverage["codex"].ended) == (2, 1)
    assert sum(watch.claimed for watch in series.coverage.values()) == 1
    assert (series.days[0].started, series.failures) == (2, {"rm": 1})
    for narrow in ({"task_id": "T-1"}, {"client": "codex"}, {"actor": "codex"}):
        narrowed = cell.journal.get_series(days=1, **narrow)
        assert (narrowed.days[0].started, narrowed.failures, narrowed.actions) == (1, {}, 2), narrow


@promise("figures-cost-the-same-in-any-journal")
@pytest.mark.parametrize("few", [0, 100])
def test_a_series_names_the_time_from_which_it_is_complete(
    cell: Cell, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(stats, "MAX_SERIES_EXECUTIONS", 3)
    monkeypatch.setattr(stats, "MAX_SERIES_ACTIONS", 4)
    monkeypatch.setattr(stats, "MAX_READ_ONE_BY_ONE", few)
    journal = cell.journal
    made = []
    for number in range(5):
        made.append(start(journal))
        for tool in ("cp", "mv"):
            do(journal, tool, arguments={"n": number}, execution_id=made[-1])
        cell.clock.advance(1)
    series = journal.get_series(days=1)
    assert (series.days[0].started, series.days[0].actions, series.executions, series.actions) == (3, 6, 3, 4)
    starts = {each.id: each.started for each in journal.list_executions().executions}
    assert series.whole_from == starts[made[2]]
    assert starts[made[2]] < series.detail_from <= starts[made[3]]


@promise("figures-cost-the-same-in-any-journal")
def test_stats_say_how_many_actions_they_are_of(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    execution = start(cell.journal)
    for number in range(5):
        do(cell.journal, "cp", arguments={"n": number}, execution_id=execution)
    whole = cell.journal.get_stats()
    assert (whole.actions, whole.actions_counted, whole.whole) == ({"ok": 5}, 5, True)
    monkeypatch.setattr(stats, "MAX_ACTIONS_SCANNED", 3)
    cut = cell.journal.get_stats()
    assert (cut.actions, cut.actions_counted, cut.whole) == ({"ok": 3}, 3, False)
