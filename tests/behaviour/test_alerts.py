"""Alerts: each rule finds what somebody should look at, and finds it no more once that is dealt with."""

from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, NotPermitted
from tallystick.operations.notifications.alerts import RULES
from tests.behaviour.scenarios import begin, do, end, fail, kinds, plan, start, step
from tests.behaviour.test_correlation import over, seen, watched
from tests.behaviour.test_runs import owner
from tests.matrix import Cell
from tests.promises import promise


def alerts(journal: Journal, rule: Any = None) -> list[tuple[str, str]]:
    return [(each.rule, each.about) for each in journal.get_alerts(rule=rule).alerts]


@promise("alerts-say-what-to-look-at")
def test_a_quiet_journal_has_no_alerts(cell: Cell) -> None:
    start(cell.journal)
    do(cell.journal, "copy")
    begin(cell.journal, "move")
    cell.clock.advance(3000)
    assert cell.journal.get_alerts().alerts == ()


@promise("alerts-say-what-to-look-at")
def test_a_question_is_an_alert_after_a_minute_until_it_is_answered(cell: Cell) -> None:
    person = cell.person()
    execution = start(cell.journal, "Move the books")
    asked = cell.journal.request_approval(question="Which shelf?", tool="carry", arguments={}).id
    assert alerts(cell.journal) == []
    cell.clock.advance(61)
    (found,) = cell.journal.get_alerts(rule="question_waits").alerts
    assert (found.about, found.execution_id, found.title, found.who) == (asked, execution, "Move the books", "agent")
    assert found.text == "agent asks: Which shelf? Call: carry"
    assert found.to_do == "Answer it."
    person.decide_approval(approval_id=asked, verdict="approve", reason="fine")
    assert alerts(cell.journal) == []


@promise("alerts-say-what-to-look-at")
def test_a_dead_agent_leaves_a_doubt_and_interrupted_work(cell: Cell) -> None:
    agent = cell.mortal("worker")
    execution = start(agent)
    action = begin(agent, "carry", summary="carry the books")
    cell.kill(agent)
    cell.clock.advance(301)
    doubt, left = cell.journal.get_alerts().alerts
    assert (doubt.rule, doubt.about, doubt.who) == ("in_doubt", action, "worker")
    assert doubt.text == "carry the books: its session is over and no end is recorded"
    assert (left.rule, left.about, left.text) == ("interrupted", execution, "worker is gone, and nobody works on it")
    heir = cell.another("heir")
    heir.record_decision(decision="settle", action_id=action, outcome="ok", evidence="they are there")
    heir.record_decision(decision="continue", execution_id=execution, why="somebody has to")
    assert alerts(cell.journal) == []


@promise("alerts-say-what-to-look-at")
def test_an_undo_that_expires_within_an_hour_is_an_alert(cell: Cell) -> None:
    execution = start(cell.journal)
    action = do(cell.journal, "book", cancellable="reversible", undo="cancel it", undo_until="3h")
    assert alerts(cell.journal) == []
    cell.clock.advance(2.5 * 3600)
    (found,) = cell.journal.get_alerts(rule="undo_expires").alerts
    assert (found.about, found.execution_id) == (action, execution)
    cell.clock.advance(3600)
    assert alerts(cell.journal, "undo_expires") == []


@promise("alerts-say-what-to-look-at")
def test_hooks_that_fall_silent_are_an_alert(cell: Cell) -> None:
    hook = watched(cell)
    seen(hook, "a")
    over(hook, "a")
    agent = cell.another("agent", session=cell.journal.open_session(name="claude-code:1").id)
    cell.clock.advance(60)
    start(agent)
    do(agent, "copy")
    ((rule, _),) = alerts(cell.journal, "hook_silent")
    assert rule == "hook_silent"
    seen(hook, "b")
    assert alerts(cell.journal, "hook_silent") == []


@promise("alerts-say-what-to-look-at")
def test_a_tool_that_fails_more_than_it_used_to_is_an_alert(cell: Cell) -> None:
    start(cell.journal)
    for number in range(12):
        (fail if number == 3 else do)(cell.journal, "mail", again="next one")
        do(cell.journal, "flaky", again="next one") if number % 2 else fail(cell.journal, "flaky", again="next one")
    cell.clock.advance(2 * 3600)
    for number in range(6):
        fail(cell.journal, "mail", again="next one")
        do(cell.journal, "flaky", again="next one") if number % 2 else fail(cell.journal, "flaky", again="next one")
    (found,) = cell.journal.get_alerts(rule="tool_failing").alerts
    assert (found.about, found.text) == ("mail", "mail failed 6 of 6 times in an hour; before, 1 of 12")
    for _ in range(20):
        do(cell.journal, "mail", again="next one")
    assert alerts(cell.journal, "tool_failing") == []


@promise("alerts-say-what-to-look-at")
def test_a_call_that_takes_longer_than_its_like_is_an_alert(cell: Cell) -> None:
    start(cell.journal)
    for _ in range(20):
        action = begin(cell.journal, "import", again="next one")
        cell.clock.advance(90)
        end(cell.journal, action)
    action = begin(cell.journal, "import", again="next one")
    cell.clock.advance(80)
    assert alerts(cell.journal, "step_slow") == []
    cell.clock.advance(20)
    (found,) = cell.journal.get_alerts(rule="step_slow").alerts
    assert (found.about, found.text) == (action, "import has taken 100s; 95 % of 20 calls took at most 90s")
    end(cell.journal, action)
    assert alerts(cell.journal, "step_slow") == []


@promise("a-silence-is-recorded-and-ends")
def test_a_person_silences_a_rule_or_one_alert_for_a_time(cell: Cell) -> None:
    person = cell.person()
    start(cell.journal)
    first, second = (
        cell.journal.request_approval(question=f"{each}?", tool="t", arguments={"n": each}).id for each in "ab"
    )
    cell.clock.advance(61)
    person.silence_alert(rule="question_waits", about=first, until="2h", why="she is asleep")

    def silenced() -> dict[str, bool]:
        return {each.about: bool(each.silenced) for each in cell.journal.get_alerts(rule="question_waits").alerts}

    assert silenced() == {first: True, second: False}
    person.silence_alert(rule="question_waits", until="4h")
    assert silenced() == {first: True, second: True}
    person.silence_alert(rule="question_waits", until="now")
    assert silenced() == {first: True, second: False}
    cell.clock.advance(2 * 3600)
    assert silenced() == {first: False, second: False}
    assert kinds(cell.journal).count("alert_silenced") == 3


@promise("a-silence-is-recorded-and-ends")
def test_a_silence_of_what_is_no_alert_is_recorded_and_says_so(cell: Cell) -> None:
    person = cell.person()
    start(cell.journal)
    asked = cell.journal.request_approval(question="Which?", tool="t", arguments={}).id
    cell.clock.advance(61)
    assert person.silence_alert(rule="question_waits", about=asked).notes == ()
    assert person.silence_alert(rule="in_doubt").notes == ()
    (note,) = person.silence_alert(rule="in_doubt", about="ac_nosuch").notes
    assert note == "No in_doubt alert is about ac_nosuch now."
    assert person.silence_alert(rule="in_doubt", about="ac_nosuch", until="now").notes == ()


@promise("a-silence-is-recorded-and-ends")
def test_an_agent_cannot_silence_and_nobody_into_the_past(cell: Cell) -> None:
    person = cell.person()
    with pytest.raises(NotPermitted):
        cell.journal.silence_alert(rule="in_doubt", until="1h")
    with pytest.raises(InvalidArgument):
        person.silence_alert(rule="in_doubt", until="2020-01-01T00:00:00Z")
    assert "alert_silenced" not in kinds(cell.journal)


@promise("alerts-say-what-to-look-at")
def test_a_run_that_is_held_or_failed_is_an_alert_until_it_goes_on_or_succeeds(cell: Cell) -> None:
    journal, runner = cell.operator(), owner(cell)
    recorded = plan(journal, "pay")
    run = runner.run_plan(plan_id=recorded.id, engine="caller").id
    action = begin(journal, step="pay", execution_id=run)
    end(journal, action, "unknown", evidence="no answer came")
    cell.clock.advance(61)
    (found,) = journal.get_alerts(rule="run_held").alerts
    assert (found.about, found.execution_id) == (action, run)
    assert found.to_do == "Look at the real system, then settle it. The run goes on then."
    assert alerts(journal, "in_doubt") == []
    journal.record_decision(decision="settle", action_id=action, outcome="failed", evidence="nothing was paid")
    journal.record_decision(decision="fail", execution_id=run, why="the bank is closed")
    assert alerts(journal) == [("run_failed", run)]
    second = runner.run_plan(plan_id=recorded.id, engine="caller").id
    end(journal, begin(journal, step="pay", execution_id=second))
    journal.record_decision(decision="done", execution_id=second, why="paid")
    assert alerts(journal) == []


@promise("alerts-say-what-to-look-at")
def test_a_run_that_stopped_at_a_failed_step_is_an_alert_until_somebody_decides(cell: Cell) -> None:
    runner = owner(cell)
    run = runner.run_plan(plan_id=plan(runner, "pay").id, engine="caller").id
    end(runner, begin(runner, step="pay", execution_id=run), "failed", error="no money")
    assert alerts(cell.journal) == []
    cell.clock.advance(301)
    (found,) = cell.journal.get_alerts().alerts
    assert (found.rule, found.about, found.execution_id, found.engine) == ("run_failed", run, run, "local")
    assert found.text == "pay failed: the run waits for a decision"
    assert found.to_do.startswith("Decide retry, skip, replan, unwind or stop. ")
    assert [(each.about, each.text) for each in cell.journal.get_inbox().items] == [(run, found.text)]
    runner.record_decision(decision="continue", execution_id=run, why="somebody has to")
    cell.clock.advance(301)
    assert alerts(cell.journal) == [("run_failed", run)]
    runner.record_decision(decision="retry", execution_id=run, step="pay", why="there is money now")
    assert alerts(cell.journal) == []


@promise("alerts-say-what-to-look-at")
def test_a_run_that_stopped_at_a_failed_step_is_an_alert_at_once_if_its_runner_is_gone(cell: Cell) -> None:
    secret = cell.person("admin").add_credential(name="operator", scopes=("run",)).secret
    session = cell.journal.open_session(lease_seconds=200).id
    runner = cell.another("operator", credential=secret, session=session)
    run, other = (runner.run_plan(plan_id=plan(runner, "pay").id, engine="caller").id for _ in range(2))
    end(runner, begin(runner, step="pay", execution_id=run), "failed", error="no money")
    assert alerts(cell.journal) == []
    cell.clock.advance(201)
    (found,) = cell.journal.get_alerts().alerts
    assert (found.rule, found.to_do) == (
        "run_failed",
        f"Decide retry, skip, replan, unwind or stop. Its runner is gone: `tallystick run --resume {run}` goes on.",
    )
    cell.clock.advance(301)
    (left,) = cell.journal.get_alerts(rule="interrupted").alerts
    assert (left.about, left.to_do) == (
        other,
        f"Take it up, or end it. Its runner is gone: `tallystick run --resume {other}` goes on.",
    )


@promise("alerts-say-what-to-look-at")
def test_a_run_whose_plan_says_what_follows_a_failure_waits_for_no_decision(cell: Cell) -> None:
    runner = owner(cell)
    steps = (step("pay", failure_policy="continue_others"), step("pack"))
    run = runner.run_plan(plan_id=plan(runner, *steps).id, engine="caller").id
    end(runner, begin(runner, step="pay", execution_id=run), "failed", error="no money")
    cell.clock.advance(301)
    assert alerts(cell.journal) == []


@promise("alerts-say-what-to-look-at")
def test_a_failed_run_is_no_alert_once_the_same_plan_file_is_completed(cell: Cell) -> None:
    runner = owner(cell)
    first, second = (runner.run_plan(plan_id=plan(runner, "pay").id, engine="caller").id for _ in range(2))
    runner.record_decision(decision="fail", execution_id=first, why="the bank is closed")
    assert alerts(cell.journal) == [("run_failed", first)]
    end(runner, begin(runner, step="pay", execution_id=second))
    runner.record_decision(decision="done", execution_id=second, why="paid")
    assert alerts(cell.journal) == []


@promise("alerts-say-what-to-look-at")
def test_undos_that_were_left_are_an_alert_until_they_are_kept(cell: Cell) -> None:
    execution = start(cell.journal, "Book a trip")
    action = do(cell.journal, "book", cancellable="reversible", undo="cancel it")
    cell.journal.record_decision(decision="fail", execution_id=execution, why="no guests")
    assert alerts(cell.journal) == []
    cell.clock.advance(301)
    (found,) = cell.journal.get_alerts().alerts
    assert (found.rule, found.about, found.to_do) == ("undo_left", execution, "Undo it, or keep it.")
    cell.journal.record_decision(decision="keep", execution_id=execution, action_id=action, why="we need it")
    assert alerts(cell.journal) == []


@promise("alerts-say-what-to-look-at")
def test_there_are_as_many_alerts_as_were_asked_for_and_it_is_said_that_there_are_more(cell: Cell) -> None:
    start(cell.journal)
    for number in range(4):
        cell.journal.request_approval(question=f"{number}?", tool="t", arguments={"n": number})
    cell.clock.advance(61)
    found = cell.journal.get_alerts(limit=3)
    assert [each.text for each in found.alerts] == [f'agent asks: {n}? Call: t {{"n":{n}}}' for n in range(3)]
    assert found.more == ("question_waits",)
    assert set(found.more) < set(RULES)
