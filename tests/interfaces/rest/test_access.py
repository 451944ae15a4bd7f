"""Access control: scopes, the witness, and the actor."""

from collections.abc import Callable, Iterator
from typing import get_args

import httpx2
import pytest

from tallystick import Journal
from tallystick.core.types import Choice
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tests.drivers import Local
from tests.interfaces.rest.rest_server import StoreServer
from tests.interfaces.rest.test_operations import start

Holder = Callable[..., httpx2.Client]


@pytest.fixture
def holder(server: StoreServer) -> Iterator[Holder]:
    """A client with a credential of these scopes, made where the store is."""
    root = Journal(Local(OperationContext(server.store, server.settings, Principal())))
    admin = Journal(
        Local(
            OperationContext(
                server.store,
                server.settings,
                Principal(credential=root.add_credential(name="root", scopes=("admin",)).secret),
            )
        )
    )
    opened: list[httpx2.Client] = []

    def held(*scopes: str, **more: object) -> httpx2.Client:
        made = admin.add_credential(name=f"c{len(opened)}", scopes=scopes, **more)  # type: ignore[arg-type]
        opened.append(server.client(authorization=f"Bearer {made.secret}"))
        return opened[-1]

    yield held
    for client in opened:
        client.close()


def refused(answer: httpx2.Response) -> bool:
    if answer.status_code == 403:
        assert answer.json()["code"] == "not_permitted"
    return answer.status_code == 403


def test_each_scope_permits_exactly_its_operations(holder: Holder, client: httpx2.Client) -> None:
    start(client)
    calls: dict[str, Callable[[httpx2.Client], httpx2.Response]] = {
        "agent": lambda it: it.post("/v1/executions", json={}),
        "read": lambda it: it.get("/v1/executions"),
        "approve": lambda it: it.post("/v1/approvals/ap_x/decision", json={"verdict": "approve"}),
        "audit": lambda it: it.get("/v1/export"),
        "admin": lambda it: it.post("/v1/erasures", json={"reason": "x", "seqs": [1]}),
    }
    granted = {
        "agent": {"agent", "read"},
        "read": {"read"},
        "approve": {"approve", "read"},
        "audit": {"audit", "read"},
        "admin": {"admin", "audit", "read"},
    }
    for scope, opens in granted.items():
        held = holder(scope)
        assert {name for name, call in calls.items() if not refused(call(held))} == opens, scope


def test_without_a_credential_nothing_is_decided(client: httpx2.Client) -> None:
    for path, body in (("/v1/approvals/ap_x/decision", {"verdict": "approve"}), ("/v1/credentials", {"name": "me"})):
        answer = client.post(path, json=body)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert answer.json()["code"] == "not_permitted"


def test_an_actor_is_the_credentials_own_unless_another_is_named(holder: Holder) -> None:
    agent = holder("agent")
    start(agent)
    agent.post("/v1/executions", json={}, headers={"Tallystick-Actor": '{"kind": "sub-agent", "name": "scout"}'})
    shown = agent.get("/v1/entries", params={"kind": "execution_started"}).json()["entries"]
    assert [(each["actor"], each.get("actor_kind", "agent")) for each in shown] == [
        ("c0", "agent"),
        ("scout", "sub-agent"),
    ]


def test_an_agents_credential_does_not_act_as_a_person(holder: Holder) -> None:
    agent = holder("agent")
    assert refused(
        agent.post("/v1/executions", json={}, headers={"Tallystick-Actor": '{"kind": "person", "name": "x"}'})
    )


def test_an_approver_records_the_decisions_of_people_and_no_others(holder: Holder, client: httpx2.Client) -> None:
    approver, admin, both = holder("approve"), holder("admin"), holder("approve", "admin")
    for decision in get_args(Choice):
        body = {"decision": decision, "why": "so it is", "question": "?" if decision == "ask_human" else ""}
        permitted = decision in ("settle", "keep", "pause", "resume", "stop", "done", "fail")
        for held in (approver, both):
            answer = held.post("/v1/decisions", json={**body, "execution_id": start(client)})
            assert refused(answer) != permitted, decision
        assert refused(admin.post("/v1/decisions", json={**body, "execution_id": start(client)}))
    answer = approver.post("/v1/decisions", json={"decision": "retry", "why": "x", "execution_id": start(client)})
    assert "`approve` with decision=settle, keep, pause" in answer.json()["detail"]


def test_an_approver_of_a_task_moves_executions_of_that_task_alone(holder: Holder, client: httpx2.Client) -> None:
    approver = holder("approve", tasks=("T-1",))
    statuses = []
    for task in ("T-1", "T-2"):
        body = {"decision": "pause", "why": "lunch", "execution_id": start(client, task_id=task)}
        statuses.append(approver.post("/v1/decisions", json=body).status_code)
    assert statuses == [201, 404]


def test_a_person_s_record_is_recorded_as_that_person_whatever_actor_is_named(
    holder: Holder, client: httpx2.Client
) -> None:
    body = {"decision": "pause", "why": "lunch", "execution_id": start(client)}
    for name in ("mallory", '{"kind": "agent", "name": "mallory"}'):
        held = holder("approve")
        receipt = held.post("/v1/decisions", json=body, headers={"Tallystick-Actor": name}).json()
        (entry,) = held.get("/v1/entries", params={"id": receipt["id"]}).json()["entries"]
        assert (entry["actor_kind"], entry["actor"]) == ("person", entry["facts"]["credential"])
        body = {**body, "decision": "resume"}


def test_an_agent_never_approves_erases_or_reads_another_s(holder: Holder, client: httpx2.Client) -> None:
    start(client)
    approval = client.post("/v1/approvals", json={"question": "?"}).json()["id"]
    agent = holder("agent")
    assert refused(agent.post(f"/v1/approvals/{approval}/decision", json={"verdict": "approve"}))
    assert refused(agent.post("/v1/erasures", json={"reason": "x", "seqs": [2]}))
    batch = {"records": [{"operation": "decide_approval", "arguments": {"approval_id": approval}}]}
    assert agent.post("/v1/batches", json=batch).status_code == 422
    assert client.get(f"/v1/approvals/{approval}").json()["status"] == "pending"


def test_only_an_observing_credential_records_as_observed(holder: Holder, client: httpx2.Client) -> None:
    observed = {"Tallystick-Witness": "observed"}
    assert refused(holder("agent").post("/v1/executions", json={}, headers=observed))
    assert holder("agent", observes=True).post("/v1/executions", json={}, headers=observed).status_code == 201
    for witness in ("maybe", ""):
        assert client.post("/v1/executions", json={}, headers={"Tallystick-Witness": witness}).status_code == 400


def test_a_credential_sees_its_own_journal_only(holder: Holder, client: httpx2.Client) -> None:
    start(client)
    client.post("/v1/executions", json={}, headers={"Tallystick-Journal": "other"})
    assert client.get("/v1/journals").json() == {"journals": ["other", "test"]}
    assert holder("read").get("/v1/journals").json() == {"journals": ["test"]}
    assert len(client.get("/v1/executions").json()["executions"]) == 1
