"""The event stream: entries are sent in order, and a client that reconnects misses nothing."""

from typing import Any

import httpx2
import pytest

from tallystick import Journal
from tallystick.interfaces.rest import events
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tests.interfaces.rest.rest_server import StoreServer
from tests.interfaces.rest.stream_client import stream


def note(client: httpx2.Client, text: str) -> int:
    return int(client.post("/v1/notes", json={"event": "other", "summary": text}).json()["seq"])


def test_a_stream_begins_at_the_end_and_sends_new_entries(client: httpx2.Client, server: StoreServer) -> None:
    note(client, "before")
    with server.client() as other, stream(other) as messages:
        assert next(messages).name == "caught_up"
        seq = note(client, "after")
        event = next(messages)
    assert (event.id, event.name, event.data["seq"]) == (str(seq), "session_noted", seq)
    assert event.data["body"]["summary"] == "after"


def test_a_stream_goes_on_behind_the_last_event(client: httpx2.Client, server: StoreServer) -> None:
    first = note(client, "0")
    records = [{"operation": "record_note", "arguments": {"event": "other", "summary": str(n)}} for n in range(250)]
    seqs = [each["seq"] for each in client.post("/v1/batches", json={"records": records}).json()["receipts"]]
    with server.client() as other, stream(other, last=first) as messages:
        found = [next(messages) for _ in range(251)]
    assert [event.data["seq"] for event in found[:-1]] == seqs
    assert (found[-1].name, found[-1].id) == ("caught_up", str(seqs[-1]))


@pytest.mark.parametrize("last", [100, 9_999_999_999_999])
def test_a_client_ahead_of_the_journal_gets_shorter_and_misses_nothing_more(
    client: httpx2.Client, server: StoreServer, last: int
) -> None:
    end = note(client, "the end of a copy that was restored")
    with (
        server.client() as other,
        server.client() as third,
        stream(other, last=last) as messages,
        stream(third, last=end) as ordinary,
    ):
        assert [(event.name, event.id, event.data) for event in (next(messages), next(messages))] == [
            ("shorter", str(end), {"last_seq": end}),
            ("caught_up", str(end), {"last_seq": end}),
        ]
        assert next(ordinary).name == "caught_up"
        seqs = [note(client, f"note {number}") for number in range(10)]
        for stream_ in (messages, ordinary):
            assert [next(stream_).data["seq"] for _ in seqs] == seqs


@pytest.mark.parametrize("filters", [{}, {"kind": "context_recorded"}])
def test_erased_text_is_not_sent_again_from_the_buffer(
    client: httpx2.Client, server: StoreServer, filters: dict[str, Any]
) -> None:
    with server.client() as other, stream(other, **filters) as messages:
        assert next(messages).name == "caught_up"
        seq = client.post("/v1/context", json={"key": "k", "value": "a word to be forgotten"}).json()["seq"]
        while "forgotten" not in str(next(messages).data):
            pass
        context = OperationContext(server.store, server.settings, Principal())
        secret = Journal(Local(context)).add_credential(name="ada").secret
        Journal(Local(context.for_principal(Principal(credential=secret)))).erase(seqs=(seq,), reason="asked")
        client.post("/v1/context", json={"key": "k", "value": "later"}).raise_for_status()
        while "later" not in str(next(messages).data):
            pass
        with server.client() as late, stream(late, last=seq - 1, **filters) as again:
            received = [next(again)]
            while received[-1].name != "caught_up":
                received.append(next(again))
    assert "forgotten" not in str([event.data for event in received])
    assert received[0].data["seq"] == seq


def test_a_stream_sends_only_entries_that_match_its_filters(client: httpx2.Client, server: StoreServer) -> None:
    with server.client() as other, stream(other, after=0, kind="execution_started") as messages:
        assert next(messages).name == "caught_up"
        note(client, "not this")
        client.post("/v1/executions", json={"title": "this"})
        assert next(messages).data["body"]["title"] == "this"


def test_wrong_filters_are_rejected_before_a_stream_begins(client: httpx2.Client) -> None:
    for query, field in (("kind=nope", "kind"), ("limit=3", "limit"), ("execution_id=ex_no", "execution_id")):
        answer = client.get(f"/events?{query}")
        assert answer.status_code in (400, 404)
        assert answer.json()["field"] == field
    assert client.get("/events", headers={"Last-Event-ID": "x"}).json()["field"] == "last-event-id"


def test_a_silent_stream_sends_heartbeats_with_its_position(
    client: httpx2.Client, server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.05)
    with server.client() as other, other.stream("GET", "/events", params={"kind": "execution_started"}) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "retry: 1000"
        end = note(client, "nothing that fits")
        assert next(line for line in lines if line == f"id: {end}")
        assert next(line for line in lines if line == ": still here")


def test_a_server_that_stops_ends_its_streams(server: StoreServer) -> None:
    with server.client() as other, stream(other) as messages:
        assert next(messages).name == "caught_up"
        server.stop()
        assert list(messages) == []
