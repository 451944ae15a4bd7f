"""The documents in which deliveries keep their state: addresses, secrets, positions, attempts; never recorded text.

An operation writes a `Webhook`, and the process that delivers writes its `Position`, `WebhookState` and
`DeadDelivery`: none of them overwrites what the other wrote.
"""

from collections.abc import Iterator
from typing import Literal, TypeVar

from msgspec import Struct, json

from tallystick.store.interface import Ledger, StoredDocument, View

S = TypeVar("S", bound=Struct)

POSITION = "position"
WEBHOOK = "webhook"
WEBHOOK_STATE = "webhook_state"
DEAD_DELIVERY = "dead_delivery"
MAX_WEBHOOKS = 100
"""In one journal."""
MAX_DEAD = 1000
"""Of one webhook: then its deliveries wait, and none is given up any more."""


class Position(Struct, frozen=True, omit_defaults=True):
    """The last entry that was handled, and the process that may handle the next ones."""

    seq: int = 0
    holder: str = ""
    expires: int = 0
    seconds: float = 0.0

    def is_held(self, now: int) -> bool:
        """Whether the lease has not run out. One that ends later than it can was written by a wrong clock."""
        return now < self.expires <= now + int(self.seconds * 1_000_000)


class WebhookFilter(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The entries that a webhook is for: those that fit all that is given."""

    kinds: tuple[str, ...] = ()
    execution_id: str = ""
    task_id: str = ""
    tool: str = ""
    actor: str = ""
    needs_person: bool = False


class SigningSecret(Struct, frozen=True, omit_defaults=True):
    """A secret that signs until a time; 0 stands for ever."""

    text: str
    until: int = 0


class Replay(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A wish to deliver again, with the number of its entry: from `since` on, what is `dead`, or neither."""

    seq: int = 0
    since: int = 0
    dead: bool = False


class Webhook(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An address with its secrets, the newest first. `added` is the number of its entry."""

    name: str
    url: str
    host: str
    secrets: tuple[SigningSecret, ...]
    added: int
    filter: WebhookFilter = WebhookFilter()
    replay: Replay = Replay()

    @property
    def key(self) -> str:
        """Names it among all webhooks that the journal has ever had."""
        return f"{self.name}/{self.added}"


class Waiting(Struct, frozen=True, array_like=True):
    """A delivery that was not made yet: its entry, what it has to stay in order with, attempts, and the next time."""

    seq: int
    lane: str
    attempts: int = 0
    due: int = 0


class WebhookState(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How far a webhook has come. `failures` counts those of the endpoint in a row: it is left alone until `paused`.

    `refused`: its address is not allowed. `disabled`: why nothing is delivered any more. `replayed`: the last replay
    that was begun. `reviving`: what was given up is taken up again, as far as there is room. `delivered` and `failed`
    count attempts, `dead` what was given up and not replayed.
    """

    waiting: tuple[Waiting, ...] = ()
    failures: int = 0
    paused: int = 0
    refused: bool = False
    disabled: str = ""
    replayed: int = 0
    reviving: bool = False
    delivered: int = 0
    failed: int = 0
    dead: int = 0
    succeeded_at: int = 0
    error: str = ""
    error_at: int = 0

    def word(self, now: int) -> Literal["active", "paused", "disabled"]:
        if self.disabled:
            return "disabled"
        return "paused" if self.failures and self.paused > now else "active"


class DeadDelivery(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A delivery that was given up after its last attempt."""

    seq: int
    lane: str
    attempts: int
    at: int
    error: str


def read_document(view: View, kind: str, id: str, type: type[S]) -> S | None:
    found = view.document(kind, id)
    return json.decode(found, type=type) if found else None


def put_struct(ledger: Ledger, kind: str, id: str, content: Struct) -> None:
    ledger.put_document(kind, id, json.encode(content).decode())


def stored_struct(kind: str, id: str, content: Struct) -> StoredDocument:
    return StoredDocument(kind, id, json.encode(content).decode())


def read_webhook(view: View, name: str) -> Webhook | None:
    return read_document(view, WEBHOOK, name, Webhook)


def read_webhooks(view: View, *, after: str = "", limit: int = MAX_WEBHOOKS) -> list[Webhook]:
    """Webhooks in the order of their names, behind `after`."""
    return [json.decode(each.content, type=Webhook) for each in view.documents(WEBHOOK, after=after, limit=limit)]


def read_state(view: View, webhook: Webhook) -> WebhookState:
    return read_document(view, WEBHOOK_STATE, webhook.key, WebhookState) or WebhookState()


def pending_replay(webhook: Webhook, state: WebhookState) -> Replay:
    """All that was asked for and was not begun yet; its `seq` is 0 if that is nothing."""
    return webhook.replay if webhook.replay.seq > state.replayed else Replay()


def read_position(view: View, webhook: Webhook) -> Position:
    """The position of a webhook, which begins behind the entry that added it."""
    return read_document(view, POSITION, follower_name(webhook), Position) or Position(webhook.added)


def follower_name(webhook: Webhook) -> str:
    return f"webhook/{webhook.key}"


def dead_id(webhook: Webhook, seq: int) -> str:
    return f"{webhook.key}/{seq:016}"


def read_dead(view: View, webhook: Webhook, *, after: int = 0, limit: int) -> Iterator[DeadDelivery]:
    """What a webhook has given up, in the order of entries, behind an entry."""
    for each in view.documents(DEAD_DELIVERY, after=dead_id(webhook, after), limit=limit):
        if not each.id.startswith(f"{webhook.key}/"):
            return
        yield json.decode(each.content, type=DeadDelivery)


def delete_webhook(ledger: Ledger, webhook: Webhook) -> None:
    """Delete a webhook with all that is kept of it. The process that delivers notices when it next writes."""
    for each in list(read_dead(ledger, webhook, limit=MAX_DEAD)):
        ledger.put_document(DEAD_DELIVERY, dead_id(webhook, each.seq), "")
    ledger.put_document(WEBHOOK_STATE, webhook.key, "")
    ledger.put_document(POSITION, follower_name(webhook), "")
    ledger.put_document(WEBHOOK, webhook.name, "")
