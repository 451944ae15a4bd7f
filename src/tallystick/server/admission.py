"""Who asks, and what they may do: found out once, for every door."""

import hmac

from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.doors.desks import Desks
from tallystick.doors.refusals import problem, refuse
from tallystick.operations.access import Access

LOCAL = frozenset({"agent", "read", "audit"})
"""What any program of this user may do: it could read the file anyway. Deciding needs a credential always."""


def on_this_machine(journal: str) -> Access:
    """What being on this machine grants, with no token."""
    return Access(name="", journal=journal, scopes=LOCAL, observes=True)


class Admission:
    """Wraps an application: it is asked only by those who may, and told who they are."""

    def __init__(self, app: ASGIApp, desks: Desks, token: str) -> None:
        self._app = app
        self._desks = desks
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if self._token and not self._knows(headers.get("authorization", "")):
            said = "A bearer token is needed: Authorization: Bearer followed by the token."
            await refuse(send, problem(401, "not_permitted", said), [(b"www-authenticate", b"Bearer")])
            return
        journal = self._desks.journal
        access = on_this_machine(journal)
        scope.setdefault("state", {}).update(access=access, journal=journal, person=False)
        await self._app(scope, receive, send)

    def _knows(self, authorization: str) -> bool:
        scheme, _, given = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._token)
