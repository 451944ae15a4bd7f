"""What a web server says when it does not do what it was asked: problem details (RFC 9457), with our codes in them."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.types import Send

MEDIA_TYPE = b"application/problem+json"
Headers = Iterable[tuple[bytes, bytes]]


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """The details of a problem; what is empty is left out."""
    told = {name: value for name, value in more.items() if value}
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code, **told}


async def refuse(send: Send, details: dict[str, Any], headers: Headers = ()) -> None:
    """Answer with a problem, before any application is asked."""
    body = msgspec.json.encode(details)
    told = [
        (b"content-type", MEDIA_TYPE),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": details["status"], "headers": told})
    await send({"type": "http.response.body", "body": body})
