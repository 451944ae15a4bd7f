"""Looks for alerts now and then, and sends a message about what changed to every channel.

Each channel has its own account of what it was told, so one that is away loses nothing and holds nobody up. The account
is written after the message was taken: a process that is killed in between tells it again.
"""

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from typing import Protocol

from msgspec import Struct, json

from tallystick import operations
from tallystick.logs import log_event
from tallystick.operations.notifications.alerts import VERIFIED, AlertList, VerificationResult, read_silences
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.outbound.alerts.channels import AlertChannel
from tallystick.outbound.alerts.messages import AlertMessage, Changes, find_changes, make_message, name_of
from tallystick.outbound.follower import EntryFollower
from tallystick.store.interface import StoredDocument, View

log = logging.getLogger("tallystick.outbound.alerts")
TOLD = "told"
"""The kind of the documents that hold when a channel was told of an alert: `channel/rule/about`."""
MAX_TOLD = 10_000
EVERY_SECONDS = 15.0
"""How often alerts are looked for. What came up within this time is one message."""
QUIET_MICROSECONDS = 600_000_000
"""A journal in which nothing was recorded for so long is looked at less often: most rules wait for minutes at most."""
QUIET_EVERY_MICROSECONDS = 300_000_000
MAX_BACKOFF_SECONDS = 3600.0
MAX_DOUBLINGS = 10
VERIFY_MICROSECONDS = 24 * 3600 * 1_000_000
VERIFY_AGAIN_MICROSECONDS = 300_000_000
"""How often a journal is verified whose last verification failed: it may have been restored."""
MAX_VERIFIED = 1_000_000
"""Journals with more entries are not verified here: it would take minutes of a server's time."""
ALERTS_PER_RULE = 100


class JournalsToWatch(Protocol):
    def contexts(self) -> list[OperationContext]:
        """The journals to look at."""


class Look(Struct, frozen=True, kw_only=True):
    """The last look at a journal: its last entry, when it was, and since when that entry is known."""

    seq: int
    at: int
    changed: int


class AlertPart:
    """Sends messages about the alerts of some journals. `base` is the public address of the page."""

    name = "alerts"

    def __init__(self, journals: JournalsToWatch, channels: Sequence[AlertChannel], base: str = "") -> None:
        self._journals = journals
        self._channels = channels
        self._base = base
        self._accounts: dict[tuple[str, str], ChannelAccount] = {}
        self._looks: dict[str, Look] = {}

    def run(self, stop: Event) -> None:
        """Look for alerts until `stop` is set."""
        while not stop.is_set():
            self.look()
            stop.wait(EVERY_SECONDS)

    def look(self) -> None:
        """Look for alerts once, in every journal, and tell every channel what changed. A fault in one journal or
        account holds no other up."""
        for context in self._journals.contexts():
            with _logged_faults(context):
                if self._is_due(context):
                    self._look_at(context)

    def _look_at(self, context: OperationContext) -> None:
        with _logged_faults(context):
            verify_if_due(context)
        found = operations.CATALOGUE["get_alerts"](context, {"limit": ALERTS_PER_RULE})
        silences = context.read(read_silences)
        for channel in self._channels:
            with _logged_faults(context, channel.name):
                self._account(context, channel).tell(found, silences, self._base)

    def _is_due(self, context: OperationContext) -> bool:
        seq, now = context.read(lambda view: (view.head().seq, view.now()))
        last = self._looks.get(context.journal)
        changed = now if last is None or last.seq != seq else last.changed
        if last and now - changed >= QUIET_MICROSECONDS and now - last.at < QUIET_EVERY_MICROSECONDS:
            return False
        self._looks[context.journal] = Look(seq=seq, at=now, changed=changed)
        return True

    def _account(self, context: OperationContext, channel: AlertChannel) -> "ChannelAccount":
        key = (context.journal, channel.name)
        if key not in self._accounts:
            self._accounts[key] = ChannelAccount(context, channel)
        return self._accounts[key]


@contextmanager
def _logged_faults(context: OperationContext, channel: str = "") -> Iterator[None]:
    """Log an exception by its type, and go on."""
    try:
        yield
    except Exception as error:
        fields = {"journal": context.journal, "channel": channel, "error": type(error).__name__}
        log_event(log, logging.ERROR, "alerts failed", **fields)
        log.debug("alerts failed", exc_info=True)


class ChannelAccount:
    """What one channel was told about one journal."""

    def __init__(self, context: OperationContext, channel: AlertChannel) -> None:
        self._context = context
        self._channel = channel
        self._follower = EntryFollower(context, f"alerts-{channel.name}")
        self._failures = 0
        self._retry_at = 0

    def tell(self, found: AlertList, silences: Collection[str], base: str) -> None:
        """Send what changed, if anything did, and note it. One process does so at a time."""
        if self._now() < self._retry_at or not find_changes(found, self._told(), self._now(), silences):
            return
        if self._follower.claim() is None:
            return
        changes = find_changes(found, self._told(), self._now(), silences)  # the process before may have told it
        if changes and self._send(make_message(self._context.journal, changes, base)):
            self._follower.advance(0, self._noted(changes))
        self._follower.release()

    def _send(self, message: AlertMessage) -> bool:
        try:
            self._channel.notifier.send(message)
        except Exception as error:  # a plug-in may raise anything, and the next round tries again
            self._failures += 1
            seconds = min(MAX_BACKOFF_SECONDS, EVERY_SECONDS * 2 ** min(self._failures, MAX_DOUBLINGS))
            self._retry_at = self._now() + int(seconds * 1_000_000)
            log_event(
                log,
                logging.WARNING,
                "message not sent",
                channel=self._channel.name,
                journal=self._context.journal,
                error=type(error).__name__,
                again_seconds=seconds,
            )
            return False
        self._failures = self._retry_at = 0
        log_event(
            log,
            logging.INFO,
            "message sent",
            channel=self._channel.name,
            journal=self._context.journal,
            alerts=len(message.raised) + len(message.lasting),
            resolved=len(message.resolved),
        )
        return True

    def _told(self) -> dict[str, int]:
        start = f"{self._channel.name}/"

        def read(view: View) -> dict[str, int]:
            found = view.documents(TOLD, after=start, limit=MAX_TOLD)
            return {each.id.removeprefix(start): int(each.content) for each in found if each.id.startswith(start)}

        return self._context.read(read)

    def _noted(self, changes: Changes) -> list[StoredDocument]:
        now = str(self._now())
        told = {name_of(each): now for each in (*changes.raised, *changes.lasting)}
        over = dict.fromkeys(changes.resolved, "")
        return [StoredDocument(TOLD, f"{self._channel.name}/{name}", at) for name, at in (told | over).items()]

    def _now(self) -> int:
        return self._context.read(lambda view: view.now())


def verify_if_due(context: OperationContext) -> None:
    """Check the hashes of a journal once a day, more often while they do not hold, and keep what was found for the rule
    `verify_failed`."""

    def last(view: View) -> tuple[VerificationResult | None, int, int]:
        content = view.document(VERIFIED, "last")
        known = json.decode(content, type=VerificationResult) if content else None
        return known, view.now(), view.head().seq

    known, now, seq = context.read(last)
    interval = VERIFY_AGAIN_MICROSECONDS if known and known.problem else VERIFY_MICROSECONDS
    if seq > MAX_VERIFIED or (known and now - known.at < interval):
        return
    result = operations.CATALOGUE["verify"](context, {"chain": True})
    kept = VerificationResult(at=now, seq=seq, problem=result.problem)
    context.store.write(
        context.journal, lambda ledger: ledger.put_document(VERIFIED, "last", json.encode(kept).decode())
    )
