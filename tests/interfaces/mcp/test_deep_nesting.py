"""A message that is nested too deeply gets an error under its own id."""

from pathlib import Path

import pytest

from tallystick.protocol.jsonrpc import scan_id
from tests.interfaces.mcp.line_client import Lines

DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("line", "id"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":%s}}', 7),
        (b'{"params":{"id":1,"a":%s},"id" : "seven"}', "seven"),
        (b'{"params":{"a":"\\"id\\":1,","b":%s}, "id":-7 , "x":1}', -7),
        (b'[{"id":7,"a":%s}]', None),
        (b'{"id":{"id":7},"a":%s}', None),
        (b'{"id":7.5,"a":%s}', None),
        (b'{"id":"\\ud800","a":%s}', None),
        (b'{"a":%s}', None),
    ],
)
def test_the_id_is_that_of_the_message_itself(line: bytes, id: str | int | None) -> None:
    assert scan_id(line % DEEP) == id


def test_a_server_rejects_deep_nesting_under_the_id_of_the_request(tmp_path: Path) -> None:
    with Lines(f"sqlite://{tmp_path / 'journal.db'}") as server:
        server.send(b'{"jsonrpc":"2.0","method":"tools/call","params":{"a":%s},"id":"deep"}' % DEEP)
        answer = server.until(lambda message: "error" in message)
    assert (answer["id"], "nested too deeply" in answer["error"]["message"]) == ("deep", True)


@pytest.mark.parametrize(
    ("line", "id"),
    [
        (
            b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"record_context","arguments":{"a":"%s"}}}',
            7,
        ),
        (b'{"method":"tools/call","params":{"name":"query_ledger","arguments":{"id":1,"a":"%s"}},"id":"x"}', "x"),
        (b'{"params":{"a":"%s"},"jsonrpc":"2.0","id": 0 ,"method":"tools/call"}', 0),
    ],
)
def test_a_line_that_is_too_long_is_answered_under_its_own_id(tmp_path: Path, line: bytes, id: str | int) -> None:
    with Lines(f"sqlite://{tmp_path / 'journal.db'}") as server:
        server.send(line % (b'x\\"' * (3 << 20)))
        answer = server.until(lambda message: message.get("id") == id)
    assert answer["result"]["isError"]
    assert answer["result"]["structuredContent"]["error"]["code"] == "too_large"
