"""The tool `http`: what each answer means, what leaves in an address, and which addresses it connects to."""

import asyncio
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx2
import pytest

from tallystick import Journal
from tallystick.core.formats.cut_marks import has_cut
from tallystick.guarded_http import guarded_transport, is_public
from tallystick.runner.tools.http import http_tool
from tallystick.runner.tools.tool import CallContext, ToolAnswer


class Site(BaseHTTPRequestHandler):
    """Answers with the status in its path; `/drop` closes the connection, `/slow` never answers."""

    seen: list[tuple[str, str, dict[str, str], bytes]]

    def handle_one_request(self) -> None:
        super().handle_one_request()

    def _reply(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.seen.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
        word = self.path.strip("/").partition("?")[0].partition("/")[0]
        if word == "drop":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        if word == "slow":
            self.connection.settimeout(5)
            self.rfile.read(1)
            return
        self.send_response(int(word) if word.isdigit() else 200)
        if word in ("429", "503"):
            self.send_header("Retry-After", "7")
        if word == "302":
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"answer": 42}' if word != "large" else b'{"answer": "%s"}' % (b"x" * 300_000))

    do_GET = do_POST = _reply

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[str, type[Site]]]:
    handler = type("OwnSite", (Site,), {"seen": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}", handler
    server.shutdown()
    server.server_close()


def request(host: str, allow: tuple[str, ...] = (), only: tuple[str, ...] | None = None, **given: Any) -> ToolAnswer:
    context = CallContext(
        execution="ex", step="s", attempt=1, idempotency_key="ex:s", timeout=given.pop("timeout", 5.0)
    )
    arguments = {"url": f"{given.pop('scheme', 'http')}://{host}{given.pop('path', '/')}", **given}
    return asyncio.run(http_tool(allow=allow, only=only).call(arguments, context))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "category", "wait"),
    [
        ("/200", None, 0),
        ("/404", "not_done", 0),
        ("/409", "not_done", 0),
        ("/408", "transient", 0),
        ("/429", "transient", 7),
        ("/503", "transient", 7),
        ("/500", "failed", 0),
        ("/502", "failed", 0),
        ("/302", "failed", 0),
        ("/drop", "lost", 0),
    ],
)
def test_each_answer_has_its_category(
    site: tuple[str, type[Site]], path: str, category: str | None, wait: float
) -> None:
    answer = request(site[0], (site[0],), path=path, method="POST", json={"a": 1})
    assert (answer.category, answer.retry_after) == (category, wait)
    if category is None:
        assert answer.result["json"] == {"answer": 42}
    assert site[1].seen[-1][2]["Idempotency-Key"] == "ex:s"


def test_a_long_answer_is_cut_and_says_so(site: tuple[str, type[Site]]) -> None:
    answer = request(site[0], (site[0],), path="/large")
    assert answer.outcome == "ok"
    assert answer.result["body"].endswith("xxx [cut]")
    assert has_cut(answer.result)
    assert "json" not in answer.result


def test_no_answer_in_time_is_a_timeout_and_no_connection_is_not_done(site: tuple[str, type[Site]]) -> None:
    assert request(site[0], (site[0],), path="/slow", timeout=0.2).category == "timed_out"
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    refused = request(f"127.0.0.1:{port}", ("127.0.0.1",))
    assert refused.category == "not_done"


def test_a_value_inside_an_address_is_escaped(site: tuple[str, type[Site]]) -> None:
    host, handler = site
    url = f"http://{host}/200/${{parameters.name}}?q=${{parameters.name}}"
    plan = {"title": "t", "steps": [{"id": "a", "tool": "http", "arguments": {"url": url}}]}
    with Journal.open("memory:") as journal:
        run = journal.run(plan, tools=[http_tool(allow=[host])], parameters={"name": "../../x?y=1&z#"})
    assert run.failed == {}
    assert handler.seen[-1][1] == "/200/..%2F..%2Fx%3Fy%3D1%26z%23?q=..%2F..%2Fx%3Fy%3D1%26z%23"


@pytest.mark.parametrize("name", ["..", "."])
def test_a_value_cannot_lead_out_of_a_path(site: tuple[str, type[Site]], name: str) -> None:
    host, handler = site
    handler.seen.clear()
    url = f"http://{host}/users/${{parameters.name}}"
    plan = {"title": "t", "steps": [{"id": "a", "tool": "http", "arguments": {"url": url, "method": "DELETE"}}]}
    with Journal.open("memory:") as journal:
        run = journal.run(plan, tools=[http_tool(allow=[host])], parameters={"name": name})
    assert "part of its path" in run.failed["a"]
    assert handler.seen == []


@pytest.mark.parametrize(
    "headers", [{"A": "b\r\nC: d"}, {"A B": "c"}, {"A": "ü\ud800"}, {"Host": "other"}, {"content-length": "3"}]
)
def test_a_request_that_cannot_be_written_is_not_done(site: tuple[str, type[Site]], headers: dict[str, str]) -> None:
    site[1].seen.clear()
    assert request(site[0], (site[0],), headers=headers).category == "not_done"
    assert site[1].seen == []


def test_only_the_hosts_of_a_policy_are_connected_to_however_a_url_is_read(site: tuple[str, type[Site]]) -> None:
    transport = guarded_transport({site[0]}, only=("example.org",))

    async def send() -> None:
        async with httpx2.AsyncClient(transport=transport) as client:
            await client.get(f"http://{site[0]}/")

    with pytest.raises(httpx2.ConnectError, match="not one of the hosts"):
        asyncio.run(send())


SPELLINGS = (
    "127.0.0.1",
    "localhost",
    "LOCALHOST.",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "127.0.0.1.",
    "10.0.0.1",
    "192.168.1.1",
    "172.16.0.1",
    "169.254.169.254",
    "[fe80::1]",
    "[fd00::1]",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "\u2460\u2461\u2466.0.0.1",
    "user@127.0.0.1",
    "127.0.0.1#.example.org",
    "127.0.0.1\\.example.org",
)


def test_no_spelling_of_a_private_address_is_connected_to(
    site: tuple[str, type[Site]], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, handler = site
    port, before = host.partition(":")[2], len(handler.seen)
    monkeypatch.setenv("HTTP_PROXY", f"http://{host}")
    monkeypatch.setenv("ALL_PROXY", f"http://{host}")
    tried: list[Any] = []
    connect = socket.socket.connect

    def noting(self: socket.socket, to: Any) -> None:
        tried.append(to)
        connect(self, to)

    monkeypatch.setattr(socket.socket, "connect", noting)
    for spelling in SPELLINGS:
        for scheme in ("http", "https"):
            answer = request(f"{spelling}:{port}", scheme=scheme)
            assert answer.category == "not_done", (spelling, answer)
    assert len(handler.seen) == before
    assert [to for to in tried if isinstance(to, tuple) and to[1] == int(port)] == []


@pytest.mark.parametrize(
    "private",
    [
        "127.0.0.1",
        "::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::808:808",
        "2002:808:808::1",
        "2001:0:808:808::1",
        "fe80::1%eth0",
        "fec0::1",
        "fd00:ec2::254",
        "192.0.0.192",
        "100.100.100.200",
        "168.63.129.16",
        "nonsense",
    ],
)
def test_private_addresses_are_known(private: str) -> None:
    assert not is_public(private)
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1:248:1893:25c8:1946")
    assert is_public("64:ff9b::5db8:d822")  # by which a network without IPv4 reaches it


def test_a_name_that_resolves_to_a_private_address_later_is_checked_then(
    site: tuple[str, type[Site]], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, before = int(site[0].partition(":")[2]), len(site[1].seen)
    answers = iter([["93.184.216.34", "127.0.0.1"], ["127.0.0.1"], ["127.0.0.1"]])

    def rebinding(host: Any, *args: Any, **options: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(answers)]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    for _ in range(3):
        answer = request(f"rebinding.example.org:{port}")
        assert answer.category == "not_done"
        assert "not public" in answer.error
        assert f'allow = ["rebinding.example.org:{port}"] under [http] in the policy' in answer.error
    assert len(site[1].seen) == before


def test_with_a_list_of_hosts_no_other_one_is_asked(site: tuple[str, type[Site]]) -> None:
    assert request(site[0], only=(site[0],)).category is None
    other = request("example.org", only=(site[0],))
    assert other.category == "not_done"
    assert "not one of the hosts" in other.error


def test_a_list_of_hosts_names_an_ipv6_address_as_it_stands_in_the_url(site: tuple[str, type[Site]]) -> None:
    port = site[0].partition(":")[2]
    answer = request(f"[::1]:{port}", only=(f"[::1]:{port}",))
    assert "not one of the hosts" not in answer.error  # nobody listens at this address
    assert "not public" not in answer.error
