"""The inbox lists what waits for a person across all executions, and the activity what happened of late."""

from functools import partial

from tallystick import Journal
from tallystick.core.formats import times
from tests.behaviour.scenarios import begin, do, end, plan, start
from tests.matrix import Cell
from tests.promises import promise


def needs(journal: Journal) -> list[tuple[str, str, int]]:
    return [(each.need, each.about, each.count) for each in journal.get_inbox().items]


@promise("the-inbox-lists-what-waits-for-a-person")
def test_a_journal_in_which_all_is_well_has_an_empty_inbox_and_says_what_runs(cell: Cell) -> None:
    assert cell.journal.get_inbox().items == ()
    execution = start(cell.journal, "Copy the books")
    do(cell.journal, "copy")
    begin(cell.journal, "move")
    found = cell.journal.get_inbox()
    assert (found.items, found.counts, found.total) == ((), {}, 0)
    assert ([each.id for each in found.working], found.working_count) == ([execution], 1)


@promise("the-inbox-lists-what-waits-for-a-person")
def test_a_question_waits_until_it_is_answered(cell: Cell) -> None:
    person = cell.person()
    execution = start(cell.journal, "Move the books")
    asked = cell.journal.request_approval(question="Which shelf?", tool="carry", arguments={"to": 3}, expires="2h").id
    (found,) = cell.journal.get_inbox().items
    assert (found.need, found.about, found.execution_id) == ("question_waits", asked, execution)
    assert (found.who, found.title) == ("agent", "Move the books")
    assert found.text == 'Which shelf? Call: carry {"to":3}'
    assert (found.to_do, bool(found.until)) == ("Answer it.", True)
    person.decide_approval(approval_id=asked, verdict="approve", reason="fine")
    assert needs(cell.journal) == []


@promise("the-inbox-lists-what-waits-for-a-person")
def test_an_agent_that_died_leaves_one_line_for_its_doubts_and_one_for_its_work(cell: Cell) -> None:
    agent = cell.mortal("worker")
    execution = start(agent, "Carry the books")
    first = begin(agent, "carry", summary="carry the books")
    second = begin(agent, "stack")
    cell.kill(agent)
    assert needs(cell.journal) == [("in_doubt", first, 2), ("interrupted", execution, 1)]
    assert cell.journal.get_inbox().counts == {"in_doubt": 1, "interrupted": 1}
    assert cell.journal.get_inbox().working == ()
    heir = cell.another("heir")
    for action in (first, second):
        heir.record_decision(decision="settle", action_id=action, outcome="ok", evidence="they are there")
    heir.record_decision(decision="continue", execution_id=execution, why="somebody has to")
    assert needs(cell.journal) == []


@promise("the-inbox-lists-what-waits-for-a-person")
def test_an_execution_that_ended_waits_until_what_it_owes_is_undone_or_kept(cell: Cell) -> None:
    execution = start(cell.journal, "Rent a hall")
    action = do(cell.journal, "rent", cancellable="reversible", undo="give it back")
    cell.journal.record_decision(decision="stop", execution_id=execution, why="no guests")
    (found,) = cell.journal.get_inbox().items
    assert (found.need, found.about, found.text) == (
        "undo_left",
        execution,
        "cancelled, with 1 action still to undo",
    )
    cell.journal.record_decision(decision="keep", execution_id=execution, action_id=action, why="we need it after all")
    assert needs(cell.journal) == []


@promise("the-inbox-lists-what-waits-for-a-person")
def test_an_undo_that_soon_cannot_be_made_comes_before_doubts(cell: Cell) -> None:
    agent = cell.mortal("worker")
    start(agent, "Carry the books")
    begin(agent, "carry")
    cell.kill(agent)
    start(cell.journal, "Book a trip")
    action = do(cell.journal, "book", cancellable="reversible", undo="cancel it", undo_until="30m")
    found = cell.journal.get_inbox()
    assert [each.need for each in found.items] == ["undo_expires", "in_doubt", "interrupted"]
    assert found.items[0].about == action
    assert found.items[0].until


@promise("the-inbox-lists-what-waits-for-a-person")
def test_undos_that_expire_come_by_their_deadlines(cell: Cell) -> None:
    def book(minutes: int) -> str:
        return do(cell.journal, "book", again="next one", undo="cancel it", undo_until=f"{minutes}m")

    start(cell.journal, "Book a trip")
    booked = [book(minutes) for minutes in (20, 10, 40)]
    assert needs(cell.journal) == [("undo_expires", booked[1], 3)]
    found = cell.journal.get_alerts(rule="undo_expires").alerts
    assert [each.about for each in found] == [booked[1], booked[0], booked[2]]


@promise("the-inbox-lists-what-waits-for-a-person")
def test_questions_come_the_soonest_to_expire_first(cell: Cell) -> None:
    start(cell.journal, "Move the books")
    asked = [
        cell.journal.request_approval(question=f"{name}?", tool="carry", arguments={"to": name}, expires=expires).id
        for name, expires in (("a", "3h"), ("b", "9h"), ("c", "1h"))
    ]
    assert [about for _, about, _ in needs(cell.journal)] == [asked[2], asked[0], asked[1]]


@promise("the-inbox-lists-what-waits-for-a-person")
def test_unwinding_that_has_stopped_waits_although_its_agent_lives(cell: Cell) -> None:
    execution = start(cell.journal, "Rent two halls")
    for name in ("small", "large"):
        do(cell.journal, "rent", arguments={"hall": name}, cancellable="reversible", undo="give it back")
    cell.journal.record_decision(decision="unwind", execution_id=execution, why="no guests")
    assert needs(cell.journal) == []
    cell.clock.advance(40 * 60)
    (found,) = cell.journal.get_inbox().items
    assert (found.need, found.about) == ("undo_left", execution)
    assert found.text == "unwinding, nothing moved for 40m, with 2 actions still to undo"
    undo = partial(cell.journal.record_action, phase="done", kind="undo", execution_id=execution)
    undo(undoes=cell.journal.get_undo_list(execution_id=execution).items[0].action_id, outcome="ok")
    assert needs(cell.journal) == []
    undo(undoes=cell.journal.get_undo_list(execution_id=execution).items[0].action_id, outcome="failed", error="closed")
    (found,) = cell.journal.get_inbox().items
    assert found.text == "unwinding, its next undo failed, with 1 action still to undo"


@promise("the-inbox-lists-what-waits-for-a-person")
def test_what_a_person_undid_or_decided_is_a_move_of_an_unwinding(cell: Cell) -> None:
    person = cell.person()
    execution = start(cell.journal, "Rent three halls")
    for name in ("small", "large", "round"):
        do(cell.journal, "rent", arguments={"hall": name}, cancellable="reversible", undo="give it back")
    cell.journal.record_decision(decision="unwind", execution_id=execution, why="no guests")
    for hours in (1, 2):
        cell.clock.advance(60 * 60)
        last = cell.journal.get_execution(execution_id=execution).last
        assert [each[0] for each in needs(cell.journal)] == ["undo_left"]
        next_one = cell.journal.get_undo_list(execution_id=execution).items[0].action_id
        if hours == 1:
            person.record_action(phase="done", kind="undo", undoes=next_one, outcome="ok", execution_id=execution)
        else:
            person.record_decision(decision="keep", action_id=next_one, why="we need one")
        assert needs(cell.journal) == []
        assert cell.journal.get_execution(execution_id=execution).last == last
        assert f"last worked on {hours}h ago" in cell.journal.get_brief(execution_id=execution).text
    cell.clock.advance(40 * 60)
    (found,) = cell.journal.get_inbox().items
    assert found.text == "unwinding, nothing moved for 40m, with 1 action still to undo"
    assert times.parse_time(found.since, "since") > cell.clock() - 41 * 60 * times.SECOND


@promise("the-inbox-lists-what-waits-for-a-person")
def test_a_held_run_whose_runner_is_gone_says_how_it_goes_on(cell: Cell) -> None:
    secret = cell.person("admin").add_credential(name="operator", scopes=("run",)).secret
    session = cell.journal.open_session(lease_seconds=600).id
    runner = cell.another("operator", credential=secret, session=session)
    run = runner.run_plan(plan_id=plan(runner, "pay").id, engine="caller").id
    end(runner, begin(runner, step="pay", execution_id=run), "unknown", evidence="no answer came")

    def to_do() -> str:
        return next(each.to_do for each in cell.journal.get_inbox().items if each.need == "run_held")

    assert to_do() == "Look at the real system, then settle it. The run goes on then."
    cell.clock.advance(601)
    assert to_do() == (
        f"Look at the real system, then settle it. Its runner is gone: `tallystick run --resume {run}` goes on."
    )


@promise("what-only-waits-for-a-person-is-shown-so")
def test_work_of_which_only_a_question_is_open_is_shown_as_waiting(cell: Cell) -> None:
    person = cell.person()
    execution = start(cell.journal, "Move the books")
    asked = cell.journal.request_approval(question="Which shelf?", tool="carry", arguments={}).id
    assert cell.journal.get_execution(execution_id=execution).only_waits
    assert "waiting for a person (running)" in cell.journal.get_brief(execution_id=execution).text
    assert (cell.journal.get_inbox().working, cell.journal.get_inbox().working_count) == ((), 0)
    waiting = cell.journal.list_executions(status=("waiting",)).executions
    assert [row.id for row in waiting] == [execution]
    assert cell.journal.list_executions(only="working").executions == ()
    action = begin(cell.journal, "sort")
    assert not cell.journal.get_execution(execution_id=execution).only_waits
    assert cell.journal.get_inbox().working_count == 1
    cell.journal.record_action(phase="end", action_id=action, outcome="ok")
    assert [row.id for row in cell.journal.list_executions(only="working").executions] == [execution]
    person.decide_approval(approval_id=asked, verdict="approve")
    assert not cell.journal.get_execution(execution_id=execution).only_waits


@promise("what-only-waits-for-a-person-is-shown-so")
def test_work_whose_agent_is_gone_waits_while_its_question_is_open(cell: Cell) -> None:
    agent = cell.mortal("worker")
    execution = start(agent, "Carry the books")
    agent.request_approval(question="Which shelf?", tool="carry", arguments={})
    do(agent, "sort")
    assert not cell.journal.get_execution(execution_id=execution).only_waits
    cell.kill(agent)
    assert cell.journal.get_execution(execution_id=execution).only_waits
    assert cell.journal.get_inbox().working == ()


@promise("the-activity-says-what-happened-between-two-times")
def test_activity_says_by_agent_what_was_started_finished_and_failed(cell: Cell) -> None:
    other = cell.another("other")
    old = start(other, "Long ago")
    cell.clock.advance(3 * 3600)
    for decision in ("done", "fail"):
        execution = start(cell.journal, decision)
        cell.journal.record_decision(decision=decision, execution_id=execution, why="it was so")
    other.record_decision(decision="done", execution_id=old, why="at last")
    found = cell.journal.get_activity(since="1h")
    counts = {each.actor: (each.started, each.completed, each.failed) for each in found.agents}
    assert counts == {"agent": (2, 1, 1), "other": (0, 1, 0)}
    assert [each.status for each in found.executions] == ["failed", "completed", "completed"]
    assert found.whole
    assert cell.journal.get_activity(since="4h", until="2h").agents[0].started == 1
