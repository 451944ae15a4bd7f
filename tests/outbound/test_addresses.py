"""No trick makes a webhook connect to an address that is not allowed: 0 connections, seen at the socket."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import httpx2
import pytest

from tallystick.core.errors import InvalidArgument
from tallystick.guarded_http import guarded_transport
from tallystick.outbound.service import outbound_options
from tallystick.outbound.webhooks.sender import SendResult, WebhookSender
from tallystick.settings import Settings
from tallystick.store.memory import MemoryStore
from tests.outbound.address_tricks import tricks
from tests.outbound.webhook_scene import Scene
from tests.stores import Clock

PUBLIC = "93.184.216.34"
Resolver = Callable[..., list[Any]]


@pytest.fixture
def listener() -> Iterator[tuple[int, list[bytes]]]:
    """A port on this machine, and the first bytes of each connection to it. It answers as an endpoint that took it."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        running = True

        def serve() -> None:
            while running:
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                with connection:
                    seen.append(connection.recv(4096))
                    connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")

        thread = Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], seen
        running = False
        thread.join()


@pytest.fixture
def connects(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every address that a socket of this process connects to."""
    tried: list[Any] = []

    def noting(name: str) -> Any:
        original = getattr(socket.socket, name)

        def connect(self: socket.socket, to: Any) -> Any:
            if self.family != socket.AF_UNIX:
                tried.append(to)
            return original(self, to)

        return connect

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, noting(name))
    return tried


def resolver(*answers: list[str]) -> Resolver:
    """Gives numbers as the system reads them, and for any name these answers, one after the other."""
    real, turn = socket.getaddrinfo, iter(answers)

    def resolve(host: Any, port: Any, *args: Any, **options: Any) -> list[Any]:
        try:
            return real(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
        except (OSError, UnicodeError):
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in next(turn, answers[-1])]

    return resolve


def send(*urls: str, allowed: tuple[str, ...] = ()) -> list[SendResult]:
    async def run() -> list[SendResult]:
        sender = WebhookSender(allowed, timeout_seconds=5)
        try:
            return [await sender(url, {"webhook-id": "msg_1"}, b"{}") for url in urls]
        finally:
            await sender.close()

    return asyncio.run(run())


def test_a_thousand_tricks_make_no_connection(
    listener: tuple[int, list[bytes]], connects: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, seen = listener
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
    monkeypatch.setattr(socket, "getaddrinfo", resolver(["127.0.0.1"]))
    urls = tricks(port)
    assert len(urls) >= 1000
    results = dict(zip(urls, send(*urls), strict=True))
    assert {url: result for url, result in results.items() if result.verdict != "away"} == {}
    assert asyncio.run(_posted(urls)) == []
    assert (connects, seen) == ([], [])


async def _posted(urls: list[str]) -> list[str]:
    """Those that are sent if nothing is checked but the connection: plain http is refused before it otherwise."""
    done = []
    async with httpx2.AsyncClient(transport=guarded_transport(), trust_env=False) as client:
        for url in urls:
            try:
                await client.post(url, content=b"{}")
            except (httpx2.TransportError, httpx2.InvalidURL, UnicodeError):
                continue
            done.append(url)
    return done


def test_the_listener_would_have_seen_a_connection(listener: tuple[int, list[bytes]], connects: list[Any]) -> None:
    port, seen = listener
    assert send(f"http://127.0.0.1:{port}/hook", allowed=(f"127.0.0.1:{port}",)) == [SendResult("delivered")]
    assert seen[0].startswith(b"POST /hook HTTP/1.1\r\n")
    assert connects == [("127.0.0.1", port)]


def test_a_name_that_is_rebound_is_judged_by_what_is_connected_to(
    listener: tuple[int, list[bytes]], connects: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, seen = listener
    answers = [[PUBLIC, "127.0.0.1"], ["127.0.0.1"], ["::1", PUBLIC], ["::ffff:127.0.0.1"], []]
    monkeypatch.setattr(socket, "getaddrinfo", resolver(*answers))
    for result in send(*[f"https://rebinding.example:{port}/"] * len(answers)):
        assert (result.verdict, result.refused) == ("away", True)
        assert f"--deliver-to rebinding.example:{port}" in result.error
    assert (connects, seen) == ([], [])


def test_a_public_address_is_connected_to_as_it_was_resolved_once(
    connects: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolver([PUBLIC], ["127.0.0.1"]))

    def unreachable(self: socket.socket, to: Any) -> None:
        connects.append(to)
        raise ConnectionRefusedError(111, "refused")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    (result,) = send("https://hooks.example/x")
    assert (result.verdict, result.refused) == ("away", False)
    assert connects == [(PUBLIC, 443)]


def test_a_redirect_is_a_failure_and_leads_nowhere(listener: tuple[int, list[bytes]]) -> None:
    port, seen = listener
    with socket.create_server(("127.0.0.1", 0)) as server:

        def redirect() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(
                    f"HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:{port}/\r\nContent-Length: 0\r\n\r\n".encode()
                )

        thread = Thread(target=redirect)
        thread.start()
        (result,) = send(f"http://127.0.0.1:{server.getsockname()[1]}/", allowed=("127.0.0.1",))
        thread.join()
    assert (result.verdict, result.error) == ("away", "status 307")
    assert seen == []


def test_an_address_whose_host_can_be_misread_is_not_even_added(clock: Clock) -> None:
    admin = Scene(MemoryStore(clock), clock).admin
    misread = [
        url for url in tricks(80) if not url.isascii() or set(url) & set(" @\\#%\t\r\n") or _scheme(url) != "http"
    ]
    misread = [url for url in misread if not url.startswith("https://") or "?" not in url]
    assert len(misread) > 500
    for url in misread:
        with pytest.raises(InvalidArgument):
            admin.add_webhook(name="x", address=url)
    assert [each.name for each in admin.list_webhooks().webhooks] == ["ops"]


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower().removesuffix("s")


@pytest.mark.parametrize(
    "host", ["hooks.example", "hooks.example:8080", "10.0.0.7", "[::1]:80", "LOCALHOST", "::1", "a_b"]
)
def test_an_operator_allows_hosts_by_name(host: str) -> None:
    assert outbound_options(Settings(url="", journal="j", actor="a"), [host]).deliver_to == (host.lower(),)


@pytest.mark.parametrize("written", ["[::1]:{port}", "[::1]", "::1"])
def test_an_ipv6_address_is_allowed_as_it_stands_in_the_url(written: str, connects: list[Any], clock: Clock) -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as server:
        port = server.getsockname()[1]
    url = f"http://[::1]:{port}/hook"
    (note,) = Scene(MemoryStore(clock), clock).admin.add_webhook(name="six", address=url).notes
    (refused,) = send(url)
    assert [text.endswith(f"--deliver-to [::1]:{port}") for text in (note, refused.error)] == [True, True]
    assert connects == []
    options = outbound_options(Settings(url="", journal="j", actor="a"), [written.format(port=port)])
    (allowed,) = send(url, allowed=options.deliver_to)
    assert (allowed.verdict, allowed.refused) == ("away", False)  # nobody listens there any more
    assert {to[1] for to in connects} == {port}


@pytest.mark.parametrize("host", ["", "*", "http://x", "10.0.0.0/8", "a b", "x:port"])
def test_an_operator_s_mistake_is_refused(host: str) -> None:
    with pytest.raises(InvalidArgument, match="is not a host"):
        outbound_options(Settings(url="", journal="j", actor="a"), [host])
