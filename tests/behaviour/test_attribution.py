"""To which execution and step an observed call belongs, and which conversation works on an execution."""

import os

import pytest

from tallystick import Actor, AmbiguousExecution, InvalidArgument, Journal, Step, Undo, UnknownHandle, WrongState
from tallystick.operations.runtime.correlation import MAX_OBSERVERS_SCANNED
from tests.behaviour.scenarios import begin, end, entries, planned, step, steps_of, undo_list
from tests.behaviour.test_correlation import agent_in, over, seen, watched
from tests.matrix import Cell
from tests.promises import promise

CURSOR = Actor(kind="hook", name="cursor")


def _step(name: str) -> Step:
    call = {"command": f"do {name}"}
    undo = Undo(tool="Bash", arguments={"command": f"undo {name}"})
    return Step(id=name, title=name, tool="Bash", arguments=call, cancellable="reversible", undo=undo)


def _done(hook: Journal, call: str, command: str, outcome: str = "ok") -> None:
    seen(hook, call, arguments={"command": command})
    over(hook, call, outcome)


@promise("an-undo-that-is-seen-undoes")
def test_an_undo_that_is_seen_while_an_execution_is_unwound_undoes(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    execution = agent.record_plan(title="Move", steps=[_step("a"), _step("b"), _step("c")], start=True).execution_id
    _done(hook, "1", "do a")
    _done(hook, "2", "do b")
    _done(hook, "3", "undo a")  # no decision to unwind yet: it is work that no step plans
    agent.record_decision(execution_id=execution, decision="unwind", why="c is not possible")
    before = {item.action_id: item.state for item in undo_list(agent, execution)}
    _done(hook, "4", "undo b")
    _done(hook, "5", "undo a", "unknown")
    _done(hook, "6", "something else")
    states = [(item.step, item.state) for item in undo_list(agent, execution)]
    assert len(before) == 3
    assert states == [("", "not_undone"), ("a", "in_doubt"), ("", "may_be_undo")]


@promise("no-planned-step-begins-while-unwinding")
@pytest.mark.parametrize("paused", [False, True])
def test_a_planned_call_that_is_seen_while_unwinding_is_marked(cell: Cell, paused: bool) -> None:
    agent, hook = agent_in(cell), watched(cell)
    free = Step(id="free", title="any command", tool="Bash", cancellable="irreversible")
    execution = agent.record_plan(title="Move", steps=[_step("a"), _step("b"), free], start=True).execution_id
    _done(hook, "1", "do a")
    agent.record_decision(execution_id=execution, decision="unwind", why="b is not possible")
    if paused:
        agent.record_decision(execution_id=execution, decision="pause", why="it is late")
    _done(hook, "2", "do b")
    _done(hook, "3", "sweep the floor")
    _done(hook, "4", "undo a", "failed")
    _done(hook, "5", "undo a")
    facts = {call: entries(agent, id=_of(hook, call), kind="action_begun")[0].facts for call in "2345"}
    assert (facts["2"]["step"], facts["2"]["out_of_order"]) == ("b", True)
    assert facts["3"].get("step", "") == ""
    assert [facts[call].get("undoes", "") for call in "45"] == [_of(hook, "1")] * 2
    assert agent.get_action(action_id=_of(hook, "1")).undo_state == "undone"


@promise("no-planned-step-begins-while-unwinding")
def test_the_gateway_makes_no_planned_call_while_unwinding(cell: Cell) -> None:
    agent, gateway = agent_in(cell), watched(cell, actor=Actor(kind="gateway", name="gateway"))
    free = Step(id="free", title="any command", tool="Bash", cancellable="irreversible")
    execution = agent.record_plan(title="Move", steps=[_step("a"), _step("b"), free], start=True).execution_id
    _done(gateway, "1", "do a")
    announced = begin(agent, "Bash", step="b", arguments={"command": "do b"})
    agent.record_decision(execution_id=execution, decision="unwind", why="b is not possible")
    with pytest.raises(WrongState, match="is unwinding"):
        seen(gateway, "2", arguments={"command": "do b"})
    end(agent, announced, "failed", without_effect=True)
    with pytest.raises(WrongState, match="is unwinding"):
        seen(gateway, "3", arguments={"command": "do b"})
    _done(gateway, "4", "sweep the floor")
    undoing = begin(agent, "Bash", kind="undo", undoes=_of(gateway, "1"), step="a", arguments={"command": "undo a"})
    _done(gateway, "5", "undo a")
    assert agent.get_action(action_id=undoing).state == "ok"
    assert agent.get_action(action_id=_of(gateway, "1")).undo_state == "undone"


@promise("what-is-seen-finds-its-place")
def test_a_decision_adopts_an_execution_that_another_conversation_left(cell: Cell) -> None:
    first = agent_in(cell, "claude-code:1")
    execution = first.record_plan(title="Move", steps=[_step("a"), _step("b")], start=True).execution_id
    _done(watched(cell, "claude-code:1"), "1", "do a")
    agent, hook = agent_in(cell, "claude-code:2"), watched(cell, "claude-code:2")
    _done(hook, "2", "look around")
    assert agent.get_action(action_id=_of(hook, "2")).execution_id != execution
    agent.record_decision(execution_id=execution, decision="continue", why="the first one is gone")
    _done(hook, "3", "do b")
    assert {name: step.actual for name, step in steps_of(agent, execution).items()} == {"a": "done", "b": "done"}


@promise("what-is-seen-finds-its-place")
def test_of_two_plans_of_a_conversation_a_call_is_of_the_one_that_it_fits(cell: Cell) -> None:
    agent, hook = agent_in(cell), watched(cell)
    older = agent.record_plan(title="Move", steps=[_step("a"), _step("b")], start=True).execution_id
    newer = agent.record_plan(title="Clean", steps=[_step("c")], start=True).execution_id
    _done(hook, "1", "do a")
    _done(hook, "2", "do c")
    _done(hook, "3", "something else")
    assert {name: step.actual for name, step in steps_of(agent, older).items()} == {"a": "done", "b": "planned"}
    assert {name: step.actual for name, step in steps_of(agent, newer).items()} == {"c": "done"}
    assert agent.get_status(execution_id=older).execution.unplanned == 0
    assert agent.get_status(execution_id=newer).execution.unplanned == 1


@promise("what-is-seen-finds-its-place")
def test_of_several_conversations_the_one_that_was_seen_at_work_on_a_plan_carries_it_out(cell: Cell) -> None:
    """As in Cursor: one server for all conversations, which gets the id of none of them."""
    agent = cell.another("agent", session=cell.journal.open_session(client="cursor").id)
    execution = agent.record_plan(title="Move", steps=[_step("a"), _step("b")], start=True).execution_id
    first, second = watched(cell, "cursor:1", CURSOR), watched(cell, "cursor:2", CURSOR)
    first.record_note(event="took_up", execution_id=execution)
    _done(second, "1", "do a")
    _done(first, "2", "do b")
    assert {name: step.actual for name, step in steps_of(agent, execution).items()} == {"a": "planned", "b": "done"}
    assert agent.get_status(execution_id=execution).execution.unplanned == 0
    second.record_note(event="took_up", execution_id=execution)
    _done(second, "3", "do a")
    assert steps_of(agent, execution)["a"].actual == "done"


@promise("what-is-seen-finds-its-place")
def test_the_plan_of_an_agent_that_is_watched_is_not_carried_out_by_another_one(cell: Cell) -> None:
    agent = cell.another("agent", session=cell.journal.open_session(client="cursor").id)
    execution = agent.record_plan(title="Move", steps=[_step("a")], start=True).execution_id
    other = watched(cell, "claude-code:2")
    watched(cell, "cursor:1", CURSOR)
    _done(other, "1", "do a")
    assert steps_of(agent, execution)["a"].actual == "planned"
    assert agent.get_status(execution_id=execution).execution.unplanned == 0


@promise("what-is-seen-finds-its-place")
def test_an_execution_adopted_elsewhere_gets_no_calls_until_it_is_taken_back(cell: Cell) -> None:
    agent, hook = agent_in(cell, "one:1"), watched(cell, "one:1")
    other = watched(cell, "two:2")
    execution = agent.record_plan(title="Move", steps=[_step("a"), _step("b")], start=True).execution_id
    other.record_note(event="took_up", execution_id=execution)
    _done(hook, "1", "do a")
    assert steps_of(agent, execution)["a"].actual == "planned"
    agent.record_decision(execution_id=execution, decision="continue", why="they are gone")
    hook.record_note(event="took_up", execution_id=execution)
    _done(other, "2", "do b")
    assert steps_of(agent, execution)["b"].actual == "planned"
    _done(hook, "3", "do b")
    assert steps_of(agent, execution)["b"].actual == "done"


@promise("what-is-seen-finds-its-place")
def test_the_next_decision_is_about_the_adopted_execution(cell: Cell) -> None:
    left = agent_in(cell, "one:1").record_plan(title="Move", steps=[_step("a")], start=True).execution_id
    agent, hook = agent_in(cell, "two:2"), watched(cell, "two:2")
    _done(hook, "1", "look around")  # which opens an execution for what is seen
    assert f"execution_id={left}" in agent.get_brief(execution_id=left).text
    agent.record_decision(execution_id=left, decision="continue", why="the first one is gone")
    assert "Another conversation" not in agent.get_brief().text
    _done(hook, "2", "do a")
    assert agent.record_decision(decision="done").execution_id == left


@promise("what-is-seen-finds-its-place")
def test_a_session_that_may_serve_several_conversations_has_to_name_the_execution(cell: Cell) -> None:
    agent = cell.another("agent", session=cell.journal.open_session(client="cursor").id)
    execution = agent.record_plan(title="Move", steps=[_step("a")], start=True).execution_id
    first = _in_process(cell, "cursor:1")
    first.record_note(event="took_up", execution_id=execution)
    assert agent.record_decision(decision="continue", why="alone").execution_id == execution
    _in_process(cell, "cursor:2")
    with pytest.raises(AmbiguousExecution, match=execution):
        agent.record_decision(decision="done", why="which of the two says so?")
    assert agent.record_decision(execution_id=execution, decision="pause", why="named").status == "paused"


@promise("what-is-seen-finds-its-place")
def test_after_its_client_changed_conversation_a_session_has_to_name_the_execution(cell: Cell) -> None:
    """As with `/clear` in Claude Code: the server keeps running, and does not learn of the new conversation."""
    agent, before = agent_in(cell, "claude-code:1"), _in_process(cell, "claude-code:1")
    execution = agent.record_plan(title="Move", steps=[_step("a")], start=True).execution_id
    assert agent.record_decision(decision="continue", why="alone").execution_id == execution
    before.end_session(reason="clear")
    now = _in_process(cell, "claude-code:2")
    with pytest.raises(AmbiguousExecution, match=execution):
        agent.record_decision(decision="done", why="that was all")
    agent.record_decision(execution_id=execution, decision="continue", why="the other one has left it")
    now.record_note(event="took_up", execution_id=execution)
    assert agent.record_decision(decision="done", why="taken up", incomplete=True).execution_id == execution


@promise("what-is-seen-finds-its-place")
def test_observers_are_found_among_any_number_of_other_sessions(cell: Cell) -> None:
    agent = cell.another("agent", session=cell.journal.open_session(client="cursor").id)
    execution = agent.record_plan(title="Move", steps=[_step("a")], start=True).execution_id
    _in_process(cell, "cursor:1").record_note(event="took_up", execution_id=execution)
    _in_process(cell, "cursor:2")
    for number in range(MAX_OBSERVERS_SCANNED + 1):
        cell.journal.open_session(client=f"crowd {number}")
    with pytest.raises(AmbiguousExecution, match=execution):
        agent.record_decision(decision="done", why="which of the two says so?")


def _in_process(cell: Cell, conversation: str) -> Journal:
    """A hook of a client with a known process: this one."""
    opener = cell.another(CURSOR, witness="observed")
    session = opener.open_session(kind="client", name=conversation, client="cursor", process=os.getpid())
    return cell.another(CURSOR, witness="observed", session=session.id)


@promise("what-is-seen-finds-its-place")
def test_only_the_event_took_up_names_an_execution(cell: Cell) -> None:
    hook = watched(cell)
    with pytest.raises(InvalidArgument, match="took_up"):
        hook.record_note(event="took_up")
    with pytest.raises(InvalidArgument, match="took_up"):
        hook.record_note(event="prompt", execution_id=agent_in(cell).record_execution_start(title="work").id)
    with pytest.raises(UnknownHandle):
        hook.record_note(event="took_up", execution_id="ex_nope")


def _of(hook: Journal, call: str) -> str:
    """The action of a call: reporting its begin again changes nothing."""
    return str(seen(hook, call, arguments={"command": "look around"}).id)


@promise("a-retry-takes-its-step")
def test_an_observed_retry_carries_out_the_step_that_failed_or_is_in_doubt(cell: Cell) -> None:
    execution = planned(cell.journal, step("make", tool="make"), step("fill", tool="fill"))
    adapter = cell.another(Actor(kind="agent", name="adapter"), witness="observed")
    for number, outcome in enumerate(("failed", "unknown", "ok")):
        action = begin(adapter, "mcp__db__make", execution_id=execution, call_id=f"c{number}", arguments={"n": 1})
        end(adapter, action, outcome, error="" if outcome == "ok" else "no luck")
    end(adapter, begin(adapter, "mcp__db__fill", execution_id=execution, call_id="last"))
    views = {view.id: (view.actual, view.attempts) for view in cell.journal.get_status(execution_id=execution).steps}
    assert views == {"make": ("done", 3), "fill": ("done", 1)}
    assert cell.journal.get_status(execution_id=execution).execution.unplanned == 0
    assert "fill" in [item.step for item in undo_list(cell.journal, execution)]


@promise("a-retry-takes-its-step")
def test_an_intention_leaves_a_step_in_doubt_to_whoever_settles_it(cell: Cell) -> None:
    execution = planned(cell.journal, step("make", tool="make"))
    gateway = cell.another(Actor(kind="gateway", name="gateway"), witness="observed")
    end(gateway, begin(gateway, "make", execution_id=execution, arguments={"n": 1}), "unknown", error="?")
    begin(gateway, "make", execution_id=execution, arguments={"n": 2})
    begun = entries(cell.journal, kind="action_begun")
    assert [entry.facts.get("step", "") for entry in begun] == ["make", ""]
