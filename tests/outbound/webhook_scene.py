"""A journal with a webhook, an endpoint that answers by a script, and a process that delivers, on an injected clock."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from standardwebhooks import Webhook as Verifier

from tallystick import Actor, Journal
from tallystick.operations.notifications.documents import Webhook, read_webhook
from tallystick.operations.notifications.webhooks import WebhookView
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.outbound.webhooks.delivery import WebhookDelivery
from tallystick.outbound.webhooks.sender import SendResult
from tallystick.settings import Settings
from tests.drivers import Local
from tests.stores import AnyStore, Clock

JOURNAL = "j"
URL = "https://hooks.example/secret-path?token=secret-token"
DELIVERED = SendResult("delivered")
AWAY = SendResult("away", "status 503")
REJECTED = SendResult("rejected", "status 400")
GONE = SendResult("gone", "status 410")


class Received(Struct, frozen=True):
    """A message as it arrived, with the answer that it got."""

    id: str
    type: str
    data: dict[str, Any]
    headers: dict[str, str]
    body: bytes
    answer: SendResult

    @property
    def seq(self) -> int:
        return int(self.data["seq"])


class Endpoint:
    """Verifies what it receives, and answers by `answer`."""

    def __init__(self, *secrets: str) -> None:
        self.secrets = list(secrets)
        self.received: list[Received] = []
        self.answer: Callable[[dict[str, Any]], SendResult] = lambda data: DELIVERED

    async def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> SendResult:
        assert url == URL
        message = json.loads(body)
        answer = self.answer(message["data"])
        given = dict(headers)
        self.received.append(Received(given["webhook-id"], message["type"], message["data"], given, body, answer))
        return answer

    @property
    def delivered(self) -> list[Received]:
        return [each for each in self.received if each.answer.verdict == "delivered"]

    def seqs(self) -> list[int]:
        """The entries that were delivered, as often as they were."""
        return [each.seq for each in self.delivered]


def is_signed_with(message: Received, secret: str) -> bool:
    """Whether the official package would sign the message so, whatever the time is."""
    at = datetime.fromtimestamp(int(message.headers["webhook-timestamp"]), tz=UTC)
    expected = Verifier(secret).sign(message.id, at, message.body.decode())
    return expected in message.headers["webhook-signature"].split(" ")


class Scene:
    """One journal, its administrator `ada`, an agent, and a webhook `ops`."""

    def __init__(self, store: AnyStore, clock: Clock, **filters: Any) -> None:
        self.store, self.clock = store, clock
        self.agent = self.person("agent", kind="agent")
        self.admin = self.person("ada", credential=self.agent.add_credential(name="ada").secret)
        added = self.admin.add_webhook(name="ops", address=URL, **filters)
        self.added, self.secret = added.seq, added.secret
        self.endpoint = Endpoint()

    def context(self, **principal: Any) -> OperationContext:
        return OperationContext(self.store, Settings(url="", journal=JOURNAL, actor="agent"), Principal(**principal))

    def person(self, name: str, kind: Any = "person", credential: str = "") -> Journal:
        return Journal(Local(self.context(actor=Actor(kind=kind, name=name), credential=credential)))

    @property
    def webhook(self) -> Webhook:
        found = self.store.read(JOURNAL, lambda view: read_webhook(view, "ops"))
        assert found
        return found

    def process(self, **options: Any) -> WebhookDelivery:
        """A process that delivers, without jitter."""
        return WebhookDelivery(self.context(), self.webhook, self.endpoint, jitter=lambda: 1.0, **options)

    @property
    def listed(self) -> WebhookView:
        return self.listed_named("ops")

    def listed_named(self, name: str) -> WebhookView:
        (found,) = (each for each in self.agent.list_webhooks().webhooks if each.name == name)
        return found

    def execution(self, title: str = "work", **more: Any) -> str:
        return self.agent.record_execution_start(title=title, **more).id

    def note(self, execution: str, summary: str = "so it is") -> int:
        return self.agent.record_action(phase="note", summary=summary, execution_id=execution).seq


def deliver(process: WebhookDelivery) -> float:
    """Make passes until there is nothing more to do now; returns after how many seconds there is."""
    while (wait := run_pass(process)) == 0:
        pass
    assert wait is not None
    return wait


def run_pass(process: WebhookDelivery) -> float | None:
    return asyncio.run(process.run_once())


def run_pass_and_die(process: WebhookDelivery) -> None:
    """A pass of a process that is killed when it has delivered, before it writes how far it has come."""

    def die(batch: Any) -> float:
        raise KeyboardInterrupt

    process._commit = die  # type: ignore[method-assign]
    with suppress(KeyboardInterrupt):
        run_pass(process)
