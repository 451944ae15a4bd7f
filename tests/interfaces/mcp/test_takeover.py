"""A whole story through a client that we did not write: planned, killed, taken over, settled, failed, undone."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from mcp.shared.exceptions import MCPError

from tallystick import Journal, Record
from tests.interfaces.mcp.agents import TRANSPORTS, Agent, Mode, OverHttp, OverStdio
from tests.interfaces.mcp.line_client import JOURNAL, TIMEOUT_SECONDS, Era, Lines, request
from tests.memory_folders import quick_folder

Way = OverStdio | OverHttp
MODES: tuple[Mode, Mode] = ("auto", "legacy")
STEPS = [
    {
        "id": "folder",
        "title": "Make the folder",
        "tool": "mkdir",
        "cancellable": "reversible",
        "undo": {"tool": "rmdir", "arguments": {"path": "${result.path}"}},
    },
    {"id": "copy", "title": "Copy the site", "tool": "cp", "cancellable": "reversible", "undo": "delete the copy"},
    {"id": "switch", "title": "Switch over", "tool": "ln", "cancellable": "reversible", "undo": "switch back"},
]


@pytest.fixture(params=TRANSPORTS)
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Way]:
    made = TRANSPORTS[request.param](f"sqlite://{tmp_path / 'journal.db'}")
    yield made
    made.close()


@pytest.fixture
def journal(way: Way) -> Iterator[Journal]:
    """The same journal, seen by another process than the server."""
    with Journal.open(way.url, journal=JOURNAL) as opened:
        yield opened


async def _begins_and_is_cut_off(way: Way, mode: Mode) -> tuple[str, str, str]:
    """The first agent: it does a step, begins the next, and its server is killed."""
    known: dict[str, str] = {}

    async def work(agent: Agent) -> None:
        plan = await agent.call("record_plan", title="Move the site", goal="new host", steps=STEPS)
        assert plan["steps"] == ["folder", "copy", "switch"]
        start = await agent.call("record_execution_start", plan_id=plan["id"])
        assert start["next_steps"] == ["folder"]
        known["execution"] = start["id"]
        known["folder"] = await _does(agent, start["id"], "folder", result={"path": "/new"})
        begun = await agent.call(
            "record_action", execution_id=start["id"], phase="begin", step="copy", tool="cp", summary="copying"
        )
        known["copy"] = begun["id"]
        way.kill()
        with pytest.raises(MCPError):
            await agent.query("brief")

    with suppress(Exception):  # how a client takes the death of its server is its own affair
        async with way.agent(mode) as agent:
            await work(agent)
    return known["execution"], known["folder"], known["copy"]


async def _does(agent: Agent, execution: str, step: str, **end: Any) -> str:
    begun = await agent.call("record_action", execution_id=execution, phase="begin", step=step, summary=f"begin {step}")
    ended = {"outcome": "ok", "summary": f"end {step}", **end}
    await agent.call("record_action", phase="end", action_id=begun["id"], **ended)
    return str(begun["id"])


async def _takes_over(way: Way, mode: Mode, execution: str, folder: str, copy: str) -> None:
    async with way.agent(mode) as agent:
        brief = await agent.query("brief")
        assert (brief["execution_id"], brief["status"]) == (execution, "running")
        assert brief.get("in_doubt", []) == ([copy] if way.doubts else [])
        assert ("decision=settle" if way.doubts else "In progress") in brief["text"]
        settled = await agent.call(
            "record_action", phase="end", action_id=copy, outcome="ok", summary="done", evidence="ls shows the files"
        )
        assert settled["state"] == "ok"
        assert (await agent.query("in_doubt"))["in_doubt"] == []
        await _does(agent, execution, "switch", outcome="failed", error="no rights", without_effect=True)
        assert "switch" in (await agent.query("brief"))["text"]
        unwinding = await agent.call(
            "record_decision", execution_id=execution, decision="unwind", why="the switch cannot be made"
        )
        assert [item["action_id"] for item in unwinding["owed"]] == [copy, folder]
        assert unwinding["owed"][1]["undo"] == {"tool": "rmdir", "arguments": {"path": "/new"}}
        for item in unwinding["owed"]:
            about = {"kind": "undo", "undoes": item["action_id"], "summary": "undo it"}
            undo = await agent.call("record_action", execution_id=execution, phase="begin", **about)
            await agent.call("record_action", phase="end", action_id=undo["id"], outcome="ok", summary="undone")
        assert (await agent.query("owed", execution_id=execution))["owed"] == []
        done = await agent.call("record_decision", execution_id=execution, decision="done", why="all is undone")
        assert done["status"] == "cancelled"
        assert (await agent.query("verify"))["ok"]


@pytest.mark.parametrize("mode", MODES)
def test_a_killed_server_s_work_is_taken_over_settled_and_undone(way: Way, mode: Mode, journal: Journal) -> None:
    execution, folder, copy = asyncio.run(_begins_and_is_cut_off(way, mode))
    seen = [item.action_id for item in journal.list_in_doubt().in_doubt]
    assert seen == ([copy] if way.doubts else [])
    asyncio.run(_takes_over(way, mode, execution, folder, copy))
    status = journal.get_status(execution_id=execution)
    assert status.execution.status == "cancelled"
    assert {step.id: step.actual for step in status.steps}["copy"] == "undone"
    assert journal.get_undo_list(execution_id=execution).items == ()
    assert journal.verify().ok


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_a_subscriber_of_each_protocol_is_notified_of_records_of_another_process(way: Way, journal: Journal) -> None:
    execution = journal.record_execution_start(title="watched").id
    uri = f"journal://executions/{execution}"

    async def legacy() -> None:
        result: asyncio.Queue[str] = asyncio.Queue()

        async def hear(message: Any) -> None:
            if isinstance(message, mcp_types.ResourceUpdatedNotification):
                await result.put(str(message.params.uri))

        async with way.agent("legacy", hear) as agent:
            await agent.client.subscribe_resource(uri)
            await asyncio.to_thread(journal.record_action, phase="note", execution_id=execution, summary="first")
            assert await asyncio.wait_for(result.get(), TIMEOUT_SECONDS) == uri

    async def modern() -> None:
        async with way.agent("auto") as agent, agent.client.listen(resource_subscriptions=[uri]) as changes:
            await asyncio.to_thread(journal.record_action, phase="note", execution_id=execution, summary="second")
            event: Any = await asyncio.wait_for(anext(changes), TIMEOUT_SECONDS)
            assert event.uri == uri

    asyncio.run(legacy())
    asyncio.run(modern())


@pytest.fixture(scope="module")
def large() -> Iterator[str]:
    """A journal that takes a while to verify."""
    note = Record(operation="record_context", arguments={"key": "k", "value": 1})
    with quick_folder() as folder:
        url = f"sqlite://{folder / 'journal.db'}"
        with Journal.open(url, journal=JOURNAL) as journal:
            for _ in range(4):
                journal.record_batch(records=[note] * 5_000)
        yield url


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_long_read_reports_its_progress(large: str, transport: str, mode: Mode) -> None:
    way = TRANSPORTS[transport](large)
    structure: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        structure.append((progress, total))

    async def verify() -> None:
        async with way.agent(mode) as agent:
            result = await agent.client.call_tool("query_ledger", {"view": "verify"}, progress_callback=hear)
            assert result.structured_content
            assert result.structured_content["entries"] > 20_000

    try:
        asyncio.run(verify())
    finally:
        way.close()
    assert len(structure) > 2
    assert structure == sorted(structure)
    assert structure[-1][0] == structure[-1][1]


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_cancelled_long_read_is_not_answered_and_delays_no_call(large: str, era: Era) -> None:
    with Lines(large, era=era) as server:
        params = {"name": "query_ledger", "arguments": {"view": "verify"}, "_meta": {"progressToken": "t"}}
        server.send(json.dumps(request("long", "tools/call", params, era)).encode())
        server.until(lambda message: message.get("method") == "notifications/progress")
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}}
        server.send(json.dumps(cancel).encode())
        assert server.call("query_ledger", view="stats")["view"] == "stats"
        assert server.call("query_ledger", view="verify")["ok"]  # by then, the other would be long done
        assert server.close() == 0
        assert not [line for line in server.lines if b'"id":"long"' in line]
