"""The files of the page, and the headers that they go out with."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

FOLDER = Path(__file__).with_name("static")
INDEX = "index.html"
LOGIN = "login.html"

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""What is served. Anything else in the folder is for people who read it there."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Everything shown was written by a model or a tool: no script but ours, no inline anything, nothing from outside."""

SECURITY = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",  # without any, a form would be sent by the origin "null"
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class File(Struct, frozen=True):
    """One file as it is sent."""

    content: bytes
    etag: str


def answer(request: Request, path: str) -> Response:
    """A file of the page. A browser that has it already is told so: files change with the program, so it asks."""
    if not _is_served(path):
        return PlainTextResponse("There is no such file.", 404, headers=SECURITY)
    found = file(path)
    sent = {**headers(path), "ETag": found.etag, "Cache-Control": "no-cache"}
    if found.etag in (each.strip() for each in request.headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=sent)
    return Response(found.content, headers=sent)


def headers(path: str) -> dict[str, str]:
    return {**SECURITY, "Content-Type": TYPES[Path(path).suffix]}


def file(path: str) -> File:
    """A file that is known to be there."""
    whole = FOLDER / path
    return _read(path, whole.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _read(path: str, changed: int) -> File:
    content = (FOLDER / path).read_bytes()
    return File(content=content, etag=f'"{sha256(content).hexdigest()[:32]}"')


def _is_served(path: str) -> bool:
    """Only what lies in the folder, whatever the path says: no `..`, no link that leads out of it."""
    if Path(path).suffix not in TYPES:
        return False
    try:
        whole = (FOLDER / path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return False
    return whole.is_relative_to(FOLDER.resolve()) and whole.is_file()


# ----------------------------------------------------------------------------------------------------------------------
# The routes of the page: one document for every path of it, the files that it is made of, and the login form.

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
