"""The Host and Origin headers, and bodies that are rejected before the SDK sees them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick.protocol import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR
from tests.interfaces.mcp.http_client import VERSION, Served, served

JSON = (("content-type", "application/json"), ("accept", "application/json, text/event-stream"))
HELLO = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
HELLO += b'"clientInfo":{"name":"a","version":"1"}}}'
TWICE = (
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"record_context","arguments":{"key":1,"key":2}}}'
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(f"sqlite:///{Path(tmp_path_factory.mktemp('guard')) / 'journal.db'}") as found:
        yield found


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9", "[::1]", "[::1]:4747", "[0:0:0:0:0:0:0:1]", "LOCALHOST"])
def test_our_own_host_names_are_accepted_in_any_spelling(server: Served, host: str) -> None:
    assert server.raw([("host", host), *JSON], HELLO).status == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil@127.0.0.1", "127.0.0.1@evil.example", "127.0.0.1:80@evil.example", "evil:x@localhost:80", "::1"),
        *("127.0.0.1/evil.example", "127.0.0.1#evil", "[::1", "[::1]evil", "127.0.0.1.evil.example", "[::2]", ""),
    ],
)
def test_a_host_that_only_contains_one_of_our_names_is_rejected(server: Served, host: str) -> None:
    assert server.raw([("host", host), *JSON], HELLO).status in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil@127.0.0.1", "http://127.0.0.1@evil.example", "127.0.0.1", "http://"])
def test_an_origin_that_only_contains_one_of_our_names_is_rejected(server: Served, origin: str) -> None:
    assert server.raw([("host", "127.0.0.1"), ("origin", origin), *JSON], HELLO).status == 403


@pytest.mark.parametrize("name", ["host", "origin", "authorization"])
def test_a_repeated_host_or_origin_header_is_rejected(server: Served, name: str) -> None:
    value = "http://127.0.0.1" if name == "origin" else "127.0.0.1"
    headers = [("host", "127.0.0.1")] if name != "host" else []
    answer = server.raw([*headers, (name, value), (name, value), *JSON], HELLO)
    assert answer.status == 400


@pytest.mark.parametrize("era", ["modern", "legacy"])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", PARSE_ERROR),
        (b"{", PARSE_ERROR),
        (b"\xff\xfe", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[1]", INVALID_REQUEST),
        (b"3", INVALID_REQUEST),
        (b"[]", INVALID_REQUEST),
        (b"null", INVALID_REQUEST),
        (b'{"a":1}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800"}}', INVALID_PARAMS),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b'{"a":' * 300 + b"1" + b"}" * 301, INVALID_PARAMS),
    ],
)
def test_a_body_that_is_no_message_is_rejected_with_our_own_text(
    server: Served, era: str, body: bytes, code: int
) -> None:
    answer = server.post(body, {"mcp-protocol-version": VERSION} if era == "modern" else {})
    assert answer.status in (200, 400)
    assert answer.message["error"]["code"] == code
    assert answer.message["id"] in (None, 1)
    assert b"pydantic" not in answer.body
    assert b"alidation error" not in answer.body


def test_a_rejection_has_the_fields_of_the_client_s_protocol(server: Served) -> None:
    old = server.post(TWICE).message["result"]
    new = server.post(TWICE, {"mcp-protocol-version": VERSION, "mcp-method": "tools/call"}).message["result"]
    assert old["isError"]
    assert new["isError"]
    assert not {"resultType", "_meta"} & set(old)
    assert {"resultType", "_meta"} <= set(new)


def test_a_byte_order_mark_is_ignored(server: Served) -> None:
    assert server.raw([("host", "127.0.0.1"), *JSON], b"\xef\xbb\xbf" + HELLO).status == 200
