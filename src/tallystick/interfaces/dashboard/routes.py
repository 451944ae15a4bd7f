"""The files of the page, and the headers that they go out with."""

from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

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
