"""The exact undo of what an ended execution did, or of what is temporary, counts although nobody says so."""

from typing import Any

import pytest

from tallystick import Journal, Undo
from tests.behaviour.scenarios import begin, do, end, owed, planned, start, step, steps_of, undo_list
from tests.behaviour.test_correlation import GATEWAY, agent_in, over, seen, watched
from tests.matrix import Cell
from tests.promises import promise

COPY: dict[str, Any] = {"tool": "Bash", "arguments": {"command": "cp a copy.db"}}
REMOVE: dict[str, Any] = {"tool": "Bash", "arguments": {"command": "rm copy.db"}}
UNDO = Undo(**REMOVE)
WAYS = pytest.mark.parametrize("way", ["hook", "gateway", "begin", "done"])


class Conversation:
    """One conversation: the agent, and whoever sees its calls."""

    def __init__(self, cell: Cell, name: str = "claude-code:1") -> None:
        self.agent = agent_in(cell, name)
        self._seen_by = {"hook": watched(cell, name), "gateway": watched(cell, name, actor=GATEWAY)}
        self._calls = 0

    def make(self, way: str, call: dict[str, Any] = REMOVE, **more: Any) -> str:
        """Make a call that is seen or recorded; returns the execution that it is in."""
        self._calls += 1
        if way in self._seen_by:
            id = f"{id_of(self)}-{self._calls}"
            arguments = {**call["arguments"], **({"description": "so"} if way == "hook" else {})}
            begun = seen(self._seen_by[way], id, call["tool"], arguments=arguments, **more)
            over(self._seen_by[way], id)
            return str(begun.execution_id)
        receipt = self.agent.record_action(phase=way, summary="it", **call, **more)  # type: ignore[arg-type]
        if way == "begin":
            end(self.agent, receipt.id)
        return receipt.execution_id

    def copied(self, decision: Any = "done", **more: Any) -> tuple[str, str]:
        """An execution that has ended, and what it did."""
        execution = planned(self.agent, step("copy", **{"undo": UNDO, **COPY, **more}))
        action = do(self.agent, step="copy")
        left: dict[str, Any] = {"incomplete": True} if more.get("temporary") else {}
        self.agent.record_decision(decision=decision, why="so far", execution_id=execution, **left)
        return execution, action


def id_of(value: object) -> str:
    return f"call-{id(value)}"


def _executions(journal: Journal) -> int:
    return len(journal.list_executions().executions)


@promise("an-exact-undo-counts-after-the-end")
@WAYS
@pytest.mark.parametrize("decision", ["done", "stop"])
def test_the_exact_undo_after_the_end_undoes(cell: Cell, way: str, decision: str) -> None:
    talk = Conversation(cell)
    execution, copied = talk.copied(decision)
    before = _executions(talk.agent)
    assert talk.make(way) == execution
    assert talk.agent.get_action(action_id=copied).undo_state == "undone"
    assert undo_list(talk.agent, execution) == []
    assert _executions(talk.agent) == before


@promise("an-exact-undo-counts-after-the-end")
@WAYS
def test_what_is_temporary_is_put_back_after_the_end(cell: Cell, way: str) -> None:
    talk = Conversation(cell)
    execution, _ = talk.copied(temporary=True)
    assert len(owed(talk.agent)) == 1
    talk.make(way)
    assert owed(talk.agent) == []
    assert talk.agent.get_execution(execution_id=execution).owed == 0


@promise("an-exact-undo-counts-after-the-end")
@WAYS
def test_it_does_so_beside_an_open_execution_that_does_not_wait_for_the_call(cell: Cell, way: str) -> None:
    talk = Conversation(cell)
    execution, copied = talk.copied()
    planned(talk.agent, step("other", tool="Bash", arguments={"command": "make"}))
    assert talk.make(way) == execution
    assert talk.agent.get_action(action_id=copied).undo_state == "undone"


@promise("an-exact-undo-counts-after-the-end")
@WAYS
def test_a_call_that_an_open_execution_plans_belongs_there(cell: Cell, way: str) -> None:
    talk = Conversation(cell)
    _, copied = talk.copied()
    execution = planned(talk.agent, step("clean", **REMOVE), "more")
    assert talk.make(way) == execution
    assert steps_of(talk.agent, execution)["clean"].actual == "done"
    assert talk.agent.get_action(action_id=copied).undo_state == "not_undone"


@promise("an-exact-undo-counts-after-the-end")
@WAYS
@pytest.mark.parametrize("command", [{"command": "rm -f copy.db"}, {"command": "rm copy.db", "cwd": "/tmp"}, {}])
def test_another_call_is_no_undo(cell: Cell, way: str, command: dict[str, Any]) -> None:
    talk = Conversation(cell)
    execution, _ = talk.copied()
    start(talk.agent, "more work")
    assert talk.make(way, {"tool": "Bash", "arguments": command}) != execution
    assert [item.state for item in undo_list(talk.agent, execution)] == ["not_undone"]


@promise("an-exact-undo-counts-after-the-end")
@WAYS
def test_a_masked_undo_cannot_be_compared(cell: Cell, way: str) -> None:
    talk = Conversation(cell)
    execution = start(talk.agent)
    secret = {"tool": "login", "arguments": {"password": "correct-horse-1"}}
    do(talk.agent, "make", undo=Undo(**secret))  # type: ignore[arg-type]
    talk.agent.record_decision(decision="done", execution_id=execution)
    start(talk.agent, "more work")
    assert talk.make(way, {"tool": "login", "arguments": {"password": "battery-staple-2"}}) != execution


@promise("an-exact-undo-counts-after-the-end")
@WAYS
@pytest.mark.parametrize("is_owed", [False, True])
def test_in_another_conversation_it_undoes_what_is_owed_and_nothing_that_is_wanted(
    cell: Cell, way: str, is_owed: bool
) -> None:
    first, second = Conversation(cell, "claude-code:1"), Conversation(cell, "claude-code:2")
    execution, copied = first.copied(temporary=is_owed)
    first.copied(undo=Undo(tool="Bash", arguments={"command": "rm another"}))
    start(second.agent, "other work")
    assert (second.make(way) == execution) == is_owed
    assert first.agent.get_action(action_id=copied).undo_state == ("undone" if is_owed else "not_undone")


@promise("an-exact-undo-counts-after-the-end")
@WAYS
def test_of_two_that_others_owe_none_is_taken(cell: Cell, way: str) -> None:
    first, second = Conversation(cell, "claude-code:1"), Conversation(cell, "claude-code:2")
    left = {first.copied("stop")[0], first.copied("stop")[0]}
    start(second.agent, "other work")
    assert second.make(way) not in left
    assert len(owed(first.agent)) == 2


@promise("an-exact-undo-counts-after-the-end")
@pytest.mark.parametrize("by", ["hook", "gateway"])
def test_an_undo_that_was_announced_after_the_end_is_one_action_with_its_call(cell: Cell, by: str) -> None:
    talk = Conversation(cell)
    execution, copied = talk.copied()
    announced = begin(talk.agent, kind="undo", undoes=copied, **REMOVE)
    before = _executions(talk.agent)
    assert talk.make(by) == execution
    assert talk.agent.get_action(action_id=announced).state == "ok"
    assert talk.agent.get_action(action_id=copied).undone_by == announced
    assert _executions(talk.agent) == before


@promise("an-exact-undo-counts-after-the-end")
@WAYS
def test_a_call_about_which_a_person_was_asked_stays_with_the_question(cell: Cell, way: str) -> None:
    talk = Conversation(cell)
    _, copied = talk.copied()
    execution = start(talk.agent, "careful work")
    asked = talk.agent.request_approval(question="Remove it?", execution_id=execution, **REMOVE).id
    cell.person().decide_approval(approval_id=asked, verdict="approve")
    more: dict[str, Any] = {} if way == "hook" else {"approval_id": asked}
    assert talk.make(way, **more) == execution
    assert talk.agent.get_action(action_id=copied).undo_state == "not_undone"


@promise("an-exact-undo-counts-after-the-end")
@WAYS
def test_while_an_execution_goes_on_the_exact_undo_of_what_is_temporary_puts_it_back(cell: Cell, way: str) -> None:
    talk = Conversation(cell)
    execution = planned(talk.agent, step("copy", undo=UNDO, temporary=True, **COPY), "more")
    copied = do(talk.agent, step="copy")
    other = do(talk.agent, "touch", undo=Undo(tool="Bash", arguments={"command": "rm other"}))
    talk.make(way, {"tool": "Bash", "arguments": {"command": "rm other"}})
    assert talk.make(way) == execution
    assert talk.agent.get_action(action_id=copied).undo_state == "undone"
    assert talk.agent.get_action(action_id=other).undo_state == "not_undone"  # the same call may be new work
    do(talk.agent, step="more")
    assert talk.agent.record_decision(decision="done", execution_id=execution).unfinished == {}


@promise("an-exact-undo-counts-after-the-end")
@WAYS
def test_a_planned_step_that_puts_it_back_is_that_step(cell: Cell, way: str) -> None:
    talk = Conversation(cell)
    execution = planned(
        talk.agent, step("copy", temporary=True, undo=None, **COPY), step("clean", undoes="copy", undo=None, **REMOVE)
    )
    do(talk.agent, step="copy")
    talk.make(way)
    assert steps_of(talk.agent, execution)["clean"].actual == "done"
    assert undo_list(talk.agent, execution) == []
