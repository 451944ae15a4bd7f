"""The command `tallystick serve`: what it binds, what it prints, and how it stops."""

import asyncio
import signal
import socket
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from tallystick.server.command import open_listener
from tests.interfaces.mcp.http_client import COMMAND, VERSION, Served, served
from tests.interfaces.mcp.line_client import TIMEOUT_SECONDS, request

LISTENING = {"mcp-protocol-version": VERSION, "mcp-method": "subscriptions/listen"}


def test_an_answer_is_sent_at_once_and_not_when_the_next_packet_is_confirmed() -> None:
    async def connect() -> int:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            end: socket.socket = writer.get_extra_info("socket")
            accepted.set_result(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(take, sock=open_listener("127.0.0.1", 0)) as server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.close()
            return await asyncio.wait_for(accepted, TIMEOUT_SECONDS)

    assert asyncio.run(connect())


@pytest.mark.parametrize("port", ["65536", "99999", "-1"])
def test_an_invalid_port_is_rejected(tmp_path: Path, port: str) -> None:
    command = [str(COMMAND), "serve", f"--port={port}", "--url", f"sqlite:///{tmp_path / 'j.db'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "0 to 65535" in done.stderr
    assert "Traceback" not in done.stderr


def test_bound_everywhere_it_names_an_address_that_clients_can_ask(tmp_path: Path) -> None:
    env = {"TALLYSTICK_TOKEN": "tally-0123456789"}
    with served(f"sqlite:///{tmp_path / 'j.db'}", "--host", "0.0.0.0", env=env) as server:
        assert server.host == socket.gethostname()
        assert "0.0.0.0" not in server.greeting
        headers = {"host": f"{server.host}:{server.port}", "authorization": "Bearer tally-0123456789"}
        assert server.modern("tools/list", {}, headers=headers).status == 200


def _listener(server: Served) -> AbstractContextManager[Any]:
    wanted = {"notifications": {"resourceSubscriptions": ["journal://brief"]}}
    return server.stream(request(1, "subscriptions/listen", wanted), LISTENING)


def _getting(server: Served) -> AbstractContextManager[Any]:
    headers = server.handshake()
    server.post(request(1, "resources/subscribe", {"uri": "journal://brief"}, "legacy"), headers)
    return server.stream(headers=headers)


@pytest.mark.parametrize(("opening", "number"), [(_listener, signal.SIGINT), (_getting, signal.SIGTERM)])
def test_it_stops_though_a_stream_is_open_and_ends_the_stream(tmp_path: Path, opening: Any, number: int) -> None:
    with TemporaryFile() as errors, served(f"sqlite:///{tmp_path / 'j.db'}", errors=errors) as server:
        assert server.process
        with opening(server) as messages:
            if opening is _listener:
                assert next(messages)["method"] == "notifications/subscriptions/acknowledged"
            server.process.send_signal(number)
            assert server.process.wait(TIMEOUT_SECONDS) == 0
            rest = list(messages)  # it ends: a stream that is broken off would raise here
        assert [message["id"] for message in rest] == ([1] if opening is _listener else [])
        errors.seek(0)
        assert errors.read() == b""
