"""The message of an entry: its type, body, id and signature, by the Standard Webhooks specification.

The body is made from the entry each time it is sent, and kept nowhere: what was erased in between does not leave.
"""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from msgspec import Struct, json
from msgspec.structs import asdict, replace

from tallystick.core.entries import APPROVAL, EXECUTION, PLAN, WebhookTested
from tallystick.operations.notifications.documents import SigningSecret
from tallystick.operations.views.entries import EntryView

MAX_MESSAGE_BYTES = 20_000
"""The specification asks for less than 20 KB."""
TEST = "webhook.test"
CUTS = ((4000, 200), (1000, 50), (200, 20), (40, 10))
"""The most characters of a text and the most items of a list, tried one after the other until a message is small."""


class WebhookEntry(EntryView, frozen=True, kw_only=True):
    """An entry as REST shows it, with its journal. Its texts were masked when they were recorded.

    `link` is the address of the page about it, if the operator said where the page is. `cut`: texts or lists of its
    facts or body are shorter than recorded.
    """

    journal: str
    link: str = ""
    cut: bool = False


class WebhookMessage(Struct, frozen=True, kw_only=True):
    """The body of a delivery. `type` is the kind of entry with dots, such as `action.ended`; `timestamp` its time."""

    type: str
    timestamp: str
    data: WebhookEntry


def message_type(kind: str) -> str:
    """`action_ended` is `action.ended`; a test is `webhook.test`."""
    return TEST if kind == WebhookTested.KIND else kind.replace("_", ".")


def message_body(entry: EntryView, journal: str, public_url: str = "") -> bytes:
    """The body of the message about an entry, cut to fit."""
    link = _link(entry, journal, public_url) if public_url else ""
    data = WebhookEntry(**asdict(entry), journal=journal, link=link)
    message = WebhookMessage(type=message_type(entry.kind), timestamp=entry.at, data=data)
    body = json.encode(message)
    cuts = iter(CUTS)
    while len(body) > MAX_MESSAGE_BYTES:
        characters, items = next(cuts, (0, 0))
        small = replace(
            data,
            facts=_shorten(data.facts, characters, items) if characters else {},
            body=_shorten(data.body, characters, items) if characters else None,
            cut=True,
        )
        body = json.encode(replace(message, data=small))
    return body


def _shorten(value: Any, characters: int, items: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= characters else f"{value[: characters - 1]}…"
    if isinstance(value, dict):
        return {name: _shorten(each, characters, items) for name, each in list(value.items())[:items]}
    if isinstance(value, list | tuple):
        return [_shorten(each, characters, items) for each in value[:items]]
    return value


def _link(entry: EntryView, journal: str, public_url: str) -> str:
    prefix = entry.id.partition("_")[0]
    execution = entry.execution_id or (entry.id if prefix == EXECUTION else "")
    if prefix == APPROVAL:
        path = f"/approvals/{entry.id}"
    elif execution:
        path = f"/x/{execution}"
    else:
        path = f"/plans/{entry.id}" if prefix == PLAN else "/"
    return f"{public_url.rstrip('/')}{path}?journal={quote(journal, safe='')}"


def signed_headers(id: str, at: int, body: bytes, secrets: Sequence[SigningSecret]) -> dict[str, str]:
    """The headers of a delivery at a time in microseconds: one signature for each secret that still signs."""
    seconds = at // 1_000_000
    signed = f"{id}.{seconds}.".encode() + body
    current = [each.text for each in secrets if not each.until or at < each.until]
    return {
        "webhook-id": id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(_signature(each, signed) for each in current),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = b64decode(secret.removeprefix("whsec_"))
    return f"v1,{b64encode(hmac.digest(key, signed, 'sha256')).decode()}"
