"""Sends one message to an endpoint, and judges the answer.

| what happened | verdict | what follows |
|---|---|---|
| status 200 to 299 | `delivered` | the next one |
| status 410 | `gone` | the webhook is disabled |
| another one of 400 to 499, not 408 or 429 | `rejected` | this message, and what has to stay behind it, waits |
| any other status, no answer, no connection, not allowed | `away` | the webhook is paused: any message would fail |
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from time import time
from typing import Literal
from urllib.parse import urlsplit

import httpx2
from anyio import fail_after
from msgspec import Struct

from tallystick.guarded_http import AddressRefused, guarded_transport, in_brackets, is_allowed
from tallystick.version import __version__

TIMEOUT_SECONDS = 15.0
MAX_ANSWER_BYTES = 64 << 10
"""An answer is read to keep its connection, and not looked at; a longer one ends the connection."""
MAX_RETRY_AFTER_SECONDS = 86_400.0
ENDPOINT_STATUSES = (408, 429)
"""They say nothing about the message."""
HOW_TO_ALLOW = "To allow it: --deliver-to {host}"


class SendResult(Struct, frozen=True):
    """The verdict on one attempt. `refused`: no connection was tried, since its address is not allowed."""

    verdict: Literal["delivered", "rejected", "away", "gone"]
    error: str = ""
    retry_after: float = 0.0
    refused: bool = False


Send = Callable[[str, Mapping[str, str], bytes], Awaitable[SendResult]]
"""Sends a body with headers to an address."""


class WebhookSender:
    """Sends messages over connections that are kept. `allowed` are hosts (`name` or `name:port`) that may be at an
    address which is not public, and that may be spoken to without TLS."""

    def __init__(self, allowed: Collection[str] = (), timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._allowed = frozenset(each.lower() for each in allowed)
        self._timeout_seconds = timeout_seconds
        self._client = httpx2.AsyncClient(
            transport=guarded_transport(self._allowed, how_to_allow=HOW_TO_ALLOW),
            follow_redirects=False,
            trust_env=False,
            timeout=timeout_seconds,
            headers={"user-agent": f"tallystick/{__version__} (webhooks)", "content-type": "application/json"},
        )

    async def close(self) -> None:
        await self._client.aclose()

    async def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> SendResult:
        problem = self._problem_with(url)
        if problem:
            return SendResult("away", problem, refused=True)
        try:
            with fail_after(self._timeout_seconds):  # the whole of it, however slowly an answer drips
                return await self._post(url, headers, body)
        except (TimeoutError, httpx2.TimeoutException):
            return SendResult("away", f"no answer within {self._timeout_seconds:g} s")
        except httpx2.ConnectError as error:
            return SendResult("away", f"no connection: {error}", refused=_is_refusal(error))
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError, OSError) as error:
            return SendResult("away", f"the connection broke: {type(error).__name__}")

    def _problem_with(self, url: str) -> str:
        """Why an address is refused before it is looked up; empty if it is not."""
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").rstrip("."), parts.port
        except ValueError:
            return "the address is not valid"
        if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
            return "the address is not valid"
        if parts.scheme == "http" and not is_allowed(host, port or 80, self._allowed):
            return f"plain http is not allowed. {HOW_TO_ALLOW.format(host=f'{in_brackets(host)}:{port or 80}')}"
        return ""

    async def _post(self, url: str, headers: Mapping[str, str], body: bytes) -> SendResult:
        async with self._client.stream("POST", url, headers=dict(headers), content=body) as response:
            read = 0
            async for piece in response.aiter_raw():
                read += len(piece)
                if read > MAX_ANSWER_BYTES:
                    break
        return _judge(response.status_code, response.headers.get("retry-after", ""))


def _judge(status: int, retry_after: str) -> SendResult:
    if 200 <= status < 300:
        return SendResult("delivered")
    if status == 410:
        return SendResult("gone", "status 410")
    is_rejected = 400 <= status < 500 and status not in ENDPOINT_STATUSES
    return SendResult("rejected" if is_rejected else "away", f"status {status}", _seconds(retry_after))


def _seconds(text: str) -> float:
    """The seconds that a Retry-After header asks for; 0 if it asks for none."""
    wanted = 0.0
    with suppress(TypeError, ValueError, OverflowError):
        wanted = float(text) if text.isdecimal() else parsedate_to_datetime(text).timestamp() - time()
    return max(0.0, min(wanted, MAX_RETRY_AFTER_SECONDS))


def _is_refusal(error: BaseException) -> bool:
    """Whether an error goes back to an address that is not allowed."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, AddressRefused):
        cause = cause.__cause__ or cause.__context__
    return cause is not None
