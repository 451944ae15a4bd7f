"""The JSON Schema of messages, and examples of them: what docs/reference shows, and the tests check."""

from typing import Any

from msgspec import json

from tallystick.core.entries import KINDS, Unreadable
from tallystick.operations.views.entries import EntryView
from tallystick.outbound.webhooks.messages import WebhookMessage, message_body, message_type

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"
PUBLIC_URL = "https://tallystick.example.org"
_COMMON: dict[str, Any] = {
    "witness": "claimed",
    "hash": "s1:" + "x" * 43,
    "session": "se_a1yc",
    "execution_id": "ex_a5q7",
}
_ENTRIES = (
    EntryView(
        seq=5,
        id="ex_a5q7",
        at="2026-11-18T16:40:02.512Z",
        kind="execution_started",
        actor="bo",
        body={"title": "Move the site"},
        **_COMMON,
    ),
    EntryView(
        seq=7,
        id="ac_a6tz",
        at="2026-11-18T16:40:12.114Z",
        kind="action_ended",
        actor="bo",
        facts={"outcome": "failed"},
        body={"error": "No space left on device"},
        **_COMMON,
    ),
    EntryView(
        seq=8,
        id="ap_a8k3",
        at="2026-11-18T16:40:15.930Z",
        kind="approval_requested",
        actor="bo",
        facts={"tool": "rm"},
        body={"question": "Delete the old backups?"},
        **_COMMON,
    ),
    EntryView(
        seq=9,
        id="jo_a9vd",
        at="2026-11-18T16:41:00.007Z",
        kind="webhook_tested",
        actor="ada",
        actor_kind="person",
        facts={"name": "ops", "credential": "ada"},
        **{**_COMMON, "execution_id": ""},
    ),
)


def message_schema() -> dict[str, Any]:
    """The JSON Schema of the body of a delivery, with all types that it can have."""
    schema = json.schema(WebhookMessage)
    types = [message_type(kind) for kind in KINDS if kind != Unreadable.KIND]
    schema["$defs"]["WebhookMessage"]["properties"]["type"] = {"type": "string", "examples": types}
    return {"$schema": SCHEMA_DIALECT, "title": "The message of a webhook", **schema}


def example_messages() -> list[dict[str, Any]]:
    """Messages as they are sent."""
    return [json.decode(message_body(entry, "site", PUBLIC_URL)) for entry in _ENTRIES]
