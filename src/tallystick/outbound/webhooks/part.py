"""The part of the outbound service that delivers webhooks: those of all journals, each by a task of its own."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from time import monotonic

from tallystick.core.errors import TallystickError
from tallystick.logs import log_event
from tallystick.operations.notifications.documents import Webhook, read_webhooks
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.outbound.service import FollowedJournals, OutboundOptions
from tallystick.outbound.webhooks.delivery import WebhookDelivery
from tallystick.outbound.webhooks.sender import Send, WebhookSender

log = logging.getLogger("tallystick.outbound.webhooks")
PASS_INTERVAL_SECONDS = 0.5
"""Between the begins of two passes that found something: each writes once, beside those who record."""
WAIT_SECONDS = 1.0
"""The longest wait for new entries, after which a stop is noticed."""
SCAN_SECONDS = 20.0
"""How often all journals are looked through for webhooks; the main one is looked at each time."""
MAX_PROBLEM_SECONDS = 60.0
GRACE_SECONDS = 5.0
"""How long a pass under way may take when the service is stopped; then it is made again by the next process."""
MAX_THREADS = 16


class _Journal:
    """A journal that is followed, with its webhooks by key. `news` is set, and replaced, when it has new entries."""

    def __init__(self, context: OperationContext) -> None:
        self.context = context
        self.news = asyncio.Event()
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.head = 0
        self.over = asyncio.Event()

    def end(self) -> None:
        """Wake the tasks, which then end."""
        self.over.set()
        self.news.set()

    def webhooks(self) -> list[Webhook]:
        return self.context.store.read(self.context.journal, read_webhooks)

    async def wait(self) -> bool:
        """Wait for new entries, not for long; returns whether there are some."""
        head, store = self.head, self.context.store
        with suppress(TallystickError):  # its deliveries report that the store is away
            head = await asyncio.to_thread(store.wait, self.context.journal, after=self.head, seconds=WAIT_SECONDS)
        if head == self.head:
            return False
        self.head, news, self.news = head, self.news, asyncio.Event()
        news.set()
        return True


class WebhookPart:
    """Delivers to the webhooks of some journals. `make_send` makes the function that sends one message."""

    name = "webhooks"

    def __init__(
        self, journals: FollowedJournals, options: OutboundOptions, make_send: Callable[[], Send] | None = None
    ) -> None:
        self._journals = journals
        self._options = options
        self._make_send = make_send or (lambda: WebhookSender(options.deliver_to))

    def run(self, stop: Event) -> None:
        asyncio.run(self._run(stop))

    async def _run(self, stop: Event) -> None:
        with ThreadPoolExecutor(MAX_THREADS, "webhooks") as threads:
            asyncio.get_running_loop().set_default_executor(threads)
            send = self._make_send()
            main = _Journal(self._journals.main)
            journals = {self._journals.main.journal: main}
            try:
                await self._follow(journals, main, send, stop)
            finally:
                for journal in journals.values():
                    journal.end()
                await _finish([task for journal in journals.values() for task in journal.tasks.values()])
                if isinstance(send, WebhookSender):
                    await send.close()

    async def _follow(self, journals: dict[str, _Journal], main: _Journal, send: Send, stop: Event) -> None:
        scanned = -SCAN_SECONDS
        while not stop.is_set():
            if monotonic() - scanned >= SCAN_SECONDS:
                scanned = monotonic()
                for context in await asyncio.to_thread(self._journals.contexts):
                    journal = journals.setdefault(context.journal, _Journal(context))
                    await self._start_tasks(journal, send)
            followed = [journal for journal in journals.values() if journal.tasks]
            if followed:
                changed = await asyncio.gather(*(journal.wait() for journal in followed))
            else:  # nothing polls for entries that nobody wants
                changed = [await asyncio.to_thread(stop.wait, WAIT_SECONDS)]
            news = [journal for journal, is_new in zip(followed, changed, strict=False) if is_new]
            for journal in {id(each): each for each in (*news, main)}.values():
                await self._start_tasks(journal, send)

    async def _start_tasks(self, journal: _Journal, send: Send) -> None:
        """Start a task for each webhook of a journal that has none."""
        journal.tasks = {key: task for key, task in journal.tasks.items() if not task.done()}
        for webhook in await asyncio.to_thread(journal.webhooks):
            if webhook.key not in journal.tasks:
                delivery = WebhookDelivery(journal.context, webhook, send, public_url=self._options.public_url)
                journal.tasks[webhook.key] = asyncio.create_task(_deliver(delivery, journal))


async def _deliver(delivery: WebhookDelivery, journal: _Journal) -> None:
    """Make one pass after the other, until the webhook is removed or the part is stopped."""
    problem_wait = 1.0
    try:
        while not journal.over.is_set():
            started, news = monotonic(), journal.news
            try:
                wait = await delivery.run_once()
                problem_wait = 1.0
            except Exception as error:  # of the store, or of one webhook alone: the others go on
                fields = {"journal": journal.context.journal, "webhook": delivery.webhook.name}
                log_event(log, logging.ERROR, "delivery failed", **fields, error=type(error).__name__)
                wait, problem_wait = problem_wait, min(2 * problem_wait, MAX_PROBLEM_SECONDS)
            if wait is None:
                return
            if wait and not journal.over.is_set():
                await _wait_for(news, wait)
                await _wait_for(journal.over, started + PASS_INTERVAL_SECONDS - monotonic())
    finally:
        with suppress(TallystickError):
            await asyncio.to_thread(delivery.release)


async def _wait_for(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, seconds)):
            await event.wait()


async def _finish(tasks: list[asyncio.Task[None]]) -> None:
    """Let passes under way end, within the grace, and cancel the others."""
    if tasks:
        _, late = await asyncio.wait(tasks, timeout=GRACE_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
