"""Limits concurrent requests and large bodies, times out slow bodies, and ends requests whose token was revoked."""

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
from tallystick.server.rate_limits import RateLimits, client_address, too_many_requests

MAX_REQUESTS_PER_TOKEN = 256
"""Concurrent requests of one token, including streams."""
MAX_LOCAL_REQUESTS = 2048
"""Concurrent requests of all programs on this machine without a token."""
BODY_SECONDS = 10.0
MIN_BYTES_PER_SECOND = 32 << 10
"""A body may take this long to arrive; a large one as long as it takes at this speed."""
LARGE_BODY_BYTES = 256 << 10
MAX_LARGE_BODIES = 16
MAX_LARGE_BODIES_PER_CLIENT = 4
"""Limits for bodies above LARGE_BODY_BYTES that are in memory at the same time; further ones get 503."""
TOKEN_CHECK_SECONDS = 5.0
"""How often the tokens of long requests are checked."""

CLOSE_CONNECTION = [(b"connection", b"close")]


class RequestLimits:
    """Middleware that applies the limits."""

    def __init__(
        self, app: ASGIApp, limits: RateLimits, find_access: Callable[[str], Awaitable[Access | None]]
    ) -> None:
        self._app = app
        self._limits = limits
        self._find_access = find_access
        self._count: Counter[str] = Counter()
        self._tasks: dict[asyncio.Task[Any], str] = {}
        self._revoked: set[asyncio.Task[Any]] = set()
        self._body_budget = BodyBudget()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        holder: str = scope["state"]["holder"]
        is_local = not holder and scope["state"]["is_local"]
        client = holder or client_address(scope)
        max_requests = MAX_LOCAL_REQUESTS if is_local else MAX_REQUESTS_PER_TOKEN
        seconds = self._limits.holders.take(holder) if holder else 0.0
        if seconds or self._count[client] >= max_requests:
            await send_problem(send, *too_many_requests(seconds))
            return
        self._count[client] += 1
        try:
            await self._run(scope, receive, send, client)
        finally:
            self._count[client] -= 1
            if not self._count[client]:
                del self._count[client]

    @property
    def count(self) -> int:
        """The number of running requests."""
        return self._count.total()

    @asynccontextmanager
    async def checking_tokens(self) -> AsyncIterator[None]:
        """While this context is open, end running requests whose token was revoked or has expired."""
        checking = asyncio.ensure_future(self._check_tokens())
        try:
            yield
        finally:
            checking.cancel()
            with suppress(asyncio.CancelledError):
                await checking

    async def _run(self, scope: Scope, receive: Receive, send: Send, client: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        response = ResponseSender(send)
        if secret := scope["state"]["access"].secret:
            self._tasks[task] = secret
        try:
            with BodyReceiver(receive, self._body_budget, client, response) as body:
                await self._app(scope, body.receive, response.send)
        except ClientDisconnect:
            pass  # the client is gone, or `response` sends why its body was rejected
        except asyncio.CancelledError:
            if task not in self._revoked:
                raise
            task.uncancel()
        finally:
            self._tasks.pop(task, None)
            self._revoked.discard(task)
        await response.end()

    async def _check_tokens(self) -> None:
        while True:
            await asyncio.sleep(TOKEN_CHECK_SECONDS)
            for secret in set(self._tasks.values()):
                with suppress(Exception):  # while the store is away, tokens cannot be checked
                    if await self._find_access(secret) is None:
                        self._end_requests(secret)

    def _end_requests(self, secret: str) -> None:
        for task, task_secret in list(self._tasks.items()):
            if task_secret == secret and task not in self._revoked:
                self._revoked.add(task)
                task.cancel()


class ResponseSender:
    """Sends the response, and completes it if the application was interrupted.

    `problem` is set if the request body was rejected; it then replaces the application's response.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = self._is_complete = False
        self.problem: dict[str, Any] | None = None

    async def send(self, message: Message) -> None:
        if self.problem is not None:
            return  # the request was incomplete, so the application's response is dropped
        self.has_begun = True
        self._is_complete = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)

    async def end(self) -> None:
        if not self.has_begun and self.problem is not None:
            await send_problem(self._send, self.problem, CLOSE_CONNECTION)
        elif self.has_begun and not self._is_complete:
            await self._send({"type": "http.response.body", "body": b""})


class BodyBudget:
    """Counts the large bodies in memory."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def take(self, client: str) -> bool:
        if self._taken.total() >= MAX_LARGE_BODIES or self._taken[client] >= MAX_LARGE_BODIES_PER_CLIENT:
            return False
        self._taken[client] += 1
        return True

    def release(self, client: str) -> None:
        self._taken -= Counter([client])  # subtraction drops names with a count of 0


class BodyReceiver:
    """Receives a request body within the limits of time and size. Use it in a `with` block."""

    def __init__(self, receive: Receive, budget: BodyBudget, client: str, response: ResponseSender) -> None:
        self._receive = receive
        self._budget = budget
        self._client = client
        self._response = response
        self._size = 0
        self._is_large = self._is_complete = False
        self._begun_at = asyncio.get_running_loop().time()

    async def receive(self) -> Message:
        """The next part of the body; a disconnect message if it is too slow or over budget."""
        if self._is_complete or self._response.has_begun:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._begun_at + BODY_SECONDS + self._size / MIN_BYTES_PER_SECOND):
                message = await self._receive()
        except TimeoutError:
            return self._reject(problem(408, "invalid_argument", "The body took too long to arrive."))
        self._size += len(message.get("body", b""))
        self._is_complete = not message.get("more_body", False)
        if self._size > LARGE_BODY_BYTES and not self._is_large:
            self._is_large = self._budget.take(self._client)
            if not self._is_large:
                detail = "Too many large requests are running."
                return self._reject(problem(503, Busy.code, detail, hint="Send it again in a moment."))
        return message

    def _reject(self, details: dict[str, Any]) -> Message:
        self._response.problem = details
        return {"type": "http.disconnect"}

    def __enter__(self) -> "BodyReceiver":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_large:
            self._budget.release(self._client)
