"""`GET /events`: the journal as server-sent events, resumable by sequence number.

A stream begins after `Last-Event-ID`, else after `after`, else at the end of the journal. It sends `caught_up` when all
existing entries were sent, and then continues without end. A client that reconnects with the id of the last event it
received misses nothing and gets nothing twice. If that id is beyond the newest entry, for example after a restore, the
stream first sends `shorter` and continues from the end of the journal.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.interfaces.rest import requests
from tallystick.interfaces.rest.channels import Channel, Frame, read_frames
from tallystick.interfaces.rest.dispatch import Dispatcher
from tallystick.interfaces.rest.endpoints import Endpoint
from tallystick.interfaces.rest.requests import RequestInfo, check_scope, request_info
from tallystick.interfaces.rest.responses import HttpError, RestResponse, problem_response
from tallystick.interfaces.rest.routing import OperationRoute, route_of
from tallystick.operations import CATALOGUE

HEARTBEAT_SECONDS = 15.0
BYTES_PER_SEND = 64 << 10
"""About how many bytes are sent at once to a client that catches up."""
STALL_SECONDS = 30.0
"""A client that stops reading for this long is disconnected; it may reconnect."""
RETRY = b"retry: 1000\n\n"
_NOT_FILTERS = ("limit", "newest_first", "wait_seconds")
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Events(Endpoint):
    """All streams of a store; streams with the same journal, tasks and filters share a channel."""

    label = "events"

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._route = route_of(CATALOGUE["read_entries"])
        self._channels: dict[tuple[Any, ...], Channel] = {}

    @property
    def open(self) -> int:
        """The number of open streams."""
        return sum(channel.streams for channel in self._channels.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if request.method != "GET":
            await super().__call__(scope, receive, send)
            return
        try:
            info = request_info(request)
            check_scope(request, self._route.operation)
            after, filters = _read_query(self._route, request)
            local = self.dispatcher.local(info)
            end = await self.dispatcher.read(lambda: _journal_end(local, filters))
        except (TallystickError, HttpError) as error:
            response = error.as_response() if isinstance(error, HttpError) else problem_response(error)
            self.dispatcher.requests.add(route=self.name("GET"), status=str(response.status))
            await response.as_starlette()(scope, receive, send)
            return
        self.dispatcher.requests.add(route=self.name("GET"), status="200")
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        is_ahead = after is not None and after > end
        key = (info.journal, info.access.tasks, tuple(sorted(filters.items())))
        with self._channel(key, info, filters) as channel:
            try:
                start = end if after is None or is_ahead else after
                await EventStream(channel, start, receive, send, is_ahead=is_ahead).run(self.dispatcher.ending)
            finally:
                if channel.streams == 1:
                    self._channels.pop(key, None)

    async def answer(self, request: Request) -> RestResponse:
        """The response to HEAD."""
        return RestResponse(media_type="text/event-stream")

    def _channel(self, key: tuple[Any, ...], info: RequestInfo, filters: dict[str, Any]) -> Channel:
        if key not in self._channels:
            watch = self.dispatcher.watches.on(info.journal)
            self._channels[key] = Channel(self.dispatcher.local(info), filters, watch, self.dispatcher.read)
        return self._channels[key]


class EventStream:
    """The stream of one client. `is_ahead`: the client's last id is beyond the journal, so `shorter` is sent first."""

    def __init__(self, channel: Channel, position: int, receive: Receive, send: Send, *, is_ahead: bool) -> None:
        self._channel = channel
        self._position = position
        self._is_ahead = is_ahead
        self._receive = receive
        self._send = send

    async def run(self, ending: asyncio.Event) -> None:
        """Send until the client is gone or stops reading, or the server stops."""
        sending, gone, ended = [
            asyncio.ensure_future(work)
            for work in (self._send_all(), _wait_for_disconnect(self._receive), ending.wait())
        ]
        try:
            await asyncio.wait({sending, gone, ended}, return_when=asyncio.FIRST_COMPLETED)
            is_reading = not gone.done() and not _has_stalled(sending)
        finally:
            for task in (sending, gone, ended):
                task.cancel()
            await asyncio.gather(sending, gone, ended, return_exceptions=True)
        if is_reading:  # the server stops, or its store is away: the client should reconnect
            await self._send({"type": "http.response.body", "body": b""})

    async def _send_all(self) -> None:
        await self._send_text(RETRY)
        if self._is_ahead:
            await self._send_text(self._position_event(b"shorter"))
        caught_up = False
        while True:
            batch = await self._channel.frames_after(self._position)
            for text in _join_frames(batch.frames):
                await self._send_text(text)
            self._position = batch.position
            if batch.more:
                continue
            self._channel.follow_from(self._position)
            if not caught_up:
                caught_up = True
                await self._send_text(self._position_event(b"caught_up"))
            await self._wait_for_entries()

    async def _wait_for_entries(self) -> None:
        """Wait for something to send; each HEARTBEAT_SECONDS a comment is sent with the current position."""
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._channel.wait_beyond(self._position)
                return
            except TimeoutError:
                await self._send_text(b": still here\nid: %d\n\n" % self._position)

    def _position_event(self, event: bytes) -> bytes:
        return b'id: %d\nevent: %s\ndata: {"last_seq":%d}\n\n' % (self._position, event, self._position)

    async def _send_text(self, text: bytes) -> None:
        async with asyncio.timeout(STALL_SECONDS):
            await self._send({"type": "http.response.body", "body": text, "more_body": True})


def _join_frames(frames: Sequence[Frame]) -> Iterator[bytes]:
    """Frames joined into pieces of about BYTES_PER_SEND: a send costs about as much as the entries in it."""
    joined: list[bytes] = []
    size = 0
    for frame in frames:
        joined.append(frame.text)
        size += len(frame.text)
        if size >= BYTES_PER_SEND:
            yield b"".join(joined)
            joined, size = [], 0
    if joined:
        yield b"".join(joined)


def _has_stalled(sending: "asyncio.Future[Any]") -> bool:
    return sending.done() and isinstance(sending.exception(), TimeoutError)


async def _wait_for_disconnect(receive: Receive) -> None:
    message: Message = await receive()
    while message["type"] != "http.disconnect":
        message = await receive()


def _read_query(route: OperationRoute, request: Request) -> tuple[int | None, dict[str, Any]]:
    """The sequence number after which the stream begins, if one is given; and the filters of read_entries."""
    filters: dict[str, Any] = requests.from_query(route, request.query_params.multi_items())
    for name in _NOT_FILTERS:
        if name in filters:
            raise InvalidArgument(f"A stream has no {name}.", hint="Leave it out.", field=name)
    route.operation.validate(filters)
    last = _last_event_id(request.headers)
    after = filters.pop("after", None)
    return (last if last is not None else after), filters


def _last_event_id(headers: Mapping[str, str]) -> int | None:
    text = headers.get("last-event-id", "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 13):
        raise InvalidArgument(
            "Last-Event-ID is not a sequence number.", hint="Give the id of the last event.", field="last-event-id"
        )
    return int(text)


def _journal_end(local: Any, filters: dict[str, Any]) -> int:
    """The end of the journal. One read with the filters raises what is wrong with them before the stream begins."""
    end: int = local.context.store.wait(local.context.journal, after=0, seconds=0)
    read_frames(local, end, filters)
    return end
