"""Sessions: one agent's process or conversation, with a lease."""

import pytest

from tallystick import Journal, UnknownHandle, WrongState
from tests.behaviour.scenarios import begin, entries, start
from tests.matrix import Cell
from tests.promises import promise


@promise("a-named-session-is-found-again")
def test_a_session_that_lives_is_found_by_its_name(cell: Cell) -> None:
    first = cell.journal.open_session(name="builder", lease_seconds=100)
    cell.clock.advance(60)
    again = cell.another("other").open_session(name="builder", lease_seconds=100)
    assert (again.id, again.expires) == (first.id, cell.clock() + 100_000_000)
    assert (first.repeated, again.repeated) == (False, True)
    cell.clock.advance(101)
    assert cell.journal.open_session(name="builder").id != first.id
    assert cell.journal.open_session().id != cell.journal.open_session().id


@promise("a-lease-is-an-hour-unless-told")
def test_a_lease_is_an_hour_from_the_last_call(cell: Cell) -> None:
    opened = cell.journal.open_session()
    assert opened.expires == cell.clock() + 3600_000_000
    agent = cell.another("agent two", session=opened.id)
    start(agent)
    for _ in range(3):
        cell.clock.advance(3000)
        agent.record_action(phase="note", summary="still here")
    cell.clock.advance(3599)
    assert {each.id: each.alive for each in cell.journal.list_sessions().sessions}[opened.id]
    cell.clock.advance(2)
    assert not {each.id: each.alive for each in cell.journal.list_sessions().sessions}[opened.id]


@promise("a-session-that-is-over-takes-nothing")
def test_a_session_that_is_over_takes_nothing(cell: Cell) -> None:
    agent = cell.mortal()
    start(agent)
    cell.kill(agent)
    with pytest.raises(WrongState, match="is over") as caught:
        agent.record_action(phase="begin", tool="touch")
    assert caught.value.next_call is not None
    assert caught.value.next_call[0] == "open_session"
    with pytest.raises(WrongState, match="is over"):
        cell.journal.renew_session(session_id=cell.session_of(agent))


@promise("a-session-that-is-over-takes-nothing")
def test_a_session_that_was_ended_cannot_be_ended_or_used(cell: Cell) -> None:
    agent = cell.mortal()
    cell.journal.end_session(session_id=cell.session_of(agent))
    with pytest.raises(WrongState, match="is over"):
        cell.journal.end_session(session_id=cell.session_of(agent))
    with pytest.raises(WrongState, match="is over"):
        agent.record_execution_start(title="more")
    with pytest.raises(UnknownHandle):
        cell.another(session="se_none").record_execution_start(title="more")


@promise("leaving-the-journal-ends-its-session")
def test_leaving_the_journal_leaves_its_open_actions_in_doubt(cell: Cell) -> None:
    with cell.another("first") as agent:
        start(agent)
        action = begin(agent, "touch")
        session = agent.list_executions().executions[0].session
    assert [item.action_id for item in cell.journal.list_in_doubt().in_doubt] == [action]
    found = {each.id: each for each in cell.journal.list_sessions().sessions}
    assert (found[session].alive, found[session].over_because) == (False, "ended")


@promise("sessions-are-listed")
def test_sessions_show_whether_they_live_and_why_not(cell: Cell) -> None:
    journal: Journal = cell.journal
    lapsing = journal.open_session(name="lapsing", lease_seconds=10)
    ended = journal.open_session(name="ended")
    living = journal.open_session(name="living", client="some agent", lease_seconds=5000)
    journal.end_session(session_id=ended.id)
    start(cell.another("busy", session=living.id))
    cell.clock.advance(11)
    found = {each.id: each for each in journal.list_sessions().sessions}
    assert {id: (each.alive, each.over_because) for id, each in found.items() if each.name} == {
        lapsing.id: (False, "lapsed"),
        ended.id: (False, "ended"),
        living.id: (True, ""),
    }
    assert (found[living.id].kind, found[living.id].client, found[living.id].actor) == ("handle", "some agent", "agent")
    assert found[living.id].expires > found[living.id].opened
    assert found[ended.id].ended
    assert {each.id for each in journal.list_sessions(status="ended").sessions} == {ended.id}


@promise("a-conversation-goes-on-in-a-new-session")
def test_an_execution_is_found_again_by_the_name_of_its_session(cell: Cell) -> None:
    first = cell.journal.open_session(name="thread 7", lease_seconds=60)
    execution = cell.another("agent", session=first.id).record_execution_start(title="work").id
    cell.clock.advance(61)
    second = cell.journal.open_session(name="thread 7", lease_seconds=60)
    again = cell.another("agent", session=second.id)
    assert second.id != first.id
    assert again.record_action(phase="begin", tool="mkdir", summary="make it").execution_id == execution


@promise("a-conversation-goes-on-in-a-new-session")
def test_another_conversation_means_no_execution_of_this_one(cell: Cell) -> None:
    first = cell.journal.open_session(name="thread 7", lease_seconds=600)
    cell.another("agent", session=first.id).record_execution_start(title="work")
    second = cell.journal.open_session(name="thread 8", lease_seconds=600)
    with pytest.raises(UnknownHandle):
        cell.another("agent", session=second.id).record_action(phase="begin", tool="mkdir", summary="make it")


@promise("a-session-has-to-be-known")
def test_an_unknown_session_is_an_error_on_a_read_too(cell: Cell) -> None:
    stranger = cell.another("stranger", session="se_none")
    reads = (
        stranger.get_brief,
        stranger.list_plans,
        stranger.read_entries,
        lambda: stranger.record_context(key="k", value=1),
    )
    for call in reads:
        with pytest.raises(UnknownHandle, match='There is no session "se_none"') as caught:
            call()
        assert caught.value.field == "session_id"
    assert entries(cell.journal) == ()
