"""The files of the page as responses: security headers, caching, and compressed forms.

`static` has the plain modules, `bundle` what `make page` makes of them: a few minified files whose names carry a hash
of their content, so that a browser keeps them without asking again.
"""

from functools import lru_cache
from gzip import compress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

FOLDER = Path(__file__).with_name("static")
BUNDLE = Path(__file__).with_name("bundle")
COMPRESSED_FROM_BYTES = 1000
"""A smaller file fits into one packet anyway."""
REVALIDATED = "no-cache"
KEPT = "public, max-age=31536000, immutable"

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
    """A file and its compressed forms by the name of the encoding, the smallest first."""

    content: bytes
    digest: str
    encoded: dict[str, bytes]


def file_response(request: Request, path: str, folder: Path = FOLDER) -> Response:
    """Return a file of the folder, or 304 if the browser has it."""
    if not _is_served(path, folder):
        return PlainTextResponse("There is no such file.", 404, headers=SECURITY_HEADERS)
    found = read_file(path, folder)
    encoding = _encoding(request, found)
    sent = {
        **headers(path),
        "ETag": f'"{found.digest}{encoding and "-"}{encoding}"',
        "Cache-Control": KEPT if folder == BUNDLE and "-" in path else REVALIDATED,
        "Vary": "Accept-Encoding",
    }
    if sent["ETag"] in (each.strip() for each in request.headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=sent)
    if encoding:
        return Response(found.encoded[encoding], headers={**sent, "Content-Encoding": encoding})
    return Response(found.content, headers=sent)


def headers(path: str) -> dict[str, str]:
    return {**SECURITY_HEADERS, "Content-Type": MEDIA_TYPES[Path(path).suffix]}


def read_file(path: str, folder: Path = FOLDER) -> StaticFile:
    """Return a file that must exist, from the cache if it has not changed."""
    return _read(folder / path, (folder / path).stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _read(path: Path, changed_at: int) -> StaticFile:
    content = path.read_bytes()
    encoded: dict[str, bytes] = {}
    if path.suffix != ".html" and len(content) >= COMPRESSED_FROM_BYTES:
        brotli = path.with_name(f"{path.name}.br")
        encoded = {"br": brotli.read_bytes()} if brotli.exists() else {}
        encoded["gzip"] = compress(content, mtime=0)
    return StaticFile(content, sha256(content).hexdigest()[:32], encoded)


def _encoding(request: Request, file: StaticFile) -> str:
    """Return the best encoding that the browser accepts; empty for none."""
    accepted = set()
    for each in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = each.replace(" ", "").partition(";q=")
        if not weight or weight.strip("0."):
            accepted.add(name)
    return next((name for name in file.encoded if name in accepted), "")


def _is_served(path: str, folder: Path) -> bool:
    """Whether the path is a file of the folder: no `..`, no link that leads out of it."""
    if Path(path).suffix not in MEDIA_TYPES:
        return False
    try:
        resolved = (folder / path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return False
    return resolved.is_relative_to(folder.resolve()) and resolved.is_file()
