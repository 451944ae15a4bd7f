"""One path: what each method does there, and what is answered to the others."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from tallystick.core.errors import InvalidArgument, TallystickError, TooLarge, UnknownHandle
from tallystick.interfaces.rest import requests
from tallystick.interfaces.rest.dispatch import Dispatcher
from tallystick.interfaces.rest.openapi import document
from tallystick.interfaces.rest.requests import RequestInfo, asking_of, check_scope
from tallystick.interfaces.rest.responses import (
    JSON,
    HttpRefusal,
    RestResponse,
    problem_of,
    read_of,
    tagged,
    unforeseen,
)
from tallystick.interfaces.rest.routing import OperationRoute

MOST_BYTES = 8 << 20
"""The largest body: a batch of many records. How large one record may be is for the journal to say."""


class Endpoint(ABC):
    """An ASGI application at one path that answers every method, and always in the same form."""

    methods: tuple[str, ...] = ("GET", "HEAD", "OPTIONS")

    def __init__(self, dispatcher: Dispatcher) -> None:
        self.dispatcher = dispatcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        begun = perf_counter()
        try:
            answer = await self._answer(request)
        except TallystickError as error:
            answer = problem_of(error)
        except HttpRefusal as refusal:
            answer = refusal.as_answer()
        except ClientDisconnect:
            return
        except Exception as error:
            answer = unforeseen(f"{request.method} {request.url.path}", error)
        name = self.name(request.method)
        self.dispatcher.requests.add(route=name, status=str(answer.status))
        self.dispatcher.request_seconds.see(perf_counter() - begun, route=name)
        await answer.as_response()(scope, receive, send)

    def name(self, method: str) -> str:
        """What is asked for, in one of a few words: a path may hold anything."""
        return type(self).__name__.lower()

    async def _answer(self, request: Request) -> RestResponse:
        if request.method == "OPTIONS":
            return RestResponse(status=204, headers={"allow": ", ".join(self.methods)})
        if request.method not in self.methods:
            wrong = InvalidArgument(
                f"{request.method} is not allowed here.", hint=f"Use one of: {', '.join(self.methods)}.", field="method"
            )
            raise HttpRefusal(wrong, 405, {"allow": ", ".join(self.methods)})
        return await self.answer(request)

    @abstractmethod
    async def answer(self, request: Request) -> RestResponse:
        """The answer to a method that is allowed."""


class Resource(Endpoint):
    """The operations at one path, by method."""

    def __init__(self, dispatcher: Dispatcher, places: Mapping[str, OperationRoute]) -> None:
        super().__init__(dispatcher)
        self._places = dict(places)
        if "GET" in self._places:
            self._places["HEAD"] = self._places["GET"]
        self.methods = (*sorted(self._places), "OPTIONS")

    def name(self, method: str) -> str:
        return self._places[method].operation.name if method in self._places else "other"

    async def answer(self, request: Request) -> RestResponse:
        place = self._places[request.method]
        asking = asking_of(request)
        check_scope(request, place.operation)
        in_path = requests.from_path(place, request.path_params)
        unless = request.headers.get("if-none-match", "")
        if place.method == "GET":
            given = {**in_path, **requests.from_query(place, request.query_params.multi_items())}
            place.operation.read_arguments(given)
            given = await self._after_news(asking, given)
            return await self.dispatcher.carry_out(place, asking, lambda: given, unless)
        body = await body_of(request)
        arguments = partial(_from_body, place, in_path, body, asking.key)
        return await self.dispatcher.carry_out(place, asking, arguments, unless)

    async def _after_news(self, asking: RequestInfo, given: dict[str, Any]) -> dict[str, Any]:
        """A long poll: waited for here, where it holds no thread."""
        seconds = given.get("wait_seconds", 0)
        if not seconds or given.get("newest_first"):
            return given
        await self.dispatcher.watches.beyond(asking.journal, given.get("after", 0), seconds)
        return {**given, "wait_seconds": 0}


class Journals(Endpoint):
    """The journals that the access may see: whoever let it in knows them."""

    async def answer(self, request: Request) -> RestResponse:
        names = await self.dispatcher.read(request.state.journals)
        return read_of({"journals": names}, request.headers.get("if-none-match", ""))


class Description(Endpoint):
    """The OpenAPI document."""

    async def answer(self, request: Request) -> RestResponse:
        return tagged(await self.dispatcher.read(document), request.headers.get("if-none-match", ""))


class Nowhere(Endpoint):
    """Any other path below ours."""

    methods = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")

    async def answer(self, request: Request) -> RestResponse:
        return problem_of(
            UnknownHandle("There is nothing at this path.", hint="GET /openapi.json lists what there is.")
        )


async def body_of(request: Request) -> bytes:
    """The body, if it is JSON and no larger than it may be; what is larger is not read to its end."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise TooLarge(f"A body has at most {MOST_BYTES:,} bytes.", hint="Send it in parts.", field="body")
    body = b"".join(parts)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON and (body or kind):
        wrong = InvalidArgument(f"Content-Type is {kind or 'missing'}.", hint=f"Send {JSON}.", field="content-type")
        raise HttpRefusal(wrong, 415, {"accept-post": JSON})
    return body


def _from_body(place: OperationRoute, in_path: dict[str, Any], body: bytes, key: str) -> dict[str, Any]:
    return requests.with_key(place, {**in_path, **requests.from_body(place, body)}, key)
