"""What each answer of an endpoint means, at a real socket."""

import asyncio
from collections.abc import Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from time import time
from typing import Any, ClassVar

import pytest

from tallystick.outbound.webhooks.sender import SendResult, WebhookSender

NEVER = Event()


class Site(BaseHTTPRequestHandler):
    """Answers with the status in its path, and the Retry-After behind it. `/silent` does not answer, `/drop` hangs up,
    `/drip` sends its answer byte by byte, `/flood` a long one."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[tuple[str, dict[str, str], bytes]]] = []
    connections: ClassVar[set[Any]] = set()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        self.connections.add(self.client_address)
        word, _, after = self.path.strip("/").partition("/")
        if word == "drop":
            self.close_connection = True
            return
        if word == "silent":
            NEVER.wait(5)
            return
        self.send_response(int(word) if word.isdecimal() else 200)
        if after:
            self.send_header("Retry-After", after.replace("_", " "))
        self.send_header("Content-Length", {"drip": "1000", "flood": str(10 << 20)}.get(word, "2"))
        self.end_headers()
        try:
            if word == "drip":
                while not NEVER.wait(0.01):
                    self.wfile.write(b"x")
            self.wfile.write(b"x" * (10 << 20) if word == "flood" else b"ok")
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    NEVER.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        NEVER.set()
        server.shutdown()
        thread.join()


def send(url: str, *paths: str, timeout_seconds: float = 15) -> list[SendResult]:
    async def run() -> list[SendResult]:
        sender = WebhookSender(("127.0.0.1",), timeout_seconds)
        try:
            return [await sender(url + path, {"webhook-id": "msg_1"}, b'{"a": 1}') for path in paths]
        finally:
            await sender.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        *((status, "delivered") for status in (200, 201, 202, 204, 299)),
        *((status, "rejected") for status in (400, 401, 403, 404, 409, 413, 422, 425, 451)),
        *((status, "away") for status in (300, 301, 302, 303, 307, 308, 408, 429, 500, 502, 503, 504)),
        (410, "gone"),
    ],
)
def test_a_status_is_about_the_message_or_about_the_endpoint(site: str, status: int, verdict: str) -> None:
    (result,) = send(site, f"/{status}")
    assert (result.verdict, result.error) == (verdict, "" if verdict == "delivered" else f"status {status}")


def test_a_message_is_one_post_with_its_headers_and_connections_are_kept(site: str) -> None:
    Site.seen.clear()
    Site.connections.clear()
    send(site, "/200", "/400", "/500", "/200")
    assert len(Site.connections) == 1
    path, headers, body = Site.seen[0]
    assert (path, body, headers["webhook-id"], headers["content-type"]) == (
        "/200",
        b'{"a": 1}',
        "msg_1",
        "application/json",
    )
    assert headers["user-agent"].startswith("tallystick/")


def test_a_wait_that_an_endpoint_asks_for_is_known(site: str) -> None:
    later, earlier = (formatdate(time() + seconds, usegmt=True).replace(" ", "_") for seconds in (600, -600))
    waits = ("120", "999999999", later, earlier, "soon", "-5")
    seconds = [result.retry_after for result in send(site, *(f"/429/{wait}" for wait in waits))]
    assert seconds == [120, 86_400, pytest.approx(600, abs=60), 0, 0, 0]


def test_an_endpoint_that_does_not_answer_in_time_or_hangs_up_is_away(site: str) -> None:
    silent, drip = send(site, "/silent", "/drip", timeout_seconds=0.2)
    assert silent == drip == SendResult("away", "no answer within 0.2 s")
    (drop,) = send(site, "/drop")
    assert (drop.verdict, drop.error) == ("away", "the connection broke: RemoteProtocolError")
    (nobody,) = send("http://127.0.0.1:1", "/")
    assert nobody.verdict == "away"
    assert nobody.error.startswith("no connection")


def test_a_long_answer_is_not_read_to_its_end(site: str) -> None:
    assert send(site, "/flood", "/200") == [SendResult("delivered"), SendResult("delivered")]
