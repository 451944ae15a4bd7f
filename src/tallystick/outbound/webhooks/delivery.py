"""Delivers the entries of one journal to one webhook, from its kept position.

One pass takes up what is due, sends it, and then moves the position and writes the state in one transaction. A process
that is killed in between leaves the position where it was: the next one sends the same messages with the same ids.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from random import uniform
from time import monotonic
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tallystick.core.formats.times import SECOND
from tallystick.logs import log_event
from tallystick.operations.notifications.documents import (
    DEAD_DELIVERY,
    WEBHOOK_STATE,
    Waiting,
    Webhook,
    WebhookState,
    dead_id,
    follower_name,
    pending_replay,
    read_dead,
    read_state,
    read_webhook,
    stored_struct,
)
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.views.entries import entry_views
from tallystick.outbound.follower import EntryFollower
from tallystick.outbound.webhooks.attempts import MAX_WAITING, begin_replay, lanes_due, next_due, revive, settle
from tallystick.outbound.webhooks.messages import message_body, signed_headers
from tallystick.outbound.webhooks.sender import Send, SendResult
from tallystick.outbound.webhooks.subscriptions import is_wanted, lane_of
from tallystick.store.interface import StoredDocument, View

T = TypeVar("T")
log = logging.getLogger("tallystick.outbound.webhooks")

LEASE_SECONDS = 60.0
RENEW_SECONDS = 20.0
"""How often the lease is renewed, and the position saved, while there is nothing to send."""
PASS_SECONDS = 20.0
"""After which a pass begins no further attempt: with the last one it is over before its lease."""
MESSAGES_PER_PASS = 32
ENTRIES_PER_PASS = 500
LANES_AT_ONCE = 8


class OutgoingMessage(NamedTuple):
    """What is sent about an entry. Its id is the same at each attempt."""

    id: str
    body: bytes


class DeliveryBatch(Struct, kw_only=True):
    """What one pass does. `position` is the last entry that was looked at, `is_last` whether the journal ends there.

    `before` is the stored state, and `state` that from which the pass begins. `deliveries` are all that are not made
    yet, `messages` those that are sent now, by entry. `revived`: entries that were given up, and wait again.
    """

    webhook: Webhook
    before: WebhookState
    state: WebhookState
    position: int
    now: int
    is_last: bool = True
    deliveries: list[Waiting] = []
    messages: dict[int, OutgoingMessage] = {}
    results: dict[int, SendResult] = {}
    revived: list[int] = []
    is_over: bool = False


class WebhookDelivery:
    """One webhook of one journal, in one of the processes that could deliver."""

    def __init__(
        self,
        context: OperationContext,
        webhook: Webhook,
        send: Send,
        *,
        public_url: str = "",
        jitter: Callable[[], float] = lambda: uniform(0.9, 1.1),
    ) -> None:
        self.webhook = webhook
        self._context = context
        self._send = send
        self._public_url = public_url
        self._jitter = jitter
        self._follower = EntryFollower(context, follower_name(webhook), lease_seconds=LEASE_SECONDS)
        self._position: int | None = None
        self._renewed = 0.0
        self._is_first = True

    async def run_once(self) -> float | None:
        """Make one pass; returns after how many seconds to make another one, or None if the webhook was removed."""
        batch = await asyncio.to_thread(self._prepare)
        if not isinstance(batch, DeliveryBatch):
            return batch
        await self._send_all(batch)
        return await asyncio.to_thread(self._commit, batch)

    def release(self) -> None:
        """Save the position, and let another process take over at once."""
        if self._position is not None and self._follower.advance(self._position):
            self._follower.release()
        self._position = None

    def _prepare(self) -> DeliveryBatch | float | None:
        """What is due now; or, if nothing can be done, when to look again; or None if the webhook was removed."""
        webhook = self._read(self._current)
        if webhook is None:
            return None
        self.webhook = webhook
        return self._read(self._plan) if self._holds_lease() else RENEW_SECONDS

    def _holds_lease(self) -> bool:
        """Whether this process is the one that delivers; the lease is taken or renewed when it is time."""
        if self._position is not None and monotonic() - self._renewed < RENEW_SECONDS:
            return True
        if self._position is None:
            if self._read(self._follower.may_claim):  # asked first, since a write would hold up those who record
                self._position = self._follower.claim(self.webhook.added)
        elif not self._follower.advance(self._position):
            self._position = None
        self._renewed = monotonic()
        if self._position is None:
            return False
        self._follower.record_deaths()
        return True

    def _current(self, view: View) -> Webhook | None:
        found = read_webhook(view, self.webhook.name)
        return found if found and found.added == self.webhook.added else None

    def _plan(self, view: View) -> DeliveryBatch | float:
        batch, now = self._begin(view), view.now()
        self._is_first = False
        if batch.state.disabled or batch.state.paused > now:
            return (
                min(RENEW_SECONDS, (batch.state.paused - now) / SECOND) if not batch.state.disabled else RENEW_SECONDS
            )
        chosen = self._choose(view, batch)
        found = [entry for entry in map(view.entry, chosen) if entry is not None]
        for entry, _ in entry_views(view, found):
            id = f"msg_{self._context.digest(['webhook', batch.webhook.key, entry.seq])}"
            batch.messages[entry.seq] = OutgoingMessage(
                id, message_body(entry, self._context.journal, self._public_url)
            )
        return batch

    def _begin(self, view: View) -> DeliveryBatch:
        """An empty batch, after a replay that was asked for."""
        webhook, state, position = self.webhook, read_state(view, self.webhook), self._position or 0
        batch = DeliveryBatch(webhook=webhook, before=state, state=state, position=position, now=view.now())
        if self._is_first and state.refused:  # the operator may have allowed its address since
            batch.state = replace(state, paused=0)
        replay = pending_replay(webhook, state)
        if replay.seq:
            batch.state, batch.position = begin_replay(state, replay, position)
        if batch.state.reviving:
            room = max(0, MAX_WAITING - len(batch.state.waiting))
            dead = list(read_dead(view, webhook, limit=room + 1))
            batch.state = replace(batch.state, reviving=len(dead) > room)  # the next pass takes the others
            batch.state = revive(batch.state, dead[:room], batch.position)
            batch.revived = [each.seq for each in dead[:room]]
        return batch

    def _choose(self, view: View, batch: DeliveryBatch) -> list[int]:
        """Take up what waits and new entries; returns those to be sent now, in order for each lane."""
        waiting = batch.state.waiting
        most = MESSAGES_PER_PASS if not batch.state.failures else 1  # one message shows whether the endpoint is back
        due, held = lanes_due(waiting, batch.now), {each.lane for each in waiting}
        chosen = [each.seq for each in waiting if each.lane in due][:most]
        batch.deliveries = list(waiting)
        entries = view.entries(after=batch.position, limit=ENTRIES_PER_PASS)
        batch.is_last = len(entries) < ENTRIES_PER_PASS
        for entry in entries:
            if len(chosen) >= most or len(batch.deliveries) >= MAX_WAITING:
                batch.is_last = False
                break
            if is_wanted(view, batch.webhook, entry):
                lane = lane_of(entry)
                batch.deliveries.append(Waiting(entry.seq, lane))
                if lane in due or lane not in held:
                    chosen.append(entry.seq)
            batch.position = entry.seq
        return chosen

    async def _send_all(self, batch: DeliveryBatch) -> None:
        """Send the messages: each lane in order, some lanes at once. A failure of the endpoint ends the pass."""
        lanes: dict[str, list[int]] = {}
        for each in batch.deliveries:
            if each.seq in batch.messages:
                lanes.setdefault(each.lane, []).append(each.seq)
        limit, start = asyncio.Semaphore(LANES_AT_ONCE), monotonic()

        async def send_lane(seqs: Iterable[int]) -> None:
            async with limit:
                for seq in seqs:
                    passed = monotonic() - start
                    if batch.is_over or passed > PASS_SECONDS:
                        return
                    result = await self._send_one(batch, batch.messages[seq], batch.now + int(passed * SECOND))
                    batch.results[seq] = result
                    if result.verdict in ("away", "gone"):
                        batch.is_over = True
                    if result.verdict != "delivered":
                        return

        await asyncio.gather(*map(send_lane, lanes.values()))

    async def _send_one(self, batch: DeliveryBatch, message: OutgoingMessage, at: int) -> SendResult:
        headers = signed_headers(message.id, at, message.body, batch.webhook.secrets)
        return await self._send(batch.webhook.url, headers, message.body)

    def _commit(self, batch: DeliveryBatch) -> float:
        """Write what came of the batch; returns when to make the next pass.

        If nothing was sent, the position is only kept in memory: writing it for each entry would hold up those who
        record.
        """
        now = self._read(lambda view: view.now())
        state, dead = settle(batch.state, batch.deliveries, batch.results, now, self._jitter())
        if state != batch.before:
            documents = [
                *(StoredDocument(DEAD_DELIVERY, dead_id(self.webhook, seq), "") for seq in batch.revived),
                *(stored_struct(DEAD_DELIVERY, dead_id(self.webhook, each.seq), each) for each in dead),
                stored_struct(WEBHOOK_STATE, self.webhook.key, state),
            ]
            if not self._follower.advance(batch.position, documents):
                self._position = None
                return RENEW_SECONDS
            self._renewed = monotonic()
            self._log(batch, [each.seq for each in dead])
        has_moved = bool(batch.results) or batch.position != self._position  # else it waits for what is held
        self._position = batch.position
        is_last = batch.is_last and not state.reviving
        if has_moved and not (is_last or state.disabled or state.paused > now):
            return 0.0
        due = next_due(state)
        if due is None or state.disabled:
            return RENEW_SECONDS
        return max(0.0, min(RENEW_SECONDS, (due - now) / SECOND))

    def _log(self, batch: DeliveryBatch, given_up: list[int]) -> None:
        for seq, result in batch.results.items():
            event = "given up" if seq in given_up else "not delivered"
            is_done = result.verdict == "delivered"
            log_event(
                log,
                logging.DEBUG if is_done else logging.WARNING,
                "delivered" if is_done else event,
                journal=self._context.journal,
                webhook=self.webhook.name,
                entry=seq,
                message=batch.messages[seq].id,
                problem=result.error,
            )

    def _read(self, work: Callable[[View], T]) -> T:
        return self._context.store.read(self._context.journal, work)
