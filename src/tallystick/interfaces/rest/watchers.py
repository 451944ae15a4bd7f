"""Waits for new entries: one thread per watched journal serves all streams and long polls, which hold none."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType

from tallystick.interfaces.journals import JournalContexts

POLL_SECONDS = 2.0
"""How long one wait in the store lasts. A server that stops waits no longer than this for its thread."""
RETRY_SECONDS = 1.0
MAX_WATCHED_JOURNALS = 256
"""Each takes a thread, while anybody waits there."""


class JournalWatch:
    """The end of one journal, followed while anybody waits for it. Use it in a `with` block."""

    def __init__(self, watches: "Watches", journal: str) -> None:
        self._watches = watches
        self._changed = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        self._users = 0
        self.journal = journal
        self.end = 0

    def __enter__(self) -> "JournalWatch":
        self._users += 1
        if self._polling is None:
            self._polling = asyncio.get_running_loop().create_task(self._poll())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._users -= 1  # the running poll ends by itself, and then sees that nobody waits

    async def wait_beyond(self, position: int, seconds: float) -> int:
        """Wait until the journal is beyond a position, or the time is over; returns its end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.end <= position and not self._watches.ended:
                    await self._changed.wait()
        return self.end

    def wake(self) -> None:
        """Let all waiting tasks check again."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _poll(self) -> None:
        while self._users and not self._watches.ended:
            try:
                end = await self._watches.wait_in_store(self.journal, self.end)
            except Exception:  # the store is away; entries of this time are seen when it is back
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if end > self.end:
                self.end = end
                self.wake()
        self._polling = None
        self._watches.forget(self)


class Watches:
    """The watches of a store's journals, in one event loop."""

    def __init__(self, contexts: JournalContexts) -> None:
        self._contexts = contexts
        self._threads = ThreadPoolExecutor(MAX_WATCHED_JOURNALS, thread_name_prefix="tallystick-rest-watch")
        self._watches: dict[str, JournalWatch] = {}
        self.ended = False

    def end(self) -> None:
        """End all waits."""
        self.ended = True
        for watch in self._watches.values():
            watch.wake()

    def on(self, journal: str) -> JournalWatch:
        """The watch of a journal."""
        return self._watches.setdefault(journal, JournalWatch(self, journal))

    async def wait_beyond(self, journal: str, position: int, seconds: float) -> int:
        """Wait until a journal is beyond a position, or the time is over; returns its end."""
        with self.on(journal) as watch:
            return await watch.wait_beyond(position, seconds)

    async def wait_in_store(self, journal: str, end: int) -> int:
        store = self._contexts.caller.context.store
        work = lambda: store.wait(journal, after=end, seconds=POLL_SECONDS)  # noqa: E731
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def forget(self, watch: JournalWatch) -> None:
        if self._watches.get(watch.journal) is watch:
            del self._watches[watch.journal]
