"""Follows a journal and sends its entries to an OTLP receiver: live, or in one go.

The position moves when the receiver has taken everything up to it. While the receiver is away, nothing moves: it is
tried again, less and less often. What was sent before a process was killed is sent again, with the same ids.
"""

import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from logging import WARNING, getLogger
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct, json

from tallystick.core.errors import InvalidArgument, StorageUnavailable, Unsupported, WrongState
from tallystick.core.formats import times
from tallystick.core.state import Action
from tallystick.logs import log_event
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.outbound.follower import LEASE_SECONDS, EntryFollower, FollowedEntry
from tallystick.outbound.otel import names
from tallystick.outbound.otel.events import event_of
from tallystick.outbound.otel.records import (
    SIGNALS,
    EventRecord,
    NotDelivered,
    OtlpRejection,
    Signal,
    SpanIds,
    SpanRecord,
)
from tallystick.outbound.otel.spans import SpanBuilder, shortened
from tallystick.outbound.otel.totals import Totals
from tallystick.outbound.service import FollowedJournals
from tallystick.store.interface import StoredDocument, View

if TYPE_CHECKING:
    from tallystick.outbound.otel.receiver import OtlpReceiver

ENTRIES_PER_REQUEST = 256
WAIT_SECONDS = 1.0
"""How long one wait for new entries lasts, and so how long a stop waits, and how soon a death is seen."""
ONE_GO_LEASE_SECONDS = 2.0
CLAIM_SECONDS = 0.2
"""Between two tries to take over from a process that may have been killed."""
FIRST_PAUSE_SECONDS = 1.0
MAX_PAUSE_SECONDS = 60.0
METRICS_SECONDS = 60.0
"""How often totals are sent when nothing is recorded: receivers forget series that fall silent."""
MAX_ATTEMPTS = 5
"""Of one request when everything is sent in one go, once the receiver has taken something."""
MAX_DOUBTS_COUNTED = 10_000
TOTALS = "otlp_totals"
"""The kind of document that holds the totals."""
MakeExport = Callable[[OperationContext], "OtlpExport"]
_log = getLogger("tallystick.outbound.otel")


class OtlpBatch(Struct, frozen=True):
    """What is sent for some entries."""

    spans: list[SpanRecord]
    events: list[EventRecord]
    totals: Totals
    doubts: int
    now: int


class OtlpSummary(Struct):
    """What was sent, what the receiver rejected of it by signal, and the signals that it does not take."""

    last_seq: int = 0
    entries: int = 0
    spans: int = 0
    rejected: dict[str, int] = {}
    left_out: tuple[str, ...] = ()
    message: str = ""


class OtlpPart:
    """Sends the journals of a store while they are recorded: a part of the background service."""

    name = "otlp"

    def __init__(self, journals: FollowedJournals, make: MakeExport) -> None:
        """`make` builds the export of a journal."""
        self._journals = journals
        self._make = make
        self._exports: dict[str, OtlpExport] = {}

    def run(self, stop: Event) -> None:
        """Send what is recorded until `stop` is set."""
        try:
            while not stop.is_set():
                main = self._journals.main
                last = main.store.wait(main.journal, after=0, seconds=0)
                has_more = [self._send_new(context) for context in self._journals.contexts()]
                if not any(has_more) and not stop.is_set():
                    main.store.wait(main.journal, after=last, seconds=WAIT_SECONDS)
        finally:
            for export in self._exports.values():
                export.close()

    def _send_new(self, context: OperationContext) -> bool:
        if context.journal not in self._exports:
            self._exports[context.journal] = self._make(context)
        return self._exports[context.journal].send_new()


class OtlpExport:
    """Sends one journal to one receiver. Its position is kept under the receiver's URL.

    `content`: recorded text is sent too. `start`: the position at first, for a receiver that is new.
    `lease_seconds`: how long it keeps other processes away after it was killed.
    """

    def __init__(
        self,
        context: OperationContext,
        url: str,
        *,
        content: bool = False,
        start: int = 0,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        url = checked_url(url)
        self._context = context
        self._ids = SpanIds(context.store.secret(context.journal))
        self._receiver = _open_receiver(url, context.journal, self._ids.instance(context.journal))
        self._content = content
        self._start = start
        self._name = f"otlp-{sha256(url.encode()).hexdigest()[:16]}"
        self._follower = EntryFollower(context, self._name, lease_seconds=lease_seconds)
        self._size = ENTRIES_PER_REQUEST
        self._failures = 0
        self._position = -1
        self._retry_at = self._metrics_at = 0.0
        self.sent = OtlpSummary()

    # ------------------------------------------------------------------------------------------------------------------
    # Live

    def send_new(self) -> bool:
        """Send what is new, unless the last failure was too short a while ago. True if there may be more at once."""
        if monotonic() < self._retry_at:
            return False
        self._follower.record_deaths()
        last = self._context.store.wait(self._context.journal, after=0, seconds=0)
        if self._position == last and monotonic() < self._metrics_at + METRICS_SECONDS:
            return False
        position = self._follower.claim(self._start)
        if position is None:  # another process sends to this receiver; it may die
            self._retry_at = monotonic() + LEASE_SECONDS / 3
            return False
        try:
            self._send(self._follower.entries(position, self._size), position)
        except NotDelivered as error:
            seconds = self._pause(error.retry_after)
            self._retry_at = monotonic() + seconds
            log_event(_log, WARNING, str(error), seq=position, retry_seconds=round(seconds))
            return False
        self._failures = 0
        return self._position < last

    def close(self) -> None:
        """Let another process take over at once."""
        self._follower.release()
        self._receiver.close()

    def _pause(self, at_least: float) -> float:
        """How long to wait after a failure: longer each time, and not at the same moment as others."""
        longest = min(FIRST_PAUSE_SECONDS * 2 ** min(self._failures, 10), MAX_PAUSE_SECONDS)
        self._failures += 1
        return max(random.uniform(longest / 2, longest), at_least)

    # ------------------------------------------------------------------------------------------------------------------
    # In one go

    def send_all(
        self,
        since: int | None = None,
        progress: Callable[[int, int], None] = lambda done, total: None,
        patience: float = LEASE_SECONDS,
    ) -> OtlpSummary:
        """Send everything behind the kept position, or behind `since` and then without metrics and without moving the
        position. Raises StorageUnavailable when the receiver does not take it, and WrongState while another process
        sends to it, after `patience` seconds."""
        position = self._claim(patience) if since is None else since
        self._follower.record_deaths()
        last = self._context.store.wait(self._context.journal, after=0, seconds=0)
        while position < last:
            entries = self._follower.entries(position, min(self._size, last - position))
            self._send_patiently(entries, position, is_kept=since is None)
            position = max(position, self.sent.last_seq)
            progress(position, last)
        return self.sent

    def _claim(self, patience: float) -> int:
        """The kept position; waits for a process that was killed."""
        until = monotonic() + patience
        while (position := self._follower.claim(self._start)) is None:
            if monotonic() >= until:
                raise WrongState(
                    "Another process sends to this receiver.",
                    hint="Wait for it, or give --since to send entries again beside it.",
                    field="otlp",
                )
            Event().wait(CLAIM_SECONDS)
        return position

    def _send_patiently(self, entries: Sequence[FollowedEntry], position: int, *, is_kept: bool) -> None:
        while True:
            try:
                self._send(entries, position, is_kept=is_kept)
            except NotDelivered as error:
                if not self.sent.entries or self._failures >= MAX_ATTEMPTS:
                    raise StorageUnavailable(
                        f"Entries behind {position} were not sent: {error}.",
                        hint="Look at the receiver and its address. The same command goes on where it stopped."
                        if is_kept
                        else f"Look at the receiver and its address, then go on with --since {position}.",
                    ) from None
                Event().wait(self._pause(error.retry_after))
            else:
                self._failures = 0
                return

    # ------------------------------------------------------------------------------------------------------------------
    # One request for each signal

    def _send(self, entries: Sequence[FollowedEntry], position: int, *, is_kept: bool = True) -> None:
        """Send some entries, then move the position. Raises NotDelivered, and then nothing has moved. Of a request that
        is refused for its content, half as much is sent the next time; an entry that is refused alone is counted."""
        batch = self._context.store.read(self._context.journal, lambda view: self._build(view, entries))
        receiver, rejections = self._receiver, list[OtlpRejection]()
        requests: list[tuple[Signal, int, Callable[[], OtlpRejection | None]]] = [
            ("traces", len(batch.spans), lambda: receiver.send_spans(batch.spans)),
            ("logs", len(batch.events), lambda: receiver.send_events(batch.events)),
            ("metrics", int(is_kept), lambda: receiver.send_totals(batch.totals, batch.doubts, batch.now)),
        ]
        for signal, count, send in requests:
            try:
                rejection = send() if count else None
            except NotDelivered as error:
                if self._may_shrink(signal, error, entries):
                    self._size = len(entries) // 2
                    return
                rejection = self._give_up(signal, error, count)
            rejections += [rejection] if rejection else []
        self._metrics_at = monotonic()
        self._position = entries[-1].entry.seq if entries else position
        if entries:
            self._size = min(self._size * 2, ENTRIES_PER_REQUEST)
            self._note(entries, batch, rejections, is_kept=is_kept)

    def _may_shrink(self, signal: Signal, error: NotDelivered, entries: Sequence[FollowedEntry]) -> bool:
        return error.is_bad_data and signal != "metrics" and len(entries) > 1 and self._receiver.takes_empty(signal)

    def _give_up(self, signal: Signal, error: NotDelivered, count: int) -> OtlpRejection | None:
        """What a failure means that repeating does not mend; raises the others again."""
        receiver = self._receiver
        if error.is_bad_data and receiver.takes_empty(signal):
            return OtlpRejection(signal, count, str(error))
        if error.is_unsupported and signal != "traces" and receiver.sends("traces") and receiver.takes_empty("traces"):
            log_event(_log, WARNING, f"the receiver takes no {signal}: they are not sent", status=error.status)
            receiver.drop(signal)
            self.sent.left_out = (*self.sent.left_out, signal)
            return None
        raise error

    def _note(
        self, entries: Sequence[FollowedEntry], batch: OtlpBatch, rejections: Sequence[OtlpRejection], *, is_kept: bool
    ) -> None:
        """Move the position, and count."""
        seq, sent = entries[-1].entry.seq, self.sent
        for each in rejections:
            log_event(_log, WARNING, "the receiver rejected records", signal=each.signal, count=each.count, seq=seq)
            batch.totals.add(names.REJECTED, {names.SIGNAL: each.signal}, count=each.count)
            sent.rejected = {**sent.rejected, each.signal: sent.rejected.get(each.signal, 0) + each.count}
            sent.message = each.message
        if is_kept:
            kept = StoredDocument(TOTALS, self._name, json.encode(batch.totals).decode())
            self._follower.advance(seq, [kept])  # if another process has taken over, the next claim says so
        sent.last_seq, sent.entries, sent.spans = seq, sent.entries + len(entries), sent.spans + len(batch.spans)

    def _build(self, view: View, entries: Sequence[FollowedEntry]) -> OtlpBatch:
        kept = view.document(TOTALS, self._name)
        totals = json.decode(kept, type=Totals) if kept else Totals()
        builder = SpanBuilder(view, self._ids, content=self._content)
        spans, events = list[SpanRecord](), list[EventRecord]()
        for each in entries:
            ended = builder.spans_of(each.entry)
            spans += ended
            text = shortened(each.body or "") if self._content else ""
            events.append(event_of(each.entry, builder.place_of(each.entry), view.journal, text))
            totals.count_entry(each.entry, ended[0] if ended else None)
        doubts = view.count(Action, {"state": ("doubted", "unknown")}, MAX_DOUBTS_COUNTED)
        return OtlpBatch(spans, events, totals, doubts, view.now())


def otlp_parts(
    context: OperationContext, url: str, *, content: bool = False, since: str = "", only: bool = False
) -> list[OtlpPart]:
    """What sends the journals of a store, or only that of the context, to a receiver. Raises now
    if the URL is none, or the SDK is missing. A journal that is made later is sent from its first entry, whatever
    `since` says."""
    journals = FollowedJournals(context, only=only)
    starts = {each.journal: position_since(each, since) for each in journals.contexts()} if since else {}

    def make(journal: OperationContext) -> OtlpExport:
        return OtlpExport(journal, url, content=content, start=starts.get(journal.journal, 0))

    make(journals.main).close()
    return [OtlpPart(journals, make)]


def _open_receiver(url: str, journal: str, instance: str) -> "OtlpReceiver":
    """The receiver at a URL. The SDK is imported only now."""
    try:
        from tallystick.outbound.otel.receiver import OtlpReceiver
    except ImportError as error:
        raise Unsupported(
            f"The OpenTelemetry SDK is not installed ({error}).",
            hint="Install tallystick[otel] (in a checkout: make install EXTRAS=otel).",
        ) from None
    return OtlpReceiver(url, journal, instance)


def checked_url(url: str) -> str:
    """The base URL of a receiver, without the path of a signal. Credentials in it would be seen in the process list."""
    hint = "Give the base URL, such as http://localhost:4318; /v1/traces and its like are added."
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidArgument(f'"{url}" is not the URL of an OTLP receiver over HTTP.', hint=hint, field="otlp")
    if "@" in parts.netloc:
        hint = "Give credentials in OTEL_EXPORTER_OTLP_HEADERS, such as authorization=Bearer%20TOKEN."
        raise InvalidArgument("The URL of the OTLP receiver holds credentials.", hint=hint, field="otlp")
    base = url.rstrip("/")
    return next((base.removesuffix(f"/v1/{signal}") for signal in SIGNALS if base.endswith(f"/v1/{signal}")), base)


def position_since(context: OperationContext, since: str) -> int:
    """The position from which entries are sent: a sequence number, a time such as 2h or 2026-10-01, or `now`."""
    if since.isdecimal():
        return int(since)

    def work(view: View) -> int:
        if since == "now":
            return view.head().seq
        first = times.resolve(since, "since", start=view.now(), forward=False)
        low, high = 0, view.head().seq  # times hardly ever go back
        while low < high:
            middle = (low + high + 1) // 2
            entry = view.entry(middle)
            low, high = (middle, high) if entry and entry.at < first else (low, middle - 1)
        return low

    return context.store.read(context.journal, work)
