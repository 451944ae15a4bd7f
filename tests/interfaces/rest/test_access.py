"""Access control: scopes, the witness, and the actor."""

from collections.abc import Callable, Iterator

import httpx2
import pytest

from tallystick import Journal
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
