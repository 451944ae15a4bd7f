"""What is under way: so much at a time for each asker and for all, with bodies that arrive in time, and with an end to
what a token began that has become worthless."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from types import TracebackType
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallystick.core.errors import Busy
from tallystick.interfaces.problems import problem, send_problem
from tallystick.operations.runtime.access import Access
from tallystick.server.rate_limits import RateLimits, address, holder, too_much

AT_ONCE = 256
"""Requests that one token has under way, streams among them."""
AT_ONCE_HERE = 2048
"""The same for all programs on this machine that show no token."""
BODY_SECONDS = 10.0
BYTES_A_SECOND = 32 << 10
"""How long a body may take to arrive, and how fast it has to come when it takes longer."""
LARGE_BYTES = 256 << 10
LARGE_AT_ONCE = 16
LARGE_OF_ONE = 4
"""Of bodies larger than this, so many are held in memory at a time, and of one asker; the next one is sent away."""
LOOK_SECONDS = 5.0
"""How often it is looked whether the tokens of what takes long are still good."""

CLOSE = [(b"connection", b"close")]


class RequestLimits:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, limits: RateLimits, identify: Callable[[str], Awaitable[Access | None]]) -> None:
        self._app = app
        self._limits = limits
        self._identify = identify
        self._count: Counter[str] = Counter()
        self._tasks: dict[asyncio.Task[Any], str] = {}
        self._cut: set[asyncio.Task[Any]] = set()
        self._room = BodyBudget()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        access: Access = scope["state"]["access"]
        name, most = self._name(scope, access)
        seconds = self._limits.holders.take(name) if access.name else 0.0
        if seconds or self._count[name] >= most:
            await send_problem(send, *too_much(seconds))
            return
        self._count[name] += 1
        try:
            await self._run(scope, receive, send, name)
        finally:
            self._count[name] -= 1
            if not self._count[name]:
                del self._count[name]

    @property
    def count(self) -> int:
        """How many requests are under way."""
        return self._count.total()

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Now and then, as long as this lasts, end what was begun with a token that is worthless by now."""
        looking = asyncio.ensure_future(self._look())
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking

    def _name(self, scope: Scope, access: Access) -> tuple[str, int]:
        if access.name:
            return holder(access), AT_ONCE
        return address(scope), AT_ONCE_HERE if scope["state"]["is_open"] else AT_ONCE

    async def _run(self, scope: Scope, receive: Receive, send: Send, name: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        answer = ResponseSender(send)
        if secret := scope["state"]["access"].secret:
            self._tasks[task] = secret
        try:
            with Body(receive, self._room, name, answer) as body:
                await self._app(scope, body.receive, answer.send)
        except ClientDisconnect:
            pass  # nobody is there to be told, or `answer` tells why their request was not taken
        except asyncio.CancelledError:
            if task not in self._cut:
                raise
            task.uncancel()
        finally:
            self._tasks.pop(task, None)
            self._cut.discard(task)
        await answer.end()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for secret in set(self._tasks.values()):
                with suppress(Exception):  # a store that is away tells nothing of a token
                    if await self._identify(secret) is None:
                        self._end(secret)

    def _end(self, secret: str) -> None:
        for task, shown in list(self._tasks.items()):
            if shown == secret and task not in self._cut:
                self._cut.add(task)
                task.cancel()


class ResponseSender:
    """What goes back. It is whole in the end, whoever broke it off."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun = self._whole = False
        self.problem: dict[str, Any] | None = None

    async def send(self, message: Message) -> None:
        if self.problem is not None:
            return  # the request was not whole, and what is made of it counts for nothing
        self._begun = True
        self._whole = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)

    async def end(self) -> None:
        if not self._begun and self.problem is not None:
            await send_problem(self._send, self.problem, CLOSE)
        elif self._begun and not self._whole:
            await self._send({"type": "http.response.body", "body": b""})

    @property
    def is_begun(self) -> bool:
        return self._begun


class BodyBudget:
    """Where large bodies have their place."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def take(self, name: str) -> bool:
        if self._taken.total() >= LARGE_AT_ONCE or self._taken[name] >= LARGE_OF_ONE:
            return False
        self._taken[name] += 1
        return True

    def leave(self, name: str) -> None:
        self._taken -= Counter([name])  # keeps no name that has none


class Body:
    """What comes in, part by part. Use it in a `with` block."""

    def __init__(self, receive: Receive, room: BodyBudget, name: str, answer: ResponseSender) -> None:
        self._receive = receive
        self._room = room
        self._name = name
        self._answer = answer
        self._size = 0
        self._is_large = self._is_whole = False
        self._begun = asyncio.get_running_loop().time()

    async def receive(self) -> Message:
        """The next part; as if the client were gone, when it takes too long or there is no room for it."""
        if self._is_whole or self._answer.is_begun:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._begun + BODY_SECONDS + self._size / BYTES_A_SECOND):
                message = await self._receive()
        except TimeoutError:
            return self._gone(problem(408, "invalid_argument", "The body took too long to arrive."))
        self._size += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        if self._size > LARGE_BYTES and not self._is_large:
            self._is_large = self._room.take(self._name)
            if not self._is_large:
                said = "Too many large requests are under way."
                return self._gone(problem(503, Busy.code, said, hint="Send it again in a moment."))
        return message

    def _gone(self, details: dict[str, Any]) -> Message:
        self._answer.problem = details
        return {"type": "http.disconnect"}

    def __enter__(self) -> "Body":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_large:
            self._room.leave(self._name)
