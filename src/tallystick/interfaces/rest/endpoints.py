"""The endpoints at each path: one for operations, and those for journals, OpenAPI and unknown paths."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from tallystick.core.errors import InvalidArgument, TallystickError, TooLarge, UnknownHandle
from tallystick.interfaces.rest import requests
from tallystick.interfaces.rest.dispatch import Dispatcher
from tallystick.interfaces.rest.openapi import document
from tallystick.interfaces.rest.requests import RequestInfo, check_scope, request_info
from tallystick.interfaces.rest.responses import (
    JSON,
    HttpError,
    RestResponse,
    etag_response,
    problem_response,
    read_response,
    unexpected_error,
)
from tallystick.interfaces.rest.routing import OperationRoute

MAX_BODY_BYTES = 8 << 20
"""The largest body: a batch of many records. The journal limits the size of each record."""


class Endpoint(ABC):
    """An ASGI application at one path that handles every method, and answers errors as problem details."""

    methods: tuple[str, ...] = ("GET", "HEAD", "OPTIONS")
    label = ""
    """The route's label in metrics."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self.dispatcher = dispatcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        begun = perf_counter()
        try:
            response = await self._answer(request)
        except TallystickError as error:
            response = problem_response(error)
        except HttpError as error:
            response = error.as_response()
        except ClientDisconnect:
            return
        except Exception as error:
            response = unexpected_error(self.name(request.method), error)
        name = self.name(request.method)
        request.state.route, request.state.entry = name, response.seq  # for the log of the server
        self.dispatcher.requests.add(route=name, status=str(response.status))
        self.dispatcher.request_seconds.observe(perf_counter() - begun, route=name)
        await response.as_starlette()(scope, receive, send)

    def name(self, method: str) -> str:
        """The route's label in metrics: one of few values, unlike the path."""
        return self.label

    async def _answer(self, request: Request) -> RestResponse:
        if request.method == "OPTIONS":
            return RestResponse(status=204, headers={"allow": ", ".join(self.methods)})
        if request.method not in self.methods:
            error = InvalidArgument(
                f"{request.method} is not allowed here.", hint=f"Use one of: {', '.join(self.methods)}.", field="method"
            )
            raise HttpError(error, 405, {"allow": ", ".join(self.methods)})
        return await self.answer(request)

    @abstractmethod
    async def answer(self, request: Request) -> RestResponse:
        """The response to a method that is allowed."""


class Resource(Endpoint):
    """The operations at one path, by method."""

    def __init__(self, dispatcher: Dispatcher, routes: Mapping[str, OperationRoute]) -> None:
        super().__init__(dispatcher)
        self._routes = dict(routes)
        if "GET" in self._routes:
            self._routes["HEAD"] = self._routes["GET"]
        self.methods = (*sorted(self._routes), "OPTIONS")

    def name(self, method: str) -> str:
        return self._routes[method].operation.name if method in self._routes else "other"

    async def answer(self, request: Request) -> RestResponse:
        route = self._routes[request.method]
        info = request_info(request)
        check_scope(request, route.operation)
        in_path = requests.from_path(route, request.path_params)
        if route.method == "GET":
            if_none_match = request.headers.get("if-none-match", "")
            query = requests.from_query(route, request.query_params.multi_items())
            arguments = await self._wait_for_entries(info, route.operation.validate({**in_path, **query}))
            return await self.dispatcher.answer_read(route.operation, info, arguments, if_none_match)
        body = await read_body(request)

        def read_arguments() -> Struct:
            arguments = _from_body(route, in_path, body, info.key)
            check_scope(request, route.operation, asdict(arguments))
            return arguments

        return await self.dispatcher.answer_record(route, info, read_arguments)

    async def _wait_for_entries(self, info: RequestInfo, arguments: Any) -> Any:
        """A long poll waits here, where it holds no thread; returns the arguments without the wait."""
        seconds = getattr(arguments, "wait_seconds", 0)
        if not seconds or arguments.newest_first:
            return arguments
        await self.dispatcher.watches.wait_beyond(info.journal, arguments.after, seconds)
        return replace(arguments, wait_seconds=0)


class Journals(Endpoint):
    """The names of the journals that the request may read; the server has put the function into its state."""

    label = "journals"

    async def answer(self, request: Request) -> RestResponse:
        names = await self.dispatcher.read(request.state.journals)
        return read_response({"journals": names}, request.headers.get("if-none-match", ""))


class OpenApiDocument(Endpoint):
    """The OpenAPI document."""

    label = "description"

    async def answer(self, request: Request) -> RestResponse:
        return etag_response(await self.dispatcher.read(document), request.headers.get("if-none-match", ""))


class NotFound(Endpoint):
    """Any other path below /v1."""

    label = "nowhere"
    methods = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")

    async def answer(self, request: Request) -> RestResponse:
        return problem_response(
            UnknownHandle("There is nothing at this path.", hint="GET /openapi.json lists all paths.")
        )


async def read_body(request: Request) -> bytes:
    """The JSON body. Reading stops at MAX_BODY_BYTES with TooLarge."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise TooLarge(f"A body has at most {MAX_BODY_BYTES:,} bytes.", hint="Send it in parts.", field="body")
    body = b"".join(parts)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON and (body or kind):
        error = InvalidArgument(f"Content-Type is {kind or 'missing'}.", hint=f"Send {JSON}.", field="content-type")
        raise HttpError(error, 415, {"accept-post": JSON})
    return body


def _from_body(route: OperationRoute, in_path: dict[str, Any], body: bytes, key: str) -> Struct:
    arguments = {**in_path, **requests.from_body(route, body)}
    return route.operation.validate(requests.with_key(route, arguments, key))
