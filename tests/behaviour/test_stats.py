"""Figures over the journal."""

from tests.behaviour.scenarios import begin, do, end, entries, fail, plan, start, step
from tests.matrix import Cell
from tests.promises import promise


@promise("stats-count-what-there-is")
def test_stats_count_plans_executions_and_actions(cell: Cell) -> None:
    journal = cell.journal
    made = plan(journal, step("one", tool="post"))
    first = journal.record_execution_start(plan_id=made.id).id
    fail(journal, "post", step="one", execution_id=first)
    cell.clock.advance(1)
    slow = begin(journal, "post", step="one", execution_id=first)
    cell.clock.advance(9)
    end(journal, slow)
    second = start(journal)
    do(journal, "look", effect="read", execution_id=second)
    end(journal, begin(journal, "dial", execution_id=second), "unknown")
    journal.record_decision(decision="done", why="so", execution_id=second, incomplete=True)
    journal.request_approval(question="?", execution_id=first)
    stats = journal.get_stats()
    assert stats.entries == len(entries(journal))
    assert stats.executions == {"running": 1, "completed": 1}
    assert stats.plans == {"active": 1}
    assert stats.actions == {"failed": 1, "ok": 2, "in_doubt": 1}
    assert (stats.undo_states, stats.owed) == ({"not_undone": 3}, 0)
    assert stats.approvals == {"pending": 1}
    assert stats.sessions == {"open": 1}
    assert (stats.in_doubt, stats.retries) == (1, 1)
    assert (stats.tools, stats.failures) == ({"post": 2, "dial": 1, "look": 1}, {"post": 1})
    assert (stats.durations.count, stats.durations.p95) == (3, 9.0)


@promise("stats-count-what-there-is")
def test_stats_count_sessions_and_questions_as_of_now(cell: Cell) -> None:
    agent = cell.mortal()
    start(agent)
    agent.request_approval(question="?", expires="5m")
    open_sessions = cell.journal.get_stats().sessions["open"]
    assert cell.journal.get_stats().approvals == {"pending": 1}
    cell.kill(agent)
    stats = cell.journal.get_stats()
    assert stats.approvals == {"expired": 1}
    assert (stats.sessions.get("open", 0), stats.sessions["ended"]) == (open_sessions - 1, 1)


@promise("stats-count-what-there-is")
def test_stats_are_narrowed_by_execution_tool_actor_and_time(cell: Cell) -> None:
    journal, other = cell.journal, cell.another("bob")
    first, second = start(journal), start(other)
    do(journal, "touch", execution_id=first)
    cell.clock.advance(3600)
    do(other, "paint", execution_id=second)
    fail(other, "touch", execution_id=second)
    cell.clock.advance(60)
    assert journal.get_stats(execution_id=second).actions == {"ok": 1, "failed": 1}
    assert journal.get_stats(tool="touch").actions == {"ok": 1, "failed": 1}
    assert journal.get_stats(actor="bob").tools == {"paint": 1, "touch": 1}
    end(journal, begin(journal, "doubt", execution_id=first), "unknown")
    assert (journal.get_stats(tool="doubt").in_doubt, journal.get_stats(tool="touch").in_doubt) == (1, 0)
    assert (journal.get_stats(since="30s").in_doubt, journal.get_stats(until="30s").in_doubt) == (1, 0)
    assert journal.get_stats(since="10m").actions == {"ok": 1, "failed": 1, "in_doubt": 1}
    assert journal.get_stats(until="10m").tools == {"touch": 1}
    assert journal.get_stats(most=1).tools == {"touch": 2}
