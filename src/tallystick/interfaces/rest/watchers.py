"""One look for news in each journal, for all who wait: no thread is held by anyone who waits."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType

from tallystick.interfaces.journals import JournalContexts

LOOK_SECONDS = 2.0
"""How long one look waits for something new. A server that is stopped waits no longer than this for its thread."""
RETRY_SECONDS = 1.0
JOURNALS = 256
"""In how many journals it can be looked for news at the same time; a thread each, while anybody waits there."""


class JournalWatch:
    """The end of one journal, as long as anybody waits for it to move. Use it in a `with` block."""

    def __init__(self, watches: "Watches", journal: str) -> None:
        self._watches = watches
        self._news = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._users = 0
        self.journal = journal
        self.end = 0

    def __enter__(self) -> "JournalWatch":
        self._users += 1
        if self._looking is None:
            self._looking = asyncio.get_running_loop().create_task(self._look())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._users -= 1  # the look that is under way comes to its end, and finds that nobody waits

    async def beyond(self, place: int, seconds: float) -> int:
        """The end of the journal, as soon as it is behind a place, or the time is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.end <= place and not self._watches.ended:
                    await self._news.wait()
        return self.end

    def wake(self) -> None:
        """Let all who wait look."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def _look(self) -> None:
        while self._users and not self._watches.ended:
            try:
                found = await self._watches.look(self.journal, self.end)
            except Exception:  # the store is away; what came meanwhile is told when it is back
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if found > self.end:
                self.end = found
                self.wake()
        self._looking = None
        self._watches.forget(self)


class Watches:
    """The watches of a store's journals, in one event loop."""

    def __init__(self, contexts: JournalContexts) -> None:
        self._contexts = contexts
        self._threads = ThreadPoolExecutor(JOURNALS, thread_name_prefix="tallystick-rest-news")
        self._watches: dict[str, JournalWatch] = {}
        self.ended = False

    def end(self) -> None:
        """Nobody waits any longer."""
        self.ended = True
        for watch in self._watches.values():
            watch.wake()

    def on(self, journal: str) -> JournalWatch:
        """The watch of a journal."""
        return self._watches.setdefault(journal, JournalWatch(self, journal))

    async def beyond(self, journal: str, place: int, seconds: float) -> int:
        """The end of a journal, as soon as it is behind a place, or the time is over."""
        with self.on(journal) as watch:
            return await watch.beyond(place, seconds)

    async def look(self, journal: str, end: int) -> int:
        store = self._contexts.caller.context.store
        work = lambda: store.wait(journal, after=end, seconds=LOOK_SECONDS)  # noqa: E731
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def forget(self, watch: JournalWatch) -> None:
        if self._watches.get(watch.journal) is watch:
            del self._watches[watch.journal]
