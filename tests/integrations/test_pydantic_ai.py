"""pydantic-ai, the real package, with a model that follows a script."""

import asyncio
from typing import Any

import pytest
from pydantic_ai import Agent, ApprovalRequired, DeferredToolRequests, RunContext, TextOutput, Tool
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.run import AgentRunResult

from tallystick import InDoubtOpen, Journal, StorageUnavailable
from tallystick.integrations.pydantic_ai import JournalCapability
from tests.integrations.world import World, actions_of, facts, leave_in_doubt


def _agent(world: World, capability: JournalCapability, *turns: list[ToolCallPart], **more: Any) -> Agent[None, Any]:
    """An agent that makes these calls, one list in each turn, and then answers with the last result."""
    script = list(turns)

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=script.pop(0) if script else [TextPart("done")])

    tools: list[Any] = [world.add, world.fail, world.meet, world.hang, *more.pop("more_tools", ())]
    return Agent(FunctionModel(answer), name="clerk", tools=tools, capabilities=[capability], **more)


def _call(tool: str, id: str, **arguments: Any) -> ToolCallPart:
    return ToolCallPart(tool, arguments, tool_call_id=id)


def _run(agent: Agent[None, Any], **more: Any) -> AgentRunResult[Any]:
    return asyncio.run(agent.run(None if more else "go", **more))


def test_the_journal_has_the_calls_of_the_tools(journal: Journal, world: World) -> None:
    agent = _agent(world, JournalCapability(journal), [_call("add", "c1", a=1, b=2)], [_call("add", "c2", a=3, b=4)])
    assert _run(agent).output == "done"
    assert facts(journal) == [(tool, arguments, "ok", value) for tool, arguments, value in world.done]
    assert [(each.actor, each.kind, each.call) for each in actions_of(journal)] == [
        ("clerk", "agent", "c1"),
        ("clerk", "agent", "c2"),
    ]


def test_a_tool_that_raises_is_failed_and_its_error_is_raised(journal: Journal, world: World) -> None:
    with pytest.raises(ValueError, match="no ink"):
        _run(_agent(world, JournalCapability(journal), [_call("fail", "c1", why="no ink")]))
    assert facts(journal) == [("fail", {"why": "no ink"}, "failed", "ValueError: no ink")]


def test_a_call_that_was_refused_for_its_arguments_is_not_recorded(journal: Journal, world: World) -> None:
    assert _run(_agent(world, JournalCapability(journal), [_call("add", "c1", a="x", b=2)])).output == "done"
    assert (world.done, facts(journal)) == ([], [])


def test_calls_at_the_same_time_stay_apart(journal: Journal, world: World) -> None:
    agent = _agent(world, JournalCapability(journal), [_call("meet", "c1", who="ada"), _call("meet", "c2", who="bob")])
    _run(agent)
    assert {(each.call, each.outcome, each.payload) for each in actions_of(journal)} == {
        ("c1", "ok", "met ada"),
        ("c2", "ok", "met bob"),
    }


def test_a_call_that_is_cancelled_is_in_doubt(journal: Journal, world: World) -> None:
    agent = _agent(world, JournalCapability(journal), [_call("hang", "c1")])
    asyncio.run(world.cut_off(agent.run("go")))
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("hang", "unknown")]
    assert len(journal.list_in_doubt().in_doubt) == 1


def test_a_tool_that_timed_out_is_in_doubt(journal: Journal, world: World) -> None:
    agent = _agent(
        world,
        JournalCapability(journal),
        [_call("wait", "c1")],
        more_tools=[Tool(world.hang, timeout=0.05, name="wait")],
    )
    assert _run(agent).output == "done"
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("wait", "unknown")]


def test_strict_refuses_a_call_that_cannot_be_recorded(unwritable: Journal, world: World) -> None:
    agent = _agent(world, JournalCapability(unwritable, strict=True), [_call("add", "c1", a=1, b=2)])
    with pytest.raises(StorageUnavailable):
        _run(agent)
    assert world.done == []


def test_strict_refuses_a_call_that_is_in_doubt(journal: Journal, world: World) -> None:
    doubt = leave_in_doubt(journal, "add", {"a": 1, "b": 2})
    agent = _agent(world, JournalCapability(journal, strict=True), [_call("add", "c1", a=1, b=2)])
    with pytest.raises(InDoubtOpen, match=doubt):
        _run(agent)
    assert (world.done, [each.outcome for each in actions_of(journal)]) == ([], ["unknown", "skipped"])


def test_an_unwritable_journal_does_not_stop_a_call(unwritable: Journal, world: World, complaints: list[str]) -> None:
    agent = _agent(world, JournalCapability(unwritable), [_call("add", "c1", a=1, b=2), _call("add", "c2", a=3, b=4)])
    assert _run(agent).output == "done"
    assert sorted(value for _, _, value in world.done) == [3, 7]  # they are made at once
    assert len(complaints) == 1


def test_a_call_that_waits_for_a_person_was_not_made(journal: Journal, world: World) -> None:
    agent = _agent(
        world, JournalCapability(journal), [_call("pay", "c1", sum=5)], output_type=[str, DeferredToolRequests]
    )

    @agent.tool
    def pay(ctx: RunContext[None], sum: int) -> str:
        if not ctx.tool_call_approved:
            raise ApprovalRequired
        return f"paid {sum}"

    request = _run(agent)
    assert isinstance(request.output, DeferredToolRequests)
    assert facts(journal) == [("pay", {"sum": 5}, "skipped", "ApprovalRequired")]
    answered = request.output.build_results(approve_all=True)
    _run(agent, message_history=request.all_messages(), deferred_tool_results=answered)
    assert facts(journal)[1:] == [("pay", {"sum": 5}, "ok", "paid 5")]


@pytest.mark.parametrize("name", ["final_result", "final_result_add"])
def test_a_function_that_takes_the_output_is_recorded_like_a_tool(journal: Journal, world: World, name: str) -> None:
    outputs: Any = world.add if name == "final_result" else [world.add, world.fail]
    agent = _agent(world, JournalCapability(journal), [_call(name, "c1", a=1, b=2)], output_type=outputs)
    assert _run(agent).output == 3
    assert facts(journal) == [(tool, arguments, "ok", value) for tool, arguments, value in world.done]
    assert [each.call for each in actions_of(journal)] == ["c1"]


def test_a_function_that_takes_the_text_is_recorded_too(journal: Journal, world: World) -> None:
    def send(text: str) -> str:
        return f"sent {text}"

    assert _run(_agent(world, JournalCapability(journal), output_type=TextOutput(send))).output == "sent done"
    assert facts(journal) == [("send", {"input": "done"}, "ok", "sent done")]


def test_strict_refuses_a_function_that_takes_the_output(unwritable: Journal, world: World) -> None:
    calls = [_call("final_result", "c1", a=1, b=2)]
    with pytest.raises(StorageUnavailable):
        _run(_agent(world, JournalCapability(unwritable, strict=True), calls, output_type=world.add))
    assert world.done == []


@pytest.mark.parametrize("output_type", [str, int])
def test_an_output_that_no_function_takes_is_no_action(journal: Journal, world: World, output_type: Any) -> None:
    calls = [[_call("final_result", "c1", response=7)]] if output_type is int else []
    _run(_agent(world, JournalCapability(journal), *calls, output_type=output_type))
    assert facts(journal) == []


def test_an_agent_inside_a_tool_is_a_sub_agent(journal: Journal, world: World) -> None:
    capability = JournalCapability(journal)
    inner = _agent(world, capability, [_call("add", "c2", a=1, b=2)])
    inner.name = "sums"
    outer = _agent(world, capability, [_call("ask", "c1")])

    @outer.tool_plain
    async def ask() -> str:
        return str((await inner.run("go")).output)

    _run(outer)
    assert [(each.tool, each.actor, each.kind) for each in actions_of(journal)] == [
        ("ask", "clerk", "agent"),
        ("add", "sums", "sub-agent"),
    ]


def test_an_agent_inside_a_tool_that_counts_its_calls_alike_loses_none(journal: Journal, world: World) -> None:
    inner = _agent(world, JournalCapability(journal), [_call("add", "call_0", a=1, b=2)])
    outer = _agent(world, JournalCapability(journal), [_call("ask", "call_0")])

    @outer.tool_plain
    async def ask() -> str:
        return str((await inner.run("go")).output)

    _run(outer)
    assert facts(journal) == [("ask", {}, "ok", "done"), ("add", {"a": 1, "b": 2}, "ok", 3)]


@pytest.mark.parametrize("names", [("ada", "bob"), ("ada", "ada")], ids=["others", "the same"])
def test_agents_at_the_same_time_that_count_their_calls_alike_stay_apart(
    journal: Journal, world: World, names: tuple[str, str]
) -> None:
    agents = [_agent(world, JournalCapability(journal), [_call("meet", "send:0", who=who)]) for who in names]

    async def run() -> None:
        await asyncio.gather(*(agent.run("go") for agent in agents))

    asyncio.run(run())
    found = sorted((each.outcome, each.payload) for each in actions_of(journal))
    assert found == [("ok", f"met {who}") for who in names]
