"""`GET /events`: the journal as server-sent events, resumable by sequence number.

A stream tells what is behind `Last-Event-ID`, or behind `after`, or else from now on; says `caught_up` when it has told
what was there; and goes on without end. What it sends last is what it is sure of, so who comes again with the last id
misses nothing and gets nothing twice. Who comes with an id that is not there yet, as when the journal was restored from
a copy, is told `shorter`, and goes on from its end.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.interfaces.rest import requests
from tallystick.interfaces.rest.channels import Channel, Frame, read_behind
from tallystick.interfaces.rest.dispatch import Dispatcher
from tallystick.interfaces.rest.endpoints import Endpoint
from tallystick.interfaces.rest.requests import RequestInfo, asking_of, check_scope
from tallystick.interfaces.rest.responses import HttpRefusal, RestResponse, problem_of
from tallystick.interfaces.rest.routing import OperationRoute, place_of
from tallystick.operations import CATALOGUE

HEARTBEAT_SECONDS = 15.0
PIECE = 64 << 10
"""About how many bytes are sent at once to who has to catch up."""
STALL_SECONDS = 30.0
"""How long a client may leave unread what was sent to it; then it is cut off, and may come again."""
RETRY = b"retry: 1000\n\n"
_NOT_A_FILTER = ("limit", "newest_first", "wait_seconds")
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Events(Endpoint):
    """All streams of a store; those that ask the same share what was read."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._place = place_of(CATALOGUE["read_entries"])
        self._channels: dict[tuple[Any, ...], Channel] = {}

    @property
    def open(self) -> int:
        """How many streams there are."""
        return sum(channel.streams for channel in self._channels.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if request.method != "GET":
            await super().__call__(scope, receive, send)
            return
        try:
            asking = asking_of(request)
            check_scope(request, self._place.operation)
            after, filters = _asked(self._place, request)
            local = self.dispatcher.local(asking)
            end = await self.dispatcher.read(lambda: _end(local, filters))
        except (TallystickError, HttpRefusal) as error:
            answer = error.as_answer() if isinstance(error, HttpRefusal) else problem_of(error)
            self.dispatcher.requests.add(route=self.name("GET"), status=str(answer.status))
            await answer.as_response()(scope, receive, send)
            return
        self.dispatcher.requests.add(route=self.name("GET"), status="200")
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        is_ahead = after is not None and after > end
        key = (asking.journal, asking.access.tasks, tuple(sorted(filters.items())))
        with self._channel(key, asking, filters) as channel:
            try:
                begin = end if after is None or is_ahead else after
                await EventStream(channel, begin, receive, send, is_ahead=is_ahead).run(self.dispatcher.ending)
            finally:
                if channel.streams == 1:
                    self._channels.pop(key, None)

    async def answer(self, request: Request) -> RestResponse:
        """To who asks for the headers alone."""
        return RestResponse(media_type="text/event-stream")

    def _channel(self, key: tuple[Any, ...], asking: RequestInfo, filters: dict[str, Any]) -> Channel:
        if key not in self._channels:
            watch = self.dispatcher.watches.on(asking.journal)
            self._channels[key] = Channel(self.dispatcher.local(asking), filters, watch, self.dispatcher.read)
        return self._channels[key]


class EventStream:
    """One client. One that was ahead of the journal knew another: that is told first."""

    def __init__(self, channel: Channel, place: int, receive: Receive, send: Send, *, is_ahead: bool = False) -> None:
        self._channel = channel
        self._place = place
        self._is_ahead = is_ahead
        self._receive = receive
        self._send = send

    async def run(self, ending: asyncio.Event) -> None:
        """Tell, until the client is gone, or has left too much unread, or the server stops."""
        telling, gone, ended = [
            asyncio.ensure_future(work) for work in (self._tell(), _gone(self._receive), ending.wait())
        ]
        try:
            await asyncio.wait({telling, gone, ended}, return_when=asyncio.FIRST_COMPLETED)
            is_reading = not gone.done() and not _has_stalled(telling)
        finally:
            for task in (telling, gone, ended):
                task.cancel()
            await asyncio.gather(telling, gone, ended, return_exceptions=True)
        if is_reading:  # the server stops, or its store is away: the client is to come again
            await self._send({"type": "http.response.body", "body": b""})

    async def _tell(self) -> None:
        await self._put(RETRY)
        if self._is_ahead:
            await self._put(self._standing(b"shorter"))
        caught_up = False
        while True:
            told = await self._channel.behind(self._place)
            for part in _parts(told.frames):
                await self._put(part)
            self._place = told.place
            if told.more:
                continue
            self._channel.follow_from(self._place)
            if not caught_up:
                caught_up = True
                await self._put(self._standing(b"caught_up"))
            await self._news()

    async def _news(self) -> None:
        """Until there is something to tell; meanwhile a comment now and then, with the place that was reached."""
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._channel.news(self._place)
                return
            except TimeoutError:
                await self._put(b": still here\nid: %d\n\n" % self._place)

    def _standing(self, event: bytes) -> bytes:
        return b'id: %d\nevent: %s\ndata: {"last_seq":%d}\n\n' % (self._place, event, self._place)

    async def _put(self, text: bytes) -> None:
        async with asyncio.timeout(STALL_SECONDS):
            await self._send({"type": "http.response.body", "body": text, "more_body": True})


def _parts(frames: Sequence[Frame]) -> Iterator[bytes]:
    """Frames put together, as many as go well in one piece: each piece costs as much as the entries in it."""
    held: list[bytes] = []
    size = 0
    for frame in frames:
        held.append(frame.text)
        size += len(frame.text)
        if size >= PIECE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _has_stalled(telling: "asyncio.Future[Any]") -> bool:
    return telling.done() and isinstance(telling.exception(), TimeoutError)


async def _gone(receive: Receive) -> None:
    message: Message = await receive()
    while message["type"] != "http.disconnect":
        message = await receive()


def _asked(place: OperationRoute, request: Request) -> tuple[int | None, dict[str, Any]]:
    """Behind which entry, if it is said; and the filters of read_entries."""
    given: dict[str, Any] = requests.from_query(place, request.query_params.multi_items())
    for name in _NOT_A_FILTER:
        if name in given:
            raise InvalidArgument(f"A stream has no {name}.", hint="Leave it out.", field=name)
    place.operation.read_arguments(given)
    last = _last_id(request.headers)
    after = given.pop("after", None)
    return (last if last is not None else after), given


def _last_id(headers: Mapping[str, str]) -> int | None:
    said = headers.get("last-event-id", "").strip()
    if not said:
        return None
    if not (said.isascii() and said.isdigit() and len(said) <= 13):
        raise InvalidArgument(
            "Last-Event-ID is not a sequence number.", hint="Give the id of the last event.", field="last-event-id"
        )
    return int(said)


def _end(local: Any, filters: dict[str, Any]) -> int:
    """Where the journal ends; the filters are tried, so that what is wrong with them is said before it begins."""
    end: int = local.context.store.wait(local.context.journal, after=0, seconds=0)
    read_behind(local, end, filters)
    return end
