"""The official MCP SDK, the real package: its client and both of its servers, in one process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp.client import Client
from mcp.server import MCPServer
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, Implementation, ListToolsResult, TextContent, Tool

from tallystick import InDoubtOpen, InvalidArgument, Journal, StorageUnavailable
from tallystick.integrations.mcp_sdk import JournalExtension, recorded, watch
from tests.integrations.world import World, actions_of, facts, leave_in_doubt

WAYS = ("client", "session", "server", "low-level server")


def _server(world: World, **more: Any) -> MCPServer:
    server = MCPServer("sums", **more)
    for tool in (world.add, world.fail, world.meet, world.hang):
        server.add_tool(tool)
    return server


def _low_level(world: World, journal: Journal, **options: Any) -> Server[Any]:
    """The same tools on a low-level server."""

    async def lists(ctx: Any, params: Any) -> ListToolsResult:
        names = ("add", "fail", "meet", "hang")
        return ListToolsResult(tools=[Tool(name=name, input_schema={"type": "object"}) for name in names])

    @recorded(journal, **options)
    async def calls(ctx: Any, params: Any) -> CallToolResult:
        try:
            value = getattr(world, params.name)(**(params.arguments or {}))
            value = await value if asyncio.iscoroutine(value) else value
        except ValueError as error:
            return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)
        return CallToolResult(content=[], structured_content={"result": value})

    return Server("sums", on_list_tools=lists, on_call_tool=calls)


@asynccontextmanager
async def _wired(way: str, world: World, journal: Journal, **options: Any) -> AsyncIterator[Any]:
    """A function that calls tools, recorded in one of the three ways."""
    if way == "low-level server":
        server: Any = _low_level(world, journal, **options)
    elif way == "server":
        server = _server(world, extensions=[JournalExtension(journal, **options)])
    else:
        server = _server(world)
    async with Client(server, client_info=Implementation(name="clerk", version="1")) as client:
        if way == "client":
            yield watch(client, journal, server="sums", agent="clerk", **options)
        elif way == "session":
            yield watch(client.session, journal, server="sums", agent="clerk", **options)
        else:
            yield client


def _plain(way: str, name: str) -> str:
    """The tool name in the journal: with the server for a client, without it for a server."""
    return f"mcp__sums__{name}" if way in ("client", "session") else name


@pytest.mark.parametrize("way", WAYS)
def test_the_journal_has_the_calls_of_the_tools(journal: Journal, world: World, way: str) -> None:
    async def run() -> list[Any]:
        async with _wired(way, world, journal) as client:
            answers = [await client.call_tool("add", {"a": number, "b": 1}) for number in (1, 2)]
            return [answer.structured_content["result"] for answer in answers]

    assert asyncio.run(run()) == [2, 3]
    assert facts(journal) == [
        (_plain(way, tool), arguments, "ok", {"result": value}) for tool, arguments, value in world.done
    ]
    assert [(each.actor, each.kind) for each in actions_of(journal)] == [("clerk", "agent")] * 2


@pytest.mark.parametrize("way", WAYS)
def test_an_error_response_is_recorded_as_failed_with_its_text(journal: Journal, world: World, way: str) -> None:
    async def run() -> CallToolResult:
        async with _wired(way, world, journal) as client:
            answer: CallToolResult = await client.call_tool("fail", {"why": "no ink"})
            return answer

    answer = asyncio.run(run())
    assert answer.is_error
    words = answer.content[0]
    assert isinstance(words, TextContent)
    assert facts(journal) == [(_plain(way, "fail"), {"why": "no ink"}, "failed", words.text)]


@pytest.mark.parametrize("way", WAYS)
def test_calls_at_the_same_time_stay_apart(journal: Journal, world: World, way: str) -> None:
    async def run() -> None:
        async with _wired(way, world, journal) as client:
            await asyncio.gather(*(client.call_tool("meet", {"who": who}) for who in ("ada", "bob")))

    asyncio.run(run())
    assert sorted((each.arguments["who"], each.outcome, each.payload["result"]) for each in actions_of(journal)) == [
        ("ada", "ok", "met ada"),
        ("bob", "ok", "met bob"),
    ]


@pytest.mark.parametrize("way", WAYS)
def test_a_call_that_is_cancelled_is_in_doubt(journal: Journal, world: World, way: str) -> None:
    async def run() -> None:
        async with _wired(way, world, journal) as client:
            await world.cut_off(client.call_tool("hang"))

    asyncio.run(run())
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [(_plain(way, "hang"), "unknown")]
    assert len(journal.list_in_doubt().in_doubt) == 1


@pytest.mark.parametrize("way", ["client", "session"])
def test_a_call_that_is_not_answered_in_time_is_in_doubt(journal: Journal, world: World, way: str) -> None:
    async def run() -> None:
        async with _wired(way, world, journal) as client:
            with pytest.raises(MCPError):
                await client.call_tool("hang", read_timeout_seconds=0.01)

    asyncio.run(run())
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("mcp__sums__hang", "unknown")]


@pytest.mark.parametrize("way", ["client", "session"])
def test_a_call_with_an_unreadable_response_is_in_doubt(
    journal: Journal, world: World, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with _wired(way, world, journal) as client:
            monkeypatch.setattr("mcp.client.session._methods.validate_server_result", _refuses)
            with pytest.raises(ValueError, match="resultType"):
                await client.call_tool("add", {"a": 1, "b": 2})

    asyncio.run(run())
    assert len(world.done) == 1
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("mcp__sums__add", "unknown")]


def _refuses(*args: Any, **more: Any) -> None:
    raise ValueError("resultType is missing")


@pytest.mark.parametrize("way", WAYS)
def test_strict_refuses_a_call_that_cannot_be_recorded(unwritable: Journal, world: World, way: str) -> None:
    async def run() -> None:
        async with _wired(way, world, unwritable, strict=True) as client:
            with pytest.raises(StorageUnavailable if way in ("client", "session") else MCPError):
                await client.call_tool("add", {"a": 1, "b": 2})

    asyncio.run(run())
    assert world.done == []


@pytest.mark.parametrize("way", WAYS)
def test_strict_refuses_a_call_that_is_in_doubt(journal: Journal, world: World, way: str) -> None:
    is_client = way in ("client", "session")
    leave_in_doubt(journal, "mcp__sums__add" if is_client else "add", {"a": 1, "b": 2})

    async def run() -> None:
        async with _wired(way, world, journal, strict=True) as client:
            with pytest.raises(InDoubtOpen if is_client else MCPError):
                await client.call_tool("add", {"a": 1, "b": 2})

    asyncio.run(run())
    assert (world.done, [each.outcome for each in actions_of(journal)]) == ([], ["unknown", "skipped"])


@pytest.mark.parametrize("way", WAYS)
def test_an_unwritable_journal_does_not_stop_a_call(
    unwritable: Journal, world: World, way: str, complaints: list[str]
) -> None:
    async def run() -> list[Any]:
        async with _wired(way, world, unwritable) as client:
            answers = [await client.call_tool("add", {"a": number, "b": 1}) for number in (1, 2)]
            return [answer.structured_content["result"] for answer in answers]

    assert asyncio.run(run()) == [2, 3]
    assert len(complaints) == 1


def test_client_and_server_that_know_the_id_of_a_call_record_one_action(journal: Journal, world: World) -> None:
    async def run() -> None:
        async with _wired("server", world, journal) as client:
            watch(client, journal, server="sums", agent="clerk")
            await client.call_tool("add", {"a": 1, "b": 2}, meta={"claudecode/toolUseId": "toolu_1"})

    asyncio.run(run())
    assert [(each.tool, each.call, each.payload) for each in actions_of(journal)] == [
        ("mcp__sums__add", "toolu_1", {"result": 3})
    ]


def test_a_wrong_object_is_refused_with_what_to_give(journal: Journal) -> None:
    wrong: Any
    for wrong in (None, 42):
        with pytest.raises(InvalidArgument, match="Give a Client or a ClientSession"):
            watch(wrong, journal, server="sums")
        with pytest.raises(InvalidArgument, match="Decorate the function"):
            recorded(journal)(wrong)
