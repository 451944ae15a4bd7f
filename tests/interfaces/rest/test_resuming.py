"""A stream that breaks at any position resumes there: no entry is missed or repeated."""

import re
import socket
import subprocess
import sys
from random import Random
from urllib.parse import urlsplit

from tests.interfaces.rest.rest_server import StoreServer

ENTRIES = 2000
_WRITER = """
import sys
from tallystick import Journal
with Journal.open(sys.argv[1], journal="test", actor="writer") as journal:
    for number in range(0, int(sys.argv[2]), 5):
        arguments = [{"event": "other", "summary": str(number + each)} for each in range(5)]
        journal.record_batch(records=[{"operation": "record_note", "arguments": each} for each in arguments])
"""
_LAST = b'"summary":"%d"' % (ENTRIES - 1)
_FRAME = re.compile(rb"id: (\d+)\nevent: (\w+)\ndata: ([^\n]*)\n\n")


def test_a_client_that_is_cut_off_again_and_again_gets_every_entry_once_and_in_order(server: StoreServer) -> None:
    chance = Random("cuts")
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, server.settings.url, str(ENTRIES)])
    received: list[int] = []
    noted = cuts = 0
    while noted < ENTRIES:
        frames = _some_bytes(server.url, received[-1] if received else 0, chance.randrange(1, 60_000))
        cuts += 1
        for id, kind, _ in _FRAME.findall(frames):  # an event that was cut in the middle does not count
            if kind != b"caught_up":
                received.append(int(id))
                noted += kind == b"session_noted"
    assert writer.wait() == 0
    assert received == list(range(1, received[-1] + 1))
    assert noted == ENTRIES
    assert cuts > 10


def _some_bytes(url: str, last: int, most: int) -> bytes:
    """Read a stream after an entry, up to a number of bytes; then the connection is cut, at any position."""
    address = urlsplit(url)
    assert address.hostname
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        request = f"GET /events HTTP/1.1\r\nHost: {address.netloc}\r\nLast-Event-ID: {last}\r\n\r\n"
        connection.sendall(request.encode())
        received = b""
        while len(received) < most and _LAST not in received:  # past `caught_up`, too: later entries are sent as well
            received += connection.recv(min(4096, most - len(received)))
    return _unchunked(received.partition(b"\r\n\r\n")[2])


def _unchunked(body: bytes) -> bytes:
    """The events that arrived complete."""
    whole = b""
    while b"\r\n" in body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        if len(rest) < length + 2:
            break
        whole, body = whole + rest[:length], rest[length + 2 :]
    return whole
