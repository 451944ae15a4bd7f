"""Actions in doubt: sessions that are over, and the actions that they left open."""

import signal
import subprocess
import sys

import pytest

from tallystick import InDoubtOpen, Journal, Undo
from tests.behaviour.scenarios import begin, do, end, entries, kinds, planned, start, step, steps_of, undo_list
from tests.matrix import Cell
from tests.promises import promise

DYING = """
import sys
from tallystick import Journal
journal = Journal.open(sys.argv[1], journal=sys.argv[2], actor="dying")
execution = journal.record_execution_start(title="until the end")
action = journal.record_action(phase="begin", tool="touch", undo="remove it")
print(execution.id, action.id, flush=True)
sys.stdin.read()
"""
"""An agent that begins something and lives until its input is closed or it is killed."""


@promise("a-session-that-is-over-leaves-doubt")
def test_an_action_that_a_silent_session_left_open_is_in_doubt(cell: Cell) -> None:
    agent = cell.mortal()
    execution = planned(agent, "one", "two")
    action = begin(agent, "touch", step="one", undo="remove it")
    assert cell.journal.list_in_doubt().in_doubt == ()
    cell.kill(agent)
    view = cell.journal.get_status(execution_id=execution)
    assert [item.action_id for item in cell.journal.list_in_doubt().in_doubt] == [action]
    assert (view.in_doubt, view.execution.in_doubt) == ((action,), 1)
    assert {each.id: each.actual for each in view.steps} == {"one": "in_doubt", "two": "planned"}
    assert action in cell.journal.get_brief(execution_id=execution).text
    assert cell.journal.get_stats().in_doubt == 1
    assert [(item.state, item.certain) for item in undo_list(cell.journal)] == [("not_undone", False)]


@promise("a-session-that-is-over-leaves-doubt")
def test_the_next_agent_is_refused_the_effect_and_the_step(cell: Cell) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    execution = planned(agent, "one", "two")
    begin(agent, "touch", step="one")
    cell.kill(agent)
    for call in ({"tool": "touch"}, {"step": "one"}, {"step": "two"}):
        with pytest.raises(InDoubtOpen):
            begin(heir, execution_id=execution, **call)


@promise("a-session-that-is-over-leaves-doubt")
def test_an_undo_that_its_session_left_open_is_in_doubt(cell: Cell) -> None:
    agent = cell.mortal()
    execution = start(agent)
    action = do(agent, "touch", undo="remove it")
    undo = begin(agent, "rm", kind="undo", undoes=action)
    assert [item.state for item in undo_list(cell.journal, execution)] == ["undoing"]
    cell.kill(agent)
    assert [item.state for item in undo_list(cell.journal, execution)] == ["in_doubt"]
    with pytest.raises(InDoubtOpen, match=undo):
        begin(cell.journal, "rm", kind="undo", undoes=action)


@promise("a-read-writes-nothing")
def test_reading_the_doubts_appends_nothing(cell: Cell) -> None:
    agent, reader = cell.mortal(), cell.another("reader")
    execution = start(agent)
    begin(agent, "touch")
    cell.kill(agent)
    length = reader.get_stats().entries
    reader.list_in_doubt()
    reader.list_owed()
    reader.get_brief()
    reader.get_status(execution_id=execution)
    reader.list_sessions()
    reader.list_executions()
    reader.list_approvals()
    reader.list_context()
    reader.list_plans()
    reader.verify()
    reader.export()
    assert reader.get_stats().entries == length


@promise("the-next-writer-says-so")
def test_the_next_writer_records_each_doubt_once(cell: Cell) -> None:
    agent = cell.mortal()
    execution = start(agent)
    action = begin(agent, "touch")
    done = do(agent, "make")
    cell.kill(agent)
    for number in range(3):
        cell.journal.record_context(key="word", value=number)
        cell.clock.advance(5)
    assert kinds(cell.journal, id=action) == ["action_begun", "action_doubted"]
    assert kinds(cell.journal, id=done) == ["action_begun", "action_ended"]
    assert kinds(cell.journal, id=cell.session_of(agent)) == ["session_opened", "session_ended"]
    doubted = entries(cell.journal, kind="action_doubted")[0]
    assert (doubted.execution_id, doubted.witness, doubted.facts["reason"]) == (execution, "observed", "session lapsed")
    assert [item.action_id for item in cell.journal.list_in_doubt().in_doubt] == [action]
    assert cell.journal.get_status(execution_id=execution).execution.actions == {"in_doubt": 1, "ok": 1}


@promise("a-session-that-is-over-leaves-doubt")
@pytest.mark.parametrize("where", ["same", "other"])
def test_counts_are_as_of_now_like_the_items(cell: Cell, where: str) -> None:
    agent, journal = cell.mortal(), cell.journal
    execution = start(agent)
    helping = execution if where == "same" else start(agent, "help")
    done = do(agent, "touch", undo="remove it", execution_id=execution)
    begin(agent, "pay", execution_id=execution)
    begin(agent, kind="undo", undoes=done, execution_id=helping)

    def told() -> list[object]:
        shown = [journal.get_status(execution_id=execution).execution, journal.get_execution(execution_id=execution)]
        shown += [each for each in journal.list_executions().executions if each.id == execution]
        stats, listed = journal.get_stats(), journal.list_actions(execution_id=execution).actions
        return [
            *((each.actions, each.undos, each.undo_states) for each in shown),
            journal.get_execution(execution_id=helping).undos,
            journal.get_undo_list(execution_id=execution).counts,
            (stats.actions, stats.undo_states, stats.in_doubt, stats.executions),
            [(line.state, line.undo_state) for line in listed if line.kind == "do"],
            journal.get_action(action_id=done).undo_state,
        ]

    alive = told()
    assert alive[-1] == "undoing"
    cell.kill(agent)
    dead = told()
    doubt, undos = {"in_doubt": 1}, {"in_doubt": 1, "not_undone": 1}
    assert dead[:3] == [({"ok": 1, "in_doubt": 1}, doubt if where == "same" else {}, undos)] * 3
    assert dead[3:5] == [doubt, undos]
    assert dead[5] == ({"ok": 1, "in_doubt": 2}, undos, 2, {"interrupted": 1 if where == "same" else 2})
    assert dead[6:] == [[("ok", "in_doubt"), ("in_doubt", "not_undone")], "in_doubt"]
    cell.another("heir").record_context(key="word", value=1)
    assert len(kinds(journal, kind="action_doubted")) == 2
    assert told() == dead


@promise("a-long-call-is-not-in-doubt")
def test_a_session_that_keeps_calling_keeps_its_open_actions(cell: Cell) -> None:
    agent = cell.mortal(lease_seconds=600)
    start(agent)
    begin(agent, "compute for hours")
    for _ in range(6):
        cell.clock.advance(500)
        agent.record_action(phase="note", summary="still at it")
        cell.journal.record_context(key="other", value="writers look around meanwhile")
        assert cell.journal.list_in_doubt().in_doubt == ()
    cell.kill(agent)
    assert len(cell.journal.list_in_doubt().in_doubt) == 1


@promise("a-long-call-is-not-in-doubt")
def test_a_living_process_needs_no_word(cell: Cell) -> None:
    start(cell.journal)
    begin(cell.journal, "compute for days")
    cell.clock.advance(14 * 86400)
    assert cell.journal.list_in_doubt().in_doubt == ()


@promise("a-killed-process-leaves-doubt-at-once")
def test_a_killed_process_is_seen_at_once(cell: Cell) -> None:
    command = [sys.executable, "-c", DYING, cell.settings.url, cell.settings.journal]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as agent:
        assert agent.stdout is not None
        execution, action = agent.stdout.readline().split()
        assert cell.journal.list_in_doubt().in_doubt == ()
        agent.send_signal(signal.SIGKILL)
        agent.wait()
    length = cell.journal.get_stats().entries
    assert [item.action_id for item in cell.journal.list_in_doubt().in_doubt] == [action]
    assert cell.journal.get_stats().entries == length
    cell.another("heir").record_context(key="a word", value=1)
    assert kinds(cell.journal, id=action) == ["action_begun", "action_doubted"]
    assert [item.action_id for item in undo_list(cell.journal, execution)] == [action]


@promise("a-client-session-follows-its-process")
def test_the_session_of_a_client_is_over_when_its_process_is_gone(cell: Cell) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        session = cell.journal.open_session(kind="client", process=client.pid, client="some agent")
        agent = cell.another("agent", session=session.id)
        start(agent)
        action = begin(agent, "touch")
        cell.clock.advance(14 * 86400)
        assert cell.journal.list_in_doubt().in_doubt == ()
        client.communicate(b"\n")
    assert [item.action_id for item in cell.journal.list_in_doubt().in_doubt] == [action]


@promise("doubt-is-settled-by-evidence")
def test_another_session_settles_only_by_evidence(cell: Cell) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    start(agent)
    action = begin(agent, "touch")
    with pytest.raises(InDoubtOpen, match="another session"):
        end(heir, action, "ok")
    cell.kill(agent)
    with pytest.raises(InDoubtOpen) as caught:
        end(heir, action, "ok")
    assert caught.value.field == "evidence"
    assert end(heir, action, "ok", evidence="the file is there").state == "ok"
    settled = entries(heir, id=action)[-1]
    assert (settled.facts["settles"], settled.body["evidence"]) == (True, "the file is there")
    assert heir.list_in_doubt().in_doubt == ()


@promise("doubt-is-settled-by-evidence")
@pytest.mark.parametrize("outcome", ["ok", "failed", "skipped"])
def test_each_outcome_can_settle_and_moves_the_step(cell: Cell, outcome: str) -> None:
    agent = cell.mortal()
    execution = planned(agent, "one")
    action = begin(agent, step="one")
    cell.kill(agent)
    end(cell.journal, action, outcome, evidence="looked", without_effect=outcome == "failed")
    shown = steps_of(cell.journal, execution)["one"].actual
    assert shown == {"ok": "done", "failed": "failed", "skipped": "planned"}[outcome]
    assert len(undo_list(cell.journal, execution)) == (1 if outcome == "ok" else 0)


@promise("unknown-is-not-final")
def test_an_unknown_outcome_is_settled_later(journal: Journal) -> None:
    start(journal)
    action = begin(journal, "touch")
    end(journal, action, "unknown", error="the line broke")
    assert [item.why for item in journal.list_in_doubt().in_doubt] == ["its outcome is unknown"]
    end(journal, action, "unknown", evidence="looked, and still cannot tell")
    assert len(journal.list_in_doubt().in_doubt) == 1
    assert end(journal, action, "ok", evidence="it is there").state == "ok"
    assert journal.list_in_doubt().in_doubt == ()


@promise("unknown-is-not-final")
@pytest.mark.parametrize("first", ["", "unknown", "ok"])
def test_an_end_that_was_recorded_later_does_not_tell_how_long_it_took(cell: Cell, first: str) -> None:
    journal, mortal = cell.journal, cell.mortal()
    execution = start(journal)
    for _ in range(20):
        action = begin(mortal, "copy", execution_id=execution, again="another one")
        if first:
            cell.clock.advance(90)
            end(mortal, action, first)
            end(mortal, action, "failed" if first == "ok" else "unknown", evidence="the log says so")
    cell.kill(mortal)
    lost = [line.lost for line in journal.list_actions().actions]
    assert all(lost) is not bool(first)
    cell.clock.advance(60 * 60 * 17)
    for line in journal.list_actions().actions:
        end(journal, line.id, "ok", evidence="it is there")
    lines = journal.list_actions().actions
    assert ([line.lost for line in lines], {line.state for line in lines}) == (lost, {"ok"})
    durations = journal.get_stats().durations
    assert (durations.count, durations.p95) == ((20, 90) if first else (0, 0))
    sides = [row.a for row in journal.compare_executions(a=execution, b=execution).rows]
    assert {side.seconds for side in sides if side} == {90 if first else None}
    report = journal.get_report(execution_id=execution).text
    assert [line for line in report.splitlines() if "copy" in line and ", 17h" in line] == []
    new = begin(journal, "copy", execution_id=execution, again="another one")
    cell.clock.advance(100)
    assert [each.about for each in journal.get_alerts(rule="step_slow").alerts] == ([new] if first else [])


@promise("unknown-is-not-final")
def test_what_is_recorded_when_it_is_over_took_nobody_knows_how_long(cell: Cell) -> None:
    execution = start(cell.journal)
    cell.journal.record_action(phase="done", tool="sweep", outcome="ok")
    cell.journal.record_action(phase="done", tool="count", outcome="ok", duration=3)
    assert [row.a and row.a.seconds for row in cell.journal.compare_executions(a=execution, b=execution).rows] == [
        None,
        3,
    ]
    assert cell.journal.get_stats().durations.count == 1


@promise("a-contradiction-is-doubt")
@pytest.mark.parametrize(("settled", "evident"), [("ok", "failed"), ("failed", "ok"), ("skipped", "ok")])
def test_contradicting_evidence_puts_it_back_in_doubt_and_on_the_owed_list(
    journal: Journal, settled: str, evident: str
) -> None:
    execution = start(journal)
    action = begin(journal, "touch", undo="remove it")
    end(journal, action, settled, without_effect=settled == "failed")
    receipt = end(journal, action, evident, evidence="the log says otherwise")
    assert receipt.state == "in_doubt"
    assert receipt.notes
    assert [item.action_id for item in journal.list_in_doubt().in_doubt] == [action]
    assert [(item.action_id, item.certain) for item in undo_list(journal, execution)] == [(action, False)]
    end(journal, action, "ok", evidence="seen with my own eyes")
    assert journal.list_in_doubt().in_doubt == ()


@promise("a-contradiction-is-doubt")
def test_an_undone_action_is_owed_again_when_its_outcome_is_contradicted(journal: Journal) -> None:
    execution = start(journal)
    action = do(journal, "touch", undo="remove it")
    end(journal, begin(journal, "rm", kind="undo", undoes=action))
    assert undo_list(journal, execution) == []
    end(journal, action, "failed", evidence="the log says otherwise")
    assert [item.action_id for item in undo_list(journal, execution)] == [action]


@promise("doubt-shows-how-to-look")
def test_the_probe_and_the_arguments_are_listed(cell: Cell) -> None:
    agent = cell.mortal()
    execution = planned(
        agent,
        step("told", probe="look at the door", after=()),
        step("called", probe=Undo(tool="ls", arguments={"path": "x"}), after=()),
    )
    begin(agent, "open", step="told", arguments={"door": 3}, summary="open the door")
    begin(agent, step="called")
    session = cell.session_of(agent)
    cell.kill(agent)
    first, second = cell.journal.list_in_doubt(execution_id=execution).in_doubt
    assert (first.step, first.tool, first.summary) == ("told", "open", "open the door")
    assert (first.arguments, first.probe, first.session) == ({"door": 3}, "look at the door", session)
    assert second.probe == Undo(tool="ls", arguments={"path": "x"})
    assert first.why == "its session is over and no end is recorded"
    assert first.since


@promise("a-session-is-opened-renewed-and-ended")
def test_ending_a_session_names_the_actions_left_in_doubt(cell: Cell) -> None:
    agent = cell.mortal()
    start(agent)
    action = begin(agent, "touch")
    do(agent, "make")
    ended = cell.journal.end_session(session_id=cell.session_of(agent), reason="told to")
    assert ended.in_doubt == 1
    assert [item.action_id for item in cell.journal.list_in_doubt().in_doubt] == [action]
    assert entries(cell.journal, id=cell.session_of(agent))[-1].facts == {"reason": "told to"}


@promise("a-session-is-opened-renewed-and-ended")
def test_renewing_lets_a_session_live_for_longer(cell: Cell) -> None:
    agent = cell.mortal(lease_seconds=100)
    start(agent)
    begin(agent, "touch")
    cell.clock.advance(90)
    cell.journal.renew_session(session_id=cell.session_of(agent))
    cell.clock.advance(90)
    assert cell.journal.list_in_doubt().in_doubt == ()
    receipt = cell.journal.renew_session(session_id=cell.session_of(agent), lease_seconds=10)
    assert receipt.expires == cell.clock() + 10_000_000
    cell.clock.advance(11)
    assert len(cell.journal.list_in_doubt().in_doubt) == 1
