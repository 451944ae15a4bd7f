"""Limits of concurrent requests and bodies, and the end of requests with a revoked token."""

import asyncio
from typing import Any

import pytest

from tallystick.server import request_limits
from tallystick.server.request_limits import (
    MAX_LARGE_BODIES,
    MAX_LARGE_BODIES_PER_CLIENT,
    MAX_REQUESTS_PER_TOKEN,
    BodyBudget,
)
from tests.server.web_server import TIMEOUT_SECONDS, running_server


async def _stream(port: int, token: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
    writer.write(head.encode())
    return reader, writer


def test_a_stream_ends_when_its_token_is_revoked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "TOKEN_CHECK_SECONDS", 0.1)

    async def watch(port: int, token: str, other: str, revoke: Any) -> None:
        reader, writer = await _stream(port, token)
        staying, rest = await _stream(port, other)
        for each in (reader, staying):
            await each.readuntil(b"caught_up\n")
        await asyncio.to_thread(revoke)
        await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), TIMEOUT_SECONDS)
        await staying.readuntil(b"credential_revoked")
        assert not staying.at_eof()
        writer.close()
        rest.close()

    with running_server(login=True) as found:
        token, other = found.token("read", name="rita"), found.token("read")
        revoke = lambda: found.administrator().revoke_credential(name="rita")  # noqa: E731
        asyncio.run(watch(found.port, token, other, revoke))
        assert found.ask("/v1/executions", token=token).status == 401


def test_one_token_holds_so_many_requests_and_another_is_served() -> None:
    async def crowd(port: int, token: str) -> list[asyncio.StreamWriter]:
        streams = [await _stream(port, token) for _ in range(MAX_REQUESTS_PER_TOKEN)]
        for reader, _ in streams:
            await asyncio.wait_for(reader.readuntil(b"caught_up\n"), TIMEOUT_SECONDS)
        assert await asyncio.to_thread(status, token) == 429
        assert await asyncio.to_thread(status, other) == 200
        return [writer for _, writer in streams]

    with running_server(login=True, rate=1e6) as found:
        token, other = found.token("read"), found.token("read")

        def status(shown: str) -> int:
            return found.ask("/v1/executions", token=shown).status

        async def run() -> None:
            for writer in await crowd(found.port, token):
                writer.close()
            while await asyncio.to_thread(status, token) == 429:
                pass  # they are forgotten as soon as the server sees that they are gone

        asyncio.run(asyncio.wait_for(run(), TIMEOUT_SECONDS))


def test_large_bodies_are_limited_in_number_and_one_client_cannot_use_all() -> None:
    budget = BodyBudget()
    assert [budget.take("greedy") for _ in range(MAX_LARGE_BODIES_PER_CLIENT + 1)] == [
        True
    ] * MAX_LARGE_BODIES_PER_CLIENT + [False]
    taken = [budget.take(str(number)) for number in range(MAX_LARGE_BODIES)]
    assert taken.count(True) == MAX_LARGE_BODIES - MAX_LARGE_BODIES_PER_CLIENT
    budget.release("greedy")
    assert budget.take("late")
    assert not budget.take("later")
