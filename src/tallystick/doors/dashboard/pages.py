"""The routes of the page: one document for every path of it, the files that it is made of, and the login form."""

from collections.abc import Mapping
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tallystick.doors.dashboard.files import INDEX, LOGIN, answer, file, headers

PATHS = (
    "/",
    "/x/{execution_id}",
    "/approvals",
    "/approvals/{approval_id}",
    "/context",
    "/plans",
    "/plans/{plan_id}",
    "/stats",
    "/compare",
    "/replay/{execution_id}",
    "/import",
)
"""Where the page is at home. What is shown there is decided by its own router; static/app.js has the same table."""


def routes(clients: Mapping[str, Any]) -> list[BaseRoute]:
    """Everything that the page needs beside REST. `clients` tells the texts to paste into each client and how our own
    command is typed, for a journal in which nothing is recorded yet: who serves knows them, this door does not."""

    async def told(request: Request) -> Response:
        return JSONResponse(clients, headers={"Cache-Control": "no-store"})

    return [
        *(Route(path, _index, methods=["GET"]) for path in PATHS),
        Route("/clients", told, methods=["GET"]),
        Route("/favicon.ico", _favicon, methods=["GET"]),
        Route("/static/{path:path}", _static, methods=["GET"]),
        Route("/embed/{path:path}", _embedded, methods=["GET"]),
    ]


def login_page(*, next_path: str = "/", problem: str = "", status: int = 200) -> Response:
    """The form that turns a token into a cookie. It needs no script, so what was typed before is said in the page."""
    said = f'<p class="login-problem" role="alert">{escape(problem)}</p>' if problem else ""
    text = file(LOGIN).content.decode()
    filled = text.replace("<!-- problem -->", said).replace("{{next}}", escape(next_path))
    return Response(filled, status, media_type="text/html", headers={**headers(LOGIN), "Cache-Control": "no-store"})


def nowhere(request: Request) -> Response:
    """The page at a path that it does not know, for a browser: it says so itself."""
    found = file(INDEX)
    return Response(found.content, 404, media_type="text/html", headers={**headers(INDEX), "Cache-Control": "no-store"})


async def _index(request: Request) -> Response:
    return answer(request, INDEX)


async def _favicon(request: Request) -> Response:
    return answer(request, "favicon.svg")


async def _static(request: Request) -> Response:
    return answer(request, request.path_params["path"])


async def _embedded(request: Request) -> Response:
    return answer(request, f"embed/{request.path_params['path']}")
