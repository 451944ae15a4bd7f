"""Channels: the newest entries that match one set of filters, read once for all event streams with these filters.

A stream is only a position in a channel. A stream that is further behind than the channel's buffer reads the journal
itself until it has caught up. So nothing is buffered for a slow client.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from itertools import takewhile
from types import TracebackType
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.entries import BodyErased
from tallystick.interfaces.rest.watchers import JournalWatch
from tallystick.operations.views.entries import EntryPage, EntryView
from tallystick.sdk.local import Local

# ----------------------------------------------------------------------------------------------------------------------
# Waking many waiting streams, a few at a time, so that other requests are served in between.

STREAMS_PER_WAKEUP = 8
"""Streams that are woken before other tasks run: about a millisecond."""


class Broadcast:
    """Wakes all tasks that wait at the time of `notify`. A task that waits again waits for the next one."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[None], None] = {}
        self._is_notified = False
        self._waking: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        future = asyncio.get_running_loop().create_future()
        self._waiting[future] = None
        try:
            await future
        finally:
            self._waiting.pop(future, None)

    def notify(self) -> None:
        self._is_notified = True
        if self._waking is None:
            self._waking = asyncio.get_running_loop().create_task(self._wake())

    def stop(self) -> None:
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None

    async def _wake(self) -> None:
        while self._is_notified:
            self._is_notified = False
            woken, self._waiting = list(self._waiting), {}
            for start in range(0, len(woken), STREAMS_PER_WAKEUP):
                for future in woken[start : start + STREAMS_PER_WAKEUP]:
                    if not future.done():
                        future.set_result(None)
                await asyncio.sleep(0)
        self._waking = None


# ----------------------------------------------------------------------------------------------------------------------
# Entries as frames of an event stream.

ENTRIES_PER_PAGE = 100
MAX_BUFFERED_FRAMES = 1000
MAX_BUFFERED_BYTES = 4 << 20
RETRY_SECONDS = 1.0
WATCH_SECONDS = 3600.0
TELL_SECONDS = 0.05
"""Streams are told of new entries this often at most: waking 200 of them takes as long as some twenty records."""

RunInThread = Callable[[Callable[[], "FrameBatch"]], Awaitable["FrameBatch"]]


class Frame(Struct, frozen=True):
    """An entry as it is sent."""

    seq: int
    text: bytes


class FrameBatch(Struct, frozen=True):
    """Frames after a position, and the position up to which they are complete.

    `has_erasure`: bodies were erased, so buffered frames may hold erased text.
    """

    frames: list[Frame]
    position: int
    more: bool
    has_erasure: bool = False


def entry_frame(entry: EntryView) -> Frame:
    data = msgspec.json.encode(entry)  # one line: JSON escapes line breaks
    return Frame(entry.seq, b"id: %d\nevent: %s\ndata: %s\n\n" % (entry.seq, entry.kind.encode(), data))


def read_frames(local: Local, position: int, filters: dict[str, Any]) -> FrameBatch:
    """A page of the journal as frames."""
    arguments = {**filters, "after": position, "limit": ENTRIES_PER_PAGE}
    page: EntryPage = operations.CATALOGUE["read_entries"](local.context, arguments)
    return FrameBatch([entry_frame(entry) for entry in page.entries], max(position, page.last_seq), page.more)


def read_new_frames(local: Local, position: int, filters: dict[str, Any]) -> FrameBatch:
    """The same for a buffer: an erasure counts, whether it matches the filters or not."""
    batch = read_frames(local, position, filters)
    entries = local.context.store.read(
        local.context.journal, lambda view: view.entries(after=position, limit=max(batch.position - position, 1))
    )
    return replace(batch, has_erasure=any(entry.kind == BodyErased.KIND for entry in entries))


class Channel:
    """The streams of one journal with the same filters. Each stream uses it in a `with` block.

    `position` is the sequence number up to which entries were read, `floor` the one after which they are buffered.
    """

    def __init__(self, local: Local, filters: dict[str, Any], watch: JournalWatch, run: RunInThread) -> None:
        self._local = local
        self._filters = filters
        self._watch = watch
        self._run = run
        self._frames: deque[Frame] = deque()
        self._running_reads: dict[int, asyncio.Future[FrameBatch]] = {}
        self._bytes = 0
        self._broadcast = Broadcast()
        self._following: asyncio.Task[None] | None = None
        self.streams = 0
        self.floor = 0
        self.position = 0

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
            self._broadcast.stop()

    def follow_from(self, position: int) -> None:
        """Begin to buffer entries after a position, unless that has begun before."""
        if self._following is None:
            self.floor = self.position = position
            self._following = asyncio.get_running_loop().create_task(self._follow())

    async def frames_after(self, position: int) -> FrameBatch:
        """Frames after a position: from the buffer if it reaches back far enough, else from the journal."""
        if self._following is None or position < self.floor:
            return await self._read_shared(position)
        newest = takewhile(lambda frame: frame.seq > position, reversed(self._frames))
        return FrameBatch([*newest][::-1], max(position, self.position), False)

    async def _read_shared(self, position: int) -> FrameBatch:
        """Read the journal. Streams at the same position share one read, as all do after a server restart."""
        reading = self._running_reads.get(position)
        if reading is None:
            reading = asyncio.ensure_future(self._run(lambda: read_frames(self._local, position, self._filters)))
            self._running_reads[position] = reading
            reading.add_done_callback(
                lambda done: (self._running_reads.pop(position), done.cancelled() or done.exception())
            )
        return await asyncio.shield(reading)

    async def wait_beyond(self, position: int) -> None:
        """Wait until the channel is beyond a position."""
        while self.position <= position:
            await self._broadcast.wait()

    async def _follow(self) -> None:
        with self._watch:
            while True:
                end = await self._watch.wait_beyond(self.position, WATCH_SECONDS)
                try:
                    batch = await self._run(lambda: read_new_frames(self._local, self.position, self._filters))
                except Exception:  # the store is away; the position stays, so nothing is skipped
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                self._buffer(batch, batch.position if batch.more else max(batch.position, end))
                if not batch.more:
                    await asyncio.sleep(TELL_SECONDS)

    def _buffer(self, batch: FrameBatch, position: int) -> None:
        if batch.has_erasure:
            self._frames.clear()
            self._bytes, self.floor = 0, self.position
        for frame in batch.frames:
            self._frames.append(frame)
            self._bytes += len(frame.text)
        while len(self._frames) > MAX_BUFFERED_FRAMES or self._bytes > MAX_BUFFERED_BYTES:
            dropped = self._frames.popleft()
            self._bytes -= len(dropped.text)
            self.floor = dropped.seq
        self.position = position
        self._broadcast.notify()
