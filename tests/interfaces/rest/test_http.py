"""HTTP itself: methods, media types, ETags, sizes."""

from concurrent.futures import ThreadPoolExecutor
from threading import current_thread
from typing import Any

import httpx2
import pytest

from tallystick.interfaces.rest import dispatch
from tallystick.interfaces.rest.endpoints import MAX_BODY_BYTES
from tallystick.operations import CATALOGUE
from tests.interfaces.rest.rest_server import StoreServer

JSON = {"content-type": "application/json"}


def test_an_unchanged_read_returns_304(client: httpx2.Client) -> None:
    first = client.get("/v1/executions")
    tag = first.headers["etag"]
    assert tag.startswith('W/"')
    again = client.get("/v1/executions", headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    client.post("/v1/executions", json={"title": "new"})
    assert client.get("/v1/executions", headers={"If-None-Match": tag}).status_code == 200


@pytest.fixture
def reading_threads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of the thread of each reading of entries that follows."""
    operation, names = CATALOGUE["read_entries"], list[str]()
    read = operation.function

    def noted(*args: Any, **more: Any) -> Any:
        names.append(current_thread().name)
        return read(*args, **more)

    monkeypatch.setattr(operation, "function", noted)
    return names


def test_a_page_of_entries_that_did_not_change_is_answered_from_the_head(
    client: httpx2.Client, reading_threads: list[str]
) -> None:
    client.post("/v1/executions", json={"title": "first"})
    tag = client.get("/v1/entries").headers["etag"]
    known = {"If-None-Match": tag}
    assert [client.get("/v1/entries", headers=known).status_code for _ in range(3)] == [304] * 3
    assert len(reading_threads) == 2  # the page, and the first time that a client had it already
    assert client.get("/v1/entries?limit=1", headers=known).status_code == 200
    client.post("/v1/executions", json={"title": "second"})
    changed = client.get("/v1/entries", headers=known)
    assert (changed.status_code, len(changed.json()["entries"])) == (200, 3)


def test_a_page_that_depends_on_the_clock_is_read_each_time(client: httpx2.Client, reading_threads: list[str]) -> None:
    tag = client.get("/v1/entries?since=1h").headers["etag"]
    for _ in range(3):
        assert client.get("/v1/entries?since=1h", headers={"If-None-Match": tag}).status_code == 304
    assert len(reading_threads) == 4


def test_a_short_read_takes_no_thread_until_one_was_slow(
    client: httpx2.Client, reading_threads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/v1/entries?limit=10")
    client.get("/v1/entries?limit=10&kind=action_ended")
    monkeypatch.setattr(dispatch, "SLOW_SECONDS", -1.0)
    client.get("/v1/entries?limit=10")
    client.get("/v1/entries?limit=10")
    in_threads = [name.startswith("tallystick-rest-reader") for name in reading_threads]
    assert in_threads == [False, True, False, True]


def test_a_wrong_method_gets_the_allowed_ones(client: httpx2.Client) -> None:
    answer = client.delete("/v1/executions")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, POST, OPTIONS")
    assert answer.headers["content-type"] == "application/problem+json"
    options = client.options("/v1/executions")
    assert (options.status_code, options.headers["allow"]) == (204, "GET, HEAD, POST, OPTIONS")


def test_head_is_get_without_its_body(client: httpx2.Client) -> None:
    got, headed = client.get("/v1/executions"), client.head("/v1/executions")
    assert (headed.status_code, headed.content) == (200, b"")
    assert headed.headers["etag"] == got.headers["etag"]
    assert client.head("/events").status_code == 200


def test_an_unknown_path_is_a_problem_too(client: httpx2.Client) -> None:
    answer = client.get("/v1/nothing/here")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_handle")


@pytest.mark.parametrize("path", ["/v1/context/a%0Ab%0A", "/v1/credentials/%0A/revocation", "/v1/%0A", "/v1/plans/%0A"])
def test_a_line_break_in_a_path_is_answered_as_anything_else(client: httpx2.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.headers["content-type"] == "application/problem+json", answer.text


def test_a_body_of_another_kind_is_refused(client: httpx2.Client) -> None:
    answer = client.post("/v1/executions", content="title=x", headers={"content-type": "text/plain"})
    assert (answer.status_code, answer.headers["accept-post"]) == (415, "application/json")
    assert client.post("/v1/executions", content=b"{}").status_code == 415


def test_no_body_is_an_empty_one(client: httpx2.Client) -> None:
    assert client.post("/v1/executions").status_code == 201


REFUSED: dict[str, tuple[bytes, int]] = {
    "a name twice": (b'{"title": "a", "title": "b"}', 400),
    "no number": (b'{"title": NaN}', 400),
    "a list": (b'["title"]', 400),
    "cut off": (b"{", 400),
    "not UTF-8": (b'{"title": "\xff"}', 400),
    "a NUL": (b'{"title": "\\u0000"}', 400),
    "a lone surrogate": (b'{"title": "\\ud800"}', 400),
    "very deep": (b'{"title": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 413),
    "too deep for a record": (b'{"phase": "note", "arguments": ' + b'{"a":' * 70 + b"1" + b"}" * 70 + b"}", 413),
    "too large": (b'{"title": "' + b"a" * MAX_BODY_BYTES + b'"}', 413),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_body_that_cannot_be_stored_is_rejected_with_a_reason(client: httpx2.Client, what: str) -> None:
    body, status = REFUSED[what]
    path = "/v1/actions" if b"phase" in body else "/v1/executions"
    answer = client.post(path, content=body, headers=JSON)
    assert answer.status_code == status, answer.text
    assert answer.json()["hint"]
    assert client.get("/v1/executions").json()["executions"] == []


def test_a_value_that_matches_the_schema_and_is_not_allowed_gets_422(client: httpx2.Client) -> None:
    answer = client.get("/v1/entries", params={"kind": "nonsense"})
    assert (answer.status_code, answer.json()["field"]) == (422, "kind")


def test_a_path_is_not_contradicted_by_the_body(client: httpx2.Client) -> None:
    answer = client.post("/v1/plans/pl_1/retirement", json={"plan_id": "pl_2", "status": "archived", "reason": "x"})
    assert (answer.status_code, answer.json()["field"]) == (400, "plan_id")


def test_a_long_poll_returns_with_the_next_entry_and_delays_no_other_request(
    client: httpx2.Client, server: StoreServer
) -> None:
    with ThreadPoolExecutor(80) as threads, server.client() as other:
        query = {"after": 2, "wait_seconds": 60}
        polls = [threads.submit(other.get, "/v1/entries", params=query) for _ in range(80)]
        client.post("/v1/executions", json={"title": "x"})
        client.post("/v1/executions", json={"title": "y"})
        entries_read = [poll.result().json()["entries"] for poll in polls]
    assert {entries[0]["seq"] for entries in entries_read} == {3}
