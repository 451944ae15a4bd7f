"""Routes to log in and out with a browser: with a token, or with the one-time link that `serve` printed."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tallystick.interfaces.dashboard import login_page
from tallystick.interfaces.problems import MEDIA_TYPE, Headers, problem
from tallystick.operations.runtime.access import Access, is_granted
from tallystick.server.authentication import CredentialLookup, cookie_name
from tallystick.server.browser_logins import MAX_LOGIN_SECONDS, Login, Logins
from tallystick.server.rate_limits import RateLimits, client_address, too_many_requests
from tallystick.version import __version__

MAX_BODY_BYTES = 8192
"""Enough for a token and a path."""
WRONG_TOKEN = "This token is unknown, revoked or expired."
USED_LINK = "This link was used or has expired. `tallystick serve` has printed a new one."


class LoginRoutes:
    """The routes. `on_new_link` shows a new one-time link to the operator."""

    def __init__(
        self, logins: Logins, find_access: CredentialLookup, limits: RateLimits, on_new_link: Callable[[str], None]
    ) -> None:
        self._logins = logins
        self._find_access = find_access
        self._limits = limits
        self._on_new_link = on_new_link

    def routes(self) -> list[Route]:
        return [
            Route("/login", self._show, methods=["GET"]),
            Route("/login", self._log_in, methods=["POST"]),
            Route("/logout", self._log_out, methods=["POST"]),
            Route("/session", self._session, methods=["GET"]),
        ]

    async def _show(self, request: Request) -> Response:
        """The login form; with a one-time link, the login itself."""
        once, next_path = request.query_params.get("once", ""), own_path(request.query_params.get("next", ""))
        if not once or request.method == "HEAD":
            return login_page(next_path=next_path)
        was_link = self._logins.is_link(once)
        login = self._logins.use(once)
        if was_link:
            self._on_new_link(self._logins.link())
        if login is None:
            if seconds := self._limits.logins.take(client_address(request.scope)):
                return _problem_response(*too_many_requests(seconds))
            return login_page(next_path=next_path, problem=USED_LINK, status=403)
        # Not a redirect: after one, a browser that came from another page would not send the strict cookie.
        response = Response(headers={"refresh": f"0; url={next_path}", "cache-control": "no-store"})
        return _with_cookie(response, login, request)

    async def _log_in(self, request: Request) -> Response:
        """Log in with a token, sent as a form or as JSON. An existing login gets the token's access in addition."""
        is_form = request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        fields = await _read_fields(request)
        secret, next_path = str(fields.get("token") or "").strip(), own_path(str(fields.get("next") or ""))
        access = await self._find_access(secret) if secret else None
        if access is None:
            return self._reject(request, next_path, is_form=is_form)
        before: Login | None = request.state.login
        if before:
            self._logins.close(before.id)
        login = self._logins.open(secret, linked=before is not None and before.linked)
        if is_form:
            return _with_cookie(RedirectResponse(next_path, 303), login, request)
        account = _account(request, access, login) | {"journal": access.journal}
        return _with_cookie(JSONResponse(account, headers={"cache-control": "no-store"}), login, request)

    def _reject(self, request: Request, next_path: str, *, is_form: bool) -> Response:
        """Reject a wrong token. Only these are limited: others at an address keep nobody from logging in."""
        headers: Headers = ()
        details = problem(403, "not_permitted", WRONG_TOKEN)
        if seconds := self._limits.logins.take(client_address(request.scope)):
            details, headers = too_many_requests(seconds)
        if not is_form:
            return _problem_response(details, headers)
        message = f"{details['detail']} {details.get('hint', '')}".strip()
        return login_page(next_path=next_path, problem=message, status=details["status"])

    async def _log_out(self, request: Request) -> Response:
        login: Login | None = request.state.login
        if login:
            self._logins.close(login.id)
        response = Response(status_code=204)
        response.delete_cookie(cookie_name(request.headers.get("host", "")), path="/", httponly=True, samesite="strict")
        return response

    async def _session(self, request: Request) -> Response:
        account = _account(request, request.state.access, request.state.login)
        return JSONResponse(account, headers={"cache-control": "no-store"})


def own_path(path: str) -> str:
    """The path if it leads to this server, else "/": a link could otherwise redirect to another site."""
    is_own = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if is_own and ";" not in path and path.isascii() else "/"


def _account(request: Request, access: Access, login: Login | None) -> dict[str, Any]:
    """The result of `GET /session`."""
    return {
        "person": login is not None,
        "name": access.name,
        "journal": request.state.journal,
        "scopes": sorted(access.scopes),
        "csrf": login.csrf if login else "",
        "may_decide": is_granted(access.scopes, "approve"),
        "version": __version__,
        "needs_login": not request.state.is_local,
    }


def _problem_response(details: dict[str, Any], headers: Headers = ()) -> Response:
    response = JSONResponse(details, details["status"], media_type=MEDIA_TYPE.decode())
    response.raw_headers.extend(headers)
    return response


async def _read_fields(request: Request) -> dict[str, Any]:
    """The fields of the form or JSON body; empty if it cannot be read."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            return {}
    try:
        if request.headers.get("content-type", "").startswith("application/json"):
            value = msgspec.json.decode(body)
            return value if isinstance(value, dict) else {}
        return {name: values[-1] for name, values in parse_qs(body.decode()).items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _with_cookie(response: Response, login: Login, request: Request) -> Response:
    response.set_cookie(
        cookie_name(request.headers.get("host", "")),
        login.id,
        max_age=int(MAX_LOGIN_SECONDS),
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response
