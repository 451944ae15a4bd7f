"""An adapter in a client that calls through the gateway: a doubt of the gateway stays a doubt."""

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from tallystick import Journal
from tallystick.core.types import Actor
from tallystick.integrations.mcp_sdk import watch
from tallystick.integrations.observer import CallObserver
from tests.gateway.gateway_client import ScriptedServer, config_for
from tests.integrations.world import actions_of
from tests.interfaces.mcp.line_client import JOURNAL, environment


async def _calls(folder: Path, tool: str, journal: Journal) -> None:
    """One call by the official client, through a real gateway."""
    config = folder / "mcp.json"
    config.write_text(json.dumps(config_for(ScriptedServer(folder, "shop", "handshake"))))
    url = f"sqlite:///{folder / 'journal.db'}"
    gateway = ["-m", "tallystick", "gateway", "--config", str(config), "--url", url, "--journal", JOURNAL]
    server = StdioServerParameters(command=sys.executable, args=gateway, env=environment())
    async with Client(stdio_client(server)) as client:
        watch(client, journal, server="tallystick", agent="clerk")
        with suppress(MCPError):
            await client.call_tool(tool, {}, meta={"callId": "call_1"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tool", "outcome"), [("echo", "ok"), ("fail", "failed"), ("break", "unknown"), ("die", "unknown")]
)
def test_an_answer_of_the_gateway_does_not_settle_its_doubt(tmp_path: Path, tool: str, outcome: str) -> None:
    with Journal.open(f"sqlite:///{tmp_path / 'journal.db'}", journal=JOURNAL) as journal:
        asyncio.run(_calls(tmp_path, tool, journal))
        assert [(each.call, each.outcome) for each in actions_of(journal)] == [("call_1", outcome)]
        assert len(journal.list_in_doubt().in_doubt) == (outcome == "unknown")


def test_a_server_behind_the_gateway_settles_a_doubt_of_the_gateway(journal: Journal, tmp_path: Path) -> None:
    url = f"sqlite://{tmp_path}/journal.db"
    by = Actor(kind="gateway", name="client")
    with Journal.open(url, actor=by) as gateway, gateway.execution("Observed"):
        gateway.record_action(phase="begin", tool="put", call_id="call_1")
        with CallObserver(journal, "mcp", shares_ids=True, executes_calls=True).call(
            "put", {}, call_id="call_1"
        ) as seen:
            gateway.record_action(phase="end", call_id="call_1", outcome="unknown", error="It did not answer in time.")
            seen.result = "done"
    assert journal.list_in_doubt().in_doubt == ()
