"""Decisions about what is owed and in doubt: keep and settle."""

from typing import Any

import pytest

from tallystick import InDoubtOpen, InvalidArgument, Journal, UnknownHandle, WrongState
from tests.behaviour.scenarios import begin, do, end, entries, owed, planned, start, status, undo, undo_list
from tests.behaviour.test_correlation import agent_in, seen, watched
from tests.matrix import Cell
from tests.promises import promise


def kept(journal: Journal, execution: str) -> dict[str, str]:
    """The reasons of what is kept, by action."""
    items = journal.get_undo_list(execution_id=execution, state="kept", limit=100).items
    return {item.action_id: item.why for item in items}


@promise("keep-takes-off-what-is-owed")
def test_an_action_is_kept_with_a_reason(journal: Journal) -> None:
    execution = start(journal)
    first, second = do(journal, "touch", undo="remove it"), do(journal, "paint", undo="scrape it off")
    with pytest.raises(InvalidArgument, match="why"):
        journal.record_decision(decision="keep", action_id=first)
    journal.record_decision(decision="unwind", why="start over")
    receipt = journal.record_decision(decision="keep", action_id=first, why="the file is wanted")
    assert (receipt.kept, receipt.status) == (1, "unwinding")
    assert [item.action_id for item in undo_list(journal, execution)] == [second]
    assert [item.action_id for item in owed(journal)] == [second]
    assert journal.get_undo_list(execution_id=execution).counts == {"kept": 1, "not_undone": 1}
    assert kept(journal, execution) == {first: "the file is wanted"}
    undo(journal, second)
    assert journal.record_decision(decision="done").unfinished == {}
    assert journal.get_action(action_id=first).undo_state == "kept"


@promise("keep-takes-off-what-is-owed")
def test_a_step_or_all_of_it_is_kept_also_after_the_end(journal: Journal) -> None:
    execution = planned(journal, "one", "two")
    tried = begin(journal, step="one")
    end(journal, tried, "failed")
    one, two, free = do(journal, step="one"), do(journal, step="two"), do(journal, "sing")
    journal.record_decision(decision="fail", why="no audience")
    receipt = journal.record_decision(decision="keep", execution_id=execution, step="one", why="it is wanted")
    assert (receipt.kept, set(kept(journal, execution))) == (2, {tried, one})
    journal.record_decision(decision="keep", execution_id=execution, why="all of it")
    assert set(kept(journal, execution)) == {tried, one, two, free}
    assert (owed(journal), status(journal, execution)) == ([], "failed")
    with pytest.raises(WrongState, match="not on the undo list"):
        journal.record_decision(decision="keep", execution_id=execution, why="once more")
    with pytest.raises(WrongState, match="not on the undo list"):
        journal.record_decision(decision="keep", action_id=one, why="once more")


@promise("keep-takes-off-what-is-owed")
def test_keeping_settles_no_doubt(journal: Journal) -> None:
    execution = start(journal)
    lost = begin(journal, "pay", undo="refund")
    end(journal, lost, "unknown")
    journal.record_decision(decision="stop", why="the bank is closed")
    journal.record_decision(decision="keep", action_id=lost, why="it was due anyway")
    assert (owed(journal), [item.action_id for item in journal.list_in_doubt().in_doubt]) == ([], [lost])
    end(journal, lost, "ok", evidence="the receipt came")
    assert (owed(journal), kept(journal, execution)) == ([], {lost: "it was due anyway"})


@promise("keep-takes-off-what-is-owed")
def test_keep_after_the_end_without_an_execution_names_the_one_that_owes(journal: Journal) -> None:
    execution = planned(journal, "copy")
    do(journal, step="copy")
    journal.record_decision(decision="stop", why="enough")
    with pytest.raises(UnknownHandle) as caught:
        journal.record_decision(decision="keep", step="copy", why="it is wanted")
    keep = {"decision": "keep", "execution_id": execution, "step": "copy", "why": "..."}
    assert caught.value.next_call == ("record_decision", keep)
    assert journal.record_decision(**keep).kept == 1  # type: ignore[arg-type]


@promise("a-contradiction-is-doubt")
def test_contrary_evidence_reopens_what_was_kept(journal: Journal) -> None:
    execution = start(journal)
    paid = do(journal, "pay", undo="refund")
    journal.record_decision(decision="stop", why="enough")
    journal.record_decision(decision="keep", action_id=paid, why="it was due")
    end(journal, paid, "failed", evidence="the bank knows nothing of it")
    assert [(item.action_id, item.certain) for item in owed(journal)] == [(paid, False)]
    assert kept(journal, execution) == {}


@promise("a-contradiction-is-doubt")
@pytest.mark.parametrize("contrary", ["failed", "unknown"])
def test_an_undo_that_did_not_succeed_after_all_reopens_what_was_kept_before(journal: Journal, contrary: str) -> None:
    execution = start(journal)
    mail = do(journal, "mail", undo="send a correction", cancellable="partially-reversible")
    file = do(journal, "touch", undo="remove it")
    journal.record_decision(decision="unwind", why="start over")
    removed, corrected = begin(journal, kind="undo", undoes=file), undo(journal, mail)
    journal.record_decision(decision="keep", execution_id=execution, why="that is enough")
    end(journal, removed)
    assert owed(journal) == []
    for each in (removed, corrected):
        end(journal, each, contrary, evidence="I looked again")
    assert {item.action_id: item.state for item in owed(journal)} == {file: "in_doubt", mail: "in_doubt"}
    journal.record_decision(decision="keep", execution_id=execution, why="it may stay, whatever came of it")
    assert (owed(journal), set(kept(journal, execution))) == ([], {file, mail})


@promise("keep-takes-off-what-is-owed")
def test_evidence_for_an_undo_that_failed_before_leaves_the_decision_to_keep(journal: Journal) -> None:
    execution = start(journal)
    file = do(journal, "touch", undo="remove it")
    journal.record_decision(decision="unwind", why="start over")
    removed = begin(journal, kind="undo", undoes=file)
    end(journal, removed, "failed")
    journal.record_decision(decision="keep", action_id=file, why="it may stay")
    end(journal, removed, "ok", evidence="it is gone")
    assert (owed(journal), set(kept(journal, execution))) == ([], {file})
    assert [item.action_id for item in journal.list_in_doubt().in_doubt] == [removed]


@promise("keep-takes-off-what-is-owed")
@pytest.mark.parametrize(("outcome", "state"), [("ok", "undone"), ("failed", "failed")])
def test_a_later_undo_takes_the_decision_back(journal: Journal, outcome: Any, state: str) -> None:
    execution = start(journal)
    action = do(journal, "touch", undo="remove it")
    journal.record_decision(decision="keep", action_id=action, why="it is wanted")
    end(journal, begin(journal, kind="undo", undoes=action), outcome)
    assert journal.get_action(action_id=action).undo_state == state
    assert kept(journal, execution) == {}


@promise("keep-takes-off-what-is-owed")
def test_keep_is_no_decision_about_a_failure(journal: Journal) -> None:
    start(journal)
    end(journal, begin(journal, "touch"), "failed")
    action = do(journal, "paint", undo="scrape it off")
    journal.record_decision(decision="keep", action_id=action, why="it is pretty")
    with pytest.raises(WrongState, match="1 undecided"):
        journal.record_decision(decision="done")


@promise("settle-gives-a-doubt-its-outcome")
def test_settling_is_the_end_of_the_action(cell: Cell) -> None:
    agent = cell.mortal()
    execution = planned(agent, "one", "two")
    action = begin(agent, "touch", step="one")
    cell.kill(agent)
    heir = cell.another("heir")
    call: dict[str, Any] = {"decision": "settle", "action_id": action, "outcome": "ok"}
    receipt = heir.record_decision(**call, evidence="the file is there", key="settled")
    assert (receipt.id, receipt.execution_id, receipt.state) == (action, execution, "ok")
    assert (receipt.status, receipt.next_steps) == ("running", ("two",))
    assert heir.record_decision(**call, evidence="the file is there", key="settled").seq == receipt.seq
    (ended,) = entries(heir, kind="action_ended")
    assert (ended.facts["settles"], ended.body) == (True, {"evidence": "the file is there"})
    assert heir.list_in_doubt().in_doubt == ()


@promise("settle-gives-a-doubt-its-outcome")
def test_a_person_who_settles_is_named_with_the_credential(cell: Cell) -> None:
    start(cell.journal)
    lost = begin(cell.journal, "pay", undo="refund")
    end(cell.journal, lost, "unknown")
    person = cell.person("ada")
    person.record_decision(decision="settle", action_id=lost, outcome="ok", evidence="the bank says so")
    ended = entries(person, kind="action_ended")[-1]
    assert (ended.actor_kind, ended.actor, ended.facts["credential"]) == ("person", "ada", "ada")


@promise("settle-gives-a-doubt-its-outcome")
def test_an_action_under_way_is_no_doubt_that_others_settle(cell: Cell) -> None:
    agent, heir = cell.mortal(), cell.another("heir")
    start(agent)
    action = begin(agent, "pay", undo="refund")
    settle: dict[str, Any] = {"decision": "settle", "action_id": action, "outcome": "failed", "evidence": "no booking"}
    with pytest.raises(WrongState, match="not in doubt") as caught:
        heir.record_decision(**settle)
    assert caught.value.field == "action_id"
    assert cell.session_of(agent) in caught.value.message
    with pytest.raises(InDoubtOpen, match="another session") as refused:
        end(heir, action, "failed")
    assert refused.value.next_call is not None
    assert (refused.value.next_call[0], refused.value.next_call[1]["phase"]) == ("record_action", "end")
    assert heir.get_action(action_id=action).state == "open"
    assert agent.record_decision(**{**settle, "outcome": "ok", "evidence": "it is booked"}).state == "ok"
    left = begin(agent, "mail")
    cell.kill(agent)
    assert heir.record_decision(**{**settle, "action_id": left}).state == "failed"


@promise("settle-gives-a-doubt-its-outcome")
def test_a_person_settles_an_action_that_hangs(cell: Cell) -> None:
    start(cell.journal)
    hung = begin(cell.journal, "pay", undo="refund")
    person = cell.person("ada")
    settle: dict[str, Any] = {
        "decision": "settle",
        "action_id": hung,
        "outcome": "failed",
        "evidence": "I cut the line",
    }
    assert person.record_decision(**settle).state == "failed"
    ended = entries(person, kind="action_ended")[-1]
    assert (ended.actor_kind, ended.facts["credential"], ended.facts.get("settles", False)) == ("person", "ada", False)


@promise("settle-gives-a-doubt-its-outcome")
def test_a_conversation_settles_the_call_that_hooks_saw_in_it(cell: Cell) -> None:
    agent, stranger, hook = agent_in(cell), agent_in(cell, "claude-code:2"), watched(cell)
    seen(hook, "1", arguments={"command": "make"})
    (line,) = agent.list_actions().actions
    settle: dict[str, Any] = {"decision": "settle", "action_id": line.id, "outcome": "failed", "evidence": "cut off"}
    with pytest.raises(WrongState, match="not in doubt"):
        stranger.record_decision(**settle)
    assert agent.record_decision(**settle).state == "failed"


@promise("settle-gives-a-doubt-its-outcome")
def test_a_doubt_is_settled_after_the_end(journal: Journal) -> None:
    execution = start(journal)
    lost = begin(journal, "pay", undo="refund")
    end(journal, lost, "unknown")
    journal.record_decision(decision="stop", why="the bank is closed")
    settle: dict[str, Any] = {"decision": "settle", "action_id": lost, "outcome": "failed", "without_effect": True}
    receipt = journal.record_decision(**settle, evidence="no booking", why="asked the bank")
    assert (receipt.state, receipt.status, owed(journal)) == ("failed", "cancelled", [])
    assert journal.get_status(execution_id=execution).execution.late == 1


@promise("settle-gives-a-doubt-its-outcome")
@pytest.mark.parametrize("missing", ["action_id", "outcome", "evidence"])
def test_settling_needs_action_outcome_and_evidence(journal: Journal, missing: str) -> None:
    start(journal)
    lost = begin(journal, "pay")
    end(journal, lost, "unknown")
    given: dict[str, Any] = {"action_id": lost, "outcome": "ok", "evidence": "seen"}
    del given[missing]
    with pytest.raises(InvalidArgument) as caught:
        journal.record_decision(decision="settle", **given)
    assert caught.value.field == missing
    with pytest.raises(InvalidArgument, match="goes with decision=settle"):
        journal.record_decision(decision="continue", why="x", outcome="ok")
