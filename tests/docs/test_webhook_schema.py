"""The JSON Schema and the examples of webhooks: real messages are valid, and the official package verifies them."""

import json
import time

import jsonschema
from msgspec import to_builtins
from standardwebhooks import Webhook as Verifier

from tallystick.operations.notifications.documents import SigningSecret
from tallystick.operations.notifications.webhooks import new_secret
from tallystick.outbound.webhooks.messages import signed_headers
from tallystick.store.memory import MemoryStore
from tests.docs.test_examples import ROOT
from tests.outbound.webhook_scene import Scene, deliver
from tests.stores import Clock

REFERENCE = ROOT / "docs" / "reference"
SCHEMA = json.loads((REFERENCE / "webhook.schema.json").read_text())
EXAMPLES = json.loads((REFERENCE / "webhook.examples.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_examples_are_valid_and_verified_by_the_official_package() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    types = SCHEMA["$defs"]["WebhookMessage"]["properties"]["type"]["examples"]
    secret = new_secret()
    assert len(EXAMPLES) >= 4
    for example in EXAMPLES:
        VALIDATOR.validate(example)
        assert example["type"] in types
        body = json.dumps(example).encode()
        headers = signed_headers("msg_1", int(time.time() * 1_000_000), body, [SigningSecret(secret)])
        assert Verifier(secret).verify(body, headers) == example


def test_what_is_really_sent_is_valid(clock: Clock) -> None:
    scene = Scene(MemoryStore(clock), clock)
    execution = scene.execution("work", task_id="T-1")
    scene.agent.record_context(key="where", value={"eu": [1, None]})
    scene.note(execution, "x" * 100_000)
    scene.admin.decide_approval(approval_id=scene.agent.request_approval(question="Go on?").id, verdict="approve")
    scene.admin.test_webhook(name="ops")
    scene.agent.record_decision(decision="fail", why="no use", execution_id=execution)
    deliver(scene.process(public_url="https://page.example"))
    assert len(scene.endpoint.received) > 6
    for each in scene.endpoint.received:
        VALIDATOR.validate(to_builtins(json.loads(each.body)))
    assert not VALIDATOR.is_valid({**json.loads(scene.endpoint.received[0].body), "data": {"seq": "1"}})
