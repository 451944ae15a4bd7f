"""Serves the page: its paths, files and login form."""

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tallystick.interfaces.dashboard.files import BUNDLE, FOLDER, file_response, headers, read_file

INDEX = "index.html"
LOGIN = "login.html"
MAX_DIGITS = 4
FIRST_NOT_SHOWN = 100
_BADGE = """<rect x="8" y="13" width="24" height="19" rx="9" fill="#ad2419"/>
<text x="20" y="28" font-family="sans-serif" font-size="15" font-weight="700" text-anchor="middle"
fill="#fff">{}</text>"""
ELEMENTS = "tallystick.js"
"""The elements for other applications, in one file."""

PATHS = (
    "/",
    "/executions",
    "/x/{execution_id}",
    "/approvals",
    "/approvals/{approval_id}",
    "/alerts",
    "/webhooks",
    "/context",
    "/plans",
    "/plans/{plan_id}",
    "/stats",
    "/compare",
    "/replay/{execution_id}",
    "/import",
)
"""Paths that return the page. Its own router in static/app.js has the same table."""

SESSION = "/session"
EARLY = {
    "/": (SESSION, "/v1/inbox?limit=50", "/v1/executions?limit=1"),
    "/executions": (SESSION, "/v1/inbox?limit=50", "/v1/executions?limit=100"),
}
"""Requests that the page is about to send: the browser sends them before it has the script, if they fit exactly."""


def routes(clients: Mapping[str, Any], *, plain: bool = False) -> list[BaseRoute]:
    """Return the routes of the page beside REST.

    `clients` holds the snippets for each client and the path of our own command, for the page of an empty journal. The
    server knows them, and this interface does not. `plain` serves the modules as they are in the source.
    """

    async def client_snippets(request: Request) -> Response:
        return JSONResponse(clients, headers={"Cache-Control": "no-store"})

    async def index(request: Request) -> Response:
        answer = file_response(request, INDEX, FOLDER if plain else BUNDLE)
        if early := _early(request):
            answer.headers["Link"] = ", ".join(f"<{each}>; rel=preload; as=fetch; crossorigin" for each in early)
        return answer

    bundled_elements = Route(f"/static/embed/{ELEMENTS}", _elements, methods=["GET"])
    return [
        *(Route(path, index, methods=["GET"]) for path in PATHS),
        Route("/clients", client_snippets, methods=["GET"]),
        Route("/favicon.ico", _favicon, methods=["GET"]),
        *(() if plain else (bundled_elements,)),
        Route("/static/bundle/{name}", _bundled, methods=["GET"]),
        Route("/static/{path:path}", _static, methods=["GET"]),
        Route("/embed/{path:path}", _embedded, methods=["GET"]),
    ]


def login_page(*, next_path: str = "/", problem: str = "", status: int = 200) -> Response:
    """Return the form that exchanges a token for a cookie. It needs no script: a problem is part of the page."""
    note = f'<p class="login-problem" role="alert">{escape(problem)}</p>' if problem else ""
    text = read_file(LOGIN, BUNDLE).content.decode()
    filled = text.replace("<!-- problem -->", note).replace("{{next}}", escape(next_path))
    return Response(filled, status, media_type="text/html", headers={**headers(LOGIN), "Cache-Control": "no-store"})


def not_found_page(request: Request) -> Response:
    """Return the page with status 404 for an unknown path; its router shows the message."""
    found = read_file(INDEX, BUNDLE)
    return Response(found.content, 404, media_type="text/html", headers={**headers(INDEX), "Cache-Control": "no-store"})


def _early(request: Request) -> list[str]:
    """Return the first requests of a page, for the journal that it shows. A page with other parameters sends others."""
    query = request.query_params
    if set(query) - {"journal"}:
        return []
    journal = urlencode({"journal": query["journal"]}) if query.get("journal") else ""
    return [_with_parameter(address, journal) for address in EARLY.get(request.url.path, ())]


def _with_parameter(address: str, parameter: str) -> str:
    if not parameter or address == SESSION:
        return address
    return f"{address}{'&' if '?' in address else '?'}{parameter}"


async def _favicon(request: Request) -> Response:
    """The icon of the tab, with how much waits for a person if the address says so."""
    waiting = request.query_params.get("waiting", "")
    if not (waiting.isascii() and waiting.isdigit() and len(waiting) <= MAX_DIGITS):
        return file_response(request, "favicon.svg")
    word = waiting if int(waiting) < FIRST_NOT_SHOWN else f"{FIRST_NOT_SHOWN - 1}+"
    content = read_file("favicon.svg").content.decode().replace("</svg>", f"{_BADGE.format(word)}</svg>")
    return Response(content, headers={**headers("favicon.svg"), "Cache-Control": "max-age=86400"})


async def _static(request: Request) -> Response:
    return file_response(request, request.path_params["path"])


async def _bundled(request: Request) -> Response:
    return file_response(request, request.path_params["name"], BUNDLE)


async def _elements(request: Request) -> Response:
    return file_response(request, ELEMENTS, BUNDLE)


async def _embedded(request: Request) -> Response:
    return file_response(request, f"embed/{request.path_params['path']}")
