"""Figures day by day, and where they end."""

from typing import Any

import pytest

from tallystick import Actor
from tallystick.core.errors import InvalidArgument
from tallystick.operations.views.figures import series, stats
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
    figures = journal.get_series(days=1)
    (day,) = figures.days
    assert (day.actions, day.failures, day.retries, day.undos, day.unwound) == (4, 2, 1, 1, 1)
    assert (day.estimated, day.actual, day.in_doubt) == (5.0, 8.0, 1)
    assert figures.failures == {"cp": 1, "mv": 1}
    assert (figures.executions, figures.actions, figures.whole_from, figures.detail_from) == (1, 5, "", "")


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
    figures = cell.journal.get_series(days=1)
    assert (figures.coverage["codex"].observed, figures.coverage["codex"].ended) == (2, 1)
    assert sum(watch.claimed for watch in figures.coverage.values()) == 1
    assert (figures.days[0].started, figures.failures) == (2, {"rm": 1})
    filters: tuple[dict[str, Any], ...] = ({"task_id": "T-1"}, {"client": "codex"}, {"actor": "codex"})
    for narrow in filters:
        narrowed = cell.journal.get_series(days=1, **narrow)
        assert (narrowed.days[0].started, narrowed.failures, narrowed.actions) == (1, {}, 2), narrow


@promise("figures-are-told-day-by-day")
def test_what_nothing_was_measured_of_is_left_out_and_not_zero(cell: Cell) -> None:
    journal = cell.journal
    execution = start(journal)
    journal.request_approval(question="?", execution_id=execution)
    do(journal, "cp", execution_id=execution)
    (day,) = journal.get_series(days=1).days
    assert (day.p50, day.p95, day.estimated, day.actual, day.waited) == (None,) * 5
    assert (day.started, day.asked, day.retries, day.in_doubt) == (1, 1, 0, 0)
    assert journal.get_series().durations == series.Quantiles(count=0)


@promise("figures-begin-with-the-first-execution")
def test_without_days_figures_begin_with_the_first_execution_and_are_by_hour_while_they_are_few(cell: Cell) -> None:
    journal = cell.journal
    assert [day.started for day in journal.get_series().days] == [0]
    start(journal)
    cell.clock.advance(2 * 3600)
    start(journal)
    hours = journal.get_series()
    assert (hours.by, [hour.started for hour in hours.days]) == ("hour", [1, 0, 1])
    assert [hour.date[13:] for hour in hours.days] == [":00Z"] * 3
    cell.clock.advance(3 * DAY)
    start(journal)
    days = journal.get_series()
    assert (days.by, days.days[0].started > 0, days.days[-1].started) == ("day", True, 1)
    assert len(days.days) in (4, 5)
    assert len(journal.get_series(days=3).days) == 3
    assert len(journal.get_series(days=1, by="hour").days) <= 24
    with pytest.raises(InvalidArgument, match="too fine"):
        journal.get_series(days=15, by="hour")


@promise("figures-are-told-side-by-side")
def test_agents_are_told_side_by_side(cell: Cell) -> None:
    other = cell.another(Actor(kind="agent", name="codex"))
    done, failed = start(cell.journal), start(other)
    do(cell.journal, "cp", execution_id=done)
    fail(other, "mv", execution_id=failed)
    cell.clock.advance(10)
    cell.journal.record_decision(execution_id=done, decision="done")
    cell.clock.advance(20)
    other.record_decision(execution_id=failed, decision="fail", why="broken")
    start(other)
    agents = cell.journal.get_series().agents
    theirs = agents.pop("codex")
    (ours,) = agents.values()
    assert (ours.started, ours.completed, ours.actions, ours.durations.p50) == (1, 1, 1, 10.0)
    assert (theirs.started, theirs.failed, theirs.failures) == (2, 1, 1)
    assert (theirs.durations.count, theirs.durations.longest) == (1, 30.0)


@promise("figures-are-told-side-by-side")
def test_tools_are_told_by_their_failures_durations_and_estimates(cell: Cell) -> None:
    journal = cell.journal
    execution = planned(journal, step("copy", tool="cp", estimate=5), "move")
    for seconds in (1, 2, 30):
        copy = begin(journal, "cp", execution_id=execution, arguments={"n": seconds})
        cell.clock.advance(seconds)
        end(journal, copy)
    copy = begin(journal, "cp", execution_id=execution, step="copy")
    cell.clock.advance(8)
    end(journal, copy)
    fail(journal, "mv", "HTTP 503: try again", execution_id=execution, effect="read")
    fail(journal, "mv", "ls: /srv: No such file or directory", execution_id=execution, effect="read")
    figures = journal.get_series()
    cp, mv = figures.tools["cp"], figures.tools["mv"]
    assert (cp.calls, cp.failed, cp.compared, cp.estimated, cp.actual) == (4, 0, 1, 5.0, 8.0)
    assert (cp.durations.count, cp.durations.p50, cp.durations.longest) == (4, 8.0, 30.0)
    assert (mv.calls, mv.failed, mv.estimated) == (2, 2, None)
    assert figures.errors == {"server_error": 1, "not_found": 1}


@promise("figures-cost-the-same-in-any-journal")
@pytest.mark.parametrize("few", [0, 100])
def test_a_series_names_the_time_from_which_it_is_complete(
    cell: Cell, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(series, "MAX_SERIES_EXECUTIONS", 3)
    monkeypatch.setattr(series, "MAX_SERIES_ACTIONS", 4)
    monkeypatch.setattr(series, "MAX_READ_ONE_BY_ONE", few)
    journal = cell.journal
    made = []
    for number in range(5):
        made.append(start(journal))
        for tool in ("cp", "mv"):
            do(journal, tool, arguments={"n": number}, execution_id=made[-1])
        cell.clock.advance(1)
    figures = journal.get_series(days=1)
    assert (figures.days[0].started, figures.days[0].actions, figures.executions, figures.actions) == (3, 6, 3, 4)
    starts = {each.id: each.started for each in journal.list_executions().executions}
    assert figures.whole_from == starts[made[2]]
    assert starts[made[2]] < figures.detail_from <= starts[made[3]]


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
