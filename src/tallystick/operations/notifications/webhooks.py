"""Webhooks: addresses that are told of entries as they are recorded. Only a person with the scope admin sets one."""

import os
import re
from base64 import b64encode
from collections.abc import Callable
from typing import Annotated, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from tallystick.core.entries import (
    KINDS,
    Entry,
    Facts,
    Unreadable,
    WebhookAdded,
    WebhookRemoved,
    WebhookReplayed,
    WebhookRotated,
    WebhookTested,
)
from tallystick.core.errors import InvalidArgument, UnknownHandle, WrongState, not_one_of
from tallystick.core.formats import times
from tallystick.core.types import Handle, Key, Name
from tallystick.operations.notifications.documents import (
    MAX_WEBHOOKS,
    WEBHOOK,
    Replay,
    SigningSecret,
    Webhook,
    WebhookFilter,
    delete_webhook,
    pending_replay,
    put_struct,
    read_dead,
    read_position,
    read_state,
    read_webhook,
    read_webhooks,
)
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Transaction, receipt_only
from tallystick.operations.runtime.paging import Cursor, Limit, Page
from tallystick.operations.runtime.receipts import Receipt
from tallystick.store.interface import View

SECRET_BYTES = 32
ROTATION_SECONDS = 86_400
"""How long the secret before signs too."""
MAX_SECRETS = 10
"""That sign at once: each is a signature in every delivery."""
NOTE = (
    "Plain http and addresses that are not public are delivered to only if whoever runs `serve` or `notify` allows it: "
)
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
_ADDRESS = re.compile(r"[!-~]{1,2000}")
_LOCAL_HOST = re.compile(r"[\d.:a-fx]+|[^.]+|.+\.(local|internal|lan|home\.arpa)")
"""Hosts that are rarely at a public address. Only the check at the connection counts."""
Change = Callable[[Webhook, View, int], Webhook]
"""From a webhook, the journal and the number of the entry that says so, to the changed webhook."""
WebhookName = Annotated[str, Meta(min_length=1, max_length=64, description="Small letters, digits, dots and dashes")]


class WebhookReceipt(Receipt, frozen=True, kw_only=True):
    """`secret` signs the deliveries. It is shown this once; a repeated call does not show it again."""

    name: str
    secret: str = ""
    notes: tuple[str, ...] = ()


class WebhookView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A webhook. Of its address only the host is shown: a path often is a secret.

    `behind` counts entries that were not looked at yet, `waiting` deliveries to be tried again, `dead` those that were
    given up. `delivering`: a process delivers now. `next_attempt`: when it tries again, while it is paused.
    """

    name: str
    host: str
    state: Literal["active", "paused", "disabled"]
    delivering: bool = False
    kinds: tuple[str, ...] = ()
    execution_id: str = ""
    task_id: str = ""
    tool: str = ""
    actor: str = ""
    needs_person: bool = False
    behind: int = 0
    waiting: int = 0
    dead: int = 0
    delivered: int = 0
    last_success: str = ""
    last_error: str = ""
    last_error_at: str = ""
    next_attempt: str = ""


class WebhookPage(Page, frozen=True, kw_only=True):
    webhooks: tuple[WebhookView, ...]


class DeadDeliveryView(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A delivery that was given up: of the entry `seq`, at `at`, after so many attempts."""

    seq: int
    attempts: int
    at: str
    error: str
    execution_id: str = ""


class DeadDeliveryPage(Page, frozen=True, kw_only=True):
    deliveries: tuple[DeadDeliveryView, ...]


@operation(
    "record",
    "POST /v1/webhooks",
    scope="admin",
    example={"name": "ops", "address": "https://example.org/hooks/ops", "needs_person": True},
)
def add_webhook(
    context: OperationContext,
    *,
    name: WebhookName,
    address: Annotated[str, Meta(max_length=2000, description="Where to send them, such as https://example.org/hooks")],
    kinds: Annotated[tuple[Name, ...], Meta(max_length=50, description="Only these kinds of entry")] = (),
    execution_id: Annotated[Handle | None, Meta(description="Only of this execution")] = None,
    task_id: Annotated[Name | None, Meta(description="Only what belongs to this task")] = None,
    tool: Annotated[Name | None, Meta(description="Only calls of this tool")] = None,
    actor: Annotated[Name | None, Meta(description="Only what this actor recorded")] = None,
    needs_person: Annotated[bool, Meta(description="Only what a person has to act on")] = False,
    key: Key | None = None,
) -> WebhookReceipt:
    """Send new entries to an address, signed, by the Standard Webhooks specification. Shows the secret once.

    `tallystick serve` or `tallystick notify` delivers: at least once, in order for each execution, from now on. With
    filters, only entries that fit all of them. needs_person: a question, an unknown outcome, a failed execution.
    """
    host = _checked_host(address)
    if not _NAME.fullmatch(name):
        raise InvalidArgument(f'"{name}" is no name of a webhook.', hint="Such as ops or chat-2.", field="name")
    known_kinds = [kind for kind in KINDS if kind != Unreadable.KIND]
    for kind in kinds:
        if kind not in known_kinds:
            raise not_one_of(kind, "kinds", known_kinds, what="a kind of entry")
    chosen = WebhookFilter(
        kinds=tuple(dict.fromkeys(kinds)),
        execution_id=execution_id or "",
        task_id=context.masked_name(task_id),
        tool=context.masked_name(tool),
        actor=context.masked_name(actor),
        needs_person=needs_person,
    )
    secret = new_secret()

    def work(transaction: Transaction) -> Entry:
        maker = context.require(transaction.ledger, "admin")
        if read_webhook(transaction.ledger, name):
            raise WrongState(f'There is a webhook "{name}" already.', hint="Remove it first, or choose a name.")
        if len(read_webhooks(transaction.ledger)) >= MAX_WEBHOOKS:
            raise WrongState(f"There are {MAX_WEBHOOKS} webhooks, as many as can be.", hint="Remove one first.")
        entry = transaction.write(WebhookAdded(name=name, host=host, credential=maker, **asdict(chosen)))
        made = Webhook(
            name=name, url=address, host=host, secrets=(SigningSecret(secret),), added=entry.seq, filter=chosen
        )
        put_struct(transaction.ledger, WEBHOOK, name, made)
        return entry

    def describe(view: View, receipt: Receipt) -> WebhookReceipt:
        shown = "" if receipt.repeated else secret
        return WebhookReceipt(**asdict(receipt), name=name, secret=shown, notes=_notes(address, host))

    content = ["webhook", name, address, list(kinds), execution_id, task_id, tool, actor, needs_person]
    return context.record(key, content, work, describe)


def new_secret() -> str:
    """A secret in the form of the Standard Webhooks specification."""
    return "whsec_" + b64encode(os.urandom(SECRET_BYTES)).decode()


def _checked_host(address: str) -> str:
    """The host and port of an address that may be one of a webhook."""
    hint = "Give a whole address such as https://example.org/hooks, in ASCII, without user, password and fragment."
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        raise InvalidArgument(f"The address is not valid: {error}.", hint=hint, field="address") from None
    is_plain = _ADDRESS.fullmatch(address) and not set(address) & set('\\"<>^`{|}')
    if not is_plain or parts.scheme not in ("http", "https") or not host or "%" in parts.netloc:
        raise InvalidArgument("The address is not one of http or https that can be used.", hint=hint, field="address")
    if "@" in parts.netloc or "#" in address:
        raise InvalidArgument("The address holds a user, a password or a fragment.", hint=hint, field="address")
    host = f"[{host}]" if ":" in host else host
    return f"{host}:{port}" if port else host


def _notes(address: str, host: str) -> tuple[str, ...]:
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    if address.startswith("https:") and not _LOCAL_HOST.fullmatch(name.strip("[]")):
        return ()
    return (f"{NOTE}--deliver-to {host}",)


@operation("record", "POST /v1/webhooks/{name}/rotation", scope="admin", example={"name": "ops"})
def rotate_webhook(context: OperationContext, *, name: WebhookName, key: Key | None = None) -> WebhookReceipt:
    """Give a webhook a new secret, which is shown once. For a day its deliveries carry the old signature too.

    Each secret signs for a day after it was replaced, also if there are several."""
    secret = new_secret()

    def change(webhook: Webhook, view: View, seq: int) -> Webhook:
        now = view.now()
        first, *others = webhook.secrets
        others = [each for each in others if each.until > now]
        if len(others) + 1 >= MAX_SECRETS:
            raise WrongState(
                f'"{name}" has {MAX_SECRETS} secrets, as many as can be: each signs for a day after it was replaced.',
                hint=f"Rotate it after {times.iso(others[-1].until)}, or remove it and add it again.",
            )
        first = replace(first, until=now + ROTATION_SECONDS * times.SECOND)
        return replace(webhook, secrets=(SigningSecret(secret), first, *others))

    def describe(view: View, receipt: Receipt) -> WebhookReceipt:
        return WebhookReceipt(**asdict(receipt), name=name, secret="" if receipt.repeated else secret)

    def work(transaction: Transaction) -> Entry:
        maker = context.require(transaction.ledger, "admin")
        return _change(transaction, name, WebhookRotated(name=name, credential=maker), change)

    return context.record(key, ["rotate webhook", name], work, describe)


@operation("record", "POST /v1/webhooks/{name}/test", scope="admin", example={"name": "ops"})
def test_webhook(
    context: OperationContext,
    *,
    name: WebhookName,
    key: Key | None = None,  # noqa: PT028  # it is no test
) -> Receipt:
    """Record an entry that is delivered to this webhook alone, as `webhook.test`. A paused one tries at once."""

    def work(transaction: Transaction) -> Entry:
        maker = context.require(transaction.ledger, "admin")
        webhook = _require_webhook(transaction.ledger, name)
        state = read_state(transaction.ledger, webhook)
        if state.disabled and not pending_replay(webhook, state).seq:
            raise WrongState(
                f'"{name}" is disabled: {state.disabled}.',
                hint="Let it go on first: replay_webhook(name).",
                next_call=("replay_webhook", {"name": name}),
            )
        facts = WebhookTested(name=name, credential=maker)
        return _ask_again(transaction, name, facts)

    return context.record(key, ["test webhook", name], work, receipt_only)


@operation("record", "POST /v1/webhooks/{name}/replay", scope="admin", example={"name": "ops", "since": 120})
def replay_webhook(
    context: OperationContext,
    *,
    name: WebhookName,
    since: Annotated[int, Meta(ge=0, le=2**40, description="From this entry on")] = 0,
    dead: Annotated[bool, Meta(description="What was given up after its last attempt")] = False,
    key: Key | None = None,
) -> Receipt:
    """Deliver again, with the same ids: from an entry on, or what was given up. With neither, try at once what waits.

    A webhook that was paused or disabled goes on. No call replaces an earlier one that was not begun yet.
    """
    if since and dead:
        raise InvalidArgument("since and dead were both given.", hint="Give one of them, or neither.", field="dead")

    def work(transaction: Transaction) -> Entry:
        maker = context.require(transaction.ledger, "admin")
        end = transaction.ledger.head().seq
        if since > end:
            raise InvalidArgument(f"There is no entry {since} yet.", hint=f"The newest is {end}.", field="since")
        facts = WebhookReplayed(name=name, since=since, dead=dead, credential=maker)
        return _ask_again(transaction, name, facts, since=since, dead=dead)

    return context.record(key, ["replay webhook", name, since, dead], work, receipt_only)


@operation("record", "POST /v1/webhooks/{name}/removal", scope="admin", example={"name": "ops"})
def remove_webhook(context: OperationContext, *, name: WebhookName, key: Key | None = None) -> Receipt:
    """Stop telling an address, and forget it with its secret, what waits and what was given up."""

    def work(transaction: Transaction) -> Entry:
        maker = context.require(transaction.ledger, "admin")
        delete_webhook(transaction.ledger, _require_webhook(transaction.ledger, name))
        return transaction.write(WebhookRemoved(name=name, credential=maker))

    return context.record(key, ["remove webhook", name], work, receipt_only)


@operation("read", "GET /v1/webhooks", scope="audit", example={})
def list_webhooks(context: OperationContext, *, limit: Limit = 50, cursor: Cursor = None) -> WebhookPage:
    """The webhooks by name: what they are for, how far they have come, their last success and error."""

    def work(view: View) -> WebhookPage:
        found = read_webhooks(view, after=cursor or "", limit=limit + 1)
        shown = tuple(_webhook_view(view, each) for each in found[:limit])
        return WebhookPage(webhooks=shown, next_cursor=shown[-1].name if len(found) > limit else "")

    return context.read(work)


@operation("read", "GET /v1/webhooks/{name}/dead", scope="audit", example={"name": "ops"})
def list_dead_deliveries(
    context: OperationContext, *, name: WebhookName, limit: Limit = 50, cursor: Cursor = None
) -> DeadDeliveryPage:
    """Deliveries that a webhook gave up after their last attempt. replay_webhook(name, dead=true) tries them again."""
    if cursor and not cursor.isdecimal():
        raise InvalidArgument(f'cursor "{cursor[:80]}" is not one.', hint="Use next_cursor.", field="cursor")

    def work(view: View) -> DeadDeliveryPage:
        webhook = _require_webhook(view, name)
        found = list(read_dead(view, webhook, after=int(cursor or 0), limit=limit + 1))
        shown = tuple(
            DeadDeliveryView(
                seq=each.seq,
                attempts=each.attempts,
                at=times.iso(each.at),
                error=each.error,
                execution_id=each.lane if each.lane.startswith("ex_") else "",
            )
            for each in found[:limit]
        )
        return DeadDeliveryPage(deliveries=shown, next_cursor=str(shown[-1].seq) if len(found) > limit else "")

    return context.read(work)


def _require_webhook(view: View, name: str) -> Webhook:
    found = read_webhook(view, name)
    if found:
        return found
    names = [each.name for each in read_webhooks(view)]
    hint = f"There are: {', '.join(names[:10])}." if names else "There are none: add_webhook(name, address)."
    raise UnknownHandle(f'There is no webhook "{name}".', hint=hint, field="name", allowed=names)


def _change(transaction: Transaction, name: str, facts: Facts, change: Change) -> Entry:
    """Record a change of a webhook, and write the changed document with it."""
    webhook = _require_webhook(transaction.ledger, name)
    entry = transaction.write(facts)
    put_struct(transaction.ledger, WEBHOOK, name, change(webhook, transaction.ledger, entry.seq))
    return entry


def _ask_again(transaction: Transaction, name: str, facts: Facts, *, since: int = 0, dead: bool = False) -> Entry:
    """Record a wish to deliver again, joined with those that no process has begun yet."""

    def change(webhook: Webhook, view: View, seq: int) -> Webhook:
        before = pending_replay(webhook, read_state(view, webhook))
        first = min(filter(None, (since, before.since)), default=0)
        return replace(webhook, replay=Replay(seq=seq, since=first, dead=dead or before.dead))

    return _change(transaction, name, facts, change)


def _webhook_view(view: View, webhook: Webhook) -> WebhookView:
    position, state, now = read_position(view, webhook), read_state(view, webhook), view.now()
    return WebhookView(
        name=webhook.name,
        host=webhook.host,
        state="active" if pending_replay(webhook, state).seq else state.word(now),
        delivering=position.is_held(now),
        **asdict(webhook.filter),
        behind=max(0, view.head().seq - position.seq),
        waiting=len(state.waiting),
        dead=state.dead,
        delivered=state.delivered,
        last_success=_time(state.succeeded_at),
        last_error=state.error,
        last_error_at=_time(state.error_at),
        next_attempt=_time(state.paused) if state.paused > now else "",
    )


def _time(micros: int) -> str:
    return times.iso(micros) if micros else ""
