"""OpenAI Agents SDK, the real package, with a model that follows a script."""

import asyncio
import json
import sys
from contextlib import suppress
from typing import Any

import pytest
from agents import (
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    RunResult,
    ToolGuardrailFunctionOutput,
    Usage,
    UserError,
    add_trace_processor,
    function_tool,
    set_trace_processors,
    tool_input_guardrail,
)
from agents.exceptions import ModelBehaviorError, ToolInputGuardrailTripwireTriggered, ToolTimeoutError
from agents.mcp import MCPServerStdio
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from tallystick import Journal
from tallystick.integrations.openai_agents import JournalHooks
from tests.integrations.world import World, actions_of, facts, leave_in_doubt


class Scripted(Model):
    """A model that makes these calls, one list in each turn, and then answers "done"."""

    def __init__(self, *turns: list[ResponseFunctionToolCall]) -> None:
        self._turns = list(turns)

    async def get_response(self, *args: Any, **more: Any) -> ModelResponse:
        message: list[Any] = list(self._turns.pop(0)) if self._turns else [_says("done")]
        return ModelResponse(output=message, usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **more: Any) -> Any:
        raise AssertionError("the tests do not stream")


def _call(tool: str, id: str, **arguments: Any) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(type="function_call", name=tool, call_id=id, arguments=json.dumps(arguments))


def _says(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[content])


def _agent(world: World, *turns: list[ResponseFunctionToolCall], tools: Any = (), **more: Any) -> Agent[Any]:
    own = [function_tool(f) for f in (world.add, world.fail, world.meet, world.hang)]
    bare = function_tool(world.fail, name_override="raise", failure_error_function=None)
    return Agent(name=more.pop("name", "clerk"), model=Scripted(*turns), tools=[*own, bare, *tools], **more)


def _run(agent: Agent[Any], hooks: JournalHooks | None, **more: Any) -> RunResult:
    return asyncio.run(Runner.run(agent, "go", hooks=hooks, **more))


pytestmark = pytest.mark.usefixtures("no_processors")


WAYS = ("both", "hooks", "processor", "untraced")


class Wired:
    """The adapter, as hooks, as a trace processor, or as both."""

    def __init__(self, way: str, journal: Journal, **options: Any) -> None:
        made = JournalHooks(journal, **options)
        set_trace_processors([made] if way in ("both", "processor", "untraced") else [])
        self.hooks = None if way == "processor" else made
        self.config = RunConfig(tracing_disabled=way == "untraced")

    def run(self, agent: Agent[Any]) -> RunResult:
        return _run(agent, self.hooks, run_config=self.config)


@pytest.mark.parametrize("way", WAYS)
def test_the_journal_has_the_calls_of_the_tools(journal: Journal, world: World, way: str) -> None:
    agent = _agent(world, [_call("add", "c1", a=1, b=2)], [_call("add", "c2", a=3, b=4)])
    assert Wired(way, journal).run(agent).final_output == "done"
    assert facts(journal) == [(tool, arguments, "ok", value) for tool, arguments, value in world.done]
    assert [(each.actor, each.kind) for each in actions_of(journal)] == [("clerk", "agent")] * 2
    if way != "processor":  # a trace knows spans, not calls
        assert [each.call for each in actions_of(journal)] == ["c1", "c2"]


@pytest.mark.parametrize("way", WAYS)
def test_an_error_text_for_the_model_is_recorded_as_failed(journal: Journal, world: World, way: str) -> None:
    assert Wired(way, journal).run(_agent(world, [_call("fail", "c1", why="no ink")])).final_output == "done"
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("fail", "failed")]


@pytest.mark.parametrize("way", WAYS)
def test_a_custom_error_text_is_recorded_as_failed(journal: Journal, world: World, way: str) -> None:
    tool = function_tool(world.fail, name_override="try", failure_error_function=lambda _, error: f"sorry, {error}")
    Wired(way, journal).run(_agent(world, [_call("try", "c1", why="no ink")], tools=[tool]))
    (only,) = actions_of(journal)
    assert only.outcome == "failed"
    assert "no ink" in only.payload


@pytest.mark.parametrize(
    ("way", "raises"), [*((way, False) for way in WAYS), ("both", True), ("processor", True)]
)  # the hooks alone do not see a tool that raises
def test_a_call_that_was_refused_for_its_arguments_is_not_owed(
    journal: Journal, world: World, way: str, raises: bool
) -> None:
    words = None if raises else (lambda _, error: f"sorry, {error}")
    tool = function_tool(world.add, name_override="pay", failure_error_function=words)
    with suppress(ModelBehaviorError):
        Wired(way, journal).run(_agent(world, [_call("pay", "c1", a="x")], tools=[tool]))
    assert [each.outcome for each in actions_of(journal)] == ["failed"]
    assert (world.done, journal.get_undo_list().items) == ([], ())


def test_a_tool_with_a_custom_error_function_that_returns_is_ok(journal: Journal, world: World) -> None:
    tool = function_tool(world.add, name_override="try", failure_error_function=lambda _, error: f"sorry, {error}")
    Wired("untraced", journal).run(_agent(world, [_call("try", "c1", a=1, b=2)], tools=[tool]))
    assert facts(journal) == [("try", {"a": 1, "b": 2}, "ok", 3)]


def test_without_a_trace_a_text_that_may_be_an_error_is_not_ok(journal: Journal, world: World) -> None:
    config = RunConfig(tracing_disabled=True, tool_error_formatter=lambda message: f"sorry, {message.error}")
    for calls in ([_call("add", "c1", a=1, b=2)], [_call("fail", "c2", why="no ink")]):
        _run(_agent(world, calls), JournalHooks(journal), run_config=config)
    assert [each.outcome for each in actions_of(journal)] == ["unknown", "unknown"]


@pytest.mark.parametrize("way", WAYS)
def test_a_tool_that_timed_out_is_in_doubt(journal: Journal, world: World, way: str) -> None:
    tool = function_tool(world.hang, name_override="wait", timeout=0.05)
    assert Wired(way, journal).run(_agent(world, [_call("wait", "c1")], tools=[tool])).final_output == "done"
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("wait", "unknown")]


@pytest.mark.parametrize("way", ["both", "hooks", "untraced"])
def test_a_timeout_with_a_custom_text_is_in_doubt(journal: Journal, world: World, way: str) -> None:
    tool = function_tool(world.hang, name_override="wait", timeout=0.05, timeout_error_function=lambda *_: "too slow")
    Wired(way, journal).run(_agent(world, [_call("wait", "c1")], tools=[tool]))
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("wait", "unknown")]


@pytest.mark.parametrize("way", ["both", "processor"])
def test_a_timeout_that_ends_the_run_is_in_doubt(journal: Journal, world: World, way: str) -> None:
    tool = function_tool(world.hang, name_override="wait", timeout=0.05, timeout_behavior="raise_exception")
    with pytest.raises(ToolTimeoutError):
        Wired(way, journal).run(_agent(world, [_call("wait", "c1")], tools=[tool]))
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("wait", "unknown")]


@pytest.mark.parametrize("way", ["both", "processor"])
def test_a_tool_that_raises_is_failed_and_its_error_is_raised(journal: Journal, world: World, way: str) -> None:
    with pytest.raises(UserError, match="no ink"):
        Wired(way, journal).run(_agent(world, [_call("raise", "c1", why="no ink")]))
    assert facts(journal) == [("raise", {"why": "no ink"}, "failed", "Error running tool: no ink")]


def test_without_the_trace_a_tool_that_raises_stays_open(journal: Journal, world: World) -> None:
    with pytest.raises(UserError):
        Wired("hooks", journal).run(_agent(world, [_call("raise", "c1", why="no ink")]))
    assert [each.outcome for each in actions_of(journal)] == ["open"]


@pytest.mark.parametrize("way", WAYS)
def test_calls_at_the_same_time_stay_apart(journal: Journal, world: World, way: str) -> None:
    Wired(way, journal).run(_agent(world, [_call("meet", "c1", who="ada"), _call("meet", "c2", who="bob")]))
    assert sorted((each.arguments["who"], each.outcome, each.payload) for each in actions_of(journal)) == [
        ("ada", "ok", "met ada"),
        ("bob", "ok", "met bob"),
    ]


def test_two_runs_with_the_same_call_ids_stay_apart(journal: Journal, world: World) -> None:
    wired = Wired("both", journal)

    async def run() -> None:
        agents = [_agent(world, [_call("meet", "call_0", who=who)]) for who in ("ada", "bob")]
        await asyncio.gather(*(Runner.run(agent, "go", hooks=wired.hooks) for agent in agents))

    asyncio.run(run())
    assert sorted((each.arguments["who"], each.payload) for each in actions_of(journal)) == [
        ("ada", "met ada"),
        ("bob", "met bob"),
    ]


@pytest.mark.parametrize("with_hooks", [True, False], ids=["with hooks", "trace only"])
def test_a_call_that_several_processors_of_a_journal_see_is_one_action(
    journal: Journal, world: World, with_hooks: bool
) -> None:
    for number in range(3):  # as by a server that makes them for each request
        hooks = JournalHooks(journal)
        add_trace_processor(hooks)
        _run(_agent(world, [_call("add", f"c{number}", a=number, b=2)]), hooks if with_hooks else None)
    assert facts(journal) == [("add", {"a": number, "b": 2}, "ok", number + 2) for number in range(3)]


def test_calls_of_a_run_are_only_in_the_journal_of_its_hooks(journal: Journal, world: World) -> None:
    with Journal.open("memory:") as other:
        hooks = JournalHooks(journal)
        set_trace_processors([JournalHooks(other), hooks])
        ask = _agent(world, [_call("add", "c2", a=1, b=2)], name="sums").as_tool("ask", "ask for a sum")
        _run(_agent(world, [_call("ask", "c1", input="1 + 2")], tools=[ask]), hooks)
        assert {each.tool for each in actions_of(journal)} == {"ask", "add"}
        assert facts(other) == []


def test_hooks_record_a_tool_that_raised_from_another_processor(journal: Journal, world: World) -> None:
    with Journal.open("memory:") as other:
        set_trace_processors([JournalHooks(other)])
        with pytest.raises(UserError, match="no ink"):
            _run(_agent(world, [_call("raise", "c1", why="no ink")]), JournalHooks(journal))
    assert facts(journal) == [("raise", {"why": "no ink"}, "failed", "Error running tool: no ink")]


@pytest.mark.parametrize("way", ["both", "processor"])
def test_a_call_that_is_cancelled_is_in_doubt(journal: Journal, world: World, way: str) -> None:
    wired = Wired(way, journal)
    asyncio.run(world.cut_off(Runner.run(_agent(world, [_call("hang", "c1")]), "go", hooks=wired.hooks)))
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("hang", "unknown")]
    assert len(journal.list_in_doubt().in_doubt) == 1


def test_a_run_inside_the_handling_of_an_error_did_not_fail(journal: Journal, world: World) -> None:
    wired, hang = Wired("processor", journal), function_tool(lambda: None, name_override="nothing", strict_mode=False)
    try:
        raise KeyError
    except KeyError:
        wired.run(_agent(world, [_call("add", "c1", a=1, b=2)], tools=[hang]))
    assert facts(journal) == [("add", {"a": 1, "b": 2}, "ok", 3)]


@pytest.mark.parametrize("way", ["both", "hooks", "untraced"])
def test_strict_refuses_a_call_that_cannot_be_recorded(unwritable: Journal, world: World, way: str) -> None:
    with pytest.raises(UserError, match="cannot"):
        Wired(way, unwritable, strict=True).run(_agent(world, [_call("add", "c1", a=1, b=2)]))
    assert world.done == []


@pytest.mark.parametrize("way", ["both", "hooks", "untraced"])
def test_strict_refuses_a_call_that_is_in_doubt(journal: Journal, world: World, way: str) -> None:
    doubt = leave_in_doubt(journal, "add", {"a": 1, "b": 2})
    with pytest.raises(UserError, match=doubt):
        Wired(way, journal, strict=True).run(_agent(world, [_call("add", "c1", a=1, b=2)]))
    assert (world.done, [each.outcome for each in actions_of(journal)]) == ([], ["unknown", "skipped"])


@pytest.mark.parametrize("way", WAYS)
def test_an_unwritable_journal_does_not_stop_a_call(
    unwritable: Journal, world: World, way: str, complaints: list[str]
) -> None:
    agent = _agent(world, [_call("add", "c1", a=1, b=2)], [_call("add", "c2", a=3, b=4)])
    assert Wired(way, unwritable).run(agent).final_output == "done"
    assert [value for _, _, value in world.done] == [3, 7]
    assert len(complaints) == 1


@pytest.mark.parametrize("way", WAYS)
def test_a_handoff_is_recorded_for_the_agent_that_handed_over(journal: Journal, world: World, way: str) -> None:
    billing = _agent(world, [_call("add", "c2", a=1, b=2)], name="billing")
    Wired(way, journal).run(_agent(world, [_call("transfer_to_billing", "c1")], handoffs=[billing]))
    assert [(each.tool, each.actor, each.outcome, each.arguments) for each in actions_of(journal)] == [
        ("handoff", "clerk", "ok", {"from": "clerk", "to": "billing"}),
        ("add", "billing", "ok", {"a": 1, "b": 2}),
    ]
    assert [item.tool for item in journal.get_undo_list().items] == ["add"]


@pytest.mark.parametrize("way", ["both", "processor"])
def test_an_agent_that_is_a_tool_is_a_sub_agent(journal: Journal, world: World, way: str) -> None:
    inner = _agent(world, [_call("add", "c2", a=1, b=2)], name="sums")
    ask = inner.as_tool("ask", "ask for a sum")
    Wired(way, journal).run(_agent(world, [_call("ask", "c1", input="1 + 2")], tools=[ask]))
    assert sorted((each.tool, each.actor, each.kind, each.payload) for each in actions_of(journal)) == [
        ("add", "sums", "sub-agent", 3),
        ("ask", "clerk", "agent", "done"),
    ]


@pytest.mark.parametrize("way", ["both", "hooks", "untraced"])
def test_calls_of_an_agent_as_a_tool_with_hooks_are_recorded_before_they_are_made(
    journal: Journal, world: World, way: str
) -> None:
    wired = Wired(way, journal)
    before: list[str] = []

    def look(a: int) -> str:
        before.extend(each.tool for each in actions_of(journal))
        return "looked"

    inner = _agent(world, [_call("look", "c1", a=1)], name="sums", tools=[function_tool(look)])
    ask = inner.as_tool("ask", "ask for a look", hooks=wired.hooks)
    wired.run(_agent(world, [_call("ask", "c1", input="look")], tools=[ask]))
    assert before == ["ask", "look"]
    assert [(each.tool, each.actor, each.payload) for each in actions_of(journal)] == [
        ("ask", "clerk", "done"),
        ("look", "sums", "looked"),
    ]


def test_a_call_that_waits_for_a_person_is_not_begun(journal: Journal, world: World) -> None:
    paid = []

    @function_tool(needs_approval=True)
    def pay(sum: int) -> str:
        paid.append(sum)
        return f"paid {sum}"

    wired = Wired("both", journal)
    agent = _agent(world, [_call("pay", "c1", sum=5)], tools=[pay])
    request = wired.run(agent)
    assert (paid, facts(journal)) == ([], [])
    state = request.to_state()
    state.approve(request.interruptions[0])
    asyncio.run(Runner.run(agent, state, hooks=wired.hooks))
    assert (paid, facts(journal)) == ([5], [("pay", {"sum": 5}, "ok", "paid 5")])


def test_the_trace_alone_never_records_a_waiting_call_as_ok(journal: Journal, world: World) -> None:
    pay = function_tool(world.add, name_override="pay", needs_approval=True)
    Wired("processor", journal).run(_agent(world, [_call("pay", "c1", a=1, b=2)], tools=[pay]))
    assert (world.done, [each.outcome for each in actions_of(journal)]) == ([], ["unknown"])


def _lets_pass(data: Any) -> ToolGuardrailFunctionOutput:
    return ToolGuardrailFunctionOutput.allow()


def _rejects(data: Any) -> ToolGuardrailFunctionOutput:
    return ToolGuardrailFunctionOutput.reject_content("denied by policy")


def _raises(data: Any) -> ToolGuardrailFunctionOutput:
    return ToolGuardrailFunctionOutput.raise_exception()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("guardrail", [_lets_pass, _rejects, _raises])
def test_a_call_that_an_input_guardrail_refuses_was_not_made(
    journal: Journal, world: World, way: str, guardrail: Any
) -> None:
    tool = function_tool(world.add, name_override="pay")
    tool.tool_input_guardrails = [tool_input_guardrail(guardrail)]
    with suppress(ToolInputGuardrailTripwireTriggered):
        Wired(way, journal).run(_agent(world, [_call("pay", "c1", a=1, b=2)], tools=[tool]))
    assert facts(journal) == [("pay", arguments, "ok", value) for _, arguments, value in world.done]
    assert len(world.done) == (1 if guardrail is _lets_pass else 0)


SERVER = """
from mcp.server import MCPServer

server = MCPServer("sums")


@server.tool()
def double(number: int) -> int:
    return 2 * number


server.run("stdio")
"""


@pytest.mark.parametrize("way", ["both", "processor"])
def test_a_tool_of_an_mcp_server_has_the_name_of_its_server(journal: Journal, world: World, way: str) -> None:
    wired = Wired(way, journal)

    async def run() -> None:
        async with MCPServerStdio({"command": sys.executable, "args": ["-c", SERVER]}, name="sums") as server:
            agent = _agent(world, [_call("double", "c1", number=4)], mcp_servers=[server])
            await Runner.run(agent, "go", hooks=wired.hooks, run_config=wired.config)

    asyncio.run(run())
    assert [(each.tool, each.arguments, each.outcome) for each in actions_of(journal)] == [
        ("mcp__sums__double", {"number": 4}, "ok")
    ]
