"""Operations as routes: arguments from path, query and body, results and errors as in every interface."""

import httpx2
import pytest

from tallystick.interfaces.rest.routing import route_of
from tallystick.operations import CATALOGUE
from tests.interfaces.rest.rest_server import StoreServer


def start(client: httpx2.Client, **arguments: object) -> str:
    answer = client.post("/v1/executions", json={"title": "Move the server", **arguments})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def test_a_record_is_answered_with_its_receipt(client: httpx2.Client) -> None:
    receipt = client.post("/v1/executions", json={"title": "Move"}).json()
    assert receipt["id"].startswith("ex_")
    assert receipt["status"] == "running"


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
    assert answer.json()["next_call"] == {"operation": "record_execution_start", "arguments": {}}


def test_the_same_idempotency_key_is_the_same_record(client: httpx2.Client) -> None:
    first, again = (
        client.post("/v1/executions", json={"title": "x"}, headers={"Idempotency-Key": "k1"}).json() for _ in range(2)
    )
    assert again == {**first, "repeated": True}
    other = client.post("/v1/executions", json={"title": "y"}, headers={"Idempotency-Key": "k1"})
    assert (other.status_code, other.json()["code"]) == (409, "conflict")


def test_every_operation_has_a_route_of_its_own() -> None:
    routes = {(route.method, route.path) for route in map(route_of, CATALOGUE.values())}
    assert len(routes) == len(CATALOGUE)
