"""The newest entries that fit one question, read once for all streams that ask it.

A stream is no more than a place in a channel. Where it has fallen behind what the channel keeps, it reads the journal
for itself until it has caught up; so nothing is kept for anyone who is slow.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.entries import BodyErased
from tallystick.interfaces.rest.watchers import JournalWatch
from tallystick.operations.entries import EntryPage, EntryView
from tallystick.sdk.local import Local

# ----------------------------------------------------------------------------------------------------------------------
# Wakes many who wait, a few at a time, so that whoever asks for something meanwhile is served in between.

AT_ONCE = 8
"""Streams that are told before others have their turn: about a millisecond."""


class Bell:
    """Rung when there is news. Who waits then is woken; who waits again after that waits for the next."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[None], None] = {}
        self._rung = False
        self._ringing: asyncio.Task[None] | None = None

    async def heard(self) -> None:
        """Until it is rung."""
        future = asyncio.get_running_loop().create_future()
        self._waiting[future] = None
        try:
            await future
        finally:
            self._waiting.pop(future, None)

    def ring(self) -> None:
        self._rung = True
        if self._ringing is None:
            self._ringing = asyncio.get_running_loop().create_task(self._ring())

    def stop(self) -> None:
        if self._ringing is not None:
            self._ringing.cancel()
            self._ringing = None

    async def _ring(self) -> None:
        while self._rung:
            self._rung = False
            woken, self._waiting = list(self._waiting), {}
            for place in range(0, len(woken), AT_ONCE):
                for each in woken[place : place + AT_ONCE]:
                    if not each.done():
                        each.set_result(None)
                await asyncio.sleep(0)
        self._ringing = None


# ----------------------------------------------------------------------------------------------------------------------

PAGE = 100
"""How many entries are read at once."""
KEPT_FRAMES = 1000
KEPT_BYTES = 4 << 20
RETRY_SECONDS = 1.0
FOREVER = 3600.0

Reading = Callable[[Callable[[], "FrameBatch"]], Awaitable["FrameBatch"]]
"""Has some reading done in a thread."""


class Frame(Struct, frozen=True):
    """An entry as it is sent."""

    seq: int
    text: bytes


class FrameBatch(Struct, frozen=True):
    """Frames behind a place, and the place up to which there are no others. `erases` when texts were erased meanwhile:
    what was kept before may hold them."""

    frames: list[Frame]
    place: int
    more: bool
    erases: bool = False


def frame_of(entry: EntryView) -> Frame:
    data = msgspec.json.encode(entry)  # one line: what breaks one is escaped in JSON
    return Frame(entry.seq, b"id: %d\nevent: %s\ndata: %s\n\n" % (entry.seq, entry.kind.encode(), data))


def read_behind(local: Local, place: int, filters: dict[str, Any]) -> FrameBatch:
    """A page of the journal as frames."""
    asked = {**filters, "after": place, "limit": PAGE}
    page: EntryPage = operations.CATALOGUE["read_entries"](local.context, asked)
    return FrameBatch([frame_of(entry) for entry in page.entries], max(place, page.last_seq), page.more)


def read_news(local: Local, place: int, filters: dict[str, Any]) -> FrameBatch:
    """The same for who keeps it: an erasure counts, whether it fits the question or not."""
    told = read_behind(local, place, filters)
    behind = local.context.store.read(
        local.context.journal, lambda view: view.entries(after=place, limit=max(told.place - place, 1))
    )
    return replace(told, erases=any(entry.kind == BodyErased.KIND for entry in behind))


class Channel:
    """One question to one journal, while any stream asks it. Use it in a `with` block."""

    def __init__(self, local: Local, filters: dict[str, Any], watch: JournalWatch, read: Reading) -> None:
        self._local = local
        self._filters = filters
        self._watch = watch
        self._read = read
        self._frames: deque[Frame] = deque()
        self._under_way: dict[int, asyncio.Future[FrameBatch]] = {}
        self._bytes = 0
        self._bell = Bell()
        self._following: asyncio.Task[None] | None = None
        self.streams = 0
        self.floor = 0
        self.place = 0

    def __enter__(self) -> "Channel":
        self.streams += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.streams -= 1
        if not self.streams and self._following is not None:
            self._following.cancel()
            self._following = None
            self._bell.stop()

    def follow_from(self, place: int) -> None:
        """Begin to keep what lands behind a place, unless that was begun before."""
        if self._following is None:
            self.floor = self.place = place
            self._following = asyncio.get_running_loop().create_task(self._follow())

    async def behind(self, place: int) -> FrameBatch:
        """What is behind a place: from memory where it is kept, else from the journal."""
        if self._following is None or place < self.floor:
            return await self._together(place)
        frames = [frame for frame in self._frames if frame.seq > place] if place < self.place else []
        return FrameBatch(frames, max(place, self.place), False)

    async def _together(self, place: int) -> FrameBatch:
        """Read the journal; who comes for the same meanwhile, as all do whose server was away, waits for the same."""
        reading = self._under_way.get(place)
        if reading is None:
            reading = asyncio.ensure_future(self._read(lambda: read_behind(self._local, place, self._filters)))
            self._under_way[place] = reading
            reading.add_done_callback(lambda done: (self._under_way.pop(place), done.cancelled() or done.exception()))
        return await asyncio.shield(reading)

    async def news(self, place: int) -> None:
        """Until there is something behind a place to look at."""
        while self.place <= place:
            await self._bell.heard()

    async def _follow(self) -> None:
        with self._watch:
            while True:
                end = await self._watch.beyond(self.place, FOREVER)
                try:
                    told = await self._read(lambda: read_news(self._local, self.place, self._filters))
                except Exception:  # the store is away; nothing is passed over meanwhile
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                self._keep(told, told.place if told.more else max(told.place, end))

    def _keep(self, told: FrameBatch, place: int) -> None:
        if told.erases:
            self._frames.clear()
            self._bytes, self.floor = 0, self.place
        for frame in told.frames:
            self._frames.append(frame)
            self._bytes += len(frame.text)
        while len(self._frames) > KEPT_FRAMES or self._bytes > KEPT_BYTES:
            gone = self._frames.popleft()
            self._bytes -= len(gone.text)
            self.floor = gone.seq
        self.place = place
        self._bell.ring()
