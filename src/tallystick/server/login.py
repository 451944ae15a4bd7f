"""Logging in and out with a browser: a token becomes a cookie, or a link that `serve` printed does, once."""

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
from tallystick.server.authentication import cookie_name
from tallystick.server.identity import LONGEST_SECONDS, Identifying, Login, Logins
from tallystick.server.rate_limits import RateLimits, address, too_much
from tallystick.version import __version__

BODY_BYTES = 8192
"""A token and a path: more is no login."""
WRONG = "This token is not known here, was revoked, or has expired."
USED = "This link was used, or has expired. `tallystick serve` has printed another one."


class LoginRoutes:
    """The routes. `renewed` shows a new link to who started the server."""

    def __init__(
        self, logins: Logins, identify: Identifying, limits: RateLimits, renewed: Callable[[str], None]
    ) -> None:
        self._logins = logins
        self._identify = identify
        self._limits = limits
        self._renewed = renewed

    def routes(self) -> list[Route]:
        return [
            Route("/login", self._show, methods=["GET"]),
            Route("/login", self._log_in, methods=["POST"]),
            Route("/logout", self._log_out, methods=["POST"]),
            Route("/session", self._session, methods=["GET"]),
        ]

    async def _show(self, request: Request) -> Response:
        """The form; or, by a link that logs in, the way in."""
        once, wanted = request.query_params.get("once", ""), own_path(request.query_params.get("next", ""))
        if not once or request.method == "HEAD":
            return login_page(next_path=wanted)
        if seconds := self._limits.logins.take(address(request.scope)):
            return _refusal(*too_much(seconds))
        was_link = self._logins.is_link(once)
        login = self._logins.use(once)
        if was_link:
            self._renewed(self._logins.link())
        if login is None:
            return login_page(next_path=wanted, problem=USED, status=403)
        # Not a redirect: behind one, a browser that was sent here by another page would keep the cookie to itself.
        inside = Response(headers={"refresh": f"0; url={wanted}", "cache-control": "no-store"})
        return _with_cookie(inside, login, request)

    async def _log_in(self, request: Request) -> Response:
        """A token, as a form or as JSON. Who is logged in already adds what it grants."""
        is_form = request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        if seconds := self._limits.logins.take(address(request.scope)):
            details, headers = too_much(seconds)
            said = f"{details['detail']} {details['hint']}"
            return login_page(problem=said, status=429) if is_form else _refusal(details, headers)
        told = await _told(request)
        secret, wanted = str(told.get("token") or "").strip(), own_path(str(told.get("next") or ""))
        access = await self._identify(secret) if secret else None
        if access is None:
            if is_form:
                return login_page(next_path=wanted, problem=WRONG, status=403)
            return _refusal(problem(403, "not_permitted", WRONG))
        before: Login | None = request.state.login
        if before:
            self._logins.close(before.id)
        login = self._logins.open(secret, linked=before is not None and before.linked)
        if is_form:
            return _with_cookie(RedirectResponse(wanted, 303), login, request)
        told = _account(request, access, login) | {"journal": access.journal}
        return _with_cookie(JSONResponse(told, headers={"cache-control": "no-store"}), login, request)

    async def _log_out(self, request: Request) -> Response:
        login: Login | None = request.state.login
        if login:
            self._logins.close(login.id)
        answer = Response(status_code=204)
        answer.delete_cookie(cookie_name(request.headers.get("host", "")), path="/", httponly=True, samesite="strict")
        return answer

    async def _session(self, request: Request) -> Response:
        account = _account(request, request.state.access, request.state.login)
        return JSONResponse(account, headers={"cache-control": "no-store"})


def own_path(wanted: str) -> str:
    """A path of ours to go to; anything else may lead elsewhere."""
    is_ours = wanted.startswith("/") and not wanted.startswith(("//", "/\\")) and wanted.isprintable()
    return wanted if is_ours and ";" not in wanted and wanted.isascii() else "/"


def _account(request: Request, access: Access, login: Login | None) -> dict[str, Any]:
    """What the page is told of who looks at it."""
    return {
        "person": login is not None,
        "name": access.name,
        "journal": request.state.journal,
        "scopes": sorted(access.scopes),
        "csrf": login.csrf if login else "",
        "may_decide": is_granted(access.scopes, "approve"),
        "version": __version__,
        "needs_login": not request.state.is_open,
    }


def _refusal(details: dict[str, Any], headers: Headers = ()) -> Response:
    answer = JSONResponse(details, details["status"], media_type=MEDIA_TYPE.decode())
    answer.raw_headers.extend(headers)
    return answer


async def _told(request: Request) -> dict[str, Any]:
    """What was sent, if it can be read; nothing else."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > BODY_BYTES:
            return {}
    try:
        if request.headers.get("content-type", "").startswith("application/json"):
            found = msgspec.json.decode(body)
            return found if isinstance(found, dict) else {}
        return {name: values[-1] for name, values in parse_qs(body.decode()).items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _with_cookie(answer: Response, login: Login, request: Request) -> Response:
    answer.set_cookie(
        cookie_name(request.headers.get("host", "")),
        login.id,
        max_age=int(LONGEST_SECONDS),
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return answer
