"""The message of an entry: its type, its size, and signatures that the official package verifies."""

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from tallystick.core.entries import KINDS
from tallystick.operations.notifications.documents import SigningSecret
from tallystick.operations.notifications.webhooks import new_secret
from tallystick.operations.views.entries import EntryView
from tallystick.outbound.webhooks.messages import MAX_MESSAGE_BYTES, message_body, message_type, signed_headers

SECOND = 1_000_000


def entry(id: str = "ac_a5z9", **more: Any) -> EntryView:
    fields = {"at": "2026-11-18T16:00:00.000Z", "kind": "action_ended", "actor": "ada", "witness": "claimed"}
    return EntryView(**{"seq": 5, "id": id, "hash": "s1:x", **fields, **more})


def test_the_official_package_verifies_a_message_and_no_other() -> None:
    secret, other = new_secret(), new_secret()
    body, now = message_body(entry(body={"summary": "ümläut \u2028 \\"}), "j"), int(time.time() * SECOND)
    headers = signed_headers("msg_1", now, body, [SigningSecret(secret)])
    message = Verifier(secret).verify(body, headers)
    assert (message["type"], message["data"]["seq"], message["data"]["journal"]) == ("action.ended", 5, "j")
    for changed, with_headers, key in (
        (body + b" ", headers, secret),
        (body, {**headers, "webhook-id": "msg_2"}, secret),
        (body, {**headers, "webhook-timestamp": str(now // SECOND + 1)}, secret),
        (body, headers, other),
    ):
        with pytest.raises(WebhookVerificationError, match="No matching signature"):
            Verifier(key).verify(changed, with_headers)


def test_a_signature_is_the_one_of_the_specification() -> None:
    # From the reference of the specification: id, timestamp, body and what its libraries sign them as.
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    headers = signed_headers("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330 * SECOND, body, [SigningSecret(secret)])
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_during_a_rotation_both_secrets_sign_and_afterwards_the_new_one() -> None:
    new, old = new_secret(), new_secret()
    body, now = message_body(entry(), "j"), int(time.time() * SECOND)
    secrets = [SigningSecret(new), SigningSecret(old, now + 1)]
    both = signed_headers("msg_1", now, body, secrets)
    assert Verifier(new).verify(body, both) == Verifier(old).verify(body, both)
    after = signed_headers("msg_1", now + 1, body, secrets)
    assert Verifier(new).verify(body, after)
    with pytest.raises(WebhookVerificationError):
        Verifier(old).verify(body, after)


def test_the_type_of_a_message_follows_from_the_kind_of_entry() -> None:
    types = {kind: message_type(kind) for kind in KINDS}
    assert types["action_ended"] == "action.ended"
    assert types["execution_started"] == "execution.started"
    assert types["webhook_tested"] == "webhook.test"
    assert len(set(types.values())) == len(types)


@pytest.mark.parametrize(
    "parts",
    [
        {"body": {"summary": "x" * 1_000_000}},
        {"body": {"result": [{"line": "\u20ac" * 50} for _ in range(5000)]}},
        {"body": {"result": {f"name {number}": number for number in range(50_000)}}},
        {"body": {"x" * 30_000: 1}},
        {"facts": {"seqs": list(range(100_000))}},
        {"facts": {"steps": [{"id": f"s{number}", "after": ["a"] * 30} for number in range(3000)]}},
        {"body": {"arguments": [[[["deep"] * 20] * 20] * 20] * 20}},
    ],
)
def test_a_large_entry_is_cut_to_fit_and_says_so(parts: dict[str, Any]) -> None:
    body = message_body(entry(key="k" * 200, actor="a" * 200, **parts), "j" * 200, "https://page.example")
    assert len(body) <= MAX_MESSAGE_BYTES
    data = json.loads(body)["data"]
    assert data["cut"] is True
    assert (data["seq"], data["id"], data["kind"]) == (5, "ac_a5z9", "action_ended")
    assert len(body) > 300


def test_a_small_entry_is_sent_as_rest_shows_it() -> None:
    shown = entry(body={"result": {"a": [1, 2.5, None, "x" * 3000]}}, facts={"outcome": "ok"}, execution_id="ex_1")
    message = json.loads(message_body(shown, "j"))
    data = message["data"]
    assert (data.pop("journal"), "cut" in data, "link" in data) == ("j", False, False)
    assert data["body"] == {"result": {"a": [1, 2.5, None, "x" * 3000]}}
    assert message["timestamp"] == data["at"]
    assert datetime.fromisoformat(message["timestamp"]).tzinfo == UTC


@pytest.mark.parametrize(
    ("about", "path"),
    [
        ({"id": "ac_1", "execution_id": "ex_1"}, "/x/ex_1"),
        ({"id": "ex_1"}, "/x/ex_1"),
        ({"id": "ap_1", "execution_id": "ex_1"}, "/approvals/ap_1"),
        ({"id": "pl_1"}, "/plans/pl_1"),
        ({"id": "jo_1"}, "/"),
    ],
)
def test_a_message_links_to_the_page_about_it(about: dict[str, str], path: str) -> None:
    message = json.loads(message_body(entry(**about), "a b/c", "https://page.example/base/"))
    assert message["data"]["link"] == f"https://page.example/base{path}?journal=a%20b%2Fc"
