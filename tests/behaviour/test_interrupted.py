"""Interrupted executions: nobody who took part lives, and nothing is waited for."""

from typing import Any

import pytest

from tallystick import Actor, Journal, WrongState
from tallystick.core.formats import times
from tests.behaviour.scenarios import begin, do, fail, planned, start, step, steps_of
from tests.matrix import Cell
from tests.promises import promise


def view(journal: Journal, execution: str) -> Any:
    return journal.get_status(execution_id=execution).execution


def interrupted(journal: Journal) -> list[str]:
    return [each.id for each in journal.list_executions(only="interrupted").executions]


@promise("interrupted-is-seen-at-once")
@pytest.mark.parametrize("unwinding", [False, True])
def test_an_execution_whose_agent_is_gone_is_interrupted(cell: Cell, unwinding: bool) -> None:
    agent = cell.mortal("worker")
    execution = start(agent, "move the books")
    begin(agent, "carry", undo="carry it back")
    if unwinding:
        agent.record_decision(decision="unwind", why="wrong house")
    assert (view(cell.journal, execution).interrupted, interrupted(cell.journal)) == ("", [])
    cell.kill(agent)
    ended = times.iso(cell.clock() - 1_000_000)
    shown = view(cell.journal, execution)
    assert (shown.status, shown.interrupted_by) == ("unwinding" if unwinding else "running", "worker")
    assert shown.last_session == cell.session_of(agent)
    assert shown.interrupted == cell.journal.list_executions().executions[0].interrupted != ""
    assert shown.interrupted == ended
    assert interrupted(cell.journal) == [execution]
    assert cell.journal.list_executions(only="interrupted", status=("paused",)).executions == ()
    assert cell.journal.get_stats().executions == {"interrupted": 1}
    brief = cell.journal.get_brief(execution_id=execution)
    assert (brief.status, brief.interrupted) == (shown.status, shown.interrupted)
    assert "interrupted" in brief.text
    assert "worker" in brief.text


@promise("interrupted-is-seen-at-once")
def test_interrupted_is_a_status_to_filter_by(cell: Cell) -> None:
    agent = cell.mortal("worker")
    left, living = start(agent, "move the books"), start(cell.journal, "count them")
    cell.kill(agent)

    def found(*status: Any, **more: Any) -> list[str]:
        return [each.id for each in cell.journal.list_executions(status=status, **more).executions]

    assert found("interrupted") == found("interrupted", "completed", only="interrupted") == [left]
    assert found("interrupted", "running") == [living, left]
    cell.journal.record_decision(decision="done", execution_id=living)
    assert found("interrupted", "completed") == [living, left]


@promise("interrupted-is-seen-at-once")
@pytest.mark.parametrize("unwinding", [False, True])
def test_the_brief_tells_what_to_do_next_from_what_is_owed_if_nobody_does(cell: Cell, unwinding: bool) -> None:
    agent = cell.mortal("worker")
    execution = planned(agent, step("lock", temporary=True), "work")
    do(agent, step="lock")
    if unwinding:
        agent.record_decision(decision="unwind", why="wrong house")
    cell.kill(agent)
    brief = cell.journal.get_brief(execution_id=execution)
    lines = brief.text.splitlines()
    found = {
        start: any(line.startswith(start) for line in lines) for start in ("Take it up", "Next: work", "Owed (1),")
    }
    assert found == {"Take it up": True, "Next: work": not unwinding, "Owed (1),": unwinding}
    assert ("Owed if nobody takes it up (1), undo in this order:" in lines) is not unwinding


@promise("interrupted-is-seen-at-once")
def test_any_session_that_takes_part_keeps_it_running(cell: Cell) -> None:
    agent, helper = cell.mortal("worker"), cell.mortal("helper", lease_seconds=6000)
    execution = start(agent)
    do(helper, "look", effect="read", execution_id=execution)
    cell.kill(agent)
    assert view(cell.journal, execution).interrupted == ""
    cell.kill(helper)
    assert view(cell.journal, execution).interrupted_by == "helper"
    heir = cell.another("heir")
    heir.record_decision(decision="continue", why="somebody has to", execution_id=execution)
    assert (view(cell.journal, execution).interrupted, interrupted(cell.journal)) == ("", [])


@promise("interrupted-is-seen-at-once")
def test_what_waits_for_an_answer_or_is_over_is_not_interrupted(cell: Cell) -> None:
    agent, person = cell.mortal(lease_seconds=60), cell.person()
    asking, blocked, paused, ended = (start(agent, title) for title in ("a", "b", "c", "d"))
    asked = agent.request_approval(question="may I?", execution_id=asking, expires="1h").id
    agent.record_decision(decision="ask_human", question="may I?", why="?", execution_id=blocked)
    agent.record_decision(decision="pause", why="?", execution_id=paused)
    agent.record_decision(decision="done", execution_id=ended)
    cell.kill(agent)
    assert interrupted(cell.journal) == []
    person.decide_approval(approval_id=asked, verdict="approve")
    assert interrupted(cell.journal) == [asking]
    cell.clock.advance(3600)
    assert interrupted(cell.journal) == [asking]


@promise("interrupted-is-seen-at-once")
def test_the_brief_does_not_say_that_somebody_works_on_what_a_dead_session_paused(cell: Cell) -> None:
    agent, reader = cell.mortal("worker"), cell.mortal("reader", lease_seconds=6000)
    execution = start(agent, "move the books")
    agent.record_decision(decision="pause", why="lunch")
    assert "Another conversation works on it." in reader.get_brief(execution_id=execution).text
    cell.kill(agent)
    brief = reader.get_brief(execution_id=execution).text
    assert "works on it" not in brief
    assert "Nobody who worked on it is there any more." in brief
    assert f"record_decision(decision=resume, execution_id={execution}, why=...)" in brief
    reader.record_decision(decision="resume", why="somebody has to", execution_id=execution)
    assert "Nobody" not in reader.get_brief(execution_id=execution).text


@promise("quiet-is-measured-by-own-entries")
def test_neither_an_answer_nor_a_cleanup_makes_it_fresh(cell: Cell) -> None:
    agent, person = cell.mortal(), cell.person()
    execution = planned(agent, "one", "two")
    begin(agent, "touch", step="one")
    asked = agent.request_approval(question="may I?", execution_id=execution).id
    last = view(cell.journal, execution).last
    cell.kill(agent)
    since = times.iso(cell.clock() - 1_000_000)
    cell.clock.advance(50_000)
    person.decide_approval(approval_id=asked, verdict="approve")
    start(cell.another("stranger"))  # the next writer notes the death, and the doubt
    assert len(cell.journal.read_entries(kind="action_doubted").entries) == 1
    shown = view(cell.journal, execution)
    assert (shown.last, shown.interrupted) == (last, since)
    person.record_decision(decision="settle", action_id=_doubt(person), outcome="ok", evidence="I looked")
    person.record_decision(decision="keep", why="it is wanted", execution_id=execution)
    shown = view(cell.journal, execution)
    assert (shown.last, shown.interrupted, shown.in_doubt) == (last, since, 0)


@promise("quiet-is-measured-by-own-entries")
def test_the_work_of_a_person_is_continued_by_a_person(cell: Cell) -> None:
    person = cell.another(Actor(kind="person", name="ada"))
    execution = start(person)
    before = view(cell.journal, execution).last
    cell.clock.advance(60)
    do(person, "sweep", execution_id=execution)
    assert view(cell.journal, execution).last > before


@promise("plan-and-actual-are-compared")
def test_a_step_that_waits_for_a_person_is_waiting(cell: Cell) -> None:
    journal = cell.journal
    execution = planned(journal, "one", "two")
    journal.request_approval(question="may I?", step="one", expires="1h")
    assert {id: each.actual for id, each in steps_of(journal, execution).items()} == {
        "one": "waiting",
        "two": "planned",
    }
    cell.clock.advance(7200)
    assert steps_of(journal, execution)["one"].actual == "planned"


@promise("a-failure-that-was-decided-on-is-settled")
def test_a_retried_step_that_succeeded_is_done_and_settled(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    for _ in range(2):
        fail(journal, step="one")
    do(journal, step="one")
    do(journal, step="two")
    assert {id: each.actual for id, each in steps_of(journal, execution).items()} == {"one": "done", "two": "done"}
    assert journal.record_decision(decision="done").unfinished == {}


@promise("a-failure-that-was-decided-on-is-settled")
def test_the_success_of_one_step_settles_no_other_failure(journal: Journal) -> None:
    planned(journal, "one", "two")
    fail(journal, step="one")
    journal.record_decision(decision="retry", step="one", why="once more")
    fail(journal, "sing")
    do(journal, step="one")
    do(journal, step="two")
    with pytest.raises(WrongState, match="1 undecided"):
        journal.record_decision(decision="done")


def _doubt(journal: Journal) -> str:
    return journal.list_in_doubt().in_doubt[0].action_id


@promise("interrupted-is-seen-at-once")
def test_what_somebody_settles_with_an_approver_s_credential_continues_nothing(cell: Cell) -> None:
    secret = cell.journal.add_credential(name="pia").secret
    agent = cell.mortal("worker")
    execution = start(agent)
    do(agent, "lock", undo="unlock it", temporary=True)
    action = begin(agent, "carry")
    cell.kill(agent)
    before = view(cell.journal, execution).interrupted
    pia = cell.another("pia", credential=secret)  # a script of hers, which is no person to the journal
    pia.record_decision(decision="settle", action_id=action, outcome="ok", evidence="it is there")
    assert view(cell.journal, execution).interrupted == before != ""
    assert [item.tool for item in cell.journal.list_owed().owed] == ["lock"]


@promise("interrupted-is-seen-at-once")
@pytest.mark.parametrize("way", ["settle", "end", "keep"])
def test_whoever_only_says_what_came_of_it_does_not_take_it_up(cell: Cell, way: str) -> None:
    agent, other = cell.mortal("worker"), cell.mortal("other", lease_seconds=6000)
    execution = start(agent)
    do(agent, "lock", undo="unlock it", temporary=True)
    carried = do(agent, "carry", undo="carry it back")
    action = begin(agent, "paint", undo="wash it off")
    cell.kill(agent)
    before = view(cell.journal, execution)
    said: dict[str, Any] = {"action_id": action, "outcome": "skipped", "evidence": "nothing is painted"}
    if way == "settle":
        other.record_decision(decision="settle", **said)
    elif way == "end":
        other.record_action(phase="end", **said)
    else:
        other.record_decision(decision="keep", action_id=carried, why="it is wanted")
    after = view(cell.journal, execution)
    assert (after.interrupted, after.interrupted_by) == (before.interrupted, "worker") != ("", "")
    assert [item.tool for item in cell.journal.list_owed().owed] == ["lock"]
    do(other, "sweep", execution_id=execution)
    assert view(cell.journal, execution).interrupted == ""


@promise("interrupted-is-seen-at-once")
@pytest.mark.parametrize("starter", ["agent", "person"])
def test_what_is_recorded_on_the_page_does_not_take_it_up(cell: Cell, starter: Any) -> None:
    first = cell.another(Actor(kind=starter, name="worker"), session=cell.journal.open_session(lease_seconds=600).id)
    execution = planned(first, step("lock", temporary=True), "work")
    do(first, step="lock")
    fail(first, step="work")
    cell.clock.advance(601)
    before = view(cell.journal, execution)
    page = cell.another(session=cell.journal.open_session(client="page", lease_seconds=6000).id)
    page.record_decision(decision="retry", step="work", execution_id=execution, why="the disk was freed")
    page.record_decision(decision="unwind", execution_id=execution, why="no, back")
    do(page, "unlock", kind="undo", undoes="lock", execution_id=execution)
    after = view(cell.journal, execution)
    assert (after.status, after.undo_states["undone"]) == ("unwinding", 1)
    assert (after.interrupted, after.interrupted_by, after.last) == (before.interrupted, "worker", before.last)
    assert "interrupted" in cell.journal.get_inbox().counts
