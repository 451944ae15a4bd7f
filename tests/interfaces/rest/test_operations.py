"""Operations as routes: arguments from path, query and body, results and errors as in every interface."""

from typing import Any

import httpx2
import pytest

from tallystick.interfaces.rest.routing import route_of
from tallystick.operations import CATALOGUE
from tests.interfaces.rest.rest_server import StoreServer

STEP = {"title": "one", "cancellable": "reversible", "undo": "take it back"}


def start(client: httpx2.Client, **arguments: object) -> str:
    answer = client.post("/v1/executions", json={"title": "Move the server", **arguments})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_a_record_is_answered_with_its_receipt(client: httpx2.Client) -> None:
    receipt = client.post("/v1/executions", json={"title": "Move"}).json()
    assert receipt["id"].startswith("ex_")
    assert receipt["status"] == "running"


def test_a_record_that_creates_is_201_with_an_address_that_can_be_read(client: httpx2.Client) -> None:
    bodies: dict[str, dict[str, object]] = {
        "/v1/plans": {"title": "p", "steps": [STEP]},
        "/v1/executions": {"title": "x"},
        "/v1/actions": {"phase": "begin", "tool": "cp"},
        "/v1/approvals": {"question": "?"},
    }
    for path, body in bodies.items():
        answer = client.post(path, json=body)
        id = answer.json()["id"]
        assert (answer.status_code, answer.headers["location"]) == (201, f"{path}/{id}")
        read = client.get(answer.headers["location"])
        assert (read.status_code, read.json()["id"]) == (200, id)


def test_a_record_without_an_address_of_its_own_has_that_of_its_entries(client: httpx2.Client) -> None:
    start(client)
    records = [{"operation": "record_note", "arguments": {"event": "other", "summary": str(n)}} for n in range(3)]
    bodies: dict[str, dict[str, object]] = {
        "/v1/decisions": {"decision": "continue", "why": "so"},
        "/v1/context": {"key": "k", "value": 1},
        "/v1/notes": {"event": "other", "summary": "hi"},
        "/v1/sessions": {"name": "mine"},
        "/v1/batches": {"records": records},
    }
    for path, body in bodies.items():
        answer = client.post(path, json=body)
        receipt = answer.json()
        entries = client.get(answer.headers["location"]).json()["entries"]
        assert answer.status_code == 201
        assert [each["seq"] for each in entries] == [each["seq"] for each in receipt.get("receipts", [receipt])]


def test_a_finished_action_an_undo_and_a_note_are_201(client: httpx2.Client) -> None:
    start(client)

    def record(**body: object) -> tuple[dict[str, Any], dict[str, Any]]:
        answers = [client.post("/v1/actions", json=body, headers={"idempotency-key": str(body)}) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [201, 200]
        assert answers[0].headers["location"] == answers[1].headers["location"]
        return answers[0].json(), client.get(answers[0].headers["location"]).json()

    done, shown = record(phase="done", tool="cp", summary="copied", outcome="ok", undo="delete it")
    assert (shown["id"], shown["state"]) == (done["id"], "ok")
    undone, shown = record(phase="done", kind="undo", undoes=done["id"], summary="deleted", outcome="ok")
    assert (shown["id"], shown["kind"]) == (undone["id"], "undo")
    for about in ({}, {"action_id": done["id"]}):
        note, shown = record(phase="note", summary="it was a test", **about)
        assert [entry["seq"] for entry in shown["entries"]] == [note["seq"]]


def test_a_record_that_creates_nothing_new_is_200(client: httpx2.Client) -> None:
    start(client)
    action = client.post("/v1/actions", json={"phase": "begin", "tool": "cp"}).json()["id"]
    ended = client.post("/v1/actions", json={"phase": "end", "action_id": action, "outcome": "ok"})
    assert (ended.status_code, ended.headers.get("location")) == (200, None)
    plan = client.post("/v1/plans", json={"title": "p", "steps": [STEP]}).json()["id"]
    revised = {"title": "p", "steps": [{**STEP, "title": "two"}], "plan_id": plan, "reason": "better"}
    assert client.post("/v1/plans", json=revised).status_code == 200
    assert client.post(f"/v1/plans/{plan}/retirement", json={"status": "archived", "reason": "x"}).status_code == 200
    first, again = (client.post("/v1/sessions", json={"name": "mine"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert client.post(f"/v1/sessions/{first.json()['id']}/lease", json={}).status_code == 200


def test_the_address_is_in_the_journal_that_the_query_names(client: httpx2.Client) -> None:
    made = [client.post("/v1/executions?journal=other%26one", json={"title": "there"})]
    made.append(client.post("/v1/context?journal=other%26one", json={"key": "k", "value": 1}))
    for answer in made:
        assert answer.headers["location"].endswith("journal=other%26one")
        assert client.get(answer.headers["location"]).status_code == 200


@pytest.mark.parametrize(
    ("form", "media_type", "begins"),
    [
        ("markdown", "text/markdown; charset=utf-8", "# "),
        ("html", "text/html; charset=utf-8", "<!doctype html>"),
        ("csv", "text/csv; charset=utf-8", '"seq",'),
        ("jsonl", "application/jsonl; charset=utf-8", '{"'),
    ],
)
def test_a_report_comes_in_its_own_media_type(client: httpx2.Client, form: str, media_type: str, begins: str) -> None:
    id = start(client)
    path, plain = f"/v1/executions/{id}/report?form={form}", media_type.partition(";")[0]
    for accept in ("*/*", f"{plain}, application/json;q=0.5", "application/json;q=0", ""):
        answer = client.get(path, headers={"accept": accept})
        assert (answer.headers["content-type"], answer.headers["vary"]) == (media_type, "accept")
        assert answer.text.startswith(begins)
    assert answer.headers["content-disposition"].startswith(f'inline; filename="{id}.')
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    tag = {"If-None-Match": answer.headers["etag"]}
    assert client.get(path, headers=tag).status_code == 304
    for accept in ("application/json", "application/json, text/plain, */*"):
        whole = client.get(path, headers={"accept": accept})
        assert whole.headers["content-type"] == "application/json"
        assert (whole.json()["media_type"], whole.json()["text"]) == (media_type, answer.text)


def test_a_wrong_form_of_a_report_is_a_problem(client: httpx2.Client) -> None:
    answer = client.get(f"/v1/executions/{start(client)}/report?form=pdf")
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")


def test_defaults_refer_to_the_actor_s_own_session(client: httpx2.Client, server: StoreServer) -> None:
    with server.client(tallystick_actor="other") as other:
        mine, theirs = start(client), start(other)
        assert client.post("/v1/actions", json={"phase": "note", "summary": "hi"}).json()["execution_id"] == mine
        assert other.post("/v1/actions", json={"phase": "note", "summary": "hi"}).json()["execution_id"] == theirs
        assert client.get("/v1/executions/-/status").json()["execution"]["id"] == mine


def test_arguments_stand_in_the_path_and_the_query(client: httpx2.Client) -> None:
    id = start(client)
    client.post("/v1/context", json={"key": "a/b c?", "value": {"n": 1}, "execution_id": id})
    assert client.get("/v1/context/a%2Fb%20c%3F", params={"execution_id": id, "limit": 5}).json()["values"][0][
        "value"
    ] == {"n": 1}
    entries = client.get("/v1/entries", params={"newest_first": "true", "limit": 2}).json()["entries"]
    assert [entry["kind"] for entry in entries] == ["context_recorded", "execution_started"]


@pytest.mark.parametrize(
    ("query", "field"),
    [("limit=0", "limit"), ("limit=x", "limit"), ("newest_first=1", "newest_first"), ("kindd=x", "kindd")],
)
def test_a_mistake_is_a_problem_that_names_its_field(client: httpx2.Client, query: str, field: str) -> None:
    answer = client.get(f"/v1/entries?{query}")
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["code"], problem["field"], problem["status"]) == ("invalid_argument", field, 400)


def test_an_unknown_handle_is_404_and_existing_ones_are_named(client: httpx2.Client) -> None:
    id = start(client)
    answer = client.get("/v1/executions/ex_nope/status")
    assert answer.status_code == 404
    assert answer.json()["allowed"] == [id]


def test_the_next_call_is_part_of_a_problem(client: httpx2.Client) -> None:
    answer = client.get("/v1/executions/-/status")
    assert answer.json()["next_call"] == {"operation": "record_execution_start", "arguments": {"title": "..."}}


def test_the_same_idempotency_key_is_the_same_record(client: httpx2.Client) -> None:
    first, again = (
        client.post("/v1/executions", json={"title": "x"}, headers={"Idempotency-Key": "k1"}) for _ in range(2)
    )
    assert again.json() == {**first.json(), "repeated": True}
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["location"] == first.headers["location"]
    other = client.post("/v1/executions", json={"title": "y"}, headers={"Idempotency-Key": "k1"})
    assert (other.status_code, other.json()["code"]) == (409, "conflict")


def test_every_operation_has_a_route_of_its_own() -> None:
    routes = {(route.method, route.path) for route in map(route_of, CATALOGUE.values())}
    assert len(routes) == len(CATALOGUE)
