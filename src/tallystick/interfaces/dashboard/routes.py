"""Serves the page: its paths, static files, login form and security headers."""

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

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Only these files are served. The folder also has licences, for readers of the source."""

CONTENT_POLICY = "; ".join(
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
"""Models and tools wrote the shown content: only our own scripts and styles, nothing inline, nothing from elsewhere."""

SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",  # without a referrer, a form would be sent with the origin "null"
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class StaticFile(Struct, frozen=True):
    """The content of a file and its ETag."""

    content: bytes
    etag: str


def file_response(request: Request, path: str) -> Response:
    """Return a file, or 304 if the browser has it. Files change with the program, so browsers revalidate each time."""
    if not _is_served(path):
        return PlainTextResponse("There is no such file.", 404, headers=SECURITY_HEADERS)
    found = read_file(path)
    sent = {**headers(path), "ETag": found.etag, "Cache-Control": "no-cache"}
    if found.etag in (each.strip() for each in request.headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=sent)
    return Response(found.content, headers=sent)


def headers(path: str) -> dict[str, str]:
    return {**SECURITY_HEADERS, "Content-Type": MEDIA_TYPES[Path(path).suffix]}


def read_file(path: str) -> StaticFile:
    """Return a file that must exist, from the cache if it has not changed."""
    return _read(path, (FOLDER / path).stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _read(path: str, changed_at: int) -> StaticFile:
    content = (FOLDER / path).read_bytes()
    return StaticFile(content=content, etag=f'"{sha256(content).hexdigest()[:32]}"')


def _is_served(path: str) -> bool:
    """Whether the path is a file of the folder: no `..`, no link that leads out of it."""
    if Path(path).suffix not in MEDIA_TYPES:
        return False
    try:
        resolved = (FOLDER / path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return False
    return resolved.is_relative_to(FOLDER.resolve()) and resolved.is_file()


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
"""Paths that return the page. Its own router in static/app.js has the same table."""


def routes(clients: Mapping[str, Any]) -> list[BaseRoute]:
    """Return the routes of the page beside REST.

    `clients` holds the snippets for each client and the path of our own command, for the page of an empty journal. The
    server knows them, and this interface does not.
    """

    async def client_snippets(request: Request) -> Response:
        return JSONResponse(clients, headers={"Cache-Control": "no-store"})

    return [
        *(Route(path, _index, methods=["GET"]) for path in PATHS),
        Route("/clients", client_snippets, methods=["GET"]),
        Route("/favicon.ico", _favicon, methods=["GET"]),
        Route("/static/{path:path}", _static, methods=["GET"]),
        Route("/embed/{path:path}", _embedded, methods=["GET"]),
    ]


def login_page(*, next_path: str = "/", problem: str = "", status: int = 200) -> Response:
    """Return the form that exchanges a token for a cookie. It needs no script: a problem is part of the page."""
    note = f'<p class="login-problem" role="alert">{escape(problem)}</p>' if problem else ""
    text = read_file(LOGIN).content.decode()
    filled = text.replace("<!-- problem -->", note).replace("{{next}}", escape(next_path))
    return Response(filled, status, media_type="text/html", headers={**headers(LOGIN), "Cache-Control": "no-store"})


def not_found_page(request: Request) -> Response:
    """Return the page with status 404 for an unknown path; its router shows the message."""
    found = read_file(INDEX)
    return Response(found.content, 404, media_type="text/html", headers={**headers(INDEX), "Cache-Control": "no-store"})


async def _index(request: Request) -> Response:
    return file_response(request, INDEX)


async def _favicon(request: Request) -> Response:
    return file_response(request, "favicon.svg")


async def _static(request: Request) -> Response:
    return file_response(request, request.path_params["path"])


async def _embedded(request: Request) -> Response:
    return file_response(request, f"embed/{request.path_params['path']}")
