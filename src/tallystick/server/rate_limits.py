"""Rate limits for each token, and for each address that sends none. Excess requests get 429 with Retry-After.

`request_limits`, `authentication` and `login` apply them.
"""

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic
from typing import Any

from msgspec import Struct
from starlette.types import Scope

from tallystick.core.errors import Busy
from tallystick.interfaces.problems import Headers, problem
from tallystick.operations.runtime.access import Access

STRANGER_SHARE = 0.2
"""The part of a token's rate that an address without a valid token gets."""
LOGINS_PER_SECOND = 0.2
LOGIN_BURST = 10.0
"""Login attempts from an address: ten at once, then one every five seconds."""
MAX_REMEMBERED = 1024
"""Addresses whose network is kept."""
MAX_BUCKETS = 10_000
"""When there are more, the least recently used bucket is dropped, which is full again by then."""


class Bucket(Struct):
    """The requests that are left at a time."""

    left: float
    at: float


class TokenBuckets:
    """A token bucket for each name: it fills at a rate, up to a burst, and each request takes one token."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._known: dict[str, Bucket] = {}

    def take(self, name: str) -> float:
        """Take one token; returns 0, or the seconds until there is one."""
        seconds = self.wait(name)
        if not seconds:
            self._known[name].left -= 1.0
        return seconds

    def wait(self, name: str) -> float:
        """The seconds until a token can be taken; 0 if now."""
        now = self._now()
        bucket = self._known.pop(name, None) or Bucket(self._burst, now)
        bucket.left, bucket.at = min(self._burst, bucket.left + (now - bucket.at) * self._rate), now
        self._known[name] = bucket  # at the end: the last one to be dropped
        if len(self._known) > MAX_BUCKETS:
            self._known.pop(next(iter(self._known)))
        return 0.0 if bucket.left >= 1.0 else (1.0 - bucket.left) / self._rate

    def __len__(self) -> int:
        return len(self._known)


class RateLimits:
    """The rate limits of one server: for tokens, for addresses without one, and for logins."""

    def __init__(self, rate: float, now: Callable[[], float] = monotonic) -> None:
        self.holders = TokenBuckets(rate, 4 * rate, now)
        self.strangers = TokenBuckets(STRANGER_SHARE * rate, max(4.0, 4 * STRANGER_SHARE * rate), now)
        self.logins = TokenBuckets(LOGINS_PER_SECOND, LOGIN_BURST, now)


def holder_key(access: Access) -> str:
    """A key for a credential that is unique among all journals."""
    return f"{access.journal}\n{access.name}"


def client_address(scope: Scope) -> str:
    """The address of a request; for IPv6 its /64 network, since one household has a whole network of addresses."""
    client = scope.get("client")
    return _network(client[0] if client else "")


@lru_cache(MAX_REMEMBERED)
def _network(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return text
    return f"{address.exploded[:19]}::/64" if isinstance(address, IPv6Address) else str(address)


def too_many_requests(seconds: float) -> tuple[dict[str, Any], Headers]:
    """Problem details and headers of a 429 response."""
    wait = max(1, ceil(seconds))
    details = problem(429, Busy.code, "Too many requests.", hint=f"Retry in {wait} seconds.")
    return details, [(b"retry-after", str(wait).encode())]
