"""Responses: the operation's result as JSON, or problem details (RFC 9457)."""

import logging
import re
from collections.abc import Callable, Mapping
from hashlib import blake2b
from http import HTTPStatus
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct
from starlette.responses import Response

from tallystick.core.entries import seq_of
from tallystick.core.errors import TallystickError
from tallystick.interfaces.problems import response_for
from tallystick.interfaces.rest.routing import OperationRoute, route_of
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation import Document
from tallystick.operations.runtime.receipts import Receipt
from tallystick.operations.views.entries import MAX_ENTRIES

JSON = "application/json"
PROBLEM = "application/problem+json"
UNPROCESSABLE = 422
"""The status of arguments that match the published schema but are not allowed. Arguments that do not match get 400."""
DOCUMENT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A document shows recorded text, which is untrusted: it runs no script, loads nothing, and has no origin."""
_WEIGHT = re.compile(r"[01](\.[0-9]{0,3})?")
logger = logging.getLogger("tallystick.rest")


class RestResponse(Struct, frozen=True, kw_only=True):
    """A response as plain values, so that it can be created in any thread."""

    status: int = 200
    body: bytes = b""
    media_type: str = JSON
    headers: Mapping[str, str] = {}
    seq: int = 0
    """The entry that was recorded."""

    def as_starlette(self) -> Response:
        headers = {"cache-control": "no-store", **self.headers}
        return Response(
            self.body,
            self.status,
            headers=headers,
            media_type=self.media_type if self.status not in (204, 304) else None,
        )


class Problem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Problem details, with the same codes, hints and next calls as in every interface."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    hint: str = ""
    field: str = ""
    allowed: tuple[str, ...] = ()
    next_call: dict[str, Any] = {}


class HttpError(Exception):
    """An error with an HTTP status of its own."""

    def __init__(self, error: TallystickError, status: int, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.status = status
        self.headers = headers or {}

    def as_response(self) -> RestResponse:
        return problem_response(self.error, self.status, self.headers)


def problem_response(error: TallystickError, status: int = 0, headers: Mapping[str, str] | None = None) -> RestResponse:
    """The problem details of an error. Its status is that of its code, unless one is given."""
    number = status or response_for(error).status
    problem = Problem(
        type="about:blank",
        title=HTTPStatus(number).phrase,
        status=number,
        detail=error.message,
        code=error.code,
        hint=error.hint,
        field=error.field or "",
        allowed=tuple(map(str, error.allowed)),
        next_call=error.as_dict().get("next", {}),
    )
    body = msgspec.json.encode(problem, enc_hook=str)
    return RestResponse(status=number, body=body, media_type=PROBLEM, headers=headers or {})


def read_response(result: Any, if_none_match: str, accept: str = "") -> RestResponse:
    """The result as JSON; a document in its own media type, unless the client prefers JSON."""
    if not isinstance(result, Document):
        return etag_response(msgspec.json.encode(result), if_none_match)
    if _prefers_json(accept, result.media_type):
        return etag_response(msgspec.json.encode(result), if_none_match, headers={"vary": "accept"})
    headers = {
        "vary": "accept",
        "content-disposition": f'inline; filename="{result.name}"',
        "content-security-policy": DOCUMENT_POLICY,
    }
    return etag_response(result.text.encode(), if_none_match, result.media_type, headers)


def etag_response(
    body: bytes, if_none_match: str, media_type: str = JSON, headers: Mapping[str, str] = MappingProxyType({})
) -> RestResponse:
    """A response with an ETag; 304 if the client has the same bytes already."""
    tag = f'W/"{blake2b(body, digest_size=12).hexdigest()}"'
    if matches(tag, if_none_match):
        return not_modified(tag, headers)
    return RestResponse(body=body, media_type=media_type, headers={**_revalidated(tag), **headers})


def not_modified(tag: str, headers: Mapping[str, str] = MappingProxyType({})) -> RestResponse:
    """The response to a client that has these bytes."""
    return RestResponse(status=304, headers={**_revalidated(tag), **headers})


def _revalidated(tag: str) -> dict[str, str]:
    return {"etag": tag, "cache-control": "private, no-cache"}


def _prefers_json(accept: str, media_type: str) -> bool:
    """Whether an Accept header names JSON, and does not name the media type, or JSON with more weight.

    A range such as `*/*` does not count: clients send it along with what they want.
    """
    weights: dict[str, float] = {}
    for part in accept.lower().split(","):
        name, *parameters = (each.strip() for each in part.split(";"))
        text = next((each.removeprefix("q=") for each in parameters if each.startswith("q=")), "1")
        weights[name] = float(text) if _WEIGHT.fullmatch(text) else 1.0
    own = media_type.partition(";")[0]
    return weights.get(JSON, 0.0) > weights.get(own, 0.0)


def record_response(route: OperationRoute, receipt: Receipt, journal: str, phase: str = "") -> RestResponse:
    """201 if the record has created something, else 200. `journal` is the one that the query of the request names,
    `phase` that of the record of an action."""
    address = _address(route, receipt, phase)
    if address and journal:
        address += f"{'&' if '?' in address else '?'}journal={quote(journal, safe='')}"
    return RestResponse(
        status=201 if address and not receipt.repeated else 200,
        body=msgspec.json.encode(receipt),
        headers={"location": address} if address else {},
        seq=receipt.seq,
    )


def _address(route: OperationRoute, receipt: Receipt, phase: str) -> str:
    """The address of what a record has created: its own, else that of its entries. Empty for a change of something
    that exists."""
    if route.in_path:
        return ""
    if route.item and phase != "note":
        # An id holds the number of the entry that has created it; `done` records the begin before its own entry.
        return route.item + receipt.id if phase == "done" or seq_of(receipt.id) == receipt.seq else ""
    first, *_ = getattr(receipt, "receipts", (receipt,))
    count = min(receipt.seq - first.seq + 1, MAX_ENTRIES)
    return f"{route_of(CATALOGUE['read_entries']).path}?after={first.seq - 1}&limit={count}"


def catch_errors(name: str, work: Callable[[], RestResponse]) -> RestResponse:
    """The response of `work`, or a problem if it raises."""
    try:
        return work()
    except TallystickError as error:
        return problem_response(error)
    except HttpError as error:
        return error.as_response()
    except Exception as error:
        return unexpected_error(name, error)


def unexpected_error(name: str, error: Exception) -> RestResponse:
    """A short problem; the traceback is logged."""
    logger.error("%s failed", name, exc_info=error)
    return problem_response(
        TallystickError(
            f"{name} failed unexpectedly ({type(error).__name__}).",
            hint="Check with GET /v1/entries whether it was recorded.",
        )
    )


def matches(tag: str, if_none_match: str) -> bool:
    """Whether a client that sends this `If-None-Match` has what the tag stands for."""
    if if_none_match.strip() == "*":
        return True
    plain = tag.removeprefix("W/")
    return any(each.strip().removeprefix("W/") == plain for each in if_none_match.split(","))
