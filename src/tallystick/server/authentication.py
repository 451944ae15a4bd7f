"""Who asks, and what they may do: found out once, before any door is asked.

A bearer token is a credential: it grants its scopes in its journal. A cookie stands for a login with a browser. Who has
neither is on this machine, and may do what any program of this user could do with the file: never decide, never
administer. Where the server is reached from elsewhere, everybody needs one of the first two.
"""

import hmac
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qs, quote

from msgspec import Struct
from msgspec.structs import replace
from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.core.errors import StorageUnavailable
from tallystick.interfaces.host_check import LOOPBACK, is_among
from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.mcp.transport.http import PATH as MCP
from tallystick.interfaces.problems import Headers, problem, send_problem
from tallystick.operations.runtime.access import Access
from tallystick.server.browser_security import FOREIGN
from tallystick.server.identity import Identifying, Login, Logins
from tallystick.server.options import ServerOptions
from tallystick.server.rate_limits import RateLimits, address, holder, too_much
from tallystick.server.uploads import NAME as IMPORT
from tallystick.server.uploads import Imports

COOKIE = "tallystick"
"""What our cookies are called, with the port behind it: a browser sends the cookies of one machine to all its ports."""
CSRF = "tallystick-csrf"
JOURNAL = "tallystick-journal"
LOCAL = frozenset({"agent", "read", "audit"})
"""What any program of this user may do: it could read the file anyway. Deciding needs a credential always."""
SHARED = frozenset({"agent", "read"})
"""What the one token grants that a server can be started with."""
OPEN_PATHS = ("/livez", "/readyz", "/version", "/login", "/session", "/favicon.ico")
OPEN_FOLDERS = ("/static/", "/embed/")
"""What everybody may ask for: it tells nothing of a journal."""
SAFE = ("GET", "HEAD", "OPTIONS")
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-real-ip")
"""Who says one of these stands between us and somebody who need not be on this machine."""


class Identity(Struct, frozen=True, kw_only=True):
    """Who was let in. `roams`: may name any journal of the store; `login` is the browser's, if there is one."""

    access: Access
    roams: bool = False
    is_open: bool = False
    login: Login | None = None


class NotAuthenticated(Exception):
    """Nobody is let in; the answer says why."""

    def __init__(self, details: dict[str, Any], headers: Headers = ()) -> None:
        super().__init__(details["detail"])
        self.details = details
        self.headers = headers


def loopback_access(journal: str) -> Access:
    """What being on this machine grants, with no token."""
    return Access(name="", journal=journal, scopes=LOCAL, observes=True)


class Authentication:
    """Wraps an application: it is asked only by those who may, and told who they are."""

    def __init__(
        self,
        app: ASGIApp,
        contexts: JournalContexts,
        logins: Logins,
        identify: Identifying,
        limits: RateLimits,
        imports: Imports,
        options: ServerOptions,
    ) -> None:
        self._app = app
        self._imports = imports
        self._contexts = contexts
        self._logins = logins
        self._identify = identify
        self._limits = limits
        self._token = options.token.encode()
        self._closed = options.login or bool(options.token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            entry = await self._entry(scope, headers)
            owner = _owner(entry, scope)
            access = self._meant(entry, owner, _named(headers, scope["query_string"]))
        except StorageUnavailable as error:
            await send_problem(send, problem(503, error.code, error.message, hint=error.hint))
            return
        except NotAuthenticated as refused:
            if refused.details["status"] == 401:
                self._limits.strangers.take(address(scope))
            if refused.details["status"] == 401 and _is_page(scope, headers):
                await _send_to_login(scope, send)
            else:
                await send_problem(send, refused.details, refused.headers)
            return
        scope.setdefault("state", {}).update(
            access=access,
            journal=access.journal,
            person=entry.login is not None,
            login=entry.login,
            is_open=entry.is_open,
            owner=owner,
            journals=partial(self._journals, entry, owner),
        )
        await self._app(scope, receive, send)

    async def _entry(self, scope: Scope, headers: Mapping[str, str]) -> Identity:
        is_open = self._is_open(headers) and FOREIGN not in scope.get("state", {})
        if not is_open and (seconds := self._limits.strangers.wait(address(scope))):
            raise NotAuthenticated(*too_much(seconds))
        if "authorization" in headers:
            return Identity(access=await self._bearer(headers["authorization"]), is_open=is_open)
        if scope["method"] not in SAFE and scope["path"] != MCP and self._is_foreign(headers):
            said = "A page of another server on this machine may not ask for this."
            raise NotAuthenticated(problem(403, "not_permitted", said, hint="Send a token instead."))
        login = self._logins.find(_cookie(headers.get("cookie", ""), headers.get("host", "")))
        access = await self._of_login(login, is_open=is_open) if login else None
        if login and access:
            if scope["method"] not in SAFE and scope["path"] != "/login" and not login.has_csrf(headers.get(CSRF, "")):
                hint = "GET /session tells its value."
                raise NotAuthenticated(
                    problem(403, "not_permitted", "The header Tallystick-CSRF is missing.", hint=hint)
                )
            return Identity(access=access, roams=is_open, is_open=is_open, login=login)
        if is_open:
            return Identity(access=loopback_access(self._contexts.journal), roams=True, is_open=True)
        if scope["path"] in OPEN_PATHS or scope["path"].startswith(OPEN_FOLDERS):
            self._limits.strangers.take(address(scope))
            return Identity(access=Access(name="", journal=self._contexts.journal, scopes=frozenset()))
        said = "A token is needed: Authorization: Bearer followed by it."
        hint = "`tallystick credential add` makes one. People log in at /login."
        raise NotAuthenticated(problem(401, "not_permitted", said, hint=hint), [(b"www-authenticate", b"Bearer")])

    def _is_open(self, headers: Mapping[str, str]) -> bool:
        """Whether the asker is on this machine, and that is enough."""
        return (
            not self._closed
            and is_among(headers.get("host", ""), LOOPBACK)
            and not any(name in headers for name in FORWARDED)
        )

    def _is_foreign(self, headers: Mapping[str, str]) -> bool:
        """Whether a page asks that came from another port: browsers count it as the same site, and send the cookie."""
        origin = headers.get("origin", "").partition("://")[2]
        return bool(origin) and origin != headers.get("host", "") and is_among(origin, LOOPBACK)

    async def _bearer(self, authorization: str) -> Access:
        scheme, _, given = authorization.partition(" ")
        secret = given.strip()
        if scheme.lower() == "bearer" and secret:
            if self._token and hmac.compare_digest(secret.encode(), self._token):
                return Access(name="", journal=self._contexts.journal, scopes=SHARED)
            found = await self._identify(secret)
            if found is not None:
                return found
        said = "The token is not known here, was revoked, or has expired."
        raise NotAuthenticated(
            problem(401, "not_permitted", said, hint="Send it as Authorization: Bearer followed by the token."),
            [(b"www-authenticate", b'Bearer error="invalid_token"')],
        )

    def _meant(self, entry: Identity, owner: str, named: str) -> Access:
        """The access to the journal that is meant: its own, unless another one is named by somebody who may."""
        own = entry.access.journal
        if not named or named == own:
            return entry.access
        if IMPORT.fullmatch(named) and entry.access.scopes:
            access = self._imports.access(named, owner, entry.access)
            if access is None:
                said = f"There is no import {named}, or not any more."
                raise NotAuthenticated(problem(404, "unknown_handle", said, hint="Import the file again."))
            return access
        if not entry.roams:
            said = f'This is for the journal "{own}", and not for another.'
            raise NotAuthenticated(problem(403, "not_permitted", said, hint="A token is bound to one journal."))
        if len(named) > 200 or not named.isprintable():
            hint = "Use 1 to 200 characters of plain text."
            raise NotAuthenticated(
                problem(400, "invalid_argument", "journal is not a name.", hint=hint, field="journal")
            )
        return loopback_access(named)

    def _journals(self, entry: Identity, owner: str) -> list[str]:
        """The names of the journals that somebody may see."""
        found = self._contexts.journals() if entry.roams else [entry.access.journal]
        return [*found, *self._imports.names(owner)]

    async def _of_login(self, login: Login, *, is_open: bool) -> Access | None:
        """What somebody who is logged in may do; nothing any more, if all that was shown is worthless by now."""
        access = await self._identify(login.secret) if login.secret else None
        if access is not None:
            is_person = not access.tasks and "agent" not in access.scopes
            # A person on this machine loses nothing by logging in.
            return replace(access, scopes=access.scopes | LOCAL) if is_open and is_person else access
        login.secret = ""
        if is_open:
            return loopback_access(self._contexts.journal)
        if login.linked:
            return Access(name="", journal=self._contexts.journal, scopes=frozenset({"read"}))
        self._logins.close(login.id)
        return None


def _named(headers: Mapping[str, str], query: bytes) -> str:
    """The journal that a request names, if it does."""
    return headers.get(JOURNAL, "") or parse_qs(query.decode("latin-1")).get("journal", [""])[-1]


def _owner(entry: Identity, scope: Scope) -> str:
    """Whose something is that is kept for a while: a browser's that is logged in, or a token's, or else of everybody
    who asks from there."""
    if entry.login is not None:
        return f"login {entry.login.id}"
    return f"token {holder(entry.access)}" if entry.access.name else f"address {address(scope)}"


def cookie_name(host: str) -> str:
    """What the cookie is called for who asks by this name and port."""
    port = host.rpartition(":")[2]
    return f"{COOKIE}-{port}" if port.isascii() and port.isdigit() else COOKIE


def _cookie(header: str, host: str) -> str:
    """Ours among the cookies: others of this machine's name are sent too, whatever is in them."""
    ours = cookie_name(host)
    found = (each.strip().partition("=") for each in header.split(";"))
    return next((value for name, _, value in found if name == ours), "")


def _is_page(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Whether a browser wants to show it, to somebody who can log in."""
    return scope["method"] in ("GET", "HEAD") and "text/html" in headers.get("accept", "")


async def _send_to_login(scope: Scope, send: Send) -> None:
    query = scope["query_string"].decode("latin-1")
    wanted = quote(scope["path"] + (f"?{query}" if query else ""), safe="")
    headers = [(b"location", f"/login?next={wanted}".encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
