"""Real servers from npm behind the gateway, driven by the official client and by the Inspector, in both eras."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from tallystick import Journal
from tests import node
from tests.interfaces.mcp.line_client import COMMAND, JOURNAL, TIMEOUT_SECONDS, environment
from tests.interfaces.mcp.test_inspector import CONNECT_MS

Mode = Literal["auto", "legacy"]


def _config(folder: Path) -> list[str]:
    """The three official servers, and the command of the gateway before them."""
    (folder / "files").mkdir()
    filesystem = node.program(node.FILESYSTEM_SERVER, "mcp-server-filesystem")
    memory = node.program(node.MEMORY_SERVER, "mcp-server-memory")
    everything = node.program(node.EVERYTHING_SERVER, "mcp-server-everything")
    servers = {
        "fs": {"command": str(node.NODE), "args": [str(filesystem), str(folder / "files")]},
        "memory": {
            "command": str(node.NODE),
            "args": [str(memory)],
            "env": {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")},
        },
        "everything": {"command": str(node.NODE), "args": [str(everything)]},
    }
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    url = f"sqlite:///{folder / 'journal.db'}"
    return [*COMMAND, "gateway", "--config", str(folder / "mcp.json"), "--url", url, "--journal", JOURNAL]


def _states(folder: Path) -> dict[str, str]:
    with Journal.open(f"sqlite:///{folder / 'journal.db'}", journal=JOURNAL) as journal:
        begun = journal.read_entries(kind="action_begun", limit=100).entries
        actions = [journal.get_action(action_id=entry.id) for entry in begun]
        return {action.tool: f"{action.state} {action.effect}" for action in actions}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_uses_the_official_servers_through_the_gateway(mode: Mode, tmp_path: Path) -> None:
    command, *arguments = _config(tmp_path)
    steps: list[float] = []
    requests: list[str] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        steps.append(progress)

    async def elicited(context: Any, params: Any) -> types.ElicitResult:
        requests.append(params.message)
        return types.ElicitResult(action="decline")

    async def sampled(context: Any, params: Any) -> types.CreateMessageResult:
        text = types.TextContent(type="text", text="sampled by the client")
        return types.CreateMessageResult(role="assistant", content=text, model="none")

    async def story() -> None:
        server = StdioServerParameters(command=command, args=arguments, env=environment())
        callbacks: dict[str, Any] = {"elicitation_callback": elicited, "sampling_callback": sampled}
        async with Client(server, mode=mode, read_timeout_seconds=TIMEOUT_SECONDS, **callbacks) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert {"fs__write_file", "memory__create_entities", "everything__echo", "record_plan"} <= tools.keys()
            path = str(tmp_path / "files" / "a.txt")
            written = await client.call_tool("fs__write_file", {"path": path, "content": "notched"})
            assert not written.is_error
            read = await client.call_tool("fs__read_text_file", {"path": path})
            assert read.structured_content == {"content": "notched"}
            outside = await client.call_tool("fs__write_file", {"path": "/nowhere/at/all", "content": "x"})
            assert outside.is_error
            entities = [{"name": "tally", "entityType": "stick", "observations": ["split"]}]
            made = await client.call_tool("memory__create_entities", {"entities": entities})
            assert made.structured_content == {"entities": entities}
            long = {"duration": 0.2, "steps": 2}
            await client.call_tool("everything__trigger-long-running-operation", long, progress_callback=progressed)
            uris = [str(each.uri) for each in (await client.list_resources()).resources]
            static = next(uri for uri in uris if uri.startswith("demo://resource/static"))
            assert (await client.read_resource(static)).contents
            assert (await client.get_prompt("everything__simple-prompt")).messages
            if mode == "legacy":  # servers ask only clients that declare it, and only in this era
                sample = await client.call_tool(
                    "everything__trigger-sampling-request", {"prompt": "say", "maxTokens": 5}
                )
                assert "sampled by the client" in json.dumps([each.model_dump() for each in sample.content])
                await client.call_tool("everything__trigger-elicitation-request", {})

    asyncio.run(story())
    assert steps == [1.0, 2.0]
    assert bool(requests) is (mode == "legacy")
    assert (tmp_path / "files" / "a.txt").read_text() == "notched"
    states = _states(tmp_path)
    assert states["mcp__memory__create_entities"] == "ok unsafe"
    assert states["mcp__fs__read_text_file"] == "ok read"
    assert states["mcp__fs__write_file"].startswith("failed")  # the second one, outside


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_uses_the_official_servers_through_the_gateway(era: str, tmp_path: Path) -> None:
    gateway = _config(tmp_path)
    program = node.program(node.INSPECTOR, "mcp-inspector")

    def inspect(method: str, *options: str) -> Any:
        results = ["--cli", "--protocol-era", era, "--format", "json", "--quiet", "--connect-timeout", str(CONNECT_MS)]
        done = node.run(
            program,
            *results,
            *("--method", method, *options, "--", *gateway),
            cwd=tmp_path,
            env={"HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)["result"]

    names = {tool["name"] for tool in inspect("tools/list")["tools"]}
    assert {"fs__write_file", "memory__read_graph", "everything__get-sum", "query_ledger"} <= names
    summed = inspect("tools/call", "--tool-name", "everything__get-sum", "--tool-args-json", '{"a": 1, "b": 2}')
    assert "3" in summed["content"][0]["text"]
    assert _states(tmp_path) == {"mcp__everything__get-sum": "ok " + _effect(summed)}
    assert sys.executable in gateway


def _effect(summed: Any) -> str:
    """The server's own annotation of that tool today: none, so that it is unsafe, or read-only."""
    described = (node.EVERYTHING_SERVER / "dist" / "tools" / "get-sum.js").read_text()
    return "read" if "readOnlyHint: true" in described else "unsafe"
