"""The actions of an execution in a line each: what a timeline is drawn from."""

from typing import Any

import pytest

from tallystick import Actor, InvalidArgument, Journal, UnknownHandle
from tallystick.operations.views.timeline import ActionLine
from tests.behaviour.scenarios import begin, do, end, fail, plan, planned, start, step, undo
from tests.behaviour.test_correlation import agent_in, over, seen, watched
from tests.matrix import Cell
from tests.promises import promise


def _lines(journal: Journal, **filters: Any) -> tuple[ActionLine, ...]:
    return journal.list_actions(**filters).actions


def _ids(journal: Journal, **filters: Any) -> list[str]:
    return [line.id for line in _lines(journal, **filters)]


@promise("actions-are-listed-in-a-line-each")
def test_each_action_shows_its_begin_its_end_and_its_outcome(cell: Cell) -> None:
    execution = start(cell.journal)
    first = begin(cell.journal, "cp", execution_id=execution, summary="copy it")
    cell.clock.advance(3)
    ended = end(cell.journal, first)
    second = begin(cell.journal, "mv", execution_id=execution, summary="move it")
    third = fail(cell.journal, "rm", execution_id=execution, effect="read")
    done, running, failed = _lines(cell.journal, execution_id=execution)
    assert [line.id for line in (done, running, failed)] == [first, second, third]
    assert [line.state for line in (done, running, failed)] == ["ok", "open", "failed"]
    assert [line.tool for line in (done, running, failed)] == ["cp", "mv", "rm"]
    assert [line.summary for line in (done, running, failed)] == ["copy it", "move it", ""]
    assert (done.begun < done.ended, running.ended, done.end_seq) == (True, "", ended.seq)
    assert (done.undo_state, failed.undo_state, done.execution_id) == ("not_undone", "", execution)


@promise("actions-are-listed-in-a-line-each")
def test_each_sub_agent_is_distinguished_from_the_agent(cell: Cell) -> None:
    helper = cell.another(Actor(kind="sub-agent", name="reviewer"))
    execution = start(cell.journal)
    do(cell.journal, "write", execution_id=execution)
    do(helper, "read", execution_id=execution)
    found = [(line.actor_kind, line.actor) for line in _lines(cell.journal, execution_id=execution)]
    assert found == [("agent", "agent"), ("sub-agent", "reviewer")]
    assert [line.tool for line in _lines(cell.journal, actor="reviewer")] == ["read"]


@promise("actions-are-listed-in-a-line-each")
def test_an_undo_and_the_undone_action_point_at_each_other(journal: Journal) -> None:
    execution = start(journal)
    done = do(journal, "cp", execution_id=execution, undo="rm")
    taken_back = undo(journal, done, execution_id=execution)
    first, second = _lines(journal, execution_id=execution)
    assert (first.undone_by, first.undo_state, first.kind) == (taken_back, "undone", "do")
    assert (second.undoes, second.kind) == (done, "undo")


@promise("actions-are-listed-in-a-line-each")
def test_a_step_gives_its_title_and_work_of_no_step_is_unplanned(journal: Journal) -> None:
    execution = planned(journal, "copy", "move")
    fail(journal, execution_id=execution, step="copy")
    journal.record_decision(execution_id=execution, decision="retry", why="it may work now", step="copy")
    do(journal, execution_id=execution, step="copy")
    do(journal, "look", execution_id=execution, summary="look around")
    lines = _lines(journal, execution_id=execution)
    assert [(line.step, line.attempt) for line in lines] == [("copy", 1), ("copy", 2), ("", 1)]
    assert [line.summary for line in lines] == ["The step copy", "The step copy", "look around"]
    assert [line.unplanned for line in lines] == [False, False, True]


@promise("unplanned-work-is-counted-and-listed-alike")
def test_unplanned_work_can_be_listed(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    do(agent, "touch", execution_id=start(agent, "no plan"))
    execution = planned(agent, step("copy", tool="cp"), title="a plan")
    copied = do(agent, execution_id=execution, step="copy")
    looked = do(agent, "look", execution_id=execution, summary="look around")
    agent.record_decision(execution_id=execution, decision="unwind", why="wrong")
    undo(agent, copied, execution_id=execution)
    seen(hook, "a", arguments={"command": "make"})
    over(hook, "a")
    listed = _lines(agent, only="unplanned")
    assert [line.id for line in listed if line.unplanned] == [line.id for line in listed]
    assert [line.tool for line in listed] == ["look", "Bash"]
    assert _ids(agent, only="unplanned", execution_id=execution, tool="look") == [looked]
    shown = agent.get_status(execution_id=execution)
    assert shown.coverage
    assert (shown.execution.unplanned, shown.coverage.unplanned, len(listed)) == (2, 2, 2)
    assert "2 unplanned (view=journal, filter=only:unplanned)" in agent.get_brief(execution_id=execution).text
    agent.record_decision(decision="continue", action_id=listed[1].id, undoes=looked, why="it was its undo")
    assert _ids(agent, only="unplanned", execution_id=execution) == [looked]
    assert "1 unplanned (" in agent.get_brief(execution_id=execution).text
    (counted,) = hook.get_coverage().seen
    assert counted.unplanned == 0  # an undo is not unplanned


@promise("unplanned-work-is-counted-and-listed-alike")
def test_a_page_of_unplanned_work_goes_on_behind_its_cursor(journal: Journal) -> None:
    execution = planned(journal, "copy", "move")
    found = [do(journal, f"t{number}", execution_id=execution) for number in range(3)]
    do(journal, execution_id=execution, step="copy")
    page = journal.list_actions(only="unplanned", execution_id=execution, limit=2)
    assert [line.id for line in page.actions] == found[:2]
    page = journal.list_actions(only="unplanned", execution_id=execution, limit=2, cursor=page.next_cursor)
    assert ([line.id for line in page.actions], page.next_cursor) == (found[2:], "")


@promise("actions-are-listed-in-a-line-each")
def test_an_action_that_a_dead_session_left_open_is_in_doubt_at_once(cell: Cell) -> None:
    execution = start(cell.journal)
    mortal = cell.mortal()
    lost = begin(mortal, "pay", execution_id=execution)
    running = begin(cell.journal, "wait", execution_id=execution)
    assert _ids(cell.journal, state="open") == [lost, running]
    cell.kill(mortal)
    assert _ids(cell.journal, state="in_doubt") == [lost]
    assert _ids(cell.journal, state="open") == [running]
    assert [line.state for line in _lines(cell.journal)] == ["in_doubt", "open"]


@promise("actions-are-listed-in-a-line-each")
def test_an_action_after_the_end_shows_as_late(journal: Journal) -> None:
    execution = start(journal)
    action = begin(journal, "cp", execution_id=execution)
    journal.record_decision(execution_id=execution, decision="stop", why="enough")
    end(journal, action)
    assert [line.late for line in _lines(journal, execution_id=execution)] == [True]


@promise("actions-are-found-by-what-is-known-of-them")
def test_filters_narrow_the_list_and_combine(cell: Cell) -> None:
    hook = cell.another(Actor(kind="hook", name="client"), witness="observed")
    one, other = start(cell.journal, "one"), start(cell.journal, "other")
    first = do(cell.journal, "cp", execution_id=one, summary="the golden file")
    second = fail(cell.journal, "cp", execution_id=other, summary="the silver file")
    third = do(hook, "rm", execution_id=one, summary="golden too")
    assert _ids(cell.journal) == [first, second, third]
    assert _ids(cell.journal, newest_first=True) == [third, second, first]
    assert _ids(cell.journal, execution_id=one) == [first, third]
    assert _ids(cell.journal, tool="cp") == [first, second]
    assert _ids(cell.journal, tool="cp", execution_id=other) == [second]
    assert _ids(cell.journal, state="failed") == [second]
    assert _ids(cell.journal, actor="client") == [third]
    assert _ids(cell.journal, witness="observed") == [third]
    assert _ids(cell.journal, text="golden") == [first, third]
    assert _ids(cell.journal, text="file", execution_id=other) == [second]
    assert _ids(cell.journal, text="platinum") == []


@promise("actions-are-found-by-what-is-known-of-them")
def test_a_span_of_time_bounds_the_list_on_both_sides(cell: Cell) -> None:
    execution = start(cell.journal)
    made = []
    for number in range(4):
        made.append(do(cell.journal, f"t{number}", execution_id=execution))
        cell.clock.advance(3600)
    for newest_first in (False, True):
        step = -1 if newest_first else 1
        assert _ids(cell.journal, since="150m", newest_first=newest_first) == made[2:][::step]
        assert _ids(cell.journal, until="150m", newest_first=newest_first) == made[:2][::step]
        assert _ids(cell.journal, since="210m", until="90m", newest_first=newest_first) == made[1:3][::step]
        assert _ids(cell.journal, since="1m", newest_first=newest_first) == []


@promise("every-list-is-paged-and-bounded")
@pytest.mark.parametrize("newest_first", [False, True])
def test_a_timeline_is_paged_in_either_direction(journal: Journal, newest_first: bool) -> None:
    execution = start(journal)
    made = [do(journal, f"t{number % 2}", arguments={"n": number}, execution_id=execution) for number in range(7)]
    for tool, expected in ((None, made), ("t0", made[::2])):
        found: list[str] = []
        cursor = ""
        while True:
            page = journal.list_actions(limit=2, cursor=cursor or None, tool=tool, newest_first=newest_first)
            assert len(page.actions) <= 2
            found += [line.id for line in page.actions]
            cursor = page.next_cursor
            if not cursor:
                break
        assert found == (expected[::-1] if newest_first else expected)


@promise("every-list-is-paged-and-bounded")
def test_a_timeline_of_an_unknown_execution_is_refused(journal: Journal) -> None:
    start(journal)
    with pytest.raises(UnknownHandle):
        journal.list_actions(execution_id="ex_none")
    with pytest.raises(InvalidArgument, match="cursor"):
        journal.list_actions(cursor="ac_none")
    with pytest.raises(InvalidArgument):
        journal.list_actions(limit=2001)


@promise("every-list-is-paged-and-bounded")
def test_actions_are_found_by_the_task_and_the_plan_of_their_execution(journal: Journal) -> None:
    made = plan(journal, "one")
    first = journal.record_execution_start(task_id="T-1", plan_id=made.id).id
    second = journal.record_execution_start(task_id="T-2").id
    mine, other = do(journal, step="one", execution_id=first), do(journal, "touch", execution_id=second, undo="u")

    def found(**filters: Any) -> list[str]:
        return [each.id for each in journal.list_actions(**filters).actions]

    assert found(task_id="T-1") == found(plan_id=made.id) == [mine]
    assert found(task_id="T-2") == [other]
    assert found(task_id="T-3") == found(task_id="T-2", execution_id=first) == []
    for execution in (first, second):
        journal.record_decision(decision="stop", why="no more", execution_id=execution)
    assert [page.due for page in (journal.list_owed(), journal.list_owed(task_id="T-2"))] == [2, 1]
    assert journal.list_owed(tool="none").due == 0
