"""Executions that hooks alone recorded: their titles, and how they end with the conversation."""

from typing import Any

import pytest

from tallystick import Journal, WrongState
from tests.behaviour.scenarios import begin, entries
from tests.behaviour.test_correlation import HOOK, agent_in, over, seen, watched
from tests.matrix import Cell
from tests.promises import promise

LONG = "Look why the nightly import of the customers' invoices fails, and tell me before you change anything in it"


def _prompt(hook: Journal, text: str, **more: Any) -> int:
    return hook.record_note(event="prompt", summary=text, **more).seq


def _execution(hook: Journal, call_id: str = "a") -> str:
    """The execution of a call that was seen from its begin to its end."""
    execution: str = seen(hook, call_id, arguments={"command": "make"}).execution_id
    over(hook, call_id)
    return execution


def _title(journal: Journal, execution: str) -> str:
    return journal.get_status(execution_id=execution).execution.title


def _status(journal: Journal, execution: str) -> str:
    return journal.get_status(execution_id=execution).execution.status


@promise("an-observed-execution-has-the-prompt-as-its-title")
@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Fix the login", "Fix the login"),
        ("Fix\n  the\tlogin\x1b[2J", "Fix the login\\x1b[2J"),
        (LONG, "Look why the nightly import of the customers' invoices fails, and tell me before…"),
        (f"deploy with AKIA{'Q7' * 8} to production", "deploy with [masked:aws_key] to production"),
    ],
)
def test_the_title_is_the_first_prompt_of_a_person(cell: Cell, prompt: str, title: str) -> None:
    hook = watched(cell)
    _prompt(hook, "Search for the word", agent="explorer")
    _prompt(hook, prompt)
    _prompt(hook, "and now something else")
    execution = _execution(hook)
    assert _title(cell.journal, execution) == title
    assert [each.title for each in cell.journal.list_executions().executions] == [title]


@promise("an-observed-execution-has-the-prompt-as-its-title")
def test_without_a_prompt_the_title_names_the_client(cell: Cell) -> None:
    agent_in(cell).record_note(event="prompt", summary="what an agent says is no prompt of a person")
    hook = watched(cell)
    assert _title(cell.journal, _execution(hook)) == "Observed: claude-code"


@promise("an-observed-execution-has-the-prompt-as-its-title")
def test_a_resumed_conversation_keeps_its_title(cell: Cell) -> None:
    hook = watched(cell)
    _prompt(hook, "Fix the login")
    first = _execution(hook)
    hook.end_session(reason="exit")
    again = watched(cell)
    _prompt(again, "go on")
    second = _execution(again, "b")
    assert first != second
    assert _title(cell.journal, first) == _title(cell.journal, second) == "Fix the login"


@promise("an-observed-execution-has-the-prompt-as-its-title")
def test_the_title_is_erased_with_the_prompt(cell: Cell) -> None:
    hook = watched(cell)
    prompt = _prompt(hook, "Call Wilhelmina Quackenbush")
    execution = _execution(hook)
    assert cell.person().erase(seqs=(prompt,), reason="she asked").erased == 2
    assert "Quackenbush" not in _title(cell.journal, execution)
    assert not [entry for entry in entries(cell.journal) if "Quackenbush" in str(entry.body)]
    assert cell.journal.list_executions(text="quackenbush").executions == ()
    assert cell.journal.verify().ok


@promise("an-observed-execution-is-closed-with-its-conversation")
def test_it_is_closed_when_the_conversation_ends(cell: Cell) -> None:
    hook = watched(cell)
    execution = _execution(hook)
    assert _status(cell.journal, execution) == "running"
    hook.end_session(reason="exit")
    view = cell.journal.get_status(execution_id=execution).execution
    assert (view.status, view.unfinished) == ("closed", {})
    assert view.ended
    assert [each.id for each in cell.journal.list_executions(status=("closed",)).executions] == [execution]
    assert cell.journal.get_stats().executions == {"closed": 1}
    assert "closed" in cell.journal.get_report(execution_id=execution).text
    with pytest.raises(WrongState, match="has ended already: it is closed"):
        agent_in(cell, "other").record_decision(decision="done", why="it looks done", execution_id=execution)


@promise("an-observed-execution-is-closed-with-its-conversation")
def test_doubts_stay_when_it_is_closed(cell: Cell) -> None:
    hook = watched(cell)
    action = seen(hook, "a", arguments={"command": "make"})
    hook.end_session(reason="exit")
    view = cell.journal.get_status(execution_id=action.execution_id).execution
    assert (view.status, view.in_doubt, view.unfinished) == ("closed", 1, {"in_doubt": 1})
    assert [each.action_id for each in cell.journal.list_in_doubt().in_doubt] == [action.id]


@promise("an-observed-execution-is-closed-with-its-conversation")
def test_it_stays_open_while_the_conversation_goes_on_elsewhere(cell: Cell) -> None:
    hook = watched(cell)
    execution = _execution(hook)
    opener = cell.another(HOOK, witness="observed")
    other = opener.open_session(kind="client", name="claude-code:1", client="claude-code", process=1)
    hook.end_session(reason="exit")
    assert _status(cell.journal, execution) == "running"
    opener.end_session(session_id=other.id)
    assert _status(cell.journal, execution) == "closed"


@promise("an-observed-execution-is-closed-with-its-conversation")
def test_it_stays_open_if_the_agent_took_part(cell: Cell) -> None:
    hook, agent = watched(cell), agent_in(cell)
    execution = _execution(hook)
    begin(agent, "deploy", execution_id=execution)
    hook.end_session(reason="exit")
    assert _status(cell.journal, execution) == "running"


@promise("an-observed-execution-is-closed-with-its-conversation")
def test_what_comes_late_belongs_to_the_closed_execution(cell: Cell) -> None:
    hook = watched(cell)
    execution = _execution(hook)
    hook.end_session(reason="exit")
    assert _execution(hook, "b") == execution
    view = cell.journal.get_status(execution_id=execution).execution
    assert (view.status, view.late) == ("closed", 2)


@promise("an-observed-execution-is-closed-with-its-conversation")
def test_what_an_agent_opened_is_not_closed(cell: Cell) -> None:
    hook, agent = watched(cell), agent_in(cell)
    execution = agent.record_execution_start(title="mine").id
    assert _execution(hook) == execution
    hook.end_session(reason="exit")
    assert _status(cell.journal, execution) == "running"
