"""Isolation of clients that share a gateway over HTTP: none gets the response or the approval of another."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tallystick import Journal
from tallystick.protocol import CAPABILITIES_KEY, CLIENT_KEY, MODERN_VERSIONS, VERSION_KEY
from tests.gateway.gateway_client import ScriptedServer, config_for, text_of
from tests.interfaces.mcp.line_client import COMMAND, JOURNAL

TIMEOUT_SECONDS = 9.0
"""Shorter than the time that a call waits for a schema that never comes."""


class Shared:
    """A gateway over HTTP."""

    def __init__(self, process: "subprocess.Popen[str]", store: str) -> None:
        assert process.stdout is not None
        self.url = process.stdout.readline().split()[-1]
        self.store = store
        self._process = process

    def end(self) -> None:
        self._process.terminate()
        self._process.communicate(timeout=30)
        self.code = self._process.returncode

    def handshake(self, name: str) -> "Client":
        """A client of the handshake era, in a session of its own."""
        client = Client(self.url, name)
        fields = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}}
        client.post({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": fields})
        client.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return client

    def modern(self, name: str) -> "Client":
        """A client of the modern era, which identifies itself with each request."""
        info = {"name": name, "version": "1"}
        return Client(self.url, name, {VERSION_KEY: MODERN_VERSIONS[0], CAPABILITIES_KEY: {}, CLIENT_KEY: info})


class Client:
    def __init__(self, url: str, name: str, meta: dict[str, Any] | None = None) -> None:
        self.name = name
        self._url = url
        self._meta = meta
        self._session = ""

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        params = {"name": tool, "arguments": arguments, **({"_meta": self._meta} if self._meta else {})}
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
        text = self.post(message).strip()
        line = next(line for line in reversed(text.splitlines()) if '"id"' in line)
        result: dict[str, Any] = json.loads(line.removeprefix("data: "))["result"]
        return result

    def post(self, message: dict[str, Any]) -> str:
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        if self._session:
            headers |= {"mcp-session-id": self._session, "mcp-protocol-version": "2025-11-25"}
        if self._meta:
            headers |= {"mcp-protocol-version": MODERN_VERSIONS[0], "mcp-method": message["method"]}
            headers |= {"mcp-name": message["params"]["name"]}
        with urlopen(Request(self._url, json.dumps(message).encode(), headers), timeout=TIMEOUT_SECONDS) as answer:
            self._session = answer.headers.get("mcp-session-id") or self._session
            body: str = answer.read().decode()
            return body


@contextmanager
def sharing(folder: Path, config: dict[str, Any], program: Sequence[str] = COMMAND) -> Iterator[Shared]:
    (folder / "mcp.json").write_text(json.dumps(config))
    store = f"sqlite:///{folder / 'journal.db'}"
    command = [*program, "gateway", "--config", str(folder / "mcp.json"), "--http", "0", "--url", store]
    process = subprocess.Popen([*command, "--journal", JOURNAL], stdout=subprocess.PIPE, text=True)
    shared = Shared(process, store)
    try:
        yield shared
    finally:
        shared.end()


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_the_result_of_one_client_is_not_answered_to_another(era: str, tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(one)) as shared:
        ann, bob = (getattr(shared, era)(name) for name in ("ann", "bob"))
        assert "recorded result" not in text_of(ann.call("echo", k=1)) + text_of(bob.call("echo", k=1))
        again = ann.call("echo", k=1)
        with Journal.open(shared.store, journal=JOURNAL) as journal:
            executions = journal.list_executions().executions
    assert len(one.calls("echo")) == 2
    assert "recorded result" in text_of(again)
    assert len(executions) == 2


def test_an_approval_of_one_client_is_not_used_by_another(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(one, servers={"one": {"tools": {"put": "ask"}}})) as shared:
        ann, bob = shared.handshake("ann"), shared.handshake("bob")
        assert ann.call("put", k=1)["isError"]
        with Journal.open(shared.store, journal=JOURNAL) as journal:
            secret = journal.add_credential(name="ada", scopes=("approve", "admin")).secret
            [approval] = journal.list_approvals(status="pending").approvals
        with Journal.open(shared.store, journal=JOURNAL, credential=secret) as journal:
            journal.decide_approval(approval_id=approval.id, verdict="approve")
        assert bob.call("put", k=1)["isError"]
        assert not ann.call("put", k=1).get("isError")
    assert len(one.calls("put")) == 1


def test_the_first_call_of_a_modern_client_waits_for_no_list(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(one)) as shared:
        assert not shared.modern("ann").call("put", k=1).get("isError")


def test_the_calls_of_modern_clients_ask_once_for_the_schema_of_a_tool(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")

    def lists() -> int:
        return sum(each.get("method") == "tools/list" for each in one.received)

    with sharing(tmp_path, config_for(one)) as shared:
        ann, bob = shared.modern("ann"), shared.modern("bob")
        ann.call("put", k=1)
        before = lists()
        assert not any(each.call("put", k=number).get("isError") for each in (ann, bob) for number in (2, 3))
        assert lists() == before
        assert not ann.call("echo", k=1).get("isError")
        assert lists() > before


def test_a_request_under_an_id_that_is_under_way_is_refused_and_the_first_is_answered(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(one)) as shared, ThreadPoolExecutor(1) as pool:
        ann = shared.handshake("ann")
        first = pool.submit(ann.call, "late", seconds=2)
        while not one.calls("late"):
            pass
        with pytest.raises(HTTPError, match="400") as caught:
            ann.call("echo", a=1)
        assert "is under way" in caught.value.read().decode()
        assert text_of(first.result(TIMEOUT_SECONDS)) == "at last"
    assert not one.calls("echo")
