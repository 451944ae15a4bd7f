"""The views of query_ledger: filters, complete items, and limits that are reported."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick import Actor
from tallystick.settings import Settings
from tests.behaviour.scenarios import begin, do, end, planned, start, step
from tests.interfaces.mcp.in_process_client import lines
from tests.matrix import Cell, mcp_interface
from tests.mcp_driver import Mcp
from tests.stores import Clock, open_store

CONCISE = 4 * 4_000
"""Characters, at four for each token."""


class Agent:
    """A client with one connection, and the journal behind it."""

    def __init__(self, cell: Cell) -> None:
        assert isinstance(cell.journal.caller, Mcp)
        self._caller = cell.journal.caller
        self.journal = cell.journal

    def call(self, tool: str, /, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """The text and the structure of an answer."""
        answer = self._caller.ask(tool, arguments)
        assert not answer["isError"], answer
        return answer["content"][0]["text"], answer["structuredContent"]

    def query(self, **arguments: Any) -> dict[str, Any]:
        return self.call("query_ledger", **arguments)[1]

    def refused(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        answer = self._caller.ask(tool, arguments)
        assert answer["isError"], answer
        error: dict[str, Any] = answer["structuredContent"]["error"]
        return error


@pytest.fixture
def cell(clock: Clock) -> Iterator[Cell]:
    store = open_store("memory:", clock=clock)
    settings = Settings(url="memory:", journal="tests", actor="agent")
    cell = Cell("mcp-memory", store, clock, settings, mcp_interface(store, modern=True))
    yield cell
    cell.close()


@pytest.fixture
def agent(cell: Cell) -> Agent:
    return Agent(cell)


def test_an_agent_lists_the_unplanned_calls_that_its_brief_counts(agent: Agent) -> None:
    execution = planned(agent.journal, step("copy"))
    looked = do(agent.journal, "look", execution_id=execution)
    do(agent.journal, step="copy", execution_id=execution)
    text, _ = agent.call("query_ledger")
    assert "1 unplanned (view=journal, filter=only:unplanned)" in text
    listed = agent.query(view="journal", filter="only:unplanned")["actions"]
    assert [line["id"] for line in listed] == [looked]
    assert agent.query(view="journal", filter="only:unplanned tool:none")["actions"] == []
    assert "unplanned" in agent.refused("query_ledger", view="journal", filter="only:planned")["hint"]


def test_a_filter_can_say_numbers_and_yes_and_no(agent: Agent, clock: Clock) -> None:
    agent.journal.record_context(key="word", value="old", expires="1h")
    plan = agent.journal.record_plan(title="first", steps=[step("a")]).id
    agent.journal.record_plan(title="second", steps=[step("a")], plan_id=plan, reason="better")
    clock.advance(7200)
    assert agent.query(view="context")["values"] == []
    assert len(agent.query(view="context", filter="include_expired:true")["values"]) == 1
    (revision,) = agent.query(view="plans", filter=f"id:{plan} revision:1")["revisions"]
    assert revision["title"] == "first"
    assert agent.refused("query_ledger", view="plans", filter=f"id:{plan} revision:x")["field"] == "revision"


@pytest.mark.parametrize("filter_text", ["limit:1", "newest_first:true", "after:3", "wait_seconds:60", "colour:red"])
def test_a_filter_that_a_view_does_not_take_is_refused_with_those_that_it_takes(agent: Agent, filter_text: str) -> None:
    error = agent.refused("query_ledger", view="journal", filter=filter_text)
    assert error["field"] == filter_text.partition(":")[0]
    assert {"kind", "tool", "since", "order"} <= set(error["allowed"])


def test_a_duplicate_filter_is_refused_unless_both_are_equal(agent: Agent) -> None:
    execution = start(agent.journal)
    other = start(agent.journal)
    assert agent.refused("query_ledger", view="journal", filter="tool:a tool:b")["field"] == "filter"
    assert agent.refused("query_ledger", view="owed", execution_id=other, filter=f"execution:{execution}")
    assert agent.query(view="owed", execution_id=other, filter=f"execution:{other}")["owed"] == []


def test_a_search_for_nothing_is_refused_under_the_name_that_the_tool_has_for_it(agent: Agent) -> None:
    assert agent.refused("query_ledger", view="journal", q="...")["field"] == "q"


def test_one_key_is_shown_with_its_newest_value_and_with_its_history_when_asked(agent: Agent) -> None:
    for value in (1, 2, 3):
        agent.journal.record_context(key="word", value=value)
    assert [each["value"] for each in agent.query(view="context", filter="key:word")["values"]] == [3]
    history = agent.query(view="context", filter="key:word", limit=2)["values"]
    assert [each["value"] for each in history] == [3, 2]


def test_the_journal_in_order_names_its_end_so_that_later_reads_get_only_new_entries(agent: Agent) -> None:
    start(agent.journal)
    first = agent.query(view="journal", filter="order:oldest kind:context_recorded")
    assert first["entries"] == []
    agent.journal.record_context(key="word", value=1)
    later = agent.query(view="journal", filter="order:oldest", cursor=str(first["last_seq"]))
    assert [entry["kind"] for entry in later["entries"]] == ["context_recorded"]
    assert "last_seq" not in agent.query(view="journal")


def test_a_status_that_does_not_show_all_steps_is_marked(agent: Agent) -> None:
    planned(agent.journal, *(f"s{number}" for number in range(30)))
    text, content = agent.call("query_ledger", view="status")
    assert len(content["steps"]) == 20
    assert (len(content["steps"]), content["next_cursor"]) == (20, content["steps"][-1]["id"])
    assert content["narrow"] in text
    assert "narrow" not in agent.query(view="status", limit=30)


def test_a_concise_answer_still_marks_observed_entries(agent: Agent) -> None:
    start(agent.journal)
    ended = agent.query(view="journal", filter="kind:session_opened")["entries"][0]
    assert "witness" not in ended
    session = agent.journal.open_session(name="other").id
    agent.journal.end_session(session_id=session)
    (seen,) = agent.query(view="journal", filter="kind:session_ended")["entries"]
    assert seen["witness"] == "observed"


def test_a_value_of_the_depth_that_a_record_takes_comes_back_whole_in_detail(agent: Agent) -> None:
    deep: Any = "the end"
    for _ in range(60):
        deep = [deep]
    agent.journal.record_context(key="deep", value=deep)
    (found,) = agent.query(view="context", filter="key:deep", detail="detailed")["values"]
    assert found["value"] == deep


def test_characters_that_end_or_turn_a_line_are_escaped(agent: Agent) -> None:
    written = "one\u2028two\u202ethree\x7ffour\U000e0001"
    agent.journal.record_context(key="word", value=written)
    text, content = agent.call("query_ledger", view="context")
    assert r"one\u2028two\u202ethree\u007ffour\udb40\udc01" in text
    assert all(line.isprintable() for line in text.split("\n"))
    assert content["values"][0]["value"] == written


def test_the_brief_as_a_structure_is_bounded_too_and_none_of_its_lists_goes_empty(agent: Agent) -> None:
    names = [f"step {number} {'x' * 150}" for number in range(5)]
    execution = planned(agent.journal, *(step(name, after=()) for name in names), title="x" * 200)
    for number in range(8):
        action = begin(agent.journal, f"copy {number}", execution_id=execution, summary="x" * 200)
        end(agent.journal, action, "unknown")
        agent.journal.request_approval(question=f"{number} {'x' * 200}?", execution_id=execution)
        start(agent.journal, "x" * 200)
    for detail in ("concise", "detailed"):
        text, content = agent.call("query_ledger", execution_id=execution, detail=detail)
        assert len(text) <= 4 * 400
        assert len(json.dumps(content, separators=(",", ":"), ensure_ascii=False)) <= 4 * 400
        assert all(content[name] for name in ("next_steps", "in_doubt", "approvals", "open_executions"))
        assert content["text"] in text


def test_the_owed_list_of_a_decision_is_bounded_and_keeps_its_shape(agent: Agent) -> None:
    start(agent.journal)
    arguments = {f"path {number}": "x" * 30 for number in range(40)}
    actions = [do(agent.journal, f"copy {number}", undo={"tool": "rm", "arguments": arguments}) for number in range(30)]
    text, content = agent.call("record_decision", decision="unwind", why="it went wrong")
    assert len(text) <= CONCISE
    assert [each["action_id"] for each in content["owed"]] == actions[: -len(content["owed"]) - 1 : -1]
    assert len(content["owed"]) > 1
    assert {each["state"] for each in content["owed"]} == {"not_undone"}
    assert content["cut"] in text
    assert content["next"] in text


def test_the_receipt_of_a_long_plan_is_bounded(agent: Agent) -> None:
    steps = [{"id": f"step {number}", "title": "x", "cancellable": "reversible"} for number in range(3000)]
    text, content = agent.call("record_plan", title="long", steps=steps)
    assert len(text) <= CONCISE
    assert content["steps"][:2] == ["step 0", "step 1"]
    assert content["cut"] in text


@pytest.mark.parametrize("answered", [False, True])
def test_an_error_that_points_to_an_approval_names_the_call_that_reads_it(
    agent: Agent, cell: Cell, *, answered: bool
) -> None:
    start(agent.journal)
    arguments = agent.journal.request_approval(question="Pay?", tool="pay", arguments={"euro": 40}).id
    if answered:
        cell.person().decide_approval(approval_id=arguments, verdict="reject", reason="too much")
    error = agent.refused("record_action", phase="begin", tool="pay", arguments={"euro": 40}, summary="pay")
    assert error["next"]["tool"] == "query_ledger"
    found = agent.query(**error["next"]["arguments"])
    assert arguments in (found.get("id"), *(each["id"] for each in found.get("approvals", ())))


def test_a_step_that_needs_an_approval_names_the_decision_that_asks_for_it(agent: Agent) -> None:
    execution = planned(agent.journal, step("pay", needs_approval=True))
    error = agent.refused("record_action", phase="begin", step="pay", summary="pay")
    call = error["next"]
    assert (call["tool"], call["arguments"]["decision"]) == ("record_decision", "ask_human")
    _, receipt = agent.call(call["tool"], **call["arguments"])
    assert receipt["approval_id"]
    assert receipt["execution_id"] == execution


def test_a_session_that_is_over_suggests_a_query_and_no_unknown_tool(agent: Agent) -> None:
    session = agent.journal.open_session(name="other").id
    agent.journal.end_session(session_id=session)
    error = agent.refused("record_context", key="k", value=1, session_id=session)
    assert "open_session" not in str(error)
    assert error["next"] == {"tool": "query_ledger", "arguments": {"view": "brief"}}


def test_the_filter_that_the_schema_shows_is_one_that_works(tmp_path: Path) -> None:
    with lines(f"sqlite:///{tmp_path / 'j.db'}") as client:
        listed = {tool["name"]: tool for tool in client.ask("tools/list")["tools"]}
        shown = listed["query_ledger"]["inputSchema"]["properties"]["filter"]["description"]
        view, _, filter = shown.removeprefix("e.g. ").partition(": ")
        client.result_of("record_execution_start", title="work")
        for tool in ("Bash", "mail"):
            begun = client.result_of("record_action", phase="begin", tool=tool, summary="x")["id"]
            client.result_of("record_action", phase="end", action_id=begun, outcome="failed", summary="x")
        found = client.result_of("query_ledger", view=view, filter=filter)
        assert [action["tool"] for action in found["actions"]] == ["Bash"]
        refused = client.call("query_ledger", view="journal", filter="colour:red")["structuredContent"]["error"]
        assert {"order", "status", "action"} <= set(refused["hint"].replace(".", "").replace(",", "").split())


def test_words_without_a_view_search_the_journal(agent: Agent) -> None:
    start(agent.journal)
    do(agent.journal, "copy_invoices", summary="the invoices")
    do(agent.journal, "delete_logs", summary="the logs")
    found = agent.query(q="invoices")
    assert found["view"] == "journal"
    assert [each["facts"]["tool"] for each in found["entries"]] == ["copy_invoices"]
    assert agent.query(filter="kind:execution_started")["view"] == "journal"
    assert agent.query()["view"] == "brief"


def test_a_receipt_repeats_nothing_that_was_just_said_and_has_its_hash_when_asked(agent: Agent) -> None:
    execution = start(agent.journal)
    begun = {"phase": "begin", "execution_id": execution, "summary": "copy"}
    text, content = agent.call("record_action", **begun)
    assert text == f"Next: do it, then record_action(phase=end, action_id={content['id']}, outcome=...)"
    assert (content["execution_id"], content["state"]) == (execution, "open")
    assert "hash" not in content
    _, detailed = agent.call("record_action", **begun, detail="detailed")
    stored = {entry.seq: entry.hash for entry in agent.journal.read_entries().entries}
    assert detailed["hash"] == stored[detailed["seq"]]
    assert agent.refused("record_action", **begun, detail="all")["allowed"] == ["concise", "detailed"]


def test_an_answer_names_the_call_that_uses_it_in_any_session_unless_the_step_was_done(
    agent: Agent, cell: Cell
) -> None:
    execution = planned(agent.journal, step("publish", tool="publish", needs_approval=True, arguments={"to": "all"}))
    asked = agent.journal.request_approval(question="Publish?", step="publish").id
    cell.person().decide_approval(approval_id=asked, verdict="approve")
    text, answer = agent.call("query_ledger", view="approvals", filter=f"id:{asked}")
    call = f"record_action(phase=begin, execution_id={execution}, step=publish, approval_id={asked})"
    assert answer["next"] == call
    hook = cell.another(Actor(kind="hook", name="claude-code"), witness="observed")
    done = do(hook, "publish", execution_id=execution, step="publish", arguments={"to": "other"})
    text, answer = agent.call("query_ledger", view="approvals", filter=f"id:{asked}")
    assert answer["status"] == "approve"
    assert text.endswith(f"\nNext: do not carry it out: publish was done as {done}")
