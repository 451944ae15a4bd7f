"""LangChain and LangGraph, the real packages, with a model that follows a script."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolInvocationError
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from tallystick import InDoubtOpen, Journal, StorageUnavailable
from tallystick.integrations import observed_call
from tallystick.integrations.in_flight import InFlightCalls
from tallystick.integrations.langchain import JournalCallbackHandler, JournalMiddleware
from tests.integrations.world import World, actions_of, facts, leave_in_doubt


class Scripted(FakeMessagesListChatModel):
    """A model that returns one scripted message after the other."""

    def bind_tools(self, tools: Any, **more: Any) -> Runnable[Any, Any]:
        return self


Turn = list[tuple[str, str, dict[str, Any]]]
Make = Callable[..., tuple[Any, dict[str, Any]]]


def _agent(world: World, turns: list[Turn], *middleware: Any, tools: Any = (), **more: Any) -> Any:
    messages = [
        AIMessage(
            "", tool_calls=[{"name": name, "args": args, "id": id, "type": "tool_call"} for name, id, args in turn]
        )
        for turn in turns
    ]
    own = [StructuredTool.from_function(f, description=f.__name__) for f in (world.add, world.fail)]
    awaited = [
        StructuredTool.from_function(coroutine=f, name=f.__name__, description=f.__name__)
        for f in (world.meet, world.hang)
    ]
    return create_agent(
        Scripted(responses=[*messages, AIMessage("done")]),
        [*own, *awaited, *tools],
        middleware=middleware,
        name="clerk",
        **more,
    )


def _with_middleware(
    world: World, journal: Journal, *turns: Turn, tools: Any = (), **options: Any
) -> tuple[Any, dict[str, Any]]:
    return _agent(world, [*turns], JournalMiddleware(journal, **options), tools=tools), {}


def _with_handler(
    world: World, journal: Journal, *turns: Turn, tools: Any = (), **options: Any
) -> tuple[Any, dict[str, Any]]:
    return _agent(world, [*turns], tools=tools), {"callbacks": [JournalCallbackHandler(journal, **options)]}


def _with_both(
    world: World, journal: Journal, *turns: Turn, tools: Any = (), **options: Any
) -> tuple[Any, dict[str, Any]]:
    middleware, handler = JournalMiddleware(journal, **options), JournalCallbackHandler(journal, **options)
    return _agent(world, [*turns], middleware, tools=tools), {"callbacks": [handler]}


ways = pytest.mark.parametrize("make", [_with_middleware, _with_handler, _with_both])
GO: dict[str, Any] = {"messages": [HumanMessage("go")]}


def _last(state: dict[str, Any]) -> str:
    return str(state["messages"][-1].content)


@ways
@pytest.mark.parametrize("awaits", [False, True], ids=["waits", "awaits"])
def test_the_journal_has_the_calls_of_the_tools(journal: Journal, world: World, make: Make, awaits: bool) -> None:
    agent, config = make(world, journal, [("add", "c1", {"a": 1, "b": 2})], [("add", "c2", {"a": 3, "b": 4})])
    state = asyncio.run(agent.ainvoke(GO, config)) if awaits else agent.invoke(GO, config)
    assert _last(state) == "done"
    assert facts(journal) == [(tool, arguments, "ok", str(value)) for tool, arguments, value in world.done]
    assert [(each.actor, each.kind, each.call) for each in actions_of(journal)] == [
        ("clerk", "agent", "c1"),
        ("clerk", "agent", "c2"),
    ]


@ways
def test_a_tool_that_raises_is_failed_and_its_error_is_raised(journal: Journal, world: World, make: Make) -> None:
    agent, config = make(world, journal, [("fail", "c1", {"why": "no ink"})])
    with pytest.raises(ValueError, match="no ink"):
        agent.invoke(GO, config)
    assert facts(journal) == [("fail", {"why": "no ink"}, "failed", "ValueError: no ink")]


@pytest.mark.parametrize("as_list", [False, True])
@pytest.mark.parametrize("way", ["middleware", "handler"])
def test_a_command_with_an_error_message_is_failed(journal: Journal, world: World, way: str, as_list: bool) -> None:
    def pay(sum: int) -> Any:
        message = ToolMessage("no money", tool_call_id="c1", status="error")
        return [Command(update={"messages": [message]})] if as_list else Command(update={"messages": [message]})

    tool = StructuredTool.from_function(pay, description="pay")
    seen = [JournalMiddleware(journal)] if way == "middleware" else []
    config: Any = {"callbacks": [JournalCallbackHandler(journal)]} if way == "handler" else {}
    _agent(world, [[("pay", "c1", {"sum": 5})]], *seen, tools=[tool]).invoke(GO, config)
    assert facts(journal) == [("pay", {"sum": 5}, "failed", "no money")]


def test_a_tool_that_does_not_exist_failed_without_effect(journal: Journal, world: World) -> None:
    agent, config = _with_middleware(world, journal, [("nope", "c1", {})])
    agent.invoke(GO, config)
    (ended,) = journal.read_entries(kind="action_ended").entries
    assert (ended.facts["outcome"], ended.facts.get("without_effect")) == ("failed", True)


class Answer(BaseModel):
    sum: int


def _parses(sum: int) -> str:
    """A tool that does its work, and then raises a pydantic error."""
    return str(Answer.model_validate({"sum": "no number"}))


@ways
@pytest.mark.parametrize("awaits", [False, True], ids=["waits", "awaits"])
@pytest.mark.parametrize("handled", [True, False], ids=["the model gets the error", "it raises"])
@pytest.mark.parametrize(("incoming", "refused"), [("x", True), (5, False)], ids=["refused", "failed inside"])
def test_a_call_that_was_refused_for_its_arguments_is_not_owed(
    journal: Journal, world: World, make: Make, awaits: bool, handled: bool, incoming: Any, refused: bool
) -> None:
    tool = StructuredTool.from_function(_parses, name="pay", description="pay")
    agent, config = make(world, journal, [("pay", "c1", {"sum": incoming})], tools=[tool])
    if not handled:
        agent.nodes["tools"].bound._handle_tool_errors = False
    with nullcontext() if handled else pytest.raises(ToolInvocationError):
        asyncio.run(agent.ainvoke(GO, config)) if awaits else agent.invoke(GO, config)
    assert [each.outcome for each in actions_of(journal)] == ["failed"]
    assert len(journal.get_undo_list().items) == (0 if refused else 1)


@pytest.mark.parametrize("handled", [True, "it broke", lambda error: "it broke"], ids=["all", "text", "function"])
@pytest.mark.parametrize(("incoming", "refused"), [("x", True), (5, False)], ids=["refused", "failed inside"])
def test_a_call_that_was_refused_for_its_arguments_is_without_effect_whatever_the_model_is_told(
    journal: Journal, handled: Any, incoming: Any, refused: bool
) -> None:
    middleware = JournalMiddleware(journal)
    tool = StructuredTool.from_function(_parses, name="pay", description="pay")
    node = ToolNode([tool], handle_tool_errors=handled, wrap_tool_call=middleware.wrap_tool_call)
    graph = StateGraph(MessagesState).add_node("tools", node).set_entry_point("tools").compile()
    call = {"name": "pay", "args": {"sum": incoming}, "id": "c1", "type": "tool_call"}
    graph.invoke({"messages": [AIMessage("", tool_calls=[call])]})
    (ended,) = journal.read_entries(kind="action_ended").entries
    assert (ended.facts["outcome"], ended.facts.get("without_effect", False)) == ("failed", refused)


@ways
def test_calls_at_the_same_time_stay_apart(journal: Journal, world: World, make: Make) -> None:
    agent, config = make(world, journal, [("meet", "c1", {"who": "ada"}), ("meet", "c2", {"who": "bob"})])
    asyncio.run(agent.ainvoke(GO, config))
    assert {(each.call, each.outcome, each.payload) for each in actions_of(journal)} == {
        ("c1", "ok", "met ada"),
        ("c2", "ok", "met bob"),
    }


@ways
@pytest.mark.parametrize("names", [("ada", "bob"), ("ada", "ada")], ids=["others", "the same"])
def test_agents_at_the_same_time_that_count_their_calls_alike_stay_apart(
    journal: Journal, world: World, make: Make, names: tuple[str, str]
) -> None:
    made = [make(world, journal, [("meet", "functions.meet:0", {"who": who})]) for who in names]

    async def run() -> None:
        await asyncio.gather(*(agent.ainvoke(GO, config) for agent, config in made))

    asyncio.run(run())
    found = sorted((each.outcome, each.payload) for each in actions_of(journal))
    assert found == [("ok", f"met {who}") for who in names]


@ways
def test_a_call_that_is_cancelled_is_in_doubt(journal: Journal, world: World, make: Make) -> None:
    agent, config = make(world, journal, [("hang", "c1", {})])
    asyncio.run(world.cut_off(agent.ainvoke(GO, config)))
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("hang", "unknown")]
    assert len(journal.list_in_doubt().in_doubt) == 1


@ways
@pytest.mark.parametrize("awaits", [False, True], ids=["waits", "awaits"])
def test_strict_refuses_a_call_that_cannot_be_recorded(
    unwritable: Journal, world: World, make: Make, awaits: bool
) -> None:
    agent, config = make(world, unwritable, [("add", "c1", {"a": 1, "b": 2})], strict=True)
    with pytest.raises(StorageUnavailable):
        asyncio.run(agent.ainvoke(GO, config)) if awaits else agent.invoke(GO, config)
    assert world.done == []


@ways
@pytest.mark.parametrize("awaits", [False, True], ids=["waits", "awaits"])
def test_strict_refuses_a_call_that_is_in_doubt(journal: Journal, world: World, make: Make, awaits: bool) -> None:
    doubt = leave_in_doubt(journal, "add", {"a": 1, "b": 2})
    agent, config = make(world, journal, [("add", "c1", {"a": 1, "b": 2})], strict=True)
    with pytest.raises(InDoubtOpen, match=doubt):
        asyncio.run(agent.ainvoke(GO, config)) if awaits else agent.invoke(GO, config)
    assert (world.done, [each.outcome for each in actions_of(journal)]) == ([], ["unknown", "skipped"])


@ways
def test_an_unwritable_journal_does_not_stop_a_call(
    unwritable: Journal, world: World, make: Make, complaints: list[str]
) -> None:
    agent, config = make(world, unwritable, [("add", "c1", {"a": 1, "b": 2})], [("add", "c2", {"a": 3, "b": 4})])
    assert _last(agent.invoke(GO, config)) == "done"
    assert [value for _, _, value in world.done] == [3, 7]
    assert len(complaints) == (2 if make is _with_both else 1)  # each adapter says so once


def test_each_retry_of_a_tool_is_an_action(journal: Journal, world: World) -> None:
    retry = ToolRetryMiddleware(max_retries=2, initial_delay=0, jitter=False)
    agent = _agent(world, [[("fail", "c1", {"why": "no ink"})]], retry, JournalMiddleware(journal))
    assert _last(agent.invoke(GO)) == "done"
    assert (
        facts(journal)
        == [("fail", {"why": "no ink"}, "failed", "ValueError: no ink")] * 3
        == [(tool, arguments, "failed", "ValueError: no ink") for tool, arguments, _ in world.done]
    )


@pytest.mark.parametrize("way", ["middleware", "handler"])
def test_a_tool_that_asks_a_person_is_open_until_it_is_answered(journal: Journal, world: World, way: str) -> None:
    def pay(sum: int) -> str:
        return f"paid {sum} with {interrupt('which card?')}"

    middleware = [JournalMiddleware(journal)] if way == "middleware" else []
    tools = [StructuredTool.from_function(pay, description="pay")]
    turns: list[Turn] = [[("pay", f"pay by {way}", {"sum": 5})]]
    agent = _agent(world, turns, *middleware, tools=tools, checkpointer=InMemorySaver())
    config: dict[str, Any] = {"configurable": {"thread_id": "1"}}
    if way == "handler":
        config["callbacks"] = [JournalCallbackHandler(journal)]
    agent.invoke(GO, config)
    assert facts(journal) == [("pay", {"sum": 5}, "open", None)]
    agent.invoke(Command(resume="visa"), config)
    assert facts(journal) == [("pay", {"sum": 5}, "ok", "paid 5 with visa")]


@pytest.mark.parametrize("dies", [True, False], ids=["the first is gone", "the first lives"])
@pytest.mark.parametrize("awaits", [False, True], ids=["waits", "awaits"])
@pytest.mark.parametrize("way", ["middleware", "handler", "both"])
def test_a_suspended_call_is_resumed_by_another_process(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, awaits: bool, dies: bool
) -> None:
    def pay(sum: int) -> str:
        return f"paid {sum} with {interrupt('which card?')}"

    saver, url = InMemorySaver(), f"sqlite://{tmp_path}/journal.db"

    def run(journal: Journal, incoming: Any, turns: list[Turn]) -> None:
        monkeypatch.setattr(observed_call, "_IN_FLIGHT", InFlightCalls())  # another process knows nothing of it
        middleware = [] if way == "handler" else [JournalMiddleware(journal)]
        tools = [StructuredTool.from_function(pay, description="pay")]
        agent = _agent(world, turns, *middleware, tools=tools, checkpointer=saver)
        handlers = [] if way == "middleware" else [JournalCallbackHandler(journal)]
        config: Any = {"configurable": {"thread_id": "1"}, "callbacks": handlers}
        asyncio.run(agent.ainvoke(incoming, config)) if awaits else agent.invoke(incoming, config)

    calls: list[Turn] = [[("pay", "call_0", {"sum": sum})] for sum in (5, 6)]  # a model that counts its calls
    first, second = Journal.open(url), Journal.open(url)
    run(first, GO, calls[:1])
    if dies:
        first.close()
    run(second, Command(resume="visa"), calls[1:])
    run(first := Journal.open(url) if dies else first, Command(resume="cash"), [])
    assert facts(first) == [
        ("pay", {"sum": 5}, "ok", "paid 5 with visa"),
        ("pay", {"sum": 6}, "ok", "paid 6 with cash"),
    ]
    assert first.list_in_doubt().in_doubt == ()
    for journal in (first, second):
        journal.close()


def test_a_graph_without_an_agent_of_langchain_is_recorded_too(journal: Journal, world: World) -> None:
    seen = JournalMiddleware(journal, agent="graph")
    tools = ToolNode(
        [StructuredTool.from_function(world.fail, description="fail")],
        wrap_tool_call=seen.wrap_tool_call,
        handle_tool_errors=True,
    )
    graph = StateGraph(MessagesState).add_node("tools", tools).set_entry_point("tools").compile()
    call = {"name": "fail", "args": {"why": "no ink"}, "id": "c1", "type": "tool_call"}
    state = graph.invoke({"messages": [AIMessage("", tool_calls=[call])]})
    assert state["messages"][-1].status == "error"
    assert [(each.outcome, each.actor) for each in actions_of(journal)] == [("failed", "graph")]
    assert "no ink" in actions_of(journal)[0].payload


def test_an_agent_inside_a_tool_is_a_sub_agent(journal: Journal, world: World) -> None:
    seen = JournalMiddleware(journal)
    inner: Any = create_agent(
        Scripted(
            responses=[
                AIMessage("", tool_calls=[{"name": "add", "args": {"a": 1, "b": 2}, "id": "c2", "type": "tool_call"}]),
                AIMessage("three"),
            ]
        ),
        [StructuredTool.from_function(world.add, description="add")],
        middleware=[seen],
        name="sums",
    )

    def ask() -> str:
        return _last(inner.invoke(GO))

    outer = _agent(world, [[("ask", "c1", {})]], seen, tools=[StructuredTool.from_function(ask, description="ask")])
    outer.invoke(GO)
    assert [(each.tool, each.actor, each.kind, each.payload) for each in actions_of(journal)] == [
        ("ask", "clerk", "agent", "three"),
        ("add", "sums", "sub-agent", "3"),
    ]


_KILLED_IN_PAY = """
import os, sys
from langchain_core.messages import AIMessage
from langgraph.graph import MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from tallystick import Journal
from tallystick.integrations.langchain import JournalMiddleware

def pay(to: str) -> str:
    "Pay somebody."
    with open(sys.argv[2], "a") as paid:
        paid.write(to)
    os.kill(os.getpid(), 9)

with Journal.open(sys.argv[1]) as journal:
    middleware = JournalMiddleware(journal, strict=True)
    node = ToolNode([pay], wrap_tool_call=middleware.wrap_tool_call)
    graph = StateGraph(MessagesState).add_node("tools", node).set_entry_point("tools").compile()
    call = {"name": "pay", "args": {"to": "ada"}, "id": "c1", "type": "tool_call"}
    graph.invoke({"messages": [AIMessage("", tool_calls=[call])]})
"""


def test_a_strict_graph_that_was_killed_in_a_call_does_not_make_it_again(tmp_path: Path) -> None:
    url, paid = f"sqlite://{tmp_path}/journal.db", tmp_path / "paid"
    command = [sys.executable, "-c", _KILLED_IN_PAY, url, str(paid)]
    first, again = (subprocess.run(command, capture_output=True, text=True, check=False) for _ in range(2))
    assert (first.returncode, again.returncode, paid.read_text()) == (-9, 1, "ada")
    assert "in doubt" in again.stderr
    assert "settle it" in again.stderr
