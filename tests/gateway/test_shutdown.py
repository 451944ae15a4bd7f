"""Stopping a gateway over HTTP: it stops in order, and the outcome of each call under way is recorded."""

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tallystick import Journal
from tallystick.protocol import CAPABILITIES_KEY, MODERN_VERSIONS, VERSION_KEY
from tests.gateway.gateway_client import ScriptedServer, config_for
from tests.gateway.test_client_isolation import sharing
from tests.interfaces.mcp.line_client import JOURNAL


def test_a_gateway_over_http_that_is_terminated_writes_that_the_call_under_way_is_in_doubt(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(server)) as shared, closing(_calling(shared.url, "hang")):
        while not server.calls("hang"):
            pass
        shared.end()
    with Journal.open(shared.store, journal=JOURNAL) as journal:
        (ended,) = journal.read_entries(kind="action_ended").entries
    assert ended.facts["outcome"] == "unknown"
    assert shared.code == 0


def _calling(url: str, tool: str) -> HTTPConnection:
    """A connection on which a tool was called; nothing waits for the response."""
    meta = {VERSION_KEY: MODERN_VERSIONS[0], CAPABILITIES_KEY: {}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}, "_meta": meta}}
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    headers |= {"mcp-protocol-version": MODERN_VERSIONS[0], "mcp-method": "tools/call", "mcp-name": tool}
    connection = HTTPConnection(urlsplit(url).netloc)
    connection.request("POST", urlsplit(url).path, json.dumps(call), headers)
    return connection
