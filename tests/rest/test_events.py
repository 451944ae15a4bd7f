"""The event stream: what lands is told, in order, and who was away misses nothing."""

import httpx2

from tests.rest.site import Shop
from tests.rest.streaming import stream


def note(client: httpx2.Client, text: str) -> int:
    return int(client.post("/v1/notes", json={"event": "other", "summary": text}).json()["seq"])


def test_a_stream_begins_now_and_tells_what_lands(client: httpx2.Client, site: Shop) -> None:
    note(client, "before")
    with site.client() as other, stream(other) as events:
        assert next(events).name == "caught_up"
        seq = note(client, "after")
        event = next(events)
    assert (event.id, event.name, event.data["seq"]) == (str(seq), "session_noted", seq)
    assert event.data["body"]["summary"] == "after"


def test_a_stream_goes_on_behind_the_last_event(client: httpx2.Client, site: Shop) -> None:
    first = note(client, "0")
    records = [{"operation": "record_note", "arguments": {"event": "other", "summary": str(n)}} for n in range(250)]
    seqs = [each["seq"] for each in client.post("/v1/batches", json={"records": records}).json()["receipts"]]
    with site.client() as other, stream(other, last=first) as events:
        told = [next(events) for _ in range(251)]
    assert [event.data["seq"] for event in told[:-1]] == seqs
    assert (told[-1].name, told[-1].id) == ("caught_up", str(seqs[-1]))


def test_a_stream_tells_only_what_fits_its_filters(client: httpx2.Client, site: Shop) -> None:
    with site.client() as other, stream(other, after=0, kind="execution_started") as events:
        assert next(events).name == "caught_up"
        note(client, "not this")
        client.post("/v1/executions", json={"title": "this"})
        assert next(events).data["body"]["title"] == "this"


def test_wrong_filters_are_said_before_a_stream_begins(client: httpx2.Client) -> None:
    for query, field in (("kind=nope", "kind"), ("limit=3", "limit"), ("execution_id=ex_no", "execution_id")):
        answer = client.get(f"/events?{query}")
        assert answer.status_code in (400, 404)
        assert answer.json()["field"] == field
    assert client.get("/events", headers={"Last-Event-ID": "x"}).json()["field"] == "last-event-id"
