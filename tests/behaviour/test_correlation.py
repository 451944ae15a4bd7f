"""Calls that hooks, the gateway and the agent report: one action each, always recorded once they have happened."""

import os
from datetime import datetime, timedelta
from typing import Any

import pytest

from tallystick import (
    Actor,
    AlreadyDone,
    InDoubtOpen,
    InvalidArgument,
    Journal,
    NotPermitted,
    UnknownHandle,
    WrongState,
)
from tests.behaviour.scenarios import begin, end, entries, planned, start, step, undo_list
from tests.matrix import Cell
from tests.promises import promise

HOOK = Actor(kind="hook", name="claude-code")
GATEWAY = Actor(kind="gateway", name="gateway")


def watched(cell: Cell, conversation: str = "claude-code:1", actor: Actor = HOOK) -> Journal:
    """Somebody who sees what happens in a conversation."""
    opener = cell.another(actor, witness="observed")
    session = opener.open_session(kind="client", name=conversation, client=actor.name)
    return cell.another(actor, witness="observed", session=session.id)


def agent_in(cell: Cell, conversation: str = "claude-code:1") -> Journal:
    """The agent itself, in its own session of a conversation."""
    return cell.another("agent", session=cell.journal.open_session(name=conversation).id)


def seen(journal: Journal, call_id: str, tool: str = "Bash", **more: Any) -> Any:
    return journal.record_action(phase="begin", tool=tool, call_id=call_id, **more)


def over(journal: Journal, call_id: str, outcome: Any = "ok", **more: Any) -> Any:
    return journal.record_action(phase="end", call_id=call_id, outcome=outcome, **more)


@promise("a-call-is-one-action")
@pytest.mark.parametrize("first", ["hook", "gateway"])
def test_a_call_that_two_saw_is_one_action(cell: Cell, first: str) -> None:
    hook, gateway = watched(cell), watched(cell, actor=GATEWAY)
    one, other = (hook, gateway) if first == "hook" else (gateway, hook)
    begun = seen(one, "toolu_1", arguments={"command": "make"})
    joined = seen(other, "toolu_1", "mcp__shell__run", arguments={"command": "make"})
    assert joined.id == begun.id
    assert seen(one, "toolu_1").repeated
    assert over(gateway, "toolu_1").state == "ok"
    assert over(hook, "toolu_1").repeated
    assert over(hook, "toolu_1", "unknown").repeated
    assert one.get_status().execution.actions == {"ok": 1}
    assert len(undo_list(one)) == 1


@promise("a-call-is-one-action")
def test_two_that_disagree_put_it_in_doubt(cell: Cell) -> None:
    hook, gateway = watched(cell), watched(cell, actor=GATEWAY)
    action = seen(hook, "c").id
    over(gateway, "c", "ok")
    assert over(hook, "c", "failed", error="exit 1").state == "in_doubt"
    assert [item.action_id for item in hook.list_in_doubt().in_doubt] == [action]


@promise("a-call-is-one-action")
def test_an_outcome_that_one_did_not_see_is_settled_by_the_other(cell: Cell) -> None:
    hook, gateway = watched(cell), watched(cell, actor=GATEWAY)
    seen(gateway, "c")
    assert over(hook, "c", "unknown", error="the turn is over").state == "in_doubt"
    assert over(gateway, "c", "ok").state == "ok"
    assert hook.list_in_doubt().in_doubt == ()


@promise("the-nearest-witness-decides")
@pytest.mark.parametrize("reported", ["ok", "failed", "skipped"])
@pytest.mark.parametrize("first", ["hook", "gateway"])
def test_a_call_with_an_outcome_unknown_to_the_gateway_stays_in_doubt_after_any_report_of_a_hook(
    cell: Cell, first: str, reported: str
) -> None:
    hook, gateway = watched(cell), watched(cell, actor=GATEWAY)
    for who in (hook, gateway) if first == "hook" else (gateway, hook):
        seen(who, "c", "mcp__bank__pay", arguments={"amount": 40})
    over(gateway, "c", "unknown", error="the server died")
    assert over(hook, "c", reported, error="The server died. Look at the real system.").repeated
    (doubtful,) = hook.list_in_doubt().in_doubt
    with pytest.raises(InDoubtOpen):
        seen(gateway, "d", "mcp__bank__pay", arguments={"amount": 40})
    end(agent_in(cell), doubtful.action_id, "ok", evidence="the bank shows it")
    assert hook.list_in_doubt().in_doubt == ()


@promise("the-nearest-witness-decides")
@pytest.mark.parametrize("reported", ["ok", "failed"])
def test_a_call_of_a_gateway_that_is_gone_is_in_doubt_and_a_hook_cannot_settle_it(cell: Cell, reported: str) -> None:
    hook = watched(cell)
    opener = cell.another(GATEWAY, witness="observed")
    session = opener.open_session(name="claude-code:1", lease_seconds=60).id
    gateway = cell.another(GATEWAY, witness="observed", session=session)
    action = seen(hook, "c").id
    assert seen(gateway, "c").id == action
    assert hook.get_action(action_id=action).state == "open"
    cell.clock.advance(120)
    assert hook.get_action(action_id=action).state == "in_doubt"
    assert over(hook, "c", reported, error="Connection closed").state == "in_doubt"
    assert "Connection closed" in hook.get_action(action_id=action).end_body["error"]
    assert over(hook, "c", reported, error="Connection closed").repeated
    assert len(undo_list(hook)) == 1


@promise("a-call-is-one-action")
def test_the_end_of_a_call_without_a_begin_names_the_fix(cell: Cell) -> None:
    with pytest.raises(UnknownHandle, match="begin") as refused:
        over(watched(cell), "never")
    assert refused.value.field == "call_id"


@promise("a-call-is-one-action")
def test_ids_of_any_form_name_a_call(cell: Cell) -> None:
    hook = watched(cell)
    for call in ("ghp_" + "a1B2" * 9, "é" * 200, "a b\tc".replace("\t", " ")):
        action = seen(hook, call).id
        assert over(hook, call).id == action


@promise("a-claim-and-its-call-are-one-action")
def test_an_observed_call_is_the_action_that_the_agent_announced(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    start(agent)
    claimed = begin(agent, "Bash", arguments={"command": "make"}, undo="make clean")
    joined = seen(hook, "c", "Bash", arguments={"command": "make", "description": "build it"})
    assert joined.id == claimed
    assert seen(hook, "d", "Bash", arguments={"command": "make"}).id != claimed
    over(hook, "c", "ok", result="built")
    assert end(agent, claimed, "ok", summary="it is built").state == "ok"
    with pytest.raises(WrongState):
        end(agent, claimed, "failed")
    assert [entry.witness for entry in entries(agent, id=claimed)] == ["claimed", "observed", "observed", "claimed"]


@promise("a-claim-and-its-call-are-one-action")
def test_another_call_is_not_the_one_that_was_claimed(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    start(agent)
    claimed = begin(agent, "Bash", arguments={"command": "make"})
    assert seen(hook, "c", "Bash", arguments={"command": "rm -r build"}).id != claimed
    assert seen(hook, "d", "Write", arguments={"command": "make"}).id != claimed


@promise("what-is-seen-finds-its-place")
def test_work_belongs_to_the_execution_that_the_agent_opened_in_the_conversation(cell: Cell) -> None:
    hook, other = watched(cell), watched(cell, "claude-code:2")
    before = seen(hook, "a").execution_id
    execution = planned(agent_in(cell), step("build", tool="Bash"), step("send", tool="mcp__mail__send"))
    assert seen(hook, "b", arguments={"command": "make"}).execution_id == execution != before
    assert seen(other, "c").execution_id not in (execution, before)
    assert hook.get_status(execution_id=before).execution.title == "Observed: claude-code"


@promise("what-is-seen-finds-its-place")
def test_a_session_gets_one_execution_for_calls_that_belong_to_none(cell: Cell) -> None:
    hook = watched(cell)
    first, second = seen(hook, "a"), seen(hook, "b")
    assert first.execution_id == second.execution_id
    assert hook.get_status().execution.status == "running"


@promise("what-is-seen-finds-its-place")
def test_a_call_takes_the_step_that_it_fits(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = planned(
        agent,
        step("test", tool="Bash", arguments={"command": "make test"}),
        step("send", tool="send_mail", arguments={"to": "ada"}),
        step("again", tool="Bash", arguments={"command": "make test"}),
    )
    calls = [
        ("a", "Bash", {"command": "ls"}),
        ("b", "Bash", {"command": "make test", "timeout": 60}),
        ("c", "mcp__mail__send_mail", {"to": "ada", "text": "hi"}),
        ("d", "mcp__mail__send_mail", {"to": "eve"}),
        ("e", "Bash", {"command": "make test"}),
    ]
    for call, tool, arguments in calls:
        seen(hook, call, tool, arguments=arguments)
        over(hook, call)
    status = agent.get_status(execution_id=execution)
    assert {each.id: each.actual for each in status.steps} == {"test": "done", "send": "done", "again": "done"}
    assert status.execution.unplanned == 2


@promise("an-intention-can-be-refused")
def test_the_gateway_is_refused_a_call_that_a_hook_only_marked(cell: Cell) -> None:
    agent, hook, gateway = agent_in(cell), watched(cell), watched(cell, actor=GATEWAY)
    start(agent)
    pay: dict[str, Any] = {"arguments": {"amount": 40}}
    seen(gateway, "a", "pay", **pay)
    over(gateway, "a")
    with pytest.raises(AlreadyDone):
        seen(gateway, "b", "pay", **pay)
    action = seen(hook, "c", "pay", **pay).id
    with pytest.raises(AlreadyDone):
        seen(gateway, "c", "pay", **pay)
    assert seen(gateway, "c", "pay", again="a second ticket", **pay).id == action
    agent.record_decision(decision="pause", why="wait")
    assert seen(hook, "d").id
    with pytest.raises(WrongState):
        seen(gateway, "d")


@promise("an-intention-can-be-refused")
def test_an_approval_is_used_once_though_a_hook_saw_the_call_first(cell: Cell) -> None:
    agent, hook, gateway, person = agent_in(cell), watched(cell), watched(cell, actor=GATEWAY), cell.person()
    execution = start(agent)
    call: dict[str, Any] = {"tool": "pay", "arguments": {"amount": 40}}
    approval = gateway.request_approval(execution_id=execution, question="Pay?", **call)
    person.decide_approval(approval_id=approval.id, verdict="approve")
    hook.record_action(phase="begin", call_id="a", **call)
    gateway.record_action(phase="begin", call_id="a", approval_id=approval.id, **call)
    assert gateway.get_approval(approval_id=approval.id).status == "used"
    with pytest.raises((WrongState, NotPermitted, AlreadyDone)):
        gateway.record_action(phase="begin", call_id="b", approval_id=approval.id, again="more", **call)


@promise("an-observation-is-always-recorded")
def test_a_word_that_comes_after_the_session_is_recorded(cell: Cell) -> None:
    hook = watched(cell)
    seen(hook, "a")
    session = hook.list_sessions(name="claude-code:1").sessions[0].id
    hook.end_session(session_id=session)
    late = seen(hook, "b")
    assert len(hook.list_in_doubt().in_doubt) == 2
    assert over(hook, "a").state == over(hook, "b").state == "ok"
    assert hook.list_in_doubt().in_doubt == ()
    assert late.execution_id


@promise("an-effect-is-known-by-who-saw-it")
def test_two_secrets_that_are_masked_stay_two_effects(cell: Cell) -> None:
    hook = watched(cell)
    keys = ["e1:" + letter * 32 for letter in "ab"]
    made = [seen(hook, key, "login", arguments={"password": "[masked:password]"}, effect_key=key).id for key in keys]
    facts = [entries(hook, id=action)[0].facts["effect_key"] for action in made]
    assert facts == keys
    with pytest.raises(InvalidArgument, match="effect_key"):
        begin(cell.journal, "login", execution_id=start(cell.journal), effect_key=keys[0])


@promise("what-a-harness-tells-is-kept")
def test_a_note_that_is_no_action_belongs_to_its_session(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    first = hook.record_note(event="prompt", summary="deploy it", seen_at="2026-11-16T07:00:00Z")
    execution = start(agent)
    second = hook.record_note(event="denied", summary="not this", call_id="c", agent="reviewer", key="n2")
    assert hook.record_note(event="denied", summary="not this", call_id="c", agent="reviewer", key="n2").repeated
    notes = entries(hook, kind="session_noted")
    assert [(note.seq, note.facts["event"], note.execution_id) for note in notes] == [
        (first.seq, "prompt", ""),
        (second.seq, "denied", execution),
    ]
    assert notes[0].body == {"summary": "deploy it", "seen_at": "2026-11-16T07:00:00Z"}


@promise("sessions-of-two-kinds-stay-two")
def test_observers_and_agents_have_separate_sessions(cell: Cell) -> None:
    named: dict[str, Any] = {"name": "claude-code:1"}
    acting = cell.journal.open_session(**named).id
    watching = cell.journal.open_session(kind="client", client="claude-code", **named).id
    assert acting != watching
    assert cell.journal.open_session(**named).id == acting
    assert cell.journal.open_session(kind="client", **named).id == watching


@promise("coverage-is-stated")
def test_coverage_counts_the_observed_calls_of_each_session(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    planned(agent, step("build", tool="Bash", arguments={"command": "a"}))
    for call in ("a", "b", "c"):
        seen(hook, call, arguments={"command": call})
    over(hook, "a")
    over(hook, "b", "unknown")
    (found,) = hook.get_coverage().seen
    assert (found.observer.client, found.observer.conversation) == ("claude-code", "claude-code:1")
    assert (found.begun, found.ended, found.in_doubt, found.unplanned) == (3, 1, 1, 2)
    assert hook.get_coverage(client="codex").seen == ()
    hook.end_session(session_id=found.observer.session)
    assert hook.get_coverage().seen[0].in_doubt == 2
    (client, counted), *rest = hook.get_stats().coverage.items()
    assert (client, counted.sessions, counted.begun, counted.ended, counted.in_doubt) == ("claude-code", 1, 3, 1, 2)
    assert rest == []


@promise("an-intention-can-be-refused")
def test_a_call_through_the_gateway_has_the_gateway_s_effect_key(cell: Cell) -> None:
    agent, hook, gateway = agent_in(cell), watched(cell), watched(cell, actor=GATEWAY)
    start(agent)
    pay: dict[str, Any] = {"arguments": {"amount": 40}}
    for call in ("a", "b"):
        seen(hook, call, "mcp__tallystick__pay", **pay)
    seen(gateway, "a", "mcp__bank__pay", **pay)
    over(gateway, "a")
    with pytest.raises(AlreadyDone):
        seen(gateway, "b", "mcp__bank__pay", **pay)
    look = seen(hook, "c", "mcp__tallystick__look").id
    seen(gateway, "c", "mcp__bank__look", effect="read")
    assert look not in [item.action_id for item in undo_list(hook)]
    assert hook.get_status().execution.undo_states == {"not_undone": 2}


@promise("a-call-is-one-action")
def test_a_call_that_was_never_made_stays_so_after_any_report_of_its_caller(cell: Cell) -> None:
    hook, gateway = watched(cell), watched(cell, actor=GATEWAY)
    action = seen(hook, "a").id
    assert over(gateway, "a", "skipped", without_effect=True, error="refused").state == "skipped"
    for reported in ("failed", "ok"):
        assert over(hook, "a", reported).repeated
    assert hook.get_action(action_id=action).state == "skipped"
    assert undo_list(hook) == []


@promise("coverage-is-stated")
def test_an_observer_s_last_activity_is_when_it_saw_something(cell: Cell) -> None:
    opener = cell.another(HOOK, witness="observed")
    conversation: dict[str, Any] = {"kind": "client", "name": "claude-code:1", "process": os.getpid()}
    session = opener.open_session(**conversation).id
    opened = datetime.fromisoformat(opener.list_sessions().sessions[0].opened)
    cell.clock.advance(60)
    for seconds in (20, 40, 30):  # the time of the event counts, not that of the drain
        at = (opened + timedelta(seconds=seconds)).isoformat()
        assert opener.open_session(seen_at=at, **conversation).id == session
        seen(cell.another(HOOK, witness="observed", session=session), f"call {seconds}")
    last_event = datetime.fromisoformat(opener.get_coverage().seen[0].observer.last_event)
    assert last_event == opened + timedelta(seconds=40)


@promise("coverage-is-stated")
def test_hooks_that_stop_in_the_middle_are_missed_by_the_next_query(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = start(agent)
    seen(hook, "a")
    begin(agent, "Bash", arguments={"command": "ls"})
    coverage = agent.get_status(execution_id=execution).coverage
    assert coverage is not None
    assert [(each.client, each.silent) for each in coverage.observers] == [("claude-code", False)]
    cell.clock.advance(60)
    begin(agent, "Write", arguments={"path": "x"})
    coverage = agent.get_status(execution_id=execution).coverage
    assert coverage is not None
    assert [each.silent for each in coverage.observers] == [True]
    assert "stopped" in agent.get_brief(execution_id=execution).text


@promise("coverage-is-stated")
def test_observers_of_another_client_or_of_a_later_time_are_not_listed(cell: Cell) -> None:
    """A client that does not report its conversation counts as observed if an observer of its kind was present at the
    time."""
    opened = cell.journal.open_session(name="mcp", client="Claude Code")
    agent = cell.another("agent", session=opened.id)
    others = cell.another("payer", session=cell.journal.open_session(name="script", client="tallystick").id)
    early, library = start(agent, "before anybody watched"), start(others, "a library's")
    cell.clock.advance(10)
    hook = watched(cell)
    seen(hook, "a")
    handle = cell.another(HOOK, witness="observed")
    rest = handle.open_session(name="rest:agent:obs", client="rest").id
    seen(cell.another(HOOK, witness="observed", session=rest), "b")
    rest_agent = cell.another("agt", session=cell.journal.open_session(name="rest:agent:agt", client="rest").id)
    over_rest = start(rest_agent, "through the same interface as another's observer")
    late = start(agent, "while somebody watches")
    start(others, "a library's, too")

    def observers(execution: str) -> list[str]:
        coverage = agent.get_status(execution_id=execution).coverage
        return [each.client for each in coverage.observers] if coverage else []

    assert observers(early) == []
    assert observers(library) == []
    assert observers(over_rest) == []
    assert observers(late) == ["claude-code"]


@promise("coverage-is-stated")
def test_a_hook_that_is_heard_every_few_seconds_is_never_missed(cell: Cell) -> None:
    """Its lease lasts an hour, and each report soon after another one must still count."""
    agent, hook = agent_in(cell), watched(cell)
    execution = start(agent)
    for call in range(8):
        cell.clock.advance(8)
        seen(hook, f"{call}")
        begin(agent, "Bash", arguments={"n": call})
        coverage = agent.get_status(execution_id=execution).coverage
        assert coverage is not None
        assert [each.silent for each in coverage.observers] == [False]


@promise("coverage-is-stated")
@pytest.mark.parametrize("first", ["hook", "gateway"])
def test_the_second_observer_of_a_call_is_counted_too(cell: Cell, first: str) -> None:
    hook = watched(cell)
    gateway = cell.another(GATEWAY, witness="observed", session=_gateways_session(cell))
    one, other = (hook, gateway) if first == "hook" else (gateway, hook)
    seen(one, "a")
    seen(other, "a")
    over(gateway, "a")
    over(hook, "a")
    counts = {each.observer.client: (each.begun, each.joined) for each in hook.get_coverage().seen}
    assert counts == ({"claude-code": (1, 0), "": (0, 1)} if first == "hook" else {"claude-code": (0, 1), "": (1, 0)})


@promise("coverage-is-stated")
def test_hooks_that_stop_are_missed_by_anybody_when_the_gateway_sees_the_agent_act(cell: Cell) -> None:
    hook = watched(cell)
    gateway = cell.another(GATEWAY, witness="observed", session=_gateways_session(cell))
    for who in (hook, gateway):
        seen(who, "a")
    cell.clock.advance(60)
    assert [each.observer.silent for each in cell.journal.get_coverage(client="claude-code").seen] == [False]
    seen(gateway, "b", "mcp__bank__pay")
    assert [each.observer.silent for each in cell.journal.get_coverage(client="claude-code").seen] == [True]


@promise("coverage-is-stated")
def test_silent_hooks_are_noticed_when_the_agent_records_something(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    start(agent)
    seen(hook, "a")
    cell.clock.advance(60)
    assert cell.journal.get_stats().coverage["claude-code"].silent is False
    agent.record_context(key="found", value="something")
    assert [each.observer.silent for each in cell.journal.get_coverage(client="claude-code").seen] == [True]
    coverage = cell.journal.get_stats().coverage["claude-code"]
    assert (coverage.silent, coverage.begun) == (True, 1)
    assert coverage.last_event == cell.journal.get_coverage(client="claude-code").seen[0].observer.last_event


def _gateways_session(cell: Cell) -> str:
    return cell.another(GATEWAY, witness="observed").open_session(name="claude-code:1").id
