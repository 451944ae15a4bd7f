"""The tool `http`: one request. Values of references are escaped where they become part of an address.

| what happened | category |
|---|---|
| no connection was made: refused, not resolved, not allowed | `not_done` |
| status 408, 425, 429; 503 with Retry-After | `transient` |
| any other status of 400 to 499 | `not_done` |
| any other status that is not 200 to 299 | `failed` |
| it was sent, and no answer came within its timeout | `timed_out` |
| it was sent, and the connection broke | `lost` |
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit

import httpx2
from msgspec import Struct, ValidationError, convert, json

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.cut_marks import CUT
from tallystick.core.tools import SECRET
from tallystick.core.types import ErrorCategory
from tallystick.guarded_http import guarded_transport, is_allowed
from tallystick.runner import expressions
from tallystick.runner.tools.tool import CallContext, RunnerTool, ToolAnswer

MAX_BODY_BYTES = 256 << 10
"""How much of an answer is kept."""
DEFAULT_TIMEOUT_SECONDS = 60.0
MAX_RETRY_AFTER_SECONDS = 3600.0
OWN_HEADERS = ("host", "content-length", "transfer-encoding")
"""Headers that say where a request goes and where it ends: others than ours could make it reach another site."""
TRANSIENT = (408, 425, 429)
NO_URL = "https://host.invalid/"
"""Stands for a URL that is not known yet, or that the schema of the arguments refuses."""
_HOST_IS_KNOWN = re.compile(r"[^/?#]*//[^/?#]*[/?#]")
HOW_TO_ALLOW = 'To allow it: allow = ["{host}"] under [http] in the policy'
KEY_HEADER = "Idempotency-Key"
"""The header that carries the key of the call, for services that take one."""
ARGUMENTS_SCHEMA = {
    "type": "object",
    "required": ["url"],
    "additionalProperties": False,
    "properties": {
        "url": {"type": "string"},
        "method": {"enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]},
        "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        "query": {"type": "object"},
        "json": {"description": "The body, as JSON"},
        "body": {"type": "string"},
    },
}
OUTPUT_SCHEMA = {
    "type": "object",
    "required": ["status", "headers"],
    "properties": {
        "status": {"type": "integer"},
        "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        "body": {"type": "string"},
        "json": {"description": "The body, if it is JSON"},
    },
}


class _Request(Struct, frozen=True, forbid_unknown_fields=True):
    url: str
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] = "GET"
    headers: dict[str, str] = {}
    query: dict[str, Any] = {}
    json: Any = None
    body: str = ""


def http_tool(*, allow: Collection[str] = (), only: Collection[str] | None = None, **options: Any) -> RunnerTool:
    """The tool `http`. `allow` names hosts (`name` or `name:port`) at addresses that are not public. With `only`, every
    other host is refused. `options` are fields of `RunnerTool`."""

    async def call(arguments: dict[str, Any], context: CallContext) -> ToolAnswer:
        try:
            request = convert(arguments, _Request)
        except ValidationError as error:
            return ToolAnswer(error=f"The arguments do not fit: {error}", category="not_done")
        problem = _problem_with(request.url, only) or _problem_with_headers(request.headers)
        if problem:
            return ToolAnswer(error=problem, category="not_done")
        transport = guarded_transport({*allow, *(only or ())}, only, how_to_allow=HOW_TO_ALLOW)
        return await _send(request, context, transport)

    def check(arguments: Mapping[str, Any], field: str) -> None:
        known = _known_url(arguments.get("url"))
        problem = "" if known == NO_URL else _problem_with(known, only)
        if known == NO_URL and only is not None:
            problem = "The host may not come from a reference here."
        if problem:
            hint = "Give the whole address, such as https://example.org/orders."
            if only is not None:
                hint = f"Allowed are: {', '.join(only) or 'none'}. They are in the policy: `only` under [http]."
            raise InvalidArgument(problem, hint=hint, field=f"{field}.url")
        headers = arguments.get("headers")
        problem = _problem_with_headers(headers) if isinstance(headers, Mapping) else ""
        if problem:
            raise InvalidArgument(problem, hint="Leave it out.", field=f"{field}.headers")

    return RunnerTool(
        name="http",
        call=call,
        source="built in",
        description="Send one HTTP request.",
        fill=_fill,
        check=check,
        input_schema=ARGUMENTS_SCHEMA,
        output_schema=OUTPUT_SCHEMA,
        **options,
    )


def _known_url(url: Any) -> str:
    """A URL as far as it is known before its references are filled in; a good one if its host is not known."""
    if not isinstance(url, str):
        return NO_URL
    first = next(expressions.references_in(url), None)
    if first is None:
        return expressions.unescape(url) if not url.startswith(SECRET) else NO_URL
    known = expressions.unescape(url[: first.start])
    return known if _HOST_IS_KNOWN.match(known) else NO_URL


def _problem_with(url: str, only: Collection[str] | None) -> str:
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        return f"The URL is not valid: {error}."
    if parts.scheme not in ("http", "https") or not host:
        return "The URL is not one of http or https."
    if parts.username is not None or parts.password is not None:
        return "The URL holds a user or a password. Give them in a header, as secret://NAME."
    if only is not None and not is_allowed(host, port, only):
        return f"{host} is not one of the hosts that are allowed here."
    return ""


def _problem_with_headers(headers: Mapping[str, Any]) -> str:
    found = [name for name in headers if name.strip().lower() in OWN_HEADERS]
    return f"The header {found[0]} follows from the rest of the request." if found else ""


async def _send(request: _Request, context: CallContext, transport: httpx2.AsyncHTTPTransport) -> ToolAnswer:
    timeout = context.timeout or DEFAULT_TIMEOUT_SECONDS
    headers = {KEY_HEADER: context.idempotency_key, **request.headers}
    try:
        async with httpx2.AsyncClient(
            transport=transport, follow_redirects=False, trust_env=False, timeout=timeout
        ) as client:
            sent = client.build_request(
                request.method,
                request.url,
                headers=headers,
                params=request.query or None,
                json=request.json,
                content=request.body or None,
            )
            response = await client.send(sent, stream=True)
            return _answer(response, *await _read(response))
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
        return ToolAnswer(error=f"No connection was made: {error}", category="not_done")
    except (httpx2.LocalProtocolError, UnicodeError, TypeError) as error:
        return ToolAnswer(error=f"The request cannot be written: {error}", category="not_done")
    except httpx2.TimeoutException:
        return ToolAnswer(error=f"No answer came within {timeout:g} s.", category="timed_out")
    except httpx2.HTTPError as error:
        return ToolAnswer(error=f"The connection broke: {type(error).__name__}: {error}", category="lost")


async def _read(response: httpx2.Response) -> tuple[bytes, bool]:
    """The beginning of an answer, and whether there is more."""
    kept = b""
    async for piece in response.aiter_bytes():
        kept += piece
        if len(kept) > MAX_BODY_BYTES:
            return kept[:MAX_BODY_BYTES], True
    return kept, False


def _answer(response: httpx2.Response, content: bytes, is_cut: bool) -> ToolAnswer:
    text = content.decode(response.encoding or "utf-8", errors="replace").replace("\0", "\\0")
    text = f"{text} {CUT}" if is_cut else text
    result: dict[str, Any] = {"status": response.status_code, "headers": dict(response.headers), "body": text}
    if "json" in response.headers.get("content-type", "") and not is_cut:
        with suppress(Exception):
            result["json"] = json.decode(content)
            del result["body"]
    status = response.status_code
    if 200 <= status < 300:
        return ToolAnswer(result=result)
    wait = _retry_after(response.headers.get("retry-after", ""))
    category: ErrorCategory = "not_done" if 400 <= status < 500 else "failed"
    if status in TRANSIENT or (status == 503 and wait):
        category = "transient"
    where = f" It points to {response.headers['location']}." if "location" in response.headers else ""
    return ToolAnswer(error=f"Status {status}.{where}", category=category, retry_after=wait, result=result)


def _retry_after(text: str) -> float:
    """The seconds that a Retry-After header asks for; 0 if it asks for none."""
    if text.isdigit():
        return min(float(text), MAX_RETRY_AFTER_SECONDS)
    with suppress(TypeError, ValueError):
        return max(0.0, min(parsedate_to_datetime(text).timestamp() - time(), MAX_RETRY_AFTER_SECONDS))
    return 0.0


def _fill(arguments: Mapping[str, Any], variables: Mapping[str, Any], field: str) -> dict[str, Any]:
    """The arguments with their references filled in. A value inside a URL is escaped: it cannot change its path."""
    url = arguments.get("url")
    if not isinstance(url, str) or "${" not in url:
        return dict(expressions.fill(arguments, variables, field))
    pieces, at = [], 0
    references = list(expressions.references_in(url))
    for each in references:
        value = expressions.as_text(expressions.evaluate(each.expression, variables, f"{field}.url"))
        is_base = each.start == 0  # the address itself comes from a value, and is checked like any other
        pieces += [expressions.unescape(url[at : each.start]), value if is_base else quote(value, safe="")]
        at = each.end
    pieces.append(expressions.unescape(url[at:]))
    whole = "".join(pieces)
    _check_path("".join(pieces[2:]) if references[0].start == 0 else whole, f"{field}.url")
    expressions.require_planned_secret(whole, references, f"{field}.url")
    rest = {name: value for name, value in arguments.items() if name != "url"}
    return {"url": whole, **expressions.fill(rest, variables, field)}


def _check_path(url: str, field: str) -> None:
    """Raise InvalidArgument for `..` as a part of a path that values are filled into: it would lead out of it."""
    path = re.split(r"[?#]", url, maxsplit=1)[0]
    if any(unquote(part) in (".", "..") for part in path.split("/")):
        raise InvalidArgument(
            f"{field} has . or .. as a part of its path.", hint="Refer to a value that names one part.", field=field
        )
