"""People who are logged in with a browser: kept in this process's memory, so that a restart logs everybody out."""

import hmac
import secrets
from collections.abc import Callable
from time import monotonic

from anyio import CapacityLimiter, to_thread
from msgspec import Struct

from tallystick.operations.runtime.access import Access, find_access
from tallystick.sdk.local import Local

IDLE_SECONDS = 8 * 3600.0
"""After so long without a request, a login is over: a working day's break."""
LONGEST_SECONDS = 24 * 3600.0
"""A login is over after this, however often it is used."""
MOST = 1000
"""How many people are logged in at the same time; then the one who was not heard of for the longest is forgotten."""
LINK_SECONDS = 600.0
"""How long a link that logs in once can be used."""


class Login(Struct, kw_only=True):
    """One browser. `secret` is the credential that was shown, if any: without one it came by a link, and may read."""

    id: str
    csrf: str
    secret: str
    linked: bool
    begun: float
    seen: float

    def has_csrf(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.csrf.encode())


class Logins:
    """Who is logged in, and the link that logs in the next one. It is used in the event loop only."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._known: dict[str, Login] = {}
        self._link = ("", 0.0)

    def open(self, secret: str = "", *, linked: bool = False) -> Login:
        """Log somebody in, under a new name: one that was known before may have been planted."""
        now = self._now()
        login = Login(id=_random(), csrf=_random(), secret=secret, linked=linked, begun=now, seen=now)
        while len(self._known) >= MOST:
            self._known.pop(next(iter(self._known)))
        self._known[login.id] = login
        return login

    def find(self, id: str) -> Login | None:
        """The login of this name, if it still counts; using it keeps it."""
        login = self._known.pop(id, None) if id else None
        now = self._now()
        if login is None or now - login.seen > IDLE_SECONDS or now - login.begun > LONGEST_SECONDS:
            return None
        login.seen = now
        self._known[id] = login  # the last one to be forgotten
        return login

    def close(self, id: str) -> None:
        self._known.pop(id, None)

    def link(self) -> str:
        """The secret of a link that logs in once. It takes the place of the one before."""
        self._link = (_random(), self._now() + LINK_SECONDS)
        return self._link[0]

    def use(self, secret: str) -> Login | None:
        """Log in whoever has the link, if it was not used and is not too old."""
        if not self.is_link(secret):
            return None
        is_fresh = self._now() <= self._link[1]
        self._link = ("", 0.0)
        return self.open(linked=True) if is_fresh else None

    def is_link(self, secret: str) -> bool:
        """Whether it is the secret of the newest link, fresh or not."""
        known = self._link[0]
        return bool(known) and hmac.compare_digest(secret.encode(), known.encode())


def _random() -> str:
    return secrets.token_urlsafe(32)


# ----------------------------------------------------------------------------------------------------------------------
# Whose secret it is: looked up each time, so that one who was revoked is out at once.

AT_ONCE = 16
"""How many are looked up at the same time, in threads: a store may be slow, or away."""


class Identifying:
    """Looks credentials up in a store."""

    def __init__(self, caller: Local) -> None:
        self._store = caller.context.store
        self._threads: CapacityLimiter | None = None

    async def __call__(self, secret: str) -> Access | None:
        """What it grants; None when it is nobody's, or nobody's any more. StorageUnavailable when nobody can tell."""
        if self._threads is None:
            self._threads = CapacityLimiter(AT_ONCE)  # it belongs to an event loop
        return await to_thread.run_sync(find_access, self._store, secret, limiter=self._threads)
