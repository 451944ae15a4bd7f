"""Authenticates each request once, before any interface handles it.

A bearer token is a credential: it grants its scopes in its journal. `operations/runtime/access.py` decides whether it
is revoked or expired. A cookie stands for a browser login. A program without either, on this machine, may do what any
program of this user could do with the file: never decide, never administer. If the server is reached from another
machine, every request needs a token or a login.
"""

import hmac
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qs, quote

from anyio import CapacityLimiter, to_thread
from msgspec import Struct
from msgspec.structs import replace
from starlette.types import ASGIApp, Receive, Scope, Send

from tallystick.core.errors import StorageUnavailable
from tallystick.interfaces.dashboard.routes import PATHS
from tallystick.interfaces.host_check import LOOPBACK, is_among
from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.mcp.transport.http import PATH as MCP
from tallystick.interfaces.problems import Headers, problem, send_problem
from tallystick.operations.runtime.access import Access, find_access
from tallystick.sdk.local import Local
from tallystick.server.browser_logins import Login, Logins
from tallystick.server.browser_security import FOREIGN
from tallystick.server.options import ServerOptions
from tallystick.server.rate_limits import RateLimits, client_address, holder_key, too_many_requests
from tallystick.server.uploads import IMPORT_NAME, Imports

COOKIE = "tallystick"
"""The cookie's name without its port: a browser sends the cookies of one machine to all its ports."""
CSRF_HEADER = "tallystick-csrf"
JOURNAL_HEADER = "tallystick-journal"
LOOPBACK_SCOPES = frozenset({"agent", "read", "audit"})
"""The scopes of any program of this user: it could read the file anyway. Deciding always needs a credential."""
LOGIN_SCOPES = frozenset({"read", "audit"})
"""The scopes that a person on this machine has beside those of the credential: what is recorded is recorded as that
person, so it needs the person's own scope."""
SHARED_TOKEN_SCOPES = frozenset({"agent", "read"})
"""The scopes of the one token that a server can be started with."""
SHARED_TOKEN_HOLDER = "the shared token"
"""All its clients share one rate."""
OPEN_PATHS = ("/livez", "/readyz", "/version", "/login", "/session", "/favicon.ico")
OPEN_FOLDERS = ("/static/", "/embed/")
"""Paths that need no authentication: they show nothing of a journal."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
PROXY_HEADERS = ("forwarded", "via", "x-forwarded-for", "x-real-ip")
"""A request with one of these came through a proxy, so its sender may be on another machine."""
_PAGES = [path.split("/")[1:2] for path in PATHS]
"""How the paths of the page begin."""
MAX_JOURNAL_NAME = 200
MAX_LOOKUP_THREADS = 16
"""Lookups run in threads: a store may be slow, or away."""


class Identity(Struct, frozen=True, kw_only=True):
    """An authenticated request.

    `any_journal`: it may name any journal of the store. `is_local`: it came from this machine, and that is enough.
    `login`: the browser's, if there is one. `holder`: whose rate limit counts; "" for programs on this machine, and
    for pages that need no authentication.
    """

    access: Access
    any_journal: bool = False
    is_local: bool = False
    login: Login | None = None
    holder: str = ""


class NotAuthenticated(Exception):
    """The request is rejected with these problem details."""

    def __init__(self, details: dict[str, Any], headers: Headers = ()) -> None:
        super().__init__(details["detail"])
        self.details = details
        self.headers = headers


def loopback_access(journal: str) -> Access:
    """The access of a program on this machine without a token."""
    return Access(name="", journal=journal, scopes=LOOPBACK_SCOPES, observes=True)


class CredentialLookup:
    """Finds the access that a token grants, in the store for each request: a revoked one is rejected at once."""

    def __init__(self, caller: Local) -> None:
        self._store = caller.context.store
        self._threads: CapacityLimiter | None = None

    async def __call__(self, secret: str) -> Access | None:
        """The access; None if the token is unknown, revoked or expired. Raises StorageUnavailable if the store is."""
        if self._threads is None:
            self._threads = CapacityLimiter(MAX_LOOKUP_THREADS)  # it belongs to an event loop
        return await to_thread.run_sync(find_access, self._store, secret, limiter=self._threads)


class Authentication:
    """Middleware: passes authenticated requests on, with the result in `scope["state"]`."""

    def __init__(
        self,
        app: ASGIApp,
        contexts: JournalContexts,
        logins: Logins,
        find_access: CredentialLookup,
        limits: RateLimits,
        imports: Imports,
        options: ServerOptions,
    ) -> None:
        self._app = app
        self._imports = imports
        self._contexts = contexts
        self._logins = logins
        self._find_access = find_access
        self._limits = limits
        self._token = options.token.encode()
        self._is_closed = options.login or bool(options.token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            identity = await self._authenticate(scope, headers)
            owner = _owner(identity, scope)
            access = self._access_to(identity, owner, _requested_journal(headers, scope["query_string"]))
        except StorageUnavailable as error:
            await send_problem(send, problem(503, error.code, error.message, hint=error.hint))
            return
        except NotAuthenticated as error:
            await self._reject(scope, send, headers, error)
            return
        scope.setdefault("state", {}).update(
            access=access,
            journal=access.journal,
            person=identity.login is not None,
            login=identity.login,
            is_local=identity.is_local,
            holder=identity.holder,
            owner=owner,
            journals=partial(self._visible_journals, identity, owner),
        )
        await self._app(scope, receive, send)

    async def _reject(self, scope: Scope, send: Send, headers: Mapping[str, str], error: NotAuthenticated) -> None:
        is_unknown = error.details["status"] == 401
        if is_unknown:
            self._limits.strangers.take(client_address(scope))
        if is_unknown and _wants_page(scope, headers):
            if _came_from_elsewhere(scope, headers):
                await _open_again(scope, send)
            else:
                await _redirect_to_login(scope, send)
        else:
            await send_problem(send, error.details, error.headers)

    async def _authenticate(self, scope: Scope, headers: Mapping[str, str]) -> Identity:
        is_local = self._is_local(headers) and FOREIGN not in scope.get("state", {})
        if "authorization" in headers:
            access = await self._token_access(headers["authorization"])
            if access is not None:
                holder = holder_key(access) if access.name else SHARED_TOKEN_HOLDER
                return Identity(access=access, is_local=is_local, holder=holder)
            self._check_stranger(scope, is_local=is_local)
            raise NotAuthenticated(
                problem(
                    401,
                    "not_permitted",
                    "The token is unknown, revoked or expired.",
                    hint="Send it as Authorization: Bearer ts_...; `tallystick credential add NAME` makes another one.",
                ),
                [(b"www-authenticate", b'Bearer error="invalid_token"')],
            )
        is_unsafe = scope["method"] not in SAFE_METHODS
        if is_unsafe and scope["path"] != MCP and _is_other_local_page(headers):
            raise NotAuthenticated(
                problem(
                    403,
                    "not_permitted",
                    "A page of another server on this machine may not send this request.",
                    hint="Send a token instead.",
                )
            )
        login = self._logins.find(_cookie(headers.get("cookie", ""), headers.get("host", "")))
        access = await self._login_access(login, is_local=is_local) if login else None
        if login and access:
            if is_unsafe and scope["path"] != "/login":
                _check_csrf(login, headers)
            linked = "" if is_local else f"login {login.id}"
            holder = holder_key(access) if access.name else linked
            return Identity(access=access, any_journal=is_local, is_local=is_local, login=login, holder=holder)
        if scope["path"] != "/login":  # it looks up a token too, and limits wrong ones itself
            self._check_stranger(scope, is_local=is_local)
        return self._anonymous(scope, is_local=is_local)

    def _check_stranger(self, scope: Scope, *, is_local: bool) -> None:
        """Reject a request without a valid token or login from an address that has sent too many.

        A valid one is never rejected for what others at its address do: that is why it is looked up first.
        """
        if not is_local and (seconds := self._limits.strangers.wait(client_address(scope))):
            raise NotAuthenticated(*too_many_requests(seconds))

    def _anonymous(self, scope: Scope, *, is_local: bool) -> Identity:
        """The identity of a request with neither a token nor a login."""
        if is_local:
            return Identity(access=loopback_access(self._contexts.journal), any_journal=True, is_local=True)
        if scope["path"] in OPEN_PATHS or scope["path"].startswith(OPEN_FOLDERS):
            self._limits.strangers.take(client_address(scope))
            return Identity(access=Access(name="", journal=self._contexts.journal, scopes=frozenset()))
        raise NotAuthenticated(
            problem(
                401,
                "not_permitted",
                "A token is required: Authorization: Bearer ts_...",
                hint="`tallystick credential add NAME` makes one. People log in at /login.",
            ),
            [(b"www-authenticate", b"Bearer")],
        )

    def _is_local(self, headers: Mapping[str, str]) -> bool:
        """Whether the request comes from this machine, and the server needs nothing more."""
        return (
            not self._is_closed
            and is_among(headers.get("host", ""), LOOPBACK)
            and not any(name in headers for name in PROXY_HEADERS)
        )

    async def _token_access(self, authorization: str) -> Access | None:
        """The access that a token grants; None if it is not valid."""
        scheme, _, token = authorization.partition(" ")
        secret = token.strip()
        if scheme.lower() == "bearer" and secret:
            if self._token and hmac.compare_digest(secret.encode(), self._token):
                return Access(name="", journal=self._contexts.journal, scopes=SHARED_TOKEN_SCOPES)
            return await self._find_access(secret)
        return None

    async def _login_access(self, login: Login, *, is_local: bool) -> Access | None:
        """The access of a browser that is logged in; None if its token is no longer valid, which ends the login."""
        access = await self._find_access(login.secret) if login.secret else None
        if access is not None:
            is_person = not access.tasks and "agent" not in access.scopes
            # Logging in must not take away what a person on this machine may read anyway.
            return replace(access, scopes=access.scopes | LOGIN_SCOPES) if is_local and is_person else access
        login.secret = ""
        if is_local:
            return loopback_access(self._contexts.journal)
        if login.linked:
            return Access(name="", journal=self._contexts.journal, scopes=frozenset({"read"}))
        self._logins.close(login.id)
        return None

    def _access_to(self, identity: Identity, owner: str, journal: str) -> Access:
        """The access to the requested journal: the identity's own one, unless it may name another."""
        own = identity.access.journal
        if not journal or journal == own:
            return identity.access
        if IMPORT_NAME.fullmatch(journal) and identity.access.scopes:
            access = self._imports.access(journal, owner, identity.access)
            if access is None:
                detail = f"There is no import {journal}, or it has expired."
                raise NotAuthenticated(problem(404, "unknown_handle", detail, hint="Import the file again."))
            return access
        if not identity.any_journal:
            detail = f'This token is for the journal "{own}" only.'
            hint = "Leave the journal out, or use a token of that journal."
            raise NotAuthenticated(problem(403, "not_permitted", detail, hint=hint))
        if len(journal) > MAX_JOURNAL_NAME or not journal.isprintable():
            hint = f"Use 1 to {MAX_JOURNAL_NAME} characters of plain text."
            raise NotAuthenticated(
                problem(400, "invalid_argument", "journal is not a valid name.", hint=hint, field="journal")
            )
        return loopback_access(journal)

    def _visible_journals(self, identity: Identity, owner: str) -> list[str]:
        names = self._contexts.journals() if identity.any_journal else [identity.access.journal]
        return [*names, *self._imports.names(owner)]


def _check_csrf(login: Login, headers: Mapping[str, str]) -> None:
    if not login.has_csrf(headers.get(CSRF_HEADER, "")):
        hint = "Send the value of `csrf` from GET /session."
        raise NotAuthenticated(problem(403, "not_permitted", "The header Tallystick-CSRF is missing.", hint=hint))


def _is_other_local_page(headers: Mapping[str, str]) -> bool:
    """Whether a page of another port sends this: browsers treat it as the same site and send the cookie."""
    origin = headers.get("origin", "").partition("://")[2]
    return bool(origin) and origin != headers.get("host", "") and is_among(origin, LOOPBACK)


def _requested_journal(headers: Mapping[str, str], query: bytes) -> str:
    named = headers.get(JOURNAL_HEADER, "")
    return named or (parse_qs(query.decode("latin-1")).get("journal", [""])[-1] if query else "")


def _owner(identity: Identity, scope: Scope) -> str:
    """The owner of uploads: a browser login, else a token, else every program at that address."""
    if identity.login is not None:
        return f"login {identity.login.id}"
    if identity.access.name:
        return f"token {holder_key(identity.access)}"
    return f"address {client_address(scope)}"


def cookie_name(host: str) -> str:
    """The name of the cookie for a request to this host and port."""
    port = host.rpartition(":")[2]
    return f"{COOKIE}-{port}" if port.isascii() and port.isdigit() else COOKIE


def _cookie(header: str, host: str) -> str:
    """The value of our cookie: the browser also sends those of other servers with the same host name."""
    ours = cookie_name(host)
    pairs = (each.strip().partition("=") for each in header.split(";"))
    return next((value for name, _, value in pairs if name == ours), "")


def _wants_page(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Whether a browser wants to show the response to a person, who can log in."""
    return scope["method"] in ("GET", "HEAD") and "text/html" in headers.get("accept", "")


def _came_from_elsewhere(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Whether a person followed a link in mail or chat: then the browser withholds the strict cookie of a login."""
    is_navigation = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    is_page = scope["path"].split("/")[1:2] in _PAGES and not scope["path"].startswith("//")
    return is_navigation and is_page and headers.get("sec-fetch-site") in ("cross-site", "same-site")


async def _open_again(scope: Scope, send: Send) -> None:
    """Let our own empty page open the same address: that request has the cookie, if there is one.

    The cookie stays strict, so that no other site's request is ever one of a person who is logged in. What is opened
    is the page only, which shows nothing of a journal by itself and cannot be framed.
    """
    query = quote(scope["query_string"].decode("latin-1"), safe="=&%+:,/")
    address = quote(scope["path"], safe="/") + (f"?{query}" if query else "")
    headers = [
        (b"refresh", f"0; url={address}".encode()),
        (b"content-type", b"text/html; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"content-length", b"0"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _redirect_to_login(scope: Scope, send: Send) -> None:
    query = scope["query_string"].decode("latin-1")
    path = quote(scope["path"] + (f"?{query}" if query else ""), safe="")
    headers = [(b"location", f"/login?next={path}".encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
