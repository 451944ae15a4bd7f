"""How much is asked for: by each holder of a token, and by each address that shows none. Whoever asks for more is told
when to come again, and everybody else is served meanwhile."""

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic
from typing import Any

from msgspec import Struct
from starlette.types import Scope

from tallystick.core.errors import Busy
from tallystick.interfaces.problems import Headers, problem
from tallystick.operations.runtime.access import Access

STRANGER = 0.2
"""The part of a token's rate that is left to an address which shows none, or a wrong one."""
LOGIN_RATE = 0.2
LOGIN_BURST = 10.0
"""Attempts to log in from an address: ten at once, then one every five seconds."""
REMEMBERED = 10_000
"""How many buckets are kept. The one that was not used for the longest is forgotten, and would be full by then."""


class Bucket(Struct):
    """What is left of it, and when that was."""

    left: float
    at: float


class Buckets:
    """A token bucket for each name: it fills at a rate, up to a burst, and each request takes one out."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._known: dict[str, Bucket] = {}

    def take(self, name: str) -> float:
        """Take one out. Nothing when there was one, else the seconds until there is."""
        seconds = self.wait(name)
        if not seconds:
            self._known[name].left -= 1.0
        return seconds

    def wait(self, name: str) -> float:
        """The seconds until one can be taken out; nothing when it can be now."""
        now = self._now()
        bucket = self._known.pop(name, None) or Bucket(self._burst, now)
        bucket.left, bucket.at = min(self._burst, bucket.left + (now - bucket.at) * self._rate), now
        self._known[name] = bucket  # the last one to be forgotten
        if len(self._known) > REMEMBERED:
            self._known.pop(next(iter(self._known)))
        return 0.0 if bucket.left >= 1.0 else (1.0 - bucket.left) / self._rate

    def __len__(self) -> int:
        return len(self._known)


class RateLimits:
    """All of them, for one server."""

    def __init__(self, rate: float, now: Callable[[], float] = monotonic) -> None:
        self.holders = Buckets(rate, 4 * rate, now)
        self.strangers = Buckets(STRANGER * rate, max(4.0, 4 * STRANGER * rate), now)
        self.logins = Buckets(LOGIN_RATE, LOGIN_BURST, now)


def holder(access: Access) -> str:
    """The name of a credential among those of all journals."""
    return f"{access.journal}\n{access.name}"


def address(scope: Scope) -> str:
    """Where a request comes from. In IPv6 a household has a whole network of addresses, so that is what counts."""
    client = scope.get("client")
    text = client[0] if client else ""
    try:
        found = ip_address(text)
    except ValueError:
        return str(text)
    return f"{found.exploded[:19]}::/64" if isinstance(found, IPv6Address) else str(found)


def too_much(seconds: float) -> tuple[dict[str, Any], Headers]:
    """The refusal, with the time to come again."""
    wait = max(1, ceil(seconds))
    details = problem(429, Busy.code, "That is too much at once.", hint=f"Come again in {wait} seconds.")
    return details, [(b"retry-after", str(wait).encode())]
