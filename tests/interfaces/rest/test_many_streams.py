"""Many streams, and slow ones: they cost little, and delay no other client."""

import re
import resource
import socket
import threading
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx2
import pytest

from tallystick.interfaces.rest import channels, events
from tests.interfaces.rest.rest_server import StoreServer
from tests.interfaces.rest.stream_client import stream
from tests.interfaces.rest.test_events import note

IDLE = 1000
MOST_BYTES_EACH = 64 << 10


def connected(server: StoreServer, stack: ExitStack, query: str = "") -> socket.socket:
    """A connection that has asked for a stream, and has been answered."""
    address = urlsplit(server.url)
    assert address.hostname
    connection = stack.enter_context(socket.create_connection((address.hostname, address.port), timeout=60))
    connection.sendall(f"GET /events{query} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
    return connection


def until(connection: socket.socket, text: bytes) -> bytes:
    received = b""
    while text not in received:
        part = connection.recv(65536)
        assert part, received[-200:]
        received += part
    return received


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_a_thousand_idle_streams_cost_little_and_receive_new_entries(
    client: httpx2.Client, server: StoreServer
) -> None:
    with ExitStack() as stack:
        first = connected(server, stack)
        until(first, b"caught_up")
        threads, memory = threading.active_count(), resident()
        crowd = [connected(server, stack) for _ in range(IDLE)]
        for connection in crowd:
            until(connection, b"caught_up")
        assert threading.active_count() - threads <= 64  # of the interface; a stream has none of its own
        assert resident() - memory < IDLE * MOST_BYTES_EACH
        seq = note(client, "for all")
        for connection in crowd:
            until(connection, b"id: %d\nevent: session_noted" % seq)
        assert streams(client) == IDLE + 1
    assert gone(client)


def test_a_client_that_does_not_read_is_disconnected_and_delays_no_other(
    client: httpx2.Client, server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "STALL_SECONDS", 0.2)
    monkeypatch.setattr(channels, "MAX_BUFFERED_BYTES", 1 << 20)
    note(client, "first")
    with ExitStack() as stack:
        slow = connected(server, stack, "?after=0")
        until(slow, b"caught_up")
        other = stack.enter_context(server.client())
        with stream(other) as messages:
            assert next(messages).name == "caught_up"
            for _ in range(40):
                seq = note(client, "x" * 500_000)
                assert next(messages).data["seq"] == seq  # the other one hears each as it lands
        assert gone(client)
        received = b""
        while part := slow.recv(1 << 20):  # what was on its way, and then the end
            received += part
    assert len(received) < 40 * 500_000


def streams(client: httpx2.Client) -> int:
    """The number of open streams, as the server reports it."""
    found = re.search(r"tallystick_streams_open (\d+)", client.get("/metrics").text)
    assert found
    return int(found[1])


def gone(client: httpx2.Client) -> bool:
    """Whether no stream is open, or none is soon."""
    return any(streams(client) == 0 for _ in range(500))
