"""The HTTP status and exit code of each error code, and problem details (RFC 9457).

Exit codes are stable:

    0    success
    1    a failure: `verify` or `doctor` found a problem, or an unexpected error
    2    wrong usage: an unknown option, a missing or invalid argument
    3    not permitted: a credential is needed
    4    the store cannot be reached or used
    5    rejected by the journal: an unknown handle, the wrong state, a conflict; or a run that is held or waits
    130  interrupted by Ctrl-C
    141  the reader of a pipe has closed it
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tallystick.core.errors import TallystickError

if TYPE_CHECKING:
    from starlette.types import Send

OK = 0
FAILURE = 1
USAGE = 2
INTERRUPTED = 130
PIPE_CLOSED = 141


class ErrorResponse(Struct, frozen=True):
    """How the interfaces report an error."""

    status: int
    exit_code: int


ERROR_RESPONSES: dict[str, ErrorResponse] = {
    "failure": ErrorResponse(500, FAILURE),
    "tampered": ErrorResponse(500, FAILURE),
    "invalid_argument": ErrorResponse(400, USAGE),
    "too_large": ErrorResponse(413, USAGE),
    "not_permitted": ErrorResponse(403, 3),
    "storage_unavailable": ErrorResponse(503, 4),
    "busy": ErrorResponse(429, 4),
    "unsupported_store": ErrorResponse(503, 4),
    "unknown_handle": ErrorResponse(404, 5),
    "ambiguous_execution": ErrorResponse(409, 5),
    "wrong_state": ErrorResponse(409, 5),
    "already_done": ErrorResponse(409, 5),
    "in_doubt_open": ErrorResponse(409, 5),
    "missing_undo": ErrorResponse(409, 5),
    "approval_pending": ErrorResponse(409, 5),
    "conflict": ErrorResponse(409, 5),
}


def response_for(error: TallystickError) -> ErrorResponse:
    """Status and exit code of an error, by its code."""
    return ERROR_RESPONSES[error.code]


# ----------------------------------------------------------------------------------------------------------------------
# Problem details of the web server.

MEDIA_TYPE = b"application/problem+json"
Headers = Iterable[tuple[bytes, bytes]]


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """Problem details; empty values are left out."""
    from http import HTTPStatus  # the stdio server uses this module too, and must start quickly

    present = {name: value for name, value in more.items() if value}
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code, **present}


async def send_problem(send: "Send", details: dict[str, Any], headers: Headers = ()) -> None:
    """Send problem details as the response, from a middleware."""
    body = msgspec.json.encode(details)
    all_headers = [
        (b"content-type", MEDIA_TYPE),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": details["status"], "headers": all_headers})
    await send({"type": "http.response.body", "body": body})
