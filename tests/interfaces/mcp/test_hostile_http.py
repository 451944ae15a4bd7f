"""Hostile messages over HTTP: the server survives, shows no text of a library, and answers the next request."""

import json
import re
import secrets
from collections import Counter
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from tests.interfaces.mcp.http_client import VERSION, Served, served
from tests.interfaces.mcp.line_client import TIMEOUT_SECONDS, Era
from tests.interfaces.mcp.malformed import messages

COUNT = 300
FOREIGN = re.compile(
    rb"pydantic|alidation error|Traceback|Input should be|starlette|uvicorn|anyio|line \d+ column", re.I
)
"""Words that only a library would send."""


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    found = secrets.token_hex(4)
    request.node.add_report_section("setup", "seed", f"the seed is {found}")
    return found


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_hundreds_of_hostile_messages_leave_the_server_as_it_was(tmp_path: Path, seed: str, era: Era) -> None:
    met: Counter[int] = Counter()
    with TemporaryFile() as errors, served(f"sqlite:///{tmp_path / 'j.db'}", errors=errors) as server:
        result = {} if era == "modern" else server.handshake()
        for number, line in enumerate(messages(seed, COUNT, era)):
            status, body = _sent(server, line, {**result, **(_routing(line) if era == "modern" else {})})
            met[status] += 1
            assert status < 500, (line[:400], body)
            assert not FOREIGN.search(body), (line[:400], body)
            if number % 100 == 99:
                assert server.call("record_context", key="good", value=number)["isError"] is False
        assert server.process
        assert server.process.poll() is None
        errors.seek(0)
        assert b"Traceback" not in (text := errors.read()), text.decode()[-4000:]
    assert met[200] > COUNT // 10


def _routing(line: bytes) -> dict[str, str]:
    """The headers that go with a message, if it is one: else it would be refused for their want."""
    found: dict[str, str] = {"mcp-protocol-version": VERSION}
    with suppress(ValueError, RecursionError, AttributeError):
        message = json.loads(line)
        params = message.get("params")
        named = params.get("name") or params.get("uri") if isinstance(params, dict) else None
        for header, value in (("mcp-method", message.get("method")), ("mcp-name", named)):
            if isinstance(value, str) and value.isascii() and value.isprintable() and len(value) < 1000:
                found[header] = value
    return found


def _sent(server: Served, line: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """The status and the body; of a stream of changes, which has no end, the first event."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_SECONDS)
    try:
        result = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        connection.request("POST", "/mcp", line, {**result, **headers})
        response = connection.getresponse()
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        if not is_stream or b"subscriptions/listen" not in line:
            return response.status, response.read()
        return response.status, response.readline() + response.readline()
    finally:
        connection.close()
