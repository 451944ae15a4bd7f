"""What a request is answered: the operation's struct as JSON, or problem details (RFC 9457)."""

import logging
import traceback
from collections.abc import Callable, Mapping
from hashlib import blake2b
from http import HTTPStatus
from typing import Any

import msgspec
from msgspec import Struct
from starlette.responses import Response

from tallystick.core.errors import TallystickError
from tallystick.interfaces.problems import response_for

JSON = "application/json"
PROBLEM = "application/problem+json"
UNPROCESSABLE = 422
"""The status of arguments that fit the published schema and are not allowed all the same. What does not fit is 400."""
logger = logging.getLogger("tallystick.rest")


class RestResponse(Struct, frozen=True, kw_only=True):
    """An answer as plain values, so that it can be made in any thread."""

    status: int = 200
    body: bytes = b""
    media_type: str = JSON
    headers: Mapping[str, str] = {}

    def as_response(self) -> Response:
        headers = {"cache-control": "no-store", **self.headers}
        return Response(
            self.body,
            self.status,
            headers=headers,
            media_type=self.media_type if self.status not in (204, 304) else None,
        )


class Problem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Problem details: the same codes, hints and next calls as at every other door."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    hint: str = ""
    field: str = ""
    allowed: tuple[str, ...] = ()
    next_call: dict[str, Any] = {}


class HttpRefusal(Exception):
    """What HTTP itself says no to, with a status of its own."""

    def __init__(self, error: TallystickError, status: int, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.status = status
        self.headers = headers or {}

    def as_answer(self) -> RestResponse:
        return problem_of(self.error, self.status, self.headers)


def problem_of(error: TallystickError, status: int = 0, headers: Mapping[str, str] | None = None) -> RestResponse:
    """The problem details of an error; its status is the table's unless HTTP itself has a better one."""
    number = status or response_for(error).status
    said = error.as_dict()
    problem = Problem(
        type="about:blank",
        title=HTTPStatus(number).phrase,
        status=number,
        detail=error.message,
        code=error.code,
        hint=error.hint,
        field=error.field or "",
        allowed=tuple(map(str, error.allowed)),
        next_call=said.get("next", {}),
    )
    body = msgspec.json.encode(problem, enc_hook=str)
    return RestResponse(status=number, body=body, media_type=PROBLEM, headers=headers or {})


def read_of(result: Any, unless: str) -> RestResponse:
    """The answer of a read."""
    return tagged(msgspec.json.encode(result), unless)


def tagged(body: bytes, unless: str) -> RestResponse:
    """Bytes with a tag over them; nothing when the client has the same bytes already."""
    tag = f'W/"{blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if _is_known(tag, unless):
        return RestResponse(status=304, headers=headers)
    return RestResponse(body=body, headers=headers)


def record_of(result: Any) -> RestResponse:
    return RestResponse(body=msgspec.json.encode(result))


def safely(name: str, work: Callable[[], RestResponse]) -> RestResponse:
    """The answer of some work, whatever becomes of it."""
    try:
        return work()
    except TallystickError as error:
        return problem_of(error)
    except HttpRefusal as refusal:
        return refusal.as_answer()
    except Exception as error:
        return unforeseen(name, error)


def unforeseen(name: str, error: Exception) -> RestResponse:
    """What nobody foresaw is logged in full, and told in a sentence."""
    logger.error("%s failed: %s", name, "".join(traceback.format_exception(error)))
    said = TallystickError(
        f"{name} failed unexpectedly ({type(error).__name__}).", hint="GET /v1/entries tells whether it was recorded."
    )
    return problem_of(said)


def _is_known(tag: str, unless: str) -> bool:
    if unless.strip() == "*":
        return True
    plain = tag.removeprefix("W/")
    return any(each.strip().removeprefix("W/") == plain for each in unless.split(","))
