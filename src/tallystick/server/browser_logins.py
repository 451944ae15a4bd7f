"""Browser logins in memory (a restart logs everybody out), and one-time login links."""

import hmac
import secrets
from collections.abc import Callable
from time import monotonic

from msgspec import Struct

IDLE_SECONDS = 8 * 3600.0
"""A login expires after this time without a request."""
MAX_LOGIN_SECONDS = 24 * 3600.0
"""A login expires after this time, however often it is used."""
MAX_LOGINS = 1000
"""When there are more, the least recently used login is dropped."""
LINK_SECONDS = 600.0
"""How long a one-time login link can be used."""


class Login(Struct, kw_only=True):
    """One browser login. `secret` is the token that was entered; it is empty after a login by link, which may read."""

    id: str
    csrf: str
    secret: str
    linked: bool
    begun: float
    seen: float

    def has_csrf(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.csrf.encode())


class Logins:
    """All logins, and the current one-time link. Used in the event loop only."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._known: dict[str, Login] = {}
        self._link = ("", 0.0)

    def open(self, secret: str = "", *, linked: bool = False) -> Login:
        """Create a login with a new id: an id that existed before may have been planted (session fixation)."""
        now = self._now()
        login = Login(id=_random(), csrf=_random(), secret=secret, linked=linked, begun=now, seen=now)
        while len(self._known) >= MAX_LOGINS:
            self._known.pop(next(iter(self._known)))
        self._known[login.id] = login
        return login

    def find(self, id: str) -> Login | None:
        """The login with this id if it has not expired; marks it as used."""
        login = self._known.pop(id, None) if id else None
        now = self._now()
        if login is None or now - login.seen > IDLE_SECONDS or now - login.begun > MAX_LOGIN_SECONDS:
            return None
        login.seen = now
        self._known[id] = login  # at the end: the last one to be dropped
        return login

    def close(self, id: str) -> None:
        self._known.pop(id, None)

    def link(self) -> str:
        """The secret of a new one-time link. It replaces the previous one."""
        self._link = (_random(), self._now() + LINK_SECONDS)
        return self._link[0]

    def use(self, secret: str) -> Login | None:
        """Log in with the link, if it was not used and has not expired."""
        if not self.is_link(secret):
            return None
        is_fresh = self._now() <= self._link[1]
        self._link = ("", 0.0)
        return self.open(linked=True) if is_fresh else None

    def is_link(self, secret: str) -> bool:
        """Whether it is the secret of the newest link, expired or not."""
        known = self._link[0]
        return bool(known) and hmac.compare_digest(secret.encode(), known.encode())


def _random() -> str:
    return secrets.token_urlsafe(32)
